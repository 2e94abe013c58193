"""Changes that a step made inside a file: lines of text, or cells of a table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum

from leaderboard.rendering.budget import can_afford
from leaderboard.rendering.file_contents import ContentPart, FileContents
from leaderboard.rendering.kinds import suffix_of
from leaderboard.rendering.previews import TABLES, Kind, kind_of
from runner.previews.texts import decode, read_records

DIFF_BYTES = 64 * 1024  # a longer version is not compared
MAX_LINES = 1_500  # of either version
MAX_SHOWN = 80  # lines or rows
MAX_COLUMNS = 20
MAX_CHARS = 300  # of a line or cell
MAX_DEPTH = 50  # of JSON that is laid out: each level is one more space on every line
CONTEXT = 1  # unchanged lines or rows around a change

Record = tuple[str, ...]


class Change(StrEnum):
    """Change of one line, row or cell."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    GAP = "gap"  # unchanged ones that are not shown


@dataclass(frozen=True)
class DiffLine:
    """A line of a text comparison, or a gap of unchanged lines."""

    kind: Change
    text: str = ""
    count: int = 0  # of a gap


@dataclass(frozen=True)
class DiffCell:
    """A cell of a table comparison, with its earlier text if that differs."""

    text: str
    before: str | None = None  # None: as it was


@dataclass(frozen=True)
class TableRow:
    """A row of a table comparison, or a gap of unchanged rows."""

    kind: Change
    number: int = 0  # of the row in the version it stands in, from 1 below the heading
    cells: tuple[DiffCell, ...] = ()
    count: int = 0  # of a gap


@dataclass(frozen=True)
class Diff:
    """A change to show: `lines` of text, or `rows` of a table."""

    summary: str
    title: str = ""  # of the sheet or part
    lines: tuple[DiffLine, ...] = ()
    header: tuple[DiffCell, ...] = ()
    rows: tuple[TableRow, ...] = ()


def is_comparable(name: str, mime: str, size_before: int, size: int) -> bool:
    """True if two versions are text and short enough, so that their bytes are worth reading."""
    is_text = kind_of(name, mime) in (Kind.TABLE, Kind.MARKDOWN, Kind.TEXT)
    return is_text and 0 < size_before <= DIFF_BYTES and 0 < size <= DIFF_BYTES


def diff_files(name: str, before: bytes, after: bytes) -> Diff | None:
    """Compare two versions of the text `name`; None if they cannot be compared."""
    old, new = decode(before), decode(after)
    if old is None or new is None or before == after:
        return None
    if old[0] == new[0]:
        return Diff("only the encoding changed")
    if old[0].split() == new[0].split() and old[0].splitlines() == new[0].splitlines():
        is_encoding = old[1] != new[1]
        return Diff(f"only the line ends {'and the encoding ' if is_encoding else ''}changed")
    suffix = suffix_of(name)
    if suffix in TABLES:
        tables = [
            [tuple(record[:MAX_COLUMNS]) for record in read_records(text, TABLES[suffix])]
            for text, _ in (old, new)
        ]
        if all(tables):
            return diff_tables(*tables)
    if suffix == "json":
        return diff_texts(lay_out(old[0]), lay_out(new[0]))
    return diff_texts(old[0], new[0])


def diff_contents(old: FileContents, new: FileContents) -> list[Diff]:
    """Compare what a sandbox found in two versions, part by part under their titles.

    What is not kept of a long part is not compared, and that is said.
    """
    before, after = number_titles(old.parts), number_titles(new.parts)
    found = []
    for name, facts in (("was", old.facts), ("is", new.facts)):
        if old.facts != new.facts:
            said = ", ".join(f"{key} {value}" for key, value in facts)
            found.append(Diff(f"it {name}: {said}"))
    for key in dict.fromkeys((*after, *before)):
        if key not in before or key not in after:
            found.append(Diff("was added" if key in after else "was removed", title=key[0]))
        elif part := diff_part(before[key], after[key]):
            found.append(replace(part, title=key[0]))
    if old.note != new.note:
        found.append(Diff(say_notes(old.note, new.note)))
    return found or [Diff("nothing that is shown here changed")]


