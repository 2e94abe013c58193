"""Certainty of an order of runs: paired comparisons over the tasks that the runs share.

The unit is the task, never the step. A run is a row of *pass means*: per task the share of its
attempts that passed, so 0 or 1 with one attempt per task. All rows name the same tasks in the
same order. Where tasks belong together, `families` names the family of each: the unit is then the
family, with the sum over its tasks, and Student's t takes the place of the normal quantile. Where
runs have several attempts at each task, `attempts` is how many each of them has. The interval of a
run's rate is `runner.run_figures.pass_interval`, which numpy is not needed for.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from runner.run_figures import LEAST_TASKS, Z_95, student_t

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Means = Sequence[float] | Floats  # one run: a pass mean per task
MeansTable = Sequence[Sequence[float]] | Floats  # runs × tasks
Families = Sequence[Hashable] | None  # of each task; None: each task is its own
Attempts = Sequence[float] | None  # of each run at a task; None: one

ALPHA = 0.05
POWER = 0.8
# Before a run, as two middling models are: on a third of the tasks one of them passes and the
# other fails, and seven tenths of that changes from attempt to attempt.
USUAL_SPREAD, USUAL_CHANGE = 1 / 3, 0.7
NORMAL = NormalDist()


@dataclass(frozen=True)
class Units:
    """Runs as sums over independent units: tasks, or families of tasks."""

    sums: Floats  # runs × units
    tasks: int
    imaginary: Floats  # weight of each run in its imaginary tasks: 1 / attempts
    widening: float  # of critical values: Student's t where families group tasks, else 1


@dataclass(frozen=True)
class RankRange:
    """The ranks of a run that chance leaves open (95 %); the rank it has is always among them."""

    low: int
    high: int


@dataclass(frozen=True)
class Difference:
    """A mean difference of two runs over the same tasks, in shares, with its 95 % interval."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """Two runs on the tasks both have."""

    tasks: int
    better_a: int  # tasks on which a did better; with one attempt each, those only a solved
    better_b: int
    p_value: float  # two-sided, of z: below 0.05 where the interval leaves 0 out
    difference: Difference  # a minus b
    z: float  # of the lead of a; a board of so many models compares it with `critical_value`
    detectable: float | None  # smallest true difference found with 80 % power; None: none is


def rank_ranges(
    means: MeansTable, families: Families = None, attempts: Attempts = None
) -> list[RankRange]:
    """Per run the ranks that are left when each lead that is beyond chance counts, no other.

    One run is above another if z of its lead is beyond `critical_value`. So many runs are above a
    run at least, and so many below. Holds with 95 % for each model, whatever the number of models.
    """
    units = group_tasks(means, families, attempts)
    z = lead_scores(units)
    is_above = z > critical_value(len(z)) * units.widening
    low = 1 + is_above.sum(axis=0)
    high = len(z) - is_above.sum(axis=1)
    return [RankRange(int(one), int(two)) for one, two in zip(low, high, strict=True)]


def needed_leads(means: MeansTable, families: Families = None, attempts: Attempts = None) -> Floats:
    """Runs × runs: the lead, in shares, from which on one of the two is above the other."""
    units = group_tasks(means, families, attempts)
    critical = critical_value(len(units.sums)) * units.widening
    reach = critical * np.sqrt(lead_variances(units))
    return np.asarray(reach / units.tasks, dtype=np.float64)


def group_tasks(means: MeansTable, families: Families = None, attempts: Attempts = None) -> Units:
    """The table's runs over independent units. Raises ValueError as `read_means`."""
    table = read_means(means)
    runs, tasks = table.shape
    imaginary = np.ones(runs) if attempts is None else 1 / np.asarray(attempts, dtype=np.float64)
    place_of = find_places(families, tasks)
    if place_of is None:
        return Units(table, tasks, imaginary, 1.0)
    sums: Floats = np.stack([np.bincount(place_of, weights=row).astype(float) for row in table])
    is_grouped = sums.shape[1] < tasks
    widening = student_t(sums.shape[1] - 1) / Z_95 if is_grouped else 1.0
    return Units(sums, tasks, imaginary, widening)


def find_places(families: Families, tasks: int) -> Integers | None:
    """Each task's family as a number from 0; None where each task is its own."""
    if families is None:
        return None
    if len(families) != tasks:
        raise ValueError(f"{len(families)} families for {tasks} tasks: each task has one")
    numbers = {family: place for place, family in enumerate(dict.fromkeys(families))}
    return np.array([numbers[family] for family in families], dtype=np.int64)


def lead_scores(units: Units) -> Floats:
    """Runs × runs: the paired z of each run's lead over each other."""
    totals = units.sums.sum(axis=1)
    leads = totals[:, None] - totals[None, :]
    return np.asarray(leads / np.sqrt(lead_variances(units)), dtype=np.float64)


def lead_variances(units: Units) -> Floats:
    """Runs × runs: the variance of the lead in tasks, with one imaginary task won by each side.

    A. Agresti, Y. Min, Statist. Med. 24 (2005), 729-740; D. G. Bonett, R. M. Price, J. Educ.
    Behav. Statist. 37 (2012), 479-488. A product of matrices in place of each pair's differences.
    The two imaginary tasks weigh 1/k + 1/l together where the runs have k and l attempts at a
    task, as the variance of a difference within a task does: 2 as in these papers with one each.
    """
    sums = units.sums
    totals, products = sums.sum(axis=1), sums @ sums.T
    squares = np.diag(products) + units.imaginary
    leads = totals[:, None] - totals[None, :]
    apart = squares[:, None] + squares[None, :] - 2 * products
    return np.asarray(apart - leads**2 / (sums.shape[1] + 2), dtype=np.float64)


