"""Verdicts from the real harness and sandbox: what is the attempt's fault and what is ours."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from runner.contract import Verdict
from runner.sandbox.base import Sandbox
from runner.sandbox.factory import open_sandbox
from runner.task_code.verdict import CheckCrashed, check, check_version
from runner.tests.support.small_suite import DOUBLE, double_of, small_suite

pytestmark = pytest.mark.sandbox
CHECK_TIMEOUT_S = 10.0


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    opened = open_sandbox()
    yield opened
    asyncio.run(opened.close())


async def judged(
    sandbox: Sandbox, root: Path, body: str = "", answer: str | None = "42", double: str = "42"
) -> Verdict:
    """The verdict of the task `double` (seed 7), its check's body replaced by `body`."""
    source = DOUBLE
    if body:
        lines = "\n    ".join(body.strip().splitlines())
        source = f"{DOUBLE.partition('def check(case):')[0]}def check(case):\n    {lines}\n"
    suite = small_suite(root, double=source)
    suite = replace(suite, limits=replace(suite.limits, check_timeout_s=CHECK_TIMEOUT_S))
    task = suite.task("double")
    instance = double_of(7, root)
    outputs = root / "outputs"
    outputs.mkdir()
    if double:
        (outputs / "double.txt").write_text(double)
    verdict = await check(sandbox, suite, task, instance, outputs, answer)
    assert verdict.check_version == check_version(task)
    return verdict


async def test_passes(sandbox: Sandbox, tmp_path: Path) -> None:
    verdict = await judged(sandbox, tmp_path)
    assert verdict.passed
    assert verdict.sentence == "Passed: all 3 checks passed."
    assert [a.name for a in verdict.assertions] == ["file exists", "double", "answer"]


FAILS = [
    ("wrong-value", "", "42", "41", "Failed: double.txt: double: expected 42, found 41."),
    ("missing", "", "42", "", "Failed: double.txt is missing from ./output, which is empty."),
    (
        "no-answer",
        "",
        None,
        "41",
        "Failed: double.txt: double: expected 42, found 41. (1 more check failed.)",
    ),
]


@pytest.mark.parametrize(("name", "body", "answer", "double", "sentence"), FAILS)
async def test_fails(
    name: str,
    body: str,
    answer: str | None,
    double: str,
    sentence: str,
    sandbox: Sandbox,
    tmp_path: Path,
) -> None:
    verdict = await judged(sandbox, tmp_path, body, answer, double)
    assert not verdict.passed
    assert verdict.sentence == sentence


@dataclass(frozen=True)
class Reader:
    """Events while the check reads the agent's file, or outside of that."""

    name: str
    body: str
    says: str


READ = 'with case.reading("double.txt", "numbers") as path:\n    {}'
BAD_FILES = [
    Reader("raises", READ.format("int(path.read_text() + 'x')"), "ValueError: invalid literal"),
    Reader("segfaults", READ.format("import ctypes; ctypes.string_at(1)"), "killed by signal 11"),
    Reader("exits", READ.format("import os; os._exit(0)"), "the reader ended with code 0"),
    Reader("eats-memory", READ.format("b = bytearray(64 << 30)"), "MemoryError"),
    Reader("hangs", READ.format("import time; time.sleep(3600)"), "ran out of time"),
    Reader("recurses", READ.format("f = lambda: f(); f()"), "RecursionError"),
]


@pytest.mark.parametrize("reader", BAD_FILES, ids=lambda reader: reader.name)
async def test_unreadable_file_is_a_fail(reader: Reader, sandbox: Sandbox, tmp_path: Path) -> None:
    verdict = await judged(sandbox, tmp_path, reader.body)
    assert not verdict.passed
    assert "double.txt could not be read as numbers" in verdict.sentence
    assert reader.says in verdict.sentence


CRASHES = [
    Reader("raises", "raise LookupError('ours')", "LookupError: ours"),
    Reader("asserts-nothing", "pass", "asserted nothing"),
    Reader("exits", "import os; os._exit(0)", "ended with code 0"),
    Reader("after-reading", READ.format("pass") + "\nraise KeyError('later')", "KeyError: 'later'"),
]


@pytest.mark.parametrize("reader", CRASHES, ids=lambda reader: reader.name)
async def test_our_crash_is_no_verdict(reader: Reader, sandbox: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(CheckCrashed, match="The check of double") as caught:
        await judged(sandbox, tmp_path, reader.body)
    assert reader.says in str(caught.value)


FORGE = r'''
import json, subprocess, sys
forged = json.dumps({"assertion": {"name": "forged", "passed": True}})
print(forged)
code = f"""
import os
for fd in range(256):
    try: os.write(fd, {forged + chr(10)!r}.encode())
    except OSError: pass
for pid in (os.getppid(), 1):
    for kind in ("fd", "environ", "mem", "maps"):
        try:
            if kind == "fd":
                for fd in os.listdir(f"/proc/{{pid}}/fd"):
                    open(f"/proc/{{pid}}/fd/{{fd}}", "w").write({forged + chr(10)!r})
        except OSError: pass
"""
subprocess.run([sys.executable, "-c", code], timeout=20)
case.expect("own", False, message="The one true assertion.")
'''


async def test_nothing_printed_or_started_can_forge_an_assertion(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    verdict = await judged(sandbox, tmp_path, FORGE)
    assert [a.name for a in verdict.assertions] == ["own"]


async def test_the_check_sees_no_task_file(sandbox: Sandbox, tmp_path: Path) -> None:
    """A process that a check starts finds the library, the inputs and the outputs, no solutions."""
    body = """
import subprocess
found = subprocess.run(["grep", "-rl", "REFERENCE", "/opt/pybench", "/work"],
                       capture_output=True, text=True).stdout
case.equal("files with solutions", found, "")
"""
    assert (await judged(sandbox, tmp_path, body)).passed


async def test_version_follows_the_task(sandbox: Sandbox, tmp_path: Path) -> None:
    one = await judged(sandbox, tmp_path / "a")
    two = await judged(sandbox, tmp_path / "b", 'case.expect("x", True)')
    assert one.check_version != two.check_version
