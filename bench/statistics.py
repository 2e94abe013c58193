"""Boards and pairs with a known truth, and the shares of them that our formulas hold.

`python -m bench.statistics [--boards 1000]` prints the tables of `docs/method.md`, in minutes.
A board draws its tasks from a population: the logit of a model's chance at a task is its skill,
plus the task's difficulty (standard deviation 1.5, shared), plus model × task (1.2).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from leaderboard.scoring import inference

Floats = npt.NDArray[np.float64]

DIFFICULTY, TASTE = 1.5, 1.2  # standard deviations, in logits
SEED = 2407
ENDS = {"equal": (0.6, 0.6), "close": (0.58, 0.62), "apart": (0.55, 0.65), "spread": (0.2, 0.9)}
CERTAIN = 0.05


@dataclass(frozen=True)
class Setting:
    """A kind of board: how many models and tasks, how their skills lie, how often each plays."""

    models: int
    tasks: int
    shape: str  # "equal", "close" (58 to 62 %), "apart" (55 to 65 %), "spread" (20 to 90 %)
    attempts: str = "one"  # or "unequal": 1, 3, 1, 3 …

    @property
    def rates(self) -> Floats:
        return np.linspace(*ENDS[self.shape], self.models)

    def draw(self, generator: np.random.Generator) -> Floats:
        """Pass means of one board: models × tasks."""
        skills = np.array([skill_of(rate) for rate in self.rates.tolist()])
        difficulty = generator.normal(0, DIFFICULTY, self.tasks)
        taste = generator.normal(0, TASTE, (self.models, self.tasks))
        chances = 1 / (1 + np.exp(-(skills[:, None] + difficulty + taste)))
        attempts = np.where(np.arange(self.models) % 2, 3, 1)[:, None]
        tries = attempts if self.attempts == "unequal" else np.ones_like(attempts)
        return np.asarray(generator.binomial(tries, chances) / tries, dtype=np.float64)

    def __str__(self) -> str:
        return f"{self.models} models, {self.tasks} tasks, {self.shape}, {self.attempts}"


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
    Setting(models, tasks, shape, attempts)
    for models in (2, 10, 30, 60)
    for tasks in (31, 143)
    for shape in ("equal", "close", "spread")
    for attempts in ("one", "unequal")
)


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
        ranges = inference.rank_ranges(setting.draw(generator))
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


def weigh_pairs(tasks: int, attempts: str, pairs: int, seed: int = SEED) -> HeldPairs:
    """Pairs of equal models, and of models ten points apart."""
    generator = np.random.default_rng(seed)
    equal, apart = (Setting(2, tasks, shape, attempts) for shape in ("equal", "apart"))
    found = [inference.compare(*equal.draw(generator)) for _ in range(pairs)]
    other = [inference.compare(*apart.draw(generator)) for _ in range(pairs)]
    lead = float(apart.rates[0] - apart.rates[1])
    return HeldPairs(
        level=share(one.p_value < CERTAIN for one in found),
        interval=share(
            one.difference.low <= truth <= one.difference.high
            for compared, truth in ((found, 0.0), (other, lead))
            for one in compared
        ),
    )


def share(truths: Iterator[bool]) -> float:
    found = [*truths]
    return sum(found) / len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=1000)
    boards = parser.parse_args().boards
    print(f"{boards} boards each; shares\n")
    print(f"{'board':44} ranges  best  least  wrongly best  may be best")
    for setting in BOARDS:
        held = weigh_boards(setting, boards)
        print(
            f"{setting!s:44} {held.coverage:6.3f} {held.best:5.3f} {held.worst:6.3f}"
            f" {held.wrong_best:13.3f} {held.open_best:12.1f}"
        )
    print(f"\n{'pair':44}  level  interval")
    for tasks in (20, 31, 143):
        for attempts in ("one", "unequal"):
            pair = weigh_pairs(tasks, attempts, 4 * boards)
            print(f"{f'{tasks} tasks, {attempts}':44} {pair.level:6.3f} {pair.interval:9.3f}")


if __name__ == "__main__":
    main()
