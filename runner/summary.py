"""The figures of an evaluation, per category and overall, and their table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from runner.pybench_jsonl import OURS
from runner.suites import Suite

Z_95 = 1.959963984540054  # the 97.5th percentile of the standard normal distribution
HEADINGS = ("category", "tasks", "passed", "rate", "95 % interval", "turns", "tokens", "void")


@dataclass(frozen=True)
class Figures:
    """Figures over some tasks; a void or open attempt counts as not passed, and is said apart."""

    category: str
    tasks: int  # the denominator
    attempts: int
    passed: int
    failed: int
    void: int
    open: int
    rate: float  # mean over tasks of the share of attempts that passed
    low: float  # Wilson 95 %
    high: float
    turns: float | None  # mean; a failed attempt counts the turn limit
    prompt_tokens: int | None
    completion_tokens: int | None
    model_s: float
    cell_s: float
    wall_s: float

    @property
    def is_complete(self) -> bool:
        return self.void == 0 and self.open == 0


def wilson(rate: float, n: int) -> tuple[float, float]:
    """Wilson's 95 % score interval of a share `rate` of `n` (JASA 22, 1927); (0, 1) when n is 0."""
    if n == 0:
        return 0.0, 1.0
    z2 = Z_95 * Z_95
    centre = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 * sqrt(rate * (1 - rate) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    low = 0.0 if rate <= 0 else max(0.0, centre - half)
    high = 1.0 if rate >= 1 else min(1.0, centre + half)
    return low, high


def summarise(
    suite: Suite,
    tasks: Sequence[str],
    attempts_per_task: int,
    rows: Sequence[Mapping[str, Any]],
    max_turns: int,
) -> list[Figures]:
    """Figures by category in the suite's order, the last over all of them."""
    of_task = {key: suite.task(key).spec.category for key in tasks}
    ours = [row[OURS] for row in rows if row[OURS]["task"] in of_task]
    figures = []
    for category in suite.categories:
        keys = [key for key in tasks if of_task[key] == category.key]
        if keys:
            mine = [row for row in ours if row["task"] in keys]
            figures.append(figures_of(category.title, keys, attempts_per_task, mine, max_turns))
    return [*figures, figures_of("all", tasks, attempts_per_task, ours, max_turns)]


def figures_of(
    category: str,
    tasks: Sequence[str],
    attempts_per_task: int,
    rows: Sequence[Mapping[str, Any]],
    max_turns: int,
) -> Figures:
    decided = [row for row in rows if row["passed"] is not None]
    passed = [row for row in decided if row["passed"]]
    attempts = len(tasks) * attempts_per_task
    rate = len(passed) / attempts if attempts else 0.0
    low, high = wilson(rate, len(tasks))
    return Figures(
        category=category,
        tasks=len(tasks),
        attempts=attempts,
        passed=len(passed),
        failed=len(decided) - len(passed),
        void=len(rows) - len(decided),
        open=attempts - len(rows),
        rate=rate,
        low=low,
        high=high,
        turns=mean([row["turns"] if row["passed"] else max_turns for row in decided]),
        prompt_tokens=total(decided, "prompt_tokens"),
        completion_tokens=total(decided, "completion_tokens"),
        model_s=sum(row["model_s"] for row in decided),
        cell_s=sum(row["cell_s"] for row in decided),
        wall_s=sum(row["wall_s"] for row in decided),
    )


def mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def total(rows: Sequence[Mapping[str, Any]], count: str) -> int | None:
    """The sum of a token count; None when one of them is unknown."""
    counts = [row["usage"][count] for row in rows]
    return sum(counts) if counts and None not in counts else None


def as_json(figures: Sequence[Figures]) -> list[dict[str, Any]]:
    return [{**asdict(f), "is_complete": f.is_complete} for f in figures]


def table(figures: Sequence[Figures]) -> str:
    """The figures in columns for a terminal."""
    rows = [HEADINGS, *(cells(f) for f in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = ["  ".join(align(row, widths)).rstrip() for row in rows]
    rule = "  ".join("─" * width for width in widths)
    return "\n".join([lines[0], rule, *lines[1:-1], rule, lines[-1]])


def align(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Words to the left, figures to the right."""
    return [
        row[0].ljust(widths[0]),
        *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)),
    ]


def cells(f: Figures) -> tuple[str, ...]:
    tokens = [f.prompt_tokens, f.completion_tokens]
    return (
        f.category,
        str(f.tasks),
        f"{f.passed}/{f.attempts}",
        f"{f.rate:.0%}",
        f"{f.low:.0%}–{f.high:.0%}",
        "–" if f.turns is None else f"{f.turns:.1f}",
        " + ".join("unknown" if count is None else f"{count:,}" for count in tokens),
        f"{f.void}" if not f.open else f"{f.void} ({f.open} open)",
    )
