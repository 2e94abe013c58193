"""Judges on trial, labels by people, and the maintainers' page that asks judges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from leaderboard.judge import actions
from leaderboard.judge.asked import AskForm, CeilingForm
from leaderboard.judge.labels import LabelForm
from leaderboard.judge.paper_tables import human_check
from leaderboard.judge.trial import (
    DISAGREEMENTS,
    list_disagreements,
    list_judges,
    try_judge,
)
from leaderboard.judge.trial_record import record_trial
from leaderboard.judge.verdicts import judged_all, with_counts
from leaderboard.models import Judge, Judging
from leaderboard.views.access import find_attempt, user_of
from runner.contract import ProblemError
from runner.judge.prompts import CRITERIA

PAGE_ROWS = 50


def trial(request: HttpRequest) -> HttpResponse:
    """All judges in a table, and one of them in detail."""
    judges = list_judges()
    trials = [try_judge(judge) for judge in judges]
    chosen = choose(request, judges)
    kind = request.GET.get("kind", "")
    kind = kind if kind in DISAGREEMENTS else ""
    context: dict[str, Any] = {
        "trials": trials,
        "chosen": next((one for one in trials if one.judge == chosen), None),
        "kind": kind,
        "kept": f"judge={chosen.slug}&kind={kind}" if chosen else "",
        "criteria": CRITERIA,
        "paper": human_check(),
    }
    if chosen:
        found = list_disagreements(chosen, kind)
        context["page"] = Paginator(found, PAGE_ROWS).get_page(request.GET.get("page"))
    return render(request, "judge/trial.html", context)


def choose(request: HttpRequest, judges: list[Judge]) -> Judge | None:
    """The judge that the address names, else the first. 404 for an unknown one."""
    wanted = request.GET.get("judge", "")
    if not wanted:
        return judges[0] if judges else None
    found = next((judge for judge in judges if judge.slug == wanted), None)
    if found is None:
        raise Http404("There is no such judge.")
    return found


def trial_json(request: HttpRequest) -> JsonResponse:
    """The same figures for programs."""
    paper = human_check()
    return JsonResponse(
        {
            "judges": [record_trial(try_judge(judge)) for judge in list_judges()],
            "paper_table_6": paper and {**asdict(paper), "agreement": asdict(paper.agreement)},
        }
    )


@login_required
@require_http_methods(["GET", "POST"])
def ask(request: HttpRequest) -> HttpResponse:
    """Judge a run or a board, and follow what was asked for. Maintainers only."""
    require_maintainer(request)
    form = AskForm(request.POST or None)
    status = 200
    if request.method == "POST":
        try:
            if form.is_valid():
                count = len(form.save(user_of(request)))
                messages.success(request, f"Requested verdicts on {count} runs.")
                return redirect("judge-ask")
        except ProblemError as error:
            form.add_error(None, error.problem.sentence)
        status = 400
    judgings = with_counts(Judging.objects.select_related("judge", "run__entry", "run__suite"))
    page = Paginator(judgings.order_by("-pk"), PAGE_ROWS).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "judgings": judged_all(list(page.object_list))}
    return render(request, "judge/ask.html", context, status=status)


@login_required
@require_POST
def stop(request: HttpRequest, judging_id: int) -> HttpResponse:
    return act(request, judging_id, actions.stop, "stopped")


@login_required
@require_POST
def resume(request: HttpRequest, judging_id: int) -> HttpResponse:
    """Go on, at another ceiling if the form has one."""
    form = CeilingForm(request.POST)
    if not form.is_valid():
        require_maintainer(request)
        messages.error(request, " ".join(str(e) for errors in form.errors.values() for e in errors))
        return redirect("judge-ask")

    def go_on(pk: int) -> Judging:
        return actions.resume(pk, ceiling=form.ceiling, asked_by=user_of(request))

    return act(request, judging_id, go_on, "queued")


def act(
    request: HttpRequest, judging_id: int, do: Callable[[int], Judging], words: str
) -> HttpResponse:
    require_maintainer(request)
    get_object_or_404(Judging, pk=judging_id)
    try:
        judging = do(judging_id)
        messages.success(request, f"The judging of run {judging.run_id} is {words}.")
    except ProblemError as error:
        messages.error(request, error.problem.sentence)
    return redirect("judge-ask")


def require_maintainer(request: HttpRequest) -> None:
    """404 for others: for them the page does not exist."""
    if not getattr(request.user, "is_staff", False):
        raise Http404


@login_required
@require_POST
def label(request: HttpRequest, run_id: int, key: str) -> HttpResponse:
    """Keep the reader's own verdict on an attempt that is over."""
    attempt = find_attempt(request, run_id, key)
    if attempt.passed is None:
        raise Http404("Only an attempt with a verdict of its check takes a label.")
    form = LabelForm(request.POST)
    if form.is_valid():
        messages.success(request, form.save(attempt, user_of(request)))
    else:
        messages.error(request, "The label was not kept: choose pass, fail or none.")
    return redirect(f"{attempt.get_absolute_url()}#label")
