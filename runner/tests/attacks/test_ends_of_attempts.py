"""Attempts whose cells attack the kernel's messages end with a typed outcome, the worker lives."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from runner.attempt import AttemptPlace, Playing, play
from runner.contract import AttemptResult, EndpointSpec, Outcome, StepStatus
from runner.endpoint.client import EndpointClient
from runner.endpoint.http import open_http
from runner.sandbox.factory import open_sandbox
from runner.tests.attacks.ends import LIFE
from runner.tests.attacks.messages import MESSAGES
from runner.tests.attacks.output import OUTPUT
from runner.tests.attacks.rows import SMALL, Attack
from runner.tests.support.endpoint_server import misbehaving, said
from runner.tests.support.small_suite import Watcher, small_suite

pytestmark = pytest.mark.sandbox

NAMES = {
    "unfinished-multipart", "claimed-length", "noise-on-the-wire", "hang-up", "many-frames",
    "deep-json", "wrong-headers", "forged-reply", "replace-the-kernel-and-listen",
}  # fmt: skip
CHOSEN = [attack for attack in (*OUTPUT, *MESSAGES, *LIFE) if attack.name in NAMES]
LIMITS = replace(SMALL, max_turns=5, cell_timeout_s=8, attempt_timeout_s=600)
HONEST = "n = int(open('data/number.txt').read())\nopen('output/double.txt', 'w').write(str(2 * n))"


def test_every_name_is_a_row() -> None:
    assert {attack.name for attack in CHOSEN} == NAMES


@pytest.mark.parametrize("attack", CHOSEN, ids=lambda attack: attack.name)
async def test_the_attempt_ends_typed_and_so_does_the_next(attack: Attack, tmp_path: Path) -> None:
    """Whatever came of the cell, the same model may still do the task in its next reply."""
    sandbox = open_sandbox()
    place = AttemptPlace(sandbox, tmp_path / "instances", asyncio.Semaphore(1))
    try:
        spoilt, steps = await play_cells(place, tmp_path / "a", attack.code, HONEST)
        honest, _ = await play_cells(place, tmp_path / "b", HONEST)
    finally:
        await sandbox.close()
    assert spoilt.outcome is Outcome.FINISHED, spoilt.problem
    assert spoilt.verdict is not None
    assert spoilt.verdict.passed, spoilt.verdict.sentence
    assert steps[0] in (StepStatus.OK, StepStatus.ERROR, StepStatus.TIMEOUT, StepStatus.KILLED)
    assert steps[1:] == [StepStatus.OK, StepStatus.ANSWER]
    assert honest.verdict is not None
    assert honest.verdict.passed, honest.verdict.sentence


async def play_cells(
    place: AttemptPlace, folder: Path, *cells: str
) -> tuple[AttemptResult, list[StepStatus]]:
    """An attempt in which the model sends these cells, then its answer."""
    suite = small_suite(folder)
    outputs = folder / "outputs"
    outputs.mkdir()
    watcher = Watcher()
    replies = [said(f"```python\n{cell}\n```") for cell in cells]
    with misbehaving(*replies, said("It is 42.")) as server:
        async with open_http() as http:
            playing = Playing(
                suite=suite,
                task=suite.task("double"),
                seed=suite.seed,
                limits=LIMITS,
                chat=EndpointClient(EndpointSpec(server.base_url, "model"), http),
                listener=watcher,
                outputs=outputs,
            )
            result = await play(playing, place)
    return result, [step.status for step in watcher.steps]
