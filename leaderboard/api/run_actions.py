"""Actions of a run's owner: cancel, pause, resume, retry, publish, withdraw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.base import Api
from leaderboard.api.run_fields import WholeRunSerializer, answer_run
from leaderboard.api.submission import Strict
from leaderboard.models import Run
from leaderboard.money.ceiling import LEAST_DOLLARS, LEAST_TOKENS, MOST_DOLLARS, MOST_TOKENS
from leaderboard.sharing.private_link import make_link, take_back
from leaderboard.submissions import pauses, run_actions
from runner import submission_fields as fields


class Act(Api):
    """One act on one run. Doing it twice is as doing it once."""

    http_method_names = ["post"]
    permission_classes = (IsAuthenticated,)
    act: ClassVar[Callable[..., Run]]

    def do(self, request: Request, run_id: int, **what: Any) -> Response:
        run = self.find(request, run_id)
        type(self).act(run.pk, **what)
        return answer_run(request, run.pk)

    def find(self, request: Request, run_id: int) -> Run:
        """The run, if it is the caller's."""
        run: Run = get_object_or_404(Run.objects.visible_to(request.user), pk=run_id)
        if run.entry.owner_id != request.user.pk:
            raise PermissionDenied
        return run


class Cancel(Act):
    act = run_actions.cancel

    @extend_schema(
        tags=["Runs"], operation_id="runs_cancel", request=None, responses=WholeRunSerializer
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Stop a run: queued attempts at once, running ones within seconds; results stay."""
        return self.do(request, run_id)


class Pause(Act):
    act = pauses.pause

    @extend_schema(
        tags=["Runs"], operation_id="runs_pause", request=None, responses=WholeRunSerializer
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Play nothing more of a run until it is resumed.

        Attempts under way are given back within seconds and played again later.
        """
        return self.do(request, run_id)


class ResumeSerializer(Strict):
    """The key, the ceiling and the settings for the rest of the run, where they are others."""

    api_key = serializers.CharField(
        required=False, max_length=fields.MAX_KEY_CHARS, write_only=True
    )
    ceiling_tokens = serializers.IntegerField(
        required=False, min_value=LEAST_TOKENS, max_value=MOST_TOKENS
    )
    ceiling_dollars = serializers.FloatField(
        required=False, min_value=LEAST_DOLLARS, max_value=MOST_DOLLARS
    )
    concurrency = serializers.IntegerField(required=False, **fields.CONCURRENCY.bounds)
    max_tokens = serializers.IntegerField(required=False, **fields.MAX_TOKENS.bounds)
    stream = serializers.BooleanField(required=False)


RESUME_BODY = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "api_key": {
            "type": "string",
            "pattern": "^[!-~]+$",
            "minLength": 1,
            "maxLength": fields.MAX_KEY_CHARS,
            "writeOnly": True,
            "description": "Another key for the address that the run has; a worker checks it "
            "there first. Stored encrypted. Only a paused run takes one.",
        },
        "ceiling_tokens": {
            "type": "integer",
            "minimum": LEAST_TOKENS,
            "maximum": MOST_TOKENS,
            "description": "Another ceiling, above what the run has used.",
        },
        "ceiling_dollars": {
            "type": "number",
            "minimum": LEAST_DOLLARS,
            "maximum": MOST_DOLLARS,
            "description": "The same in dollars, for a model that the price book has.",
        },
        "concurrency": {
            "type": "integer",
            "minimum": 1,
            "maximum": fields.CONCURRENCY.most,
            "description": "Attempts in parallel from now on. Only a paused or cancelled run "
            "takes this and the next two.",
        },
        "max_tokens": {
            "type": "integer",
            "minimum": 1,
            "maximum": fields.MAX_TOKENS.most,
            "description": "Of one reply, from now on. Attempts with different limits are not "
            "comparable: a run in which it changed is never ranked.",
        },
        "stream": {"type": "boolean", "description": "Ask for replies as a stream from now on."},
    },
}


class Resume(Act):
    act = pauses.resume

    @extend_schema(
        tags=["Runs"],
        operation_id="runs_resume",
        request={"application/json": RESUME_BODY},
        responses=WholeRunSerializer,
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Go on with a paused or cancelled run, or one that stopped at its ceiling.

        Attempts with a verdict are kept. A run at its ceiling needs a higher one.

        With another key the run stays paused until a worker has checked that; “key_refusal”
        says why one was refused.
        """
        sent = ResumeSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        return self.do(request, run_id, **sent.validated_data)


class LinkSerializer(serializers.Serializer[Any]):
    """A link to a private run."""

    address = serializers.URLField(help_text="In this answer alone: only its digest is kept.")


class Link(Act):
    @extend_schema(tags=["Runs"], operation_id="runs_link", request=None, responses=LinkSerializer)
    def post(self, request: Request, run_id: int) -> Response:
        """Make a link with which anybody reads this private run without an account.

        An earlier link of the run no longer works.
        """
        token = make_link(self.find(request, run_id))
        return Response({"address": request.build_absolute_uri(f"/shared/{token}/")})


class Unlink(Act):
    @extend_schema(
        tags=["Runs"], operation_id="runs_unlink", request=None, responses=WholeRunSerializer
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Take the run's link back: it leads nowhere from now on."""
        take_back(self.find(request, run_id).pk)
        return answer_run(request, run_id)


class Retry(Act):
    act = run_actions.retry

    @extend_schema(
        tags=["Runs"], operation_id="runs_retry", request=None, responses=WholeRunSerializer
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Queue the void attempts of a run again; attempts with a verdict are kept."""
        return self.do(request, run_id)


class Publish(Act):
    act = run_actions.publish

    @extend_schema(
        tags=["Runs"], operation_id="runs_publish", request=None, responses=WholeRunSerializer
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Make the run public."""
        return self.do(request, run_id)


class Withdraw(Act):
    act = run_actions.withdraw

    @extend_schema(
        tags=["Runs"], operation_id="runs_withdraw", request=None, responses=WholeRunSerializer
    )
    def post(self, request: Request, run_id: int) -> Response:
        """Take the run off the board; afterwards only you can see it."""
        return self.do(request, run_id)
