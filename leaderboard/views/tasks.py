"""The tasks of a suite, and one task with every result on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import overload
from urllib.parse import urlencode

from csp.decorators import csp_update
from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render

from leaderboard.board.queries import choose_suite, list_suites
from leaderboard.board.records import Record
from leaderboard.models import NOT_MODELS, Artifact, Attempt, Suite, Task, Verdict
from leaderboard.rendering.budget import page_budget
from leaderboard.rendering.csv_response import answer_csv
from leaderboard.replay.files import FileCard, Gallery, show_artifact
from leaderboard.search.filters import NOT_PASSED, Filter, name_tags
from leaderboard.search.results import Found, look
from leaderboard.search.same_sentences import SentenceGroup, group_by_sentence, with_attempts
from leaderboard.storage.blobs import read_head
from leaderboard.suites.health import index_of, read_task_health
from leaderboard.suites.task_facets import FACETS, TITLES, file_types_of, has_values, skills_of
from leaderboard.suites.task_source import read_check
from leaderboard.suites.task_work import describe_work
from runner.contract import Status
from runner.run_figures import wilson

PAGE_ROWS = 100
MAX_INPUTS = 40
MAX_NAME_CHARS = 300  # of an assertion
MAX_GROUPS = 6  # of equal sentences, on a task's page
MAX_TYPICAL = 200  # passed attempts, the newest, that the typical turns are of
MAX_RESULTS = 1_000  # of models at one task, newest first; and of baselines


@dataclass(frozen=True)
class SolveRate:
    """Solve rate of a task over the ranked models of the season, each of which counts once."""

    rate: float
    models: int

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.rate, self.models)


NEVER_TRIED = SolveRate(0, 0)


def first_tasks(request: HttpRequest) -> HttpResponse:
    """Lead to the tasks of the suite that the site opens with when a page belongs to no suite."""
    suite = choose_suite(list_suites(), "")
    return redirect("tasks", suite.name) if suite else redirect("board")


@dataclass(frozen=True)
class TaskRow:
    """A task in the list: its category's place and title, and how often it was solved."""

    task: Task
    position: int
    category: str
    solved: SolveRate


@dataclass(frozen=True)
class FacetLink:
    """A value of a facet: how many tasks have it, and the query that chooses it."""

    words: str
    count: int
    query: str
    is_chosen: bool


SORTS = {"solved": "hardest first", "-solved": "easiest first", "position": "in the suite’s order"}


def task_list(request: HttpRequest, suite: str) -> HttpResponse:
    found = find_suite(request, suite)
    asked = request.GET.get("sort", "")
    sort = asked if asked in SORTS else "solved"
    version = found.version if request.GET.get("version") else ""
    chosen = read_facets(request, found)
    kept = {"version": version, "sort": "" if sort == "solved" else sort, **chosen}
    every_row = list_rows(found)
    rows = [row for row in every_row if has_values(row.task, chosen)]
    page = Paginator(sort_tasks(rows, sort), PAGE_ROWS)
    context = {
        "suite": found,
        "page": page.get_page(request.GET.get("page")),
        "sort": sort,
        "sorts": SORTS,
        "version": version,
        "facets": list_facets(found, len(every_row), chosen, kept),
        "chosen": urlencode(chosen),
        "count": len(rows),
        "kept": urlencode({key: value for key, value in kept.items() if value}),
    }
    return render(request, "suite/tasks.html", context)


def read_facets(request: HttpRequest, suite: Suite) -> dict[str, str]:
    """The values that the address asks for, of those that the suite's tasks have."""
    asked = {facet: request.GET.get(facet, "") for facet in FACETS}
    return {facet: value for facet, value in asked.items() if value in suite.facets.get(facet, {})}


