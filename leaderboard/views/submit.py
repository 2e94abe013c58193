"""Submitting an endpoint: the form, the preflight's report on the draft, and into the queue."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from leaderboard import keys, preflights, quotas
from leaderboard.forms import SubmissionForm, runnable_suites, submission_of
from leaderboard.models import Draft, Run, Suite
from leaderboard.submitting import submit as queue_submission
from leaderboard.views.acting import user_of
from leaderboard.views.caching import has_copy
from runner.contract import ProblemError

UNPROCESSABLE = 422


@login_required
def submit(request: HttpRequest) -> HttpResponse:
    """The form; what it takes becomes a draft, whose preflight is asked for."""
    draft = draft_in_question(request)
    if request.method != "POST":
        return show_form(request, SubmissionForm(initial=said_in(draft)), draft)
    form = SubmissionForm(request.POST)
    if not form.is_valid():
        return show_form(request, form, draft, UNPROCESSABLE)
    key, extra_body = (form.cleaned_data[name] for name in ("api_key", "extra_body"))
    draft = preflights.save_draft(user_of(request), form.facts, key, draft, extra_body)
    preflights.ask(draft)
    return redirect(draft)


def said_in(draft: Draft | None) -> dict[str, Any] | None:
    """What the form begins with: all that the draft's owner said, but for the key."""
    if draft is None:
        return None
    try:
        return {**draft.facts, "extra_body": keys.decrypt(draft.encrypted_extra)}
    except ProblemError:
        return dict(draft.facts)  # it cannot be read any more


def draft_in_question(request: HttpRequest) -> Draft | None:
    """The draft that the address names, if it is the user's: `?draft=7`."""
    wanted = request.GET.get("draft", "")
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) < 16):
        return None
    return get_object_or_404(drafts_of(request), pk=int(wanted))


def drafts_of(request: HttpRequest) -> QuerySet[Draft]:
    return Draft.objects.filter(owner_id=user_of(request).pk)


def show_form(
    request: HttpRequest, form: SubmissionForm, draft: Draft | None, status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "draft": draft,
        "quota": quotas.count(user_of(request)),
        "has_suite": runnable_suites().exists(),
    }
    return render(request, "submit.html", context, status=status)


@login_required
def draft(request: HttpRequest, draft_id: int) -> HttpResponse:
    """What the preflight found, and the forecast; asked again by the page until it is there."""
    found = get_object_or_404(drafts_of(request), pk=draft_id)
    is_overdue = preflights.is_overdue(found)
    tag = f'"{found.pk}-{found.asked_at}-{bool(found.report)}-{is_overdue}"'
    if has_copy(request, tag):
        return HttpResponseNotModified(headers={"ETag": tag})
    response = render(request, "draft.html", describe_draft(request, found, is_overdue, tag))
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-store"  # a 304 for a visit would hide its messages
    return response


def describe_draft(
    request: HttpRequest, found: Draft, is_overdue: bool, tag: str
) -> dict[str, object]:
    facts = found.facts
    suite = Suite.objects.filter(pk=facts["suite"]).first()
    attempts = (suite.tasks.count() if suite else 0) * facts["attempts_per_task"]
    measures = found.report.get("measures", {})
    return {
        "draft": found,
        "facts": facts,
        "suite": suite,
        "is_over": bool(found.report) or is_overdue,
        "is_overdue": is_overdue,
        "forecast": preflights.forecast(measures, attempts, facts["concurrency"]),
        "measures": measures,
        "quota": quotas.count(user_of(request)),
        "etag": tag,
    }


@login_required
@require_POST
def check_again(request: HttpRequest, draft_id: int) -> HttpResponse:
    found = get_object_or_404(drafts_of(request), pk=draft_id)
    if not preflights.ask(found):
        messages.info(request, "A check of yours is under way. Ask again when it is over.")
    return redirect(found)


@login_required
@require_POST
def discard(request: HttpRequest, draft_id: int) -> HttpResponse:
    get_object_or_404(drafts_of(request), pk=draft_id).delete()
    messages.success(request, "The draft and its key are gone.")
    return redirect("submissions")


@login_required
@require_POST
def queue(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Make the draft a run. What stands in the way is said on the draft's page."""
    try:
        return redirect(make_run(request, draft_id))
    except ProblemError as error:
        messages.error(request, error.problem.sentence)
        return redirect("draft", draft_id)
    except Suite.DoesNotExist:
        messages.error(request, "The suite of this draft is gone. Choose another one.")
        return redirect(f"{reverse('submit')}?draft={draft_id}")


@transaction.atomic
def make_run(request: HttpRequest, draft_id: int) -> Run:
    """The draft's run, in its place; a second click finds no draft."""
    found = get_object_or_404(drafts_of(request).select_for_update(), pk=draft_id)
    preflights.require_usable(found)
    extra_body = keys.decrypt_object(found.encrypted_extra)
    submission = submission_of(found.facts, keys.decrypt(found.encrypted_key), extra_body)
    run = queue_submission(user_of(request), submission, found.report)
    found.delete()
    return run