def number_titles(parts: Sequence[ContentPart]) -> dict[tuple[str, int], ContentPart]:
    """The parts by title and by how many of that title came before: text between tables."""
    seen: Counter[str] = Counter()
    found = {}
    for part in parts:
        found[part.title, seen[part.title]] = part
        seen[part.title] += 1
    return found


def diff_part(old: ContentPart, new: ContentPart) -> Diff | None:
    """None if nothing differs of what is kept of both, and all is."""
    rest = [part.rest_words for part in (old, new) if part.rest_words][:1]
    if (old.rows, old.header, old.text) == (new.rows, new.header, new.text):
        if old.count != new.count and None not in (old.count, new.count):
            return Diff(f"{old.count:,} rows before, {new.count:,} now")
        if old.note != new.note:
            return Diff(say_notes(old.note, new.note))
        return Diff(f"no change was found; {rest[0]}") if rest else None
    if old.text or new.text:
        diff = diff_texts(old.text, new.text)
    else:
        diff = diff_tables([old.header, *old.rows], [new.header, *new.rows])
    return replace(diff, summary="; ".join([diff.summary, *rest])) if diff else None


def say_notes(old: str, new: str) -> str:
    """What notes say of two versions, as in "1 picture is not drawn."."""
    return f"before: {old or 'nothing to note.'} Now: {new or 'nothing to note.'}"


def lay_out(text: str) -> str:
    """JSON one value a line, whatever spaces it was written with; else the text itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return json.dumps(value, ensure_ascii=False, indent=1) if is_small(value) else text


def is_small(value: object) -> bool:
    """True for a value that takes few lines, none of them indented far."""
    count, level = 0, [value]
    for _ in range(MAX_DEPTH):
        count += len(level)
        if not level or count > MAX_LINES:
            break
        level = [child for outer in level for child in children_of(outer)]
    return not level and count <= MAX_LINES


def children_of(value: object) -> Collection[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


Block = tuple[str, int, int, int, int]


def blocks_of(old: Sequence[object], new: Sequence[object]) -> list[Block] | None:
    """The blocks of difflib; None for what would take too long.

    Where the versions begin and end alike nothing is compared, and nothing paid.
    """
    if len(old) > MAX_LINES or len(new) > MAX_LINES:
        return None
    least = min(len(old), len(new))
    head = next((i for i in range(least) if old[i] != new[i]), least)
    least -= head
    tail = next((i for i in range(least) if old[-1 - i] != new[-1 - i]), least)
    between = (old[head : len(old) - tail], new[head : len(new) - tail])
    if not can_afford(len(between[0]) * len(between[1]) // 10):
        return None
    matcher = SequenceMatcher(None, *between, autojunk=max(map(len, between)) > 200)
    blocks = [
        (tag, a + head, b + head, c + head, d + head) for tag, a, b, c, d in matcher.get_opcodes()
    ]
    if head:
        blocks.insert(0, ("equal", 0, head, 0, head))
    if tail:
        blocks.append(("equal", len(old) - tail, len(old), len(new) - tail, len(new)))
    return merge_equal(blocks)


def merge_equal(blocks: Sequence[Block]) -> list[Block]:
    """The same blocks, with unchanged ones that touch as one."""
    merged: list[Block] = []
    for block in blocks:
        if merged and block[0] == merged[-1][0] == "equal":
            merged[-1] = ("equal", merged[-1][1], block[2], merged[-1][3], block[4])
        else:
            merged.append(block)
    return merged


def diff_texts(old: str, new: str) -> Diff | None:
    before, after = old.splitlines(), new.splitlines()
    blocks = blocks_of(before, after)
    if blocks is None:
        return None
    lines = list(list_lines(before, after, blocks))
    added = sum(line.kind is Change.ADDED for line in lines)
    removed = sum(line.kind is Change.REMOVED for line in lines)
    summary = f"{counted(added, 'line')} added, {removed} removed"
    return Diff(summary + cut_note(len(lines)), lines=tuple(lines[:MAX_SHOWN]))


def list_lines(
    old: Sequence[str], new: Sequence[str], blocks: Sequence[Block]
) -> Iterator[DiffLine]:
    for tag, a, b, c, d in blocks:
        if tag == "equal":
            for start, gap in folds(c, d, len(new)):
                yield (
                    DiffLine(Change.GAP, count=gap)
                    if gap
                    else DiffLine(Change.SAME, short(new[start]))
                )
            continue
        yield from (DiffLine(Change.REMOVED, short(text)) for text in old[a:b])
        yield from (DiffLine(Change.ADDED, short(text)) for text in new[c:d])


def folds(start: int, end: int, total: int) -> Iterator[tuple[int, int]]:
    """The unchanged from `start` to `end`: an index and 0 for each one shown, and gaps' lengths."""
    head = start if start == 0 else min(end, start + CONTEXT)
    tail = end if end == total else max(head, end - CONTEXT)
    yield from ((i, 0) for i in range(start, head))
    if tail > head:
        yield head, tail - head
    yield from ((i, 0) for i in range(tail, end))


