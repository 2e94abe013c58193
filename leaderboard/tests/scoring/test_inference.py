"""Statistics against formulas written out another way, SciPy, and what must always hold."""

from __future__ import annotations

import itertools
import tracemalloc
from math import sqrt

import numpy as np
import pytest
import scipy

from leaderboard.scoring import inference
from leaderboard.scoring.inference import Floats, RankRange
from leaderboard.scoring.ranking import competition_ranks


def draw_runs(seed: int, runs: int, tasks: int, attempts: int = 1) -> Floats:
    """Runs of rising strength on tasks of differing difficulty."""
    generator = np.random.default_rng(seed)
    chances = np.clip(
        np.linspace(0.15, 0.85, runs)[:, None] + generator.normal(0, 0.2, tasks), 0.02, 0.98
    )
    return generator.binomial(attempts, chances) / attempts


def resample_by_hand(table: Floats, weights: Floats) -> list[list[int]]:
    """Ranks per resample, one resample and one run at a time."""
    return [competition_ranks([round(float(row @ w), 9) for row in table]) for w in weights]


# Rank ranges


def test_ranges_are_the_percentiles_of_ranks_counted_one_by_one() -> None:
    table = draw_runs(1, runs=7, tasks=25, attempts=3)
    weights = np.concatenate(list(inference.resample_weights(25, 400, seed=5)))
    ranks = np.array(resample_by_hand(table, weights))
    own = competition_ranks([round(float(row.sum()), 9) for row in table])
    low = np.quantile(ranks, 0.025, axis=0, method="inverted_cdf")
    high = np.quantile(ranks, 0.975, axis=0, method="inverted_cdf")
    expected = [
        RankRange(min(int(a), o), max(int(b), o)) for a, b, o in zip(low, high, own, strict=True)
    ]
    assert inference.rank_ranges(table, seed=5, resamples=400) == expected


def test_weights_draw_every_task_equally_often() -> None:
    weights = np.concatenate(list(inference.resample_weights(11, 4000, seed=9)))
    assert (weights.sum(axis=1) == 11).all()
    # The count of one task over all draws is binomial: 5 standard deviations are never left.
    spread = sqrt(4000 * 11 * (1 / 11) * (10 / 11))
    assert np.abs(weights.sum(axis=0) - 4000).max() < 5 * spread


def test_chunks_do_not_move_a_range(monkeypatch: pytest.MonkeyPatch) -> None:
    table = draw_runs(2, runs=9, tasks=31)
    whole = inference.rank_ranges(table, resamples=1000)
    monkeypatch.setattr(inference, "CHUNK_CELLS", 7 * 31)
    assert inference.rank_ranges(table, resamples=1000) == whole


def test_the_order_of_rows_does_not_move_a_range() -> None:
    table = draw_runs(3, runs=8, tasks=40)
    order = np.random.default_rng(0).permutation(8)
    ranges = inference.rank_ranges(table, resamples=2000)
    shuffled = inference.rank_ranges(table[order], resamples=2000)
    assert shuffled == [ranges[i] for i in order]


def test_a_clear_order_has_ranges_of_one_place() -> None:
    table = [[1.0] * 60, [1.0] * 30 + [0.0] * 30, [0.0] * 60]
    assert inference.rank_ranges(table) == [RankRange(1, 1), RankRange(2, 2), RankRange(3, 3)]


@pytest.mark.parametrize("attempts", [1, 3, 7])
def test_identical_rows_share_every_place(attempts: int) -> None:
    row = draw_runs(4, runs=1, tasks=50, attempts=attempts)[0]
    other = draw_runs(5, runs=1, tasks=50, attempts=attempts)[0]
    ranges = inference.rank_ranges([row, other, row, row], resamples=2000)
    assert ranges[0] == ranges[2] == ranges[3]


def test_all_ties_are_all_first() -> None:
    assert inference.rank_ranges([[0.0, 1.0, 1.0]] * 5, resamples=500) == [RankRange(1, 1)] * 5


def test_one_run_is_first() -> None:
    assert inference.rank_ranges([[0.0, 1.0]]) == [RankRange(1, 1)]


def test_one_task_leaves_the_order_as_it_is() -> None:
    assert inference.rank_ranges([[1.0], [0.0], [0.5]]) == [
        RankRange(1, 1),
        RankRange(3, 3),
        RankRange(2, 2),
    ]


def test_a_range_holds_the_rank_on_the_tasks_themselves() -> None:
    # 30 runs, each solving another two of 60 tasks: all are first, and hardly ever in a resample.
    table = np.repeat(np.eye(30), 2, axis=1)
    ranges = inference.rank_ranges(table, resamples=1000)
    assert all(found.low == 1 and found.high > 20 for found in ranges)


def test_a_seed_repeats_and_another_one_differs_little() -> None:
    table = draw_runs(6, runs=12, tasks=30)
    first = inference.rank_ranges(table, seed=1)
    assert first == inference.rank_ranges(table, seed=1)
    other = inference.rank_ranges(table, seed=2)
    moved = [abs(a.low - b.low) + abs(a.high - b.high) for a, b in zip(first, other, strict=True)]
    assert max(moved) <= 2


