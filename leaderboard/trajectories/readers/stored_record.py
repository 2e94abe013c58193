"""Reads attempts as this site stores them: raw records, files of a bundle, pages of one replay.

Nothing is believed: a value of another type than the site's own is left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from leaderboard.trajectories.readers.assembled_attempt import (
    ForeignFacts,
    attempt_of,
    mapping,
    moment,
    outcome_of,
    reading_of,
    sequence,
    text,
)
from leaderboard.trajectories.readers.attempt_reading import AttemptReading, LineError, Row
from leaderboard.trajectories.readers.chat_messages import tokens_of
from leaderboard.trajectories.readers.conversation import Said, Unusable
from leaderboard.trajectories.readers.json_documents import Document, parse_document
from leaderboard.trajectories.readers.pybench_jsonl import inputs_of, read_messages
from runner.contract import ChangeKind, FileChange, Output, OutputKind, Step, StepStatus

OF_STEP = frozenset({"index", "status"})
MAX_PARTS = 10_000  # outputs, changes or notes of a step
LOSSES = ("The bytes of pictures and files are not in the record: it names them by their digest.",)
# As Django's `json_script` writes it: no "<" is in the value.
IN_PAGE = re.compile(rb'<script id="stored-record" type="application/json">([^<]*+)</script>')


def recognises(value: object) -> bool:
    told = mapping(value)
    steps = [told] if "request" in told else sequence(told.get("steps"))
    is_whole = "opening" in told or "request" in told
    return is_whole and bool(steps) and mapping(steps[0]).keys() >= OF_STEP


def read(documents: Sequence[Document]) -> AttemptReading:
    """One attempt a document."""
    rows: list[Row] = []
    errors: list[LineError] = []
    for document in documents:
        try:
            rows.append(read_record(document))
        except Unusable as problem:
            errors.append(LineError(document.line, str(problem)))
    return reading_of(rows, errors, "a stored record of PyBench", list(LOSSES), "line", "")


def read_page(page: bytes) -> Document | None:
    """The record in a page of one replay; None for any other page. Raises Unusable."""
    found = IN_PAGE.search(page)
    return parse_document(found[1]) if found else None


def read_record(document: Document) -> Row:
    told = mapping(document.value)
    opening = told.get("opening")
    began = mapping(opening)  # of a bundle, with the instance's facts
    sent = told.get("request") or began.get("messages") or opening
    steps = [told] if "request" in told else sequence(told.get("steps"))
    read = tuple(read_step(place, step) for place, step in enumerate(steps, 1))
    closing = mapping(told.get("closing"))
    answer = told.get("answer", closing.get("answer"))
    facts = ForeignFacts(
        number=document.line,
        index=text(told.get("task")),
        category=text(told.get("category")),
        title=text(told.get("title")),
        query=text(told.get("query") or began.get("query")),
        inputs=inputs_of(told.get("inputs")),
        model=text(told.get("entry")),
        outcome=outcome_of(told.get("outcome")),
        answer=answer if isinstance(answer, str) else None,
        ours={},
    )
    return attempt_of(read_said(sent), read, facts)


def read_said(value: object) -> list[Said]:
    """The messages that can be read, in our own words; none of a list with another in it."""
    with suppress(Unusable):
        return read_messages(value)
    return []


def read_step(place: int, value: object) -> Step:
    """Raises Unusable."""
    told = mapping(value)
    if not told.keys() >= OF_STEP or told["status"] not in StepStatus.__members__.values():
        raise Unusable(f"Step {place} is no stored step.")
    code = told.get("code")
    return Step(
        index=place,
        status=StepStatus(told["status"]),
        reply=text(told.get("reply")),
        thought=text(told.get("thought")),
        code=code if isinstance(code, str) else None,
        outputs=tuple(read_output(one) for one in sequence(told.get("outputs"))[:MAX_PARTS]),
        observation=text(told.get("observation")),
        changes=tuple(read_change(one) for one in sequence(told.get("changes"))[:MAX_PARTS]),
        notes=tuple(text(one) for one in sequence(told.get("notes"))[:MAX_PARTS]),
        usage=tokens_of(told.get("usage")),
        finish_reason=text(told.get("finish_reason"))[:100],
        model_s=seconds(told.get("model_s")),
        cell_s=seconds(told.get("cell_s")),
        started_at=moment(told.get("started_at")),
        messages=tuple(one.message for one in read_said(told.get("messages"))),
    )


def read_output(value: object) -> Output:
    told = mapping(value)
    kind = text(told.get("kind"))
    shown = mapping(told.get("data"))
    return Output(
        OutputKind(kind) if kind in OutputKind.__members__.values() else OutputKind.STDOUT,
        text=text(told.get("text")),
        data={mime: part for mime, part in shown.items() if isinstance(part, str)},
        error_name=text(told.get("error_name"))[:200],
        error_value=text(told.get("error_value")),
        cut_chars=count(told.get("cut_chars")),
    )


def read_change(value: object) -> FileChange:
    told = mapping(value)
    kind = text(told.get("kind"))
    return FileChange(
        text(told.get("path"))[:1000],
        ChangeKind(kind) if kind in ChangeKind.__members__.values() else ChangeKind.CHANGED,
        size_bytes=count(told.get("size_bytes")),
        size_before_bytes=count(told.get("size_before_bytes")),
    )


def count(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53:
        return value
    return 0


def seconds(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9:
        return float(value)
    return 0.0