def list_facets(
    suite: Suite, tasks: int, chosen: Mapping[str, str], kept: Mapping[str, str]
) -> list[tuple[str, list[FacetLink]]]:
    """Per facet its values, each with its number of tasks and the query that chooses it."""

    def link(facet: str, value: str) -> str:
        return urlencode({key: v for key, v in {**kept, facet: value}.items() if v})

    facets = []
    for facet, title in TITLES.items():
        links = [
            FacetLink(value.replace("-", " "), n, link(facet, value), chosen.get(facet) == value)
            for value, n in suite.facets.get(facet, {}).items()
        ]
        if links:
            every = FacetLink("all", tasks, link(facet, ""), facet not in chosen)
            facets.append((title, [every, *links]))
    return facets


def task_list_json(request: HttpRequest, suite: str) -> JsonResponse:
    """The tasks for programs, in the suite's order."""
    found = find_suite(request, suite)
    facts = {"name": found.name, "version": found.version, "digest": found.digest}
    return JsonResponse({"suite": facts, "tasks": [record_task(row) for row in list_rows(found)]})


def task_list_csv(request: HttpRequest, suite: str) -> HttpResponse:
    """The same as a table."""
    found = find_suite(request, suite)
    records = [record_task(row) for row in list_rows(found)]
    heading = records[0] if records else ["task"]
    name = f"{found.name}-{found.version}-tasks.csv"
    return answer_csv(name, heading, (record.values() for record in records))


def list_rows(suite: Suite) -> list[TaskRow]:
    """Every task of the suite in its order: one query."""
    tasks = list(suite.tasks.defer("query", "note"))
    titles = {c["key"]: (i, c["title"]) for i, c in enumerate(suite.categories, 1)}
    return [
        TaskRow(task, *titles.get(task.category, (0, task.category)), rate_of(task))
        for task in tasks
    ]


def sort_tasks(rows: list[TaskRow], sort: str) -> list[TaskRow]:
    """By solve rate, tasks that nobody tried last; ties in the suite's order."""
    if sort == "position":
        return rows
    tried = [row for row in rows if row.solved.models]
    tried.sort(key=lambda row: row.solved.rate, reverse=sort == "-solved")
    return tried + [row for row in rows if not row.solved.models]


def record_task(row: TaskRow) -> Record:
    return {
        "task": row.task.key,
        "position": row.task.position,
        "title": row.task.title,
        "english": row.task.english,
        "category": row.task.category,
        "skills": " ".join(skills_of(row.task)),
        "file_types": " ".join(file_types_of(row.task)),
        "language": row.task.language,
        "strength": row.task.strength,
        "guessable": row.task.guessable,
        "solved": row.task.solved,
        "decided": row.task.decided,
        "models": row.solved.models,
        "solve_rate": row.solved.rate if row.solved.models else None,
    }


@csp_update({"frame-src": ["'self'"], "media-src": ["'self'"]})  # type: ignore[arg-type]
def task(request: HttpRequest, suite: str, key: str) -> HttpResponse:
    found_suite = find_suite(request, suite)
    found = find_task(found_suite, key)
    attempts = Results(found)
    page = Paginator(attempts, PAGE_ROWS).get_page(request.GET.get("page"))
    position, title = category_of(found)
    check, assertion = read_check(found), request.GET.get("assertion", "")[:MAX_NAME_CHARS]
    version_asked = found_suite.reference
    scope = Filter(task=found.key, suite=version_asked, state=NOT_PASSED)
    not_passed = look(scope, request.user)
    groups, other_groups = find_largest_groups(not_passed.in_state("failed"))
    context = {
        "check": check,
        "assertion": assertion,
        "assertion_line": check.line_of(assertion) if assertion else "",
        "inputs": list_inputs(found),
        "proof": read_task_health(found),
        "failures": with_attempts(groups),
        "more_failures": other_groups,
        "failed_scope": scope.query(state=""),
        "typical_turns": typical_turns(found),
        "work": describe_work(found, attempts.models),
        "suite": found_suite,
        "is_playable": not (found_suite.is_recorded or found_suite.is_private),
        "tag_counts": name_tags(not_passed.count("tag")),
        "tag_scope": scope.query(state=""),
        "task": found,
        "skills": [(skill, skill.replace("-", " ")) for skill in skills_of(found)],
        "category": title,
        "category_position": position,
        "solve_rate": rate_of(found),
        "paper": count_paper(found) if index_of(found.key) else NEVER_TRIED,
        "page": page,
        "cut": MAX_RESULTS if attempts.is_cut else 0,
    }
    return render(request, "suite/task.html", context)


