"""Disputes of verdicts: the queue, one of them with its rulings, and the forms for both."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadhandler import StopUpload
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from leaderboard.api.errors import status_of_form
from leaderboard.disputes.dispute import (
    MAX_FILE_BYTES,
    MAX_WORDS_CHARS,
    TOO_LARGE,
    count_left,
    make_dispute,
)
from leaderboard.disputes.rule import rule
from leaderboard.disputes.subject import find_disputed, read_disputed
from leaderboard.models import Attempt, Dispute, Erratum, Ruling, Run
from leaderboard.storage.file_response import send_attachment
from leaderboard.uploads.receive import BROKEN_OFF, BoundedUploadHandler, is_hopeless, on_disk
from leaderboard.views.access import find_attempt, read_number, user_of
from runner.contract import Problem, ProblemError

PAGE_ROWS = 50
MOST_ASSERTIONS = 10_000


@require_safe
def disputes(request: HttpRequest) -> HttpResponse:
    """The queue: open ones, or those of another state."""
    state = request.GET.get("state", Dispute.State.OPEN)
    if state not in ("all", *Dispute.State.values):
        raise Http404("There is no such state of a dispute.")
    visible = Dispute.objects.visible_to(request.user)
    found = visible if state == "all" else visible.filter(state=state)
    shown = found.select_related("attempt__run__entry", "attempt__task__suite")
    context = {
        "page": Paginator(shown.order_by("-pk"), PAGE_ROWS).get_page(request.GET.get("page")),
        "state": state,
        "states": ["all", *Dispute.State.values],
        "kept": f"state={state}".replace(" ", "+"),
        "has_any": state == Dispute.State.OPEN or visible.exists(),
    }
    return render(request, "disputes/disputes.html", context)


@require_safe
def dispute(request: HttpRequest, dispute_id: int) -> HttpResponse:
    return show_dispute(request, find_dispute(request, dispute_id))


def find_dispute(request: HttpRequest, dispute_id: int) -> Dispute:
    """The dispute, if the reader may see it; else 404."""
    visible = Dispute.objects.visible_to(request.user).select_related(
        "attempt__run__entry", "attempt__run__suite", "attempt__task__suite", "verdict", "blob"
    )
    found: Dispute = get_object_or_404(visible, pk=dispute_id)
    return found


def show_dispute(
    request: HttpRequest, found: Dispute, problem: Problem | None = None
) -> HttpResponse:
    """The page; a refused ruling keeps what was typed."""
    rulings = list(found.rulings.all())
    context = {
        "dispute": found,
        "run": found.attempt.run,
        "sees_run": Run.objects.visible_to(request.user).filter(pk=found.attempt.run_id).exists(),
        "task": found.attempt.task,
        "disputed": read_disputed(found.verdict, found.assertion),
        "rulings": rulings,
        "errata": Erratum.objects.filter(ruling__dispute=found).only("pk"),
        "kinds": Ruling.Kind.values,
        "problem": problem,
        "words": request.POST.get("words", "")[:MAX_WORDS_CHARS],
        "chosen": request.POST.get("kind", ""),
        "most_chars": MAX_WORDS_CHARS,
    }
    return render(request, "disputes/dispute.html", context, status=status_of_form(problem))


@login_required
@require_POST
def make_ruling(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Add a maintainer's ruling; 404 for everybody else."""
    maintainer = user_of(request)
    if not getattr(maintainer, "is_staff", False):
        raise Http404("Only maintainers rule on disputes.")
    found = find_dispute(request, dispute_id)
    seen = request.POST.get("seen", "")
    number = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 5 else -1
    try:
        rule(found, maintainer, request.POST.get("kind", ""), request.POST.get("words", ""), number)
    except ProblemError as error:
        return show_dispute(request, found, error.problem)
    messages.success(request, "Your ruling is added.")
    return redirect(found)


@require_safe
def dispute_file(request: HttpRequest, dispute_id: int) -> HttpResponseBase:
    """The bytes as they came, sent so that no browser runs them."""
    found = find_dispute(request, dispute_id)
    if found.blob is None:
        raise Http404("This dispute has no file.")
    return send_attachment(found.blob, found.file_name)


@csrf_exempt  # the handler is set before the form is read, and then the token is looked at
@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def make(request: HttpRequest, run_id: int, key: str) -> HttpResponseBase:
    """The form of a dispute at one assertion; what it takes joins the queue."""
    attempt = find_attempt(request, run_id, key)
    if request.method != "POST":
        return show_form(request, attempt, read_assertion_number(request.GET.get("assertion", "")))
    if is_hopeless(request.META.get("CONTENT_LENGTH") or "", MAX_FILE_BYTES):
        return show_form(request, attempt, 0, TOO_LARGE, is_unread=True)
    request.upload_handlers = [BoundedUploadHandler(request, MAX_FILE_BYTES)]
    response: HttpResponseBase = receive(request, attempt)
    return response


@csrf_protect
def receive(request: HttpRequest, attempt: Attempt) -> HttpResponseBase:
    handler = request.upload_handlers[0]
    try:
        number = read_assertion_number(request.POST.get("assertion", ""))
        file = request.FILES.get("file")
    except (MultiPartParserError, StopUpload, OSError):
        return show_form(request, attempt, 0, BROKEN_OFF, is_unread=True)
    if isinstance(handler, BoundedUploadHandler) and handler.is_too_large:
        return show_form(request, attempt, number, TOO_LARGE)
    try:
        made = make_dispute(
            user_of(request),
            attempt,
            number,
            request.POST.get("words", ""),
            on_disk(file) if file else None,
            read_seen(request.POST.get("verdict", "")),
        )
    except ProblemError as error:
        return show_form(request, attempt, number, error.problem)
    messages.success(request, "Your dispute is in the queue. A maintainer rules on it.")
    return redirect(made)


def read_assertion_number(value: str) -> int:
    """The number of an assertion; 0, the whole verdict, for anything else."""
    is_number = value.isascii() and value.isdigit() and len(value) < 6
    return min(int(value), MOST_ASSERTIONS) if is_number else 0


def read_seen(value: str) -> int | None:
    """The verdict that the form was made for; None where it does not say."""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 19 else None


def show_form(
    request: HttpRequest,
    attempt: Attempt,
    number: int,
    problem: Problem | None = None,
    *,
    is_unread: bool = False,
) -> HttpResponse:
    """The page; a refusal keeps the words, as far as they were read."""
    try:
        disputed = find_disputed(attempt, 0 if problem else number)
    except ProblemError as error:
        raise Http404(error.problem.sentence) from None
    if problem and number <= len(disputed.others):
        disputed = read_disputed(disputed.verdict, number)
    context = {
        "attempt": attempt,
        "run": attempt.run,
        "task": attempt.task,
        "disputed": disputed,
        "problem": problem,
        "words": "" if is_unread else request.POST.get("words", "")[: 2 * MAX_WORDS_CHARS],
        "most_chars": MAX_WORDS_CHARS,
        "most_mb": MAX_FILE_BYTES >> 20,
        "left": count_left(user_of(request)),
        "chosen_attempt": f"?attempt={read_number(request, 'attempt', 1)}",
    }
    return render(request, "disputes/make.html", context, status=status_of_form(problem))
