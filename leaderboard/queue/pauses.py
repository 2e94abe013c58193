"""End of a run's pause: at once, or when a worker has checked the new key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from leaderboard.models import Endpoint, Run
from leaderboard.models.runs import KEY_CHECK
from leaderboard.queue.messages import ask_for_dispatch
from leaderboard.queue.transitions import move_run, touch
from runner.contract import Status

RESUMED_BY_OWNER = "resumed by its owner"


def unpause(run: Run, reason: str = RESUMED_BY_OWNER) -> Run:
    run.preflight = without_key_check(run.preflight)
    forget_new_key(run)
    move_run(run, Status.QUEUED, reason)
    ask_for_dispatch()
    return run


@transaction.atomic
def note_key_check(run_id: int, report: Mapping[str, Any]) -> None:
    """Resume the run if its new key works, which takes the old one's place.

    Otherwise the reason is kept, the run stays paused, and so does its old key.
    """
    run = touch(run_id)
    if not (run.is_paused and run.is_checking_key):
        return
    if report.get("is_usable"):
        if run.encrypted_new_key:
            Endpoint.objects.filter(entry=run.entry_id).update(encrypted_key=run.encrypted_new_key)
        run.preflight = dict(report)
        unpause(run, f"{RESUMED_BY_OWNER} with another key")
        return
    run.preflight = {**run.preflight, KEY_CHECK: dict(report)}
    forget_new_key(run)


def forget_new_key(run: Run) -> None:
    run.is_checking_key, run.encrypted_new_key = False, None
    run.save(update_fields=["is_checking_key", "encrypted_new_key", "preflight"])


def without_key_check(report: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in report.items() if name != KEY_CHECK}
