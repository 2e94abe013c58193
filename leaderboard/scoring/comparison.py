"""Two runs on the tasks both have: pass shares in, tests, differences and lists out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from leaderboard.rendering.numbers import count_passed
from leaderboard.rendering.text import isolate
from runner.run_figures import LEAST_TASKS

if TYPE_CHECKING:
    from leaderboard.scoring.inference import Comparison

CERTAIN = 0.05  # a p-value below it is called a difference


@dataclass(frozen=True)
class Share:
    """One run on one task: the share of its attempts that passed, and where the first is shown."""

    share: float | None  # None: an attempt has no verdict
    url: str = ""
    passes: tuple[bool, ...] = ()  # of the first attempt, the second …; () without a verdict

    @property
    def is_flipped(self) -> bool:
        """True if some of the attempts passed and others did not."""
        return self.share is not None and 0 < self.share < 1

    @property
    def states(self) -> list[str]:
        """The word for each attempt's glyph."""
        return ["passed" if passed else "failed" for passed in self.passes]

    @property
    def state(self) -> str:
        """The word for its glyph."""
        if self.share is None:
            return "void"
        return "passed" if self.share == 1 else "failed" if self.share == 0 else "partial"

    @property
    def words(self) -> str:
        if self.share is None:
            return "no verdict"
        count = f"{sum(self.passes)} of {len(self.passes)} passed"
        return self.state if self.state != "partial" else count


@dataclass(frozen=True)
class ComparedTask:
    """One task, and each run's share of it in the order of the runs."""

    key: str
    title: str
    category: str
    shares: tuple[Share, ...]
    english: str = ""  # title, if its own is foreign

    @property
    def a(self) -> Share:
        return self.shares[0]

    @property
    def b(self) -> Share:
        return self.shares[1]

    @property
    def is_judged(self) -> bool:
        return all(share.share is not None for share in self.shares)

    @property
    def is_split(self) -> bool:
        """True if the runs do not all pass it equally often."""
        return self.is_judged and len({share.share for share in self.shares}) > 1

    @property
    def gap(self) -> float:
        """Lead of a over b, from -1 to 1."""
        return (self.a.share or 0.0) - (self.b.share or 0.0)


@dataclass(frozen=True)
class CategoryGap:
    """Both runs on one category, and the difference with its 95 % interval, in shares."""

    position: int
    key: str
    title: str
    tasks: int
    rate_a: float
    rate_b: float
    difference: float
    low: float | None  # None of few tasks
    high: float | None

    @property
    def is_small(self) -> bool:
        return self.tasks < LEAST_TASKS

    @property
    def counts(self) -> tuple[str, str]:
        """Tasks that each run passed, in words."""
        return count_passed(self.rate_a, self.tasks), count_passed(self.rate_b, self.tasks)


@dataclass(frozen=True)
class Result:
    """Comparison shown on the compare page."""

    rate_a: float
    rate_b: float
    tests: Comparison
    categories: list[CategoryGap]
    better_a: list[ComparedTask]
    better_b: list[ComparedTask]
    both_failed: list[ComparedTask]
    both_same: int  # tasks on which both passed equally often, at least once
    left_out: list[ComparedTask]  # without a verdict in one of the runs
    is_once: bool  # one attempt per task in both: each share is 0 or 1
    models: int = 0  # ranked on the board, if both are

    @property
    def record(self) -> tuple[int, int, int]:
        """Tasks on which a does better than b, equally well, worse: win, tie, lose."""
        win, lose = len(self.better_a), len(self.better_b)
        return win, self.tests.tasks - win - lose, lose

    @property
    def is_small(self) -> bool:
        """True if there are too few tasks to say anything of chance."""
        return self.tests.tasks < LEAST_TASKS

    @property
    def has_small(self) -> bool:
        """True if some but not all of it is of too few tasks: the page says so of categories."""
        return not self.is_small and any(gap.is_small for gap in self.categories)

    @property
    def has_several_intervals(self) -> bool:
        """True if categories beside each other have one: some leaves 0 out by chance more often."""
        return sum(not gap.is_small for gap in self.categories) > 1

    @property
    def is_difference(self) -> bool:
        """True if chance is an unlikely reason, for two that were chosen beforehand."""
        return not self.is_small and self.tests.p_value < CERTAIN

    @property
    def is_beyond_board(self) -> bool:
        """True if the board has one above the other: beyond chance for one of them against each of
        its models. The largest of all gaps between any two can still be chance."""
        if self.is_small or self.models < 2:
            return False
        return abs(self.tests.z) > critical_value(self.models)


def compare_pairs(
    pairs: Sequence[ComparedTask], categories: Sequence[Mapping[str, str]], models: int = 0
) -> Result | None:
    """The comparison over the tasks that both runs have a verdict on; None without such a task.

    `models` is how many are ranked on their board, if both are.
    """
    judged = [pair for pair in pairs if pair.is_judged]
    if not judged:
        return None
    a, b = shares_of(judged)
    attempts = count_attempts(judged)
    return Result(
        rate_a=sum(a) / len(a),
        rate_b=sum(b) / len(b),
        tests=weigh_shares(a, b, attempts),
        categories=compare_categories(judged, categories, attempts),
        better_a=[pair for pair in judged if pair.gap > 0],
        better_b=[pair for pair in judged if pair.gap < 0],
        both_failed=[pair for pair in judged if not pair.a.share and not pair.b.share],
        both_same=sum(pair.gap == 0 and bool(pair.a.share) for pair in judged),
        left_out=[pair for pair in pairs if not pair.is_judged],
        is_once=all(share in (0.0, 1.0) for share in (*a, *b)),
        models=models,
    )


