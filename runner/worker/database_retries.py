"""Retries hand-off writes while the database is briefly unavailable."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from runner.contract import AttemptResult, Job, Outcome, ProblemError
from runner.unplayed import unplayed
from runner.worker import metrics

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0)  # 45 s: a database that restarts


class Retrying:
    """Makes an act one that is tried again while its failure will pass: by kind and `is_passing`.

    An act can then be reported twice, when only the answer to its commit was lost: the door behind
    takes that as once. Called in the one thread that writes rows, which waits too.
    """

    def __init__(
        self,
        failures: tuple[type[Exception], ...] = (),
        is_passing: Callable[[Exception], bool] = lambda _: True,
        mend: Callable[[], None] = lambda: None,
    ) -> None:
        self.failures = failures  # the kinds that the database raises
        self.is_passing = is_passing
        self.mend = mend  # called before an act is tried again
        self.is_hurried = threading.Event()

    def hurry(self) -> None:
        """From now on wait for nothing: the process is asked to end."""
        self.is_hurried.set()

    def __call__(self, act: Callable[P, T]) -> Callable[P, T]:
        def persist(*arguments: P.args, **named: P.kwargs) -> T:
            for pause_s in PAUSES_S:
                try:
                    return act(*arguments, **named)
                except self.failures as error:
                    if not self.is_passing(error):
                        raise
                    log.warning("the database is away, again in %s s: %s", pause_s, error)
                    if self.is_hurried.wait(pause_s):
                        raise
                    self.mend()
            return act(*arguments, **named)

        return persist


def record_result(
    write: Callable[[Job, AttemptResult], None], job: Job, result: AttemptResult
) -> None:
    """Files that the store does not take make the try void, in words, instead of lost."""
    try:
        write(job, result)
    except ProblemError as error:
        log.error("run=%s attempt=%s %s", job.run_id, job.attempt_id, error)
        result = unplayed(Outcome.WORKER_LOST, error.problem)
        write(job, result)
    metrics.count_result(result)
