"""Actions of a run's owner: cancel, pause, resume, retry, publish, withdraw."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.base import ApiSet, Strict
from leaderboard.api.run_fields import WholeRunSerializer, answer_run
from leaderboard.models import Run
from leaderboard.money.ceiling import LEAST_DOLLARS, LEAST_TOKENS, MOST_DOLLARS, MOST_TOKENS
from leaderboard.sharing.private_link import make_link, take_back
from leaderboard.submissions import pauses, run_actions
from runner import submission_fields as fields


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


class LinkSerializer(serializers.Serializer[Any]):
    """A link to a private run."""

    address = serializers.URLField(help_text="In this answer alone: only its digest is kept.")


act_on_run = partial(extend_schema, tags=["Runs"], request=None, responses=WholeRunSerializer)


class RunActions(ApiSet):
    """Acts on one run. Doing one twice is as doing it once."""

    permission_classes = (IsAuthenticated,)

    def find(self, request: Request, run_id: int) -> Run:
        """The run, if it is the caller's."""
        run: Run = get_object_or_404(Run.objects.visible_to(request.user), pk=run_id)
        if run.entry.owner_id != request.user.pk:
            raise PermissionDenied
        return run

    def do(self, request: Request, run_id: int, act: Callable[..., Run], **what: Any) -> Response:
        act(self.find(request, run_id).pk, **what)
        return answer_run(request, run_id)

    @act_on_run(operation_id="runs_cancel")
    def cancel(self, request: Request, run_id: int) -> Response:
        """Stop a run: queued attempts at once, running ones within seconds; results stay."""
        return self.do(request, run_id, run_actions.cancel)

    @act_on_run(operation_id="runs_pause")
    def pause(self, request: Request, run_id: int) -> Response:
        """Play nothing more of a run until it is resumed.

        Attempts in progress are stopped within seconds and played again later.
        """
        return self.do(request, run_id, pauses.pause)

    @act_on_run(operation_id="runs_resume", request={"application/json": RESUME_BODY})
    def resume(self, request: Request, run_id: int) -> Response:
        """Go on with a paused or cancelled run, or one that stopped at its ceiling.

        Attempts with a verdict are kept. A run at its ceiling needs a higher one.

        With another key the run stays paused until a worker has checked that; “key_refusal”
        says why one was refused.
        """
        sent = ResumeSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        return self.do(request, run_id, pauses.resume, **sent.validated_data)

    @act_on_run(operation_id="runs_link", responses=LinkSerializer)
    def link(self, request: Request, run_id: int) -> Response:
        """Make a link with which anybody reads this private run without an account.

        An earlier link of the run no longer works.
        """
        token = make_link(self.find(request, run_id))
        return Response({"address": request.build_absolute_uri(f"/shared/{token}/")})

    @act_on_run(operation_id="runs_unlink")
    def unlink(self, request: Request, run_id: int) -> Response:
        """Take the run's link back: it leads nowhere from now on."""
        take_back(self.find(request, run_id).pk)
        return answer_run(request, run_id)

    @act_on_run(operation_id="runs_retry")
    def retry(self, request: Request, run_id: int) -> Response:
        """Queue again the attempts that did not count; attempts with a verdict are kept."""
        return self.do(request, run_id, run_actions.retry)

    @act_on_run(operation_id="runs_publish")
    def publish(self, request: Request, run_id: int) -> Response:
        """Make the run public."""
        return self.do(request, run_id, run_actions.publish)

    @act_on_run(operation_id="runs_withdraw")
    def withdraw(self, request: Request, run_id: int) -> Response:
        """Take the run off the board; afterwards only you can see it."""
        return self.do(request, run_id, run_actions.withdraw)
