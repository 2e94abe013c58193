"""The result of an attempt that was never played, or not to its end."""

from __future__ import annotations

import errno

from runner.contract import AttemptResult, Fault, Outcome, Problem, ProblemError, Usage

CRASHED = Problem(
    Fault.US,
    "runner_crashed",
    "The runner failed while it played this attempt.",
    "It is tried again by itself; the worker's log has the traceback.",
)
DISK_FULL = Problem(
    Fault.US,
    "disk_full",
    "The worker's disk was full while it played this attempt.",
    "It is tried again by itself; new attempts wait until an operator has made room.",
)


def unplayed(outcome: Outcome, problem: Problem) -> AttemptResult:
    """A void result with nothing in it but the reason."""
    return AttemptResult(
        outcome=outcome,
        verdict=None,
        answer=None,
        turns=0,
        usage=Usage(),
        model_s=0.0,
        cell_s=0.0,
        wall_s=0.0,
        problem=problem,
    )


def problem_of(error: Exception) -> Problem:
    """What a failure of our own while an attempt was played amounts to, in words for its page."""
    if isinstance(error, ProblemError):
        return error.problem
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DISK_FULL
    return CRASHED
