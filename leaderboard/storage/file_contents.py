"""The contents of a file that only a sandbox opens, as JSON that is stored beside the file.

What comes out of the sandbox may have been written by the file itself: `understand` takes nothing
but short texts in a fixed shape, and keeps no more of them than a page shows.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from leaderboard.models import clean

PDF = "application/pdf"
OFFICE = "application/vnd.openxmlformats-officedocument"
READ_AS = {
    f"{OFFICE}.spreadsheetml.sheet": "xlsx",
    f"{OFFICE}.wordprocessingml.document": "docx",
    f"{OFFICE}.presentationml.presentation": "pptx",
    "application/vnd.ms-excel": "xls",
    "application/vnd.sqlite3": "sqlite",
    "application/vnd.apache.parquet": "parquet",
    "application/zip": "zip",
    "video/mp4": "video",
    "video/quicktime": "video",
    "video/webm": "video",
    "video/x-matroska": "video",
    "video/x-msvideo": "video",
}

MAX_STORED_BYTES = 512 * 1024
MAX_PARTS = 20
MAX_FACTS = 8
MAX_ROWS = 240
MAX_COLUMNS = 12
MAX_CELLS = 4_000  # of all parts
MAX_CELL_CHARS = 80
MAX_TITLE_CHARS = 120
MAX_NOTE_CHARS = 200
MAX_TEXT_CHARS = 3_000  # of one part

Row = tuple[str, ...]


@dataclass(frozen=True)
class ContentPart:
    """A sheet, slide, table or passage of a file."""

    title: str
    text: str = ""
    header: Row = ()
    rows: tuple[Row, ...] = ()
    note: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.text or self.header or self.note)


@dataclass(frozen=True)
class FileContents:
    """The beginning of everything that a file holds."""

    facts: tuple[tuple[str, str], ...] = ()
    parts: tuple[ContentPart, ...] = ()
    note: str = ""
    poster: str = ""  # SHA-256 of the picture of a frame

    @property
    def price_us(self) -> int:
        """Upper estimate of what it costs to show, in microseconds."""
        cells = sum(len(row) for part in self.parts for row in (part.header, *part.rows))
        return 300 + 8 * cells + sum(len(part.text) for part in self.parts) // 4

    def shortened(self) -> FileContents:
        """The facts alone, for a page that cannot afford the rest."""
        return replace(self, parts=(), note="The page has enough: download the file to see it.")


def understand(report: bytes) -> tuple[FileContents, bytes] | None:
    """Contents and poster of a sandbox's report; None when it is not in the shape of one."""
    try:
        found = json.loads(report)
        if not isinstance(found, dict):
            return None
        poster = base64.b64decode(text_of(found.get("poster"), 4 << 20), validate=True)
        return contents_of(found), poster
    except (ValueError, TypeError, RecursionError, binascii.Error):
        return None


def read_contents(stored: bytes) -> FileContents | None:
    """Read stored contents of a file; None if they cannot be read any more."""
    try:
        found = json.loads(stored)
        poster = text_of(found.get("poster"), 64)
    except (ValueError, AttributeError):
        return None
    contents = contents_of(found)
    return FileContents(contents.facts, contents.parts, contents.note, poster)


def as_json(contents: FileContents) -> bytes:
    return json.dumps(asdict(contents), ensure_ascii=False).encode()


def contents_of(found: dict[str, Any]) -> FileContents:
    left = MAX_CELLS
    parts = []
    for one in list_of(found.get("parts"))[:MAX_PARTS]:
        part = part_of(one, left)
        left -= sum(map(len, part.rows))
        parts.append(part)
    pairs = [row_of(pair) for pair in list_of(found.get("facts"))[:MAX_FACTS]]
    return FileContents(
        facts=tuple((pair[0], pair[1]) for pair in pairs if len(pair) == 2),
        parts=tuple(parts),
        note=text_of(found.get("note"), MAX_NOTE_CHARS),
    )


def part_of(found: object, cells: int) -> ContentPart:
    if not isinstance(found, dict):
        raise TypeError("a part is no object")
    header = row_of(found.get("header"))
    rows = [row_of(row) for row in list_of(found.get("rows"))[:MAX_ROWS]]
    return ContentPart(
        title=text_of(found.get("title"), MAX_TITLE_CHARS),
        text=text_of(found.get("text"), MAX_TEXT_CHARS),
        header=header,
        rows=tuple(rows[: max(0, cells) // max(1, len(header))]),
        note=text_of(found.get("note"), MAX_NOTE_CHARS),
    )


def row_of(found: object) -> Row:
    return tuple(text_of(cell, MAX_CELL_CHARS) for cell in list_of(found)[:MAX_COLUMNS])


def list_of(found: object) -> list[Any]:
    if found is None:
        return []
    if not isinstance(found, list):
        raise TypeError("not a list")
    return found


def text_of(found: object, most: int) -> str:
    """A text of at most so many characters, that every database and every encoding takes."""
    if found is None:
        return ""
    if not isinstance(found, str):
        raise TypeError("not a text")
    return clean(found[:most])
