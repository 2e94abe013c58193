"""Access to runs and attempts that a view shows or changes: 404 for all others."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from leaderboard.models import Attempt, Run


def user_of(request: HttpRequest) -> AbstractBaseUser:
    """The user of a view that asks for one."""
    user = request.user
    assert isinstance(user, AbstractBaseUser)
    return user


def own_run(request: HttpRequest, run_id: int) -> Run:
    """The user's run; 404 for anybody else's, public or not."""
    own = Run.objects.filter(entry__owner_id=user_of(request).pk)
    run: Run = get_object_or_404(own, pk=run_id)
    return run


def is_owner(request: HttpRequest, run: Run) -> bool:
    """True if the run is the reader's own."""
    return request.user.is_authenticated and run.entry.owner_id == request.user.pk


def find_attempt(request: HttpRequest, run_id: int, key: str) -> Attempt:
    """The attempt, with run, entry, task and suite at hand, if the reader may see it."""
    attempt: Attempt = get_object_or_404(
        Attempt.objects.filter(run__in=Run.objects.visible_to(request.user)).select_related(
            "run__entry", "run__suite", "task__suite"
        ),
        run_id=run_id,
        task__key=key,
        number=read_number(request, "attempt", 1),
    )
    return attempt


def read_number(request: HttpRequest, name: str, default: int) -> int:
    """A small positive number from the address; anything else is not found."""
    value = request.GET.get(name, "")
    if not value:
        return default
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise Http404(f"“{name}” must be a number.")
    return int(value)
