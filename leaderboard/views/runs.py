"""One run: its rate, its facts and the grid of its attempts, live while it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth import SESSION_KEY
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, render

from leaderboard.board import BoardRow, Tally, build_row
from leaderboard.exporting import FORMATS
from leaderboard.models import Attempt, Run
from leaderboard.search import Filter, count_tags_of, find
from leaderboard.views.caching import has_copy
from leaderboard.watching import watch

PAGE_ROWS = 200
MAX_ATTEMPTS = 5000  # drawn in the grid
SHOWN = ("failed", "void", "passed")

# Everything a row of the table or a glyph of the grid needs; never the packed bodies.
ATTEMPT_FIELDS = (
    "run_id", "number", "category", "status", "outcome", "passed", "sentence", "turns",
    "prompt_tokens", "completion_tokens", "wall_s", "fault", "problem", "next_step", "tries",
    "task__key", "task__title", "task__position", "not_before", "started_at",
)  # fmt: skip


@dataclass(frozen=True)
class Group:
    """A category's share of the grid."""

    position: int
    title: str
    attempts: list[Attempt]

    @property
    def passed(self) -> int:
        return sum(attempt.passed is True for attempt in self.attempts)


def run(request: HttpRequest, run_id: int) -> HttpResponse:
    return render(request, "run.html", describe_run(request, run_id))


def run_progress(request: HttpRequest, run_id: int) -> HttpResponse:
    """The part of the page that changes while a run goes on; 304 until it does."""
    tag = read_tag(request, run_id)
    if has_copy(request, tag):
        return HttpResponseNotModified(headers={"ETag": tag})
    response = render(request, "_run_live.html", describe_run(request, run_id))
    response["ETag"] = tag
    response["Cache-Control"] = "no-cache"
    return response


def read_tag(request: HttpRequest, run_id: int) -> str:
    """The run's ETag for who may see it: one query, and the session's for a private run.

    Many watch a run at once, so the user is not loaded to say that nothing changed; what did
    change is shown by a query that asks for the user.
    """
    facts = get_object_or_404(
        Run.objects.select_related("entry").only(
            "sequence", "status", "is_public", "entry__owner_id"
        ),
        pk=run_id,
    )
    if not facts.is_public and request.session.get(SESSION_KEY) != str(facts.entry.owner_id):
        raise Http404
    return f'"{facts.sequence}-{facts.status}"'


def load_run(request: HttpRequest, run_id: int) -> tuple[BoardRow, list[Attempt]]:
    """The run as a row of the board, and its attempts in the suite's order: three queries."""
    visible = Run.objects.visible_to(request.user).select_related("entry", "suite")
    found = get_object_or_404(visible, pk=run_id)
    attempts = list(
        found.attempts.select_related("task")
        .only(*ATTEMPT_FIELDS)
        .order_by("task__position", "number")[:MAX_ATTEMPTS]
    )
    row = build_row(found, {s.category: s for s in found.summaries.all()}, tally_of(attempts))
    return row, attempts


def describe_run(request: HttpRequest, run_id: int) -> dict[str, object]:
    """What both the page and its live part show, as the address asks."""
    row, attempts = load_run(request, run_id)
    show = request.GET.get("show", "")
    show = show if show in SHOWN else ""
    chosen = [a for a in attempts if not show or a.state == show]
    return {
        "show": show,
        "kept": f"show={show}" if show else "",
        "page": Paginator(chosen, PAGE_ROWS).get_page(request.GET.get("page")),
        "counts": [(word, sum(a.state == word for a in attempts)) for word in SHOWN],
        "problems": list_problems(attempts),
        "row": row,
        "run": row.run,
        "is_owner": request.user.is_authenticated and row.run.entry.owner_id == request.user.pk,
        "watch": None if row.run.is_over else watch(row.run, attempts),
        "tally": tally_of(attempts),
        "groups": group_attempts(row, attempts),
        "tag_counts": count_tags_of(find(Filter(run=str(run_id)), request.user)),
        "tag_scope": f"run={run_id}",
        "formats": FORMATS,
        "etag": f'"{row.run.sequence}-{row.run.status}"',
    }


def tally_of(attempts: Sequence[Attempt]) -> Tally:
    states = [attempt.state for attempt in attempts]
    return Tally(states.count("passed"), states.count("failed"), states.count("void"), len(states))


def group_attempts(row: BoardRow, attempts: Sequence[Attempt]) -> list[Group]:
    groups = []
    for position, category in enumerate(row.run.suite.categories, 1):
        members = [a for a in attempts if a.category == category["key"]]
        if members:
            groups.append(Group(position, category["title"], members))
    return groups


@dataclass(frozen=True)
class ProblemCount:
    """One infrastructure problem and how many attempts it made void."""

    fault: str
    problem: str
    next_step: str
    attempts: int


def list_problems(attempts: Sequence[Attempt]) -> list[ProblemCount]:
    """Why attempts are void, most frequent first, ten at most."""
    counts: dict[tuple[str, str, str], int] = {}
    for attempt in attempts:
        if attempt.state == "void" and attempt.problem:
            key = (attempt.fault, attempt.problem, attempt.next_step)
            counts[key] = counts.get(key, 0) + 1
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return [ProblemCount(*key, count) for key, count in ordered[:10]]
