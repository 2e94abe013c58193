"""Carrying an attempt on from one of its steps, for the owner of its run."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from leaderboard.accounts import quotas
from leaderboard.forks.fork import fork_attempt
from leaderboard.forks.form import ForkForm, first_facts
from leaderboard.forks.plan import ForkableSteps, read_steps, require_forkable
from leaderboard.models import Attempt
from leaderboard.views.access import find_attempt, own_run, read_number, user_of
from runner.contract import Problem, ProblemError

UNPROCESSABLE = 422


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def fork(request: HttpRequest, run_id: int, key: str) -> HttpResponseBase:
    """The form for what follows a step; what it takes is queued as a private run."""
    own_run(request, run_id)
    attempt = find_attempt(request, run_id, key)
    steps = read_steps(attempt)
    step = read_number(request, "step", steps.last)
    if step > len(steps.steps):
        raise Http404(f"This attempt has {len(steps.steps)} steps.")
    step = min(step, steps.last)  # a final answer is not kept
    if request.method != "POST":
        form = ForkForm(initial=first_facts(attempt, steps.code_of(step + 1)))
        return show_form(request, attempt, steps, step, form)
    form = ForkForm(request.POST)
    if not form.is_valid():
        return show_form(request, attempt, steps, step, form, status=UNPROCESSABLE)
    try:
        made = fork_attempt(user_of(request), attempt, form.plan(step))
    except ProblemError as error:
        return show_form(request, attempt, steps, step, form, error.problem, UNPROCESSABLE)
    return redirect(made)


def show_form(
    request: HttpRequest,
    attempt: Attempt,
    steps: ForkableSteps,
    step: int,
    form: ForkForm,
    problem: Problem | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page; a refusal keeps what was typed, but for the key."""
    try:
        require_forkable(attempt)
    except ProblemError as error:
        problem, is_forkable = error.problem, False
    else:
        is_forkable = True
    context = {
        "attempt": attempt,
        "run": attempt.run,
        "task": attempt.task,
        "steps": steps,
        "step": step,
        "kept": steps.steps[max(0, step - 1) : step],
        "form": form,
        "problem": problem,
        "is_forkable": is_forkable,
        "quota": quotas.count(user_of(request)),
        "chosen_attempt": attempt.number if attempt.number > 1 else 0,
    }
    return render(request, "replay/fork.html", context, status=status)
