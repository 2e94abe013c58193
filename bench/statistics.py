"""Boards and pairs with a known truth, and the shares of them that our formulas hold.

`python -m bench.statistics [--boards 1000]` prints the tables of `docs/method.md`, in minutes.
A board draws its tasks from a population: the logit of a model's chance at a task is its skill,
plus the task's difficulty (standard deviation 1.5, shared), plus model × task (1.2). Where tasks
are in families of three, most of the last is the model's at the family (1.0 of 1.2).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice

import numpy as np
import numpy.typing as npt

from leaderboard.scoring import inference
from leaderboard.scoring.repeats import measure_repeats
from runner.run_figures import pass_interval

Floats = npt.NDArray[np.float64]

DIFFICULTY, TASTE, FAMILY = 1.5, 1.2, 1.0  # standard deviations, in logits; the last is of TASTE
FAMILY_SIZE = 3
SEED = 2407
ENDS = {"equal": (0.6, 0.6), "close": (0.58, 0.62), "apart": (0.55, 0.65), "spread": (0.2, 0.9)}
ENDS |= {f"{rate:.0%}": (rate, rate) for rate in (0.6, 0.9, 0.97)}
ATTEMPTS = {"one": (1,), "unequal": (1, 3), "three": (3,), "five": (5,)}
CERTAIN = 0.05


@dataclass(frozen=True)
class Setting:
    """A kind of board: how many models and tasks, how their skills lie, how often each plays."""

    models: int
    tasks: int
    shape: str  # "equal", "close" (58 to 62 %), "apart" (55 to 65 %), "spread" (20 to 90 %)
    attempts: str = "one"  # a key of ATTEMPTS; "unequal" is 1, 3, 1, 3 …
    is_grouped: bool = False  # in families of three
    ends: tuple[float, float] | None = None  # pass rates of the first and the last, beside "shape"

    @property
    def rates(self) -> Floats:
        return np.linspace(*(self.ends or ENDS[self.shape]), self.models)

    @property
    def families(self) -> list[int] | None:
        return [task // FAMILY_SIZE for task in range(self.tasks)] if self.is_grouped else None

    @property
    def tries(self) -> list[int]:
        """Attempts of each model at a task."""
        return [*islice(cycle(ATTEMPTS[self.attempts]), self.models)]

    def draw(self, generator: np.random.Generator) -> Floats:
        """Pass means of one board: models × tasks."""
        tries = np.array(self.tries)[:, None]
        passed = generator.binomial(tries, self.draw_chances(generator))
        return np.asarray(passed / tries, dtype=np.float64)

    def draw_chances(self, generator: np.random.Generator) -> Floats:
        """Chances of passing: models × tasks."""
        skills = np.array([skill_of(rate) for rate in self.rates.tolist()])
        difficulty = generator.normal(0, DIFFICULTY, self.tasks)
        taste = generator.normal(0, TASTE, (self.models, self.tasks))
        if self.families:
            of_family = generator.normal(0, FAMILY, (self.models, self.families[-1] + 1))
            taste = taste * np.sqrt(1 - (FAMILY / TASTE) ** 2) + of_family[:, self.families]
        return np.asarray(1 / (1 + np.exp(-(skills[:, None] + difficulty + taste))))

    def __str__(self) -> str:
        models = "a model" if self.models == 1 else f"{self.models} models"
        grouped = "families of three" if self.is_grouped else ""
        parts = (models, f"{self.tasks} tasks", self.shape, self.attempts, grouped)
        return ", ".join(part for part in parts if part)


@cache
def skill_of(rate: float) -> float:
    """The skill of a model that passes this share of the population's tasks."""
    noise = np.random.default_rng(SEED).normal(0, np.hypot(DIFFICULTY, TASTE), 200_000)
    low, high = -10.0, 10.0
    for _ in range(40):
        middle = (low + high) / 2
        is_below = float(np.mean(1 / (1 + np.exp(-(middle + noise))))) < rate
        low, high = (middle, high) if is_below else (low, middle)
    return low


