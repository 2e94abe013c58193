"""The board's order: ties share a place, and only whole public runs of models have one."""

from __future__ import annotations

from dataclasses import replace

from scipy.stats import rankdata

from leaderboard.ranking import Standing, board_ranks, competition_ranks

RUN = Standing(run_id=1, entry_id=1, rate=0.5, is_complete=True, is_scripted=False)


def test_equal_rates_share_a_place_and_the_next_is_skipped() -> None:
    assert competition_ranks([0.5, 0.9, 0.5, 0.1]) == [2, 1, 2, 4]


def test_places_are_those_of_scipy() -> None:
    rates = [i * 37 % 11 / 11 for i in range(40)]
    assert competition_ranks(rates) == list(rankdata([-r for r in rates], method="min"))


def test_the_latest_whole_run_of_an_entry_is_ranked_and_not_its_best() -> None:
    better = replace(RUN, rate=0.9)
    latest = replace(RUN, run_id=2)
    under_way = replace(RUN, run_id=3, is_complete=False)
    assert board_ranks([latest, better, under_way]) == {2: 1}


def test_scripted_incomplete_and_private_runs_have_no_place() -> None:
    others = [
        replace(RUN, run_id=2, entry_id=2, rate=1.0, is_scripted=True),
        replace(RUN, run_id=3, entry_id=3, rate=1.0, is_complete=False),
        replace(RUN, run_id=4, entry_id=4, rate=1.0, is_public=False),
    ]
    assert board_ranks([RUN, *others]) == {1: 1}


def test_an_empty_board_has_no_places() -> None:
    assert board_ranks([]) == {}
