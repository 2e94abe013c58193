"""Checking what an attempt left behind: the task's check, in a sandbox of its own, to a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from runner.contract import Assertion, Verdict
from runner.instances import Instance
from runner.library import INSIDE, check_library
from runner.sandbox.base import Sandbox, ToolResult
from runner.suites import Suite, SuiteTask, digest_of
from runner.toolwork import Report, ending, read_reports, run_harness

MAX_ASSERTIONS = 500
MAX_TEXT_CHARS = 600


class CheckCrashed(Exception):
    """The check could not say anything, through no fault of the attempt: void, never a fail."""


def check_version(task: SuiteTask) -> str:
    """Digest of what decides a verdict: the task's file and the check library."""
    return digest_of([task.path, *check_library()])


async def check(
    sandbox: Sandbox,
    suite: Suite,
    task: SuiteTask,
    instance: Instance,
    outputs: Path,
    answer: str | None,
) -> Verdict:
    """What the task's check says of the harvested files in `outputs` and the final answer.

    Raises CheckCrashed when the check itself failed. A file of the attempt that makes a reader
    fail, crash, or run out of memory or time is a failed assertion.
    """
    job = {
        "do": "check",
        "data": f"{INSIDE}/data",
        "output": f"{INSIDE}/output",
        "answer": plain_text(answer),
        "query": instance.query,
        "parameters": instance.parameters,
        "seed": instance.seed,
    }
    binds = {instance.data: f"{INSIDE}/data", outputs: f"{INSIDE}/output"}
    result, report = await run_harness(sandbox, task, job, suite.limits, binds)
    return verdict_of(task, result, report)


async def check_many(
    sandbox: Sandbox,
    suite: Suite,
    task: SuiteTask,
    instance: Instance,
    tries: Sequence[tuple[Path, str]],
) -> list[Verdict | None]:
    """The verdict on each (outputs, answer) of `tries`, in one sandboxed process tree.

    None where a check did not come to an end by itself: `check` tells why, alone.
    """
    job = {
        "do": "check-many",
        "data": f"{INSIDE}/data",
        "query": instance.query,
        "parameters": instance.parameters,
        "seed": instance.seed,
        "timeout_s": suite.limits.check_timeout_s,
        "cases": [
            {"output": f"{INSIDE}/output/{place}", "answer": plain_text(answer)}
            for place, (_, answer) in enumerate(tries)
        ],
    }
    binds = {instance.data: f"{INSIDE}/data"}
    binds |= {outputs: f"{INSIDE}/output/{place}" for place, (outputs, _) in enumerate(tries)}
    limits = replace(suite.limits, check_timeout_s=suite.limits.check_timeout_s * len(tries))
    result, _ = await run_harness(sandbox, task, job, limits, binds)
    reports = read_reports(result.stdout, len(tries))
    return [verdict_of(task, result, r) if r.is_done and r.assertions else None for r in reports]


def plain_text(answer: str | None) -> str:
    return (answer or "").encode("utf-8", "replace").decode()


def verdict_of(task: SuiteTask, result: ToolResult, report: Report) -> Verdict:
    """A complete report, or one cut short by an agent's file, as a verdict; else CheckCrashed."""
    assertions = [to_assertion(entry) for entry in report.assertions[:MAX_ASSERTIONS]]
    if not report.is_done:
        if report.crashed or not report.reading:
            raise CheckCrashed(crash_sentence(task, result, report))
        assertions.append(unreadable(report, result))
    if not assertions:
        raise CheckCrashed(f"The check of {task.spec.key} asserted nothing.")
    return Verdict(
        passed=all(a.passed for a in assertions),
        assertions=tuple(assertions),
        sentence=sentence_of(assertions),
        check_version=check_version(task),
        duration_s=result.duration_s,
    )


def crash_sentence(task: SuiteTask, result: ToolResult, report: Report) -> str:
    detail = report.crashed or f"it {ending(result)}. {result.stderr[-2000:]}"
    return f"The check of {task.spec.key} crashed: {detail}"


def unreadable(report: Report, result: ToolResult) -> Assertion:
    """The failing assertion for the file at which the check's process ended."""
    message = (
        f"{report.reading} could not be read as {report.reading_kind}: the reader {ending(result)}."
    )
    return Assertion(
        name=f"readable as {report.reading_kind}",
        passed=False,
        expected="a readable file",
        actual=ending(result),
        message=message,
        file=report.reading,
    )


def to_assertion(entry: Mapping[str, Any]) -> Assertion:
    def text(name: str) -> str:
        raw = str(entry.get(name, ""))[:MAX_TEXT_CHARS]
        return raw.encode("utf-8", "replace").decode().replace("\0", "\ufffd")

    return Assertion(
        name=text("name"),
        passed=entry.get("passed") is True,
        expected=text("expected"),
        actual=text("actual"),
        message=text("message"),
        file=text("file"),
    )


def sentence_of(assertions: Sequence[Assertion]) -> str:
    """The verdict in a sentence: the first thing that does not hold, and how many more."""
    failed = [a for a in assertions if not a.passed]
    if not failed:
        held = len(assertions)
        return f"Passed: {held} assertion{'s' if held > 1 else ''} held."
    more = len(failed) - 1
    tail = f" ({more} more assertion{'s' if more > 1 else ''} failed.)" if more else ""
    return f"Failed: {failed[0].message}{tail}"
