"""One run: its rate, its facts and the grid of its attempts, live while it runs."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Paginator
from django.db.models import OuterRef, Subquery, Sum
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from leaderboard.api.errors import status_of_form
from leaderboard.board.repeats import add_repeats
from leaderboard.board.rows import BoardRow, Tally, build_row
from leaderboard.disputes.dispute import MAX_WORDS_CHARS
from leaderboard.disputes.review_rulings import RULINGS
from leaderboard.evidence.verifications import list_verifications
from leaderboard.judge.verdicts import judged_runs
from leaderboard.models import Attempt, Entry, FailureTag, Run, unpack
from leaderboard.models.querysets import AttemptQuerySet
from leaderboard.money.ceiling import use_of
from leaderboard.money.lookup import with_prices
from leaderboard.process_cache import Shelf
from leaderboard.queue.concurrency import pace_of
from leaderboard.queue.progress import count_ahead, count_usage, watch
from leaderboard.reviews.evidence import list_doubted
from leaderboard.scoring.repeats import say_repeats
from leaderboard.search.filters import count_tags_of
from leaderboard.sharing.badge import say_rank, say_run
from leaderboard.sharing.public_rows import find_place
from leaderboard.submissions.forms import ResumeForm
from leaderboard.submissions.pauses import list_changes
from leaderboard.suites.seasons import find_season
from leaderboard.trajectories.export import FORMATS
from leaderboard.uploads.notice import notice_of_run
from leaderboard.views.conditional import has_copy
from leaderboard.views.sharing import cite_here
from runner.contract import AS_RECORDED, ActionFormat, Outcome, Problem, Status, call_advice

PAGE_ROWS = 200
MAX_ATTEMPTS = 5000  # drawn in the grid
SHOWN = ("failed", "void", "passed")

# Everything a row of the table or a glyph of the grid needs; never the packed bodies.
ATTEMPT_FIELDS = (
    "run_id", "number", "category", "status", "outcome", "passed", "sentence", "turns",
    "prompt_tokens", "completion_tokens", "wall_s", "model_s", "fault", "problem", "problem_code",
    "next_step", "tries", "task__key", "task__title", "task__english", "task__position",
    "not_before", "started_at", "worker", "reply_chars", "request_failures", "request_failed",
    "void_tries",
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
    return show_run(request, run_id)


def show_run(
    request: HttpRequest,
    run_id: int,
    resume_form: ResumeForm | None = None,
    review_problem: Problem | None = None,
) -> HttpResponse:
    """The run's page; with a form that was refused, its values and why."""
    context = describe_run(request.user, run_id, request.GET)
    row: BoardRow = context["row"]
    context["verifications"] = list_verifications(row.run) if row.run.is_over else []
    context |= {"card_words": say_run(row), "share": describe_share(request, row)}
    context["rank_words"] = say_rank(row).removeprefix(", ")
    context["changes"] = list_changes(row.run)
    if row.run.is_paused:
        context["resume_form"] = resume_form or ResumeForm(row.run)
    context["judged"] = judged_runs(row.run) if row.run.is_over else []
    if can_be_verified(row.run, is_owner=context["is_owner"], is_brought=bool(context["brought"])):
        context["verify_url"] = request.build_absolute_uri(row.run.get_absolute_url())
        context["site_url"] = f"{request.scheme}://{request.get_host()}"
    if review := getattr(row.run, "review", None):
        context["review"] = review
        context["doubted"] = list_doubted(row.run)
        context["rulings"] = RULINGS
        context["review_problem"] = review_problem
        context["most_chars"] = MAX_WORDS_CHARS
    status = 400 if resume_form else status_of_form(review_problem)
    return render(request, "run/run.html", context, status=status)


def can_be_verified(run: Run, *, is_owner: bool, is_brought: bool) -> bool:
    """True if the reader can have the run's evidence at its own address."""
    return run.is_over and run.is_played and not is_brought and (run.is_public or is_owner)


def describe_share(request: HttpRequest, row: BoardRow) -> dict[str, str]:
    """Texts to copy that cite and show the run; empty where nobody else could follow them."""
    run = row.run
    if not (run.is_public and run.is_over and run.is_played) or run.suite.is_recorded:
        return {}
    board = f"{reverse('board')}?suite={run.suite.reference}"
    addresses = {
        "url": run.get_absolute_url(),
        "badge": reverse("run-badge", args=[run.pk]),
        "card": reverse("run-card", args=[run.pk]),
        "board": board,
        "picture": f"{reverse('rates-svg')}?suite={run.suite.reference}",
    }
    whole = {name: request.build_absolute_uri(address) for name, address in addresses.items()}
    return {**whole, "bibtex": cite_here(request, row), "sentence": say_run(row)}


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
        return answer_live(tag, render_to_string("run/_live.html", context).encode())
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
    plain = render_to_string("run/_live.html", context).encode()
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
    under_way = Attempt.objects.filter(run=OuterRef("pk"), status=Status.RUNNING).order_by()
    of_run = under_way.values("run")
    facts = get_object_or_404(
        Run.objects.select_related("entry")
        .only("sequence", "status", "is_public", "entry__owner_id")
        .annotate(
            chars=Subquery(of_run.annotate(sum=Sum("reply_chars")).values("sum")),
            failures=Subquery(of_run.annotate(sum=Sum("request_failures")).values("sum")),
        ),
        pk=run_id,
    )
    is_reader = getattr(request, "shared_run", None) == run_id  # who follows the run's link
    is_owner = request.session.get(SESSION_KEY) == str(facts.entry.owner_id)
    if not (facts.is_public or is_reader or is_owner):
        raise Http404
    return tag_of(facts, facts.chars or 0, facts.failures or 0), facts.is_public


