"""The tests that PyBench was published with, run as they are over what agents left.

They come from the user's own checkout (data/unit_test/tests.py) and are neither kept nor changed.
What the paper's figures rest on is kept, faults included: one ./output for all tasks, into which
later tasks write over earlier ones; the last message counts as the answer, whoever said it; an
agent's pickles are opened by the test itself. So all of it happens in a sandbox without network,
and an agent can forge the result of a test that opens its pickle, though no other's.
For a proof, each solution's outputs are looked at alone.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from runner.contract import Limits
from runner.sandbox.base import Sandbox, ToolJob
from runner.suite.reader import problem

Messages = Sequence[Mapping[str, str]]

TESTS = Path("data") / "unit_test" / "tests.py"
MOST_TESTS_BYTES = 4 << 20
TEST_TIMEOUT_S = 60  # of one test
SHOWN_AT = "/opt/pybench"  # where the tests' files are shown
MESSAGE_CHARS = 200_000  # of one message; the tests look at the last one

# Runs inside: each test in a child, so that none harms another; what a test prints is dropped. The
# report is written here alone: a child, in which an agent's pickle may be opened, has no descriptor
# of it and cannot get one from this process, and its verdict is its exit status. What it left
# running is ended before the next test begins.
DRIVER = """
import ctypes, json, os, signal, sys, types
PASSED, FAILED, ABSENT = 41, 42, 43
NOT_DUMPABLE, ADOPT_ORPHANS = (4, 0), (36, 1)
job = json.loads(sys.stdin.buffer.read())
for option, value in (NOT_DUMPABLE, ADOPT_ORPHANS):
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
report = os.fdopen(os.dup(1), "w", encoding="utf-8")
null = os.open(os.devnull, os.O_RDWR); os.dup2(null, 0); os.dup2(null, 1)
os.chdir("/work")
tests, broken = types.ModuleType("tests"), None
tests.__file__ = "tests.py"
try:  # once, for all children
    exec(compile(job["source"], "tests.py", "exec"), tests.__dict__)
except BaseException as error:
    broken = error
def say(**event):
    report.write(json.dumps(event) + "\\n"); report.flush()
def enter(place):
    room, shown = f"/work/{place}", job["shown"]
    os.mkdir(room); os.chdir(room)
    os.symlink(f"{shown}/outputs/{place}" if job["is_alone"] else "/work/output", "output")
    os.symlink(f"{shown}/data", "data")
def look(place, index, messages):
    signal.alarm(job["timeout_s"])
    try:
        enter(place)
        if broken:
            raise broken
        test = getattr(tests, f"test_task_{index}", None)
        if test is None:
            os._exit(ABSENT)
        test(messages)
    except BaseException as error:
        text = f"{type(error).__name__}: {error}"[:300]
        os.write(3, text.encode("utf-8", "replace")); os._exit(FAILED)
    os._exit(PASSED)
def verdict(status, reason):
    code = os.waitstatus_to_exitcode(status)
    if code == FAILED:
        return "-" + reason
    return {PASSED: "+", ABSENT: "absent"}.get(code, f"-the test ended with {code}")
def end_orphans():
    for _ in range(10_000):
        try:
            with open(f"/proc/self/task/{os.getpid()}/children") as children:
                left = children.read().split()
        except OSError:  # a kernel without the list
            return
        if not left:
            return
        for pid in map(int, left):
            os.kill(pid, signal.SIGKILL); os.waitpid(pid, 0)
for place, (index, messages) in enumerate(job["runs"]):
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(writing, 3); os.closerange(4, 1 << 16); look(place, index, messages)
    os.close(writing)
    _, status = os.waitpid(child, 0)
    end_orphans()
    with os.fdopen(reading, "rb") as pipe:
        reason = pipe.read(4096).decode("utf-8", "replace")
    say(place=place, said=verdict(status, reason))
