"""Reads lines of “messages”: PyBench jsonl, and chat messages as files for training have them.

Bytes in, attempts as steps out, or what is wrong with which line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from leaderboard.trajectories.readers.attempt_reading import AttemptReading, LineError, Row
from leaderboard.trajectories.readers.chat_messages import read_parts, text_of
from leaderboard.trajectories.readers.conversation import (
    Said,
    Turn,
    Unusable,
    losses_of,
    read_steps,
    split_turns,
)
from leaderboard.trajectories.readers.extra_fields import with_facts
from leaderboard.trajectories.readers.json_documents import CUT, in_utf8, parse_line
from leaderboard.trajectories.readers.other_formats import other_format
from runner.contract import Outcome, Step, StepStatus

OURS = "pybench_site"  # the key of what the format has no name for, in files written here
MAX_MESSAGES = 50_000  # of one row
MAX_ROWS = 10_000
MAX_ERRORS = 10_000
TURN_LIMIT = 10  # of PyBench's own runs
OWN_KEYS = frozenset({"index", "user", "category1", "file_paths", OURS})
CHAT = "OpenAI chat messages"
CHAT_LOSS = (
    "Chat messages have no times, no tokens and no files that a step changed; what was printed, "
    "what was raised and how a cell ended is read from what the model was sent."
)
OWN_LOSS = (
    "PyBench jsonl has no pictures, no contents of files that a step changed, and no outputs of "
    "cells but the text that the model was sent."
)


def read(data: bytes) -> AttemptReading:
    """The attempts in `data`. Never raises: what cannot be read is in `errors`."""
    format_name = other_format(data)
    if format_name:
        return AttemptReading((), (LineError(1, f"{format_name}."),))
    return read_lines(data)


def read_lines(data: bytes) -> AttemptReading:
    """The attempts on the lines of `data`, whatever else the file may be."""
    rows: list[Row] = []
    errors: list[LineError] = []
    first_seen: dict[str, int] = {}
    is_pybench, line = False, 0
    for line, raw in enumerate(in_utf8(data).split(b"\n"), 1):
        if not raw.strip(b" \t\r\n\x00"):
            continue
        if len(rows) >= MAX_ROWS or len(errors) >= MAX_ERRORS:
            errors.append(LineError(line, beyond(len(rows))))
            break
        try:
            value, notes = parse_line(raw)
            row = read_row(value, line, raw, notes)
            earlier = first_seen.setdefault(digest_of(row), line)
            if earlier != line:
                raise Unusable(f"The same attempt is on line {earlier}; this one is left out.")
        except Unusable as problem:
            errors.append(LineError(line, str(problem)))
        else:
            rows.append(row)
            is_pybench = is_pybench or not OWN_KEYS.isdisjoint(value)
    reading = reading_of(rows, errors, is_pybench or not rows)
    is_cut = bool(rows and errors) and errors[-1].what.endswith(CUT) and not data.endswith(b"\n")
    return replace(reading, cut=f"cut at line {line}") if is_cut else reading


def reading_of(
    rows: Sequence[Row], errors: Sequence[LineError], is_pybench: bool
) -> AttemptReading:
    if is_pybench:
        losses = (OWN_LOSS, *losses_of([step for row in rows for step in row.steps]))
        return AttemptReading(tuple(rows), tuple(errors), losses=losses if rows else ())
    losses = (CHAT_LOSS, *losses_of([step for row in rows for step in row.steps]))
    return AttemptReading(tuple(rows), tuple(errors), CHAT, losses=losses)


def beyond(rows: int) -> str:
    if rows >= MAX_ROWS:
        return f"There are more than {MAX_ROWS:,} attempts: the rest is left out."
    return f"More than {MAX_ERRORS:,} lines hold no attempt: the rest is left out."


def digest_of(row: Row) -> str:
    """Names an attempt by its task and conversation, however its line is written."""
    told = [
        row.index,
        [dict(m) for m in row.opening],
        [[dict(m) for m in step.messages] for step in row.steps],
    ]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def read_row(value: object, number: int, raw: bytes = b"", notes: tuple[str, ...] = ()) -> Row:
    """The attempt of one object with messages. Raises Unusable."""
    if not isinstance(value, dict):
        raise Unusable("The line is JSON, but not an object with “messages”.")
    said = read_messages(value.get("messages"))
    opening, turns = split_turns(said)
    ours = value.get(OURS)
    facts = ours if isinstance(ours, dict) else {}
    steps = with_facts(read_steps(turns), facts)
    outcome, answer = ending_of(steps, turns, facts)
    if outcome is None:
        notes = (*notes, "the conversation breaks off")
    model = value.get("model")
    return Row(
        line=number,
        raw=raw.rstrip(b"\r"),
        index=text_of(value.get("index"))[:200],
        categories=categories_of(value),
        query=query_of(value, opening),
        inputs=inputs_of(value.get("file_paths")),
        opening=tuple(one.message for one in opening),
        steps=steps,
        answer=answer,
        outcome=outcome,
        notes=notes,
        ours=facts,
        model=model[:200] if isinstance(model, str) else "",
    )


def read_messages(value: object) -> list[Said]:
    """The messages of a list in OpenAI's words. Raises Unusable."""
    if not isinstance(value, list) or not value:
        raise Unusable("“messages” is missing, empty or no list.")
    if len(value) > MAX_MESSAGES:
        raise Unusable(f"There are more than {MAX_MESSAGES:,} messages.")
    return [said for n, message in enumerate(value, 1) for said in read_parts(message, n)]


def ending_of(
    steps: Sequence[Step], turns: Sequence[Turn], facts: Mapping[str, Any]
) -> tuple[Outcome | None, str | None]:
    """End of the attempt, by its last message unless the row says it, and the answer."""
    last = steps[-1]
    answer = last.reply if last.status is StepStatus.ANSWER else None
    said = facts.get("outcome")
    if isinstance(said, str) and said in Outcome.__members__.values():
        return Outcome(said), answer
    if answer is not None:
        return Outcome.FINISHED, answer
    return (Outcome.OUT_OF_TURNS if len(turns) >= TURN_LIMIT else None), None


def categories_of(value: Mapping[str, Any]) -> tuple[str, str, str]:
    first, second, third = (
        " ".join(text_of(value.get(f"category{n}")).split())[:200] for n in (1, 2, 3)
    )
    return first, second, third


def query_of(value: Mapping[str, Any], opening: Sequence[Said]) -> str:
    """The task's words: the row's own, else the last thing said before the first reply."""
    asked = [one.text for one in opening if one.role == "user"]
    return text_of(value.get("user")) or (asked[-1] if asked else "")


def inputs_of(value: object) -> tuple[str, ...]:
    """File names below ./data, in order, without those that leave it."""
    paths = [path for path in value if isinstance(path, str)] if isinstance(value, list) else []
    names = (path.strip().removeprefix("./").removeprefix("data/") for path in paths)
    return tuple(n for n in names if n and not n.startswith("/") and ".." not in n.split("/"))
