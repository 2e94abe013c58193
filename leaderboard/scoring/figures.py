"""Scores of a run from its attempts: pure, so that page, API, export and recompute agree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from leaderboard.scoring.usage import TokenParts, UsageSums
from runner.run_figures import Figures, Interval, interval_of_sums

OVERALL = ""  # the category under which a run's own figures stand


@dataclass(frozen=True)
class Scored:
    """Facts about one attempt that scoring needs."""

    task_id: int
    category: str
    passed: bool | None  # None: open or void
    is_void: bool
    turns: int
    prompt_tokens: int | None
    completion_tokens: int | None
    model_s: float
    cell_s: float
    wall_s: float
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None

    @property
    def token_parts(self) -> TokenParts:
        return TokenParts(
            self.prompt_tokens, self.completion_tokens, self.cached_tokens, self.reasoning_tokens
        )

    @property
    def is_decided(self) -> bool:
        return self.passed is not None


@dataclass
class Counts:
    """Whole numbers that figures are made of: one more verdict changes them in constant time.

    Times are in microseconds, so that sums do not depend on their order.
    """

    tasks: int = 0
    attempts: int = 0
    failed: int = 0
    void: int = 0
    passed: dict[int, int] = field(default_factory=dict)  # by how many attempts their task has
    squares: dict[int, int] = field(default_factory=dict)  # sums of each task's passes, squared
    turns: int = 0  # of attempts with a verdict; a failed one counts max_turns
    turns_solved: int = 0
    talked: int = 0  # attempts with a verdict and a reply
    prompt_known: int = 0  # of those, the ones whose endpoint counted tokens
    prompt_tokens: int = 0
    completion_known: int = 0
    completion_tokens: int = 0
    model_us: int = 0
    cell_us: int = 0
    wall_us: int = 0
    usage: UsageSums = field(default_factory=UsageSums)  # has a column of its own

    def add(self, attempt: Scored, of_task: int, max_turns: int, before: int = 0) -> None:
        """Count how an attempt ended, whose task has `of_task` attempts; nothing if it is open.

        `before` attempts at this task that passed were counted already.
        """
        self.void += attempt.is_void
        if not attempt.is_decided:
            return
        if attempt.passed:
            self.passed[of_task] = self.passed.get(of_task, 0) + 1
            self.squares[of_task] = self.squares.get(of_task, 0) + 2 * before + 1
            self.turns_solved += attempt.turns
        else:
            self.failed += 1
        self.turns += attempt.turns if attempt.passed else max_turns
        if attempt.turns:
            self.talked += 1
            self.prompt_known += attempt.prompt_tokens is not None
            self.prompt_tokens += attempt.prompt_tokens or 0
            self.completion_known += attempt.completion_tokens is not None
            self.completion_tokens += attempt.completion_tokens or 0
            self.usage.add(attempt.token_parts, is_solved=attempt.passed is True)
        self.model_us += round(attempt.model_s * 1e6)
        self.cell_us += round(attempt.cell_s * 1e6)
        self.wall_us += round(attempt.wall_s * 1e6)

    @property
    def solved(self) -> int:
        return sum(self.passed.values())

    @property
    def shares(self) -> float:
        """The sum over tasks of the share of each task's attempts that passed."""
        return sum(passed / of_task for of_task, passed in sorted(self.passed.items()))

    @property
    def interval(self) -> Interval:
        squares = (found / of_task**2 for of_task, found in sorted(self.squares.items()))
        return interval_of_sums(self.shares, sum(squares), self.tasks, self.attempts)

    def figures(self) -> Figures:
        solved = self.solved
        decided = solved + self.failed
        low, high = self.interval
        return Figures(
            tasks=self.tasks,
            attempts=self.attempts,
            passed=solved,
            failed=self.failed,
            void=self.void,
            open=self.attempts - decided - self.void,
            rate=self.shares / self.tasks if self.tasks else 0.0,
            low=low,
            high=high,
            turns=self.turns / decided if decided else None,
            turns_solved=self.turns_solved / solved if solved else None,
            prompt_tokens=self.total(self.prompt_tokens, self.prompt_known),
            completion_tokens=self.total(self.completion_tokens, self.completion_known),
            model_s=self.model_us / 1e6,
            cell_s=self.cell_us / 1e6,
            wall_s=self.wall_us / 1e6,
        )

    def total(self, tokens: int, known: int) -> int | None:
        """The sum; None when there is nothing to add or one of them is unknown."""
        return tokens if known and known == self.talked else None

    def as_json(self) -> dict[str, Any]:
        stored = asdict(self)
        del stored["usage"]
        return stored

    @classmethod
    def of_json(cls, stored: Mapping[str, Any], usage: UsageSums | None = None) -> Counts:
        # Rows from before squares were counted have one attempt per task: there they are the same.
        squares = stored.get("squares", stored["passed"])
        by_attempts = {
            name: {int(of_task): count for of_task, count in counts.items()}
            for name, counts in (("passed", stored["passed"]), ("squares", squares))
        }
        return cls(**{**stored, **by_attempts}, usage=usage or UsageSums())


def summarise(attempts: Iterable[Scored], max_turns: int) -> dict[str, Figures]:
    """Figures by category, and over all of them under OVERALL.

    The denominator is every task that has an attempt row: an open or void attempt counts as not
    passed, and makes the figures incomplete.
    """
    counted = count(attempts, max_turns)
    return {category: counts.figures() for category, counts in counted.items()}


def count(attempts: Iterable[Scored], max_turns: int) -> dict[str, Counts]:
    """Count the attempts behind the figures, by category and under OVERALL."""
    groups: dict[str, list[Scored]] = defaultdict(list)
    for attempt in attempts:
        groups[OVERALL].append(attempt)
        groups[attempt.category].append(attempt)
    return {category: count_group(group, max_turns) for category, group in groups.items()}


def count_group(attempts: Sequence[Scored], max_turns: int) -> Counts:
    of_task = Counter(attempt.task_id for attempt in attempts)
    counts = Counts(tasks=len(of_task), attempts=len(attempts))
    passed: Counter[int] = Counter()
    for attempt in attempts:
        task = attempt.task_id
        counts.add(attempt, of_task[task], max_turns, passed[task])
        passed[task] += attempt.passed is True
    return counts


def figures(attempts: Sequence[Scored], max_turns: int) -> Figures:
    return count_group(attempts, max_turns).figures()
