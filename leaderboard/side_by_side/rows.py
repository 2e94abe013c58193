"""Aligned rows of several attempts, and what differs in each: files, results, code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from django.urls import reverse

from leaderboard.models import Attempt
from leaderboard.side_by_side.step_contents import ComparedStep, FileVersion, load_steps

MAX_PATHS = 12  # named in a row


class RowDifference(StrEnum):
    """The largest difference between the steps of a row."""

    SAME = "same"
    CODE = "code"  # other code, the same result and files
    RESULT = "result"  # what the cell showed, or how it ended; of an answer, its words
    FILES = "files"  # what is on disk after it
    ALONE = "alone"  # a step that has no counterpart in another attempt


ORDER = list(RowDifference)


@dataclass(frozen=True)
class FileCell:
    """One attempt's version of a file after a row."""

    version: str  # "A", "B"…: equal letters are equal bytes; "" where there is no such file
    size_bytes: int = 0
    address: str = ""


@dataclass(frozen=True)
class FileLine:
    """A file that a row's steps touched, in every attempt."""

    path: str
    cells: tuple[FileCell, ...]

    @property
    def differs(self) -> bool:
        return len({cell.version for cell in self.cells}) > 1


@dataclass(frozen=True)
class AlignedRow:
    """Steps that correspond to each other."""

    number: int  # from 1
    steps: tuple[int | None, ...]  # per attempt the step's index
    difference: RowDifference
    files: tuple[FileLine, ...]
    more_files: int = 0

    @property
    def weight(self) -> int:
        """Amount that differs; 0 for nothing."""
        return ORDER.index(self.difference)


@dataclass(frozen=True)
class Alignment:
    """Several attempts at a task, row by row."""

    rows: tuple[AlignedRow, ...]
    left_out: tuple[int, ...]  # per attempt its steps after the last that is aligned

    def differing(self, least: RowDifference) -> list[int]:
        """Numbers of the rows that differ at least so much."""
        return [row.number for row in self.rows if row.weight >= ORDER.index(least)]


def lay_out(attempts: Sequence[Attempt]) -> Alignment:
    """Align the tries that count. Three queries an attempt."""
    # NumPy takes memory and a start that few web processes need.
    from leaderboard.side_by_side.alignment import align

    loaded = [load_steps(attempt) for attempt in attempts]
    sequences = [steps for steps, _ in loaded]
    left_out = tuple(count - len(steps) for steps, count in loaded)
    aligned = align([[step.content for step in steps] for steps in sequences])
    on_disk: list[dict[str, FileVersion | None]] = [{} for _ in attempts]
    rows = []
    for number, places in enumerate(aligned, 1):
        steps = [
            None if at is None else sequence[at]
            for at, sequence in zip(places, sequences, strict=True)
        ]
        rows.append(compare_row(number, steps, on_disk))
    return Alignment(tuple(rows), left_out)


def compare_row(
    number: int,
    steps: Sequence[ComparedStep | None],
    on_disk: Sequence[dict[str, FileVersion | None]],
) -> AlignedRow:
    """The row of `steps`. `on_disk` are the files of each attempt so far, brought up to date."""
    for files, step in zip(on_disk, steps, strict=True):
        files.update(step.files if step else {})
    touched = sorted({path for step in steps if step for path in step.files})
    lines = [compare_file(path, on_disk) for path in touched]
    lines.sort(key=lambda line: not line.differs)
    return AlignedRow(
        number,
        tuple(step.index if step else None for step in steps),
        difference_of(steps, lines),
        tuple(lines[:MAX_PATHS]),
        max(0, len(lines) - MAX_PATHS),
    )


def compare_file(path: str, on_disk: Sequence[Mapping[str, FileVersion | None]]) -> FileLine:
    versions = [files.get(path) for files in on_disk]
    letters: dict[str, str] = {}
    for version in versions:
        if version:
            letters.setdefault(version.key, "ABCD"[len(letters)])
    return FileLine(path, tuple(cell_of(path, version, letters) for version in versions))


def cell_of(path: str, version: FileVersion | None, letters: Mapping[str, str]) -> FileCell:
    if version is None:
        return FileCell("")
    name = PurePosixPath(path).name or "file"
    address = reverse("file", args=[version.sha256, name]) if version.sha256 else ""
    return FileCell(letters[version.key], version.size_bytes, address)


def difference_of(steps: Sequence[ComparedStep | None], lines: Sequence[FileLine]) -> RowDifference:
    there = [step for step in steps if step is not None]
    if len(there) < len(steps):
        return RowDifference.ALONE
    if any(line.differs for line in lines):
        return RowDifference.FILES
    if len({step.result for step in there}) > 1:
        return RowDifference.RESULT
    if len({step.code for step in there}) > 1:
        are_answers = all(step.content.is_answer for step in there)
        return RowDifference.RESULT if are_answers else RowDifference.CODE
    return RowDifference.SAME
