"""Assertions of the check, file by file, with each file itself and the step that wrote it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from leaderboard.models import Verdict, unpack

if TYPE_CHECKING:
    from leaderboard.replay.files import FileCard


@dataclass(frozen=True)
class AssertionRow:
    """One thing the check looked at, with the step that wrote the file it looked at."""

    number: int  # in the check's order, from 1
    name: str
    passed: bool
    expected: str
    actual: str
    message: str
    file: str
    written_by: int | None


@dataclass(frozen=True)
class LookedAt:
    """One file, or the final answer, and the assertions about it that held or did not."""

    file: str  # "" for the final answer
    passed: bool
    rows: tuple[AssertionRow, ...]
    number: int  # of the file on the page
    is_first: bool  # whether the file is shown here; else it was already
    card: FileCard | None  # None: it is not among the files that were left
    written_by: int | None


def read_assertions(
    verdict: Verdict | None, writers: Mapping[str, int]
) -> tuple[AssertionRow, ...]:
    """Read the check's assertions: failed ones first, else in its order."""
    if verdict is None:
        return ()
    bodies = enumerate(unpack(verdict.body), 1)
    rows = [read_assertion(number, body, writers) for number, body in bodies]
    return tuple(sorted(rows, key=lambda row: row.passed))


def read_assertion(number: int, body: dict[str, Any], writers: Mapping[str, int]) -> AssertionRow:
    file = str(body.get("file", ""))
    return AssertionRow(
        number=number,
        name=str(body["name"]),
        passed=bool(body["passed"]),
        expected=str(body["expected"]),
        actual=str(body["actual"]),
        message=str(body.get("message", "")),
        file=file,
        written_by=writers.get(f"output/{file.removeprefix('output/')}") if file else None,
    )


def look_at(rows: Sequence[AssertionRow], outputs: Sequence[FileCard]) -> tuple[LookedAt, ...]:
    """`rows` by verdict and file, in their order; a file is shown where it comes first."""
    cards = {card.path: card for card in outputs}
    files = list(dict.fromkeys((row.passed, row.file) for row in rows))
    shown: dict[str, int] = {}
    groups = []
    for passed, file in files:
        members = tuple(row for row in rows if (row.passed, row.file) == (passed, file))
        card = cards.get(file.removeprefix("output/")) if file else None
        groups.append(
            LookedAt(
                file=file,
                passed=passed,
                rows=members,
                number=shown.setdefault(file, len(shown) + 1),
                is_first=(passed, file) == next(pair for pair in files if pair[1] == file),
                # Its frame stands among the files that were left, and a page has one of a name.
                card=replace(card, frame="", frame_name="") if card else None,
                written_by=members[0].written_by,
            )
        )
    return tuple(groups)
