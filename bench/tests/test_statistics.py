"""Ranges, tests and intervals hold the truth as often as they promise: a small part, with seeds."""

from __future__ import annotations

import pytest

from bench.statistics import (
    Setting,
    weigh_boards,
    weigh_draws,
    weigh_pairs,
    weigh_power,
    weigh_rates,
)

BOARDS = 200  # so that a share of 0.95 has a standard error of 0.015


def test_rank_ranges_hold_the_truth(subtests: pytest.Subtests) -> None:
    for models in [2, 10, 60]:
        for shape in ["equal", "close", "spread"]:
            with subtests.test(models=models, shape=shape):
                held = weigh_boards(Setting(models, 31, shape, "unequal"), BOARDS)
                assert held.coverage >= 0.95
                assert held.best >= 0.95
                assert held.wrong_best <= 0.05 + 0.03


def test_spread_out_models_are_told_apart() -> None:
    assert weigh_boards(Setting(10, 143, "spread"), BOARDS).open_best < 3


def test_rank_ranges_over_families_hold_the_truth() -> None:
    held = weigh_boards(Setting(10, 144, "equal", "unequal", is_grouped=True), BOARDS)
    assert held.coverage >= 0.95
    assert held.wrong_best <= 0.05 + 0.03


def test_pairs_hold_the_truth(subtests: pytest.Subtests) -> None:
    for attempts in ["one", "unequal", "five"]:
        for tasks, is_grouped in [(20, False), (143, False), (144, True)]:
            with subtests.test(attempts=attempts, tasks=tasks, is_grouped=is_grouped):
                pairs = weigh_pairs(tasks, attempts, 1000, is_grouped=is_grouped)
                assert pairs.level <= 0.05 + 0.014
                assert 0.93 <= pairs.interval <= 0.97 + 0.005


def test_the_printed_gap_is_found_four_times_in_five(subtests: pytest.Subtests) -> None:
    for attempts in ["one", "three", "five", "unequal"]:
        for rate in [0.6, 0.9]:
            with subtests.test(attempts=attempts, rate=rate):
                gap, power = weigh_power(31, attempts, rate, 400)
                assert 0.1 < gap < 0.4
                assert 0.78 - 0.04 <= power <= 0.85 + 0.03  # two standard errors


def test_intervals_of_rates_hold_the_truth_and_narrow_with_attempts(
    subtests: pytest.Subtests,
) -> None:
    for tasks, is_grouped in [(31, False), (143, False), (144, True)]:
        for rate in [0.6, 0.9]:
            with subtests.test(tasks=tasks, is_grouped=is_grouped, rate=rate):
                once, often = (
                    weigh_rates(tasks, attempts, rate, 4000, is_grouped=is_grouped)
                    for attempts in ("one", "five")
                )
                for held in (once, often):
                    assert 0.93 - 0.008 <= held.coverage <= 0.97 + 0.006
                assert often.width < 0.78 * once.width


@pytest.mark.parametrize("tasks", [31, 143])
def test_near_all_or_nothing_intervals_hold_the_truth_less_often(tasks: int) -> None:
    """As the method says: Wilson's interval has dips there."""
    held = [weigh_rates(tasks, attempts, 0.97, 2000) for attempts in ("one", "five")]
    held.append(weigh_draws(tasks, 0.97, 2000))
    assert min(one.coverage for one in held) >= 0.88
