"""Reads an untrusted file and writes what it holds as JSON: a tool that runs in a sandbox.

Its source is sent there with that of `runner.previews.texts`, so it imports nothing else of the
project. The libraries are the kernel environment's. Nothing here has to be safe, only bounded:
whatever a file does to a library, it does to this process alone, which has no network, no other
file, and limits of time and memory.
"""

from __future__ import annotations

import base64
import bz2
import datetime
import gzip
import html
import io
import json
import lzma
import math
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from runner.previews.texts import decode, read_records

MAX_PARTS = 20  # sheets, slides, tables
MAX_ROWS = 200
MAX_COLUMNS = 20
MAX_CHARS = 300  # of a cell
MAX_TEXT_CHARS = 10_000  # of a part
MAX_ENTRIES = 200  # listed of an archive
MAX_UNPACKED_BYTES = 256 << 20  # of a document, by its own account
MAX_WHOLE_BYTES = 24 << 20  # of a workbook that is read with its pictures, charts and hidden rows
MAX_DOCUMENT_ENTRIES = 10_000
MAX_TEXT_BYTES = 8 << 20  # unpacked of a packed text
MAX_PAGE_BYTES = 1_200_000  # of a notebook as a page
MAX_CLIP_BYTES = 1_200_000
COUNTING_STEPS = 200_000_000  # of SQLite's machine, for counting rows
PICTURE_PX = 2_000  # the longer side
PICTURE_PIXELS = 2_000_000
MAX_PICTURE_BYTES = 1_200_000
MOST_PIXELS = 300_000_000
POSTER_PX = 800
POSTER_FRAMES = 60  # looked at for one that is not blank
CLIP_S = 30
PDF_PAGES = 3  # whose text is read

OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
PICTURE = "http://schemas.openxmlformats.org/drawingml/2006/picture"
MATHS = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
SIGNS = {f"{WORD}tab": "\t", f"{WORD}br": "\n", f"{WORD}cr": "\n", f"{WORD}noBreakHyphen": "‑"}
FORMULAS = {
    f"{MATHS}sSup": ("{}^{}", "e", "sup"),
    f"{MATHS}sSub": ("{}_{}", "e", "sub"),
    f"{MATHS}f": ("({})/({})", "num", "den"),
    f"{MATHS}rad": ("√({})", "e"),
}
LEFT_OUT = {f"{CHOICE}Fallback", f"{WORD}del", f"{WORD}moveFrom"}
ASIDES = {
    "header": "Headers",
    "footer": "Footers",
    "footnotes": "Footnotes",
    "endnotes": "Endnotes",
    "comments": "Comments",
}
PLAYED_VIDEO = {"h264", "vp8", "vp9", "av1"}  # by browsers
PLAYED_AUDIO = {"aac", "mp3", "opus", "vorbis", "flac"}

SHEETS = "{urn:schemas-microsoft-com:office:spreadsheet}"
OLE = b"\xd0\xcf\x11\xe0"  # of Office before 2007, and of later files with a password

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


# Workbooks


def read_xlsx(path: str) -> Part:
    """Values as a spreadsheet program shows them, formulas where no value is stored."""
    import openpyxl

    if head_of(path).startswith(OLE):
        raise CannotOpen("it is protected by a password")
    with open_archive(path) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
    is_whole = size <= MAX_WHOLE_BYTES
    options = {"read_only": not is_whole, "keep_links": False}
    values = openpyxl.load_workbook(path, data_only=True, **options)
    formulas = openpyxl.load_workbook(path, **options)
    parts = [
        show_sheet(values[name], formulas[name], is_whole)
        for name in values.sheetnames[:MAX_PARTS]
        if hasattr(values[name], "iter_rows")
    ]
    drawn = [sheet.title for sheet in values.chartsheets]
    unseen = "" if is_whole else "Charts, pictures and hidden rows were not looked for."
    charts = f"Sheets that are a chart: {', '.join(drawn[:MAX_PARTS])}." if drawn else ""
    left = more(len(values.worksheets), len(parts), "sheets")
    if not parts and not drawn:
        raise CannotOpen("it has no sheet that can be read")
    return {"parts": parts, "note": sentence(left, charts, unseen)}


def show_sheet(values: Any, formulas: Any, is_whole: bool) -> Part:
    last, width = values.max_row or 0, values.max_column or 0  # before looking makes more cells
    if not is_whole:
        values.reset_dimensions()  # what the file says of its size is not believed
        formulas.reset_dimensions()
    bounds = {"max_row": MAX_ROWS + 2, "max_col": MAX_COLUMNS + 1}
    written = list(formulas.iter_rows(**bounds))
    rows = [
        [show_cell(one, two) for one, two in zip(first, second, strict=False)]
        for first, second in zip(values.iter_rows(**bounds), written, strict=False)
    ]
    hidden = "" if values.sheet_state == "visible" else " (hidden)"
    count = last - 1 if is_whole and last > MAX_ROWS + 1 else None
    part = table(f"{values.title}{hidden}", trim(rows), count)
    part["width"] = max(part["width"], width if is_whole and width > MAX_COLUMNS else 0)
    with_formula = sum(getattr(cell, "data_type", "") == "f" for row in written for cell in row)
    notes = [part["note"], f"Formulas in {counted(with_formula, 'cell')}." if with_formula else ""]
    if is_whole:
        pictures = {"chart": len(values._charts), "picture": len(values._images)}
        notes += [say_hidden(values), not_drawn(pictures)]
    part["note"] = sentence(*notes)
    return part


def show_cell(value: Any, formula: Any) -> str:
    if value.value is None and getattr(formula, "data_type", "") == "f":
        said = getattr(formula.value, "text", formula.value)  # of an array its text
        return say(said)
    return show_value(value.value, getattr(value, "number_format", "") or "")


