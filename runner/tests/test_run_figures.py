"""Intervals of rates: Wilson's against SciPy's, and the number of tasks that they are over."""

from __future__ import annotations

import pytest
import scipy

from runner.run_figures import effective_tasks, pass_interval, student_t, wilson

COUNTS = [(0, 5), (5, 5), (3, 7), (0, 30), (1, 30), (29, 30), (30, 30), (1, 1), (7, 143), (72, 143)]


def test_wilson_agrees_with_scipy(subtests: pytest.Subtests) -> None:
    for passed, n in COUNTS:
        with subtests.test(passed=passed, n=n):
            expected = scipy.stats.binomtest(passed, n).proportion_ci(method="wilson")
            assert wilson(passed / n, n) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_wilson_of_no_task_says_nothing() -> None:
    assert wilson(0.0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("passed", [1, 17, 30])
def test_one_attempt_per_task_has_wilsons_interval(passed: int) -> None:
    shares = [1.0] * passed + [0.0] * (31 - passed)
    assert pass_interval(shares, 31) == wilson(passed / 31, 31)
    assert pass_interval(shares, 31, list(range(31))) == wilson(passed / 31, 31)


def test_more_attempts_count_by_how_much_they_differ(subtests: pytest.Subtests) -> None:
    for shares, attempts, tasks in [
        ([1.0, 0.0] * 10, 60, 20),  # attempts at a task agree: no more than one each
        ([0.5] * 20, 40, 40),  # tasks are alike: each attempt counts
        ([1.0] * 20, 60, 20),
        ([0.0] * 20, 60, 20),
        ([1.0, 0.0, 0.5, 0.5, 0.75, 0.25, 1.0, 0.0] * 3, 96, 0.25 / (3.375 / 23 / 24)),
    ]:
        with subtests.test(shares=shares, attempts=attempts, tasks=tasks):
            expected = wilson(sum(shares) / len(shares), tasks)
            assert pass_interval(shares, attempts) == pytest.approx(expected)


def test_families_that_pass_together_widen_the_interval() -> None:
    shares = [float(i // 3 % 2) for i in range(60)]
    low, high = pass_interval(shares, 60, [i // 3 for i in range(60)])
    assert (low, high) == pytest.approx(wilson(0.5, 20, student_t(19)))
    assert low is not None
    assert high is not None
    assert high - low > 1.6 * (wilson(0.5, 60)[1] - wilson(0.5, 60)[0])


@pytest.mark.parametrize(("truth", "least", "most"), [(0.6, 0.93, 0.97), (0.995, 0.85, 0.87)])
def test_near_all_or_nothing_the_interval_holds_less_often(
    truth: float, least: float, most: float
) -> None:
    """As the method says of 31 tasks."""
    chances = scipy.stats.binom.pmf(range(32), 31, truth)
    found = [wilson(passed / 31, 31) for passed in range(32)]
    held = sum(p for p, (low, high) in zip(chances, found, strict=True) if low <= truth <= high)
    assert least <= held <= most


@pytest.mark.parametrize("tasks", [0, 1, 19])
def test_few_tasks_have_no_interval(tasks: int) -> None:
    shares = [1.0] * tasks
    assert pass_interval(shares, tasks) == pass_interval(shares, tasks, shares) == (None, None)
    assert effective_tasks(0.5, 0.0, 1, 1, 3) == 1


def test_student_t_is_scipys(subtests: pytest.Subtests) -> None:
    for freedom in [4, 10, 30, 47, 200]:
        with subtests.test(freedom=freedom):
            assert student_t(freedom) == pytest.approx(scipy.stats.t.ppf(0.975, freedom), abs=0.01)
