"""Books of sheets: those of neighbouring runs that are over, joined and kept as one row.

A page then reads a few rows at its first look, not all attempts, and counts whole books at once. A
book says of each run which state of it was filed; a run that changed since is not read from it.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime

import zstandard

from leaderboard.search.sheets import BLANK, CARRIED, Bits, Sheet, cut, paste

RUNS_SHIFT = 7  # a book holds the runs whose numbers differ in the last seven bits alone: 128
MAX_BOOK_BYTES = 256 << 20  # unpacked
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LEVEL = 3  # of zstd: books are written again for each run that ends


# State of a run's rows, and what its sheet carries of them.
Stamp = tuple[int, int, int]


def number_of(run_id: int) -> int:
    """The book that the run belongs in."""
    return run_id >> RUNS_SHIFT


def microseconds(moment: datetime) -> int:
    """Since 1970, exactly."""
    apart = moment - EPOCH
    return (apart.days * 86_400 + apart.seconds) * 1_000_000 + apart.microseconds


@dataclass(frozen=True, slots=True)
class BookRun:
    """A run in a book: the state in which it was filed, and its place."""

    pk: int
    sequence: int
    created_us: int  # with the sequence: the state of its rows
    entry: int
    suite: int
    is_counted: bool  # among its suite's tasks: published, of a model, of the season under way
    start: int = 0
    stop: int = 0
    carried: int = 1  # CARRIED_VERSION of its sheet; books of earlier releases do not say

    @property
    def stamp(self) -> Stamp:
        return self.sequence, self.created_us, self.carried


@dataclass(frozen=True, slots=True)
class Book:
    """Runs in the order of their numbers, and their attempts on one sheet."""

    runs: tuple[BookRun, ...] = ()
    sheet: Sheet = BLANK

    def of(self, run: BookRun) -> Sheet:
        return cut(self.sheet, run.start, run.stop)

    def filed(self, changed: Mapping[BookRun, Sheet], gone: Iterable[int] = ()) -> Book:
        """The book with the runs `changed` as they are now, and without those that are `gone`."""
        left_out = {*gone, *(run.pk for run in changed)}
        sheets = {run: self.of(run) for run in self.runs if run.pk not in left_out}
        return bind({**sheets, **changed})


def bind(sheets: Mapping[BookRun, Sheet]) -> Book:
    """A book of these runs."""
    runs, at = [], 0
    ordered = sorted(sheets, key=lambda run: run.pk)
    for run in ordered:
        stop = at + len(sheets[run].ids)
        runs.append(replace(run, start=at, stop=stop))
        at = stop
    return Book(tuple(runs), paste(sheets[run] for run in ordered))


def encode(book: Book) -> bytes:
    """A length, a head in JSON, and the numbers and bits that it names, in zstd."""
    size = (len(book.sheet.ids) + 7) // 8
    columns = [("state", value, bits) for value, bits in book.sheet.states.items()]
    for kind in CARRIED:
        columns += [(kind, value, bits) for value, bits in book.sheet.carried[kind].items()]
    head = json.dumps(
        {
            "runs": [astuple(run) for run in book.runs],
            "attempts": len(book.sheet.ids),
            "columns": [(kind, value) for kind, value, _ in columns],
        },
        separators=(",", ":"),
    ).encode()
    parts = [len(head).to_bytes(8, "little"), head, book.sheet.ids.tobytes()]
    parts += [bits.to_bytes(size, "little") for _, _, bits in columns]
    return zstandard.compress(b"".join(parts), LEVEL)


def decode(body: bytes | memoryview) -> Book:
    """The book that `encode` was given; an empty one for an empty body."""
    if not body:
        return Book()
    unpacked = zstandard.ZstdDecompressor().decompress(body, max_output_size=MAX_BOOK_BYTES)
    raw = memoryview(unpacked)
    at = 8 + int.from_bytes(raw[:8], "little")
    head = json.loads(bytes(raw[8:at]))
    count = int(head["attempts"])
    ids = array("q", bytes(raw[at : at + 8 * count]))
    at += 8 * count
    size = (count + 7) // 8
    columns: dict[str, dict[str, Bits]] = {kind: {} for kind in ("state", *CARRIED)}
    for place, (kind, value) in enumerate(head["columns"]):
        begin = at + place * size
        columns[kind][value] = int.from_bytes(raw[begin : begin + size], "little")
    runs = tuple(BookRun(*facts) for facts in head["runs"])
    return Book(runs, Sheet(ids, columns.pop("state"), columns))
