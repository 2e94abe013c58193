"""Replies that people typed, for the worker that plays their attempt."""

from __future__ import annotations

from leaderboard.models import TypedText
from runner.contract import Job, TypedReply


def typed_reply(job: Job, index: int) -> TypedReply | None:
    """Reply number `index` of the attempt, from 1; None until it is typed. One query."""
    row = TypedText.objects.filter(attempt=job.attempt_id, index=index).first()
    return TypedReply(row.text, row.is_answer) if row else None
