"""One run: its rate, its facts and the grid of its attempts, live while it runs."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

from leaderboard.board import BoardRow, Tally, build_row
from leaderboard.exporting import FORMATS
from leaderboard.models import Attempt, Run
from leaderboard.paces import pace_of
from leaderboard.search import Filter, count_tags_of, find
from leaderboard.shelf import Shelf
from leaderboard.views.caching import has_copy
from leaderboard.watching import count_ahead, watch
from runner.contract import Status

PAGE_ROWS = 200
MAX_ATTEMPTS = 5000  # drawn in the grid
SHOWN = ("failed", "void", "passed")

# Everything a row of the table or a glyph of the grid needs; never the packed bodies.
ATTEMPT_FIELDS = (
    "run_id", "number", "category", "status", "outcome", "passed", "sentence", "turns",
    "prompt_tokens", "completion_tokens", "wall_s", "fault", "problem", "next_step", "tries",
    "task__key", "task__title", "task__position", "not_before", "started_at", "worker",
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


@dataclass(frozen=True)
class Fragment:
    """The changing part of a public run's page, as everybody gets it."""

    tag: str
    plain: bytes
    packed: bytes  # the same in gzip: packing it for each reader costs more than the rest


# One rendering per change, and of a run that changes faster than that one each second.
SHARED: Shelf[Fragment] = Shelf(size=100, rest_s=1.0)
PACKING = 5  # gzip's level


def run(request: HttpRequest, run_id: int) -> HttpResponse:
    return render(request, "run.html", describe_run(request.user, run_id, request.GET))


def run_progress(request: HttpRequest, run_id: int) -> HttpResponse:
    """The part of the page that changes while a run goes on; 304 until it does.

    Those who watch a public run share one rendering per change, made as a stranger sees the run.
    A private run's is made for its owner each time and never kept.
    """
    tag, is_public = read_tag(request, run_id)
    if has_copy(request, tag):
        return HttpResponseNotModified(headers={"ETag": tag})
    if not is_public:
        context = describe_run(request.user, run_id, request.GET)
        return answer_live(tag, render_to_string("_run_live.html", context).encode())
    asked = {name: request.GET.get(name, "")[:20] for name in ("show", "page")}
    shared = SHARED.get(
        (run_id, *asked.values()),
        lambda: render_shared(run_id, tag, asked),
        lambda known: known.tag == tag,
    )
    if has_copy(request, shared.tag):
        return HttpResponseNotModified(headers={"ETag": shared.tag})
    return send(request, shared)


def render_shared(run_id: int, tag: str, asked: Mapping[str, str]) -> Fragment:
    """As somebody sees it who has no account: 404 for a run that is private by now."""
    context = describe_run(AnonymousUser(), run_id, asked)
    plain = render_to_string("_run_live.html", context).encode()
    return Fragment(tag, plain, gzip.compress(plain, PACKING, mtime=0))


def send(request: HttpRequest, shared: Fragment) -> HttpResponse:
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return answer_live(shared.tag, shared.plain)
    response = answer_live(f"W/{shared.tag}", shared.packed)  # weak, as any packed page's
    response["Content-Encoding"] = "gzip"
    return response


def answer_live(tag: str, content: bytes) -> HttpResponse:
    response = HttpResponse(content, headers={"ETag": tag, "Cache-Control": "no-cache"})
    patch_vary_headers(response, ("Accept-Encoding",))
    return response


def read_tag(request: HttpRequest, run_id: int) -> tuple[str, bool]:
    """The run's ETag for who may see it, and whether everybody may.

    One query, another for its place while it waits in the queue, and the session's for a private
    run: many watch a run at once, so the user is not loaded to say that nothing changed.
    """
    facts = get_object_or_404(
        Run.objects.select_related("entry").only(
            "sequence", "status", "is_public", "entry__owner_id"
        ),
        pk=run_id,
    )
    if not facts.is_public and request.session.get(SESSION_KEY) != str(facts.entry.owner_id):
        raise Http404
    return tag_of(facts), facts.is_public


def tag_of(run: Run) -> str:
    """What the page shows changes with the run's rows, and in the queue with those ahead of it."""
    ahead = f"-{count_ahead(run)}" if run.status == Status.QUEUED else ""
    return f'"{run.sequence}-{run.status}{ahead}"'


def load_run(user: Any, run_id: int) -> tuple[BoardRow, list[Attempt]]:
    """The run as a row of the board, and its attempts in the suite's order: three queries."""
    visible = Run.objects.visible_to(user).select_related("entry", "suite")
    found = get_object_or_404(visible, pk=run_id)
    attempts = list(
        found.attempts.select_related("task")
        .only(*ATTEMPT_FIELDS)
        .order_by("task__position", "number")[:MAX_ATTEMPTS]
    )
    row = build_row(found, {s.category: s for s in found.summaries.all()}, tally_of(attempts))
    return row, attempts


def describe_run(user: Any, run_id: int, asked: Mapping[str, str]) -> dict[str, object]:
    """What both the page and its live part show, as the address asks."""
    row, attempts = load_run(user, run_id)
    show = asked.get("show", "")
    show = show if show in SHOWN else ""
    chosen = [a for a in attempts if not show or a.state == show]
    return {
        "show": show,
        "kept": f"show={show}" if show else "",
        "page": Paginator(chosen, PAGE_ROWS).get_page(asked.get("page")),
        "counts": [(word, sum(a.state == word for a in attempts)) for word in SHOWN],
        "problems": list_problems(attempts),
        "row": row,
        "run": row.run,
        "is_owner": user.is_authenticated and row.run.entry.owner_id == user.pk,
        "watch": None if row.run.is_over else watch(row.run, attempts),
        "pace": pace_of(row.run, ()) if row.run.is_over else None,
        "tally": tally_of(attempts),
        "groups": group_attempts(row, attempts),
        "tag_counts": count_tags_of(find(Filter(run=str(run_id)), user)),
        "tag_scope": f"run={run_id}",
        "formats": FORMATS,
        "etag": "" if row.run.is_over else tag_of(row.run),
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
