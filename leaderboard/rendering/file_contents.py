"""The contents of a file that only a sandbox opens, as JSON that is stored beside the file.

What comes out of the sandbox may have been written by the file itself: `understand` takes nothing
but short texts in a fixed shape, and keeps no more of them than a page shows.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from leaderboard.models import clean

MAX_STORED_BYTES = 1024 * 1024
MAX_PARTS = 20
MAX_FACTS = 8
MAX_ROWS = 240
MAX_COLUMNS = 20
MAX_CELLS = 8_000  # of all parts
MAX_CELL_CHARS = 300
MAX_TITLE_CHARS = 120
MAX_NOTE_CHARS = 300
MAX_TEXT_CHARS = 10_000  # of one part
SHOWN_ROWS, SHOWN_COLUMNS, SHOWN_CHARS = 12, 12, 3_000  # the others are only compared
SHOWN_LISTED = 60
MOST_COUNTED = 10**12
ATTACHED = ("poster", "player", "page")

Row = tuple[str, ...]


@dataclass(frozen=True)
class ContentPart:
    """A sheet, slide, table or passage of a file."""

    title: str
    text: str = ""
    header: Row = ()
    rows: tuple[Row, ...] = ()
    note: str = ""
    count: int | None = None  # of all rows; None: unknown
    width: int = 0  # columns, those that are not kept among them
    is_list: bool = False  # of members, columns, arrays: more of it is shown

    @property
    def shown(self) -> list[Row]:
        return [row[:SHOWN_COLUMNS] for row in self.rows[: self.most]]

    @property
    def most(self) -> int:
        return SHOWN_LISTED if self.is_list else SHOWN_ROWS

    @property
    def shown_header(self) -> Row:
        return self.header[:SHOWN_COLUMNS]

    @property
    def shown_text(self) -> str:
        return self.text[:SHOWN_CHARS]

    @property
    def rest_words(self) -> str:
        """What of it is not kept, and so in no comparison; "" where all is."""
        if self.text and self.note.startswith("The beginning"):
            return f"text past the first {MAX_TEXT_CHARS:,} characters is not compared"
        if (self.count or 0) > len(self.rows):
            return f"rows past the first {len(self.rows):,} are not compared"
        if self.width > len(self.header):
            return f"columns past the first {len(self.header):,} are not compared"
        return ""

    @property
    def notes(self) -> str:
        """Its note, with what of it is not shown."""
        said = []
        if len(self.rows) > self.most or (self.count or 0) > len(self.rows):
            of_all = f" of {self.count:,}" if self.count is not None else ""
            said.append(f"The first {len(self.shown)}{of_all} rows.")
        if self.width > SHOWN_COLUMNS:
            said.append(f"The first {len(self.shown_header)} of {self.width:,} columns.")
        if len(self.text) > SHOWN_CHARS and not self.note.startswith("The beginning"):
            said.append("The beginning.")
        return " ".join([*said, self.note]).strip()


@dataclass(frozen=True)
class FileContents:
    """The beginning of everything that a file holds. Attached files are named by SHA-256."""

    facts: tuple[tuple[str, str], ...] = ()
    parts: tuple[ContentPart, ...] = ()
    note: str = ""
    plays: str = ""  # "video" or "audio": the file, or the player in its place
    poster: str = ""  # a picture of it
    player: str = ""  # a copy of its beginning that browsers play
    page: str = ""  # HTML for a frame that reaches nothing

    @property
    def is_empty(self) -> bool:
        return not (self.parts or self.note or self.plays or self.poster or self.page)

    @property
    def price_us(self) -> int:
        """Upper estimate of what it costs to show, in microseconds."""
        cells = sum(len(row) for part in self.parts for row in (part.header, *part.shown))
        kept = sum(len(row) for part in self.parts for row in part.rows)
        return 300 + 8 * cells + kept + sum(len(part.shown_text) for part in self.parts) // 4

    def shortened(self) -> FileContents:
        """The facts alone, for a page that cannot afford the rest."""
        return replace(self, parts=(), note="The page has enough: download the file to see it.")


def understand(report: bytes) -> tuple[FileContents, dict[str, bytes]] | None:
    """Contents of a sandbox's report and what is attached; None when it has no such shape."""
    try:
        found = json.loads(report)
        if not isinstance(found, dict):
            return None
        attached = {
            "poster": base64.b64decode(text_of(found.get("poster"), 4 << 20), validate=True),
            "player": base64.b64decode(text_of(found.get("player"), 4 << 20), validate=True),
            "page": text_of(found.get("page"), 4 << 20).encode(),
        }
        return contents_of(found), {name: data for name, data in attached.items() if data}
    except (ValueError, TypeError, RecursionError, binascii.Error):
        return None


def read_contents(stored: bytes, sha256: str = "") -> FileContents | None:
    """Read stored contents of a file; None if they cannot be read any more.

    Of a PDF the first page was stored alone, as the picture `sha256`.
    """
    if stored.startswith(b"\x89PNG"):
        return FileContents(poster=sha256)
    try:
        found = json.loads(stored)
        poster, player, page = (text_of(found.get(name), 64) for name in ATTACHED)
        return replace(contents_of(found), poster=poster, player=player, page=page)
    except (ValueError, AttributeError, TypeError):
        return None


def as_json(contents: FileContents) -> bytes:
    return json.dumps(asdict(contents), ensure_ascii=False).encode()


def contents_of(found: Mapping[str, Any]) -> FileContents:
    left = MAX_CELLS
    parts = []
    for one in list_of(found.get("parts"))[:MAX_PARTS]:
        part = part_of(one, left)
        left -= sum(map(len, part.rows))
        parts.append(part)
    pairs = [row_of(pair) for pair in list_of(found.get("facts"))[:MAX_FACTS]]
    plays = text_of(found.get("plays"), 10)
    return FileContents(
        facts=tuple((pair[0], pair[1]) for pair in pairs if len(pair) == 2),
        parts=tuple(parts),
        note=text_of(found.get("note"), MAX_NOTE_CHARS),
        plays=plays if plays in ("video", "audio") else "",
    )


def part_of(found: object, cells: int) -> ContentPart:
    if not isinstance(found, dict):
        raise TypeError("a part is no object")
    header = row_of(found.get("header"))
    rows = [row_of(row) for row in list_of(found.get("rows"))[:MAX_ROWS]]
    count, width = found.get("count"), found.get("width", len(header))
    is_count = isinstance(count, int) and len(rows) <= count <= MOST_COUNTED
    return ContentPart(
        title=text_of(found.get("title"), MAX_TITLE_CHARS),
        text=text_of(found.get("text"), MAX_TEXT_CHARS),
        header=header,
        rows=tuple(rows[: max(0, cells) // max(1, len(header))]),
        note=text_of(found.get("note"), MAX_NOTE_CHARS),
        count=count if is_count else None,
        width=width if isinstance(width, int) and 0 <= width <= MOST_COUNTED else len(header),
        is_list=found.get("is_list") is True,
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
