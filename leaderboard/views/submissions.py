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

from leaderboard import quotas, submissions
from leaderboard.models import Draft, Run
from leaderboard.views.acting import own_run, user_of
from runner.contract import ProblemError, Status

PAGE_ROWS = 50

View = Callable[[HttpRequest, int], HttpResponse]


@login_required
def listing(request: HttpRequest) -> HttpResponse:
    owner = user_of(request)
    ended = Q(attempts__status__in=(Status.DONE, Status.CANCELLED))
    runs = (
        Run.objects.filter(entry__owner_id=owner.pk)
        .select_related("entry", "suite")
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
        "drafts": Draft.objects.filter(owner_id=owner.pk).defer("encrypted_key", "encrypted_extra"),
        "quota": quotas.count(owner),
    }
    return render(request, "submissions.html", context)


@login_required
def account(request: HttpRequest) -> HttpResponse:
    return render(request, "account.html", {"quota": quotas.count(user_of(request))})


def act(work: Callable[[int], Run], said: str) -> View:
    """A view that does `work` with the user's run and says so on the run's page."""

    @login_required
    @require_POST
    def view(request: HttpRequest, run_id: int) -> HttpResponse:
        run = own_run(request, run_id)
        try:
            work(run.pk)
        except ProblemError as error:
            messages.error(request, error.problem.sentence)
        else:
            messages.success(request, said)
        return redirect(run)

    return view


cancel = act(
    submissions.cancel,
    "Cancelled. Attempts under way stop within seconds; what has a verdict stays.",
)
retry = act(submissions.retry, "The void attempts are queued again.")
publish = act(submissions.publish, "Published: everybody can read this run now.")
withdraw = act(submissions.withdraw, "Withdrawn: nobody but you can read this run now.")
