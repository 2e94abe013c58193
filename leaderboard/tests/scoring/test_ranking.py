"""The board's order: ties share a place, and an entry ranks by the mean of its public runs."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import scipy

from leaderboard.scoring.ranking import (
    PlayedRun,
    RankedEntry,
    competition_ranks,
    name_model,
    rank_entries,
)

MORNING = datetime(2026, 11, 20, 9, tzinfo=UTC)
NOON = MORNING + timedelta(hours=3)
EVENING = MORNING + timedelta(hours=9)
RUN = PlayedRun(run_id=1, entry_id=1, rate=0.5, is_complete=True, created_at=MORNING)
BETTER = replace(RUN, run_id=2, rate=0.9)
HIDDEN = replace(RUN, run_id=3, rate=0.1, is_public=False)


def test_equal_rates_share_a_place_and_the_next_is_skipped() -> None:
    assert competition_ranks([0.5, 0.9, 0.5, 0.1]) == [2, 1, 2, 4]


def test_places_are_those_of_scipy() -> None:
    rates = [i * 37 % 11 / 11 for i in range(40)]
    assert competition_ranks(rates) == list(scipy.stats.rankdata([-r for r in rates], method="min"))


def test_an_entry_ranks_by_the_mean_of_its_complete_runs() -> None:
    under_way = replace(RUN, run_id=4, is_complete=False)
    assert rank_entries([RUN, BETTER, under_way]) == [RankedEntry((2, 1), 0.7, 0, incomplete=1)]


def test_runs_that_are_not_shown_are_counted_and_move_no_rate() -> None:
    unfinished = replace(HIDDEN, run_id=4, is_complete=False)
    [found] = rank_entries([RUN, HIDDEN, unfinished])
    assert found == RankedEntry((1,), 0.5, 2)
    assert rank_entries([RUN, replace(HIDDEN, rate=0.99), unfinished]) == [found]


def test_private_runs_alone_have_no_place() -> None:
    assert rank_entries([HIDDEN, replace(HIDDEN, run_id=4)]) == []


def test_other_calls_of_the_same_model_by_its_owner_are_counted_too() -> None:
    shown = replace(RUN, model=name_model(1, "Foo-7B"))
    for owner, name, count in ((1, " foo-7b", 1), (2, "Foo-7B", 0), (1, "Foo-8B", 0)):
        other = replace(HIDDEN, entry_id=2, model=name_model(owner, name))
        assert [found.not_shown for found in rank_entries([shown, other])] == [count]
    assert name_model(None, "Foo-7B") is None  # the site's own entries are what they are called


def test_withdrawing_takes_earlier_runs_out_and_a_new_run_begins_again() -> None:
    """Whichever of the runs is withdrawn, nobody gains by choosing."""
    for withdrawn, kept in ((RUN, BETTER), (BETTER, RUN)):
        gone = replace(withdrawn, is_public=False, withdrawn_at=NOON)
        assert rank_entries([gone, kept]) == []
        later = replace(RUN, run_id=5, rate=0.3, created_at=EVENING)
        assert rank_entries([gone, kept, later]) == [RankedEntry((5,), 0.3, 1)]
        assert rank_entries([replace(gone, is_complete=False), kept])[0].runs == (kept.run_id,)


def test_withdrawing_moves_no_other_entry() -> None:
    gone = replace(RUN, run_id=6, entry_id=2, is_public=False, withdrawn_at=NOON)
    assert [found.runs for found in rank_entries([RUN, gone])] == [(1,)]


def test_an_empty_board_has_no_places() -> None:
    assert rank_entries([]) == []
    assert competition_ranks([]) == []
