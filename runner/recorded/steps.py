"""One recorded step played again, and marked as recorded or different."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import replace

from runner.contract import Limits, Output, OutputKind, Step, StepStatus
from runner.model.observation import as_written, observe
from runner.sandbox.base import Session

SAME = "the observation came out as recorded"
DIFFERENT = "the observation differs from the recorded one"

# What changes from one machine or moment to the next, and says nothing.
PASSING = (
    (re.compile(r"0x[0-9a-f]{4,}", re.IGNORECASE), "0x…"),
    (re.compile(r"\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b"), "hh:mm:ss"),
    (re.compile(r"\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s)\b"), "… s"),
    (re.compile(r"/tmp/[\w./-]+"), "/tmp/…"),
    (re.compile(r"\b(?:Cell )?In ?\[\d+\]"), "In [n]"),
)


async def play_step(session: Session, limits: Limits, step: Step) -> Step:
    """The step as it comes out now, with a note on whether that is as recorded."""
    if step.code is None:
        return step
    started_at = time.time()
    result = await session.run(step.code, limits.cell_timeout_s)
    changes = await session.changes()
    difference = compare(step.outputs, result.outputs)
    note = f"{DIFFERENT}: {difference}" if difference else SAME
    return replace(
        step,
        status=StepStatus(result.status.value),
        outputs=result.outputs,
        observation=observe(result, limits),
        changes=changes,
        notes=(*step.notes, note),
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
