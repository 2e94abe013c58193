"""Puts the messages of a conversation and the facts of a file together as one attempt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from leaderboard.trajectories.readers.attempt_reading import AttemptReading, LineError, Row
from leaderboard.trajectories.readers.conversation import (
    Said,
    Unusable,
    losses_of,
    read_steps,
    split_turns,
)
from leaderboard.trajectories.readers.extra_fields import with_facts
from leaderboard.trajectories.readers.json_documents import Document
from runner.contract import Outcome, Step, StepStatus

MAX_NAME_CHARS = 200
MAX_MESSAGES = 50_000  # of one attempt
MAX_ATTEMPTS = 10_000  # of one file
BREAKS_OFF = "the conversation breaks off"
LONGEST_TIME = 1e11  # seconds since 1970; beyond, a time is in milliseconds


@dataclass(frozen=True)
class ForeignFacts:
    """Facts that a file gives about an attempt, beside its conversation."""

    number: int = 1
    index: str = ""
    category: str = ""
    title: str = ""
    query: str = ""
    inputs: tuple[str, ...] = ()
    model: str = ""
    outcome: Outcome | None = None
    answer: str | None = None
    notes: tuple[str, ...] = ()
    ours: Mapping[str, Any] = field(default_factory=dict)
    raw: bytes = b""


def assemble(said: Sequence[Said], facts: ForeignFacts) -> Row:
    """The attempt of a conversation. Raises Unusable."""
    if len(said) > MAX_MESSAGES:
        raise Unusable(f"There are more than {MAX_MESSAGES:,} messages.")
    opening, turns = split_turns(said)
    return attempt_of(opening, with_facts(read_steps(turns), facts.ours), facts)


def attempt_of(opening: Sequence[Said], steps: tuple[Step, ...], facts: ForeignFacts) -> Row:
    """The attempt of steps that are read already."""
    last = steps[-1]
    answer = last.reply if last.status is StepStatus.ANSWER else facts.answer
    outcome = facts.outcome or (Outcome.FINISHED if answer is not None else None)
    asked = [one.text for one in opening if one.role == "user"]
    return Row(
        line=facts.number,
        raw=facts.raw,
        index=facts.index[:MAX_NAME_CHARS],
        categories=(facts.category[:MAX_NAME_CHARS], "", facts.title[:MAX_NAME_CHARS]),
        query=facts.query or (asked[-1] if asked else ""),
        inputs=facts.inputs,
        opening=tuple(one.message for one in opening),
        steps=steps,
        answer=answer,
        outcome=outcome,
        notes=facts.notes if outcome else (*facts.notes, BREAKS_OFF),
        ours=facts.ours,
        model=facts.model[:MAX_NAME_CHARS],
    )


def reading_of(
    rows: Sequence[Row],
    errors: Sequence[LineError],
    name: str,
    losses: Sequence[str],
    unit: str = "attempt",
    cut: str = "",
) -> AttemptReading:
    """The reading of a file, with the loss of calls that are no code, if there are any."""
    others = losses_of([step for row in rows for step in row.steps])
    told = (*losses, *others) if rows else ()
    return AttemptReading(tuple(rows), tuple(errors), name, cut, told, unit=unit)


def damage_at(document: Document, unit: str, number: int) -> str:
    """The words for a file that breaks off: "cut at step 14"; "" if it does not."""
    if not document.damage:
        return ""
    return f"{document.damage} {f'at {unit} {number}' if number else f'before its first {unit}'}"


def text(value: object) -> str:
    """A string or number as text; "" for anything else."""
    if isinstance(value, str):
        return value
    if not isinstance(value, int | float) or isinstance(value, bool):
        return ""
    return str(value) if -1e300 < value < 1e300 else ""  # a longer one is no name


def outcome_of(value: object) -> Outcome | None:
    """The outcome of that name; None if there is none."""
    if isinstance(value, str) and value in Outcome.__members__.values():
        return Outcome(value)
    return None


def mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def sequence(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def moment(value: object) -> float:
    """A time as UTC epoch seconds: from ISO 8601, seconds or milliseconds; 0 if it is none."""
    if isinstance(value, str) and len(value) <= 40:
        try:
            return datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp()
        except (ValueError, OverflowError, OSError):
            return 0.0
    if not isinstance(value, int | float) or isinstance(value, bool):
        return 0.0
    if not 0 < value < LONGEST_TIME * 1000:  # NaN is in no range
        return 0.0
    return float(value) if value < LONGEST_TIME else value / 1000