def show_value(value: object, shape: str) -> str:
    """A number as its format shows it: percent, leading zeros, decimals; dates without a time."""
    if isinstance(value, datetime.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if isinstance(value, datetime.datetime) and not re.search("[hs]", shape.lower()):
        return say(value.date()) if value.time() == datetime.time() else say(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return say(value)
    first = shape.split(";")[0]
    digits = re.sub(r'"[^"]*"|\\.|\[[^]]*\]|_.', "", first)
    found = re.search(r"[#0,?]*[0#](\.([0#?]+))?", digits)
    if not found or "E" in digits.upper() or "/" in digits:
        return say(value)
    shown = value * 100 if "%" in digits else value
    places = len(found[2] or "")
    whole = found[0].split(".")[0]
    if set(whole) == {"0"} and len(whole) > 1 and not places:
        said = f"{abs(round(shown)):0{len(whole)}}"
        return f"-{said}" if shown < 0 else said
    said = f"{shown:{',' if ',' in whole else ''}.{places}f}"
    return f"{said} %" if "%" in digits else said


def say_hidden(sheet: Any) -> str:
    rows = [n for n, one in sheet.row_dimensions.items() if one.hidden]
    columns = [
        f"{name}" if one.min in (None, one.max) else f"{name} and {one.max - one.min} beside it"
        for name, one in sheet.column_dimensions.items()
        if one.hidden
    ]
    said = [
        f"{'Row' if len(rows) == 1 else 'Rows'} {name_some(rows)}" if rows else "",
        f"{'column' if len(columns) == 1 else 'columns'} {', '.join(columns[:8])}"
        if columns
        else "",
    ]
    shown = " and ".join(part for part in said if part)
    verb = "is" if len(rows) + len(columns) == 1 else "are"
    return f"{shown[0].upper()}{shown[1:]} {verb} hidden." if shown else ""


def name_some(names: Sequence[object]) -> str:
    rest = f" and {len(names) - 8:,} more" if len(names) > 8 else ""
    return ", ".join(map(str, names[:8])) + rest


def trim(rows: Iterable[Sequence[object]]) -> Iterator[Sequence[object]]:
    """The rows without the empty columns at their right and the empty rows at their end."""
    kept = [list(row) for row in rows]
    while kept and not any(cell not in (None, "") for cell in kept[-1]):
        kept.pop()
    width = max(
        (n + 1 for row in kept for n, cell in enumerate(row) if cell not in (None, "")), default=0
    )
    return ([*row, *[None] * width][:width] for row in kept) if width else iter(())


def read_xls(path: str) -> Part:
    """A workbook of before 2007, or what is often saved under its name."""
    head = head_of(path)
    if head.startswith(b"PK"):
        return read_xlsx(path)
    if not head.startswith(OLE) and head[:2] not in (b"\x09\x08", b"\x09\x04"):
        return read_text_as_sheet(path)
    import xlrd

    try:
        book = xlrd.open_workbook(path, on_demand=True, logfile=sys.stderr, formatting_info=True)
    except NotImplementedError:
        book = xlrd.open_workbook(path, on_demand=True, logfile=sys.stderr)
    except xlrd.XLRDError as error:
        if "encrypted" in str(error).lower() or "EncryptedPackage" in str(error):
            raise CannotOpen("it is protected by a password") from error
        raise
    parts = []
    for number in range(min(book.nsheets, MAX_PARTS)):
        sheet = book.sheet_by_index(number)
        rows = (
            [show_old_cell(book, cell) for cell in sheet.row(n)[: MAX_COLUMNS + 1]]
            for n in range(min(sheet.nrows, MAX_ROWS + 2))
        )
        hidden = " (hidden)" if sheet.visibility else ""
        count = sheet.nrows - 1 if sheet.nrows > MAX_ROWS + 1 else None
        parts.append(table(f"{sheet.name}{hidden}", trim(rows), count))
        book.unload_sheet(number)
    return {"parts": parts, "note": more(book.nsheets, len(parts), "sheets")}


def show_old_cell(book: Any, cell: Any) -> str:
    import xlrd

    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return say(bool(cell.value))
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(cell.value, "#ERROR"))
    shape = ""
    if book.formatting_info and cell.xf_index is not None:
        shape = book.format_map[book.xf_list[cell.xf_index].format_key].format_str
    if cell.ctype == xlrd.XL_CELL_DATE:
        if cell.value < 1:
            return say(xlrd.xldate_as_datetime(cell.value, book.datemode).time())
        return show_value(xlrd.xldate_as_datetime(cell.value, book.datemode), shape)
    return show_value(cell.value, shape)


def read_text_as_sheet(path: str) -> Part:
    content = Path(path).read_bytes()
    found = decode(content)
    if found is None:
        raise CannotOpen("it is no workbook")
    if "urn:schemas-microsoft-com:office:spreadsheet" in found[0][:5_000]:
        return read_xml_workbook(path)
    if "<table" in found[0].lower():
        return {"parts": html_tables(found[0]), "note": "It is an HTML page under another name."}
    part = table("Rows", read_records(found[0], "\t"))
    return {"parts": [part], "note": "It is text under another name."}


def read_xml_workbook(path: str) -> Part:
    """A workbook of Excel 2003 as one XML file."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    sheets = etree.parse(path, parser).findall(f"{SHEETS}Worksheet")
    parts = []
    for sheet in sheets[:MAX_PARTS]:
        rows = []
        for row in islice(sheet.iter(f"{SHEETS}Row"), MAX_ROWS + 2):
            cells: list[str] = []
            for cell in row.iterfind(f"{SHEETS}Cell"):
                place = min(int(cell.get(f"{SHEETS}Index", len(cells) + 1)), MAX_COLUMNS + 2)
                cells += [""] * (place - 1 - len(cells))
                cells.append("".join(cell.itertext()).strip())
            rows.append(cells)
        parts.append(table(sheet.get(f"{SHEETS}Name", ""), trim(rows)))
    return {"parts": parts, "note": more(len(sheets), len(parts), "sheets")}


def html_tables(page: str) -> list[Part]:
    from lxml import html as pages

    tree = pages.fromstring(page)
    found = []
    for number, one in enumerate(tree.iter("table"), 1):
        rows = [
            [" ".join(cell.text_content().split()) for cell in row.xpath("./td|./th")]
            for row in one.iter("tr")
        ]
        found.append(table(f"Table {number}", filter(None, rows)))
    return found[:MAX_PARTS]


def read_ods(path: str) -> Part:
    """An OpenDocument spreadsheet, by GDAL's driver."""
    import geopandas

    open_archive(path).close()
    layers = [str(name) for name in geopandas.list_layers(path)["name"]]
    options = {"rows": MAX_ROWS + 2, "ignore_geometry": True, "HEADERS": "DISABLE"}
    parts = []
    for name in layers[:MAX_PARTS]:
        try:
            frame = geopandas.read_file(path, layer=name, **options)
        except ValueError:  # a time of more than a day
            frame = geopandas.read_file(path, layer=name, FIELD_TYPES="STRING", **options)
        rows = [[show_value(plain(cell), "") for cell in row] for row in frame.to_numpy(object)]
        parts.append(table(name, trim(rows)))
    return {"parts": parts, "note": more(len(layers), len(parts), "sheets")}


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


# Documents and slides


def read_docx(path: str) -> Part:
    """Paragraphs and tables in their order, with lists, equations and boxes of text."""
    import docx

    open_archive(path).close()
    document = docx.Document(path)
    body = document.element.body
    lists = Lists(document)
    parts: list[Part] = []
    lines: list[str] = []
    tables = left = 0
    for element in blocks_of(body):
        if len(parts) >= MAX_PARTS:
            left += 1
        elif element.tag == f"{WORD}p":
            lines.append(lists.mark(element) + paragraph(element))
        else:
            if any(lines):
                parts.append(text("Text", lines))
            lines = []
            tables += 1
            parts.append(table(f"Table {tables}", rows_of(element)))
    if any(lines) and len(parts) < MAX_PARTS:
        parts.append(text("Text", lines))
    parts += list_asides(document)
    pictures = {
        "picture": len(find(body, ".//pic:pic")),
        "chart": sum(one.tag.endswith("/chart}chart") for one in body.iter()),
    }
    rest = "The rest of the document is not shown." if left else ""
    return {"parts": parts, "note": sentence(rest, not_drawn(pictures))}


def list_asides(document: Any) -> Iterator[Part]:
    """What stands beside the text: headers, footers, notes and comments."""
    from lxml import etree

    found: dict[str, list[str]] = {}
    for related in document.part.rels.values():
        kind = related.reltype.rpartition("/")[2]
        if kind in ASIDES and not related.is_external:
            parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
            tree = etree.fromstring(related.target_part.blob, parser)
            lines = (paragraph(one) for one in tree.iter(f"{WORD}p"))
            found.setdefault(kind, []).extend(line for line in lines if line.strip())
    yield from (text(ASIDES[kind], lines) for kind, lines in found.items() if lines)


def find(element: Any, path: str) -> Any:
    """What the XPath finds below `element`."""
    from lxml import etree

    return etree.XPath(path, namespaces={"w": WORD[1:-1], "pic": PICTURE})(element)


def blocks_of(element: Any) -> Iterator[Any]:
    """Paragraphs and tables, also those in content controls and in inserted passages."""
    for one in element:
        if one.tag in (f"{WORD}p", f"{WORD}tbl"):
            yield one
        elif one.tag in (f"{WORD}sdt", f"{WORD}sdtContent", f"{WORD}ins", f"{WORD}customXml"):
            yield from blocks_of(one)


def paragraph(element: Any) -> str:
    """Its text; that of a box of text stands on lines of its own behind it."""
    boxes: list[str] = []

    def read(one: Any) -> Iterator[str]:
        if one.tag in LEFT_OUT:
            return
        if one.tag == f"{WORD}txbxContent":
            boxes.append("\n".join(paragraph(block) for block in one.iter(f"{WORD}p")))
            return
        if one.tag in FORMULAS:
            parts = [one.find(f"{MATHS}{name}") for name in FORMULAS[one.tag][1:]]
            said = ["".join(read(part)) if part is not None else "" for part in parts]
            yield FORMULAS[one.tag][0].format(*said)
            return
        if one.tag in (f"{WORD}t", f"{MATHS}t"):
            yield one.text or ""
        elif one.tag in SIGNS:
            yield SIGNS[one.tag]
        for child in one:
            yield from read(child)

    return "\n".join(["".join(read(element)), *boxes])


def rows_of(element: Any) -> Iterator[list[str]]:
    """Rows of a table: a merged cell stands once, and empty cells keep the others' columns."""
    for row in element:
        if row.tag == f"{WORD}sdt":
            yield from (cells for content in row.iter(f"{WORD}tr") for cells in [cells_of(content)])
        elif row.tag == f"{WORD}tr":
            yield cells_of(row)


def cells_of(row: Any) -> list[str]:
    before = int((find(row, "./w:trPr/w:gridBefore/@w:val") or ["0"])[0])
    found: list[str] = [""] * min(before, MAX_COLUMNS)
    cells = (
        cell
        for one in row
        for cell in ([one] if one.tag == f"{WORD}tc" else one.iter(f"{WORD}tc"))
        if one.tag in (f"{WORD}tc", f"{WORD}sdt")
    )
    for cell in cells:
        width = int((find(cell, "./w:tcPr/w:gridSpan/@w:val") or ["1"])[0])
        merged = find(cell, "./w:tcPr/w:vMerge[not(@w:val) or @w:val='continue']")
        found += ["" if merged else cell_text(cell), *[""] * (min(width, MAX_COLUMNS) - 1)]
    return found


def cell_text(cell: Any) -> str:
    said = []
    for block in blocks_of(cell):
        if block.tag == f"{WORD}tbl":
            said += [" | ".join(row) for row in rows_of(block)]
        else:
            said.append(paragraph(block))
    return "\n".join(filter(None, said))


class Lists:
    """Marks of a document's list items: numbers counted as they come, and dots."""

    def __init__(self, document: Any) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.kinds: dict[tuple[str, str], str] = {}
        self.styles: dict[str, tuple[str, str]] = {}
        with suppress(KeyError, NotImplementedError):
            self.read_kinds(document.part.numbering_part.element)
        for style in find(document.styles.element, "./w:style[w:pPr/w:numPr/w:numId]"):
            properties = find(style, "./w:pPr/w:numPr")[0]
            self.styles[style.get(f"{WORD}styleId")] = place_in_list(properties)

    def read_kinds(self, numbering: Any) -> None:
        levels = {
            abstract.get(f"{WORD}abstractNumId"): {
                level.get(f"{WORD}ilvl"): (find(level, "./w:numFmt/@w:val") or ["decimal"])[0]
                for level in find(abstract, "./w:lvl")
            }
            for abstract in find(numbering, "./w:abstractNum")
        }
        for number in find(numbering, "./w:num"):
            abstract = (find(number, "./w:abstractNumId/@w:val") or [""])[0]
            for level, kind in levels.get(abstract, {}).items():
                self.kinds[number.get(f"{WORD}numId"), level] = kind

    def mark(self, element: Any) -> str:
        properties = find(element, "./w:pPr/w:numPr")
        style = (find(element, "./w:pPr/w:pStyle/@w:val") or [""])[0]
        place = place_in_list(properties[0]) if properties else self.styles.get(style)
        if place is None or place not in self.kinds:
            return ""
        indent = "  " * int(place[1])
        if self.kinds[place] in ("bullet", "none"):
            return f"{indent}• "
        self.counts[place] += 1
        return f"{indent}{self.counts[place]}. "


def place_in_list(properties: Any) -> tuple[str, str]:
    number = (find(properties, "./w:numId/@w:val") or [""])[0]
    return number, (find(properties, "./w:ilvl/@w:val") or ["0"])[0]


def read_pptx(path: str) -> Part:
    import pptx

    open_archive(path).close()
    slides = list(pptx.Presentation(path).slides)
    parts = []
    for number, slide in enumerate(slides[:MAX_PARTS], 1):
        counts: Counter[str] = Counter()
        lines, charts = read_shapes(slide.shapes, counts)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            notes = slide.notes_slide.notes_text_frame.text
            lines += [f"Notes: {notes}"] if notes.strip() else []
        hidden = " (hidden)" if slide._element.get("show") == "0" else ""
        part = text(f"Slide {number}{hidden}", lines)
        drawn = f"{counted(len(charts), 'chart')}: {'; '.join(charts)}." if charts else ""
        pictures = f"{counted(counts['picture'], 'picture')}." if counts["picture"] else ""
        part["note"] = sentence(part["note"], pictures, drawn)
        parts.append(part)
    return {"parts": parts, "note": more(len(slides), len(parts), "slides")}


def read_shapes(shapes: Any, counts: Counter[str]) -> tuple[list[str], list[str]]:
    """Lines of text of a slide's shapes, and titles of its charts; counts its pictures."""
    from pptx.enum.shapes import MSO_SHAPE_TYPE

    lines: list[str] = []
    charts: list[str] = []
    for shape in shapes:
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            inner = read_shapes(shape.shapes, counts)
            lines += inner[0]
            charts += inner[1]
        elif getattr(shape, "has_table", False) and shape.has_table:
            lines += [" | ".join(cell.text for cell in row.cells) for row in shape.table.rows]
        elif getattr(shape, "has_chart", False) and shape.has_chart:
            charts.append(title_of(shape.chart))
        elif shape.has_text_frame:
            lines += [p.text.replace("\v", "\n") for p in shape.text_frame.paragraphs if p.text]
        counts["picture"] += shape.shape_type == MSO_SHAPE_TYPE.PICTURE or hasattr(shape, "image")
    return lines, charts


def title_of(chart: Any) -> str:
    with suppress(Exception):  # a chart of a kind that the library does not know
        if chart.has_title and chart.chart_title.text_frame.text:
            return str(chart.chart_title.text_frame.text)
        return ", ".join(str(series.name) for plot in chart.plots for series in plot.series)[:80]
    return "of a kind that is not read"


def read_odt(path: str) -> Part:
    from lxml import etree

    with open_archive(path) as archive, archive.open("content.xml") as stream:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        tree = etree.parse(stream, parser)
    body = tree.find(f"{{{OFFICE}}}body")
    lines = list(odt_lines(body)) if body is not None else []
    pictures = {"picture": sum(str(one.tag).endswith("drawing:1.0}image") for one in tree.iter())}
    return {"parts": [text("Text", lines)], "note": not_drawn(pictures)}


def odt_lines(element: Any) -> Iterator[str]:
    """Paragraphs and rows of tables, in their order."""
    for one in element:
        kind = str(one.tag).rpartition("}")[2]
        if kind in ("p", "h"):
            yield odt_text(one)
        elif kind == "table-row":
            cells = (cell for cell in one if str(cell.tag).endswith("}table-cell"))
            yield " | ".join(" ".join(odt_lines(cell)) for cell in cells)
        elif kind != "tracked-changes":
            yield from odt_lines(one)


def odt_text(element: Any) -> str:
    said = [element.text or ""]
    for one in element:
        kind = str(one.tag).rpartition("}")[2]
        signs = {"tab": "\t", "s": " ", "line-break": "\n"}
        inner = f" [{odt_text(one)}]" if kind == "note" else odt_text(one)
        said += [signs.get(kind, "" if kind == "note-citation" else inner), one.tail or ""]
    return "".join(said)


def read_pdf(path: str) -> Part:
    import pymupdf

    document = pymupdf.open(path, filetype="pdf")
    if document.needs_pass:
        raise CannotOpen("it is protected by a password")
    pages = document.page_count
    first = document[0]
    zoom = min(1_000 / first.rect.width, PICTURE_PX / first.rect.height)
    while True:
        zoom *= 0.999  # a page rounded up must not be a pixel too wide
        png = first.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False).tobytes("png")
        if len(png) < MAX_PICTURE_BYTES:
            break
        zoom /= 2
    texts = ((n + 1, document[n].get_text()) for n in range(min(pages, PDF_PAGES)))
    parts = [text(f"Text of page {n}", said.splitlines()) for n, said in texts if said.strip()]
    note = "" if pages == 1 else f"The first of {pages:,} pages."
    return {"facts": [["pages", f"{pages:,}"]], "parts": parts, "poster": packed(png), "note": note}


