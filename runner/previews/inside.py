"""Reads an untrusted file and writes what it holds as JSON: a tool that runs in a sandbox.

Its source is sent there, so it imports nothing of the project. The libraries are the kernel
environment's. Nothing here has to be safe, only bounded: whatever a file does to a library, it does
to this process alone, which has no network, no other file, and limits of time and memory.
"""

from __future__ import annotations

import base64
import datetime
import json
import os
import posixpath
import sqlite3
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

MAX_PARTS = 20  # sheets, slides, tables
MAX_ROWS = 12
MAX_COLUMNS = 12
MAX_CHARS = 80  # of a cell
MAX_TEXT_CHARS = 3_000  # of a part
MAX_ENTRIES = 60  # listed of an archive
MAX_UNPACKED_BYTES = 256 << 20  # of a document, by its own account
MAX_DOCUMENT_ENTRIES = 10_000
MAX_PART_BYTES = 32 << 20
COUNTING_STEPS = 200_000_000  # of SQLite's machine, for counting rows
POSTER_PX = 800
POSTER_FRAMES = 60  # looked at for one that is not blank

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
SLIDES = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
RELATED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

Part = dict[str, Any]


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
        return f"{len(value)} bytes"
    return str(value)[:MAX_CHARS]


def table(title: str, records: Iterable[Sequence[object]], most: int = MAX_ROWS) -> Part:
    """A part of rows; the first of `records` is the heading."""
    kept = [[say(cell) for cell in record] for record in islice(records, most + 2)]
    note = [f"The first {most} rows."] if len(kept) > most + 1 else []
    width = max((len(record) for record in kept), default=0)
    if width > MAX_COLUMNS:
        note.append(f"The first {MAX_COLUMNS} columns.")
    cut = [record[:MAX_COLUMNS] for record in kept[: most + 1]]
    return {
        "title": title,
        "header": cut[0] if cut else [],
        "rows": cut[1:],
        "note": " ".join(note),
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


def open_document(path: str) -> zipfile.ZipFile:
    """The archive of an office document, unless it says that it unpacks to too much."""
    archive = zipfile.ZipFile(path)
    entries = archive.infolist()
    if len(entries) > MAX_DOCUMENT_ENTRIES:
        raise ValueError("too many members")
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
        raise ValueError("it unpacks to too much")
    return archive


def read_xlsx(path: str) -> Part:
    import openpyxl

    open_document(path).close()
    book = openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
    sheets = book.worksheets
    parts = []
    for sheet in sheets[:MAX_PARTS]:
        sheet.reset_dimensions()  # what the file says of its size is not believed
        rows = sheet.iter_rows(max_row=MAX_ROWS + 2, max_col=MAX_COLUMNS + 1, values_only=True)
        parts.append(table(sheet.title, trim(rows)))
    return {"parts": parts, "note": more(len(sheets), len(parts), "sheets")}


def trim(rows: Iterable[Sequence[object]]) -> Iterator[Sequence[object]]:
    """The rows without the empty columns at their right."""
    kept = [list(row) for row in rows]
    width = max(
        (n + 1 for row in kept for n, cell in enumerate(row) if cell is not None), default=0
    )
    return ([*row, *[None] * width][:width] for row in kept) if width else iter(())


def read_xls(path: str) -> Part:
    import xlrd

    book = xlrd.open_workbook(path, on_demand=True, logfile=sys.stderr)
    parts = []
    for number in range(min(book.nsheets, MAX_PARTS)):
        sheet = book.sheet_by_index(number)
        rows = (sheet.row_values(n, 0, MAX_COLUMNS + 1) for n in range(sheet.nrows))
        parts.append(table(sheet.name, rows))
        book.unload_sheet(number)
    return {"parts": parts, "note": more(book.nsheets, len(parts), "sheets")}


def read_docx(path: str) -> Part:
    import docx

    open_document(path).close()
    parts: list[Part] = []
    lines: list[str] = []
    tables = left = 0

    def end_text() -> None:
        if any(lines):
            parts.append(text("Text", lines))
        lines.clear()

    for element in docx.Document(path).element.body:
        if len(parts) >= MAX_PARTS:
            left += 1
        elif element.tag == f"{WORD}p":
            lines.append(paragraph(element))
        elif element.tag == f"{WORD}tbl":
            end_text()
            tables += 1
            rows = (
                [cell(one) for one in row.iter(f"{WORD}tc")] for row in element.iter(f"{WORD}tr")
            )
            parts.append(table(f"Table {tables}", rows))
    end_text()
    return {
        "parts": parts[:MAX_PARTS],
        "note": "The rest of the document is not shown." if left else "",
    }


def paragraph(element: Any) -> str:
    return "".join(
        (one.text or "") if one.tag == f"{WORD}t" else "\t" if one.tag == f"{WORD}tab" else "\n"
        for one in element.iter(f"{WORD}t", f"{WORD}tab", f"{WORD}br")
    )


def cell(element: Any) -> str:
    return " ".join(paragraph(one) for one in element.iter(f"{WORD}p"))


def read_pptx(path: str) -> Part:
    with open_document(path) as archive:
        related = {
            one.get("Id"): one.get("Target", "")
            for one in parse(archive, "ppt/_rels/presentation.xml.rels")
        }
        listed = list(parse(archive, "ppt/presentation.xml").iter(f"{SLIDES}sldId"))
        parts = []
        for number, one in enumerate(listed[:MAX_PARTS], 1):
            target = posixpath.normpath(posixpath.join("/ppt", related[one.get(RELATED)]))
            slide = parse(archive, target.lstrip("/"))
            lines = (
                "".join(run.text or "" for run in line.iter(f"{DRAWING}t"))
                for line in slide.iter(f"{DRAWING}p")
            )
            parts.append(text(f"Slide {number}", filter(None, lines)))
    return {"parts": parts, "note": more(len(listed), len(parts), "slides")}


def parse(archive: zipfile.ZipFile, name: str) -> Any:
    """A part of a document as a tree; entities stay as they are, nothing is loaded."""
    from lxml import etree

    with archive.open(name) as stream:
        content = stream.read(MAX_PART_BYTES + 1)
    if len(content) > MAX_PART_BYTES:
        raise ValueError("it unpacks to too much")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return etree.fromstring(content, parser)


def read_sqlite(path: str) -> Part:
    database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    for pragma in ("trusted_schema=OFF", "query_only=ON", "cell_size_check=ON"):
        database.execute(f"PRAGMA {pragma}")
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 8 << 20)
    listed = database.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
        "ESCAPE '\\' ORDER BY name"
    ).fetchall()
    database.set_authorizer(only_reading)
    parts = [show_table(database, name, sql or "") for name, sql in listed[:MAX_PARTS]]
    return {"parts": parts, "note": more(len(listed), len(parts), "tables")}


