"""One attempt, step by step; notes that readers pin to it, and replies that a person types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from csp.decorators import csp_update
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import get_script_prefix
from django.views.decorators.http import require_http_methods, require_POST

from leaderboard.by_hand.form import ReplyForm
from leaderboard.by_hand.session import session_of, type_reply
from leaderboard.disputes.shown import show_disputes
from leaderboard.failures.tags import BY_KEY
from leaderboard.forks.lineage import lineage_of
from leaderboard.judge.labels import labels_of
from leaderboard.judge.verdicts import verdicts_on
from leaderboard.models import Attempt, StepNote
from leaderboard.models.querysets import OPEN
from leaderboard.process_cache import Shelf
from leaderboard.replay.drawing import DrawnReplay, draw_replay, is_still_good
from leaderboard.replay.minimap import draw_minimap
from leaderboard.replay.neighbours import find_neighbours
from leaderboard.replay.notes import NoteForm, visible_notes
from leaderboard.replay.passing import count_not_reached, find_passing
from leaderboard.replay.step_search import StepSearch, search_steps
from leaderboard.replay.step_windows import count_steps, load_window, start_of
from leaderboard.trajectories.export import FORMATS
from leaderboard.uploads.notice import notice_of_attempt
from leaderboard.views.access import find_attempt, is_owner, own_run, read_number, user_of
from leaderboard.views.conditional import has_copy
from leaderboard.views.tasks import category_of
from runner.contract import ProblemError

MAX_ARTIFACTS = 200
TOGGLES = ("thoughts", "code", "output", "files", "times")
SEARCHED = ("find",)  # parameters of a search
KEPT: Shelf[DrawnReplay] = Shelf(
    size=48, measure=lambda drawn: drawn.length, most=12_000_000
)  # characters, of a million each at most


@dataclass(frozen=True)
class Try:
    """One claim of the attempt: the last one counts, earlier ones are evidence."""

    number: int
    steps: int
    is_current: bool
    is_last: bool


# Pages and sounds that a model made are shown here alone.
@csp_update({"frame-src": ["'self'"], "media-src": ["'self'"]})  # type: ignore[arg-type]
def replay(request: HttpRequest, run_id: int, key: str) -> HttpResponse:
    """One window of a try's steps. What is drawn of a finished attempt is kept for all readers."""
    return show_replay(request, run_id, key)


def show_replay(
    request: HttpRequest,
    run_id: int,
    key: str,
    note: NoteForm | None = None,
    status: int = 200,
    reply: ReplyForm | None = None,
) -> HttpResponse:
    """The page, with a note or a typed reply that was refused."""
    attempt = find_attempt(request, run_id, key)
    tag = live_tag(attempt)
    if tag and note is None and reply is None and has_copy(request, tag):
        return HttpResponseNotModified(headers={"ETag": tag})
    counts = count_steps(attempt) if attempt.tries > 1 or tag else {}
    last = max([1, attempt.tries, *counts])
    current = read_number(request, "try", last)
    tries = list_tries(counts, current, last)
    if current != last and current not in {t.number for t in tries}:
        raise Http404(f"This attempt has no try {current}.")
    first = start_of(read_number(request, "from", counts.get(current, 1) if tag else 1))
    verdicts = [v for v in attempt.verdicts.order_by("-pk")[:20] if v.try_number == current]
    _, category = category_of(attempt.task)
    facts = {
        "attempt": attempt,
        "run": attempt.run,
        "task": attempt.task,
        "try_number": current,
        "is_last_try": current == last,
        "state": attempt.state if current == last else "void",
        "chosen_attempt": f"?attempt={attempt.number}" if attempt.number > 1 else "",
        "etag": tag,
    }
    verdict = next((v for v in verdicts if v.kind == "strict"), None)
    disputes = show_disputes(attempt, verdict, request.user)
    is_reader_of_link = getattr(request.user, "shared_run", None) is not None
    facts["disputed"] = disputes.by_assertion
    facts["can_dispute"] = verdict is not None and current == last and not is_reader_of_link

    def draw() -> DrawnReplay:
        window = load_window(attempt, current, first)
        artifacts = attempt.artifacts.select_related("blob").filter(try_number=current)
        return draw_replay(attempt, window, artifacts[:MAX_ARTIFACTS], verdict, facts)

    judged = (attempt.passed, attempt.sentence, attempt.finished_at)
    stamp = (attempt.status, last, verdict.pk if verdict else 0, judged)
    doubts = (facts["can_dispute"], disputes.version)
    kept_key = (attempt.pk, current, first, stamp, doubts, get_script_prefix())  # as its links have
    drawn = draw() if tag else KEPT.get(kept_key, draw, is_still_good)
    if not drawn.ribbon and first > 1:
        raise Http404(f"This try has no step {first}.")
    search = search_in(request, attempt, current)
    hits = search.indexes if search else ()
    passing = find_passing(attempt, request.user, drawn.failed_files)
    context = {
        **facts,
        "category": category,
        "tries": tries,
        "drawn": drawn,
        "passing": passing,
        "not_reached": count_not_reached(passing[0].attempt if passing else None, drawn.assertions),
        "near": find_neighbours(attempt, request.user, request.GET.get("in", "")),
        "search": search,
        "minimap": draw_minimap(drawn.count, drawn.first, drawn.failures, hits),
        "search_kept": [pair for pair in kept_items(request) if pair[0] not in SEARCHED],
        "unsearched": urlencode([p for p in kept_items(request) if p[0] not in SEARCHED]),
        "tags": [BY_KEY[row.tag] for row in attempt.tags.all() if row.tag in BY_KEY],
        "formats": FORMATS,
        "toggles": TOGGLES,
        "disputes": disputes,
        "note": note or NoteForm(attempt, current, request.user),
        "kept": kept_query(request),
        "brought": notice_of_attempt(attempt),
        "reply": reply or ReplyForm(),
        **said_by_others(request, attempt, is_live=bool(tag)),
    }
    response = render(request, "replay/replay.html", context, status=status)
    if tag:
        response["ETag"] = tag
        response["Cache-Control"] = "no-cache"
    return response


