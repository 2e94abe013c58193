"""Limit on a run's parallel attempts: the number that its workers found the endpoint to take."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from leaderboard.models import Run, WorkerPace
from runner.contract import Status


@dataclass(frozen=True)
class Pace:
    """Attempts at once, over all workers: now, at the most so far, and at the very most."""

    now: int | None  # None while nobody plays the run
    highest: int
    most: int  # the submitter's limit
    takes_one: bool = False  # the endpoint breaks off replies when it is asked twice at once

    @property
    def words(self) -> str:
        """Like "8 of 16 in parallel"; for a run that nobody plays, the most that it reached."""
        if self.now is not None:
            return f"{self.now} of {self.most} in parallel"
        return f"up to {self.highest} of {self.most} in parallel"


def paced(run_id: int, worker: str, limit: int, highest: int, takes_one: bool = False) -> None:
    """Record what `worker` found. A run that was deleted meanwhile has no pace."""
    if Run.objects.filter(pk=run_id).exists():
        WorkerPace.objects.update_or_create(
            run_id=run_id,
            worker=worker[:120],
            defaults={"limit": limit, "highest": highest, "takes_one": takes_one},
        )


def pace_of(run: Run, at_work: Collection[str] | None = None) -> Pace | None:
    """The run's pace, None when none was found; `at_work` are the workers that play it now.

    Each worker finds out for itself; what they claim together is never more than the limit.
    """
    paces = list(WorkerPace.objects.filter(run=run))
    if not paces:
        return None
    if at_work is None:
        playing = run.attempts.filter(status=Status.RUNNING)
        at_work = set(playing.values_list("worker", flat=True))
    now = sum(pace.limit for pace in paces if pace.worker in at_work)
    highest = sum(pace.highest for pace in paces)
    return Pace(
        now=min(now, run.concurrency) if now and not run.is_over else None,
        highest=min(highest, run.concurrency),
        most=run.concurrency,
        takes_one=any(pace.takes_one for pace in paces),
    )
