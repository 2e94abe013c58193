"""The driver's door with patience: a database that is away for a moment undoes nothing."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from typing import TypeVar

from runner import metrics
from runner.contract import AttemptResult, Job, Opening, Outcome, ProblemError, Step
from runner.driver import Door
from runner.outcomes import unplayed

log = logging.getLogger(__name__)

T = TypeVar("T")

PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0)  # 45 s: a database that restarts


class PatientDoor:
    """A `Door` whose writes are tried again while `is_passing` says that the failure will pass.

    An act may then be told twice, when only the answer to its commit was lost: the door behind
    takes that as once. Called in the one thread that writes rows, which waits too.
    """

    def __init__(
        self,
        door: Door,
        is_passing: Callable[[Exception], bool],
        mend: Callable[[], None],
        may_claim: Callable[[], bool] = lambda: True,
    ) -> None:
        self.door = door
        self.is_passing = is_passing
        self.mend = mend  # called before an act is tried again
        self.may_claim = may_claim
        self.is_hurried = threading.Event()

    def hurry(self) -> None:
        """From now on wait for nothing: the process is asked to end."""
        self.is_hurried.set()

    def claim(self, run_id: int | None, limit: int, worker: str) -> list[Job]:
        return self.door.claim(run_id, limit, worker) if self.may_claim() else []

    def renew(self, jobs: Iterable[Job]) -> set[int]:
        return self.door.renew(jobs)

    def cancelled(self, run_ids: Iterable[int]) -> set[int]:
        return self.door.cancelled(run_ids)

    def opened(self, job: Job, opening: Opening) -> None:
        self.persist(self.door.opened, job, opening)

    def step(self, job: Job, step: Step) -> None:
        self.persist(self.door.step, job, step)

    def record_result(self, job: Job, result: AttemptResult) -> None:
        """Files that the store does not take make the try void, in words, instead of lost."""
        try:
            self.persist(self.door.record_result, job, result)
        except ProblemError as error:
            log.error("run=%s attempt=%s %s", job.run_id, job.attempt_id, error)
            result = unplayed(Outcome.WORKER_LOST, error.problem)
            self.persist(self.door.record_result, job, result)
        metrics.count_result(result)

    def release(self, job: Job) -> None:
        self.door.release(job)

    def paced(self, run_id: int, worker: str, limit: int, highest: int) -> None:
        self.door.paced(run_id, worker, limit, highest)

    def persist(self, act: Callable[..., T], *arguments: object) -> T:
        for pause_s in PAUSES_S:
            try:
                return act(*arguments)
            except Exception as error:
                if not self.is_passing(error):
                    raise
                log.warning("the database is away, again in %s s: %s", pause_s, error)
                if self.is_hurried.wait(pause_s):
                    raise
                self.mend()
        return act(*arguments)