"""


@dataclass(frozen=True)
class PaperResult:
    """Result of one published test. `passed` is None where the checkout has no such test."""

    passed: bool | None
    sentence: str


def read_tests(folder: Path) -> str:
    """The source of the published tests in a checkout. ProblemError when it has none."""
    path = folder / TESTS
    try:
        if path.is_symlink() or path.stat().st_size > MOST_TESTS_BYTES:
            raise OSError(0, "it is a link or far too long")
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise problem(
            "no_paper_tests",
            f"The checkout has no published tests: {TESTS} cannot be read ({reason}).",
            "UT (paper) needs a full checkout of PyBench; UT (strict) does not.",
        ) from error


def find_tests() -> str:
    """The source of the published tests in PYBENCH_UPSTREAM; "" where there are none.

    ProblemError when they are there and cannot be read.
    """
    folder = os.environ.get("PYBENCH_UPSTREAM", "")
    return read_tests(Path(folder)) if folder and (Path(folder) / TESTS).exists() else ""


def digest_of_tests(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()


def merge(outputs: Sequence[tuple[str, Path]], folder: Path) -> None:
    """One ./output for all: (name below ./output, file), later ones over earlier ones."""
    for name, path in outputs:
        target = folder / name
        if target.is_dir() or not target.resolve().is_relative_to(folder.resolve()):
            continue
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):  # a file of an earlier task is in the way
            continue
        shutil.copyfile(path, target)


async def run_tests(
    sandbox: Sandbox,
    folder: Path,
    trajectories: Mapping[str, Messages],
    outputs: Sequence[tuple[str, Path]],
    limits: Limits | None = None,
) -> dict[str, PaperResult]:
    """Run the tests of the checkout in `folder` and return the result for each of `trajectories`.

    `trajectories`: {index: messages}; `outputs`: every file that any task left, in task order.
    """
    source, runs = read_tests(folder), list(trajectories.items())
    with tempfile.TemporaryDirectory(prefix="paper-") as scratch:
        work = Path(scratch)
        (work / "output").mkdir()
        merge(outputs, work / "output")
        job = tool_job(source, runs, limits)
        binds = {folder / "data": f"{SHOWN_AT}/data"}
        result = await sandbox.run_tool(replace(job, binds=binds, writable=work))
    return dict(zip(trajectories, read_results(result.stdout, len(runs)), strict=True))


async def run_alone(
    sandbox: Sandbox,
    source: str,
    index: str,
    data: Path,
    tries: Sequence[tuple[Path, Messages]],
    limits: Limits | None = None,
) -> list[PaperResult]:
    """Run the test of `index` in `source` on each try: (its output folder, messages).

    `data` holds the inputs of that task.
    """
    job = tool_job(source, [(index, messages) for _, messages in tries], limits, is_alone=True)
    binds = {outputs: f"{SHOWN_AT}/outputs/{place}" for place, (outputs, _) in enumerate(tries)}
    result = await sandbox.run_tool(replace(job, binds={data: f"{SHOWN_AT}/data", **binds}))
    return read_results(result.stdout, len(tries))


def tool_job(
    source: str,
    runs: Sequence[tuple[str, Messages]],
    limits: Limits | None,
    *,
    is_alone: bool = False,
) -> ToolJob:
    """The tests of `runs`, (index, messages) each, in one sandbox."""
    order = {
        "source": source,
        "timeout_s": TEST_TIMEOUT_S,
        "shown": SHOWN_AT,
        "is_alone": is_alone,
        "runs": [(index, [short(m) for m in messages]) for index, messages in runs],
    }
    timeout_s = 60.0 + 2.0 * TEST_TIMEOUT_S + 10.0 * len(runs)
    return ToolJob(
        argv=("python", "-I", "-B", "-c", DRIVER),
        stdin=json.dumps(order).encode(),
        timeout_s=timeout_s,
        limits=replace(limits or Limits(), check_timeout_s=timeout_s),
    )


def short(message: Mapping[str, str]) -> dict[str, str]:
    content = str(message.get("content") or "").encode("utf-8", "replace").decode()
    return {"role": str(message.get("role", "")), "content": content[:MESSAGE_CHARS]}


def read_results(stdout: bytes, count: int) -> list[PaperResult]:
    """A result for each of `count` runs; what the report does not tell did not pass."""
    said: dict[object, str] = {}
    for line in stdout.splitlines():
        try:
            event = json.loads(line)
            said[event["place"]] = str(event["said"])
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    return [result_of(said.get(place, "-the tests came to no end")) for place in range(count)]


def result_of(said: str) -> PaperResult:
    if said == "absent":
        return PaperResult(None, "The checkout has no published test of this task.")
    if said == "+":
        return PaperResult(True, "The published test passed.")
    return PaperResult(False, f"The published test failed: {said[1:] or 'no reason given'}.")


def score(
    folder: Path,
    trajectories: Mapping[str, Messages],
    outputs: Sequence[tuple[str, Path]],
) -> dict[str, PaperResult]:
    """As `run_tests`, in a sandbox of its own. Raises ProblemError, SandboxUnavailable."""
    from runner.sandbox.factory import open_sandbox

    read_tests(folder)
    sandbox = open_sandbox()

    async def run() -> dict[str, PaperResult]:
        try:
            return await run_tests(sandbox, folder, trajectories, outputs)
        finally:
            await sandbox.close()

    return asyncio.run(run())
