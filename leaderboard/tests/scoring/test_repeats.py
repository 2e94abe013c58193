"""Several attempts per task: pass@k and pass^k by counting draws, spread and flips."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import pytest

from leaderboard.scoring.repeats import (
    measure_repeats,
    pass_at_k,
    pass_hat_k,
    record_repeats,
    say_repeats,
)


def test_chances_are_shares_of_draws(subtests: pytest.Subtests) -> None:
    for c in range(6):
        for k in range(1, 6):
            with subtests.test(c=c, k=k):
                draws = list(combinations([True] * c + [False] * (5 - c), k))
                assert pass_at_k(5, c, k) == pytest.approx(sum(map(any, draws)) / len(draws))
                assert pass_hat_k(5, c, k) == pytest.approx(sum(map(all, draws)) / len(draws))


def test_a_run_is_measured_over_its_tasks() -> None:
    found = measure_repeats([3, 2, 0, 1], 3)
    assert found is not None
    assert (found.k, found.tasks, found.always, found.sometimes, found.never) == (3, 4, 1, 2, 1)
    assert found.pass_at_k.rate == pytest.approx(3 / 4)
    assert found.pass_hat_k.rate == pytest.approx(1 / 4)
    assert found.at_k[0].rate == pytest.approx(6 / 12)
    assert found.hat_k[0].rate == pytest.approx(6 / 12)
    assert found.at_k[1].rate == pytest.approx((1 + 1 + 0 + 2 / 3) / 4)
    assert found.hat_k[1].rate == pytest.approx((1 + 1 / 3) / 4)
    assert (found.pass_at_k.low, found.pass_at_k.high) == (None, None)  # of few tasks
    assert found.spread == pytest.approx(sqrt(1 / 3 + 1 / 3) / 4)  # variances within tasks
    assert [number for number, _, _ in found.draws] == [1, 2, 3]
    said = "Of 4 tasks, 1 passed in all 3 attempts, 2 in some and 1 in none."
    assert say_repeats(found) == said


def test_chances_move_apart_with_more_draws() -> None:
    found = measure_repeats([4, 3, 2, 1, 0], 4)
    assert found is not None
    at, hat = [e.rate for e in found.at_k], [e.rate for e in found.hat_k]
    assert at == sorted(at)
    assert hat == sorted(hat, reverse=True)
    assert at[0] == pytest.approx(hat[0])


def test_one_attempt_or_no_task_has_no_repeats() -> None:
    assert measure_repeats([1, 0], 1) is None
    assert measure_repeats([], 2) is None
    assert set(record_repeats(None).values()) == {None}
