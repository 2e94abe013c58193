"""Attempts that a person plays: in the real sandbox, with the real check."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from runner.attempt import AttemptPlace, Playing, play
from runner.by_hand import HandChat
from runner.contract import (
    ActionFormat,
    AttemptResult,
    EndpointSpec,
    Limits,
    Outcome,
    TypedReply,
)
from runner.sandbox.factory import open_sandbox
from runner.tests.support.small_suite import Watcher, small_suite

pytestmark = pytest.mark.sandbox

SPEC = EndpointSpec("https://recorded.invalid/v1", "a person", action_format=ActionFormat.TOOLS)
FENCE = "text = '''\n```python\nx\n```\n'''\nprint(len(text))"


@dataclass
class Typist:
    """Types each reply a moment after the one before."""

    replies: list[TypedReply]
    asked: list[int] = field(default_factory=list)

    async def typed(self, index: int) -> TypedReply | None:
        self.asked.append(index)
        is_there = self.asked.count(index) > 1 and index <= len(self.replies)
        return self.replies[index - 1] if is_there else None


async def play_by_hand(
    tmp_path: Path, *replies: TypedReply, limits: Limits | None = None
) -> tuple[AttemptResult, Watcher]:
    suite, sandbox, watcher = small_suite(tmp_path), open_sandbox(), Watcher()
    (tmp_path / "outputs").mkdir()
    try:
        playing = Playing(
            suite=suite,
            task=suite.task("double"),
            seed=suite.seed,
            limits=limits or suite.limits,
            chat=HandChat(SPEC, Typist([*replies])),
            listener=watcher,
            outputs=tmp_path / "outputs",
        )
        place = AttemptPlace(sandbox, tmp_path / "instances", asyncio.Semaphore(2))
        return await play(playing, place), watcher
    finally:
        await sandbox.close()


async def test_typed_cells_run_as_they_are_and_are_checked(tmp_path: Path) -> None:
    write = "open('output/double.txt', 'w').write('42')"
    result, watcher = await play_by_hand(
        tmp_path,
        TypedReply(FENCE, False),
        TypedReply(write, False),
        TypedReply("It is 42.", True),
    )
    assert result.verdict
    assert result.verdict.passed, result.verdict.sentence
    assert [step.code for step in watcher.steps] == [FENCE, write, None]
    assert watcher.steps[0].outputs[0].text == "17\n"
    assert (result.outcome, result.answer) == (Outcome.FINISHED, "It is 42.")


async def test_session_that_is_left_ends_with_its_time_and_is_checked(tmp_path: Path) -> None:
    limits = Limits(attempt_timeout_s=1.0, reply_timeout_s=1.0, max_turns=3)
    result, _ = await play_by_hand(tmp_path, limits=limits)
    assert result.outcome == Outcome.OUT_OF_TIME
    assert result.verdict
    assert not result.verdict.passed


async def test_replies_are_limited_as_a_models(tmp_path: Path) -> None:
    limits = replace(small_suite(tmp_path / "other").limits, max_turns=2)
    cells = [TypedReply(f"print({n})", False) for n in range(5)]
    result, watcher = await play_by_hand(tmp_path, *cells, limits=limits)
    assert (result.outcome, len(watcher.steps)) == (Outcome.OUT_OF_TURNS, 2)
