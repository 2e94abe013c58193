"""One recorded step played again, and marked as recorded or different."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import replace

from runner.contract import ActionFormat, Limits, Output, OutputKind, Step, StepStatus
from runner.model.observation import as_written, observe
from runner.model.prompts import Message
from runner.model.typed_cells import messages_of_cell
from runner.sandbox.base import Session

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
