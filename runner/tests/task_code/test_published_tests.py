"""Published tests, run on a proof's solutions: each alone, in the real sandbox."""

from __future__ import annotations

import asyncio
import hashlib
import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runner.contract import ProblemError
from runner.proof import command
from runner.proof.prover import Proof, prove
from runner.sandbox.factory import open_sandbox
from runner.suite.material import MaterialFile, MaterialTask, write_material
from runner.suite.reader import Suite, SuiteTask
from runner.task_code import published_tests
from runner.task_code.published_tests import PaperResult, read_results, run_alone, run_tests
from runner.tests.support.small_suite import small_suite

TESTS = """
import os
def test_task_2(trajectory):
    print("looking")
    assert open("./output/double.txt").read() == str(2 * int(open("./data/number.txt").read()))
    assert trajectory[-1]["role"] == "assistant", trajectory
def test_task_3(trajectory):
    assert os.listdir(".") and trajectory[-1]["content"] == "3"
    open("./output/left", "w")
"""


def alone(
    source: str, index: str, data: Path, tries: Sequence[tuple[Path, published_tests.Messages]]
) -> list[PaperResult]:
    async def run() -> list[PaperResult]:
        sandbox = open_sandbox()
        try:
            return await run_alone(sandbox, source, index, data, tries)
        finally:
            await sandbox.close()

    return asyncio.run(run())


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "number.txt").write_text("4")
    return folder


def left(folder: Path, content: str) -> Path:
    folder.mkdir()
    (folder / "double.txt").write_text(content)
    return folder


@pytest.mark.sandbox
def test_each_try_is_seen_alone(tmp_path: Path, data: Path) -> None:
    """The right one, a wrong one, and one that left nothing though others did."""
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    folders = [left(tmp_path / "right", "8"), left(tmp_path / "wrong", "9"), nothing]
    said = [{"role": "assistant", "content": "It is 8."}]
    right, wrong, none = alone(TESTS, "2", data, [(folder, said) for folder in folders])
    assert right == PaperResult(True, "The published test passed.")
    assert (wrong.passed, none.passed) == (False, False)
    assert "FileNotFoundError" in none.sentence


FORGE = r"""
import json, os, signal
lines = "".join('\n' + json.dumps({"place": n, "said": "+"}) + '\n' for n in range(3)).encode()
def write(path_or_fd):
    try:
        fd = path_or_fd if isinstance(path_or_fd, int) else os.open(path_or_fd, os.O_WRONLY)
        os.set_blocking(fd, False); os.write(fd, lines)
    except OSError: pass
for process in ("self", os.getppid(), 1):
    for number in range(64):
        write(number if process == "self" else f"/proc/{process}/fd/{number}")
open("/work/json.py", "w").write("raise SystemExit")
if os.fork() == 0:  # left behind, to harm the next one
    while True: write(1)
"""
FORGED_TESTS = """
import pickle
def test_task_1(trajectory):
    pickle.load(open("./output/model.pkl", "rb"))
    assert False, "the first"
def test_task_2(trajectory):
    import json
    assert False, "the second"
def test_task_3(trajectory):
    assert "pass" in trajectory[-1]["content"]
"""


class Forger:
    def __init__(self, code: str) -> None:
        self.code = code

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, dict[str, Any]]]:
        return exec, (self.code, {})


def score_forged(root: Path, code: str) -> list[PaperResult]:
    checkout = root / "checkout"
    (checkout / published_tests.TESTS).parent.mkdir(parents=True)
    (checkout / published_tests.TESTS).write_text(FORGED_TESTS)
    model = root / "model.pkl"
    model.write_bytes(pickle.dumps(Forger(code)))
    said = [{"role": "assistant", "content": "pass"}]

    async def run() -> dict[str, PaperResult]:
        sandbox = open_sandbox()
        try:
            runs = dict.fromkeys("123", said)
            return await run_tests(sandbox, checkout, runs, [("model.pkl", model)])
        finally:
            await sandbox.close()

    return list(asyncio.run(run()).values())


@pytest.mark.sandbox
def test_a_pickle_cannot_write_the_report(tmp_path: Path) -> None:
    first, second, third = score_forged(tmp_path, FORGE)
    assert (first.passed, second.passed, third.passed) == (False, False, True)
    assert "the first" in first.sentence
    assert "the second" in second.sentence


