"""Results for attempts that could not be played to the end."""

from __future__ import annotations

import errno

from runner.contract import (
    AttemptResult,
    Fault,
    Outcome,
    Problem,
    ProblemError,
    SandboxUnavailable,
    Usage,
)

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


def no_sandbox(error: SandboxUnavailable) -> Problem:
    return Problem(
        Fault.US,
        "sandbox_unavailable",
        f"No sandbox can be had on this host: {error}",
        "`python -m runner.sandbox.doctor` says what is missing.",
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
    """Problem to show on the attempt's page when a failure of our own interrupted it."""
    if isinstance(error, ProblemError):
        return error.problem
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DISK_FULL
    return CRASHED
