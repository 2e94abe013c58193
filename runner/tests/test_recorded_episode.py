"""Attempts that play recorded code: in the real sandbox on the real inputs, with the real check."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from runner.attempt import AttemptPlace, Playing, play
from runner.contract import (
    AS_RECORDED,
    AttemptResult,
    EndpointSpec,
    Fault,
    Limits,
    Outcome,
    Output,
    OutputKind,
    Problem,
    ProblemError,
    RecordedPlay,
    RefusedFile,
    Step,
    StepStatus,
)
from runner.endpoint.client import EndpointClient
from runner.endpoint.http import open_http
from runner.recorded import DIFFERENT, SAME, TYPED
from runner.sandbox.factory import open_sandbox
from runner.suite.reader import Suite
from runner.tests.support.endpoint_server import misbehaving, said
from runner.tests.support.small_suite import Watcher, small_suite

pytestmark = pytest.mark.sandbox

WRITE = "open('output/double.txt', 'w').write('42')\nprint('done')"


def recorded(code: str, printed: str) -> Step:
    outputs = (Output(OutputKind.STDOUT, printed),)
    return Step(1, StepStatus.OK, f"```python\n{code}\n```", code=code, outputs=outputs)


def answered(index: int) -> Step:
    return Step(index, StepStatus.ANSWER, "It is 42.")


@dataclass
class Recital:
    """Setting in which a test plays recordings."""

    suite: Suite
    place: AttemptPlace
    folder: Path

    async def play(
        self,
        recording: RecordedPlay,
        limits: Limits | None = None,
        watcher: Watcher | None = None,
        base_url: str = "https://recorded.invalid/v1",  # nobody is called
    ) -> tuple[AttemptResult, Watcher]:
        watcher = watcher or Watcher()
        async with open_http() as http:
            chat = EndpointClient(EndpointSpec(base_url, "none", stream=False), http)
            playing = Playing(
                suite=self.suite,
                task=self.suite.task("double"),
                seed=self.suite.seed,
                limits=limits or self.suite.limits,
                chat=chat,
                listener=watcher,
                outputs=self.folder,
                recording=recording,
            )
            return await play(playing, self.place), watcher


@pytest.fixture
async def recital(tmp_path: Path) -> AsyncIterator[Recital]:
    sandbox = open_sandbox()
    place = AttemptPlace(sandbox, tmp_path / "instances", asyncio.Semaphore(2))
    (tmp_path / "outputs").mkdir()
    yield Recital(small_suite(tmp_path), place, tmp_path / "outputs")
    await sandbox.close()


async def test_recorded_code_is_executed_and_its_files_are_checked(recital: Recital) -> None:
    steps = (recorded(WRITE, "done\n"), answered(2))
    result, watcher = await recital.play(RecordedPlay(steps, "It is 42."))
    assert result.verdict
    assert result.verdict.passed, result.verdict.sentence
    assert (result.outcome, result.turns, result.answer) == (Outcome.FINISHED, 2, "It is 42.")
    assert SAME in watcher.steps[0].notes
    assert result.environment[AS_RECORDED] == "1 of 1"
    assert [file.path for file in result.harvest.files] == ["double.txt"]


async def test_claimed_observation_is_not_believed(recital: Recital) -> None:
    steps = (recorded("print('nothing written')", "wrote 42\n"), answered(2))
    result, watcher = await recital.play(RecordedPlay(steps, "It is 42."))
    assert result.verdict
    assert not result.verdict.passed
    assert any(note.startswith(DIFFERENT) for note in watcher.steps[0].notes)
    assert result.environment[AS_RECORDED] == "0 of 1"
    assert watcher.steps[0].outputs[0].text == "nothing written\n"


async def test_recording_that_never_ends_meets_the_attempts_limit(recital: Recital) -> None:
    steps = tuple(
        replace(recorded("import time; time.sleep(1)", ""), index=n) for n in range(1, 50)
    )
    limits = replace(recital.suite.limits, attempt_timeout_s=0.5)
    result, watcher = await recital.play(RecordedPlay(steps, None), limits)
    assert result.outcome == Outcome.OUT_OF_TIME
    assert len(watcher.steps) < 5


async def test_recording_that_is_called_off_is_void(recital: Recital) -> None:
    watcher = Watcher()
    watcher.stop.set()
    steps = (recorded("import time; time.sleep(600)", ""),)
    result, _ = await recital.play(RecordedPlay(steps, None), watcher=watcher)
    assert result.outcome == Outcome.CANCELLED
    assert result.verdict is None


def typed(index: int, code: str) -> Step:
    return Step(index, StepStatus.OK, "", code=code)


async def test_cell_typed_by_hand_runs_in_the_state_that_was_rebuilt(recital: Recital) -> None:
    steps = (recorded("n = int(open('data/number.txt').read())", ""), typed(2, "print(2 * n)"))
    _, watcher = await recital.play(RecordedPlay(steps, "", typed=frozenset({2})))
    assert watcher.steps[1].outputs[0].text == "42\n"
    assert watcher.steps[1].notes == (TYPED,)


async def test_model_that_goes_on_reads_what_came_out_here(recital: Recital) -> None:
    told = {"role": "user", "content": "84"}
    first = replace(
        recorded("n = int(open('data/number.txt').read()); print(n)", "84"),
        observation="84",
        messages=({"role": "assistant", "content": "I look."}, told),
    )
    steps = (first, typed(2, "open('output/double.txt', 'w').write(str(2 * n))"))
    opening = ({"role": "user", "content": "Double it."},)
    recording = RecordedPlay(steps, None, opening, frozenset({2}), goes_on=True)
    with misbehaving(said("It is 42.")) as server:
        result, watcher = await recital.play(recording, base_url=server.base_url)
    asked = server.bodies[0]["messages"]
    roles = [message["role"] for message in asked]
    assert roles == ["user", "assistant", "user", "assistant", "user"]
    assert asked[2]["content"] == "21"
    assert asked[3]["content"].startswith("```python\nopen(")
    assert result.verdict
    assert result.verdict.passed, result.verdict.sentence
    assert (result.turns, [step.index for step in watcher.steps]) == (3, [1, 2, 3])


async def test_model_that_goes_on_has_the_replies_that_are_left(recital: Recital) -> None:
    steps = (recorded("1", ""), typed(2, "2"))
    recording = RecordedPlay(steps, None, typed=frozenset({2}), goes_on=True)
    with misbehaving(said("```python\n3\n```")) as server:
        result, watcher = await recital.play(recording, base_url=server.base_url)
    assert (result.outcome, result.turns, len(watcher.steps)) == (Outcome.OUT_OF_TURNS, 3, 3)


@pytest.mark.parametrize(("content", "passed"), [("42", True), ("41", False)])
async def test_files_that_were_brought_in_are_judged_as_an_attempts_own(
    content: str, passed: bool, recital: Recital
) -> None:
    def bring_files(folder: Path) -> tuple[RefusedFile, ...]:
        (folder / "double.txt").write_text(content)
        (folder / "link.txt").symlink_to("/etc/passwd")
        return (RefusedFile("lost.txt", "is damaged in the archive"),)

    recording = RecordedPlay((), "It is 42.", bring_files=bring_files)
    result, watcher = await recital.play(recording)
    assert result.outcome == Outcome.FINISHED
    assert result.verdict is not None
    assert result.verdict.passed is passed
    assert watcher.steps == []
    assert [file.path for file in result.harvest.files] == ["double.txt"]
    assert {refused.path for refused in result.harvest.refused} == {"link.txt", "lost.txt"}
    assert [path.name for path in recital.folder.parent.glob("brought-*")] == []


async def test_bytes_that_are_gone_are_no_fault_of_the_files(recital: Recital) -> None:
    def bring_files(folder: Path) -> tuple[RefusedFile, ...]:
        raise ProblemError(Problem(Fault.US, "bytes_missing", "The bytes are missing.", ""))

    result, _ = await recital.play(RecordedPlay((), "42", bring_files=bring_files))
    assert result.outcome == Outcome.CHECK_CRASHED
    assert result.problem is not None
    assert "The bytes are missing." in result.problem.what