def read_notebook(path: str) -> Part:
    """Code and outputs as text, and the notebook as a page for a frame that reaches nothing."""
    import nbformat

    decoded = decode(Path(path).read_bytes())
    source = decoded[0] if decoded else ""
    book: Any = nbformat.reads(source, as_version=4)  # type: ignore[no-untyped-call]
    language = book.metadata.get("kernelspec", {}).get("display_name", "")
    lines, shown, size = [], [], 0
    for cell in book.cells:
        lines += [f"[{cell.cell_type}]", cell.source]
        markup = [f"<pre class='{html.escape(cell.cell_type)}'>{html.escape(cell.source)}</pre>"]
        for output in cell.get("outputs", []):
            said, drawn = show_output(output)
            lines.append(said)
            markup.append(drawn)
        size += sum(map(len, markup))
        if size <= MAX_PAGE_BYTES:
            shown += markup
    note = "The page has its beginning." if size > MAX_PAGE_BYTES else ""
    facts = [["cells", f"{len(book.cells):,}"], *([["kernel", language]] if language else [])]
    page = f"<!doctype html><meta charset=utf-8><style>{NOTEBOOK_STYLE}</style>{''.join(shown)}"
    return {"facts": facts, "parts": [text("Cells", lines)], "note": note, "page": page}


