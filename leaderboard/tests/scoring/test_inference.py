"""Statistics against formulas written out another way, SciPy, and what must always hold."""

from __future__ import annotations

import tracemalloc
from functools import cache
from math import sqrt

import numpy as np
import numpy.typing as npt
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


# Rank ranges


def z_by_hand(a: Floats, b: Floats, attempts: tuple[int, int] = (1, 1)) -> float:
    """The paired z of one pair, with an imaginary task won by each side: a smaller one where
    there are several attempts."""
    lead = sqrt((1 / attempts[0] + 1 / attempts[1]) / 2)
    gaps = np.concatenate([a - b, [lead, -lead]])
    return float(gaps.sum() / sqrt(len(gaps) * gaps.var()))


@pytest.mark.parametrize("attempts", [(1,) * 9, (3,) * 9, (1, 5, 3) * 3])
def test_ranges_count_the_pairs_that_are_beyond_chance_one_by_one(
    attempts: tuple[int, ...],
) -> None:
    drawn = {k: draw_runs(1, runs=9, tasks=40, attempts=k) for k in set(attempts)}
    table = np.stack([drawn[k][i] for i, k in enumerate(attempts)])
    limit = inference.critical_value(9)
    is_above = np.array(
        [
            [z_by_hand(table[i], table[j], (attempts[i], attempts[j])) > limit for j in range(9)]
            for i in range(9)
        ]
    )
    expected = [
        RankRange(1 + int(is_above[:, i].sum()), 9 - int(is_above[i].sum())) for i in range(9)
    ]
    assert inference.rank_ranges(table, attempts=attempts) == expected
    assert len(set(expected)) > 3


@pytest.mark.parametrize(("models", "expected"), [(2, 1.95996), (5, 2.4421), (61, 3.1793)])
def test_the_critical_value_is_dunnetts(models: int, expected: float) -> None:
    """Against SciPy's multivariate normal: models compared with one of them, correlation 1/2."""
    found = inference.critical_value(models)
    if models < 9:
        size = models - 1
        spread = np.full((size, size), 0.5) + 0.5 * np.eye(size)
        held = scipy.stats.multivariate_normal(cov=spread, seed=1)
        inside = held.cdf([found] * size, lower_limit=[-found] * size)
        assert inside == pytest.approx(0.95, abs=1e-3)
    assert found == pytest.approx(expected, abs=2e-3)


def test_the_order_of_rows_does_not_move_a_range() -> None:
    table = draw_runs(3, runs=8, tasks=40)
    order = np.random.default_rng(0).permutation(8)
    ranges = inference.rank_ranges(table)
    assert inference.rank_ranges(table[order]) == [ranges[i] for i in order]


def test_a_clear_order_has_ranges_of_one_place() -> None:
    table = [[1.0] * 60, [1.0] * 30 + [0.0] * 30, [0.0] * 60]
    assert inference.rank_ranges(table) == [RankRange(1, 1), RankRange(2, 2), RankRange(3, 3)]


@pytest.mark.parametrize("attempts", [1, 3, 7])
def test_identical_rows_share_every_place(attempts: int) -> None:
    row = draw_runs(4, runs=1, tasks=50, attempts=attempts)[0]
    other = draw_runs(5, runs=1, tasks=50, attempts=attempts)[0]
    ranges = inference.rank_ranges([row, other, row, row])
    assert ranges[0] == ranges[2] == ranges[3]


@pytest.mark.parametrize("models", [1, 2, 5])
def test_equal_rows_may_all_be_the_best_and_the_last(models: int) -> None:
    found = inference.rank_ranges([[0.0, 1.0, 1.0]] * models)
    assert found == [RankRange(1, models)] * models


def test_one_task_tells_nothing_apart() -> None:
    assert inference.rank_ranges([[1.0], [0.0], [0.5]]) == [RankRange(1, 3)] * 3


def test_a_range_holds_the_rank_on_the_tasks_themselves(subtests: pytest.Subtests) -> None:
    for seed in range(20):
        with subtests.test(seed=seed):
            table = draw_runs(seed, runs=30, tasks=25, attempts=1 + seed % 3)
            ranks = competition_ranks([round(float(row.sum()), 9) for row in table])
            for rank, found in zip(ranks, inference.rank_ranges(table), strict=True):
                assert found.low <= rank <= found.high


