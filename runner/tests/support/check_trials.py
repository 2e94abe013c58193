"""Measures of the check library tried out where they run: in the sandbox, on files made there."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace
from pathlib import Path

from runner.contract import Assertion
from runner.sandbox.factory import open_sandbox
from runner.task_code.inputs import instantiate
from runner.task_code.verdict import check
from runner.tests.support.small_suite import small_suite

BENCH = '''
"""Files as an agent might leave them, and what the library says of each."""

from contextlib import suppress

from runner.checks import Case, Stop

TITLE = "Bench"
CATEGORY = "maths"
QUERY = "?"
INPUTS = {names}
OUTPUTS = []
BROWSER = {has_browser}
REFERENCE = {{"cells": [], "answer": ""}}
WRONG = {{"a": {{"cells": [], "answer": ""}}, "b": {{"cells": [], "answer": ""}}}}


def make_inputs(seed, data):
{make}


def measure_one(case, name, measure):
    own = Case(case.data, case.output)
    with suppress(Stop):
        measure(own)
    failed = [a["message"] for a in own.assertions if not a["passed"]]
    case.expect(name, own.assertions and not failed, actual=" ".join(failed), message="failed")


def check(case):
{setup}
{measures}
'''


@dataclass(frozen=True)
class Trial:
    """One file and one measure of it: `make` writes `file`, `measure` looks at `case`."""

    name: str
    file: str
    make: str
    measure: str
    says: str = ""  # part of what a failing assertion says; empty when it must hold


async def try_out(
    trials: list[Trial],
    setup: str,
    root: Path,
    timeout_s: float = 30.0,
    has_browser: bool = False,
) -> dict[str, Assertion]:
    """Run all trials in one sandboxed check and return the library's message on each, by its
    name."""
    names = sorted({trial.file for trial in trials})
    made = {trial.file: trial.make for trial in trials}
    source = BENCH.format(
        names=names,
        has_browser=has_browser,
        make=textwrap.indent(setup + "\n" + "\n".join(made.values()), "    "),
        setup=textwrap.indent(setup, "    "),
        measures="\n".join(
            f"    measure_one(case, {trial.name!r}, lambda case: {trial.measure})"
            for trial in trials
        ),
    )
    suite = small_suite(root, bench=source)
    suite = replace(suite, limits=replace(suite.limits, check_timeout_s=timeout_s))
    sandbox = open_sandbox()
    try:
        task = suite.task("bench")
        instance = await instantiate(sandbox, suite, task, 1, root / "cache")
        verdict = await check(sandbox, suite, task, instance, instance.data, "")
    finally:
        await sandbox.close()
    return {assertion.name: assertion for assertion in verdict.assertions}


def expect_as_told(trial: Trial, found: Assertion) -> None:
    """The measure held, or failed for the reason that the trial tells."""
    if trial.says:
        assert not found.passed
        assert trial.says in found.actual
    else:
        assert found.passed, found.actual
