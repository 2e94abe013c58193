"""Submitting an endpoint: the form, the preflight's report on the draft, and into the queue."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
    JsonResponse,
    QueryDict,
)
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from leaderboard.accounts import quotas
from leaderboard.board.queries import choose_suite, list_suites
from leaderboard.models import Draft, Run, Suite
from leaderboard.money.lookup import find_price
from leaderboard.money.providers import provider_of
from leaderboard.queue import preflights
from leaderboard.storage import encryption
from leaderboard.submissions import drafts
from leaderboard.submissions.command_line import write_command
from leaderboard.submissions.endpoint_policy import is_for_this_machine
from leaderboard.submissions.forecast import Use, forecast
from leaderboard.submissions.forecast_words import (
    say_ceiling,
    say_commitment,
    say_difference,
    say_source,
)
from leaderboard.submissions.forms import SubmissionForm, runnable_suites, submission_of
from leaderboard.submissions.local_servers import (
    LocalSearch,
    offer_of,
    search_servers,
)
from leaderboard.submissions.past_runs import list_past_runs
from leaderboard.submissions.submit import submit as queue_submission
from leaderboard.views.access import user_of
from leaderboard.views.conditional import has_copy
from runner.contract import Limits, ProblemError, refusal
from runner.endpoint.extras.extra_headers import KEPT

ACCEPTED, UNPROCESSABLE = 202, 422


@login_required
def submit(request: HttpRequest) -> HttpResponse:
    """The form; what it takes becomes a draft, whose preflight is asked for."""
    draft = draft_in_question(request)
    if request.method == "POST" and request.POST.get("act") == "list":
        return list_models(request, draft)
    if request.method == "POST" and {"search", "offer"} & request.POST.keys():
        return fill_in_local(request, draft)
    if request.method != "POST":
        initial = said_in(draft) or said_in_address(request.GET)
        return show_form(request, SubmissionForm(initial=initial), draft)
    form = posted_form(request, draft)
    if not form.is_valid():
        draft = drafts.keep_refused(user_of(request), form, draft)
        return show_form(request, form, draft, UNPROCESSABLE)
    secrets = ("api_key", "extra_body", "extra_headers")
    key, extra_body, headers = (form.cleaned_data[name] for name in secrets)
    draft = drafts.save_draft(user_of(request), form.facts, key, draft, extra_body, headers)
    try:
        drafts.ask_for_draft(draft)
    except ProblemError as error:
        messages.error(request, error.problem.sentence)
    return redirect(draft)


def posted_form(request: HttpRequest, draft: Draft | None) -> SubmissionForm:
    """The posted form, with the headers that the draft keeps for the same address."""
    base_url = request.POST.get("base_url", "").strip()
    try:
        kept = drafts.headers_for(draft, base_url)
    except ProblemError:  # they cannot be read any more
        kept = {}
    return SubmissionForm(request.POST, kept_headers=kept)


def list_models(request: HttpRequest, draft: Draft | None) -> HttpResponse:
    """The answer to "List its models" without JavaScript; a refused one keeps the key."""
    form = posted_form(request, draft)
    form.is_valid()
    try:
        draft = ask_for_models(request, form, draft)
    except ProblemError as error:
        messages.error(request, error.problem.sentence.strip())
        draft = keep_typed_key(request, form, draft)
        return show_form(request, SubmissionForm(initial=form.typed), draft, UNPROCESSABLE)
    return redirect(f"{reverse('submit')}?draft={draft.pk}")


def keep_typed_key(request: HttpRequest, form: SubmissionForm, draft: Draft | None) -> Draft | None:
    """The draft that keeps a key typed into a form that is shown again; a checked one is left."""
    if not form.cleaned_data.get("api_key"):
        return draft
    unfinished = None if draft and draft.is_complete else draft
    return drafts.keep_refused(user_of(request), form, unfinished)


def fill_in_local(request: HttpRequest, draft: Draft | None) -> HttpResponse:
    """The form as it was typed, with the model servers of this machine or the model of one."""
    if not is_for_this_machine():
        raise Http404
    form = posted_form(request, draft)
    form.is_valid()
    draft = keep_typed_key(request, form, draft)
    values = form.typed | offer_of(request.POST.get("offer", ""))
    search = search_servers(int(request.get_port())) if "search" in request.POST else None
    return show_form(request, SubmissionForm(initial=values), draft, search=search)


def ask_for_models(request: HttpRequest, form: SubmissionForm, draft: Draft | None) -> Draft:
    """Keep what a form says that was looked through, and ask a worker for the endpoint's models.

    ProblemError for an address that is not called from here, a key that cannot be sent, while
    another of the user's drafts is looked at, or while a run is at work at a port of this machine.
    """
    for name in ("base_url", "api_key"):
        for error in form.errors.get(name, ()):
            raise refusal("bad_field", str(error), "")
    return drafts.ask_for_models(user_of(request), form, draft)


@login_required
@require_POST
def ask_models(request: HttpRequest) -> JsonResponse:
    """Ask for the models of the address and key in the form; the answer says where they will be."""
    draft = draft_in_question(request)
    form = posted_form(request, draft)
    form.is_valid()
    try:
        draft = ask_for_models(request, form, draft)
    except ProblemError as error:
        return answer_json({"said": error.problem.sentence.strip()}, UNPROCESSABLE)
    address = reverse("draft-models", args=[draft.pk])
    return answer_json({"draft": draft.pk, "address": address}, ACCEPTED)


@login_required
@require_GET
def listed_models(request: HttpRequest, draft_id: int) -> JsonResponse:
    """The names, once a worker has asked; 202 until then."""
    draft = get_object_or_404(drafts_of(request), pk=draft_id)
    if preflights.is_overdue(draft):
        return answer_json({"said": "No worker is free to ask it. Type the model's name."})
    if not draft.report:
        return answer_json({}, ACCEPTED)
    checks = draft.report.get("checks", ())
    last = checks[-1] if checks else {}
    said = f"{last.get('said', '')} {last.get('next_step', '')}".strip()
    return answer_json({"models": draft.listed_models, "said": said})


def answer_json(content: dict[str, object], status: int = 200) -> JsonResponse:
    return JsonResponse(content, status=status, headers={"Cache-Control": "no-store"})


def said_in(draft: Draft | None) -> dict[str, Any] | None:
    """Initial data of the form: all that the draft's owner entered, but for the key."""
    if draft is None:
        return None
    try:
        headers = encryption.decrypt_headers(draft.encrypted_headers)
        lines = "\n".join(f"{name}: {KEPT}" for name in headers)
        extra_body = encryption.decrypt(draft.encrypted_extra)
        return {**draft.facts, "extra_body": extra_body, "extra_headers": lines}
    except ProblemError:
        return dict(draft.facts)  # it cannot be read any more


