"""The first look at a file: what can be shown of its bytes without running anything in it."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from leaderboard.rendering.xlsx import FirstSheet

HEAD_BYTES = 16 * 1024  # read of a file for its preview
MAX_ROWS = 12
MAX_COLUMNS = 12
MAX_CELL_CHARS = 80
MAX_TEXT_CHARS = 4_000
MAX_LINES = 60

IMAGES = {"image/png", "image/jpeg", "image/gif", "image/webp"}
AUDIO = {"audio/wav", "audio/x-wav", "audio/mpeg", "audio/ogg"}
VIDEOS = {"video/mp4", "video/webm"}  # that browsers play
DELIMITERS = {"csv": ",", "tsv": "\t"}
MARKDOWN = {"md", "markdown"}
VIDEO = {"mp4", "m4v", "mov", "webm", "mkv", "avi"}
# Workers open these in a sandbox, and keep a picture or what they hold.
OPENED_IN_SANDBOX = VIDEO | {
    "pdf", "xlsx", "xls", "docx", "pptx", "sqlite", "sqlite3", "db", "parquet", "zip",
}  # fmt: skip
BINARY = OPENED_IN_SANDBOX | {
    "gz", "pkl", "joblib", "npy", "npz", "png", "jpg", "jpeg", "gif", "webp", "bmp", "tiff", "wav",
    "mp3", "ogg", "flac",
}  # fmt: skip


class Kind(StrEnum):
    """Way in which a file is shown."""

    IMAGE = "image"
    AUDIO = "audio"
    TABLE = "table"
    MARKDOWN = "markdown"
    TEXT = "text"
    PDF = "pdf"
    BINARY = "binary"
    EMPTY = "empty"


@dataclass(frozen=True)
class Preview:
    """Preview of a file. `note` says what is left out."""

    kind: Kind
    text: str = ""
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    note: str = ""


def suffix_of(name: str) -> str:
    return PurePosixPath(name).suffix.lstrip(".").lower()


def needs_bytes(name: str, mime: str) -> bool:
    """True if the preview shows content, so that the head of the file must be read."""
    return kind_of(name, mime) in (Kind.TABLE, Kind.MARKDOWN, Kind.TEXT)


def kind_of(name: str, mime: str) -> Kind:
    """From the stored type and the name alone; the bytes may still turn out to be binary."""
    suffix = suffix_of(name)
    if mime in IMAGES or mime == "image/svg+xml":
        return Kind.IMAGE
    if mime in AUDIO:
        return Kind.AUDIO
    if mime == "application/pdf":
        return Kind.PDF
    if suffix in DELIMITERS:
        return Kind.TABLE
    if suffix in MARKDOWN:
        return Kind.MARKDOWN
    return Kind.BINARY if suffix in BINARY else Kind.TEXT


def preview(name: str, mime: str, size_bytes: int, head: bytes = b"") -> Preview:
    """Preview of the file `name`, whose first bytes are `head`."""
    kind = kind_of(name, mime)
    if size_bytes == 0:
        return Preview(Kind.EMPTY)
    if not needs_bytes(name, mime):
        return Preview(kind)
    text = decode(head)
    if text is None:
        return Preview(Kind.BINARY)
    is_whole = len(head) >= size_bytes
    if kind is Kind.TABLE:
        return preview_table(text, DELIMITERS[suffix_of(name)], is_whole)
    return preview_text(kind, text, is_whole)


def decode(head: bytes) -> str | None:
    """UTF-8, or the byte-order mark's UTF-16; None for what is no text."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return head.decode("utf-16", "replace")
    if b"\0" in head:
        return None
    return head.decode("utf-8-sig", "replace")


def preview_text(kind: Kind, text: str, is_whole: bool) -> Preview:
    shown = "\n".join(text[:MAX_TEXT_CHARS].split("\n")[:MAX_LINES])
    cut = len(shown) < len(text) or not is_whole
    return Preview(kind, text=shown, note="The beginning of the file." if cut else "")


def preview_table(text: str, delimiter: str, is_whole: bool) -> Preview:
    lines = text.splitlines()
    if not is_whole:
        lines = lines[:-1] or lines
    try:
        records = list(csv.reader(lines[: MAX_ROWS + 1], delimiter=delimiter))
    except csv.Error:
        return preview_text(Kind.TEXT, text, is_whole)
    records = [record for record in records if record]
    if not records:
        return preview_text(Kind.TEXT, text, is_whole)
    rows = tuple(shorten(record) for record in records[1:])
    return Preview(
        Kind.TABLE, header=shorten(records[0]), rows=rows, note=table_note(lines, records, is_whole)
    )


def preview_sheet(sheet: FirstSheet) -> Preview:
    """The beginning of a workbook's first sheet."""
    records = [list(row) for row in sheet.rows]
    if not records:
        return Preview(Kind.BINARY)
    parts = [f"The sheet “{sheet.name}”" + ("." if sheet.sheets == 1 else f" of {sheet.sheets}.")]
    if len(records) > MAX_ROWS + 1 or not sheet.is_whole:
        parts.append("The first rows.")
    if len(records[0]) > MAX_COLUMNS:
        parts.append(f"The first {MAX_COLUMNS} columns.")
    rows = tuple(shorten(record) for record in records[1 : MAX_ROWS + 1])
    return Preview(Kind.TABLE, header=shorten(records[0]), rows=rows, note=" ".join(parts))


def table_note(lines: list[str], records: list[list[str]], is_whole: bool) -> str:
    parts = []
    if not is_whole:
        parts.append("The first rows.")
    elif len(lines) > MAX_ROWS + 1:
        parts.append(f"The first {len(records) - 1} of {len(lines) - 1} rows.")
    if any(len(record) > MAX_COLUMNS for record in records):
        parts.append(f"The first {MAX_COLUMNS} of {max(map(len, records))} columns.")
    return " ".join(parts)


def shorten(record: list[str]) -> tuple[str, ...]:
    cells = record[:MAX_COLUMNS]
    return tuple(c if len(c) <= MAX_CELL_CHARS else c[:MAX_CELL_CHARS] + "…" for c in cells)