def shares_of(judged: Sequence[ComparedTask]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return (
        tuple(pair.a.share or 0.0 for pair in judged),
        tuple(pair.b.share or 0.0 for pair in judged),
    )


def count_attempts(judged: Sequence[ComparedTask]) -> tuple[float, ...]:
    """Attempts of each run at a task, in the mean."""
    columns = zip(*(task.shares for task in judged), strict=True)
    return tuple(sum(len(share.passes) for share in each) / len(judged) for each in columns)


@lru_cache(maxsize=512)  # verdicts are sealed: the same two runs give the same figures
def weigh_shares(
    a: tuple[float, ...], b: tuple[float, ...], attempts: tuple[float, ...]
) -> Comparison:
    from leaderboard.scoring import inference  # numpy: only when two runs are compared

    return inference.compare(a, b, attempts=attempts)


def critical_value(models: int) -> float:
    from leaderboard.scoring import inference

    return inference.critical_value(models)


def compare_categories(
    judged: Sequence[ComparedTask],
    categories: Sequence[Mapping[str, str]],
    attempts: tuple[float, ...],
) -> list[CategoryGap]:
    """One row for each category that has a task, in the suite's order."""
    gaps = []
    for position, category in enumerate(categories, 1):
        members = [pair for pair in judged if pair.category == category["key"]]
        if not members:
            continue
        a, b = shares_of(members)
        difference = weigh_shares(a, b, attempts).difference
        is_small = len(members) < LEAST_TASKS
        gaps.append(
            CategoryGap(
                position,
                category["key"],
                category["title"],
                len(members),
                sum(a) / len(a),
                sum(b) / len(b),
                difference.estimate,
                None if is_small else difference.low,
                None if is_small else difference.high,
            )
        )
    return gaps


def record_gap(gap: CategoryGap) -> dict[str, Any]:
    """A category for programs: how many tasks passed; rates and difference from enough tasks on."""
    found = asdict(gap)
    if gap.is_small:
        found |= dict.fromkeys(("rate_a", "rate_b", "difference"))
    passed = {"passed_a": gap.rate_a * gap.tasks, "passed_b": gap.rate_b * gap.tasks}
    return found | {name: round(value, 3) for name, value in passed.items()}


def say_result(result: Result, name_a: str, name_b: str) -> str:
    """The finding in a sentence."""
    a, b = len(result.better_a), len(result.better_b)
    name_a, name_b = isolate(name_a), isolate(name_b)
    if not a and not b:
        return f"{name_a} and {name_b} did equally well on every task."
    did = "alone passed" if result.is_once else "did better on"
    counts = f"{name_a} {did} {count_tasks(a)}, {name_b} {did} {count_tasks(b)}"
    return f"{counts}: {say_verdict(result)}."


def say_verdict(result: Result) -> str:
    """As in "this is unlikely to be chance (p = 0.004) if you chose these two beforehand; picked
    out of 60 models, it could still be chance"."""
    if result.is_small:
        return f"fewer than {LEAST_TASKS} tasks are too few to tell if this is chance"
    p = say_p(result.tests.p_value)
    if not result.is_difference:
        return f"this could be chance ({p})"
    unlikely = f"this is unlikely to be chance ({p})"
    if result.is_beyond_board:
        others = result.models - 1
        return (
            unlikely if others == 1 else f"{unlikely}, also for one model against {others} others"
        )
    beforehand = f"{unlikely} if you chose these two beforehand"
    if result.models < 3:
        return beforehand
    return f"{beforehand}; picked out of {result.models} models, it could still be chance"


def count_tasks(count: int) -> str:
    return f"{count} task" if count == 1 else f"{count} tasks"


def say_p(p_value: float) -> str:
    """As in "p < 0.001", "p = 0.031", "p = 0.42"."""
    if p_value < 0.001:
        return "p < 0.001"
    return f"p = {p_value:.3f}" if p_value < 0.1 else f"p = {p_value:.2f}"


def record_result(result: Result) -> dict[str, Any]:
    """The comparison for programs: shares of 1, tasks by key."""
    tests, is_told = result.tests, not result.is_small
    is_beyond = result.is_beyond_board if result.models and is_told else None
    return {
        "tasks": tests.tasks,
        "rate_a": result.rate_a,
        "rate_b": result.rate_b,
        "difference": tests.difference.estimate,
        "difference_low": tests.difference.low if is_told else None,
        "difference_high": tests.difference.high if is_told else None,
        "win_tie_lose": list(result.record),
        "p_value": tests.p_value if is_told else None,
        "ranked_models": result.models or None,
        "is_beyond_chance_among_ranked": is_beyond,
        "minimum_detectable_difference": tests.detectable,
        "categories": [record_gap(gap) for gap in result.categories],
        "better_a": [pair.key for pair in result.better_a],
        "better_b": [pair.key for pair in result.better_b],
        "both_failed": [pair.key for pair in result.both_failed],
        "without_verdict": [pair.key for pair in result.left_out],
    }