def find_largest_groups(failed: Found) -> tuple[list[SentenceGroup], int]:
    """The largest groups of equal sentences, and how many more there are. Two queries."""

    def read() -> tuple[list[SentenceGroup], int]:
        groups = group_by_sentence(failed)
        return groups[:MAX_GROUPS], len(groups[MAX_GROUPS:])

    return failed.keep(("groups",), read)


def list_inputs(task: Task) -> list[FileCard]:
    """The inputs of a public attempt with the suite's seed; none before there is one."""
    attempts = task.attempts.filter(
        status=Status.DONE, run__is_public=True, run__seed=task.suite.seed
    ).order_by("-run_id", "number")
    given = Artifact.objects.filter(
        attempt=Subquery(attempts.values("pk")[:1]), role=Artifact.Role.INPUT
    ).select_related("blob")
    gallery = Gallery(read_head)
    with page_budget(task.get_absolute_url()):
        return [show_artifact(artifact, {}, gallery) for artifact in given[:MAX_INPUTS]]


def typical_turns(task: Task) -> float | None:
    """Median of the turns in which models passed it lately; None where none did."""
    passed = Results(task).models.filter(passed=True)
    turns = passed.values_list("turns", flat=True)[:MAX_TYPICAL]
    return median(turns) if turns else None


def count_paper(task: Task) -> dict[str, int]:
    """Count how often the task's published test passed, over public runs that were put to it."""
    told = Verdict.objects.filter(kind="paper", attempt__task=task, attempt__run__is_public=True)
    return told.aggregate(decided=Count("pk"), solved=Count("pk", Q(passed=True)))


def find_suite(request: HttpRequest, name: str) -> Suite:
    """The newest version, or the one that the address names, if the reader may see it."""
    version = request.GET.get("version", "")
    suites = Suite.objects.visible_to(request.user).filter(name=name).order_by("-pk")
    suite: Suite | None = (suites.filter(version=version) if version else suites).first()
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


class Results(Sequence[Attempt]):
    """The visible attempts at a task: models before baselines and people, newest run first.

    A list that is read a page at a time, each group in the order of an index, and no further back
    than `MAX_RESULTS`.
    """

    def __init__(self, task: Task) -> None:
        ordered = (
            task.attempts.filter(run__is_public=True)
            .select_related("run__entry", "task")
            .defer("opening", "closing")
            .order_by("-run_id", "number")
        )
        is_scripted = Q(run__entry__provenance__in=NOT_MODELS)
        self.models: QuerySet[Attempt] = ordered.exclude(is_scripted)
        self.scripted: QuerySet[Attempt] = ordered.filter(is_scripted)

    @cached_property
    def models_there(self) -> int:
        return self.models[: MAX_RESULTS + 1].count()

    @cached_property
    def scripted_count(self) -> int:
        return self.scripted[:MAX_RESULTS].count()

    @property
    def models_count(self) -> int:
        return min(self.models_there, MAX_RESULTS)

    @property
    def is_cut(self) -> bool:
        return self.models_there > MAX_RESULTS

    def __len__(self) -> int:
        return self.models_count + self.scripted_count

    @overload
    def __getitem__(self, part: int) -> Attempt: ...
    @overload
    def __getitem__(self, part: slice) -> list[Attempt]: ...
    def __getitem__(self, part: int | slice) -> Attempt | list[Attempt]:
        if isinstance(part, int):
            return self[part : part + 1][0]
        start, stop, _ = part.indices(len(self))
        split = self.models_count
        found = list(self.models[min(start, split) : min(stop, split)])
        if stop > split:
            found += self.scripted[max(0, start - split) : stop - split]
        return found


def rate_of(task: Task) -> SolveRate:
    """As the last placing stored it: a scripted baseline says nothing about how hard a task is."""
    return SolveRate(task.rate, task.ranked)