def diff_tables(old: Sequence[Record], new: Sequence[Record]) -> Diff | None:
    """Rows below the heading, aligned; rows that were replaced one for one are shown by cell."""
    blocks = blocks_of(old[1:], new[1:])
    if blocks is None:
        return None
    rows = list(list_rows(old[1:], new[1:], blocks))
    counts = {kind: sum(row.kind is kind for row in rows) for kind in Change}
    cells = sum(c.before is not None for row in rows for c in row.cells)
    parts = [
        f"{counted(cells, 'cell')} changed" if cells else "",
        f"{counted(counts[Change.ADDED], 'row')} added" if counts[Change.ADDED] else "",
        f"{counted(counts[Change.REMOVED], 'row')} removed" if counts[Change.REMOVED] else "",
        "the heading changed" if old[0] != new[0] else "",
    ]
    summary = ", ".join(part for part in parts if part) or "only the way it is written changed"
    header = pair_cells(old[0], new[0])
    return Diff(summary + cut_note(len(rows)), header=header, rows=tuple(rows[:MAX_SHOWN]))


def list_rows(
    old: Sequence[Record], new: Sequence[Record], blocks: Sequence[Block]
) -> Iterator[TableRow]:
    for tag, a, b, c, d in blocks:
        if tag == "equal":
            for start, gap in folds(c, d, len(new)):
                if gap:
                    yield TableRow(Change.GAP, count=gap)
                else:
                    yield TableRow(Change.SAME, start + 1, plain_cells(new[start]))
            continue
        paired = min(b - a, d - c)
        for i in range(paired):
            yield TableRow(Change.CHANGED, c + i + 1, pair_cells(old[a + i], new[c + i]))
        for i in range(a + paired, b):
            yield TableRow(Change.REMOVED, i + 1, plain_cells(old[i]))
        for i in range(c + paired, d):
            yield TableRow(Change.ADDED, i + 1, plain_cells(new[i]))


def plain_cells(record: Record) -> tuple[DiffCell, ...]:
    return tuple(DiffCell(short(text)) for text in record)


def pair_cells(old: Record, new: Record) -> tuple[DiffCell, ...]:
    """The new row's cells, each with what stood there before where that was something else."""
    width = max(len(old), len(new))
    pairs = zip((*old, *[""] * (width - len(old))), (*new, *[""] * (width - len(new))), strict=True)
    return tuple(DiffCell(short(b), short(a) if a != b else None) for a, b in pairs)


def short(text: str) -> str:
    return text if len(text) <= MAX_CHARS else f"{text[:MAX_CHARS]}…"


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def cut_note(number: int) -> str:
    return f"; the first {MAX_SHOWN} of {number} are shown" if number > MAX_SHOWN else ""
