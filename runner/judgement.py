"""The verdict on an attempt, also where its check raises an exception at what the agent left.

An exception in a check says nothing by itself: the fault may be the check's, the host's or the
agent's. It is the agent's, and a failed assertion, when all of this holds:

* the check had opened one of the agent's files, or been given an answer;
* the exception is none of time, descriptors or disks of the host, nor of its memory where the host
  rations that (elsewhere a MemoryError tells of what the check asked for). A check that runs the
  agent's programs shares its processes, descriptors and folders with them, and no others: there
  the want of one is the programs' doing, if the reference, played just then, finds enough;
* it comes again in a fresh process;
* the same check holds for the reference solution of the same instance, played on this host.

A check whose process ends without an exception is judged alike: by a fault of its own (such as a
segmentation fault), by its deadline when it computed for a third of it, or killed when it used as
much memory as it may have. One that was kept waiting, or killed with less, tells of the host.

Else the attempt is void, as for every infrastructure fault. Without this rule an agent could leave
a file that makes a check raise, and its owner could have the attempt played again until it passes.

The reference is played only after an exception, and once per task, check and seed for the life of
the process: a check that held for it then cannot have been changed without another version.
"""

from __future__ import annotations

import errno
import logging
import re
import signal
import tempfile
from pathlib import Path

from runner.contract import Assertion, KernelLost, Limits, ProblemError, Verdict
from runner.proof.plays import Stage
from runner.sandbox.base import Sandbox
from runner.suite.reader import Suite, SuiteTask
from runner.task_code.harness_client import HarnessReport
from runner.task_code.inputs import Instance
from runner.task_code.verdict import (
    CPU_SHARE,
    CheckCrashed,
    check,
    check_version,
    make_verdict,
    to_assertion,
)

MOST_HELD = 10_000
HELD: set[tuple[str, str, int]] = set()  # (task, check version, seed) whose reference passed

RUNS_PROGRAMS = re.compile(r"runner\.checks\.programs\b[^\n]*\b(games|modules)\b")
ROOM_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EAGAIN, errno.EMFILE})
RAISED = re.compile(r"[\w.]{1,200}: \[Errno (\d{1,4})\]")  # as a traceback ends

TOO_LONG = "TooLong"  # as the harness names it where it can raise it
TOO_LARGE = "too much memory"
FULL_SHARE = 0.9  # of the memory of a check: who is killed with so much asked for too much
FAULTS = frozenset({signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGILL})

log = logging.getLogger(__name__)


async def judge(
    sandbox: Sandbox,
    suite: Suite,
    task: SuiteTask,
    instance: Instance,
    outputs: Path,
    answer: str | None,
) -> Verdict:
    """Judge as `verdict.check` does. Raises CheckCrashed when the fault is not the attempt's."""
    try:
        return await check(sandbox, suite, task, instance, outputs, answer)
    except CheckCrashed as error:
        first = error
    runs_programs = bool(RUNS_PROGRAMS.search(task.path.read_text("utf-8")))
    cause = cause_of(first, suite.limits, runs_programs)
    if not cause or not (first.report.opened or answer or runs_programs):
        raise first
    try:
        return await check(sandbox, suite, task, instance, outputs, answer)
    except CheckCrashed as again:
        if cause_of(again, suite.limits, runs_programs) != cause:
            raise first from again
    is_anew = first.report.is_of_host  # and what held a while ago tells nothing
    if not await holds_for_reference(sandbox, suite, task, instance, is_anew):
        raise first
    told = [to_assertion(entry) for entry in first.report.assertions]
    return make_verdict(task, first.duration_s, [*told, unfit(first, cause)])


def cause_of(crash: CheckCrashed, limits: Limits, runs_programs: bool) -> str:
    """Returns what stopped the check, or "" when that may be the host's doing."""
    report, result = crash.report, crash.result
    if report.crashed:
        is_theirs = runs_programs and wants_room(report)
        return report.error if is_theirs or not report.is_of_host else ""
    if result is None:
        return ""
    if result.returncode is None:
        has_computed = result.cpu_s >= CPU_SHARE * limits.check_timeout_s
        return TOO_LONG if has_computed else ""
    ended_by = signal_of(result.returncode)
    if ended_by == signal.SIGKILL:
        is_full = result.peak_bytes >= FULL_SHARE * limits.memory_bytes
        return TOO_LARGE if is_full else ""
    return ended_by.name if ended_by in FAULTS else ""


def wants_room(report: HarnessReport) -> bool:
    """True if the check lacked processes, descriptors, memory or room in a folder."""
    number = RAISED.match(report.crashed.rstrip().rpartition("\n")[2])
    return number is not None and int(number[1]) in ROOM_ERRORS


def signal_of(returncode: int) -> signal.Signals | None:
    number = -returncode if returncode < 0 else returncode - 128
    return signal.Signals(number) if number in set(signal.Signals) else None


async def holds_for_reference(
    sandbox: Sandbox, suite: Suite, task: SuiteTask, instance: Instance, is_anew: bool
) -> bool:
    """True if the check passes the files that the reference leaves of this instance.

    It is played `is_anew`, or else if that was not found out before.
    """
    key = (f"{suite.digest}/{task.spec.key}", check_version(task), instance.seed)
    if key in HELD and not is_anew:
        return True
    try:
        with tempfile.TemporaryDirectory(prefix="reference-") as folder:
            stage = Stage(sandbox, suite.limits, task, instance, Path(folder))
            played = await stage.play("reference", task.reference, "output")
            verdict = await check(sandbox, suite, task, instance, played.outputs, played.answer)
    except (CheckCrashed, KernelLost, ProblemError) as error:
        log.warning("The reference of %s could not be checked: %s", task.spec.key, error)
        return False
    if verdict.passed:
        if len(HELD) >= MOST_HELD:
            HELD.clear()
        HELD.add(key)
    return verdict.passed


def unfit(crash: CheckCrashed, cause: str) -> Assertion:
    """The failing assertion for an exception that is the attempt's fault."""
    report = crash.report
    what = report.opened or "The answer"
    return Assertion(
        name="can be checked",
        passed=False,
        expected="what the check can go through",
        actual=cause,
        message=f"{what} makes the check stop with {cause}, twice; the reference passes it.",
        file=report.opened,
    )