BOARDS = tuple(
    Setting(models, tasks, shape, attempts, is_grouped)
    for models in (2, 10, 30, 60)
    for tasks, is_grouped in ((31, False), (143, False), (144, True))
    for shape in ("equal", "close", "spread")
    for attempts in ("one", "unequal")
)
UNITS = ((20, False), (31, False), (143, False), (144, True))  # tasks, and whether in families


@dataclass(frozen=True)
class Held:
    """Shares of a setting's boards that held the truth."""

    coverage: float  # of the models' rank ranges, on average
    best: float  # of the truly best model's
    worst: float  # of the model that is held least often
    wrong_best: float  # boards that call a model the best that is not
    open_best: float  # models that may be the best, on average


def weigh_boards(setting: Setting, boards: int, seed: int = SEED) -> Held:
    generator = np.random.default_rng(seed)
    rates = setting.rates
    low_rank = 1 + (rates[None, :] > rates[:, None]).sum(axis=1)
    held = np.zeros(setting.models)
    wrong = open_best = 0
    for _ in range(boards):
        ranges = inference.rank_ranges(setting.draw(generator), setting.families, setting.tries)
        low = np.array([found.low for found in ranges])
        high = np.array([found.high for found in ranges])
        held += (low <= low_rank) & (low_rank <= high)
        first = np.flatnonzero(low == 1)
        open_best += len(first)
        is_called = len(first) == 1 and setting.models > 1
        is_true = low_rank[first[0]] == 1 and (low_rank == 1).sum() == 1
        wrong += is_called and not is_true
    shares = held / boards
    return Held(
        coverage=float(shares.mean()),
        best=float(shares[rates.argmax()]),
        worst=float(shares.min()),
        wrong_best=wrong / boards,
        open_best=open_best / boards,
    )


@dataclass(frozen=True)
class HeldPairs:
    """Shares of pairs whose test and interval held the truth."""

    level: float  # equal models called different
    interval: float  # intervals that hold the true difference, of equal models and of others


def weigh_pairs(
    tasks: int, attempts: str, pairs: int, seed: int = SEED, is_grouped: bool = False
) -> HeldPairs:
    """Pairs of equal models, and of models ten points apart."""
    generator = np.random.default_rng(seed)
    equal, apart = (Setting(2, tasks, shape, attempts, is_grouped) for shape in ("equal", "apart"))
    found, other = (
        [compare_drawn(setting, generator) for _ in range(pairs)] for setting in (equal, apart)
    )
    lead = float(apart.rates[0] - apart.rates[1])
    return HeldPairs(
        level=share(one.p_value < CERTAIN for one in found),
        interval=share(
            one.difference.low <= truth <= one.difference.high
            for compared, truth in ((found, 0.0), (other, lead))
            for one in compared
        ),
    )


def weigh_power(
    tasks: int, attempts: str, rate: float, pairs: int, seed: int = SEED, is_grouped: bool = False
) -> tuple[float, float]:
    """The gap that pairs of such a gap print as detectable, and the share of them it is found in.

    The better of the two passes `rate` of the population's tasks. The printed gap is the median;
    it is looked for in five rounds, each with pairs as far apart as the one before printed.
    """
    generator = np.random.default_rng(seed)
    gap, found = 0.2, []
    for _ in range(5):
        ends = (rate, round(rate - gap, 3))
        setting = Setting(2, tasks, "", attempts, is_grouped, ends)
        found = [compare_drawn(setting, generator) for _ in range(pairs)]
        last, gap = gap, float(np.median([one.detectable or 1 for one in found]))
    return last, share(one.p_value < CERTAIN for one in found)


def compare_drawn(setting: Setting, generator: np.random.Generator) -> inference.Comparison:
    one, other = setting.draw(generator)
    return inference.compare(one, other, setting.families, setting.tries)


@dataclass(frozen=True)
class HeldRates:
    """Intervals of rates: the share that hold the population's rate, and their width in points."""

    coverage: float
    width: float


