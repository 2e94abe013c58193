"""Reservations against a run's ceiling: a reply is asked for only if what it may take fits.

All workers and lanes of a run reserve on its row, in one conditional statement per reply. What a
reply took is added by the statement that records its step. A reservation whose worker died ends
when no reply could still be under way.
"""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum

from django.db import transaction

from leaderboard.models import Run, StatusChange
from leaderboard.models.statements import Sql, prepare, quote_table, run_update, update
from leaderboard.money.ceiling import REACHED
from leaderboard.queue import clock
from leaderboard.queue.transitions import CEILING_REACHED, cancel_queued, touch
from runner.contract import Job

LATE = timedelta(seconds=30)  # that a reply may outlast its own limit


class Reserved(StrEnum):
    """Answer to a reservation."""

    GRANTED = "granted"
    WAIT = "wait"  # until other replies are in: then it may fit
    STOP = "stop"  # the run is at its ceiling, or is stopped for another reason


def reserve(job: Job, amount: int, reply_s: float) -> Reserved:
    """Reserve `amount` for a reply that is in within `reply_s`. One statement if it fits."""
    if try_reserve(job.run_id, amount, reply_s):
        return Reserved.GRANTED
    return wait_or_stop(job.run_id, amount, reply_s)


def try_reserve(run_id: int, amount: int, reply_s: float) -> bool:
    now, over = moment(), moment(timedelta(seconds=reply_s) + LATE)
    is_stale = f"(reserved_until IS NULL OR reserved_until < {now.text})"
    held = f"(CASE WHEN {is_stale} THEN 0 ELSE reserved END)"
    is_later = f"(reserved_until IS NULL OR reserved_until < {over.text})"
    return run_update(
        f"UPDATE {quote_table(Run)} SET reserved = {held} + %s, "
        f"reserved_until = CASE WHEN {is_later} THEN {over.text} ELSE reserved_until END "
        f"WHERE id = %s AND cancel_requested = %s AND status IN ('queued', 'running') "
        f"AND spent + {held} + %s <= ceiling",
        [*now.values, amount, *over.values, *over.values, run_id, False, *now.values, amount],
    )


def moment(wait: timedelta = timedelta(0)) -> Sql:
    """So long from now, as SQL: without a query, whatever the database."""
    at = clock.later_sql(wait)
    return at if isinstance(at, Sql) else Sql("%s", (prepare(Run, "reserved_until", at),))


def wait_or_stop(run_id: int, amount: int, reply_s: float) -> Reserved:
    """Wait while other replies are under way: they may take less than is held for them."""
    run = Run.objects.filter(pk=run_id).first()
    if run is None or not is_under_way(run):
        return Reserved.STOP
    return Reserved.WAIT if is_held(run) else try_to_stop(run_id, amount, reply_s)


@transaction.atomic
def try_to_stop(run_id: int, amount: int, reply_s: float) -> Reserved:
    """Decide once more with the run's row locked: no reply is under way, and none fits."""
    run = touch(run_id)
    if not is_under_way(run):
        return Reserved.STOP
    if try_reserve(run_id, amount, reply_s):
        return Reserved.GRANTED
    if is_held(run):
        return Reserved.WAIT
    stop_at_ceiling(run)
    return Reserved.STOP


def is_under_way(run: Run) -> bool:
    return not (run.is_over or run.is_paused or run.cancel_requested or run.ceiling is None)


def is_held(run: Run) -> bool:
    """True while a reply that was reserved for may be under way."""
    return bool(run.reserved and run.reserved_until and run.reserved_until >= clock.now())


def stop_at_ceiling(run: Run) -> None:
    """End what is queued, unplayed; workers give up what they hold within seconds."""
    run.cancel_requested, run.stopped_for = True, REACHED
    run.save(update_fields=["cancel_requested", "stopped_for"])
    StatusChange.objects.create(
        run=run, before=run.status, after=run.status, reason=CEILING_REACHED
    )
    cancel_queued(run)


def settle(job: Job, charge: int, reserved: int) -> None:
    """Add what a reply took that no step recorded, and free its reservation."""
    update(Run, spent_columns(charge, reserved), {"id": job.run_id})


def spent_columns(charge: int, reserved: int) -> dict[str, Sql]:
    """Columns of the run's row to set once a reply is in."""
    freed = Sql("CASE WHEN reserved > %s THEN reserved - %s ELSE 0 END", (reserved, reserved))
    return {"spent": Sql("spent + %s", (charge,)), "reserved": freed}
