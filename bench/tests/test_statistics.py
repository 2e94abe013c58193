"""Ranges, tests and intervals hold the truth as often as they promise: a small part, with seeds."""

from __future__ import annotations

import pytest

from bench.statistics import Setting, weigh_boards, weigh_pairs

BOARDS = 200  # so that a share of 0.95 has a standard error of 0.015


@pytest.mark.parametrize("models", [2, 10, 60])
@pytest.mark.parametrize("shape", ["equal", "close", "spread"])
def test_rank_ranges_hold_the_truth(models: int, shape: str) -> None:
    held = weigh_boards(Setting(models, 31, shape, "unequal"), BOARDS)
    assert held.coverage >= 0.95
    assert held.best >= 0.95
    assert held.wrong_best <= 0.05 + 0.03


def test_spread_out_models_are_told_apart() -> None:
    assert weigh_boards(Setting(10, 143, "spread"), BOARDS).open_best < 3


@pytest.mark.parametrize("tasks", [20, 143])
def test_pairs_hold_the_truth(tasks: int) -> None:
    pairs = weigh_pairs(tasks, "one", 1000)
    assert pairs.level <= 0.05 + 0.014
    assert 0.93 <= pairs.interval <= 0.985
