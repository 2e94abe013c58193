"""Reads items of OpenAI's Responses API: a response, its items, or the items of one a line.

After OpenAI's published API reference; a session of Codex holds the same items in envelopes.
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
)
from leaderboard.trajectories.readers.conversation import MadeCall, Said, Unusable
from leaderboard.trajectories.readers.json_documents import Document
from runner.contract import Output, OutputKind

ITEMS = frozenset(
    {
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
        "local_shell_call",
        "local_shell_call_output",
        "code_interpreter_call",
        "reasoning",
    }
)
CODEX = frozenset({"session_meta", "response_item", "turn_context", "event_msg"})
LOSSES = ("Responses items have no times and no files that a step changed.",)


def recognises(value: object) -> bool:
    """True for a response, a list of items with a call among them, or a line of either."""
    if isinstance(value, list):
        return any(
            isinstance(item, dict) and text(item.get("type")) in ITEMS for item in value[:200]
        )
    if not isinstance(value, dict):
        return False
    is_response = value.get("object") == "response" and isinstance(value.get("output"), list)
    return is_response or text(value.get("type")) in ITEMS or is_codex(value)


def is_codex(value: object) -> bool:
    return (
        isinstance(value, dict)
        and text(value.get("type")) in CODEX
        and isinstance(value.get("payload"), dict)
    )


def read(documents: Sequence[Document]) -> AttemptReading:
    """One attempt a response or list; one of all lines where each holds an item."""
    if any(is_codex(document.value) for document in documents):
        return read_codex(documents)
    rows: list[Row] = []
    errors: list[LineError] = []
    cut, are_items = "", all(is_item(document.value) for document in documents)
    if are_items:
        whole = [document.value for document in documents]
        documents = [Document(whole, damage=documents[-1].damage)]
    for document in documents:
        items = items_of(document.value)
        cut = damage_at(document, "item", len(items))
        told = mapping(document.value)
        facts = ForeignFacts(
            number=document.line,
            index=text(told.get("id")),
            query=told["input"] if isinstance(told.get("input"), str) else "",
            model=text(told.get("model")),
        )
        try:
            said = list(messages_of(items))
            if isinstance(told.get("instructions"), str):
                said.insert(0, Said("system", told["instructions"]))
            rows.append(assemble(said, facts))
        except Unusable as problem:
            errors.append(LineError(document.line, str(problem)))
    return reading_of(rows, errors, "OpenAI Responses items", LOSSES, "line", cut)


def is_item(value: object) -> bool:
    return isinstance(value, dict) and value.get("object") != "response"


def items_of(value: object) -> list[Any]:
    """The items in order: those that were sent, then those that came back."""
    if isinstance(value, list):
        return value
    told = mapping(value)
    sent = told.get("input")
    asked = [{"role": "user", "content": sent}] if isinstance(sent, str) else sequence(sent)
    return [*asked, *sequence(told.get("output"))]


def read_codex(documents: Sequence[Document]) -> AttemptReading:
    """A session of Codex: items in envelopes, with the model's name beside them."""
    payloads = [mapping(mapping(document.value).get("payload")) for document in documents]
    kinds = [mapping(document.value).get("type") for document in documents]
    items = [p for p, kind in zip(payloads, kinds, strict=True) if kind == "response_item"]
    model = next((text(p.get("model")) for p in payloads if text(p.get("model"))), "")
    index = next((text(p.get("id")) for p, k in zip(payloads, kinds, strict=True)
                  if k == "session_meta"), "")  # fmt: skip
    cut = damage_at(documents[-1], "line", documents[-1].line)
    try:
        said = [one for one in messages_of(items) if not is_environment(one)]
        rows = [assemble(said, ForeignFacts(index=index, model=model))]
    except Unusable as problem:
        error = LineError(1, str(problem))
        return reading_of([], [error], "a session of Codex", LOSSES, "line", cut)
    return reading_of(rows, [], "a session of Codex", LOSSES, "line", cut)


def is_environment(said: Said) -> bool:
    return said.role == "user" and said.text.startswith("<environment_context>")


def messages_of(items: Sequence[Any]) -> Iterator[Said]:
    """The items as messages; calls that follow each other belong to one reply."""
    text_now, thought, calls = "", "", list[MadeCall]()
    is_open = False
    for item in items:
        if not isinstance(item, dict):
            continue
        kind = item.get("type") or "message"
        if kind == "reasoning":
            if is_open and calls:
                yield Said("assistant", text_now, tuple(calls), thought=thought)
                text_now, thought, calls, is_open = "", "", [], False
            thought = text_of(item.get("summary")) or text_of(item.get("content"))
        elif kind == "message" and item.get("role") == "assistant":
            if is_open:
                yield Said("assistant", text_now, tuple(calls), thought=thought)
                thought, calls = "", []
            text_now, is_open = text_of(item.get("content")), True
        elif (call := call_in(item)) is not None:
            calls.append(call)
            is_open = True
            if kind == "code_interpreter_call":
                yield Said("assistant", text_now, tuple(calls), thought=thought)
                yield from interpreted(item, call)
                text_now, thought, calls, is_open = "", "", [], False
        else:
            if is_open:
                yield Said("assistant", text_now, tuple(calls), thought=thought)
                text_now, thought, calls, is_open = "", "", [], False
            yield answer_of(item, str(kind))
    if is_open:
        yield Said("assistant", text_now, tuple(calls), thought=thought)


def call_in(item: Mapping[str, Any]) -> MadeCall | None:
    """The call that an item makes; None if it makes none."""
    kind = text(item.get("type"))
    if kind in ("function_call", "custom_tool_call"):
        return call_of({**item, "id": item.get("call_id") or item.get("id")})
    if kind == "code_interpreter_call":
        return MadeCall(text(item.get("id")), "code_interpreter", text_of(item.get("code")) or " ")
    if kind.endswith("_call"):
        name, told = kind.removesuffix("_call"), item.get("action")
        action = told if isinstance(told, dict) else {}
        return call_of({"name": name, "arguments": action, "id": item.get("call_id")})
    return None


def answer_of(item: Mapping[str, Any], kind: str) -> Said:
    """The message of an item that is no reply: the user's words, or a tool's."""
    if kind == "message":
        role = text(item.get("role"))[:40] or "user"
        return Said(role, text_of(item.get("content")))
    output = item.get("output")
    return Said(
        "tool",
        text_of(output),
        answers=text(item.get("call_id"))[:200],
        outputs=tuple(pictures_in(output)),
        usage=tokens_of(None),
        started_at=moment(None),
    )


def interpreted(item: Mapping[str, Any], call: MadeCall) -> Iterator[Said]:
    """Outputs of OpenAI's own interpreter, if they were asked for."""
    shown = [told for told in sequence(item.get("outputs")) if isinstance(told, dict)]
    if not shown:
        return
    logs = "\n".join(text_of(told.get("logs")) for told in shown if told.get("type") == "logs")
    pictures = [o for told in shown for o in pictures_in([{"image_url": told.get("url")}])]
    said = [Output(OutputKind.STDOUT, logs)] if logs else []
    yield Said("tool", logs, answers=call.id, outputs=(*said, *pictures))