def tag_of(run: Run, chars: int, failures: int) -> str:
    """ETag of the page: it changes with the run's rows, in the queue with those ahead of it, and
    with the characters of replies under way and the failures of their requests."""
    ahead = f"-{count_ahead(run)}" if run.status == Status.QUEUED else ""
    return f'"{run.sequence}-{run.status}{ahead}-{chars}-{failures}"'


def load_run(user: Any, run_id: int) -> tuple[BoardRow, list[Attempt]]:
    """The run as a row of the board, and its attempts in the suite's order: three queries, two
    more with several attempts per task, one more without a place of its own."""
    visible = Run.objects.visible_to(user).select_related("entry", "suite", "review", "standing")
    found = get_object_or_404(with_prices(visible), pk=run_id)
    attempts = list(
        found.attempts.select_related("task")
        .only(*ATTEMPT_FIELDS)
        .order_by("task__position", "number")[:MAX_ATTEMPTS]
    )
    row = build_row(found, {s.category: s for s in found.summaries.all()}, tally_of(attempts))
    [row] = add_repeats([replace(row, standing=find_place(found))])
    return row, attempts


def describe_run(user: Any, run_id: int, asked: Mapping[str, str]) -> dict[str, Any]:
    """Data that both the page and its live part show, as the address asks."""
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
        "season": find_season(row.run.suite, row.run.seed),
        "is_owner": user.is_authenticated and row.run.entry.owner_id == user.pk,
        "watch": None if row.run.is_over else watch(row.run, attempts),
        "used": count_usage(row.run),
        "ceiling": use_of(row.run),
        "pace": pace_of(row.run, ()) if row.run.is_over else None,
        "tally": tally_of(attempts),
        "retried": sum(is_retried(attempt) for attempt in attempts),
        "times": sum_times(attempts),
        "groups": group_attempts(row, attempts),
        "repeats_words": say_repeats(row.repeats) if row.repeats else "",
        "flipped": list_flipped(attempts) if row.repeats else [],
        "tag_counts": count_tags_of(not_passed(row.run)),
        "calls_in_text": count_calls_in_text(row.run),
        "call_advice": call_advice(),
        "tag_scope": f"run={run_id}",
        "formats": FORMATS,
        "brought": notice_of_run(row.run),
        "as_recorded": count_as_recorded(row.run),
        "etag": "" if row.run.is_over else tag_of(row.run, *count_heard(attempts)),
    }


def is_retried(attempt: Attempt) -> bool:
    """True if a try of it did not count, other than one that its owner cancelled."""
    return attempt.void_tries > (attempt.outcome == Outcome.CANCELLED)


def count_as_recorded(run: Run) -> tuple[int, int] | None:
    """Observations of a re-executed run that came out as recorded, and all; None of other runs."""
    if run.entry.provenance != Entry.Provenance.RE_EXECUTED:
        return None
    same = total = 0
    for closing in run.attempts.filter(status=Status.DONE).values_list("closing", flat=True):
        of_attempt = unpack(closing).get("environment", {}).get(AS_RECORDED, "0 of 0")
        came_out, _, played = of_attempt.partition(" of ")
        same, total = same + int(came_out), total + int(played)
    return (same, total) if total else None


def sum_times(attempts: Sequence[Attempt]) -> tuple[float, float] | None:
    """Mean seconds of a decided attempt: in cells and our own work, and waiting for replies.

    None before the first verdict.
    """
    decided = [attempt for attempt in attempts if attempt.passed is not None]
    if not decided:
        return None
    waiting_s = sum(attempt.model_s for attempt in decided)
    working_s = sum(max(0.0, attempt.wall_s - attempt.model_s) for attempt in decided)
    return working_s / len(decided), waiting_s / len(decided)


def count_heard(attempts: Sequence[Attempt]) -> tuple[int, int]:
    """Characters of the replies under way, and failures of their requests."""
    under_way = [attempt for attempt in attempts if attempt.status == Status.RUNNING]
    failures = sum(attempt.request_failures for attempt in under_way)
    return sum(attempt.reply_chars for attempt in under_way), failures


def list_flipped(attempts: Sequence[Attempt]) -> list[list[Attempt]]:
    """The attempts at each task that some of them passed and others did not."""
    tasks = (list(group) for _, group in groupby(attempts, key=lambda attempt: attempt.task_id))
    return [task for task in tasks if len({attempt.passed for attempt in task}) > 1]


def count_calls_in_text(run: Run) -> int:
    """Attempts of a run in which the server left tool calls in the text of replies."""
    if run.entry.action_format != ActionFormat.TOOLS:
        return 0
    return FailureTag.objects.filter(attempt__run=run, tag="call-in-text").count()


def not_passed(run: Run) -> AttemptQuerySet:
    found: AttemptQuerySet = run.attempts.filter(status=Status.DONE).exclude(passed=True)
    return found


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
