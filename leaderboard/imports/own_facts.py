"""What files written here say of each step beyond its messages, believed only where it fits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from runner.contract import Step, StepStatus, Usage

LONGEST_S = 1e7  # of a time; beyond, the file is wrong


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
        usage=usage_of(more.get("usage")),
    )


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
