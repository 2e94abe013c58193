"""The figures of an evaluation, per category and overall, and their table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from runner.pybench_jsonl import OURS
from runner.run_figures import LEAST_TASKS, Figures, interval_of_sums
from runner.suite.reader import Suite

Titled = tuple[str, Figures]  # of a category, or of all

HEADINGS = (
    "category",
    "tasks",
    "passed",
    "rate",
    "95 % interval",
    "steps",
    "tokens",
    "did not count",
)


def summarise(
    suite: Suite,
    tasks: Sequence[str],
    attempts_per_task: int,
    rows: Sequence[Mapping[str, Any]],
    max_turns: int,
) -> list[Titled]:
    """Figures by category in the suite's order, the last over all of them."""
    of_task = {key: suite.task(key).spec.category for key in tasks}
    ours = [row[OURS] for row in rows if row[OURS]["task"] in of_task]
    figures: list[Titled] = []
    for category in suite.categories:
        keys = [key for key in tasks if of_task[key] == category.key]
        if keys:
            mine = [row for row in ours if row["task"] in keys]
            figures.append((category.title, figures_of(keys, attempts_per_task, mine, max_turns)))
    return [*figures, ("all", figures_of(tasks, attempts_per_task, ours, max_turns))]


def figures_of(
    tasks: Sequence[str],
    attempts_per_task: int,
    rows: Sequence[Mapping[str, Any]],
    max_turns: int,
) -> Figures:
    decided = [row for row in rows if row["passed"] is not None]
    passed = [row for row in decided if row["passed"]]
    attempts = len(tasks) * attempts_per_task
    of_task = Counter(row["task"] for row in passed)
    shares = [passes / attempts_per_task for passes in of_task.values()]
    squares = sum(share * share for share in shares)
    low, high = interval_of_sums(sum(shares), squares, len(tasks), attempts)
    return Figures(
        tasks=len(tasks),
        attempts=attempts,
        passed=len(passed),
        failed=len(decided) - len(passed),
        void=len(rows) - len(decided),
        open=attempts - len(rows),
        rate=len(passed) / attempts if attempts else 0.0,
        low=low,
        high=high,
        turns=mean([row["turns"] if row["passed"] else max_turns for row in decided]),
        turns_solved=mean([row["turns"] for row in passed]),
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


def as_json(figures: Sequence[Titled]) -> list[dict[str, Any]]:
    """The figures for programs; the rate of a category of few tasks is None, its counts say all."""
    rows = [{"category": title, **asdict(f), "is_complete": f.is_complete} for title, f in figures]
    few = [row for row in rows[:-1] if row["tasks"] < LEAST_TASKS]
    for row in few:
        row["rate"] = None
    return rows


def table(figures: Sequence[Titled]) -> str:
    """The figures in columns for a terminal."""
    rows = [HEADINGS, *(cells(title, f) for title, f in figures)]
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


def cells(title: str, f: Figures) -> tuple[str, ...]:
    """A rate once every attempt has a verdict, and steps of those that passed, as on the board."""
    tokens = [f.prompt_tokens, f.completion_tokens]
    has_rate = f.is_complete and f.low is not None
    return (
        title,
        str(f.tasks),
        f"{f.passed}/{f.attempts}",
        f"{f.rate:.0%}" if has_rate else "–",
        f"{f.low:.0%}–{f.high:.0%}" if has_rate else "–",
        "–" if f.turns_solved is None else f"{f.turns_solved:.1f}",
        " + ".join("unknown" if count is None else f"{count:,}" for count in tokens),
        f"{f.void}" if not f.open else f"{f.void} ({f.open} not played)",
    )