def test_a_lead_is_beyond_chance_where_it_is_larger_than_needed() -> None:
    table = draw_runs(6, runs=12, tasks=60)
    needed = inference.needed_leads(table)
    leads = table.mean(axis=1)[:, None] - table.mean(axis=1)[None, :]
    ranges = inference.rank_ranges(table)
    assert [found.low for found in ranges] == (1 + (leads > needed).sum(axis=0)).tolist()


def test_thousands_of_runs_stay_within_their_memory() -> None:
    table = draw_runs(7, runs=1000, tasks=143)
    tracemalloc.start()
    try:
        ranges = inference.rank_ranges(table)
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak_bytes < 80e6  # some eight tables of runs × runs
    assert ranges[0].low > 500 > ranges[-1].high  # the weakest row is first in the table


def test_what_is_no_table_of_shares_is_refused(subtests: pytest.Subtests) -> None:
    wrong: list[tuple[list[list[float]], str]] = [
        ([[0.5, float("nan")]], "from 0 to 1"),
        ([[0.5, 1.2]], "from 0 to 1"),
        ([[-0.1, 1.0]], "from 0 to 1"),
        ([[]], "runs × tasks"),
        ([], "runs × tasks"),
    ]
    for table, word in wrong:
        with subtests.test(table=table, word=word), pytest.raises(ValueError, match=word):
            inference.rank_ranges(table)


# Two runs


def p_by_hand(a: Floats, b: Floats) -> float:
    return float(2 * scipy.stats.norm.sf(abs(z_by_hand(a, b))))


def test_p_is_that_of_the_paired_lead(subtests: pytest.Subtests) -> None:
    for only_a, only_b in [(0, 0), (1, 0), (0, 5), (6, 0), (9, 2), (7, 7), (40, 22), (300, 241)]:
        with subtests.test(only_a=only_a, only_b=only_b):
            a = np.array([1.0] * only_a + [0.0] * only_b + [1.0, 0.0])
            b = np.array([0.0] * only_a + [1.0] * only_b + [1.0, 0.0])
            found, back = inference.compare(a, b), inference.compare(b, a)
            assert found.p_value == back.p_value == pytest.approx(p_by_hand(a, b), rel=1e-6)


@pytest.mark.parametrize("attempts", [1, 3, 5])
def test_p_and_interval_say_the_same(attempts: int) -> None:
    """Whatever the numbers of attempts: p is below 0.05 where the interval leaves 0 out."""
    said = set()
    for seed in range(200):
        one = draw_runs(seed, runs=8, tasks=31, attempts=5)[seed % 8]
        other = draw_runs(seed + 500, runs=8, tasks=31, attempts=attempts)[(3 * seed) % 8]
        found = inference.compare(one, other, attempts=(5, attempts))
        leaves_out = not found.difference.low <= 0 <= found.difference.high
        assert leaves_out == (found.p_value < 0.05)
        assert leaves_out == (abs(found.z) > inference.critical_value(2))
        said.add(leaves_out)
    assert said == {True, False}


def test_the_paired_test_takes_thousands_of_tasks() -> None:
    a, b = [1.0] * 3000 + [0.0] * 2600, [0.0] * 3000 + [1.0] * 2600
    assert 0 < inference.compare(a, b).p_value < 1e-6


def test_unequal_attempts_find_no_more_than_chance(subtests: pytest.Subtests) -> None:
    """Where nearly everything passes, the rarer attempts make the differences lopsided."""
    for attempts in [(5, 1), (3, 1), (10, 1), (5, 5), (1, 1)]:
        for rate in [0.9, 0.97]:
            with subtests.test(attempts=attempts, rate=rate):
                generator, found = np.random.default_rng(4), 0
                for _ in range(1_500):
                    difficulty = generator.normal(0, 1.5, 31)
                    skill = np.log(rate / (1 - rate)) * 1.4
                    one, other = (
                        generator.binomial(k, 1 / (1 + np.exp(-(skill + difficulty)))) / k
                        for k in attempts
                    )
                    found += inference.compare(one, other, attempts=attempts).p_value < 0.05
                assert found / 1_500 < 0.065  # three deviations above 0.05


