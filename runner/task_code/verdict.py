"""Checking what an attempt left behind: the task's check, in a sandbox of its own, to a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.contract import Assertion, Verdict
from runner.sandbox.base import Sandbox, ToolResult
from runner.suite.library_pack import INSIDE, check_library
from runner.suite.reader import Suite, SuiteTask, digest_of
from runner.task_code.harness_client import HarnessReport, ending, read_reports, run_harness, word

if TYPE_CHECKING:
    from runner.task_code.inputs import Instance

MAX_ASSERTIONS = 500
MAX_TEXT_CHARS = 600
IN_PART = "judged in part"  # the assertion of runner.checks.case that says so
CPU_SHARE = 1 / 3  # of a check's time: who computes for so long was not kept waiting by the host
MAX_ANSWER_CHARS = 50_000  # what a check is given of an answer


class CheckCrashed(Exception):
    """The check came to no end by itself: void, unless `runner.judgement` finds whose fault."""

    def __init__(
        self, sentence: str, report: HarnessReport | None = None, result: ToolResult | None = None
    ) -> None:
        super().__init__(sentence)
        self.report = report or HarnessReport()
        self.result = result
        self.duration_s = result.duration_s if result else 0.0


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
    """Run the task's check on the harvested files in `outputs` and the final answer.

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
        "cpu_s": CPU_SHARE * suite.limits.check_timeout_s,
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

    Several tries may share a folder of outputs, with other answers.
    None where a check did not come to an end by itself: `check` tells why, alone.
    """
    places = {outputs: f"{INSIDE}/output/{n}" for n, outputs in enumerate(dict(tries))}
    job = {
        "do": "check-many",
        "data": f"{INSIDE}/data",
        "query": instance.query,
        "parameters": instance.parameters,
        "seed": instance.seed,
        "timeout_s": suite.limits.check_timeout_s,
        "cpu_s": CPU_SHARE * suite.limits.check_timeout_s,
        "cases": [
            {"output": places[outputs], "answer": plain_text(answer)} for outputs, answer in tries
        ],
    }
    binds = {instance.data: f"{INSIDE}/data"} | places
    limits = replace(suite.limits, check_timeout_s=suite.limits.check_timeout_s * len(tries))
    result, _ = await run_harness(sandbox, task, job, limits, binds)
    reports = read_reports(result.stdout, len(tries))
    return [verdict_of(task, result, r) if r.is_done and r.assertions else None for r in reports]


def plain_text(answer: str | None) -> str:
    return (answer or "")[:MAX_ANSWER_CHARS].encode("utf-8", "replace").decode()


def verdict_of(task: SuiteTask, result: ToolResult, report: HarnessReport) -> Verdict:
    """A complete report, or one cut short by an agent's file, as a verdict; else CheckCrashed."""
    assertions = [to_assertion(entry) for entry in report.assertions[:MAX_ASSERTIONS]]
    if not report.is_done:
        if report.crashed or not report.reading:
            raise CheckCrashed(crash_sentence(task, result, report), report, result)
        assertions.append(unreadable(report, result))
    if not assertions:
        sentence = f"The check of {task.spec.key} asserted nothing."
        raise CheckCrashed(sentence, report, result)
    return make_verdict(task, result.duration_s, assertions)


def make_verdict(task: SuiteTask, duration_s: float, assertions: Sequence[Assertion]) -> Verdict:
    return Verdict(
        passed=all(a.passed for a in assertions),
        assertions=tuple(assertions),
        sentence=sentence_of(assertions),
        check_version=check_version(task),
        duration_s=duration_s,
    )


def crash_sentence(task: SuiteTask, result: ToolResult, report: HarnessReport) -> str:
    detail = report.crashed or f"it {ending(result)}. {result.stderr[-2000:]}"
    return f"The check of {task.spec.key} crashed: {detail}"


def unreadable(report: HarnessReport, result: ToolResult) -> Assertion:
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
        raw = word(entry.get(name, ""))[:MAX_TEXT_CHARS]
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
        parts = [a for a in assertions if a.name == IN_PART]
        if parts:
            return f"Passed, judged in part: {parts[0].actual}."
        if len(assertions) == 1:
            return "Passed: the only check passed."
        return f"Passed: all {len(assertions)} checks passed."
    more = len(failed) - 1
    tail = f" ({more} more check{'s' if more > 1 else ''} failed.)" if more else ""
    return f"Failed: {failed[0].message}{tail}"
