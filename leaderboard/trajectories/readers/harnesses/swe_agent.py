"""Reads trajectories of SWE-agent (.traj) and mini-SWE-agent (.traj.json).

After the files that SWE-agent publishes as demonstrations, and mini-SWE-agent's output. Their
actions are shell commands and editor calls: they are shown as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from leaderboard.trajectories.readers.assembled_attempt import (
    ForeignFacts,
    assemble,
    attempt_of,
    damage_at,
    mapping,
    reading_of,
    sequence,
    text,
)
from leaderboard.trajectories.readers.attempt_reading import AttemptReading, LineError, Row
from leaderboard.trajectories.readers.chat_messages import read_message, text_of, tokens_of
from leaderboard.trajectories.readers.conversation import (
    NOT_PYTHON,
    Said,
    Unusable,
    joined,
    outputs_of,
    split_turns,
    status_of,
)
from leaderboard.trajectories.readers.extra_fields import seconds
from leaderboard.trajectories.readers.json_documents import Document
from runner.contract import Outcome, Step

LOSSES = (
    "SWE-agent's actions are shell commands, not Python code: they are shown as text.",
    "A .traj file has no files that a step changed.",
)
MINI = "mini-SWE-agent"
MAX_STEPS = 50_000
ENDS = {
    "submitted": Outcome.FINISHED,
    "limitsexceeded": Outcome.OUT_OF_TURNS,
    "exit_context": Outcome.CONTEXT_FULL,
    "exit_cost": Outcome.OUT_OF_TURNS,
    "exit_total_execution_time": Outcome.OUT_OF_TIME,
}
SHELL = "shell"


def recognises(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("trajectory"), list):
        return not {"history", "info", "environment"}.isdisjoint(value) or any(
            isinstance(step, dict) and "action" in step for step in value["trajectory"][:1]
        )
    history = sequence(value.get("history"))
    return is_mini(value) or any(
        isinstance(told, dict) and "role" in told and "message_type" in told for told in history[:1]
    )


def is_mini(value: Mapping[str, Any]) -> bool:
    if not isinstance(value.get("messages"), list):
        return False
    info = mapping(value.get("info"))
    return text(value.get("trajectory_format")).startswith("mini-swe-agent") or bool(
        {"mini_version", "exit_status", "model_stats"} & info.keys()
    )


def read(documents: Sequence[Document]) -> AttemptReading:
    """One attempt a document."""
    rows: list[Row] = []
    errors: list[LineError] = []
    cut, name = "", "an SWE-agent trajectory"
    for document in documents:
        value = mapping(document.value)
        name = name_of(value)
        steps = sequence(value.get("trajectory")) or sequence(value.get("messages"))
        cut = damage_at(document, "message" if is_mini(value) else "step", len(steps))
        try:
            rows.append(read_document(document))
        except Unusable as problem:
            errors.append(LineError(document.line, str(problem)))
    return reading_of(rows, errors, name, LOSSES, "line", cut)


def name_of(value: Mapping[str, Any]) -> str:
    if not is_mini(value):
        return "an SWE-agent trajectory"
    info = mapping(value.get("info"))
    version = text(info.get("mini_version"))[:20]
    return f"a {MINI} trajectory of version {version}" if version else f"a {MINI} trajectory"


def read_document(document: Document) -> Row:
    value = mapping(document.value)
    info = mapping(value.get("info"))
    facts = ForeignFacts(
        number=document.line,
        index=text(value.get("instance_id")) or text(value.get("environment")),
        model=model_of(info),
        outcome=ENDS.get(text(info.get("exit_status")).lower()),
        ours={"submission": info["submission"]} if text(info.get("submission")) else {},
    )
    if is_mini(value):
        return assemble(list(mini_messages(value["messages"])), facts)
    trajectory = sequence(value.get("trajectory"))
    if len(trajectory) > MAX_STEPS:
        raise Unusable(f"There are more than {MAX_STEPS:,} steps.")
    history = history_of(value)
    if not trajectory:
        if not history:
            raise Unusable("“trajectory” is missing, empty or no list.")
        return assemble(history, facts)
    opening = tuple(one for one in split_opening(history))
    told = [step for step in trajectory if isinstance(step, dict)]
    steps = tuple(read_step(n, step) for n, step in enumerate(told, 1))
    if not steps:
        raise Unusable("No step of “trajectory” is an object.")
    return attempt_of(opening, steps, facts)


def model_of(info: Mapping[str, Any]) -> str:
    model = mapping(mapping(info.get("config")).get("model"))
    return text(model.get("model_name")) or text(model.get("name"))


def history_of(value: Mapping[str, Any]) -> list[Said]:
    """The messages of the history, without the demonstrations that the model was shown."""
    return [
        read_message(told, number)
        for number, told in enumerate(sequence(value.get("history")), 1)
        if isinstance(told, dict) and not told.get("is_demo")
    ]


def split_opening(history: Sequence[Said]) -> tuple[Said, ...]:
    try:
        return split_turns(history)[0]
    except Unusable:
        return tuple(history)


def read_step(index: int, told: Mapping[str, Any]) -> Step:
    """One action and its observation."""
    action, observation = text(told.get("action")).strip(), text_of(told.get("observation"))
    thought = text(told.get("thought"))
    reply = text(told.get("response")) or joined(thought, action)
    answer = Said("user", observation, cell_s=seconds(told.get("execution_time")))
    outputs = outputs_of((answer,), observation)
    return Step(
        index=index,
        status=status_of(outputs),
        reply=reply,
        thought=joined(thought or reply, f"[{SHELL}] {action}" if action else ""),
        outputs=outputs,
        observation=observation,
        notes=(NOT_PYTHON.format(SHELL),) if action else (),
        cell_s=answer.cell_s,
        messages=(Said("assistant", reply).message, answer.message),
    )


def mini_messages(messages: Sequence[Any]) -> Iterator[Said]:
    """The messages of mini-SWE-agent; the last one says how it ended, not what was said."""
    for number, told in enumerate(messages, 1):
        if isinstance(told, dict) and told.get("role") == "exit":
            continue
        said = read_message(told, number)
        response = mapping(mapping(mapping(told).get("extra")).get("response"))
        usage = tokens_of(response.get("usage"))
        yield Said(**{**vars(said), "usage": usage}) if response else said