def test_a_true_null_is_rejected_no_more_often_than_promised() -> None:
    generator = np.random.default_rng(8)
    rejected = sum(
        inference.compare(*generator.integers(0, 2, (2, 60)).astype(float)).p_value < 0.05
        for _ in range(600)
    )
    # Binomial(600, 0.05) is above 55 about once in a million seeds.
    assert rejected <= 55


def test_identical_runs_do_not_differ() -> None:
    row = draw_runs(9, runs=1, tasks=30)[0]
    found = inference.compare(row, row)
    assert (found.p_value, found.better_a, found.better_b) == (1.0, 0, 0)
    assert found.difference.estimate == 0
    assert found.difference.low == -found.difference.high < 0  # equal here, not everywhere
    assert found.detectable is None


def test_a_comparison_names_both_sides() -> None:
    a = [1.0] * 30 + [0.0] * 10
    b = [1.0] * 18 + [0.0] * 12 + [1.0] * 2 + [0.0] * 8
    found = inference.compare(a, b)
    assert (found.tasks, found.better_a, found.better_b) == (40, 12, 2)
    assert found.p_value == pytest.approx(p_by_hand(np.array(a), np.array(b)))
    assert found.difference.estimate == pytest.approx(10 / 40)
    assert 0 < found.difference.low < 10 / 40 < found.difference.high < 0.5
    back = inference.compare(b, a)
    assert back.p_value == found.p_value
    assert back.difference.low == pytest.approx(-found.difference.high)


def test_the_interval_has_an_imaginary_task_for_each_side() -> None:
    a, b = draw_runs(10, runs=2, tasks=80)
    found = inference.compare(a, b).difference
    gaps = np.concatenate([a - b, [1.0, -1.0]])
    reach = scipy.stats.norm.ppf(0.975) * gaps.std() / sqrt(82)
    assert found.low == pytest.approx(gaps.mean() - reach, abs=1e-6)
    assert found.high == pytest.approx(gaps.mean() + reach, abs=1e-6)


def test_one_shared_task_says_nothing() -> None:
    found = inference.compare([1.0], [0.0])
    assert found.difference.low < -0.7
    assert (found.difference.estimate, found.difference.high) == (1.0, 1.0)
    assert found.p_value > 0.5
    assert found.detectable is None


@pytest.mark.parametrize(
    ("a", "b"), [([], []), ([1.0], [1.0, 0.0]), ([float("nan")], [1.0]), ([2.0], [1.0])]
)
def test_rows_that_cannot_be_compared_are_refused(a: list[float], b: list[float]) -> None:
    with pytest.raises(ValueError):
        inference.compare(a, b)


# Families


def test_a_family_of_tasks_is_one_unit() -> None:
    """Three copies of each task, named as families, tell no more than the task alone."""
    once = draw_runs(12, runs=8, tasks=40)
    thrice, families = np.repeat(once, 3, axis=1), [f"family {i // 3}" for i in range(120)]
    assert inference.independent_tasks(thrice[0] - thrice[4], families) == pytest.approx(40)
    kept = inference.compare(thrice[0], thrice[4], families).detectable
    assert kept == pytest.approx(inference.compare(once[0], once[4]).detectable)
    wide = inference.compare(thrice[0], thrice[4], families).difference
    narrow = inference.compare(thrice[0], thrice[4]).difference
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)


