"""The owner's runs: their list, and what an owner does with one."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from leaderboard.accounts import quotas
from leaderboard.models import Draft, Run
from leaderboard.submissions import pauses, run_actions
from leaderboard.submissions.forms import ResumeForm
from leaderboard.views.access import own_run, user_of
from leaderboard.views.runs import show_run
from runner.contract import ProblemError, Status

PAGE_ROWS = 50

View = Callable[[HttpRequest, int], HttpResponse]


@login_required
def listing(request: HttpRequest) -> HttpResponse:
    owner = user_of(request)
    ended = Q(attempts__status=Status.DONE)
    runs = (
        Run.objects.filter(entry__owner_id=owner.pk)
        .select_related("entry", "suite", "review")
        .annotate(
            total=Count("attempts"),
            ended=Count("attempts", ended),
            passed=Count("attempts", Q(attempts__passed=True)),
            void=Count("attempts", Q(attempts__status=Status.DONE, attempts__passed=None)),
        )
        .order_by("-pk")
    )
    context = {
        "page": Paginator(runs, PAGE_ROWS).get_page(request.GET.get("page")),
        "drafts": Draft.objects.filter(owner_id=owner.pk).defer(
            "encrypted_key", "encrypted_extra", "encrypted_headers"
        ),
        "quota": quotas.count(owner),
    }
    return render(request, "entry/my_runs.html", context)


@login_required
def account(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    context = {"quota": quotas.count(user)}
    return render(request, "account/account.html", context)


def act(work: Callable[[int], Run], said: str) -> View:
    """A view that does `work` with the user's run and says so on the run's page."""

    @login_required
    @require_POST
    def view(request: HttpRequest, run_id: int) -> HttpResponse:
        return do_and_say(request, run_id, work, said)

    return view


def do_and_say(
    request: HttpRequest, run_id: int, work: Callable[[int], Run], said: str
) -> HttpResponse:
    """Do `work` with the user's run, and say how it went on the run's page."""
    run = own_run(request, run_id)
    try:
        work(run.pk)
    except ProblemError as error:
        messages.error(request, error.problem.sentence)
    else:
        messages.success(request, said)
    return redirect(run)


@login_required
@require_POST
def resume(request: HttpRequest, run_id: int) -> HttpResponse:
    """Go on with a paused or cancelled run, with another key or ceiling if the form has one."""
    run = own_run(request, run_id)
    form = ResumeForm(run, request.POST)
    if form.is_valid():
        try:
            pauses.resume(run.pk, **form.cleaned_data)
        except ProblemError as error:
            form.refuse(error.problem.sentence)
    if form.errors:
        if run.is_paused and not run.is_checking_key:
            return show_run(request, run_id, form)  # with the form as it was filled in
        messages.error(request, " ".join(form.sentences))
        return redirect(run)
    said = "Resumed. The remaining attempts are queued."
    if form.cleaned_data["api_key"]:
        said = "The key was stored. The run goes on once a worker has checked it."
    messages.success(request, said)
    return redirect(run)


cancel = act(
    run_actions.cancel,
    "Cancelled. Running attempts stop within seconds; verdicts are kept.",
)
pause = act(pauses.pause, "Paused. Attempts in progress were stopped and restart when you resume.")
retry = act(run_actions.retry, "The attempts that did not count are queued again.")
publish = act(run_actions.publish, "Published: everybody can see this run now.")
withdraw = act(run_actions.withdraw, "Withdrawn: only you can see this run now.")
