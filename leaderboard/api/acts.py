"""What a run's owner can do to it: cancel, retry, publish, withdraw."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard import submissions
from leaderboard.api.listing import Api
from leaderboard.api.runs import WholeRunSerializer, answer_run
from leaderboard.models import Run


class Act(Api):
    """One act on one run. Doing it twice is as doing it once."""

    http_method_names = ["post"]
    permission_classes = (IsAuthenticated,)
    act: ClassVar[Callable[[int], Run]]

    def do(self, request: Request, run_id: int) -> Response:
        run = get_object_or_404(Run.objects.visible_to(request.user), pk=run_id)
        if run.entry.owner_id != request.user.pk:
            raise PermissionDenied
        type(self).act(run.pk)
        return answer_run(request, run.pk)


class Cancel(Act):
    act = submissions.cancel

    @extend_schema(
        tags=["Runs"], operation_id="runs_cancel", request=None, responses=WholeRunSerializer
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Stop a run: queued attempts at once, running ones within seconds; results stay."""
        return self.do(request, run_id)


class Retry(Act):
    act = submissions.retry

    @extend_schema(
        tags=["Runs"], operation_id="runs_retry", request=None, responses=WholeRunSerializer
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Queue the void attempts of a run again; what has a verdict stays as it is."""
        return self.do(request, run_id)


class Publish(Act):
    act = submissions.publish

    @extend_schema(
        tags=["Runs"], operation_id="runs_publish", request=None, responses=WholeRunSerializer
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Show the run to everybody."""
        return self.do(request, run_id)


class Withdraw(Act):
    act = submissions.withdraw

    @extend_schema(
        tags=["Runs"], operation_id="runs_withdraw", request=None, responses=WholeRunSerializer
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Take the run from the board and from everybody else's sight; you keep it."""
        return self.do(request, run_id)