@pytest.mark.parametrize("order", [None, 1])
def test_families_are_named_in_any_order(order: int | None) -> None:
    table = draw_runs(13, runs=9, tasks=60)
    families = [i // 3 for i in range(60)]
    sums = table.reshape(9, 20, 3).sum(axis=2)
    limit = inference.critical_value(9) * scipy.stats.t.ppf(0.975, 19) / 1.959964
    expected = [1 + sum(z_by_hand(other, row) > limit for other in sums) for row in sums]
    places = range(60) if order is None else np.random.default_rng(order).permutation(60)
    shuffled = [families[i] for i in places]
    found = inference.rank_ranges(table[:, list(places)], shuffled)
    assert [one.low for one in found] == expected
    assert max(expected) > 1


def test_families_of_one_task_change_nothing() -> None:
    a, b = draw_runs(14, runs=2, tasks=50)
    assert inference.compare(a, b, list(range(50))) == inference.compare(a, b)
    assert inference.rank_ranges([a, b], list(range(50))) == inference.rank_ranges([a, b])


def test_families_for_other_tasks_are_refused() -> None:
    with pytest.raises(ValueError, match="2 families for 3 tasks"):
        inference.rank_ranges([[1.0, 0.0, 1.0]], ["a", "b"])


# What could be found


def test_the_detectable_difference_is_found_four_times_in_five(subtests: pytest.Subtests) -> None:
    """By the test that the page shows, on every table that could come out.

    More often where nearly all disagreements must go one way.
    """
    for tasks in [20, 31, 60, 143]:
        for share in [0.15, 0.2, 0.26, 0.35, 0.5]:
            with subtests.test(tasks=tasks, share=share):
                found = inference.minimum_detectable_difference(tasks, share)
                assert power_of(tasks, share, 0.0) <= 0.051
                if found is None:
                    assert power_of(tasks, share, share) < 0.87
                else:
                    most = 0.89 if found > 0.95 * share else 0.86
                    assert 0.775 <= power_of(tasks, share, found) <= most


@cache
def telling_splits(discordant: int, tasks: int) -> list[int]:
    """Numbers of wins of one run for which p < 0.05."""
    wins = np.arange(discordant + 1)
    leads = 2 * wins - discordant
    z = leads / np.sqrt(discordant + 2 - leads**2 / (tasks + 2))
    return [int(n) for n in wins[np.abs(z) > scipy.stats.norm.ppf(0.975)]]


def power_of(tasks: int, share: float, difference: float) -> float:
    """Chance of p < 0.05 where only one run solves `share` of the tasks, and one leads so far."""
    chance = 0.0
    for discordant in range(tasks + 1):
        found = telling_splits(discordant, tasks)
        split = scipy.stats.binom(discordant, (share + difference) / (2 * share))
        chance += scipy.stats.binom.pmf(discordant, tasks, share) * split.pmf(found).sum()
    return float(chance)


def test_more_tasks_find_smaller_differences() -> None:
    found = [inference.minimum_detectable_difference(n, 0.3) for n in (30, 60, 143, 500, 5000)]
    known = [difference for difference in found if difference is not None]
    assert len(known) == 5
    assert known == sorted(known, reverse=True)


@pytest.mark.parametrize(("tasks", "spread"), [(1, 0.5), (3, 1.0), (143, 0.0), (10, 0.1)])
def test_nothing_is_detectable_with_too_little(tasks: int, spread: float) -> None:
    assert inference.minimum_detectable_difference(tasks, spread) is None


@pytest.mark.parametrize("attempts", [1, 3])
@pytest.mark.parametrize("tasks", [31, 144])
def test_the_gap_foreseen_before_a_run_is_found_mostly(tasks: int, attempts: int) -> None:
    """Two models with chances drawn task by task, the better passing 80 % or 60 %."""
    gap = inference.foresee_difference(tasks, attempts)
    assert gap is not None
    random = np.random.default_rng(tasks + attempts)
    for passes in (0.8, 0.6):
        skills = [find_skill(passes), find_skill(passes - gap)]
        found = 0
        for _ in range(400):
            hardness = random.normal(0, 1.5, tasks)
            logits = [skill - hardness + random.normal(0, 1.2, tasks) for skill in skills]
            better, worse = (random.binomial(attempts, squash(one)) / attempts for one in logits)
            told = inference.compare(better, worse, attempts=(attempts, attempts))
            found += told.p_value < inference.ALPHA and told.z > 0
        assert 0.6 < found / 400 < 0.95


def squash(logits: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float64)


def find_skill(passes: float) -> float:
    """The logit of a model that passes so large a share of tasks like these."""
    spread = np.random.default_rng(1).normal(0, np.hypot(1.5, 1.2), 20_000)
    skills = np.linspace(-4, 4, 161)
    means = [float(squash(skill + spread).mean()) for skill in skills]
    return float(np.interp(passes, means, skills))


def test_among_more_models_a_larger_gap_is_needed() -> None:
    gaps = [inference.foresee_difference(144, 1, models) for models in (2, 12, 60)]
    assert gaps == sorted(gaps, key=lambda gap: gap or 0)
    assert len({*gaps}) == 3
    assert inference.foresee_difference(4, 1) is None
