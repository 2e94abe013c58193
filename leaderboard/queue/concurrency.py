"""Limit on a run's parallel attempts: the number that its workers found the endpoint to take."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from leaderboard.models import Run, WorkerPace
from runner.contract import LimitReason, Status

WHY = {
    LimitReason.REFUSED: "The endpoint refused requests because there were too many, so the run "
    "sends fewer at once; the number rises while it refuses none.",
    LimitReason.TAKES_ONE: "This endpoint breaks off replies when it gets two requests at once, so "
    "the run sends one request at a time. llama_cpp.server does this unless it is started with "
    "--interrupt_requests False.",
}


@dataclass(frozen=True)
class Pace:
    """Attempts at once, over all workers: now, at the most so far, and at the very most."""

    now: int | None  # None while nobody plays the run
    highest: int
    most: int  # the submitter's limit
    reason: LimitReason | None = None  # why a worker sends fewer than `most`

    @property
    def words(self) -> str:
        """Like "8 of 16 in parallel"; for a run that nobody plays, the most that it reached."""
        if self.now is not None:
            return f"{self.now} of {self.most} in parallel"
        return f"up to {self.highest} of {self.most} in parallel"

    @property
    def why(self) -> str:
        """Sentence that says why the run does not have `most` attempts in parallel, or ""."""
        return WHY[self.reason] if self.reason and self.now != self.most else ""


def paced(
    run_id: int, worker: str, limit: int, highest: int, reason: LimitReason | None = None
) -> None:
    """Record what `worker` found. A run that was deleted meanwhile has no pace."""
    if Run.objects.filter(pk=run_id).exists():
        WorkerPace.objects.update_or_create(
            run_id=run_id,
            worker=worker[:120],
            defaults={"limit": limit, "highest": highest, "reason": reason or ""},
        )


def pace_of(run: Run, at_work: Collection[str] | None = None) -> Pace | None:
    """The run's pace, None when none was found; `at_work` are the workers that play it now.

    Each worker finds out for itself; what they play together is as many as the most careful of
    those at work finds.
    """
    paces = list(WorkerPace.objects.filter(run=run))
    if not paces:
        return None
    if at_work is None:
        playing = run.attempts.filter(status=Status.RUNNING)
        at_work = set(playing.values_list("worker", flat=True))
    working = [pace for pace in paces if pace.worker in at_work]
    now = min((pace.limit for pace in working), default=0)
    reasons = {LimitReason(pace.reason) for pace in working or paces if pace.reason in WHY}
    highest = max(pace.highest for pace in paces)
    return Pace(
        now=min(now, run.concurrency) if now and not run.is_over else None,
        highest=min(highest, run.concurrency),
        most=run.concurrency,
        reason=max(reasons, key=list(LimitReason).index, default=None),
    )
