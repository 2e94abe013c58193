"""Opening a session in which a person plays a task."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from leaderboard.by_hand.session import open_session, sessions_of
from leaderboard.views.access import user_of
from leaderboard.views.tasks import find_suite, find_task
from runner.contract import ProblemError


@login_required
@require_POST
def begin(request: HttpRequest, suite: str, key: str) -> HttpResponse:
    """Open a session at the task; while another one is open, lead there."""
    task = find_task(find_suite(request, suite), key)
    try:
        return redirect(open_session(user_of(request), task))
    except ProblemError as error:
        messages.error(request, error.problem.sentence)
        opened = sessions_of(user_of(request)).open().select_related("task").first()
        return redirect(opened or task)
