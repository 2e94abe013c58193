"""Finding the one attempt that an address names."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from leaderboard.models import Attempt, Run


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
    if not (value.isascii() and value.isdigit() and len(value) < 5):
        raise Http404(f"“{name}” must be a number.")
    return int(value)
