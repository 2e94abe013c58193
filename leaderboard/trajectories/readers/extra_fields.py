"""Facts beyond the messages that our own files say of each step, believed only where they fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from runner.contract import ChangeKind, FileChange, Step, StepStatus, Usage

LONGEST_S = 1e7  # of a time; beyond, the file is wrong
LATEST_S = 4e9  # since 1970
MAX_CHANGES = 500  # of a step
MAX_PATH_CHARS = 1000
DIGEST = re.compile("[0-9a-f]{64}")


def with_facts(steps: tuple[Step, ...], facts: Mapping[str, Any]) -> tuple[Step, ...]:
    """The steps with the reading, times and tokens that `facts` gives, when it has as many."""
    told = facts.get("steps")
    if not isinstance(told, list) or len(told) != len(steps):
        return steps
    return tuple(
        with_step_facts(step, more) if isinstance(more, dict) else step
        for step, more in zip(steps, told, strict=True)
    )


def with_step_facts(step: Step, more: Mapping[str, Any]) -> Step:
    code, thought, status = more.get("code"), more.get("thought"), more.get("status")
    reason, notes = more.get("finish_reason"), more.get("notes")
    if isinstance(status, str) and status in StepStatus.__members__.values():
        step = replace(step, status=StepStatus(status))
    if isinstance(code, str) and code.strip():
        step = replace(step, code=code)
    if isinstance(thought, str):
        step = replace(step, thought=thought)
    if isinstance(notes, list):
        step = replace(step, notes=tuple(note[:300] for note in notes if isinstance(note, str)))
    return replace(
        step,
        finish_reason=reason[:40] if isinstance(reason, str) else "",
        model_s=seconds(more.get("model_s")),
        cell_s=seconds(more.get("cell_s")),
        started_at=moment_of(more.get("started_at")),
        usage=usage_of(more.get("usage")),
        changes=tuple(changes_of(more.get("changes"))),
    )


def moment_of(value: object) -> float:
    """Seconds since 1970; 0 for what is no moment of our time."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return 0.0
    return float(value) if 0 <= value <= LATEST_S else 0.0


def changes_of(value: object) -> Iterator[FileChange]:
    """The files that a step changed, without their contents."""
    for change in value[:MAX_CHANGES] if isinstance(value, list) else ():
        if not isinstance(change, dict):
            continue
        path, kind, sha256 = (change.get(name) for name in ("path", "kind", "sha256"))
        size: Any = change.get("size_bytes")
        before: Any = change.get("size_before_bytes")
        is_path = isinstance(path, str) and 0 < len(path) <= MAX_PATH_CHARS
        if not is_path or not isinstance(kind, str) or kind not in ChangeKind.__members__.values():
            continue
        if not (is_count(size) and is_count(before)):
            continue
        is_digest = isinstance(sha256, str) and DIGEST.fullmatch(sha256)
        digest = str(sha256) if is_digest else ""
        yield FileChange(str(path), ChangeKind(kind), size, before, digest)


def seconds(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return 0.0
    return float(value) if 0 <= value <= LONGEST_S else 0.0  # NaN is in no range


def usage_of(value: object) -> Usage:
    """The tokens of a step; what is no count is unknown."""
    if not isinstance(value, dict):
        return Usage()
    counts = {field.name: value.get(field.name) for field in fields(Usage)}
    return Usage(**{name: n for name, n in counts.items() if is_count(n)})


def is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 50