def said_in_address(asked: QueryDict) -> dict[str, Any] | None:
    """Initial data of the form: the suite of a link, else the one that the site opens with.

    Never an address: a link could lead a key to a stranger's server.
    """
    name, _, version = asked.get("suite", "").partition("@")
    suite = runnable_suites().filter(name=name[:60], version=version[:40]).first()
    suite = suite or choose_suite(list_suites(), "")
    return {"suite": suite.pk} if suite else None


def draft_in_question(request: HttpRequest) -> Draft | None:
    """The draft that the address names, if it is the user's: `?draft=7`."""
    wanted = request.GET.get("draft", "")
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) < 16):
        return None
    return get_object_or_404(drafts_of(request), pk=int(wanted))


def drafts_of(request: HttpRequest) -> QuerySet[Draft]:
    return Draft.objects.filter(owner_id=user_of(request).pk)


def show_form(
    request: HttpRequest,
    form: SubmissionForm,
    draft: Draft | None,
    status: int = 200,
    search: LocalSearch | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "draft": draft,
        "quota": quotas.count(user_of(request)),
        "has_suite": runnable_suites().exists(),
        "is_local": is_for_this_machine(),
        "search": search,
        "is_open": is_more_said(form),
        "is_asking": bool(draft and draft.asked_at and not draft.report and not draft.is_complete),
    }
    return render(request, "submit/submit.html", context, status=status)