def weigh_rates(
    tasks: int, attempts: str, rate: float, runs: int, seed: int = SEED, is_grouped: bool = False
) -> HeldRates:
    """Runs of one model that passes `rate` of the population's tasks."""
    generator = np.random.default_rng(seed)
    setting = Setting(1, tasks, f"{rate:.0%}", attempts, is_grouped)
    [tries] = ATTEMPTS[attempts]
    found = []
    for _ in range(runs):
        shares = setting.draw(generator)[0].tolist()
        low, high = pass_interval(shares, tries * tasks, setting.families)
        if low is not None and high is not None:
            found.append((low, high))
    return HeldRates(
        coverage=share(low <= rate <= high for low, high in found),
        width=100 * float(np.mean([high - low for low, high in found])),
    )


def weigh_draws(tasks: int, rate: float, runs: int, seed: int = SEED) -> HeldRates:
    """pass@3 of runs of one model with three attempts at each task."""
    generator = np.random.default_rng(seed)
    setting = Setting(1, tasks, f"{rate:.0%}", "three")
    many = Setting(1, 200_000, setting.shape).draw_chances(generator)
    truth = float(np.mean(1 - (1 - many) ** 3))
    found = []
    for _ in range(runs):
        solved = (3 * setting.draw(generator)[0]).round().astype(int).tolist()
        repeats = measure_repeats(solved, 3)
        if repeats and repeats.pass_at_k.low is not None and repeats.pass_at_k.high is not None:
            found.append((repeats.pass_at_k.low, repeats.pass_at_k.high))
    return HeldRates(
        coverage=share(low <= truth <= high for low, high in found),
        width=100 * float(np.mean([high - low for low, high in found])),
    )


def share(truths: Iterator[bool]) -> float:
    found = [*truths]
    return sum(found) / len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=1000)
    boards = parser.parse_args().boards
    print(f"{boards} boards each; shares\n")
    print(f"{'board':58} ranges  best  least  wrongly best  may be best")
    for setting in BOARDS:
        held = weigh_boards(setting, boards)
        print(
            f"{setting!s:58} {held.coverage:6.3f} {held.best:5.3f} {held.worst:6.3f}"
            f" {held.wrong_best:13.3f} {held.open_best:12.1f}"
        )
    print(f"\n{'pair':58}  level  interval")
    for tasks, is_grouped in UNITS:
        for attempts in ("one", "three", "unequal"):
            pair = weigh_pairs(tasks, attempts, 4 * boards, is_grouped=is_grouped)
            name = Setting(2, tasks, "", attempts, is_grouped)
            print(f"{name!s:58} {pair.level:6.3f} {pair.interval:9.3f}")
    print(f"\n{'pair whose better model passes':58} rate  gap  found")
    for tasks, is_grouped in UNITS[1:]:
        for attempts in ("one", "three", "five", "unequal"):
            for rate in (0.6, 0.8, 0.9):
                gap, power = weigh_power(tasks, attempts, rate, boards, is_grouped=is_grouped)
                name = Setting(2, tasks, "", attempts, is_grouped)
                print(f"{name!s:58} {rate:4.0%} {100 * gap:4.1f} {power:6.3f}")
    print(f"\n{'rate':58} interval  width")
    for tasks, is_grouped in UNITS[1:]:
        for rate in (0.6, 0.9, 0.97):
            for attempts in ("one", "three", "five"):
                held_rate = weigh_rates(tasks, attempts, rate, 4 * boards, is_grouped=is_grouped)
                rated = Setting(1, tasks, f"{rate:.0%}", attempts, is_grouped)
                print(f"{rated!s:58} {held_rate.coverage:8.3f} {held_rate.width:6.1f}")
            if not is_grouped:
                drawn = weigh_draws(tasks, rate, 4 * boards)
                print(f"{'pass@3 of three':58} {drawn.coverage:8.3f} {drawn.width:6.1f}")


if __name__ == "__main__":
    main()
