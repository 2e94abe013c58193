"""Several attempts per task: pass@k, pass^k, the spread between them, and the tasks that flip."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, sqrt

from runner.run_figures import pass_interval


@dataclass(frozen=True)
class Estimate:
    """A share of 1 with its 95 % interval over the tasks, None of few tasks."""

    rate: float
    low: float | None
    high: float | None

    @classmethod
    def of(cls, per_task: Sequence[float], draws: float) -> Estimate:
        """The mean over tasks with so many separate draws in all, with the interval of a rate."""
        return cls(sum(per_task) / len(per_task), *pass_interval(per_task, draws))


@dataclass(frozen=True)
class Repeats:
    """A run with k attempts per task, each with a verdict."""

    k: int
    tasks: int
    always: int  # tasks that every attempt passed
    sometimes: int  # tasks that flip: passed by some attempts
    at_k: tuple[Estimate, ...]  # pass@1, pass@2 … pass@k
    hat_k: tuple[Estimate, ...]  # pass^1, pass^2 … pass^k
    spread: float  # standard deviation of the rate from one attempt at each task to another

    @property
    def never(self) -> int:
        return self.tasks - self.always - self.sometimes

    @property
    def pass_at_k(self) -> Estimate:
        return self.at_k[-1]

    @property
    def pass_hat_k(self) -> Estimate:
        return self.hat_k[-1]

    @property
    def draws(self) -> list[tuple[int, Estimate, Estimate]]:
        """A row for each number of draws: the number, pass@ and pass^ it."""
        return [(i, *both) for i, both in enumerate(zip(self.at_k, self.hat_k, strict=True), 1)]


def pass_at_k(n: int, c: int, k: int) -> float:
    """Chance that one of k attempts drawn from n, of which c passed, passes; k is at most n.

    M. Chen et al., arXiv 2107.03374, equation 1.
    """
    return 1 - comb(n - c, k) / comb(n, k)


def pass_hat_k(n: int, c: int, k: int) -> float:
    """Chance that all k attempts drawn from n, of which c passed, pass; k is at most n.

    S. Yao et al., arXiv 2406.12045, section 4.
    """
    return comb(c, k) / comb(n, k)


def measure_repeats(solved: Sequence[int], k: int) -> Repeats | None:
    """The figures of a run: per task how many of its k attempts passed. None with one attempt
    per task."""
    tasks = len(solved)
    if k < 2 or not tasks:
        return None

    def draw(chance: Callable[[int, int, int], float]) -> tuple[Estimate, ...]:
        draws = range(1, k + 1)
        chances = ((drawn, [chance(k, c, drawn) for c in solved]) for drawn in draws)
        return tuple(Estimate.of(per_task, k * tasks / drawn) for drawn, per_task in chances)

    return Repeats(
        k=k,
        tasks=tasks,
        always=solved.count(k),
        sometimes=sum(0 < c < k for c in solved),
        at_k=draw(pass_at_k),
        hat_k=draw(pass_hat_k),
        spread=sqrt(sum(c * (k - c) / (k * (k - 1)) for c in solved)) / tasks,
    )


def record_repeats(found: Repeats | None) -> dict[str, float | int | None]:
    """The figures for programs, in shares of 1; all None without repeats."""
    at, hat = (found.pass_at_k, found.pass_hat_k) if found else (None, None)
    return {
        "pass_at_k": at.rate if at else None,
        "pass_at_k_low": at.low if at else None,
        "pass_at_k_high": at.high if at else None,
        "pass_hat_k": hat.rate if hat else None,
        "pass_hat_k_low": hat.low if hat else None,
        "pass_hat_k_high": hat.high if hat else None,
        "spread_between_attempts": found.spread if found else None,
        "tasks_flipped": found.sometimes if found else None,
    }


def say_repeats(found: Repeats) -> str:
    """The finding in a sentence."""
    tasks = "1 task" if found.tasks == 1 else f"{found.tasks} tasks"
    return (
        f"Of {tasks}, {found.always} passed in all {found.k} attempts, "
        f"{found.sometimes} in some and {found.never} in none."
    )
