"""Agreement, kappa and corrected rates against published examples and hand calculations."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest

from leaderboard.judge.trial import TrialLine
from leaderboard.scoring.agreement import (
    Confusion,
    IntervalEstimate,
    cohen_kappa,
    correct_rate,
    share,
)


def test_kappa_of_the_published_three_by_three_example() -> None:
    # J. L. Fleiss, Statistical Methods for Rates and Proportions, table of two psychiatrists:
    # observed 0.89, by chance 0.66, kappa 0.68, standard error 0.087.
    kappa = cohen_kappa([[75, 1, 4], [5, 4, 1], [0, 0, 10]])
    assert kappa is not None
    assert kappa.value == pytest.approx(0.6765, abs=1e-4)
    assert (kappa.high - kappa.low) / 2 / 1.959964 == pytest.approx(0.0877, abs=5e-4)


def test_kappa_of_two_by_two_by_hand() -> None:
    # Agreement 35/50 = 0.7; by chance 0.5 · 0.6 + 0.5 · 0.4 = 0.5; kappa (0.7 - 0.5) / 0.5.
    kappa = Confusion(20, 5, 10, 15).kappa
    assert kappa is not None
    assert kappa.value == pytest.approx(0.4)
    on = 0.4 * (1 - 1.1 * 0.6) ** 2 + 0.3 * (1 - 0.9 * 0.6) ** 2
    off = 0.36 * (0.1 * (0.6 + 0.5) ** 2 + 0.2 * (0.4 + 0.5) ** 2)
    error = ((on + off - (0.4 - 0.5 * 0.6) ** 2) / 50) ** 0.5 / 0.5
    assert kappa.high - kappa.low == pytest.approx(2 * 1.959964 * error, abs=1e-5)


def test_kappa_is_zero_for_chance_and_unknown_without_variety() -> None:
    always = Confusion(true_pass=30, false_pass=20)  # a judge that passes everything
    assert always.kappa is not None
    assert (always.kappa.value, always.kappa.low, always.kappa.high) == (0, -1, 1)
    assert always.agreement is not None
    assert always.agreement.value == 0.6
    assert Confusion(true_pass=9).kappa is None
    assert Confusion().kappa is None
    assert Confusion().agreement is None


def test_intervals_hold_the_truth_where_errors_depend_on_the_task() -> None:
    """12 runs of 60 tasks: on a tenth of them the judge is wrong half the time, else never."""
    generator = random.Random(5)
    held, held_if_independent = 0, 0
    for _ in range(200):
        tasks = []
        for _ in range(60):
            wrong = sum(generator.random() < 0.5 for _ in range(12)) * (generator.random() < 0.1)
            tasks.append(Confusion(true_pass=12 - wrong, false_pass=wrong))
        total = sum(tasks, Confusion())
        by_tasks = replace(total, by_task=tuple(tasks)).agreement
        independent = total.agreement
        assert by_tasks is not None
        assert independent is not None
        held += by_tasks.low <= 0.95 <= by_tasks.high
        held_if_independent += independent.low <= 0.95 <= independent.high
    assert held >= 170
    assert held_if_independent < 140


def test_a_judges_pass_rate_leaves_tasks_out_too() -> None:
    """Twelve runs that share their tasks: the judge passes a task in all of them or in none."""
    tasks = tuple(Confusion(true_pass=12) if n % 2 else Confusion(true_fail=12) for n in range(30))
    found = TrialLine("", Confusion(180, 0, 0, 180, by_task=tasks)).passed
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.318, 0.682), abs=0.002)


def test_sensitivity_and_specificity_have_their_own_denominators() -> None:
    counts = Confusion(true_pass=8, false_pass=3, false_fail=2, true_fail=7)
    assert counts.sensitivity == share(8, 10)
    assert counts.specificity == share(7, 10)
    assert counts + counts == Confusion(16, 6, 4, 14)
    assert Confusion(true_fail=3).sensitivity is None


def test_corrected_rate_is_that_of_rogan_and_gladen() -> None:
    # The brucellosis example of epiR's epi.prev: 23 of 150 positive, sensitivity 96 %,
    # specificity 89 %, true prevalence 5.1 per 100.
    found = correct_rate(23, 150, 96, 100, 89, 100)
    assert found is not None
    assert found.value == pytest.approx(0.051, abs=5e-4)
    assert found.low == 0.0
    assert 0.1 < found.high < 0.2


def test_corrected_interval_by_hand() -> None:
    # 60 of 100; sensitivity 45/50, specificity 40/50: (0.6 + 0.8 - 1) / 0.7 = 0.5714.
    found = correct_rate(60, 100, 45, 50, 40, 50)
    assert found is not None
    assert found.value == pytest.approx(0.571429, abs=1e-6)
    rate, sens, spec = 61.920729 / 103.841459, 46 / 52, 41 / 52
    centre = (rate + spec - 1) / (sens + spec - 1)
    one, two = sens * (1 - sens) / 52, spec * (1 - spec) / 52
    shift = 2 * 3.841459 * (centre * one - (1 - centre) * two)
    spread = rate * (1 - rate) / 103.841459 + centre**2 * one + (1 - centre) ** 2 * two
    half = 1.959964 * spread**0.5 / (sens + spec - 1)
    assert found.low == pytest.approx(centre + shift - half, abs=1e-5)
    assert found.high == pytest.approx(centre + shift + half, abs=1e-5)
    assert found.low < found.value < found.high


def test_corrected_rate_needs_labels_and_a_judge_better_than_chance() -> None:
    assert correct_rate(5, 10, 0, 0, 5, 5) is None
    assert correct_rate(5, 10, 5, 5, 0, 0) is None
    assert correct_rate(0, 0, 5, 5, 5, 5) is None
    assert correct_rate(5, 10, 2, 5, 3, 5) is None
    certain = correct_rate(10, 10, 50, 50, 50, 50)
    assert certain is not None
    assert (certain.value, certain.high) == (1.0, 1.0)


def test_corrected_rate_of_few_labels_is_in_its_interval() -> None:
    """Four labels of failures and one of a pass divided by zero; seven turned the interval over."""
    for passes, fails, judged in product((1, 2, 5, 10), (1, 4, 7, 100), (1, 5, 310)):
        for right_passes, right_fails in product(range(passes + 1), range(min(fails, 8) + 1)):
            for passed in {0, 1, judged // 2, judged}:
                counts = (passed, judged, right_passes, passes, right_fails, fails)
                if found := correct_rate(*counts):
                    assert 0 <= found.low <= found.value <= found.high <= 1, counts
    assert correct_rate(10, 10, 1, 1, 1, 4) == IntervalEstimate(1.0, 0.0, 1.0)