NOTEBOOK_STYLE = """
:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;margin:12px}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:4px 0;padding:6px 8px}
pre.code{border-left:3px solid #48f;background:#8882}pre.error{border-left:3px solid #d33}
img,svg{max-width:100%}table{border-collapse:collapse}td,th{border:1px solid #8888;padding:2px 6px}
"""


def show_output(output: Any) -> tuple[str, str]:
    """An output of a notebook's cell as text, and as markup."""
    if output.output_type == "error":
        trace = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(output.get("traceback", [])))
        said = trace or f"{output.get('ename')}: {output.get('evalue')}"
        return said, f"<pre class=error>{html.escape(said)}</pre>"
    data = output.get("data", {"text/plain": output.get("text", "")})
    said = join(data.get("text/plain", ""))
    for mime in ("image/png", "image/jpeg", "image/gif"):
        if mime in data:
            picture = base64.b64decode(join(data[mime]))
            return f"[{mime}] {said}", f'<img src="data:{mime};base64,{packed(picture)}">'
    if "image/svg+xml" in data or "text/html" in data:
        return said, join(data.get("image/svg+xml") or data["text/html"])
    return said, f"<pre>{html.escape(said)}</pre>"


def join(value: Any) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value)


# Data


def read_sqlite(path: str) -> Part:
    is_wal = head_of(path)[18:20] == b"\x02\x02"
    database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    for pragma in ("trusted_schema=OFF", "query_only=ON", "cell_size_check=ON"):
        database.execute(f"PRAGMA {pragma}")
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 8 << 20)
    listed = database.execute(
        "SELECT name, sql, type FROM sqlite_schema WHERE type IN ('table', 'view') "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name"
    ).fetchall()
    database.set_authorizer(only_reading)
    parts = [show_table(database, *one) for one in listed[:MAX_PARTS]]
    beside = (
        "Rows that were written last may stand in a file beside it, of its name with -wal."
        if is_wal
        else ""
    )
    return {"parts": parts, "note": sentence(more(len(listed), len(parts), "tables"), beside)}


