"""Who acts: the signed-in user, and the runs that are theirs to act on."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from leaderboard.models import Run


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
