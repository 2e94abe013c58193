"""Reviews of runs whose replies may be no model's work: their list, answers and rulings."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from leaderboard.disputes import review_rulings as rulings
from leaderboard.models import Run, RunReview
from leaderboard.views.access import own_run, user_of
from leaderboard.views.runs import show_run
from runner.contract import ProblemError

PAGE_ROWS = 50


@require_safe
def reviews(request: HttpRequest) -> HttpResponse:
    """Reviews of runs that the reader can see, open ones first, then the last ruled on."""
    visible = RunReview.objects.filter(run__in=Run.objects.visible_to(request.user))
    last_ruled = F("ruled_at").desc(nulls_first=True)
    found = visible.select_related("run__entry", "run__suite").order_by(last_ruled, "-pk")
    page = Paginator(found, PAGE_ROWS).get_page(request.GET.get("page"))
    return render(request, "run/reviews.html", {"page": page})


@login_required
@require_POST
def answer(request: HttpRequest, run_id: int) -> HttpResponse:
    """The owner's answer to a review, kept for the maintainers and public with the run."""
    run = own_run(request, run_id)
    review = get_object_or_404(RunReview, run=run)
    try:
        rulings.answer(review, request.POST.get("words", ""))
    except ProblemError as error:
        return show_run(request, run_id, review_problem=error.problem)
    messages.success(request, "Your answer is added. A maintainer reads it before ruling.")
    return redirect(f"{run.get_absolute_url()}#review")


@login_required
@require_POST
def rule(request: HttpRequest, run_id: int) -> HttpResponse:
    """A maintainer's ruling on a review; 404 for everybody else."""
    if not getattr(user_of(request), "is_staff", False):
        raise Http404("Only maintainers rule on reviews.")
    visible = Run.objects.visible_to(request.user)
    review = get_object_or_404(RunReview.objects.filter(run__in=visible), run=run_id)
    form = request.POST
    try:
        rulings.rule(review, request.user, form.get("ruling", ""), form.get("reason", ""))
    except ProblemError as error:
        return show_run(request, run_id, review_problem=error.problem)
    messages.success(request, "Your ruling is added. Ranks follow in a moment.")
    return redirect(f"{review.run.get_absolute_url()}#review")