def only_reading(action: int, *_: object) -> int:
    allowed = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION)
    return sqlite3.SQLITE_OK if action in allowed else sqlite3.SQLITE_DENY


def show_table(database: sqlite3.Connection, name: str, sql: str) -> Part:
    """Its first rows and their number; of a virtual table or a broken one only its name."""
    if "VIRTUAL" in sql[:200].upper().split("(")[0].split():
        return {"title": name, "note": "A virtual table: its rows are not read."}
    quoted = '"' + name.replace('"', '""') + '"'
    try:
        found = database.execute(f"SELECT * FROM {quoted} LIMIT {MAX_ROWS + 1}")
        part = table(name, [[column[0] for column in found.description], *found])
    except (sqlite3.Error, OverflowError) as error:
        return {"title": name, "note": f"The table cannot be read: {error}."}
    rows = count_rows(database, quoted)
    if rows is not None:
        part["title"] = f"{name} ({rows:,} {'row' if rows == 1 else 'rows'})"
    return part


def count_rows(database: sqlite3.Connection, quoted: str) -> int | None:
    """None when there are more than can be counted soon, or pages that cannot be read."""
    ticks = iter(range(COUNTING_STEPS // 100_000))
    database.set_progress_handler(lambda: next(ticks, None) is None, 100_000)
    try:
        return int(database.execute(f"SELECT count(*) FROM {quoted}").fetchone()[0])
    except sqlite3.Error:
        return None
    finally:
        database.set_progress_handler(None, 0)


def read_parquet(path: str) -> Part:
    import pyarrow.parquet

    file = pyarrow.parquet.ParquetFile(path, pre_buffer=False)
    facts, schema = file.metadata, file.schema_arrow
    columns = facts.num_columns
    note = more(columns, MAX_ROWS * MAX_PARTS, "columns")
    kinds = [("Column", "Type"), *((field.name, field.type) for field in schema)]
    parts = [table("Columns", kinds, MAX_ROWS * MAX_PARTS)]
    first = facts.row_group(0).total_byte_size if facts.num_row_groups else 0
    if first > MAX_UNPACKED_BYTES:
        note = "Its first block of rows is too large to be shown."
    elif facts.num_row_groups:
        names = [field.name for field in schema][: MAX_COLUMNS + 1]
        batches = file.iter_batches(MAX_ROWS + 1, columns=names, use_threads=False)
        columns_of = next(batches, None)
        if columns_of is not None:
            rows = zip(*(column.to_pylist() for column in columns_of.columns), strict=True)
            parts.insert(0, table("Rows", [columns_of.schema.names, *rows]))
    counts = [["rows", f"{facts.num_rows:,}"], ["columns", f"{columns:,}"]]
    return {"facts": counts, "parts": parts, "note": note}


def read_zip(path: str) -> Part:
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
    listed = [["Name", "Bytes", "Packed", "Changed"]]
    for entry in entries[:MAX_ENTRIES]:
        day = "{:04}-{:02}-{:02}".format(*entry.date_time[:3])
        listed.append([entry.filename, f"{entry.file_size:,}", f"{entry.compress_size:,}", day])
    unpacked = sum(entry.file_size for entry in entries)
    return {
        "facts": [["members", f"{len(entries):,}"], ["bytes unpacked", f"{unpacked:,}"]],
        "parts": [table("Members", listed, MAX_ENTRIES)],
        "note": more(len(entries), MAX_ENTRIES, "members"),
    }


def read_video(path: str) -> Part:
    import cv2

    video = cv2.VideoCapture(path)
    if not video.isOpened():
        raise ValueError("it is no video that can be read")
    fps, frames = video.get(cv2.CAP_PROP_FPS), video.get(cv2.CAP_PROP_FRAME_COUNT)
    size = (int(video.get(cv2.CAP_PROP_FRAME_WIDTH)), int(video.get(cv2.CAP_PROP_FRAME_HEIGHT)))
    facts = [["size", f"{size[0]} × {size[1]}"]]
    if 0 < fps < 1_000:
        facts.append(["frames per second", f"{fps:.4g}"])
        if 0 < frames < 1e9:
            facts.append(["duration", f"{frames / fps:.1f} s"])
    found: Part = {"facts": facts, "parts": []}
    picture = None
    for _ in range(POSTER_FRAMES):
        is_read, frame = video.read()
        if not is_read:
            break
        picture = frame
        if frame.std() > 8:  # neither black nor of one colour
            break
    if picture is None:
        return {**found, "note": "No frame of it can be read."}
    height, width = picture.shape[:2]
    scale = min(1.0, POSTER_PX / max(height, width))
    small = (max(1, int(width * scale)), max(1, int(height * scale)))
    is_made, png = cv2.imencode(".png", cv2.resize(picture, small, interpolation=cv2.INTER_AREA))
    if is_made:
        found["poster"] = base64.b64encode(png.tobytes()).decode()
    return found


READERS: dict[str, Callable[[str], Part]] = {
    "xlsx": read_xlsx,
    "xls": read_xls,
    "docx": read_docx,
    "pptx": read_pptx,
    "sqlite": read_sqlite,
    "parquet": read_parquet,
    "zip": read_zip,
    "video": read_video,
}


def main() -> None:
    """Read the file on stdin as what the first argument says."""
    out = os.dup(1)
    os.dup2(2, 1)  # what libraries print is no report
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file.{sys.argv[1]}"
        path.write_bytes(sys.stdin.buffer.read())
        found = READERS[sys.argv[1]](str(path))
    with os.fdopen(out, "wb") as report:
        report.write(json.dumps(found).encode())


if __name__ == "__main__":
    main()
