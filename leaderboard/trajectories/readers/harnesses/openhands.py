"""Reads OpenHands: streams of events, `history` of an evaluation's output.jsonl, and SDK events.

After the event types of OpenHands' frontend (frontend/src/types/core) and the event models of its
software-agent-sdk.
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
from leaderboard.trajectories.readers.attempt_reading import AttemptReading, LineError, Row
from leaderboard.trajectories.readers.chat_messages import (
    call_of,
    pictures_in,
    text_of,
    tokens_of,
    written,
)
from leaderboard.trajectories.readers.conversation import MadeCall, Said, Unusable
from leaderboard.trajectories.readers.json_documents import Document
from runner.contract import Usage

NAME = "OpenHands events"
LOSSES = ("OpenHands events have no contents of files that a step changed.",)
SILENT = frozenset(
    {
        "null",
        "agent_state_changed",
        "change_agent_state",
        "recall",
        "condensation",
        "condensation_request",
        "task_tracking",
    }
)
SDK_KINDS = frozenset({"MessageEvent", "ActionEvent", "ObservationEvent", "SystemPromptEvent"})
ASIDE = frozenset({"thought", "is_confirmed", "confirmation_state", "kernel_init_code", "hidden",
                   "blocking", "security_risk", "include_extra", "keep_prompt", "is_input",
                   "is_static", "cwd"})  # fmt: skip
PYTHON = "execute_ipython_cell"


def recognises(value: object) -> bool:
    """True for events, one event, or a row of an evaluation with its history of events."""
    if isinstance(value, dict) and isinstance(value.get("history"), list):
        return any(is_event(event) for event in flat(value["history"][:4]))
    if isinstance(value, list):
        return any(is_event(event) for event in flat(value[:4]))
    return is_event(value)


def is_event(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    if text(value.get("kind")) in SDK_KINDS:
        return True
    names = isinstance(value.get("action"), str) or isinstance(value.get("observation"), str)
    return names and bool({"args", "extras", "cause", "source"} & value.keys())


def flat(events: Sequence[Any]) -> Iterator[Any]:
    """The events in order; older files have them in pairs of action and observation."""
    for event in events:
        if isinstance(event, list):
            yield from event
        else:
            yield event


def read(documents: Sequence[Document]) -> AttemptReading:
    """One attempt a row or list; one of all lines where each is an event."""
    rows: list[Row] = []
    errors: list[LineError] = []
    cut = ""
    if all(is_event(document.value) for document in documents):
        whole = [document.value for document in documents]
        documents = [Document(whole, damage=documents[-1].damage)]
    for document in documents:
        told = mapping(document.value)
        events = sequence(told.get("history")) if told else sequence(document.value)
        cut = damage_at(document, "event", len(events))
        try:
            rows.append(assemble(list(messages_of(flat(events))), facts_of(document, told)))
        except Unusable as problem:
            errors.append(LineError(document.line, str(problem)))
    return reading_of(rows, errors, NAME, LOSSES, "line", cut)


def facts_of(document: Document, row: Mapping[str, Any]) -> ForeignFacts:
    metadata = mapping(row.get("metadata"))
    model = mapping(metadata.get("llm_config")).get("model")
    return ForeignFacts(
        number=document.line,
        index=text(row.get("instance_id")),
        query=text(row.get("instruction")),
        model=text(model),
    )


def messages_of(events: Iterator[Any]) -> Iterator[Said]:
    for event in events:
        if not isinstance(event, dict):
            continue
        said = sdk_event(event) if "kind" in event else old_event(event)
        if said is not None:
            yield said


def old_event(event: Mapping[str, Any]) -> Said | None:
    """An event of OpenHands' server: an action or an observation."""
    action, observation = text(event.get("action")), text(event.get("observation"))
    if (action or observation) in SILENT:
        return None
    began = moment(event.get("timestamp"))
    if observation:
        content = text_of(event.get("content"))
        return Said("tool", content, answers=text(event.get("cause")), started_at=began)
    args = mapping(event.get("args"))
    if action == "system":
        return Said("system", text_of(args.get("content")))
    if action == "message":
        role = "user" if event.get("source") == "user" else "assistant"
        return Said(role, text_of(args.get("content")), usage=usage_of(event), started_at=began)
    if not action or event.get("source") == "user":
        return None
    thought = text(args.get("thought"))
    calls = () if action == "think" else (call_of_action(event, action, args),)
    return Said("assistant", thought, calls, usage=usage_of(event), started_at=began)


def call_of_action(event: Mapping[str, Any], action: str, args: Mapping[str, Any]) -> MadeCall:
    """The call that an action stands for. Editor calls come as code in IPython too."""
    told = {key: value for key, value in args.items() if key not in ASIDE}
    if action == "finish":
        told = {**told, "thought": text(args.get("thought"))}
    name = text(mapping(event.get("tool_call_metadata")).get("function_name")) or action
    if action == "run_ipython" and name in (action, PYTHON):
        name = PYTHON
    return MadeCall(text(event.get("id")), name[:200], written(told))


def usage_of(event: Mapping[str, Any]) -> Usage:
    response = mapping(mapping(event.get("tool_call_metadata")).get("model_response"))
    return tokens_of(response.get("usage"))


def sdk_event(event: Mapping[str, Any]) -> Said | None:
    """An event of the software-agent-sdk."""
    began = moment(event.get("timestamp"))
    match event.get("kind"):
        case "SystemPromptEvent":
            return Said("system", text_of([event.get("system_prompt")]))
        case "MessageEvent":
            message = mapping(event.get("llm_message"))
            role = "user" if event.get("source") == "user" else "assistant"
            return Said(role, text_of(message.get("content")), started_at=began)
        case "ActionEvent":
            told = event.get("tool_call")
            call = call_of({**told, "id": event.get("tool_call_id")} if isinstance(told, dict) else
                           {"name": event.get("tool_name"), "id": event.get("tool_call_id"),
                            "arguments": event.get("action")})  # fmt: skip
            calls = () if call is None else (call,)
            thought = text(event.get("reasoning_content"))
            said = text_of(event.get("thought"))
            return Said("assistant", said, calls, thought=thought, started_at=began)
        case "ObservationEvent" | "AgentErrorEvent" | "UserRejectObservation":
            shown = mapping(event.get("observation"))
            content = shown.get("content", shown.get("output", event.get("error")))
            return Said(
                "tool",
                text_of(content),
                answers=text(event.get("tool_call_id")),
                outputs=tuple(pictures_in(content)),
            )
    return None
