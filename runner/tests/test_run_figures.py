"""Wilson's interval against SciPy's."""

from __future__ import annotations

import pytest
import scipy

from runner.run_figures import wilson

COUNTS = [(0, 5), (5, 5), (3, 7), (0, 30), (1, 30), (29, 30), (30, 30), (1, 1), (7, 143), (72, 143)]


@pytest.mark.parametrize(("passed", "n"), COUNTS)
def test_wilson_agrees_with_scipy(passed: int, n: int) -> None:
    expected = scipy.stats.binomtest(passed, n).proportion_ci(method="wilson")
    assert wilson(passed / n, n) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_wilson_of_no_task_says_nothing() -> None:
    assert wilson(0.0, 0) == (0.0, 1.0)
