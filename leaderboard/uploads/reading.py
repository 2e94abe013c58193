"""Attempts of an uploaded file or archive, read without a database: for a process of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from leaderboard.trajectories.readers.any_format import read_any
from leaderboard.trajectories.readers.attempt_reading import AttemptReading, Row
from leaderboard.uploads.archive import BadArchive, Member, read_members
from runner.contract import Step
from runner.evidence.statement import MANIFEST

OF_BUNDLE = re.compile(r"trajectories/(?P<task>[a-z0-9_-]+)-\d+\.json")  # `trajectory_name`
MAX_ATTEMPTS = 2_000
MAX_STEPS = 5_000  # of one attempt: its pages for programs are made whole, in memory
MAX_STEPS_IN_ALL = 60_000
MAX_STEP_BYTES = 16 << 20  # as it is stored; web processes hold one in memory
MAX_OPENING_BYTES = 4 << 20  # of an attempt without its steps: what every page of it reads
BATCH_BYTES = 1 << 20  # of steps that are handed over together
BATCH_STEPS = 500
MAX_REFUSED = 1_000  # parts that are named
MAX_LOSSES = 50


@dataclass(frozen=True)
class BroughtAttempt:
    """An attempt, and which file of the archive it is from ("" without an archive)."""

    file: str
    row: Row
    losses: tuple[str, ...] = ()


@dataclass(frozen=True)
class RefusedPart:
    """A part of a file that was not taken."""

    file: str
    unit: str  # "line", "sample", or "" for a whole file
    line: int
    what: str  # a sentence


@dataclass(frozen=True)
class Brought:
    """Result of reading an upload."""

    description: str  # "PyBench jsonl", "an archive of 143 files: ATIF 1.8"
    attempts: tuple[BroughtAttempt, ...] = ()
    refused: tuple[RefusedPart, ...] = ()
    refused_count: int = 0  # of which `refused` names the first
    losses: tuple[str, ...] = ()
    refusal: str = ""  # why nothing at all was taken, a sentence
    most_steps: int = 0  # of an attempt
    steps: int = 0  # of all attempts


def read_in_parts(path: Path, name: str) -> Iterator[Brought | BroughtAttempt | tuple[Step, ...]]:
    """Result of `read_upload` with attempts without content; then these, one by one.

    Each comes with the figures of its steps alone, which follow a few at a time, at last none.
    """
    brought = read_upload(path, name)
    yield replace(brought, attempts=tuple(without_content(one) for one in brought.attempts))
    for one in brought.attempts:
        figures = tuple(figures_of(step) for step in one.row.steps)
        yield replace(one, row=replace(one.row, steps=figures))
        yield from in_batches(one.row.steps)
        yield ()


def figures_of(step: Step) -> Step:
    return Step(
        step.index, step.status, "", usage=step.usage, model_s=step.model_s, cell_s=step.cell_s
    )


def in_batches(steps: Iterable[Step]) -> Iterator[tuple[Step, ...]]:
    batch, size = list[Step](), 0
    for step in steps:
        size += stored_bytes(step)
        if batch and (size > BATCH_BYTES or len(batch) == BATCH_STEPS):
            yield tuple(batch)
            batch, size = [], stored_bytes(step)
        batch.append(step)
    if batch:
        yield tuple(batch)


def stored_bytes(part: Step | Row) -> int:
    """Size of the part's texts as they are stored: as JSON in ASCII."""
    return len(json.dumps(vars(part), default=facts_of))


def facts_of(part: object) -> Mapping[str, object] | None:
    """A part of a part as JSON has it; None for bytes, which are kept as files."""
    return dict(part) if isinstance(part, Mapping) else getattr(part, "__dict__", None)


def without_content(one: BroughtAttempt) -> BroughtAttempt:
    empty: dict[str, Any] = {"query": "", "answer": None, "ours": {}}
    empty |= dict.fromkeys(("inputs", "opening", "steps", "notes"), ())
    return replace(one, row=replace(one.row, **empty))


