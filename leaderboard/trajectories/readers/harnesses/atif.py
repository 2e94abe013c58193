"""Reads ATIF 1.0 to 1.8, the Agent Trajectory Interchange Format of Harbor.

After Harbor's published RFC and its models (harborframework.com/docs/trajectory-format). What our
own export puts into `extra` is read back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from leaderboard.trajectories.readers.assembled_attempt import (
    ForeignFacts,
    attempt_of,
    damage_at,
    mapping,
    moment,
    outcome_of,
    reading_of,
    sequence,
    text,
)
from leaderboard.trajectories.readers.attempt_reading import AttemptReading, LineError, Row
from leaderboard.trajectories.readers.chat_messages import (
    call_of,
    pictures_in,
    text_of,
    tokens_of,
)
from leaderboard.trajectories.readers.conversation import (
    MadeCall,
    Said,
    Unusable,
    read_steps,
    split_reply,
    split_turns,
)
from leaderboard.trajectories.readers.extra_fields import with_step_facts
from leaderboard.trajectories.readers.json_documents import Document
from leaderboard.trajectories.readers.pybench_jsonl import inputs_of
from runner.contract import Step

KNOWN = tuple(f"ATIF-v1.{minor}" for minor in range(9))
ROLES = {"agent": "assistant", "system": "system"}
MAX_STEPS = 50_000
LOSSES = (
    "ATIF has no outputs of cells but the text that the model was sent: what was printed and what "
    "was raised is read from that.",
    "ATIF names pictures and files by their paths; their bytes are not in the document.",
)


def recognises(value: object) -> bool:
    return isinstance(value, dict) and (
        text(value.get("schema_version")).upper().startswith("ATIF")
        or {"schema_version", "steps", "agent"} <= value.keys()
    )


def read(documents: Sequence[Document]) -> AttemptReading:
    """One attempt a document, and one for each trajectory of a subagent in it."""
    rows: list[Row] = []
    errors: list[LineError] = []
    losses: list[str] = list(LOSSES)
    cut, version = "", "of no version"
    for document in documents:
        version = text(mapping(document.value).get("schema_version")) or version
        cut = damage_at(document, "step", len(sequence(mapping(document.value).get("steps"))))
        if document.value.get("subagent_trajectories") and SUBAGENTS not in losses:
            losses.append(SUBAGENTS)
        try:
            rows.append(read_trajectory(document))
        except Unusable as problem:
            errors.append(LineError(document.line, str(problem)))
    return reading_of(rows, errors, name_of(version), losses, "line", cut)


SUBAGENTS = "Trajectories of subagents inside the document are left out."


def name_of(version: str) -> str:
    number = version.upper().removeprefix("ATIF-V")[:12]
    return f"ATIF {number}" if version in KNOWN else f"ATIF {number} (read as 1.8)"


def read_trajectory(document: Document) -> Row:
    value = mapping(document.value)
    told = sequence(value.get("steps"))
    if not told:
        raise Unusable("“steps” is missing, empty or no list.")
    if len(told) > MAX_STEPS:
        raise Unusable(f"There are more than {MAX_STEPS:,} steps.")
    said = [one for step in told if isinstance(step, dict) for one in messages_of(step)]
    opening, turns = split_turns(said)
    facts = facts_of(document)
    steps = read_steps(turns)
    agents = [step for step in told if isinstance(step, dict) and step.get("source") == "agent"]
    if len(agents) == len(steps):
        steps = tuple(with_own_facts(step, one) for step, one in zip(steps, agents, strict=True))
    return attempt_of(opening, steps, facts)


def facts_of(document: Document) -> ForeignFacts:
    value = mapping(document.value)
    ours = mapping(value.get("extra"))
    answer = ours.get("answer")
    agent = mapping(value.get("agent"))
    return ForeignFacts(
        number=document.line,
        index=text(ours.get("task")) or text(value.get("trajectory_id") or value.get("session_id")),
        category=text(ours.get("category")),
        title=text(ours.get("title")),
        query=text(ours.get("query")),
        inputs=inputs_of(ours.get("inputs")),
        model=text(agent.get("model_name")) or text(agent.get("name")),
        outcome=outcome_of(ours.get("outcome")),
        answer=answer if isinstance(answer, str) else None,
        notes=(text(value.get("notes"))[:300],) if value.get("notes") and not ours else (),
        ours=ours,
    )


def messages_of(step: Mapping[str, Any]) -> Iterator[Said]:
    """The message of a step, and those that its observation holds."""
    message, results = step.get("message"), results_of(step)
    metrics = mapping(step.get("metrics"))
    if step.get("source") != "agent":
        role = ROLES.get(text(step.get("source")), "user")
        yield Said(
            role, "\n".join([text_of(message), *(text_of(r.get("content")) for r in results)])
        )
        return
    reply = text_of(message)
    calls = tuple(call for told in sequence(step.get("tool_calls")) if (call := as_call(told)))
    is_fenced = len(calls) == 1 and calls[0].code is not None and is_in_fence(reply, calls[0].code)
    yield Said(
        "assistant",
        reply,
        calls=() if is_fenced else calls,
        thought=text(step.get("reasoning_content")),
        usage=tokens_of(metrics),
        started_at=moment(step.get("timestamp")),
    )
    for result in results:
        yield Said(
            "user" if is_fenced or not calls else "tool",
            text_of(result.get("content")),
            answers="" if is_fenced else text(result.get("source_call_id")),
            outputs=tuple(pictures_in(result.get("content"))),
        )


def results_of(step: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    results = sequence(mapping(step.get("observation")).get("results"))
    return [result for result in results if isinstance(result, dict)]


def as_call(told: object) -> MadeCall | None:
    if not isinstance(told, dict):
        return None
    return call_of({**told, "name": told.get("function_name"), "id": told.get("tool_call_id")})


def is_in_fence(reply: str, code: str) -> bool:
    """True if the call's code is the reply's first block: the model made no call in words."""
    found = split_reply(reply)[1]
    return found is not None and found.strip() == code.strip()


def with_own_facts(step: Step, told: Mapping[str, Any]) -> Step:
    """The step with the facts that our own export puts into `extra`."""
    extra = mapping(told.get("extra"))
    if "status" not in extra:
        return step
    whole = with_step_facts(step, {"notes": [], **extra, "usage": None})
    return replace(whole, usage=step.usage, started_at=step.started_at)
