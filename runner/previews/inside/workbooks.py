"""Workbooks: values as a spreadsheet program shows them, and what is hidden or not drawn."""

from __future__ import annotations

import datetime
import io
import math
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from runner.previews.inside.parts import (
    MAX_COLUMNS,
    MAX_PARTS,
    MAX_ROWS,
    CannotOpen,
    Part,
    counted,
    head_of,
    more,
    not_drawn,
    open_archive,
    say,
    sentence,
    table,
)
from runner.previews.texts import decode, read_records

MAX_WHOLE_BYTES = 24 << 20  # of a workbook that is read with its pictures, charts and hidden rows
SHEETS = "{urn:schemas-microsoft-com:office:spreadsheet}"
FORMAT_CURRENCY = re.compile(r"\[\$([^]-]*)[^]]*\]")  # “[$€-407]”
FORMAT_WORDS = re.compile(r'"[^"]*"|\\.|\[[^]]*\]|[_*].')  # of a number's format, with its colours
FORMAT_CONDITION = re.compile(r"\[[<>=]")
FORMAT_SIGN = re.compile(r'"([^"]*)"|\\(.)|\[[^]]*\]|[_*].|([-+()$£€¥₹ ])')
OLE = b"\xd0\xcf\x11\xe0"  # of Office before 2007, and of later files with a password


def read_xlsx(path: str) -> Part:
    """Values as a spreadsheet program shows them, formulas where no value is stored."""
    import openpyxl

    if head_of(path).startswith(OLE):
        raise CannotOpen("it is protected by a password")
    with open_archive(path) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
    is_whole = size <= MAX_WHOLE_BYTES
    options = {"read_only": not is_whole, "keep_links": False}
    # As bytes: by its name openpyxl refuses one called .xls or .zip.
    content = Path(path).read_bytes()
    values = openpyxl.load_workbook(io.BytesIO(content), data_only=True, **options)
    formulas = openpyxl.load_workbook(io.BytesIO(content), **options)
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
        notes += [say_hidden(values), say_comments(values), not_drawn(pictures)]
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
    sections = shape.split(";")
    is_own = value < 0 and len(sections) > 1 and bool(re.search("[0#?]", sections[1]))
    is_zero = value == 0 and len(sections) > 2
    section = FORMAT_CURRENCY.sub(r'"\1"', sections[2 if is_zero else is_own])
    digits = FORMAT_WORDS.sub("", section)
    if is_zero and not re.search("[0#]", digits):
        return words_of(section) or say(value)
    found = re.search(r"[#0,?]*[0#](\.([0#?]+))?", digits)
    rest = digits[found.end() :] if found else ""
    is_other = "E" in digits.upper() or "/" in digits or FORMAT_CONDITION.search(shape)
    if not found or is_other or re.search("[0#?]", rest):  # of the kind of a telephone number
        return say(value)
    thousands = len(rest) - len(rest.lstrip(","))
    scale = (100 if "%" in digits else 1) / 1000**thousands
    said = show_digits(abs(value) * scale, found)
    before, after = (words_of(part) for part in section.split(found[0], 1))
    sign = "-" if value < 0 and not is_own else ""
    return f"{sign}{before}{said}{' %' if '%' in digits else ''}{after}"


def show_digits(value: float, found: re.Match[str]) -> str:
    places = len(found[2] or "")
    whole = found[0].split(".")[0]
    if set(whole) == {"0"} and len(whole) > 1 and not places:
        return f"{round(value):0{len(whole)}}"
    return f"{value:{',' if ',' in whole else ''}.{places}f}"


def words_of(section: str) -> str:
    """What a part of a number's format says beside the digits: a currency, a unit, brackets."""
    found = (quoted or escaped or bare for quoted, escaped, bare in FORMAT_SIGN.findall(section))
    return "".join(found)


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


def say_comments(sheet: Any) -> str:
    said = [
        f"{cell.coordinate}: {' '.join(cell.comment.text.split())[:200]}"
        for row in sheet.iter_rows(max_row=MAX_ROWS + 2, max_col=MAX_COLUMNS + 1)
        for cell in row
        if getattr(cell, "comment", None) is not None
    ]
    return f"{'Comments' if len(said) > 1 else 'Comment'} at {'; '.join(said[:8])}." if said else ""


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