def read_upload(path: Path, name: str) -> Brought:
    """Everything that the file at `path` holds, and the name of what cannot be read.

    Raises MemoryError.
    """
    try:
        members = read_members(path)
        if members is None:
            return conclude([(Member(""), read_any(path.read_bytes(), name))], "", name)
        readings = [(member, read_member(member)) for member in without_evidence(members)]
        return conclude(readings, f"an archive of {count(len(readings), 'file')}")
    except BadArchive as problem:
        return Brought("an archive", refusal=str(problem))


def without_evidence(members: Iterable[Member]) -> Iterator[Member]:
    """The members; of a bundle of this site, which begins with its manifest, the trajectories."""
    is_bundle = False
    for place, member in enumerate(members):
        is_bundle = is_bundle or (place == 0 and is_manifest(member))
        if not is_bundle:
            yield member
        elif found := OF_BUNDLE.fullmatch(member.name):
            yield replace(member, name=f"{found['task']}.json")


def is_manifest(member: Member) -> bool:
    return member.name == MANIFEST and b'"payloadType"' in member.content


def read_member(member: Member) -> AttemptReading | None:
    return None if member.refusal else read_any(member.content, member.name)


def conclude(
    readings: Iterable[tuple[Member, AttemptReading | None]], container: str, name: str = ""
) -> Brought:
    """All readings together, within the bounds of one upload. `name` is that of a single file."""
    attempts: list[BroughtAttempt] = []
    refused: list[RefusedPart] = []
    losses: dict[str, None] = {}
    formats: dict[str, None] = {}
    steps = 0
    for member, reading in readings:
        file = shown_name(member.name)
        if reading is None:
            refused.append(RefusedPart(file, "", 0, member.refusal))
            continue
        refused += [RefusedPart(file, reading.unit, e.line, e.what) for e in reading.errors]
        if reading.rows or not container:
            formats[reading.description] = None
        losses |= dict.fromkeys(reading.losses)
        for row in reading.rows:
            too_much = excess(row, len(attempts), steps)
            if too_much:
                refused.append(RefusedPart(file, reading.unit, row.line, too_much))
                continue
            steps += len(row.steps)
            attempts.append(BroughtAttempt(file, named(row, file or name), reading.losses))
    inside = ", ".join([*formats][:5])
    return Brought(
        ": ".join(part for part in (container, inside) if part),
        tuple(attempts),
        tuple(refused[:MAX_REFUSED]),
        len(refused),
        tuple([*losses][:MAX_LOSSES]),
        most_steps=max((len(one.row.steps) for one in attempts), default=0),
        steps=steps,
    )


def excess(row: Row, attempts: int, steps: int) -> str:
    """The reason for leaving an attempt out, a sentence; "" if it is taken."""
    if attempts >= MAX_ATTEMPTS:
        return f"An upload holds {MAX_ATTEMPTS:,} attempts at most: send the rest separately."
    if len(row.steps) > MAX_STEPS:
        return f"The attempt has more than {MAX_STEPS:,} steps."
    if stored_bytes(replace(row, steps=(), raw=b"", ours={})) > MAX_OPENING_BYTES:
        return f"The attempt holds more than {MAX_OPENING_BYTES >> 20} MiB beside its steps."
    for step in row.steps:
        if stored_bytes(step) > MAX_STEP_BYTES:
            return f"Its step {step.index} is larger than {MAX_STEP_BYTES >> 20} MiB."
    if steps + len(row.steps) > MAX_STEPS_IN_ALL:
        return f"An upload holds {MAX_STEPS_IN_ALL:,} steps at most: send the rest separately."
    return ""


def named(row: Row, file: str) -> Row:
    """The attempt with its file's name for a task that has no name of its own, and no raw line."""
    stem = PurePosixPath(file).name.partition(".")[0]
    index = row.index or (f"{stem}-{row.line}" if stem and row.line > 1 else stem)
    return replace(row, index=index, raw=b"")


def shown_name(name: str) -> str:
    """A member's path as text: never used as a path."""
    return name.encode("utf-8", "replace").decode()[:300]


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
