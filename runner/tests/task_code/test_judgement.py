"""Exceptions in a check: the attempt's fault, the host's or the check's own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from runner import judgement
from runner.contract import Limits, Verdict
from runner.judgement import judge
from runner.sandbox.base import Sandbox, ToolResult
from runner.sandbox.factory import open_sandbox
from runner.task_code.harness_client import HarnessReport
from runner.task_code.inputs import Instance
from runner.task_code.verdict import CheckCrashed, check
from runner.tests.support.small_suite import DOUBLE, double_of, small_suite

pytestmark = pytest.mark.sandbox
PYBENCH = Path(__file__).resolve().parents[3] / "suites" / "pybench"
OWN = "\n    case.equal('own', str(case.seed * 6), text.strip(), 'double.txt')"
READS = "text = case.require_file('double.txt').read_text()\n    "


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    opened = open_sandbox()
    yield opened
    asyncio.run(opened.close())


@dataclass(frozen=True)
class Raising:
    """A check's body, and what the agent left for it."""

    name: str
    body: str
    left: str = "not a number"
    answer: str = ""


AGENTS = [
    Raising("converts", READS + "int(text)" + OWN),
    Raising("recurses", READS + "f = lambda n: n and f(n - 1)\n    f(len(text) * 300)" + OWN),
    Raising("missing-key", READS + "{'42': 1}[text]" + OWN),
    Raising("own-errno", READS + "if text != '42':\n        open('/work' + text)" + OWN, "/x/y"),
    Raising(
        "opened-by-itself",
        "text = open(case.output / 'double.txt').read()\n    int(text)" + OWN,
    ),
    Raising("computes-for-ever", READS + "while text != '42':\n        pass" + OWN),
    Raising(
        "backtracks-for-ever",
        "import re\n    text = case.answer\n    re.match('(a|a)*b', text)\n    "
        "case.equal('own', str(case.seed * 6), text.split()[2][:-1], 'double.txt')",
        "42",
        "a" * 60,
    ),
    Raising("asks-for-all-memory", READS + "if text != '42':\n        bytearray(1 << 44)" + OWN),
    Raising("raises-memory-error", READS + "if text != '42':\n        raise MemoryError" + OWN),
    Raising(
        "fills-its-memory",
        READS + "while text != '42':\n        text += ' ' * (64 << 20)" + OWN,
    ),
    Raising(
        "segfaults",
        READS + "import ctypes\n    if text != '42':\n        ctypes.string_at(0)" + OWN,
    ),
    Raising(
        "program-fills-a-folder",
        "from runner.checks.programs import games\n    games.play(case, 'double.txt', [], 3)\n    "
        + READS + "open('/tmp/own', 'wb').write(bytes(99_999))" + OWN,
        "with open('/tmp/big', 'wb') as f:\n    while True: f.write(bytes(1 << 20))",
    ),
    Raising("answer", "text = case.answer\n    n = int(text.split()[2][:-1])" + OWN.replace(
        "text.strip()", "str(n)"), "42", "none"),
]  # fmt: skip
OURS = [
    Raising("always", READS + "raise LookupError('for everybody')"),
    Raising("disk", READS + "if text != '42':\n        raise OSError(28, 'full')" + OWN),
    Raising("time", READS + "if text != '42':\n        raise TimeoutError" + OWN),
    Raising(
        "caused-by-the-host",
        READS + "if text != '42':\n        raise ValueError('x') from OSError(5, 'io')" + OWN,
    ),
    Raising(
        "host-fault",
        "from runner.checks.case import HostFault\n    " + READS
        + "if text != '42':\n        raise HostFault('no browser')" + OWN,
    ),
    Raising(
        "another-each-time",
        "import time\n    " + READS
        + "if text != '42':\n        raise type(f'E{time.time_ns()}', (Exception,), {})" + OWN,
    ),
    Raising("reference-fails", READS + "int(text)\n    case.expect('never', False)"),
    Raising("nothing-opened", "import os\n    raise ValueError('before')"),
]  # fmt: skip


async def judged(sandbox: Sandbox, case: Raising, root: Path, timeout_s: float = 60.0) -> Verdict:
    judgement.HELD.clear()
    suite = small_suite(root, double=source_of(case))
    suite = replace(suite, limits=replace(suite.limits, check_timeout_s=timeout_s))
    task = suite.task("double")
    instance = double_of(7, root)
    outputs = root / "outputs"
    outputs.mkdir()
    (outputs / "double.txt").write_text(case.left)
    return await judge(sandbox, suite, task, instance, outputs, case.answer)


