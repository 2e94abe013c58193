"""Recorded steps played again in a sandbox, without a model, and compared with the recording."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

from runner.cancellation import wait_for
from runner.contract import (
    ActionFormat,
    Harvest,
    Limits,
    Listener,
    Output,
    OutputKind,
    RecordedPlay,
    Step,
    StepStatus,
)
from runner.model.observation import as_written, observe
from runner.model.prompts import Message, messages_of_cell
from runner.sandbox.base import Session
from runner.sandbox.files.harvest import harvest


async def recite(
    recording: RecordedPlay,
    session: Session,
    limits: Limits,
    listener: Listener,
    slots: AbstractAsyncContextManager[None],
    count: Callable[[Step, Step], None],
) -> bool:
    """Play the steps; False if the attempt's time was over before the last one began.

    `count` gets each step as recorded and as it came out.
    Raises Stopped when it is called off, and Fenced when the listener does.
    """
    until_s = time.monotonic() + limits.attempt_timeout_s

    async def run(step: Step) -> Step:
        async with slots:
            return await play_step(session, limits, step, step.index in recording.typed)

    for recorded in recording.steps:
        if time.monotonic() > until_s:
            return False
        step = recorded
        if step.code is not None:
            step = await wait_for(run(step), listener.should_stop)
        count(recorded, step)
        await listener.step(step)
    return True


SAME = "the observation came out as recorded"
DIFFERENT = "the observation differs from the recorded one"
TYPED = "typed by hand"

# What changes from one machine or moment to the next, and says nothing.
PASSING = (
    (re.compile(r"0x[0-9a-f]{4,}", re.IGNORECASE), "0x…"),
    (re.compile(r"\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b"), "hh:mm:ss"),
    (re.compile(r"\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s)\b"), "… s"),
    (re.compile(r"/tmp/[\w./-]+"), "/tmp/…"),
    (re.compile(r"\b(?:Cell )?In ?\[\d+\]"), "In [n]"),
)


async def play_step(session: Session, limits: Limits, step: Step, is_typed: bool = False) -> Step:
    """The step as it comes out now, with a note on whether that is as recorded."""
    if step.code is None:
        return step
    started_at = time.time()
    result = await session.run(step.code, limits.cell_timeout_s)
    changes = await session.changes()
    difference = "" if is_typed else compare(step.outputs, result.outputs)
    note = TYPED if is_typed else f"{DIFFERENT}: {difference}" if difference else SAME
    return replace(
        step,
        status=StepStatus(result.status.value),
        outputs=result.outputs,
        observation=observe(result, limits),
        changes=changes,
        notes=(*(n for n in step.notes if n != SAME and not n.startswith(DIFFERENT)), note),
        cell_s=result.duration_s,
        started_at=started_at,
    )


def compare(recorded: Sequence[Output], now: Sequence[Output]) -> str:
    """In what two observations differ, as the end of a sentence; "" when they say the same."""
    before, after = error_of(recorded), error_of(now)
    if before != after:
        return f"it was {before or 'no error'}, now it is {after or 'no error'}"
    if printed(recorded) != printed(now):
        return "what was printed is another text"
    return ""


def error_of(outputs: Sequence[Output]) -> str:
    names = [o.error_name.rpartition(".")[2] for o in outputs if o.kind == OutputKind.ERROR]
    return names[-1] if names else ""


def printed(outputs: Sequence[Output]) -> str:
    """Text that a cell printed and returned, but for stderr, white space and what changes by
    itself."""
    shown = (OutputKind.STDOUT, OutputKind.RESULT)
    text = "\n".join(as_written(o.text) for o in outputs if o.kind in shown)
    for pattern, stand_in in PASSING:
        text = pattern.sub(stand_in, text)
    return " ".join(text.split())


def messages_since(recorded: Step, played: Step, action_format: ActionFormat) -> list[Message]:
    """Messages of a step for a model that goes on after it: it reads what came out now."""
    if not recorded.messages:  # typed, or from a format that keeps none
        code = played.code
        if code is not None and not played.reply:
            return messages_of_cell(code, played.observation, played.index, action_format)
        told = [{"role": "user", "content": played.observation}] if played.observation else []
        return [{"role": "assistant", "content": played.reply or "(empty reply)"}, *told]
    if not any(note.startswith(DIFFERENT) for note in played.notes):
        return [*recorded.messages]
    return [
        {**message, "content": played.observation}
        if message.get("role") != "assistant" and message.get("content") == recorded.observation
        else message
        for message in recorded.messages
    ]


def take_brought(recording: RecordedPlay, outputs: Path, wanted: Collection[str]) -> Harvest:
    """Copy the recording's files below `outputs`, the `wanted` ones first. Blocks.

    Raises ProblemError when none of them can be had, and OSError when the disk is full.
    """
    assert recording.bring_files is not None
    with tempfile.TemporaryDirectory(dir=outputs.parent, prefix="brought-") as folder:
        refused = recording.bring_files(Path(folder))
        work = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            taken = harvest(work, ".", outputs, wanted)
        finally:
            os.close(work)
    return replace(taken, refused=(*taken.refused, *refused))
