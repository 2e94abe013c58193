"""End of a run's pause: at once, or when a worker has checked the new key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from leaderboard.models import Run
from leaderboard.models.runs import KEY_CHECK
from leaderboard.queue.messages import enqueue
from leaderboard.queue.transitions import move_run, touch
from runner.contract import Status

RESUMED_BY_OWNER = "resumed by its owner"


def unpause(run: Run, reason: str = RESUMED_BY_OWNER) -> Run:
    run.is_checking_key, run.preflight = False, without_key_check(run.preflight)
    run.save(update_fields=["is_checking_key", "preflight"])
    move_run(run, Status.QUEUED, reason)
    enqueue(run.pk)
    return run


@transaction.atomic
def note_key_check(run_id: int, report: Mapping[str, Any]) -> None:
    """Resume the run if its new key works; otherwise keep the reason, and leave it paused."""
    run = touch(run_id)
    if not (run.is_paused and run.is_checking_key):
        return
    if report.get("is_usable"):
        run.preflight = dict(report)
        unpause(run, f"{RESUMED_BY_OWNER} with another key")
        return
    run.is_checking_key = False
    run.preflight = {**run.preflight, KEY_CHECK: dict(report)}
    run.save(update_fields=["is_checking_key", "preflight"])


def without_key_check(report: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in report.items() if name != KEY_CHECK}
