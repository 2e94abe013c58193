"""Three to six runs side by side: the matrix of their pairs, and the tasks that split them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from leaderboard.rendering.numbers import show_points
from leaderboard.scoring.comparison import ComparedTask, count_tasks, say_p
from leaderboard.scoring.group_comparison import GroupGap, GroupResult, compare_group
from leaderboard.scoring.repeats import record_repeats
from leaderboard.views.compared_runs import Compared, Refusal, Side
from runner.run_figures import LEAST_TASKS

MOST_RUNS = 6


@dataclass(frozen=True)
class MatrixCell:
    """The lead of the row's run over the column's."""

    gap: GroupGap
    lead: str  # in points, of few tasks in tasks
    query: str
    p_words: str  # "" of few tasks


class GroupView(Compared):
    """Several runs, and the result."""

    @cached_property
    def result(self) -> GroupResult | None:
        return compare_group(self.tasks, len(self.rows), self.models)

    @property
    def split(self) -> list[ComparedTask]:
        return [task for task in self.tasks if task.is_split]

    @property
    def sentence(self) -> str:
        if self.result is None:
            return "There is no task on which all of these runs have a verdict."
        pairs, found = len(self.result.gaps), self.result.different
        start = f"On {count_tasks(self.result.tasks)}, "
        if self.result.is_small:
            return f"{start}fewer than {LEAST_TASKS}: too few to tell the runs apart."
        if not found:
            return f"{start}none of the {pairs} pairs differs beyond chance."
        differ = "differs" if found == 1 else "differ"
        return (
            f"{start}{found} of the {pairs} pairs {differ} beyond chance by the rule of the board, "
            "which compares one run with all the others."
        )

    @property
    def matrix(self) -> list[tuple[Side, list[MatrixCell | None]]]:
        """A row for each run but the last: its lead over each later one."""
        gaps = self.result.gaps if self.result else {}
        places = range(len(self.sides))
        return [
            (self.sides[a], [self.cell(gaps[a, b]) if (a, b) in gaps else None for b in places[1:]])
            for a in places[:-1]
        ]

    def cell(self, gap: GroupGap) -> MatrixCell:
        query = f"?runs={self.runs[gap.a].pk},{self.runs[gap.b].pk}"
        lead = show_points(gap.difference)
        if self.result and self.result.is_small:
            lead = show_lead(gap.difference * self.result.tasks)
        return MatrixCell(gap, lead, query, "" if gap.p_value is None else say_p(gap.p_value))


def show_lead(tasks: float) -> str:
    """As in "+2", "−0.5"."""
    lead = round(tasks, 1)
    return f"{lead:+g}".replace("-", "−") if lead else "0"


def load_group(request: HttpRequest, words: list[str]) -> GroupView:
    """Raises Refusal."""
    if len(words) > MOST_RUNS:
        raise Refusal(f"Up to six runs can be compared at a time; {len(words)} were named.")
    return GroupView.load(request, words)


def show_group(request: HttpRequest, words: list[str]) -> HttpResponse:
    group = load_group(request, words)
    context = {"group": group, "suite": group.suite}
    return render(request, "compare/group.html", context)


def answer_group_json(request: HttpRequest, words: list[str]) -> JsonResponse:
    group = load_group(request, words)
    runs: list[dict[str, Any]] = [
        {
            "run": side.run.pk,
            "entry": side.run.entry.name,
            "address": side.run.get_absolute_url(),
            "rate": side.rate,
            "rate_low": side.low,
            "rate_high": side.high,
            "attempts_per_task": side.run.attempts_per_task,
            "runs_counted": side.runs,
            **record_repeats(side.repeats),
        }
        for side in group.sides
    ]
    pairs = [
        {
            "a": group.runs[gap.a].pk,
            "b": group.runs[gap.b].pk,
            "difference": gap.difference,
            "difference_low": gap.low,
            "difference_high": gap.high,
            "p_value": gap.p_value,
            "is_beyond_chance": None if gap.p_value is None else gap.is_difference,
        }
        for gap in (group.result.gaps.values() if group.result else ())
    ]
    return JsonResponse(
        {
            "suite": group.suite.reference,
            "tasks": group.result.tasks if group.result else 0,
            "runs": runs,
            "pairs": pairs,
            "disagree": [task.key for task in group.split],
        }
    )


def answer_group_csv(request: HttpRequest, words: list[str]) -> HttpResponse:
    return load_group(request, words).answer_csv()