def test_hundreds_of_runs_stay_within_their_memory() -> None:
    table = draw_runs(7, runs=400, tasks=143)
    tracemalloc.start()
    try:
        ranges = inference.rank_ranges(table)
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak_bytes < 120e6  # ten arrays of a chunk and the counts; all resamples: 300 MB
    assert [found.low <= found.high for found in ranges] == [True] * 400
    assert ranges[0].low > 200 > ranges[-1].high  # the weakest row is first in the table


@pytest.mark.parametrize(
    ("table", "word"),
    [
        ([[0.5, float("nan")]], "from 0 to 1"),
        ([[0.5, 1.2]], "from 0 to 1"),
        ([[-0.1, 1.0]], "from 0 to 1"),
        ([[]], "runs × tasks"),
        ([], "runs × tasks"),
    ],
)
def test_what_is_no_table_of_shares_is_refused(table: list[list[float]], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        inference.rank_ranges(table)


# Two runs


@pytest.mark.parametrize(
    ("only_a", "only_b"), [(0, 0), (1, 0), (0, 5), (6, 0), (9, 2), (7, 7), (40, 22), (300, 241)]
)
def test_mcnemar_is_scipys_binomial_test(only_a: int, only_b: int) -> None:
    discordant = only_a + only_b
    expected = scipy.stats.binomtest(only_a, discordant).pvalue if discordant else 1.0
    assert inference.mcnemar(only_a, only_b) == pytest.approx(expected, rel=1e-12)
    assert inference.mcnemar(only_b, only_a) == inference.mcnemar(only_a, only_b)


def test_mcnemar_takes_thousands_of_tasks() -> None:
    assert 0 < inference.mcnemar(3000, 2600) < 1e-6


@pytest.mark.parametrize("seed", range(6))
def test_with_one_attempt_the_paired_test_is_mcnemar(seed: int) -> None:
    a, b = draw_runs(seed, runs=2, tasks=143)
    only_a, only_b = int(((a == 1) & (b == 0)).sum()), int(((b == 1) & (a == 0)).sum())
    expected = inference.mcnemar(only_a, only_b)
    assert inference.paired_p_value(a, b) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_with_several_attempts_every_sign_is_tried(seed: int) -> None:
    a = draw_runs(seed, runs=1, tasks=11, attempts=3)[0]
    b = draw_runs(seed + 50, runs=1, tasks=11, attempts=4)[0]
    gaps = np.round((a - b) * 12).astype(int)
    sums = [abs(int(np.dot(signs, gaps))) for signs in itertools.product((1, -1), repeat=11)]
    expected = sum(s >= abs(int(gaps.sum())) for s in sums) / len(sums)
    assert inference.paired_p_value(a, b) == pytest.approx(expected, rel=1e-9)


def test_the_paired_test_is_scipys_permutation_test() -> None:
    a, b = draw_runs(20, runs=2, tasks=12, attempts=5)

    def mean_gap(x: Floats, y: Floats) -> float:
        return float(np.mean(x - y))

    found = scipy.stats.permutation_test(
        (a, b), mean_gap, permutation_type="samples", n_resamples=np.inf
    )
    assert inference.paired_p_value(a, b) == pytest.approx(found.pvalue, rel=1e-9)


def test_a_true_null_is_rejected_no_more_often_than_promised() -> None:
    generator = np.random.default_rng(8)
    rejected = sum(
        inference.paired_p_value(*generator.integers(0, 2, (2, 60)).astype(float)) < 0.05
        for _ in range(600)
    )
    # Binomial(600, 0.05) is above 55 about once in a million seeds.
    assert rejected <= 55


def test_identical_runs_do_not_differ() -> None:
    row = draw_runs(9, runs=1, tasks=30)[0]
    found = inference.compare(row, row)
    assert (found.p_value, found.better_a, found.better_b) == (1.0, 0, 0)
    assert found.difference == inference.Difference(0.0, 0.0, 0.0)
    assert found.detectable is None


def test_a_comparison_names_both_sides() -> None:
    a = [1.0] * 30 + [0.0] * 10
    b = [1.0] * 18 + [0.0] * 12 + [1.0] * 2 + [0.0] * 8
    found = inference.compare(a, b)
    assert (found.tasks, found.better_a, found.better_b) == (40, 12, 2)
    assert found.p_value == pytest.approx(scipy.stats.binomtest(12, 14).pvalue)
    assert found.difference.estimate == pytest.approx(10 / 40)
    assert 0 < found.difference.low < 10 / 40 < found.difference.high < 0.5
    back = inference.compare(b, a)
    assert back.p_value == found.p_value
    assert back.difference.low == pytest.approx(-found.difference.high)


def test_the_interval_is_that_of_scipys_bootstrap() -> None:
    a, b = draw_runs(10, runs=2, tasks=80)
    found = inference.paired_difference(a, b)
    gaps = a - b
    oracle = scipy.stats.bootstrap(
        (gaps,), np.mean, method="percentile", n_resamples=10_000, rng=np.random.default_rng(3)
    ).confidence_interval
    # Two seeds of 10,000 resamples: the ends agree to a small part of the standard error.
    error = float(gaps.std()) / sqrt(80)
    assert found.low == pytest.approx(oracle.low, abs=error / 5)
    assert found.high == pytest.approx(oracle.high, abs=error / 5)


def test_one_shared_task_gives_a_point() -> None:
    found = inference.compare([1.0], [0.0])
    assert found.difference == inference.Difference(1.0, 1.0, 1.0)
    assert found.p_value == 1.0
    assert found.detectable is None


@pytest.mark.parametrize(
    ("a", "b"), [([], []), ([1.0], [1.0, 0.0]), ([float("nan")], [1.0]), ([2.0], [1.0])]
)
def test_rows_that_cannot_be_compared_are_refused(a: list[float], b: list[float]) -> None:
    with pytest.raises(ValueError):
        inference.compare(a, b)


def test_a_mean_of_more_attempts_than_there_can_be_is_refused() -> None:
    with pytest.raises(ValueError, match="attempts"):
        inference.paired_p_value([0.123456], [0.5])


# What could be found


@pytest.mark.parametrize("tasks", [20, 30, 143, 1000])
@pytest.mark.parametrize("share", [0.2, 0.35, 0.6])
def test_the_detectable_difference_has_the_power_it_promises(tasks: int, share: float) -> None:
    found = inference.minimum_detectable_difference(tasks, share)
    if found is None:
        found = share
        assert power_of(tasks, share, found) < 0.8
    else:
        assert power_of(tasks, share, found) == pytest.approx(0.8, abs=1e-9)


def power_of(tasks: int, share: float, difference: float) -> float:
    """Connor's formula for the power of McNemar's test."""
    critical = scipy.stats.norm.ppf(0.975) * sqrt(share)
    return float(
        scipy.stats.norm.cdf((sqrt(tasks) * difference - critical) / sqrt(share - difference**2))
    )


def test_more_tasks_find_smaller_differences() -> None:
    found = [inference.minimum_detectable_difference(n, 0.3) for n in (30, 60, 143, 500, 5000)]
    known = [difference for difference in found if difference is not None]
    assert len(known) == 5
    assert known == sorted(known, reverse=True)


@pytest.mark.parametrize(("tasks", "spread"), [(1, 0.5), (3, 1.0), (143, 0.0), (10, 0.1)])
def test_nothing_is_detectable_with_too_little(tasks: int, spread: float) -> None:
    assert inference.minimum_detectable_difference(tasks, spread) is None


# Many pairs


def test_holm_as_in_the_textbook() -> None:
    assert inference.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_lies_between_no_correction_and_bonferronis() -> None:
    p_values = np.random.default_rng(11).random(40) ** 3
    adjusted = inference.holm(list(p_values))
    assert (np.array(adjusted) >= p_values).all()
    assert (np.array(adjusted) <= np.minimum(1, 40 * p_values) + 1e-12).all()
    assert np.argsort(adjusted, kind="stable")[0] == np.argmin(p_values)
    ordered = [adjusted[i] for i in np.argsort(p_values)]
    assert ordered == sorted(ordered)


def test_holm_of_none_and_one() -> None:
    assert inference.holm([]) == []
    assert inference.holm([0.2]) == [0.2]


def test_tie_groups_open_where_a_run_differs_from_the_head() -> None:
    strong, near = [1.0] * 40, [1.0] * 37 + [0.0] * 3
    middle, weak = [1.0] * 20 + [0.0] * 20, [0.0] * 40
    assert inference.tie_groups([middle, strong, weak, near]) == [2, 1, 3, 1]


def test_the_head_decides_and_not_the_neighbour() -> None:
    """A slow slope: each run is tied with its neighbour, and the far ones differ from the head."""
    table = [[1.0] * (40 - 3 * i) + [0.0] * (3 * i) for i in range(6)]
    groups = inference.tie_groups(table)
    for a, b in itertools.pairwise(table):
        assert inference.paired_p_value(a, b) > 0.05
    # From the head 3, 6, 9, 12, 15 tasks are lost: by Holm 15, 12 and 9 differ, 6 does not.
    assert groups == [1, 1, 1, 2, 2, 2]


def test_groups_never_fall_with_the_rate() -> None:
    table = draw_runs(12, runs=25, tasks=100)
    groups = inference.tie_groups(table)
    ordered = [groups[i] for i in np.argsort(-table.mean(axis=1), kind="stable")]
    assert ordered == sorted(ordered)
    assert ordered[0] == 1
    assert max(ordered) > 1
    assert set(ordered) == set(range(1, max(ordered) + 1))


def test_groups_of_one_run_and_of_all_ties() -> None:
    assert inference.tie_groups([[1.0, 0.0]]) == [1]
    assert inference.tie_groups([[1.0, 0.0]] * 4) == [1, 1, 1, 1]
    assert inference.tie_groups([[1.0], [0.0]]) == [1, 1]
