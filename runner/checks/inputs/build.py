"""Deterministic writers of input files: the same arguments give the same bytes at any time."""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
import sqlite3
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

MOMENT = datetime.datetime(2024, 1, 1)  # noqa: DTZ001  office formats store naive times
ZIP_MOMENT = (2024, 1, 1, 0, 0, 0)

Row = Sequence[Any]


def write_text(path: Path, text: str, encoding: str = "utf-8", newline: str = "\n") -> None:
    """Write `text`, whose line ends are "\\n", with the given encoding and line ends."""
    path.write_bytes(text.replace("\n", newline).encode(encoding))


def write_json(path: Path, value: Any, indent: int | None = 2) -> None:
    write_text(path, json.dumps(value, ensure_ascii=False, indent=indent) + "\n")


def write_csv(
    path: Path,
    rows: Sequence[Row],
    delimiter: str = ",",
    encoding: str = "utf-8",
    newline: str = "\n",
) -> None:
    """Write `rows`, the header among them; None becomes an empty cell."""
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter, lineterminator=newline).writerows(rows)
    path.write_bytes(stream.getvalue().encode(encoding))


def write_xlsx(
    path: Path,
    sheets: Mapping[str, Sequence[Row]],
    style: Callable[[Any], None] | None = None,
) -> None:
    """A workbook of `sheets`, name to rows; `style` may change the openpyxl workbook."""
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        page = book.create_sheet(title)
        for row in rows:
            page.append(list(row))
    if style is not None:
        style(book)
    book.properties.created = book.properties.modified = MOMENT
    stream = io.BytesIO()
    book.save(stream)
    path.write_bytes(rezipped(stream.getvalue(), modified=MOMENT))


def write_docx(path: Path, fill: Callable[[Any], None]) -> None:
    """A Word document that `fill` wrote into, given python-docx's document."""
    import docx

    document = docx.Document()
    fill(document)
    properties = document.core_properties
    properties.created = properties.modified = MOMENT
    properties.author = ""
    stream = io.BytesIO()
    document.save(stream)
    path.write_bytes(rezipped(stream.getvalue()))


def rezipped(content: bytes, modified: datetime.datetime | None = None) -> bytes:
    """The same archive with every entry's time fixed, and openpyxl's stamp of saving too."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as source,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for entry in source.infolist():
            body = source.read(entry)
            if modified is not None and entry.filename == "docProps/core.xml":
                body = with_moment(body, modified)
            target.writestr(zipfile.ZipInfo(entry.filename, ZIP_MOMENT), body)
    return stream.getvalue()


def with_moment(core: bytes, moment: datetime.datetime) -> bytes:
    """docProps/core.xml with its time of saving, which openpyxl takes from the clock, fixed."""
    stamp = rb"\g<1>" + f"{moment.isoformat()}Z".encode() + rb"\g<2>"
    return re.sub(rb"(<dcterms:modified[^>]*>)[^<]*(</dcterms:modified>)", stamp, core)


def write_parquet(path: Path, columns: Mapping[str, Sequence[Any]]) -> None:
    """A parquet file of columns of plain Python values."""
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table(dict(columns)), path)


def write_sqlite(path: Path, tables: Mapping[str, tuple[Row, Sequence[Row]]]) -> None:
    """A database of `tables`: name to (column declarations like "id INTEGER", rows)."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as database:
        for name, (columns, rows) in tables.items():
            database.execute(f'CREATE TABLE "{name}" ({", ".join(columns)})')
            marks = ", ".join("?" * len(columns))
            database.executemany(f'INSERT INTO "{name}" VALUES ({marks})', rows)
        database.commit()


def write_pdf(path: Path, pages: Sequence[Sequence[str]], size_pt: float = 11) -> None:
    """A PDF with selectable text, one list of lines a page; Chinese is fine."""
    import pymupdf

    document = pymupdf.open()
    for lines in pages:
        page = document.new_page()
        for place, line in enumerate(lines):
            font = "helv" if line.isascii() else "china-s"
            at = (60, 72 + place * size_pt * 1.6)
            page.insert_text(at, line, fontname=font, fontsize=size_pt)
    document.set_metadata({})
    path.write_bytes(document.tobytes(no_new_id=True, deflate=True))
