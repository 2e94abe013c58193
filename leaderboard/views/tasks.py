"""The tasks of a suite, and one task with every result on it."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header

from leaderboard.board_records import Record, guard_formulas
from leaderboard.health import index_of
from leaderboard.models import Attempt, Entry, Suite, Task, Verdict
from leaderboard.scoring import wilson
from leaderboard.search import Filter, count_tags_of, find
from runner.contract import Status

PAGE_ROWS = 100


@dataclass(frozen=True)
class SolveRate:
    """How often a task was solved, over the attempts that have a verdict."""

    solved: int
    decided: int

    @property
    def rate(self) -> float:
        return self.solved / self.decided if self.decided else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.rate, self.decided)


NEVER_TRIED = SolveRate(0, 0)


def newest_tasks(request: HttpRequest) -> HttpResponse:
    """Where the header leads when a page belongs to no suite."""
    newest = Suite.objects.order_by("is_recorded", "-pk").first()
    return redirect("tasks", newest.name) if newest else redirect("board")


@dataclass(frozen=True)
class TaskRow:
    """A task in the list: its category's place and title, and how often it was solved."""

    task: Task
    position: int
    category: str
    solved: SolveRate


SORTS = {"solved": "hardest first", "-solved": "easiest first", "position": "in the suite’s order"}


def task_list(request: HttpRequest, suite: str) -> HttpResponse:
    found = find_suite(suite, request.GET.get("version", ""))
    asked = request.GET.get("sort", "")
    sort = asked if asked in SORTS else "solved"
    version = found.version if request.GET.get("version") else ""
    kept = {"version": version, "sort": "" if sort == "solved" else sort}
    page = Paginator(sort_tasks(list_rows(found), sort), PAGE_ROWS)
    context = {
        "suite": found,
        "page": page.get_page(request.GET.get("page")),
        "sort": sort,
        "sorts": SORTS,
        "version": version,
        "kept": urlencode({key: value for key, value in kept.items() if value}),
    }
    return render(request, "tasks.html", context)


def task_list_json(request: HttpRequest, suite: str) -> JsonResponse:
    """The tasks for programs, in the suite's order."""
    found = find_suite(suite, request.GET.get("version", ""))
    facts = {"name": found.name, "version": found.version, "digest": found.digest}
    return JsonResponse({"suite": facts, "tasks": [record_task(row) for row in list_rows(found)]})


def task_list_csv(request: HttpRequest, suite: str) -> HttpResponse:
    """The same as a table."""
    found = find_suite(suite, request.GET.get("version", ""))
    records = [record_task(row) for row in list_rows(found)]
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    name = f"{found.name}-{found.version}-tasks.csv"
    response["Content-Disposition"] = content_disposition_header(True, name)
    writer = csv.DictWriter(response, fieldnames=list(records[0]) if records else ["task"])
    writer.writeheader()
    writer.writerows(guard_formulas(records))
    return response


def list_rows(suite: Suite) -> list[TaskRow]:
    """Every task of the suite in its order: two queries."""
    tasks = list(suite.tasks.defer("query", "note"))
    rates = count_solved([task.pk for task in tasks])
    titles = {c["key"]: (i, c["title"]) for i, c in enumerate(suite.categories, 1)}
    return [
        TaskRow(
            task, *titles.get(task.category, (0, task.category)), rates.get(task.pk, NEVER_TRIED)
        )
        for task in tasks
    ]


def sort_tasks(rows: list[TaskRow], sort: str) -> list[TaskRow]:
    """By solve rate, tasks that nobody tried last; ties in the suite's order."""
    if sort == "position":
        return rows
    tried = [row for row in rows if row.solved.decided]
    tried.sort(key=lambda row: row.solved.rate, reverse=sort == "-solved")
    return tried + [row for row in rows if not row.solved.decided]


def record_task(row: TaskRow) -> Record:
    return {
        "task": row.task.key,
        "position": row.task.position,
        "title": row.task.title,
        "category": row.task.category,
        "language": row.task.language,
        "strength": row.task.strength,
        "solved": row.solved.solved,
        "decided": row.solved.decided,
        "solve_rate": row.solved.rate if row.solved.decided else None,
    }


def task(request: HttpRequest, suite: str, key: str) -> HttpResponse:
    found_suite = find_suite(suite, request.GET.get("version", ""))
    found = find_task(found_suite, key)
    attempts = results_of(found)
    page = Paginator(attempts, PAGE_ROWS).get_page(request.GET.get("page"))
    position, title = category_of(found)
    scope = Filter(task=found.key, suite=f"{found_suite.name}@{found_suite.version}")
    context = {
        "suite": found_suite,
        "tag_counts": count_tags_of(find(scope, request.user)),
        "tag_scope": scope.query(),
        "task": found,
        "category": title,
        "category_position": position,
        "solve_rate": count_solved([found.pk]).get(found.pk, NEVER_TRIED),
        "paper": count_paper(found) if index_of(found.key) else NEVER_TRIED,
        "page": page,
    }
    return render(request, "task.html", context)


def count_paper(task: Task) -> SolveRate:
    """How often the task's published test passed, over public runs that were put to it."""
    told = Verdict.objects.filter(kind="paper", attempt__task=task, attempt__run__is_public=True)
    counts = told.aggregate(decided=Count("pk"), solved=Count("pk", Q(passed=True)))
    return SolveRate(counts["solved"], counts["decided"])


def find_suite(name: str, version: str) -> Suite:
    suites = Suite.objects.filter(name=name).order_by("-pk")
    suite = (suites.filter(version=version) if version else suites).first()
    if suite is None:
        raise Http404(f"There is no suite “{name}”.")
    return suite


def find_task(suite: Suite, key: str) -> Task:
    try:
        found = suite.tasks.get(key=key)
    except Task.DoesNotExist as error:
        raise Http404(f"Suite {suite.name} has no task “{key}”.") from error
    found.suite = suite
    return found


def category_of(task: Task) -> tuple[int, str]:
    for position, category in enumerate(task.suite.categories, 1):
        if category["key"] == task.category:
            return position, category["title"]
    return 0, task.category


def results_of(task: Task) -> QuerySet[Attempt]:
    """Every visible attempt at the task: models before scripted baselines, newest run first."""
    attempts: QuerySet[Attempt] = (
        task.attempts.filter(run__is_public=True)
        .select_related("run__entry", "task")
        .defer("opening", "closing")
        .alias(is_scripted=Q(run__entry__provenance=Entry.Provenance.SCRIPTED))
        .order_by("is_scripted", "-run_id", "number")
    )
    return attempts


def count_solved(task_ids: list[int]) -> dict[int, SolveRate]:
    """By task, over models only: a scripted baseline says nothing about how hard a task is."""
    decided = Attempt.objects.filter(
        task__in=task_ids, run__is_public=True, status=Status.DONE, passed__isnull=False
    ).exclude(run__entry__provenance=Entry.Provenance.SCRIPTED)
    counts = (
        decided.values_list("task_id")
        .annotate(decided=Count("pk"), solved=Count("pk", Q(passed=True)))
        .order_by()
    )
    return {task_id: SolveRate(solved, decided) for task_id, decided, solved in counts}
