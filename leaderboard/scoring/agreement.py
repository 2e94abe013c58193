"""Agreement of two raters, and a pass rate corrected for the errors of the one that gave it.

Raters are a judge and the strict check, or a judge and people. Runs share their tasks, so that
intervals are found by leaving out one task at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt

from runner.run_figures import Z_95, wilson

Counts2 = Sequence[Sequence[int]]  # rater A's answers as rows, rater B's as columns
TINY = 1e-12
PLUS = 2  # successes and failures added, in pairs, to the counts of sensitivity and specificity


@dataclass(frozen=True)
class IntervalEstimate:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float
    least: float = field(default=0.0, repr=False, compare=False)  # that the figure can be


@dataclass(frozen=True)
class Confusion:
    """Attempts by a judge's verdict and the truth that it is measured against."""

    true_pass: int = 0
    false_pass: int = 0  # the judge passes what fails
    false_fail: int = 0  # the judge fails what passes
    true_fail: int = 0
    by_task: tuple[Confusion, ...] = field(default=(), repr=False, compare=False)

    def __add__(self, other: Confusion) -> Confusion:
        return Confusion(
            self.true_pass + other.true_pass,
            self.false_pass + other.false_pass,
            self.false_fail + other.false_fail,
            self.true_fail + other.true_fail,
        )

    def __sub__(self, other: Confusion) -> Confusion:
        return Confusion(
            self.true_pass - other.true_pass,
            self.false_pass - other.false_pass,
            self.false_fail - other.false_fail,
            self.true_fail - other.true_fail,
        )

    def over_tasks(
        self, figure: Callable[[Confusion], IntervalEstimate | None]
    ) -> IntervalEstimate | None:
        """A figure with the interval that leaving out each task in turn gives (the jackknife).

        The interval of `figure` itself where fewer than two tasks are known, or where no task
        moves it. B. Efron, C. Stein, Ann. Statist. 9 (1981), 586-596.
        """
        whole = figure(self)
        without = [figure(self - task) for task in self.by_task]
        values = [found.value for found in without if found]
        if whole is None or len(values) < 2 or max(values) - min(values) < TINY:
            return whole
        mean, count = sum(values) / len(values), len(values)
        spread = (count - 1) / count * sum((value - mean) ** 2 for value in values)
        half = Z_95 * sqrt(spread)
        return IntervalEstimate(
            whole.value, max(whole.least, whole.value - half), min(1.0, whole.value + half)
        )

    @property
    def count(self) -> int:
        return self.true_pass + self.false_pass + self.false_fail + self.true_fail

    @property
    def agreement(self) -> IntervalEstimate | None:
        """The share of attempts on which both say the same; None without one."""
        return self.over_tasks(lambda one: share(one.true_pass + one.true_fail, one.count))

    @property
    def sensitivity(self) -> IntervalEstimate | None:
        """The share of what passes that the judge passes."""
        return self.over_tasks(lambda one: share(one.true_pass, one.true_pass + one.false_fail))

    @property
    def specificity(self) -> IntervalEstimate | None:
        """The share of what fails that the judge fails."""
        return self.over_tasks(lambda one: share(one.true_fail, one.true_fail + one.false_pass))

    @property
    def kappa(self) -> IntervalEstimate | None:
        return self.over_tasks(
            lambda one: cohen_kappa(
                [[one.true_pass, one.false_pass], [one.false_fail, one.true_fail]]
            )
        )


def share(part: int, whole: int) -> IntervalEstimate | None:
    """A share with Wilson's interval; None of nothing."""
    if not whole:
        return None
    return IntervalEstimate(part / whole, *wilson(part / whole, whole))


def cohen_kappa(counts: Counts2) -> IntervalEstimate | None:
    """Cohen's kappa with its large-sample interval; None where chance alone agrees always.

    Where one rater never varies, or both always agree, the interval's formula gives no width:
    then the interval is the whole of kappa's range.

    J. Cohen, Educ. Psychol. Meas. 20 (1960), 37-46; standard error of J. L. Fleiss, J. Cohen and
    B. S. Everitt, Psychol. Bull. 72 (1969), 323-327.
    """
    total = sum(map(sum, counts))
    if not total:
        return None
    shares = [[cell / total for cell in row] for row in counts]
    rows = [sum(row) for row in shares]
    columns = [sum(column) for column in zip(*shares, strict=True)]
    size = range(len(rows))
    same = sum(shares[i][i] for i in size)
    chance = sum(rows[i] * columns[i] for i in size)
    if chance >= 1:
        return None
    kappa = (same - chance) / (1 - chance)
    on = sum(shares[i][i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in size)
    off = (1 - kappa) ** 2 * sum(
        shares[i][j] * (columns[i] + rows[j]) ** 2 for i in size for j in size if i != j
    )
    spread = max(0.0, on + off - (kappa - chance * (1 - kappa)) ** 2)
    half = Z_95 * sqrt(spread / total) / (1 - chance) if spread > TINY else 2.0
    return IntervalEstimate(kappa, max(-1.0, kappa - half), min(1.0, kappa + half), -1.0)


def correct_rate(
    passed: int, judged: int, right_passes: int, passes: int, right_fails: int, fails: int
) -> IntervalEstimate | None:
    """The pass rate behind a judge's, given how it did on attempts with a known truth.

    `passed` of `judged` attempts have the judge's pass; of `passes` that people pass it passes
    `right_passes`, of `fails` that they fail it fails `right_fails`. None where a count is 0, or
    where the judge does no better than chance.

    W. J. Rogan and B. Gladen, Am. J. Epidemiol. 107 (1978), 71-76; interval of Z. Lang and
    J. Reiczigel, Prev. Vet. Med. 113 (2014), 13-22, which counts the errors of all three rates.
    So few labels that its adjusted counts show no better than chance say nothing: the interval is
    the whole range. It is widened to the rate where it lies beside it, as it can at a border.
    """
    if not (judged and passes and fails):
        return None
    sensitivity, specificity = right_passes / passes, right_fails / fails
    if sensitivity + specificity <= 1:
        return None
    value = (passed / judged + specificity - 1) / (sensitivity + specificity - 1)
    z2 = Z_95 * Z_95
    rate, size = (passed + z2 / 2) / (judged + z2), judged + z2
    sens, of_sens = (right_passes + PLUS / 2) / (passes + PLUS), passes + PLUS
    spec, of_spec = (right_fails + PLUS / 2) / (fails + PLUS), fails + PLUS
    gain = sens + spec - 1
    if gain < TINY:
        return IntervalEstimate(clamp(value), 0.0, 1.0)
    centre = (rate + spec - 1) / gain
    error_sens, error_spec = sens * (1 - sens) / of_sens, spec * (1 - spec) / of_spec
    shift = 2 * z2 * (centre * error_sens - (1 - centre) * error_spec)
    spread = rate * (1 - rate) / size + centre**2 * error_sens + (1 - centre) ** 2 * error_spec
    half = Z_95 * sqrt(spread) / gain
    value, low, high = map(clamp, (value, centre + shift - half, centre + shift + half))
    return IntervalEstimate(value, min(low, value), max(high, value))


def clamp(value: float) -> float:
    return min(1.0, max(0.0, value))