@pytest.mark.parametrize("case", AGENTS, ids=lambda case: case.name)
async def test_what_the_agent_left_makes_the_check_raise(
    case: Raising, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = 0.01 if case.name.endswith("for-ever") else 0.05  # of a minute
    monkeypatch.setattr("runner.task_code.verdict.CPU_SHARE", share)
    monkeypatch.setattr(judgement, "CPU_SHARE", share)
    verdict = await judged(sandbox, case, tmp_path)
    assert not verdict.passed
    assert "makes the check stop with" in verdict.sentence
    assert verdict.assertions[-1].name == "can be checked"
    assert len(judgement.HELD) == 1


@pytest.mark.parametrize("case", OURS, ids=lambda case: case.name)
async def test_what_is_ours_or_the_hosts_stays_void(
    case: Raising, sandbox: Sandbox, tmp_path: Path
) -> None:
    with pytest.raises(CheckCrashed):
        await judged(sandbox, case, tmp_path)
    assert not judgement.HELD


LIMITS = Limits(check_timeout_s=60.0, memory_bytes=1_000)
ENDS = [
    (None, 30.0, 0, judgement.TOO_LONG),
    (None, 2.0, 0, ""),  # kept waiting
    (-9, 1.0, 950, judgement.TOO_LARGE),
    (137, 1.0, 950, judgement.TOO_LARGE),
    (-9, 1.0, 500, ""),  # by a host in need of memory
    (-9, 1.0, 0, ""),  # nobody counted
    (-11, 1.0, 0, "SIGSEGV"),
    (134, 1.0, 0, "SIGABRT"),
    (-7, 1.0, 0, ""),  # SIGBUS: a disk that is full, or fails
    (-15, 1.0, 0, ""),
    (3, 1.0, 0, ""),
]


def test_end_without_an_exception_has_a_cause_or_none(subtests: pytest.Subtests) -> None:
    for returncode, cpu_s, peak_bytes, cause in ENDS:
        with subtests.test(returncode=returncode, cpu_s=cpu_s, peak_bytes=peak_bytes, cause=cause):
            result = ToolResult(returncode, b"", "", 60.0, cpu_s, peak_bytes)
            crash = CheckCrashed("It ended.", HarnessReport(opened="double.txt"), result)
            assert judgement.cause_of(crash, LIMITS, runs_programs=True) == cause


def test_want_of_room_is_the_doing_of_programs_that_ran(subtests: pytest.Subtests) -> None:
    for said, runs_programs, cause in [
        ("OSError: [Errno 28] No space left on device", True, "OSError"),
        ("OSError: [Errno 28] No space left on device", False, ""),
        ("BlockingIOError: [Errno 11] Resource temporarily unavailable\n", True, "OSError"),
        ("OSError: [Errno 5] Input/output error", True, ""),
        ("OSError: [Errno 28] of before\n\nHostFault: no browser", True, ""),
    ]:
        with subtests.test(said=said, runs_programs=runs_programs, cause=cause):
            report = HarnessReport(crashed=f"Traceback\n{said}", error="OSError", is_of_host=True)
            crash = CheckCrashed("It raised.", report)
            assert judgement.cause_of(crash, LIMITS, runs_programs) == cause


async def test_code_that_ignores_signals_ends_at_the_deadline(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One call of C code that holds the interpreter for minutes."""
    monkeypatch.setattr("runner.task_code.verdict.CPU_SHARE", 0.1)
    monkeypatch.setattr(judgement, "CPU_SHARE", 0.1)  # a busy machine gives it no more
    body = READS + "if text != '42':\n        sum(range(10**12))" + OWN
    verdict = await judged(sandbox, Raising("holds", body), tmp_path, timeout_s=6.0)
    assert not verdict.passed
    assert judgement.TOO_LONG in verdict.sentence


async def test_the_reference_is_played_once(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await judged(sandbox, AGENTS[0], tmp_path / "first")
    held = set(judgement.HELD)
    monkeypatch.setattr(judgement, "Stage", None)  # would raise
    suite = small_suite(tmp_path / "again", double=source_of(AGENTS[0]))
    task = suite.task("double")
    instance = double_of(7, tmp_path)
    outputs = tmp_path / "left"
    outputs.mkdir()
    (outputs / "double.txt").write_text("again no number")
    assert not (await judge(sandbox, suite, task, instance, outputs, "")).passed
    assert held == judgement.HELD


def source_of(case: Raising) -> str:
    return f"{DOUBLE.partition('def check(case):')[0]}def check(case):\n    {case.body}\n"


SNAKE = "import pygame, random\nx = a" + ".b" * 1_400 + "()\n"
PAGE = """<!doctype html><canvas></canvas><script>
document.querySelectorAll = () => ({length: %s, [Symbol.iterator]: function* () {}});
</script>"""
DEEP = "(() => { let v = []; for (let n = 0; n < 900; n++) v = [v]; return v; })()"
HOSTILE = [
    ("140_snake", "140/snake.py", SNAKE),
    ("140_snake", "140/snake.py", "(" * 5_000),
    ("140_snake", "140/snake.py", "import pygame\n" + "x = " + "-" * 40_000 + "1\n"),
    ("141_flappy_bird", "141/index.html", PAGE % "'many'"),
    ("141_flappy_bird", "141/index.html", PAGE % "Infinity"),
    ("141_flappy_bird", "141/index.html", PAGE % DEEP),
]


@pytest.mark.parametrize(("shipped", "name", "content"), HOSTILE)
async def test_shipped_checks_say_something_of_hostile_files(
    shipped: str, name: str, content: str, sandbox: Sandbox, tmp_path: Path
) -> None:
    """No exception crosses from the file into the check: no rerun and no reference is needed."""
    source = (PYBENCH / "tasks" / f"{shipped}.py").read_text("utf-8")
    source = source.replace(
        'CATEGORY = "software"',
        'CATEGORY = "maths"\nQUERY = "A game."\nINPUTS = []',
    )
    source += "\n\ndef make_inputs(seed, data):\n    return {}\n"
    suite = small_suite(tmp_path / "suite", shipped=source)
    outputs = tmp_path / "output"
    (outputs / name).parent.mkdir(parents=True)
    (outputs / name).write_text(content)
    (tmp_path / "data").mkdir()
    instance = Instance(tmp_path / "data", "", {}, (), suite.seed)
    verdict = await check(sandbox, suite, suite.task("shipped"), instance, outputs, "")
    assert not verdict.passed
