"""Attempts that play recorded code: in the real sandbox on the real inputs, with the real check."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from runner.attempt import AttemptPlace, Playing, play
from runner.contract import (
    AttemptResult,
    EndpointSpec,
    Limits,
    Outcome,
    Output,
    OutputKind,
    RecordedPlay,
    Step,
    StepStatus,
)
from runner.endpoint.client import EndpointClient
from runner.endpoint.http import open_http
from runner.recorded.steps import DIFFERENT, SAME
from runner.sandbox.factory import open_sandbox
from runner.suite.reader import Suite
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
        self, recording: RecordedPlay, limits: Limits | None = None, watcher: Watcher | None = None
    ) -> tuple[AttemptResult, Watcher]:
        watcher = watcher or Watcher()
        async with open_http() as http:  # nobody is called
            chat = EndpointClient(EndpointSpec("https://recorded.invalid/v1", "none"), http)
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
    assert [file.path for file in result.harvest.files] == ["double.txt"]


async def test_claimed_observation_is_not_believed(recital: Recital) -> None:
    steps = (recorded("print('nothing written')", "wrote 42\n"), answered(2))
    result, watcher = await recital.play(RecordedPlay(steps, "It is 42."))
    assert result.verdict
    assert not result.verdict.passed
    assert any(note.startswith(DIFFERENT) for note in watcher.steps[0].notes)
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
