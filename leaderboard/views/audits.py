"""Private runs as auditors read them, their list, and the owner's page that lets auditors in.

The door is built as the one of links: addresses behind it are the site's with the run in front,
and the run's own pages answer there. No other page knows auditors.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import ResolverMatch, resolve
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from leaderboard.audits.grants import (
    BY_OWNER,
    AuditReader,
    end_grants,
    is_auditor,
    let_audit,
    let_audit_all,
    list_audited,
    list_auditors,
    note_look,
)
from leaderboard.ledger.public_names import public_name
from leaderboard.models import AuditGrant, AuditLook, Dispute, Run
from leaderboard.views.access import own_run, user_of
from leaderboard.views.shared_runs import answer, is_shown, leave, not_found, protect
from runner.contract import ProblemError

PAGE_ROWS = 50
MAX_LOOKS = 100  # days shown
OF_DISPUTE = frozenset({"dispute", "dispute-file"})


@require_safe
def audits(request: HttpRequest) -> HttpResponse:
    """The list of runs that the auditor may read; 404 for everybody else."""
    if not is_auditor(request.user):
        raise Http404("There is no such page.")
    runs = list_audited(request.user).select_related("entry", "suite")
    page = Paginator(runs.order_by("-since", "-pk"), PAGE_ROWS).get_page(request.GET.get("page"))
    return render(request, "audits/audits.html", {"page": page})


@require_safe
def follow(request: HttpRequest, run_id: int, path: str = "") -> HttpResponseBase:
    """The page at `path` for an auditor whom the owner let in; 404 for everybody else."""
    auditor = request.user
    run = list_audited(auditor).filter(pk=run_id).first() if auditor.is_authenticated else None
    if run is None:
        return protect(not_found(request))
    prefix = f"/audits/{run.pk}/"
    if not path:
        return protect(redirect(f"{prefix}runs/{run.pk}/"))
    try:
        match = resolve(f"/{path}")
        if not is_open(match, run):
            return protect(leave(request, path))
        response = answer(request, match, AuditReader(run.pk), prefix)
    except Http404:
        return protect(not_found(request))
    note_look(run, auditor)
    return protect(response)


def is_open(match: ResolverMatch, run: Run) -> bool:
    """True for the run's own pages, for its disputes, and for files."""
    if match.url_name in OF_DISPUTE:
        number = match.kwargs["dispute_id"]
        return Dispute.objects.filter(pk=number, attempt__run=run).exists()
    return match.url_name == "disputes" or is_shown(match, run)


@login_required
@never_cache
@require_safe
def auditors(request: HttpRequest, run_id: int) -> HttpResponse:
    """The owner's page: whom they let read the run, and on which days it was read."""
    run = own_run(request, run_id)
    grants = list(run.audit_grants.all())
    of_all = AuditGrant.objects.filter(owner=user_of(request).pk)
    context = {
        **name_grants(request, grants),
        "run": run,
        "of_all": [public_name(number) for number in of_all.values_list("auditor", flat=True)],
        "looks": run.audit_looks.all()[:MAX_LOOKS],
        "most_looks": MAX_LOOKS,
    }
    return render(request, "audits/auditors.html", context)


def name_grants(request: HttpRequest, grants: list[AuditGrant]) -> dict[str, Any]:
    """Leaves and auditors that are left to choose, with their public names."""
    taken = {user_of(request).pk, *(grant.auditor_id for grant in grants)}
    return {
        "grants": [(grant, public_name(grant.auditor_id)) for grant in grants],
        "choices": [(one.pk, public_name(one)) for one in list_auditors() if one.pk not in taken],
    }


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_auditors(request: HttpRequest) -> HttpResponse:
    """Auditors whom an owner lets read all private runs: the list, and one more."""
    owner = user_of(request)
    if request.method == "POST":
        try:
            grant = let_audit_all(owner, read_auditor(request))
        except ProblemError as error:
            messages.error(request, error.problem.sentence)
        else:
            name = public_name(grant.auditor_id).capitalize()
            messages.success(request, f"{name} can read all your private runs now.")
        return redirect("own-auditors")
    looks = AuditLook.objects.filter(run__entry__owner=owner.pk)
    context = {
        **name_grants(request, list(AuditGrant.objects.filter(owner=owner.pk))),
        "looks": looks.select_related("run")[:MAX_LOOKS],
        "most_looks": MAX_LOOKS,
    }
    return render(request, "audits/own_auditors.html", context)


@login_required
@require_POST
def shut_out_all(request: HttpRequest) -> HttpResponse:
    owner = user_of(request)
    found = AuditGrant.objects.filter(owner=owner.pk, auditor=read_auditor(request))
    if end_grants(found, BY_OWNER):
        messages.success(request, "Taken back: this auditor reads only runs that you name.")
    return redirect("own-auditors")


@login_required
@require_POST
def let_in(request: HttpRequest, run_id: int) -> HttpResponse:
    run = own_run(request, run_id)
    try:
        grant = let_audit(run.pk, read_auditor(request))
    except ProblemError as error:
        messages.error(request, error.problem.sentence)
    else:
        name = public_name(grant.auditor_id).capitalize()
        messages.success(request, f"{name} can read this run now.")
    return redirect("run-auditors", run.pk)


@login_required
@require_POST
def shut_out(request: HttpRequest, run_id: int) -> HttpResponse:
    run = own_run(request, run_id)
    if end_grants(AuditGrant.objects.filter(run=run, auditor=read_auditor(request)), BY_OWNER):
        messages.success(request, "Taken back: this auditor can no longer read the run.")
    return redirect("run-auditors", run.pk)


def read_auditor(request: HttpRequest) -> int:
    """Number of the account that the form names; 0, which nobody has, for anything else."""
    value = request.POST.get("auditor", "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else 0
