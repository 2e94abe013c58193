"""The first sheet of an xlsx file as rows of text, read so that no file can harm who reads it.

The archive is bounded before and while it is unpacked: bytes, entries, what each part unpacks to.
Its XML is read as a stream by expat, without document types, so without entities; rows, columns
and characters are bounded, and reading stops once there are enough. Nothing in it is run or
fetched: a formula is shown by the value that was stored with it, a date by its number.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from dataclasses import dataclass
from xml.parsers import expat

from leaderboard.rendering.budget import can_afford

MAX_BYTES = 256 * 1024  # of the file
MAX_ENTRIES = 200  # in the archive
MAX_PART_BYTES = 1 << 20  # that one part of it unpacks to
MAX_ROWS = 400
MAX_COLUMNS = 20
MAX_CELL_CHARS = 300
MAX_DEPTH = 40  # of its elements
MOST_US = 25_000  # what reading costs at most, by the bounds here

MAX_ELEMENTS = 10_000  # of one part
CELL = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships id"

Row = tuple[str, ...]
Attributes = dict[str, str]


class UnreadableWorkbook(Exception):
    """The file is no workbook that can be shown."""


class Enough(Exception):
    """Everything that is shown was read."""


@dataclass(frozen=True)
class FirstSheet:
    """Rows of the first sheet from its first on, each as wide as the widest of them."""

    name: str
    rows: tuple[Row, ...]
    sheets: int  # in the workbook
    is_whole: bool  # whether all its rows and columns are here


def read_sheet(data: bytes) -> FirstSheet | None:
    """The first sheet of the xlsx file `data`; None when it is none, or longer than is read."""
    if len(data) > MAX_BYTES:
        return None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            unpacked = sum(entry.file_size for entry in entries)
            if len(entries) > MAX_ENTRIES or not can_afford(min(MOST_US, 1000 + unpacked // 5)):
                return None
            return read_archive(archive)
    except (UnreadableWorkbook, Enough, zipfile.BadZipFile, zlib.error, expat.ExpatError):
        return None
    except (ArithmeticError, LookupError, ValueError, EOFError, OSError, RuntimeError):
        return None  # headers that contradict each other, encryption, texts that are not there


def read_archive(archive: zipfile.ZipFile) -> FirstSheet:
    book, targets, strings = WorkbookReader(), Targets(), Strings()
    parse(part(archive, "xl/workbook.xml"), book)
    parse(part(archive, "xl/_rels/workbook.xml.rels"), targets)
    if "xl/sharedStrings.xml" in archive.namelist():
        parse(part(archive, "xl/sharedStrings.xml"), strings)
    name, relation = book.sheets[0]
    cells = Cells(strings.found)
    path = posixpath.normpath(posixpath.join("/xl", targets.found[relation])).lstrip("/")
    try:
        parse(part(archive, path), cells)
    except Enough:
        cells.is_whole = False
    return FirstSheet(name[:MAX_CELL_CHARS], cells.table(), len(book.sheets), cells.is_whole)


def part(archive: zipfile.ZipFile, name: str) -> bytes:
    """One part, unpacked as far as is allowed, whatever its header says it would unpack to."""
    info = archive.getinfo(name)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UnreadableWorkbook("it is packed in another way")
    with archive.open(info) as stream:
        content = stream.read(MAX_PART_BYTES + 1)
    if len(content) > MAX_PART_BYTES:
        raise UnreadableWorkbook("it unpacks to too much")
    return content


class PartReader:
    """Picks values out of one part while it is parsed; names are without their namespace."""

    def __init__(self) -> None:
        self.elements = 0
        self.depth = 0

    def enter(self, name: str, attributes: Attributes) -> None:
        self.elements += 1
        self.depth += 1
        if self.elements > MAX_ELEMENTS:
            raise Enough
        if self.depth > MAX_DEPTH:
            raise UnreadableWorkbook("it is nested too deep")
        self.start(name.rpartition(" ")[2], attributes)

    def leave(self, name: str) -> None:
        self.depth -= 1
        self.end(name.rpartition(" ")[2])

    def start(self, name: str, attributes: Attributes) -> None: ...

    def text(self, said: str) -> None: ...

    def end(self, name: str) -> None: ...


def parse(content: bytes, reader: PartReader) -> None:
    """Stream `content` through `reader`. A document type is refused, and with it every entity."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    parser.StartElementHandler = reader.enter
    parser.EndElementHandler = reader.leave
    parser.CharacterDataHandler = reader.text
    parser.Parse(content, True)


def refuse(*_: object) -> int:
    raise UnreadableWorkbook("it has a document type")


class WorkbookReader(PartReader):
    """Names and relations of the sheets, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.sheets: list[tuple[str, str]] = []

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "sheet":
            self.sheets.append((attributes.get("name", ""), attributes[RELATION]))


class Targets(PartReader):
    """Target of each relation of the workbook, in the archive."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            self.found[attributes["Id"]] = attributes["Target"]


class TextReader(PartReader):
    """Text that is collected while the reader is inside the element it wants."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.chars = 0
        self.is_inside = False

    def begin(self) -> None:
        self.said, self.chars = [], 0

    def text(self, said: str) -> None:
        if self.is_inside and self.chars <= MAX_CELL_CHARS:
            self.said.append(said[: MAX_CELL_CHARS + 1])
            self.chars += len(said)

    def collected(self) -> str:
        said = "".join(self.said)
        return said if len(said) <= MAX_CELL_CHARS else said[:MAX_CELL_CHARS] + "…"


class Strings(TextReader):
    """The texts that cells share; how their letters are set, and how they are read, is left out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.is_reading = False

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "si":
            self.begin()
        self.is_reading = self.is_reading or name == "rPh"
        self.is_inside = name == "t" and not self.is_reading

    def end(self, name: str) -> None:
        self.is_inside = False
        if name == "rPh":
            self.is_reading = False
        if name == "si":
            self.found.append(self.collected())


class Cells(TextReader):
    """The cells of a sheet by row and column, from 0."""

    def __init__(self, strings: list[str]) -> None:
        super().__init__()
        self.strings = strings
        self.found: dict[tuple[int, int], str] = {}
        self.is_whole = True
        self.kind = ""
        self.place = (0, -1)

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "row":
            above = self.place[0] if self.place[1] < 0 else self.place[0] + 1
            self.place = (int(attributes["r"]) - 1 if "r" in attributes else above, -1)
            if self.place[0] >= MAX_ROWS:
                raise Enough
        elif name == "c":
            self.begin()
            self.kind = attributes.get("t", "n")
            self.place = place_of(attributes.get("r", "")) or (self.place[0], self.place[1] + 1)
        self.is_inside = name in ("v", "t")

    def end(self, name: str) -> None:
        self.is_inside = False
        if name != "c":
            return
        row, column = self.place
        if not 0 <= row < MAX_ROWS or not 0 <= column < MAX_COLUMNS:
            self.is_whole = False
        elif value := self.value():
            self.found[row, column] = value

    def value(self) -> str:
        said = self.collected()
        if self.kind == "s" and said:
            return self.strings[int(said)]
        if self.kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(said, said)
        return said

    def table(self) -> tuple[Row, ...]:
        height = max((row for row, _ in self.found), default=-1) + 1
        width = max((column for _, column in self.found), default=-1) + 1
        return tuple(
            tuple(self.found.get((row, column), "") for column in range(width))
            for row in range(height)
        )


def place_of(reference: str) -> tuple[int, int] | None:
    """Row and column of "B7", from 0."""
    found = CELL.fullmatch(reference)
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - 64
    return int(found[2]) - 1, column - 1