def is_more_said(form: SubmissionForm) -> bool:
    """True if a folded field has an error, or another value than a new form."""
    if any(name in form.errors for name in form.folded):
        return True
    return any(form.has_changed_from_new(name) for name in form.folded)


@login_required
def draft(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Result of the preflight, and the forecast; the page asks again until it is there."""
    found = get_object_or_404(drafts_of(request), pk=draft_id)
    if not found.is_complete:
        return redirect(f"{reverse('submit')}?draft={found.pk}")
    is_overdue = preflights.is_overdue(found)
    tag = f'"{found.pk}-{found.asked_at}-{bool(found.report)}-{is_overdue}"'
    if has_copy(request, tag):
        return HttpResponseNotModified(headers={"ETag": tag})
    response = render(request, "submit/draft.html", describe_draft(request, found, is_overdue, tag))
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-store"  # a 304 for a visit would hide its messages
    return response


def describe_draft(
    request: HttpRequest, found: Draft, is_overdue: bool, tag: str
) -> dict[str, object]:
    facts = found.facts
    suite = Suite.objects.filter(pk=facts["suite"]).first()
    tasks = suite.tasks.count() if suite else 0
    attempts = tasks * facts["attempts_per_task"]
    measures = found.report.get("measures", {})
    provider = provider_of(str(facts["base_url"]))
    price = find_price(provider, str(facts["model"]), timezone.now().date())
    past = list_past_runs([suite.pk]).get(suite.pk, ()) if suite else ()
    use = Use(
        attempts,
        facts["concurrency"],
        facts.get("max_tokens"),
        suite.limits.get("max_turns", Limits().max_turns) if suite else Limits().max_turns,
    )
    expected = forecast(measures, use, price, past)
    return {
        "draft": found,
        "facts": facts,
        "suite": suite,
        "is_over": bool(found.report) or is_overdue,
        "is_overdue": is_overdue,
        "forecast": expected,
        "commitment": say_commitment(expected),
        "source": say_source(expected, len(past)),
        "difference": say_difference(
            tasks, facts["attempts_per_task"], suite.ranked if suite else 0
        ),
        "ceiling_words": say_ceiling(
            expected, facts.get("ceiling_tokens"), facts.get("ceiling_dollars")
        ),
        "command": write_command(
            request.build_absolute_uri("/").rstrip("/"),
            suite.reference if suite else "",
            facts,
            has_key=bool(found.encrypted_key),
            has_extra=bool(found.encrypted_extra),
            has_headers=bool(found.encrypted_headers),
        ),
        "price": price,
        "measures": measures,
        "quota": quotas.count(user_of(request)),
        "etag": tag,
    }


@login_required
@require_POST
def check_again(request: HttpRequest, draft_id: int) -> HttpResponse:
    found = get_object_or_404(drafts_of(request), pk=draft_id)
    try:
        if not drafts.ask_for_draft(found):
            messages.info(
                request, "One of your drafts is being checked. Try again when that check has ended."
            )
    except ProblemError as error:
        messages.error(request, error.problem.sentence)
    return redirect(found)


@login_required
@require_POST
def discard(request: HttpRequest, draft_id: int) -> HttpResponse:
    get_object_or_404(drafts_of(request), pk=draft_id).delete()
    messages.success(request, "The draft and its key were deleted.")
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
        messages.error(
            request, "The suite of this draft is no longer installed. Choose another one."
        )
        return redirect(f"{reverse('submit')}?draft={draft_id}")


@transaction.atomic
def make_run(request: HttpRequest, draft_id: int) -> Run:
    """The draft's run, in its place; a second click finds no draft."""
    quotas.lock(user_of(request))
    found = get_object_or_404(drafts_of(request).select_for_update(), pk=draft_id)
    drafts.require_usable(found)
    extra_body = encryption.decrypt_object(found.encrypted_extra)
    headers = encryption.decrypt_headers(found.encrypted_headers)
    key = encryption.decrypt(found.encrypted_key)
    submission = submission_of(found.facts, key, extra_body, headers)
    run = queue_submission(user_of(request), submission, found.report)
    found.delete()
    return run
