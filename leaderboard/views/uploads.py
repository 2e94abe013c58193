"""Trajectories that people bring in: the form, what they brought, a file again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import StopUpload
from django.core.paginator import Paginator
from django.db.models import Count, Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from leaderboard.api.errors import status_of_form
from leaderboard.models import Import, Run
from leaderboard.storage.file_response import send_attachment
from leaderboard.uploads import guests, quotas
from leaderboard.uploads.delete import delete_upload
from leaderboard.uploads.execute import execute_upload
from leaderboard.uploads.keep import bring_in
from leaderboard.uploads.receive import (
    BROKEN_OFF,
    BoundedUploadHandler,
    is_hopeless,
    on_disk,
    too_large,
)
from leaderboard.uploads.score import LAYOUT, playable_suites, score_files
from leaderboard.views.access import own_run, user_of
from leaderboard.visitors.client_address import client_address
from runner.contract import Fault, Problem, ProblemError

PAGE_ROWS = 50
MAX_TITLE_CHARS = 200
NO_FILE = Problem(Fault.SUBMITTER, "no_file", "No file was chosen.", "Choose one and send it.")


@dataclass(frozen=True)
class UploadForm:
    """Fields of one of the two forms, as they were sent."""

    title: str
    suite: str | None  # by name, in the form of files to be judged; None in that of trajectories


@csrf_exempt  # the handler is set before the form is read, and then the token is looked at
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def view(request: HttpRequest) -> HttpResponseBase:
    """The forms and the list; a file that is sent becomes a private run.

    Without an account it is one file at a time, and gone with the session.
    """
    if request.method != "POST":
        return show_form(request)
    most_bytes = None if request.user.is_authenticated else guests.MOST_BYTES
    if is_hopeless(request.META.get("CONTENT_LENGTH") or "", most_bytes):
        return show_form(request, too_large(most_bytes))
    handler = BoundedUploadHandler(request, most_bytes)
    request.upload_handlers = [handler]
    response: HttpResponseBase = receive(request)
    return response


@csrf_protect
def receive(request: HttpRequest) -> HttpResponseBase:
    handler = request.upload_handlers[0]
    is_guest = not request.user.is_authenticated
    try:
        form = UploadForm(
            request.POST.get("title", "")[:MAX_TITLE_CHARS], request.POST.get("suite")
        )
        file = request.FILES.get("file")
    except (MultiPartParserError, StopUpload, OSError):
        return show_form(request, BROKEN_OFF)
    if isinstance(handler, BoundedUploadHandler) and handler.is_too_large:
        return show_form(request, too_large(guests.MOST_BYTES if is_guest else None), form)
    if is_guest and "forget" in request.POST:
        guests.forget(request.session)
        return redirect("view")
    if is_guest and form.suite is not None:  # scoring needs an account
        return redirect_to_login(request.get_full_path())
    if file is None:
        return show_form(request, NO_FILE, form)
    try:
        if is_guest:
            return show_to_guest(request, file, form.title)
        if form.suite is not None:
            return redirect(score_files(user_of(request), on_disk(file), form.suite, form.title))
        return redirect(address_of(bring_in(user_of(request), on_disk(file), form.title)))
    except ProblemError as error:
        return show_form(request, error.problem, form)


def show_to_guest(request: HttpRequest, file: UploadedFile[Any], title: str) -> HttpResponse:
    """To the replay behind the link that this session alone follows."""
    visitor = client_address(request.META)
    run = guests.show_to_guest(request.session, visitor, on_disk(file), title)
    request.session.set_expiry(0)  # it ends with the browser
    return redirect(guest_address(run, request.session[guests.IN_SESSION]["token"]))


def guest_address(run: Run, token: str) -> str:
    return f"/shared/{token}{address_of(run)}"


def address_of(run: Run) -> str:
    """The replay of an upload with one attempt, else the list of its attempts."""
    first = list(run.attempts.select_related("task").order_by("pk")[:2])
    return (first[0] if len(first) == 1 else run).get_absolute_url()


def show_form(
    request: HttpRequest, problem: Problem | None = None, form: UploadForm | None = None
) -> HttpResponse:
    if not request.user.is_authenticated:
        return show_guest_form(request, problem, form)
    owner = user_of(request)
    runs = (
        Run.objects.filter(entry__owner_id=owner.pk, imports__isnull=False)
        .select_related("entry", "link")
        .prefetch_related(Prefetch("imports", Import.objects.select_related("blob")))
        .annotate(total=Count("attempts"))
        .order_by("-pk")
    )
    context = {
        "problem": problem,
        "form": form,
        "suites": playable_suites(),
        "layout": LAYOUT,
        "page": Paginator(runs, PAGE_ROWS).get_page(request.GET.get("page")),
        "quota": quotas.count_uploads(owner),
        "most_mb": quotas.most_bytes() >> 20,
        "days": settings.UPLOAD_DAYS,
    }
    return render(request, "uploads/view.html", context, status=status_of_form(problem))


def show_guest_form(
    request: HttpRequest, problem: Problem | None, form: UploadForm | None
) -> HttpResponse:
    shown = guests.find_shown(request.session)
    context = {
        "problem": problem,
        "form": form,
        "shown": shown[0] if shown else None,
        "shown_address": guest_address(*shown) if shown else "",
        "most_mb": guests.MOST_BYTES >> 20,
    }
    return render(request, "uploads/view.html", context, status=status_of_form(problem))


@login_required
@require_safe
def original(request: HttpRequest, run_id: int) -> HttpResponseBase:
    """The bytes as they came, for their owner alone, sent so that no browser runs them."""
    run = own_run(request, run_id)
    uploads = Import.objects.filter(run=run).select_related("blob")
    found = get_object_or_404(uploads)
    return send_attachment(found.blob, found.name)


@login_required
@require_POST
def delete(request: HttpRequest, run_id: int) -> HttpResponse:
    run = own_run(request, run_id)
    if not Import.objects.filter(run=run).exists():
        raise Http404("Only uploads can be deleted.")
    try:
        delete_upload(run)
    except ProblemError as error:
        messages.error(request, error.problem.sentence)
    else:
        messages.success(request, "The upload was deleted, with everything that was made from it.")
    return redirect("view")


@login_required
@require_POST
def execute(request: HttpRequest, run_id: int) -> HttpResponse:
    """Queue a run that plays the upload's code again on the suite's inputs."""
    run = own_run(request, run_id)
    try:
        executed = execute_upload(user_of(request), run)
    except ProblemError as error:
        messages.error(request, error.problem.sentence)
        return redirect(run)
    messages.success(request, "Queued: the recorded code is executed here, step by step.")
    return redirect(executed)
