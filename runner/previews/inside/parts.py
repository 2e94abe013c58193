"""The one form of what a file holds: facts, parts of rows or text, a picture, a player, a page."""

from __future__ import annotations

import base64
import datetime
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

MAX_PARTS = 20  # sheets, slides, tables
MAX_ROWS = 200
MAX_COLUMNS = 20
MAX_CHARS = 300  # of a cell
MAX_TEXT_CHARS = 10_000  # of a part
MAX_ENTRIES = 200  # listed of an archive
MAX_UNPACKED_BYTES = 256 << 20  # of a document, by its own account
MAX_DOCUMENT_ENTRIES = 10_000
PICTURE_PX = 2_000  # the longer side
MAX_PICTURE_BYTES = 1_200_000


Part = dict[str, Any]


class CannotOpen(Exception):
    """The reason why a file is not opened, in words for a reader."""


def say(value: object) -> str:
    """A cell as text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    if isinstance(value, bytes):
        return f"{len(value):,} bytes"
    return str(value)[:MAX_CHARS]


def table(
    title: str,
    records: Iterable[Sequence[object]],
    count: int | None = None,
    *,
    is_list: bool = False,
) -> Part:
    """A part of rows; the first of `records` is the heading.

    `count`: of all rows, where known. `is_list`: each row says what the file holds.
    """
    kept = [[say(cell) for cell in record] for record in islice(records, MAX_ROWS + 2)]
    cut = [record[:MAX_COLUMNS] for record in kept[: MAX_ROWS + 1]]
    if count is None and len(kept) <= MAX_ROWS + 1:
        count = max(0, len(kept) - 1)
    return {
        "title": title,
        "header": cut[0] if cut else [],
        "rows": cut[1:],
        "count": count,
        "width": max((len(record) for record in kept), default=0),
        "is_list": is_list,
        "note": "",
    }


def text(title: str, lines: Iterable[str]) -> Part:
    """A part of text, as far as is shown."""
    said, chars = [], 0
    for line in lines:
        said.append(line)
        chars += len(line) + 1
        if chars > MAX_TEXT_CHARS:
            break
    shown = "\n".join(said)
    note = "The beginning." if len(shown) > MAX_TEXT_CHARS else ""
    return {"title": title, "text": shown[:MAX_TEXT_CHARS], "note": note}


def more(count: int, shown: int, what: str) -> str:
    return f"{count - shown:,} more {what} are not shown." if count > shown else ""


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def sentence(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def not_drawn(counts: dict[str, int]) -> str:
    """As in "2 charts and 1 picture are not drawn."."""
    said = [counted(number, what) for what, number in counts.items() if number]
    if not said:
        return ""
    verb = "is" if sum(counts.values()) == 1 else "are"
    return f"{' and '.join(said)} {verb} not drawn."


def head_of(path: str) -> bytes:
    with Path(path).open("rb") as stream:
        return stream.read(32)


def open_archive(path: str) -> zipfile.ZipFile:
    """The archive of an office document, unless it says that it unpacks to too much."""
    archive = zipfile.ZipFile(path)
    entries = archive.infolist()
    if len(entries) > MAX_DOCUMENT_ENTRIES:
        raise CannotOpen("it has too many members")
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
        raise CannotOpen("it unpacks to too much")
    return archive


def packed(content: bytes) -> str:
    return base64.b64encode(content).decode()


def plain(value: Any) -> object:
    """A value of numpy or pandas as Python's own; None for a missing one."""
    if hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime()
    elif hasattr(value, "item"):
        value = value.item()
    with suppress(TypeError, ValueError):
        if value is None or value != value:
            return None
    return None if type(value).__name__ in ("NaTType", "NAType") else value
