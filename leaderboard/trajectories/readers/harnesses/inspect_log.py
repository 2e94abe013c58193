"""Reads logs of Inspect: one JSON document (.json), or a zip archive of JSON (.eval).

After inspect_ai's own log models (src/inspect_ai/log/_log.py, _recorders/eval.py, _condense.py);
versions 1 and 2 have the same messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from leaderboard.trajectories.readers.assembled_attempt import (
    MAX_ATTEMPTS,
    ForeignFacts,
    assemble,
    damage_at,
    mapping,
    moment,
    outcome_of,
    reading_of,
    sequence,
    text,
)
from leaderboard.trajectories.readers.attempt_reading import AttemptReading, LineError, Row
from leaderboard.trajectories.readers.chat_messages import read_message, text_of, tokens_of
from leaderboard.trajectories.readers.conversation import Said, Unusable
from leaderboard.trajectories.readers.extra_fields import seconds
from leaderboard.trajectories.readers.json_documents import Document, parse_document
from leaderboard.trajectories.readers.pybench_jsonl import OURS, inputs_of
from leaderboard.trajectories.readers.zip_archive import CUT, Archive, content_of
from runner.contract import Outcome, Output, OutputKind

LOSSES = (
    "An Inspect log has no outputs of cells but the text that the model was sent: what was printed "
    "and what was raised is read from that.",
    "An Inspect log has no files that a step changed.",
)
ATTACHMENT = "attachment://"
LIMITS = {
    "message": Outcome.OUT_OF_TURNS,
    "turn": Outcome.OUT_OF_TURNS,
    "time": Outcome.OUT_OF_TIME,
    "working": Outcome.OUT_OF_TIME,
    "token": Outcome.OUT_OF_TURNS,
    "context": Outcome.CONTEXT_FULL,
}
HEADS = ("header.json", "_journal/start.json", "start.json")
MAX_UNPACKED_BYTES = 512 << 20  # of a whole archive, one sample at a time
MAX_EVENTS = 200_000  # of a sample


def recognises(value: object) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("eval"), dict):
        return False
    return bool({"samples", "plan", "status", "version"} & value.keys())


def is_archive(archive: Archive) -> bool:
    """True for a zip with an Inspect log's head or samples."""
    names = {member.name for member in archive.members}
    is_head = not names.isdisjoint(HEADS)
    return is_head and any(name.startswith(("samples/", "_journal/", "summar")) for name in names)


def read(documents: Sequence[Document]) -> AttemptReading:
    """One attempt for each sample of the log."""
    document = documents[0]
    log = mapping(document.value)
    samples = sequence(log.get("samples"))
    rows: list[Row] = []
    errors: list[LineError] = []
    for number, sample in enumerate(samples[:MAX_ATTEMPTS], 1):
        take_sample(sample, number, log, rows, errors)
    if len(samples) > MAX_ATTEMPTS:
        errors.append(LineError(MAX_ATTEMPTS + 1, TOO_MANY))
    if not samples and not errors:
        errors.append(LineError(1, "The log has no samples: it may be a header only."))
    cut = damage_at(document, "sample", len(samples))
    return reading_of(rows, errors, name_of(log), LOSSES, "sample", cut)


TOO_MANY = f"There are more than {MAX_ATTEMPTS:,} samples: the rest is left out."


def read_archive(data: bytes, archive: Archive) -> AttemptReading:
    """The samples of an .eval file, each unpacked and read by itself."""
    members = {member.name: member for member in archive.members}
    rows: list[Row] = []
    errors = [LineError(1, problem) for problem in archive.problems]
    head: Mapping[str, Any] = {}
    for name in HEADS:
        if name in members and not head:
            try:
                head = mapping(parse_document(content_of(data, members[name])).value)
            except Unusable as problem:
                errors.append(LineError(1, f"“{name}”: {problem}"))
    names = [name for name in members if name.startswith("samples/") and name.endswith(".json")]
    room = MAX_UNPACKED_BYTES
    for number, name in enumerate(names[:MAX_ATTEMPTS], 1):
        try:
            content = content_of(data, members[name], room)
            room -= len(content)
            sample = parse_document(content)
        except Unusable as problem:
            errors.append(LineError(number, f"“{members[name].shown}”: {problem}"))
            continue
        if sample.damage and not members[name].is_cut:
            errors.append(LineError(number, f"“{members[name].shown}” is {sample.damage}."))
        take_sample(sample.value, number, head, rows, errors)
    if len(names) > MAX_ATTEMPTS:
        errors.append(LineError(MAX_ATTEMPTS + 1, TOO_MANY))
    if not names:
        errors.append(LineError(1, "The log has no samples: it may be a header only."))
    if archive.is_cut:
        errors.append(LineError(len(names), CUT))
    elif "header.json" not in members and "results.json" not in members:
        errors.append(
            LineError(len(names), "The evaluation was not finished when this was written.")
        )
    cut = damage_at(Document(None, damage="cut" if archive.is_cut else ""), "sample", len(names))
    return reading_of(rows, errors, name_of(head), LOSSES, "sample", cut)