def only_reading(action: int, *_: object) -> int:
    allowed = (
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
    )
    return sqlite3.SQLITE_OK if action in allowed else sqlite3.SQLITE_DENY


def show_table(database: sqlite3.Connection, name: str, sql: str | None, kind: str) -> Part:
    """Its first rows and their number; of a virtual table or a broken one only its name."""
    title = f"{name} (view)" if kind == "view" else name
    if "VIRTUAL" in (sql or "")[:200].upper().split("(")[0].split():
        return {"title": title, "note": "A virtual table: its rows are not read."}
    quoted = '"' + name.replace('"', '""') + '"'
    try:
        with bounded(database):
            found = database.execute(f"SELECT * FROM {quoted} LIMIT {MAX_ROWS + 2}")
            rows = [["NULL" if cell is None else cell for cell in row] for row in found]
    except (sqlite3.Error, OverflowError) as error:
        return {"title": title, "note": f"It cannot be read: {error}."}
    heading = [column[0] for column in found.description]
    return table(title, [heading, *rows], count_rows(database, quoted))


@contextmanager
def bounded(database: sqlite3.Connection) -> Iterator[None]:
    """SQLite stops after so many steps."""
    ticks = iter(range(COUNTING_STEPS // 100_000))
    database.set_progress_handler(lambda: next(ticks, None) is None, 100_000)
    try:
        yield
    finally:
        database.set_progress_handler(None, 0)


def count_rows(database: sqlite3.Connection, quoted: str) -> int | None:
    """None when there are more than can be counted soon, or pages that cannot be read."""
    with suppress(sqlite3.Error), bounded(database):
        return int(database.execute(f"SELECT count(*) FROM {quoted}").fetchone()[0])
    return None


def read_parquet(path: str) -> Part:
    import pyarrow.parquet

    file = pyarrow.parquet.ParquetFile(path, pre_buffer=False)
    facts, schema = file.metadata, file.schema_arrow
    first = facts.row_group(0).total_byte_size if facts.num_row_groups else 0
    if first > MAX_UNPACKED_BYTES:
        note, batch = "Its first block of rows is too large to be shown.", None
    else:
        names = [field.name for field in schema][: MAX_COLUMNS + 1]
        batches = file.iter_batches(MAX_ROWS + 2, columns=names, use_threads=False)
        note, batch = "", next(batches, None) if facts.num_row_groups else None
    return show_arrow(schema, batch, facts.num_rows, note)


def read_feather(path: str) -> Part:
    import pyarrow

    with pyarrow.memory_map(path) as source:
        head = source.read(6)
        source.seek(0)
        if head[:4] == b"FEA1":
            raise CannotOpen("it is of the first version of Feather")
        if head != b"ARROW1":
            with pyarrow.ipc.open_stream(source) as stream:
                batch = stream.read_next_batch()
                return show_arrow(stream.schema, batch.slice(0, MAX_ROWS + 2), None, "")
        file = pyarrow.ipc.open_file(source)
        batches = (file.get_batch(n) for n in range(file.num_record_batches))
        kept, rows = None, 0
        for batch in batches:
            kept = batch if kept is None else kept
            rows += batch.num_rows
        return show_arrow(file.schema, kept and kept.slice(0, MAX_ROWS + 2), rows, "")


def show_arrow(schema: Any, batch: Any, rows: int | None, note: str) -> Part:
    kinds = [("Column", "Type"), *((field.name, field.type) for field in schema)]
    parts = [table("Columns", kinds, is_list=True)]
    if batch is not None:
        columns = [arrow_values(batch.column(n)) for n in range(min(batch.num_columns, 21))]
        heading = batch.schema.names[: len(columns)]
        parts.insert(0, table("Rows", [heading, *zip(*columns, strict=True)], rows))
    return {
        "facts": [
            *([] if rows is None else [["rows", f"{rows:,}"]]),
            ["columns", f"{len(schema):,}"],
        ],
        "parts": parts,
        "note": note,
    }


def read_orc(path: str) -> Part:
    from pyarrow import orc

    file = orc.ORCFile(path)
    first = file.read_stripe(0) if file.nstripes else None
    return show_arrow(file.schema, first and first.slice(0, MAX_ROWS + 2), file.nrows, "")


def read_dta(path: str) -> Part:
    import pandas

    with pandas.read_stata(path, chunksize=MAX_ROWS + 2) as chunks:
        frame = next(chunks)
    rows = [[plain(cell) for cell in row] for row in frame.to_numpy(object)]
    return {"parts": [table("Rows", [[*frame.columns], *rows])]}


def arrow_values(column: Any) -> list[object]:
    """The values of a column; where Python has none for one, as Arrow writes them."""
    import numpy
    import pyarrow

    try:
        values = column.to_pylist()
    except (ValueError, OverflowError, pyarrow.ArrowException):
        values = [text_of_scalar(one) for one in column]
    is_short = pyarrow.types.is_float32(column.type)
    said = (
        str(numpy.float32(value)) if is_short and value is not None else value for value in values
    )
    return ["null" if value is None else value for value in said]


def text_of_scalar(value: Any) -> object:
    import pyarrow

    try:
        return value.as_py()
    except (ValueError, OverflowError):
        return str(value.cast(pyarrow.string()))


def read_npy(path: str) -> Part:
    import numpy

    return {"parts": [show_arrays([("array", numpy.load(path, mmap_mode="r"))])]}


def read_npz(path: str) -> Part:
    import numpy

    open_archive(path).close()
    arrays = []
    with numpy.load(path) as found:
        for name in found.files[:MAX_ENTRIES]:
            try:
                arrays.append((name, found[name]))
            except ValueError:
                arrays.append((name, None))
        return {"parts": [show_arrays(arrays)], "note": more(len(found.files), 200, "arrays")}


def show_arrays(arrays: Sequence[tuple[str, Any]]) -> Part:
    listed: list[list[object]] = [["Name", "Type", "Shape", "First values"]]
    for name, array in arrays:
        if array is None:
            listed.append([name, "object", "", "not read: it would run code"])
            continue
        shape = " × ".join(map(str, array.shape)) or "a single value"
        first = ", ".join(str(value) for value in islice(array.flat, 12))
        listed.append([name, array.dtype, shape, first])
    return table("Arrays", listed, is_list=True)


# Archives


def read_zip(path: str) -> Part:
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
    listed = [["Name", "Bytes", "Packed", "Changed"]]
    names, guessed = member_names(entries[:MAX_ENTRIES])
    for name, entry in zip(names, entries, strict=False):
        day = "{:04}-{:02}-{:02}".format(*entry.date_time[:3])
        listed.append([name, f"{entry.file_size:,}", f"{entry.compress_size:,}", day])
    locked = any(entry.flag_bits & 1 for entry in entries)
    return list_members(
        listed,
        len(entries),
        sum(entry.file_size for entry in entries),
        sentence(
            "Members are protected by a password." if locked else "",
            f"Names read as {guessed}." if guessed else "",
        ),
    )


def member_names(entries: Sequence[zipfile.ZipInfo]) -> tuple[list[str], str]:
    """Their names in the encoding of whoever packed them, and that encoding if it was guessed.

    Python takes unmarked ones for CP437, which is right where that makes words of them.
    """
    unmarked = [entry.filename for entry in entries if not entry.flag_bits & 0x800]
    high = [char for name in unmarked for char in name if ord(char) > 127]
    if not high or all(char.isalpha() and not "\u0370" <= char <= "\u03ff" for char in high):
        return [entry.filename for entry in entries], ""
    found = decode("\n".join(unmarked).encode("cp437", "replace"))
    right = iter(found[0].split("\n") if found else unmarked)
    names = [
        entry.filename if entry.flag_bits & 0x800 else next(right, entry.filename)
        for entry in entries
    ]
    return names, found[1] if found else ""


def list_members(listed: list[list[str]], count: int, unpacked: int, note: str = "") -> Part:
    return {
        "facts": [["members", f"{count:,}"], ["bytes unpacked", f"{unpacked:,}"]],
        "parts": [table("Members", listed, count, is_list=True)],
        "note": note,
    }


def read_tar(path: str) -> Part:
    listed, count, unpacked = [["Name", "Bytes", "Kind", "Changed"]], 0, 0
    with tarfile.open(path, "r|*") as archive:
        for entry in archive:
            count += 1
            unpacked += entry.size
            if count > MAX_DOCUMENT_ENTRIES or unpacked > MAX_UNPACKED_BYTES:
                return list_members(listed, count, unpacked, "It has more: reading stopped there.")
            if count <= MAX_ENTRIES:
                day = datetime.datetime.fromtimestamp(entry.mtime, datetime.UTC).date()
                kind = "folder" if entry.isdir() else "file" if entry.isfile() else "link"
                listed.append([entry.name, f"{entry.size:,}", kind, str(day)])
    return list_members(listed, count, unpacked)


def read_gz(path: str) -> Part:
    """A packed tar, or a packed text or table."""
    with suppress(tarfile.TarError):
        return read_tar(path)
    head = head_of(path)
    unpack = (
        bz2.open if head.startswith(b"BZh") else lzma.open if head[1:4] == b"7zX" else gzip.open
    )
    with unpack(path) as packed_text:
        content = packed_text.read(MAX_TEXT_BYTES + 1)
    found = decode(content)
    if found is None:
        raise CannotOpen("what is packed in it is no text")
    inner = PurePosixPath(NAME).with_suffix("").name
    is_cut = len(content) > MAX_TEXT_BYTES
    guessed = f"Read as {found[1]}." if found[1] else ""
    note = sentence(guessed, "It goes on: the beginning was unpacked." if is_cut else "")
    if inner.lower().endswith((".csv", ".tsv")):
        records = read_records(found[0])[: -1 if is_cut else None]
        count = None if is_cut else len(records) - 1
        return {"parts": [table(inner, records, count)], "note": note}
    return {"parts": [text(inner, found[0].splitlines())], "note": note}


# Pictures, sounds, films


def read_picture(path: str) -> Part:
    """As a PNG that every browser shows."""
    import PIL.Image
    import PIL.ImageOps

    PIL.Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    with PIL.Image.open(path) as image:
        facts = [["kind", image.format or ""], ["size", f"{image.width:,} × {image.height:,}"]]
        frames = getattr(image, "n_frames", 1)
        image.draft("RGB", (PICTURE_PX, PICTURE_PX))
        if image.mode.startswith(("I", "F")):
            image = stretched(image)
        shown = PIL.ImageOps.exif_transpose(image)
        shown = shown.convert(
            "RGBA" if "A" in shown.mode or "transparency" in shown.info else "RGB"
        )
    scale = min(
        1.0, PICTURE_PX / max(shown.size), math.sqrt(PICTURE_PIXELS / math.prod(shown.size))
    )
    while True:
        size = (max(1, int(shown.width * scale)), max(1, int(shown.height * scale)))
        stream = io.BytesIO()
        shown.resize(size, PIL.Image.Resampling.LANCZOS, reducing_gap=2.0).save(stream, "PNG")
        if stream.tell() <= MAX_PICTURE_BYTES:
            break
        scale *= 0.7
    note = sentence(
        f"The first of {frames:,} pictures in it." if frames > 1 else "",
        "Shown smaller than it is." if scale < 1 else "",
    )
    return {"facts": facts, "parts": [], "poster": packed(stream.getvalue()), "note": note}


def stretched(image: Any) -> Any:
    """Greys of 16 bits or floats over the range that they have."""
    import numpy
    import PIL.Image

    values = numpy.nan_to_num(numpy.asarray(image, dtype="float64"))
    span = values.max() - values.min()
    grey = (values - values.min()) / (span or 1) * 255
    return PIL.Image.fromarray(grey.astype("uint8"), "L")


def packed(content: bytes) -> str:
    return base64.b64encode(content).decode()


def read_media(path: str) -> Part:
    """Length, rate and codecs of a sound or film, a frame of it, and what a browser can play."""
    streams, seconds = probe(path)
    video = next((one for one in streams if one["codec_type"] == "video"), None)
    audio = next((one for one in streams if one["codec_type"] == "audio"), None)
    cover = video is not None and video.get("disposition", {}).get("attached_pic")
    if cover:
        video = None
    facts = [["length", say_seconds(seconds)]] if seconds else []
    if video:
        facts += [["size", f"{video.get('width')} × {video.get('height')}"]]
        top, _, bottom = str(video.get("avg_frame_rate", "")).partition("/")
        if top.isdigit() and bottom.isdigit() and int(bottom):
            facts += [["frames per second", f"{int(top) / int(bottom):.4g}"]]
        facts += [["video", str(video.get("codec_name"))]]
    if audio:
        channels = counted(int(audio.get("channels", 1)), "channel")
        rate = f"{int(audio.get('sample_rate') or 0):,} Hz"
        facts += [["audio", f"{audio.get('codec_name')}, {rate}, {channels}"]]
    if not (video or audio):
        raise CannotOpen("no sound and no film is in it")
    found: Part = {"facts": facts, "parts": [], "plays": "video" if video else "audio"}
    if video and (poster := read_frame(path)):
        found["poster"] = packed(poster)
    if not is_playable(path, video, audio):
        found |= make_clip(path, bool(video), seconds)
    return found


def probe(path: str) -> tuple[list[dict[str, Any]], float]:
    argv = [
        "ffprobe",
        "-v",
        "error",
        "-print_format",
        "json",
        "-show_streams",
        "-show_format",
        path,
    ]
    if shutil.which("ffprobe") is None:
        raise CannotOpen("this host has no ffprobe")
    done = subprocess.run(argv, capture_output=True, check=False, timeout=15)
    if done.returncode:
        raise CannotOpen("it is no sound or film that can be read")
    found = json.loads(done.stdout)
    seconds = found.get("format", {}).get("duration")
    return found.get("streams", []), float(seconds) if seconds else 0.0


def say_seconds(seconds: float) -> str:
    return (
        f"{seconds:.1f} s" if seconds < 90 else f"{int(seconds) // 60}:{int(seconds) % 60:02} min"
    )


def is_playable(path: str, video: Any, audio: Any) -> bool:
    """True for what browsers play as it is."""
    suffix = PurePosixPath(path).suffix
    if video and (suffix not in (".mp4", ".webm") or video.get("codec_name") not in PLAYED_VIDEO):
        return False
    if video and str(video.get("pix_fmt", "yuv420p")) not in ("yuv420p", "yuvj420p"):
        return False
    codec = str(audio.get("codec_name")) if audio else "aac"
    if suffix == ".wav":
        return codec in ("pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_f64le")
    return codec in PLAYED_AUDIO and suffix in (
        ".mp4",
        ".webm",
        ".m4a",
        ".mp3",
        ".ogg",
        ".flac",
        ".aac",
    )


def read_frame(path: str) -> bytes | None:
    """A frame that is neither black nor of one colour, as a PNG."""
    import cv2

    film = cv2.VideoCapture(path)
    picture = None
    for _ in range(POSTER_FRAMES):
        is_read, frame = film.read()
        if not is_read:
            break
        picture = frame
        if frame.std() > 8:
            break
    if picture is None:
        return None
    height, width = picture.shape[:2]
    scale = min(1.0, POSTER_PX / max(height, width))
    small = (max(1, int(width * scale)), max(1, int(height * scale)))
    is_made, png = cv2.imencode(".png", cv2.resize(picture, small, interpolation=cv2.INTER_AREA))
    return png.tobytes() if is_made else None


def make_clip(path: str, is_film: bool, seconds: float) -> Part:
    """The beginning in a form that every browser plays; a sentence where none can be made."""
    unplayed = "No browser plays it as it is"
    if shutil.which("ffmpeg") is None:
        return {"plays": "", "note": f"{unplayed}, and this host has no ffmpeg to change that."}
    clip = f"{path}.clip.{'webm' if is_film else 'ogg'}"
    picture = [
        *("-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "250k"),
        *("-vf", "scale='min(480,iw)':-2", "-pix_fmt", "yuv420p"),
    ]
    sound = ["-c:a", "libopus" if not is_film else "libvorbis", "-ac", "2", "-b:a", "64k"]
    argv = ["ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-i", path, "-t", str(CLIP_S)]
    argv += [*(picture if is_film else ["-vn"]), *sound, "-fs", str(MAX_CLIP_BYTES - 50_000), clip]
    subprocess.run(argv, check=False, timeout=20, capture_output=True)
    content = Path(clip).read_bytes() if Path(clip).exists() else b""
    if not 0 < len(content) <= MAX_CLIP_BYTES:
        return {"plays": "", "note": f"{unplayed}."}
    cut = f" (its first {CLIP_S} s)" if seconds > CLIP_S else ""
    return {"player": packed(content), "note": f"{unplayed}: a copy plays{cut}."}


READERS: dict[str, Callable[[str], Part]] = {
    "xlsx": read_xlsx,
    "xls": read_xls,
    "ods": read_ods,
    "docx": read_docx,
    "pptx": read_pptx,
    "odt": read_odt,
    "pdf": read_pdf,
    "ipynb": read_notebook,
    "sqlite": read_sqlite,
    "parquet": read_parquet,
    "feather": read_feather,
    "orc": read_orc,
    "dta": read_dta,
    "npy": read_npy,
    "npz": read_npz,
    "zip": read_zip,
    "tar": read_tar,
    "gz": read_gz,
    "picture": read_picture,
    "mp4": read_media,
    "mov": read_media,
    "webm": read_media,
    "mkv": read_media,
    "avi": read_media,
    "wav": read_media,
    "mp3": read_media,
    "ogg": read_media,
    "flac": read_media,
    "m4a": read_media,
    "aac": read_media,
    "media": read_media,
}
NAME = sys.argv[2] if len(sys.argv) > 2 else ""  # of the file


def main() -> None:
    """Read the file on stdin as what the first argument says."""
    out = os.dup(1)
    os.dup2(2, 1)  # what libraries print is no report
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file.{sys.argv[1]}"
        path.write_bytes(sys.stdin.buffer.read())
        try:
            found = READERS[sys.argv[1]](str(path))
        except MemoryError:
            raise
        except Exception as error:  # whatever a library makes of the file
            reason = (str(error) or type(error).__name__).replace(str(path), "the file")
            found = {"note": f"It could not be opened: {reason[:160].rstrip('.')}."}
    with os.fdopen(out, "wb") as report:
        report.write(json.dumps(found).encode())


if __name__ == "__main__":
    main()
