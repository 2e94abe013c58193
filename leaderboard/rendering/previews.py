"""The first look at a file: what can be shown of its bytes without running anything in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from html.parser import HTMLParser
from urllib.parse import urlsplit

from leaderboard.rendering.kinds import (
    AUDIO,
    IMAGES,
    OPENED_IN_SANDBOX,
    OTHER,
    READ_AS,
    TEXTS,
    suffix_of,
)
from runner.previews.texts import decode, read_records

HEAD_BYTES = 16 * 1024  # read of a file for its preview
MAX_ROWS = 12
MAX_COLUMNS = 12
MAX_CELL_CHARS = 80
MAX_TEXT_CHARS = 4_000
MAX_LINES = 60
MAX_HOSTS = 3  # named of those that a page asks for scripts

TABLES = {"csv": ",", "tsv": "\t"}
MARKDOWN = {"md", "markdown"}
PAGES = {"html", "htm"}
# Shown only if their bytes are what the name says.
CLAIMED = OPENED_IN_SANDBOX | {"png", "jpg", "jpeg", "jfif", "gif", "webp", "bmp", "ico", "avif"}
PROGRAMS = {"ts"}  # in TypeScript; films have the same suffix
# Without a reader; never opened here, as what is in them would run.
RUN_WHEN_OPENED = {"pkl", "pickle", "joblib"}
# Kinds without a reader, by their first bytes.
NAMED = {
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"Rar!": "a RAR archive",
    b"\x28\xb5\x2f\xfd": "packed with Zstandard",
    b"\x89HDF": "an HDF5 file",
    b"CDF": "a NetCDF file",
    b"\0\1\0\0": "a TrueType font",
    b"OTTO": "an OpenType font",
    b"wOF": "a font for web pages",
    b"\0\0\x27\x0a": "a shapefile",
    b"fgb": "a FlatGeobuf file",
    b"MThd": "a MIDI file",
    b"GGUF": "a language model’s weights",
    b"\x7fELF": "a program for Linux",
    b"\xd0\xcf\x11\xe0": "a file of Office before 2007",
}


class Kind(StrEnum):
    """Way in which a file is shown."""

    IMAGE = "image"
    AUDIO = "audio"
    TABLE = "table"
    MARKDOWN = "markdown"
    TEXT = "text"
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
    if mime in READ_AS or suffix in RUN_WHEN_OPENED:
        return Kind.BINARY
    if suffix in TABLES:
        return Kind.TABLE
    return Kind.MARKDOWN if suffix in MARKDOWN else Kind.TEXT


def preview(name: str, mime: str, size_bytes: int, head: bytes = b"") -> Preview:
    """Preview of the file `name`, whose first bytes are `head`."""
    kind = kind_of(name, mime)
    if size_bytes == 0:
        return Preview(Kind.EMPTY)
    if not needs_bytes(name, mime):
        return Preview(kind, note=say_unshown(name, mime, head) if kind is Kind.BINARY else "")
    decoded = decode(head)
    if decoded is None:
        return Preview(Kind.BINARY, note=say_unshown(name, mime, head))
    text, guessed = decoded
    is_whole = len(head) >= size_bytes
    if kind is Kind.TABLE:
        found = preview_table(text, TABLES[suffix_of(name)], is_whole)
    else:
        found = preview_text(kind, text, is_whole)
    notes = [found.note, f"Read as {guessed}." if guessed else ""]
    if suffix_of(name) in CLAIMED - PROGRAMS:
        notes.append(f"It is text, whatever “.{suffix_of(name)}” says.")
    if suffix_of(name) in PAGES:
        notes.append(say_scripts(text))
    return replace(found, note=" ".join(filter(None, notes)))


def say_unshown(name: str, mime: str, head: bytes) -> str:
    """A sentence on a file that nothing is shown of."""
    suffix = suffix_of(name)
    if suffix in RUN_WHEN_OPENED:
        return "A pickle: opening it would run code, so nothing of it is shown."
    if mime in READ_AS:
        return ""
    if suffix in TEXTS and mime != OTHER:
        return f"It is no text, whatever “.{suffix}” says: nothing of it is shown."
    if suffix in CLAIMED:
        return f"Its bytes are not those of a whole .{suffix} file: nothing of it is shown."
    named = next((words for sign, words in NAMED.items() if head.startswith(sign)), "")
    return f"It is {named or 'a binary file of an unknown kind'}: nothing of it is shown."


def preview_text(kind: Kind, text: str, is_whole: bool) -> Preview:
    if "\n" not in text:
        text = text.replace("\r", "\n")  # the line ends of old Macs
    shown = "\n".join(text[:MAX_TEXT_CHARS].split("\n")[:MAX_LINES])
    cut = len(shown) < len(text) or not is_whole
    return Preview(kind, text=shown, note="The beginning of the file." if cut else "")


def preview_table(text: str, delimiter: str, is_whole: bool) -> Preview:
    records = read_records(text, delimiter)
    if not is_whole:
        records = records[:-1] or records  # the last one may be cut
    if not records:
        return preview_text(Kind.TEXT, text, is_whole)
    rows = records[1 : MAX_ROWS + 1]
    notes = []
    if not is_whole:
        notes.append("The first rows.")
    elif len(records) > MAX_ROWS + 1:
        notes.append(f"The first {len(rows)} of {len(records) - 1} rows.")
    widest = max(map(len, records[: MAX_ROWS + 1]))
    if widest > MAX_COLUMNS:
        notes.append(f"The first {MAX_COLUMNS} of {widest} columns.")
    return Preview(
        Kind.TABLE,
        header=shorten(records[0]),
        rows=tuple(map(shorten, rows)),
        note=" ".join(notes),
    )


def shorten(record: list[str]) -> tuple[str, ...]:
    cells = record[:MAX_COLUMNS]
    return tuple(c if len(c) <= MAX_CELL_CHARS else c[:MAX_CELL_CHARS] + "…" for c in cells)


class ScriptHosts(HTMLParser):
    """Hosts that a page asks for scripts and style sheets."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, None] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        address = dict(attrs).get({"script": "src", "link": "href"}.get(tag, "")) or ""
        if address.startswith(("http:", "https:", "//")) and "plotly" not in address:
            self.found[urlsplit(address).netloc] = None


def say_scripts(page: str) -> str:
    """A sentence on scripts that the frame does not load."""
    hosts = [*ScriptHosts(page).found]
    if not hosts:
        return ""
    named = ", ".join(hosts[:MAX_HOSTS]) + (" and others" if len(hosts) > MAX_HOSTS else "")
    return (
        f"The page loads scripts or styles from the network ({named}), which are not loaded here."
    )
