"""Reads the memory of a smolagents run, as `agent.memory.get_full_steps()` writes it.

After smolagents' own memory module (src/smolagents/memory.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from leaderboard.trajectories.readers.assembled_attempt import (
    ForeignFacts,
    assemble,
    damage_at,
    mapping,
    moment,
    reading_of,
    sequence,
    text,
)
from leaderboard.trajectories.readers.attempt_reading import AttemptReading, LineError
from leaderboard.trajectories.readers.chat_messages import calls_of, text_of, tokens_of
from leaderboard.trajectories.readers.conversation import MadeCall, Said, Unusable
from leaderboard.trajectories.readers.json_documents import Document

LOSSES = ("The memory of smolagents has no files that a step changed.",)
STEP = frozenset({"step_number", "model_output", "observations", "tool_calls", "code_action"})


def recognises(value: object) -> bool:
    steps = steps_of(value)
    return any(isinstance(step, dict) and len(STEP & step.keys()) >= 3 for step in steps[:50])


def steps_of(value: object) -> list[Any]:
    return sequence(mapping(value).get("steps")) if isinstance(value, dict) else sequence(value)


def read(documents: Sequence[Document]) -> AttemptReading:
    rows, errors, cut = [], [], ""
    for document in documents:
        steps = steps_of(document.value)
        cut = damage_at(document, "step", len(steps))
        try:
            rows.append(assemble(list(messages_of(steps)), ForeignFacts(number=document.line)))
        except Unusable as problem:
            errors.append(LineError(document.line, str(problem)))
    return reading_of(rows, errors, "a run of smolagents", LOSSES, "line", cut)


def messages_of(steps: Sequence[Any]) -> Iterator[Said]:
    for step in steps:
        if not isinstance(step, dict):
            continue
        if isinstance(step.get("system_prompt"), str):
            yield Said("system", step["system_prompt"])
        elif isinstance(step.get("task"), str):
            yield Said("user", step["task"])
        elif isinstance(step.get("plan"), str):
            yield Said("assistant", step["plan"])
        elif STEP & step.keys():
            yield from action_messages(step)


def action_messages(step: Mapping[str, Any]) -> Iterator[Said]:
    """The reply of an action step, and what it observed."""
    code, calls = step.get("code_action"), calls_of(step)
    if isinstance(code, str) and code.strip():
        calls = (MadeCall(f"step-{text(step.get('step_number'))}", "python_interpreter", code),)
    timing = mapping(step.get("timing"))
    error = mapping(step.get("error"))
    seen = [text_of(step.get("observations")), text(error.get("message"))]
    yield Said(
        "assistant",
        text_of(step.get("model_output")),
        calls,
        usage=tokens_of(step.get("token_usage")),
        started_at=moment(timing.get("start_time")),
    )
    if any(seen):
        yield Said("tool", "\n".join(part for part in seen if part))
    elif step.get("is_final_answer") is True and step.get("action_output") is not None:
        yield Said("tool", text(step["action_output"]))