@cache
def critical_value(models: int) -> float:
    """The z that in 95 % of boards of equal models no lead over a given one of them exceeds.

    C. W. Dunnett, J. Amer. Statist. Assoc. 50 (1955), 1096-1121, two-sided, correlation 1/2:
    1.96 for 2 models, 2.69 for 10, 3.17 for 60, 3.77 for 1,000.
    """
    points = np.linspace(-6, 6, 241)
    weights = np.exp(-(points**2) / 2)
    weights /= weights.sum()
    low, high = 0.0, 10.0
    for _ in range(50):
        middle = (low + high) / 2
        edge = sqrt(2) * middle
        inside = [NORMAL.cdf(x + edge) - NORMAL.cdf(x - edge) for x in points.tolist()]
        held = float(weights @ np.array(inside) ** (models - 1))
        low, high = (middle, high) if held < 1 - ALPHA else (low, middle)
    return high


def paired_difference(units: Units) -> Difference:
    """The mean of the first of two runs minus that of the second, with its 95 % interval.

    It leaves 0 out where `rank_ranges` of these two runs alone would tell them apart.
    """
    one, two = units.sums
    lead, tasks = float((one - two).sum()), units.tasks
    deviation = sqrt(float(lead_variances(units)[0, 1]))
    reach = critical_value(2) * units.widening * deviation
    low, high = (lead - reach) / (tasks + 2), (lead + reach) / (tasks + 2)
    return Difference(lead / tasks, max(-1.0, low), min(1.0, high))


def minimum_detectable_difference(
    tasks: float,
    spread: float,
    reach: float | None = None,
    critical: float = Z_95,
    imaginary: float = 2.0,
) -> float | None:
    """The smallest true difference whose z is beyond `critical` with a chance of 80 %, or None.

    `spread` is the mean squared and `reach` the mean absolute difference per task; with one
    attempt each both are the share of tasks that only one run solved. A difference cannot exceed
    `reach`. The lead over so many tasks is taken as normal, as R. J. Connor does (Biometrics 43,
    1987, 207-211), and its z has `imaginary` tasks as in `lead_variances`. Of tasks in families
    `tasks` is the number of independent ones that tell as much (`independent_tasks`).
    """

    def is_found(difference: float) -> bool:
        lead = tasks * difference
        deviation = sqrt(max(0.0, tasks * spread - lead * difference))
        needed = critical * sqrt(tasks * spread + imaginary - lead**2 / (tasks + 2))
        return lead - NORMAL.inv_cdf(POWER) * deviation >= needed

    low, high = 0.0, spread if reach is None else reach
    if tasks < LEAST_TASKS or not is_found(high):
        return None
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if is_found(middle) else (middle, high)
    return high


def foresee_difference(tasks: int, attempts: int, models: int = 2) -> float | None:
    """The true difference, in shares, that is found with 80 % power before anything was played.

    Of two models chosen beforehand, or of `models` that are all compared with each other, with so
    many attempts at each task. None where too few tasks find none.
    """
    spread = USUAL_SPREAD * (1 - USUAL_CHANGE * (1 - 1 / attempts))
    critical = critical_value(models)
    return minimum_detectable_difference(tasks, spread, USUAL_SPREAD, critical, 2 / attempts)


def independent_tasks(gaps: Floats, families: Families = None) -> float:
    """Number of independent tasks that tell as much of a difference, by its sums per family.

    `gaps` are the differences per task; their number without families, and at most that.
    """
    tasks, place_of = len(gaps), find_places(families, len(gaps))
    if place_of is None:
        return tasks
    sums = np.bincount(place_of, weights=gaps)
    apart, together = float((gaps**2).sum()), float((sums**2).sum())
    return tasks if together <= apart else tasks * apart / together


def compare(a: Means, b: Means, families: Families = None, attempts: Attempts = None) -> Comparison:
    """Everything the compare page says about two runs. Raises ValueError without a shared task."""
    one, two = read_pair(a, b)
    gaps = one - two
    units = group_tasks(np.stack([one, two]), families, attempts)
    z = float(lead_scores(units)[0, 1]) / units.widening
    return Comparison(
        tasks=len(one),
        better_a=int((one > two).sum()),
        better_b=int((two > one).sum()),
        p_value=2 * NORMAL.cdf(-abs(z)),
        difference=paired_difference(units),
        z=z,
        detectable=minimum_detectable_difference(
            independent_tasks(gaps, families),
            float(np.mean(gaps**2)),
            float(np.mean(np.abs(gaps))),
            imaginary=float(units.imaginary.sum()),
        ),
    )


def read_pair(a: Means, b: Means) -> tuple[Floats, Floats]:
    """Both rows as arrays. Raises ValueError when they are no rows over the same tasks."""
    if len(a) != len(b):
        raise ValueError(f"{len(a)} and {len(b)} tasks: two runs share their tasks")
    table = read_means([list(a), list(b)])
    return table[0], table[1]


def read_means(means: MeansTable) -> Floats:
    """The table as an array. Raises ValueError when a value is no share of 1 or no task is."""
    table = np.asarray(means, dtype=np.float64)
    if table.ndim != 2 or not table.size:
        raise ValueError("a table of runs × tasks is needed, with a task and a run at least")
    if not ((table >= 0) & (table <= 1)).all():
        raise ValueError("a pass mean is a number from 0 to 1, and every task has one")
    return table
