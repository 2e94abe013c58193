"""Reads sessions of agents as the Hugging Face Hub shows them: one message a line.

After the Hub's documentation: its Session Trace Simple Format (huggingface.co/docs/hub/
session-traces-format), and the sessions of Claude Code and Pi that it shows as they are. Those of
Codex are items of the Responses API.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from leaderboard.trajectories.readers.assembled_attempt import (
    ForeignFacts,
    assemble,
    mapping,
    moment,
    outcome_of,
    reading_of,
    text,
)
from leaderboard.trajectories.readers.attempt_reading import AttemptReading, LineError, Row
from leaderboard.trajectories.readers.chat_messages import read_parts
from leaderboard.trajectories.readers.conversation import Said, Unusable
from leaderboard.trajectories.readers.json_documents import Document
from leaderboard.trajectories.readers.pybench_jsonl import OURS, inputs_of

LOSSES = (
    "A session trace has no outputs of cells but the text that the model was sent.",
    "A session trace has no tokens, no times of cells and no files that a step changed.",
)
SPOKEN = frozenset({"user", "assistant", "system"})


def recognises(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    if value.get("type") == "session":
        return isinstance(value.get("id"), str)
    return is_claude_code(value)


def is_claude_code(value: Mapping[str, Any]) -> bool:
    return value.get("type") in (*SPOKEN, "summary", "file-history-snapshot") and (
        {"sessionId", "leafUuid", "messageId"} & value.keys() != set()
    )


def read(documents: Sequence[Document]) -> AttemptReading:
    """One attempt for each session in the file."""
    rows: list[Row] = []
    errors: list[LineError] = []
    name = name_of(mapping(documents[0].value))
    for session in split_sessions(documents):
        head = mapping(session[0].value)
        try:
            said = list(messages_of(session))
            rows.append(assemble(said, facts_of(head, session)))
        except Unusable as problem:
            errors.append(LineError(session[0].line, str(problem)))
    damaged = documents[-1].damage
    cut = f"{damaged} at line {documents[-1].line}" if damaged else ""
    return reading_of(rows, errors, name, LOSSES, "line", cut)


def name_of(head: Mapping[str, Any]) -> str:
    if head.get("type") != "session":
        return "a session of Claude Code"
    return "a session trace (STS-Format)" if head.get("harness") else "a session of Pi"


def split_sessions(documents: Sequence[Document]) -> list[list[Document]]:
    """The lines of each session, with its header first."""
    sessions: list[list[Document]] = []
    for document in documents:
        if not sessions or mapping(document.value).get("type") == "session":
            sessions.append([])
        sessions[-1].append(document)
    return sessions


def facts_of(head: Mapping[str, Any], session: Sequence[Document]) -> ForeignFacts:
    ours = mapping(head.get(OURS))
    answer = ours.get("answer")
    messages = (mapping(mapping(line.value).get("message")) for line in session)
    return ForeignFacts(
        number=session[0].line,
        index=text(ours.get("task")) or text(head.get("id")) or text(head.get("sessionId")),
        category=text(ours.get("category")),
        title=text(head.get("name")),
        query=text(ours.get("query")),
        inputs=inputs_of(ours.get("inputs")),
        model=next((name for message in messages if (name := text(message.get("model")))), ""),
        outcome=outcome_of(ours.get("outcome")),
        answer=answer if isinstance(answer, str) else None,
        ours=ours,
    )


def messages_of(session: Sequence[Document]) -> Iterator[Said]:
    """The messages of the lines; lines that say something else are left out."""
    for line in session:
        value = mapping(line.value)
        if not isinstance(value.get("message"), dict) or value.get("isSidechain") is True:
            continue
        message = value["message"]
        began = moment(message.get("timestamp") or value.get("timestamp"))
        for said in read_parts({"role": value.get("type"), **message}, line.line):
            yield replace(said, started_at=began)