@pytest.mark.sandbox
def test_a_pickle_that_would_end_the_tests_ends_its_own_alone(tmp_path: Path) -> None:
    code = FORGE.replace("if os.fork() == 0:", "if True:\n    os.kill(os.getppid(), 9)\nif False:")
    told = score_forged(tmp_path, code + "\nos._exit(0)")
    assert [one.passed for one in told] == [False, False, True]
    assert "the second" in told[1].sentence


@pytest.mark.sandbox
def test_a_pickle_that_exits_as_if_all_were_well_has_not_passed(tmp_path: Path) -> None:
    first, *_ = score_forged(tmp_path, "import os; os._exit(0)")
    assert first.passed is False
    assert "ended with 0" in first.sentence


@pytest.mark.sandbox
def test_the_outputs_are_not_the_tests_to_change(tmp_path: Path, data: Path) -> None:
    outputs = left(tmp_path / "outputs", "8")
    (told,) = alone(TESTS, "3", data, [(outputs, [{"role": "user", "content": "3"}])])
    assert told.passed is False
    assert "Error" in told.sentence
    assert [path.name for path in outputs.iterdir()] == ["double.txt"]


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("source", "passed", "says"),
    [
        ("", None, "no published test of this task"),
        ("def test_task_2(:", False, "SyntaxError"),
        ("import no_such_library", False, "ModuleNotFoundError"),
    ],
)
def test_tests_that_cannot_be_run_are_said_to_be_so(
    source: str, passed: bool | None, says: str, tmp_path: Path, data: Path
) -> None:
    (told,) = alone(source, "2", data, [(left(tmp_path / "outputs", "8"), [])])
    assert told.passed is passed
    assert says in told.sentence


def on_material(root: Path) -> Suite:
    """The suite of `double`, whose input is an imported file."""
    given = root / "number.txt"
    given.write_text("21")
    digest = hashlib.sha256(b"21").hexdigest()
    suite = small_suite(root)
    query = suite.task("double").spec.query
    told = MaterialTask("2", query, (MaterialFile("number.txt", digest, 2),))
    material = write_material("small", {"2": told}, {digest: given}, {}, root / "material")
    task = replace(suite.task("double"), material=told)
    return replace(suite, tasks=(task,), material=material)


def proof_of(suite: Suite, task: SuiteTask, published: str) -> Proof:
    async def run() -> list[Proof]:
        sandbox = open_sandbox()
        try:
            return await prove(suite, sandbox, [7], [task], published=published)
        finally:
            await sandbox.close()

    (proof,) = asyncio.run(run())
    assert proof.holds, proof
    return proof


@pytest.mark.sandbox
def test_a_proof_tells_what_the_published_test_says_of_each_solution(tmp_path: Path) -> None:
    suite = on_material(tmp_path)
    proof = proof_of(suite, suite.task("double"), TESTS)
    told = {one.name: one.passes_published for one in proof.played}
    assert told.pop("reference") is True
    assert told.pop("answer-as-markdown") is None
    assert set(told.values()) == {False}
    assert command.published_lines([proof])[:3] == [
        "pass the published tests: reference: 1 of 1",
        "pass the published tests: wrong: 0 of 2",
        "pass the published tests: silent: 0 of 1",
    ]


@pytest.mark.sandbox
@pytest.mark.parametrize(("published", "why"), [("", ""), (TESTS, "It has no number.txt.")])
def test_published_tests_are_not_run_without_tests_or_on_own_inputs(
    published: str, why: str, tmp_path: Path
) -> None:
    suite = on_material(tmp_path)
    proof = proof_of(suite, replace(suite.task("double"), unavailable=why), published)
    assert {one.passes_published for one in proof.played} == {None}
    assert command.published_lines([proof]) == []


def test_the_tests_are_found_where_a_checkout_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYBENCH_UPSTREAM", raising=False)
    assert published_tests.find_tests() == ""
    monkeypatch.setenv("PYBENCH_UPSTREAM", str(tmp_path))
    assert published_tests.find_tests() == ""  # data alone
    (tmp_path / published_tests.TESTS).parent.mkdir(parents=True)
    (tmp_path / published_tests.TESTS).write_text(TESTS)
    assert published_tests.find_tests() == TESTS
    (tmp_path / published_tests.TESTS).write_bytes(b"\xff")
    with pytest.raises(ProblemError, match="it is not UTF-8"):
        published_tests.find_tests()


def test_a_report_cut_short_fails_what_it_does_not_tell() -> None:
    assert read_results(b'{"place": 0, "said": "+"}\n{"place": 1', 2) == [
        PaperResult(True, "The published test passed."),
        PaperResult(False, "The published test failed: the tests came to no end."),
    ]
