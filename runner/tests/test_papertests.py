"""Published tests, asked of a proof's solutions: each alone, in the real sandbox."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from runner import papertests, proving
from runner.contract import ProblemError
from runner.material import MaterialFile, MaterialTask, write_material
from runner.papertests import PaperResult, read_results, run_alone
from runner.prover import Proof, prove
from runner.sandbox.factory import open_sandbox
from runner.suites import Suite, SuiteTask
from runner.tests.small_suite import small_suite

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
    source: str, index: str, data: Path, tries: Sequence[tuple[Path, papertests.Messages]]
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
    assert set(told.values()) == {False}
    assert proving.published_lines([proof])[:3] == [
        "pass the published tests: reference: 1 of 1",
        "pass the published tests: wrong: 0 of 2",
        "pass the published tests: silent: 0 of 1",
    ]


@pytest.mark.sandbox
@pytest.mark.parametrize(("published", "why"), [("", ""), (TESTS, "It has no number.txt.")])
def test_it_is_not_asked_without_tests_or_about_inputs_of_our_own_making(
    published: str, why: str, tmp_path: Path
) -> None:
    suite = on_material(tmp_path)
    proof = proof_of(suite, replace(suite.task("double"), unavailable=why), published)
    assert {one.passes_published for one in proof.played} == {None}
    assert proving.published_lines([proof]) == []


def test_the_tests_are_found_where_a_checkout_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYBENCH_UPSTREAM", raising=False)
    assert papertests.find_tests() == ""
    monkeypatch.setenv("PYBENCH_UPSTREAM", str(tmp_path))
    assert papertests.find_tests() == ""  # data alone
    (tmp_path / papertests.TESTS).parent.mkdir(parents=True)
    (tmp_path / papertests.TESTS).write_text(TESTS)
    assert papertests.find_tests() == TESTS
    (tmp_path / papertests.TESTS).write_bytes(b"\xff")
    with pytest.raises(ProblemError, match="it is not UTF-8"):
        papertests.find_tests()


def test_a_report_cut_short_fails_what_it_does_not_tell() -> None:
    assert read_results(b'{"place": 0, "said": "+"}\n{"place": 1', 2) == [
        PaperResult(True, "The published test passed."),
        PaperResult(False, "The published test failed: the tests came to no end."),
    ]
