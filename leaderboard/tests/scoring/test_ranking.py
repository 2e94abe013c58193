"""The board's order: ties share a place, and only whole public runs of models have one."""

from __future__ import annotations

from dataclasses import replace

import scipy

from leaderboard.scoring.ranking import RankedRun, competition_ranks, latest_per_entry

RUN = RankedRun(run_id=1, entry_id=1, rate=0.5, is_complete=True, is_scripted=False)


def test_equal_rates_share_a_place_and_the_next_is_skipped() -> None:
    assert competition_ranks([0.5, 0.9, 0.5, 0.1]) == [2, 1, 2, 4]


def test_places_are_those_of_scipy() -> None:
    rates = [i * 37 % 11 / 11 for i in range(40)]
    assert competition_ranks(rates) == list(scipy.stats.rankdata([-r for r in rates], method="min"))


def test_latest_complete_run_of_an_entry_is_ranked_not_its_best() -> None:
    better = replace(RUN, rate=0.9)
    latest = replace(RUN, run_id=2)
    under_way = replace(RUN, run_id=3, is_complete=False)
    assert latest_per_entry([latest, better, under_way]) == [latest]


def test_scripted_incomplete_and_private_runs_have_no_place() -> None:
    others = [
        replace(RUN, run_id=2, entry_id=2, rate=1.0, is_scripted=True),
        replace(RUN, run_id=3, entry_id=3, rate=1.0, is_complete=False),
        replace(RUN, run_id=4, entry_id=4, rate=1.0, is_public=False),
    ]
    assert latest_per_entry([RUN, *others]) == [RUN]


def test_an_empty_board_has_no_places() -> None:
    assert latest_per_entry([]) == []
    assert competition_ranks([]) == []