def said_by_others(request: HttpRequest, attempt: Attempt, is_live: bool) -> dict[str, object]:
    """Words of people and judges on the attempt, and its lineage, as the reader may see them.

    Nothing is judged or labelled while it is live.
    """
    owns = is_owner(request, attempt.run)
    return {
        "notes": visible_notes(attempt, request.user),
        "judged": [] if is_live else verdicts_on(attempt),
        "labels": None if is_live else labels_of(attempt, request.user),
        "is_owner": owns,
        "session": session_of(attempt) if owns else None,
        "lineage": lineage_of(attempt, request.user, owns),
    }


@login_required
@require_http_methods(["GET", "POST"])
def pin(request: HttpRequest, run_id: int, key: str) -> HttpResponse:
    """Store the note and lead back to its step; a refused form is shown with what it holds."""
    attempt = find_attempt(request, run_id, key)
    address = attempt.get_absolute_url().partition("?")[0]
    if request.method == "GET":  # a link of the page that shows a refused form
        return redirect(f"{address}?{request.GET.urlencode()}")
    shown = read_number(request, "try", attempt.counted_try)
    form = NoteForm(attempt, shown, user_of(request), request.POST)
    if not form.is_valid() or form.save() is None:
        return show_replay(request, run_id, key, form, status=400)
    asked = request.GET.copy()
    asked["from"] = str(start_of(form.cleaned_data["step"]))
    messages.success(request, f"The note is pinned to step {form.cleaned_data['step']}.")
    return redirect(f"{address}?{asked.urlencode()}#notes")


@login_required
@require_POST
def unpin(request: HttpRequest, note_id: int) -> HttpResponse:
    """Delete the reader's own note."""
    own = StepNote.objects.filter(author_id=user_of(request).pk)
    note = get_object_or_404(own.select_related("attempt__task"), pk=note_id)
    attempt = note.attempt
    note.delete()
    messages.success(request, "The note is deleted.")
    return redirect(f"{attempt.get_absolute_url()}#notes")


@login_required
@require_http_methods(["GET", "POST"])
def type_next(request: HttpRequest, run_id: int, key: str) -> HttpResponse:
    """Keep a reply for the worker; a refusal keeps what was typed."""
    own_run(request, run_id)
    attempt = find_attempt(request, run_id, key)
    if request.method == "GET":  # a link of the page that shows a refused form
        return redirect(attempt)
    form = ReplyForm(request.POST)
    if not form.is_valid():
        return show_replay(request, run_id, key, reply=form, status=422)
    try:
        type_reply(attempt.pk, **form.facts)
    except ProblemError as error:
        form.add_error(None, error.problem.sentence)
        return show_replay(request, run_id, key, reply=form, status=409)
    return redirect(f"{attempt.get_absolute_url()}#by-hand")


def search_in(request: HttpRequest, attempt: Attempt, try_number: int) -> StepSearch | None:
    """The address's question about the steps of a try; None where it asks for nothing."""
    words = request.GET.get("find", "").strip()
    if not words:
        return None
    return search_steps(attempt, try_number, words)


def kept_items(request: HttpRequest) -> list[tuple[str, str]]:
    """Parameters of the address apart from the window."""
    return [(name, str(value)) for name, value in request.GET.items() if name != "from"]


def kept_query(request: HttpRequest) -> str:
    """Query of the address apart from the window, for links to other windows."""
    kept = request.GET.copy()
    kept.pop("from", None)
    return f"{kept.urlencode()}&" if kept else ""


def live_tag(attempt: Attempt) -> str:
    """Changes with every step of an attempt that goes on; "" once it is over."""
    if attempt.status not in OPEN:
        return ""
    typed = f"-{attempt.typed.count()}" if attempt.run.entry.is_human else ""
    heard = f"{attempt.reply_chars}-{attempt.request_failures}"
    return f'"{attempt.status}-{attempt.tries}-{attempt.steps.count()}-{heard}{typed}"'


def list_tries(counts: Mapping[int, int], current: int, last: int) -> list[Try]:
    numbers = sorted({*counts, last})
    return [Try(n, counts.get(n, 0), n == current, n == last) for n in numbers]
