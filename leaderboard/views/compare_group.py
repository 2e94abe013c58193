"""Three to six runs side by side: the matrix of their pairs, and the tasks that split them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from leaderboard.board.first_chart import FirstChart, draw_chosen
from leaderboard.board.rows import BoardRow
from leaderboard.models import Attempt, Run
from leaderboard.rendering.csv_response import answer_csv
from leaderboard.rendering.text import strip_invisible
from leaderboard.scoring.comparison import Share, say_p
from leaderboard.scoring.group_comparison import GroupGap, GroupResult, GroupTask, compare_group
from leaderboard.scoring.repeats import Estimate, record_repeats
from leaderboard.views.compared_runs import (
    Refusal,
    Side,
    charts_query_of,
    count_ranked_models,
    find_runs,
    list_compared,
    list_draws,
    load_rows,
    require_comparable,
    share_of,
)

MOST_RUNS = 6


@dataclass(frozen=True)
class MatrixCell:
    """The lead of the row's run over the column's."""

    gap: GroupGap
    query: str
    p_words: str


@dataclass(frozen=True)
class GroupView:
    """Several runs, their names, and the result."""

    rows: list[BoardRow]
    names: list[str]
    tasks: list[GroupTask]
    result: GroupResult | None

    @cached_property
    def sides(self) -> list[Side]:
        return [Side.of(row, name) for row, name in zip(self.rows, self.names, strict=True)]

    @property
    def first_chart(self) -> FirstChart | None:
        return draw_chosen(self.rows)

    @property
    def runs(self) -> list[Run]:
        return [side.run for side in self.sides]

    @property
    def query(self) -> str:
        return f"?runs={','.join(str(run.pk) for run in self.runs)}"

    @property
    def charts_query(self) -> str:
        return charts_query_of(self.runs)

    @property
    def split(self) -> list[GroupTask]:
        return [task for task in self.tasks if task.is_split]

    @property
    def draws(self) -> tuple[int, list[tuple[Side, Estimate, Estimate]]]:
        return list_draws(self.sides)

    @property
    def flipped(self) -> list[GroupTask]:
        """The tasks whose attempts disagree in one of the runs."""
        return [task for task in self.tasks if any(share.is_flipped for share in task.shares)]

    @property
    def sentence(self) -> str:
        if self.result is None:
            return "There is no task on which all of these runs have a verdict."
        pairs, found = len(self.result.gaps), self.result.different
        start = f"On {self.result.tasks} tasks, "
        if not found:
            return f"{start}none of the {pairs} pairs differs beyond chance."
        differ = "differs" if found == 1 else "differ"
        return f"{start}{found} of the {pairs} pairs {differ} beyond chance."

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
        return MatrixCell(gap, query, say_p(gap.p_value))


def load_group(request: HttpRequest, words: list[str]) -> GroupView:
    """Four queries, two more where an entry has several runs. Raises Refusal."""
    if len(words) > MOST_RUNS:
        raise Refusal(f"Up to six runs can be compared at a time; {len(words)} were named.")
    runs = find_runs(request, words)
    for other in runs[1:]:
        require_comparable(runs[0], other)
    names = [strip_invisible(run.entry.name) or "?" for run in runs]
    unique = [
        name if names.count(name) == 1 else f"{name} (run {run.pk})"
        for name, run in zip(names, runs, strict=True)
    ]
    tasks = load_tasks(runs)
    result = compare_group(tasks, len(runs), count_ranked_models(runs))
    return GroupView(load_rows(runs), unique, tasks, result)


def load_tasks(runs: list[Run]) -> list[GroupTask]:
    """The tasks that every run has, in the suite's order. Two queries."""
    compared = list_compared(runs)
    attempts = (
        Attempt.objects.filter(run__in=[pk for each in compared.values() for pk in each])
        .values_list("run_id", "task__key", "task__title", "category", "task__english", "passed")
        .order_by("task__position", "number")
    )
    passes: dict[tuple[int, str], list[bool | None]] = defaultdict(list)
    facts: dict[str, tuple[str, str, str]] = {}
    for run_id, key, title, category, english, passed in attempts:
        passes[run_id, key].append(passed)
        facts[key] = (title, category, english)

    def share(run: Run, key: str) -> Share:
        return share_of([passes[pk, key] for pk in compared[run.pk]], run, key)

    return [
        GroupTask(key, title, category, tuple(share(run, key) for run in runs), english)
        for key, (title, category, english) in facts.items()
        if all((run.pk, key) in passes for run in runs)
    ]


def show_group(request: HttpRequest, words: list[str]) -> HttpResponse:
    group = load_group(request, words)
    context = {"group": group, "suite": group.runs[0].suite}
    return render(request, "compare/group.html", context)


def answer_group_json(request: HttpRequest, words: list[str]) -> JsonResponse:
    group = load_group(request, words)
    suite = group.runs[0].suite
    runs: list[dict[str, Any]] = [
        {
            "run": side.run.pk,
            "entry": side.run.entry.name,
            "address": side.run.get_absolute_url(),
            "rate": side.rate,
            "rate_low": side.low if side.rate is not None else None,
            "rate_high": side.high if side.rate is not None else None,
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
            "is_beyond_chance": gap.is_difference,
        }
        for gap in (group.result.gaps.values() if group.result else ())
    ]
    return JsonResponse(
        {
            "suite": suite.reference,
            "tasks": group.result.tasks if group.result else 0,
            "runs": runs,
            "pairs": pairs,
            "disagree": [task.key for task in group.split],
        }
    )


def answer_group_csv(request: HttpRequest, words: list[str]) -> HttpResponse:
    """A row per task."""
    group = load_group(request, words)
    ids = [run.pk for run in group.runs]
    rows = (
        [task.key, task.category, *(share.share for share in task.shares)] for task in group.tasks
    )
    heading = ["task", "category", *(f"run_{pk}" for pk in ids)]
    return answer_csv(f"runs-{'-'.join(map(str, ids))}.csv", heading, rows)