def name_of(log: Mapping[str, Any]) -> str:
    version = text(log.get("version"))[:12]
    return f"an Inspect log of version {version}" if version else "an Inspect log of no version"


def take_sample(
    sample: object, number: int, log: Mapping[str, Any], rows: list[Row], errors: list[LineError]
) -> None:
    """Add the attempt of a sample, or why there is none."""
    try:
        rows.append(read_sample(mapping(sample), number, log))
    except Unusable as problem:
        errors.append(LineError(number, str(problem)))


def read_sample(sample: Mapping[str, Any], number: int, log: Mapping[str, Any]) -> Row:
    events = [
        event for event in sequence(sample.get("events"))[:MAX_EVENTS] if isinstance(event, dict)
    ]
    attachments = mapping(sample.get("attachments"))
    listed = sequence(sample.get("messages")) or last_input(events)
    replies, results = replies_of(events), results_of(events)
    said = [
        with_event(read_message(attached(told, attachments), place), told, replies, results)
        for place, told in enumerate(listed, 1)
    ]
    return assemble(said, facts_of(sample, number, log))


def last_input(events: Sequence[Mapping[str, Any]]) -> list[Any]:
    """The conversation as the last request and its reply have it: a sample may be cut."""
    for event in reversed(events):
        if event.get("event") == "model":
            choices = sequence(mapping(event.get("output")).get("choices"))
            replies = [mapping(choice).get("message") for choice in choices[:1]]
            return [*sequence(event.get("input")), *replies]
    return []


def facts_of(sample: Mapping[str, Any], number: int, log: Mapping[str, Any]) -> ForeignFacts:
    spec = mapping(log.get("eval"))
    limit = text(mapping(sample.get("limit")).get("type"))
    metadata = mapping(sample.get("metadata"))
    ours = mapping(metadata.get(OURS))
    answer = ours.get("answer")
    problem = text(mapping(sample.get("error")).get("message"))[:300]
    scores = {
        name: mapping(score).get("value") for name, score in mapping(sample.get("scores")).items()
    }
    return ForeignFacts(
        number=number,
        index=text(ours.get("task")) or text(sample.get("id")),
        category=text(ours.get("category")) or text(spec.get("task")),
        title=text(ours.get("title")),
        query=text(ours.get("query")) or text(sample.get("input")),
        inputs=inputs_of(ours.get("inputs")),
        model=text(spec.get("model")),
        outcome=outcome_of(ours.get("outcome")) or LIMITS.get(limit),
        answer=answer if isinstance(answer, str) else None,
        notes=(f"the log tells of an error: {problem}",) if problem else (),
        ours=ours or ({"scores": scores} if scores else {}),
    )


def attached(message: object, attachments: Mapping[str, Any]) -> object:
    """The message with its attachments put in place, in its text and its parts."""
    if not isinstance(message, dict) or not attachments:
        return message
    content = message.get("content")
    if isinstance(content, str):
        return {**message, "content": resolved(content, attachments)}
    parts = [
        {key: resolved(value, attachments) for key, value in part.items()}
        if isinstance(part, dict)
        else part
        for part in sequence(content)
    ]
    return {**message, "content": parts}


def resolved(value: Any, attachments: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and value.startswith(ATTACHMENT):
        found = attachments.get(value.removeprefix(ATTACHMENT))
        return found if isinstance(found, str) else value
    return value


def replies_of(events: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """The events of requests by the id of the message that each brought."""
    found: dict[str, Mapping[str, Any]] = {}
    for event in events:
        if event.get("event") == "model":
            for choice in sequence(mapping(event.get("output")).get("choices"))[:1]:
                message_id = text(mapping(mapping(choice).get("message")).get("id"))
                if message_id:
                    found[message_id] = event
    return found


def results_of(events: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """The events of tools by the id of their call."""
    return {text(e.get("id")): e for e in events if e.get("event") == "tool"}


def with_event(
    said: Said,
    told: object,
    replies: Mapping[str, Mapping[str, Any]],
    results: Mapping[str, Mapping[str, Any]],
) -> Said:
    """The message with the times and tokens that an event of the transcript has of it."""
    message = mapping(told)
    if said.role == "assistant":
        event = replies.get(text(message.get("id")), {})
        output = mapping(event.get("output"))
        choices = [mapping(choice) for choice in sequence(output.get("choices"))[:1]]
        return replace(
            said,
            usage=tokens_of(output.get("usage")),
            finish_reason=text(choices[0].get("stop_reason"))[:40] if choices else "",
            model_s=seconds(output.get("time")),
            started_at=moment(event.get("timestamp")),
        )
    if said.role != "tool":
        return said
    error = mapping(message.get("error"))
    cell_s = seconds(results.get(said.answers, {}).get("working_time"))
    words = text_of(error.get("message"))
    if not words:
        return replace(said, cell_s=cell_s)
    kind = text(error.get("type")) or "error"
    raised = Output(OutputKind.ERROR, words, error_name=kind[:200], error_value=words)
    return replace(said, text=said.text or words, outputs=(*said.outputs, raised), cell_s=cell_s)
