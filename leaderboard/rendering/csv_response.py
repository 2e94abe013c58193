"""Answers in CSV, with no cell that a spreadsheet would run as a formula."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable

from django.http import HttpResponse
from django.utils.http import content_disposition_header

CSV_TYPE = "text/csv; charset=utf-8"

FORMULA_STARTS = tuple("=+-@")
LINE_STARTS = tuple("\t\r\n")
SEPARATORS = re.compile(r"(?<=[;\t\r\n])")  # each part keeps the separator that ends it
UNSEEN = ("Cc", "Cf", "Zs", "Zl", "Zp")  # controls, marks without a width, blanks of all kinds

Cell = str | int | float | None


def answer_csv(name: str, heading: Iterable[str], rows: Iterable[Iterable[Cell]]) -> HttpResponse:
    """The rows as a file of this name, to be saved."""
    response = HttpResponse(write_csv([heading, *rows]), content_type=CSV_TYPE)
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response


def write_csv(rows: Iterable[Iterable[Cell]], line_end: str = "\r\n") -> str:
    """The rows as text; names in them come from strangers."""
    written = io.StringIO()
    csv.writer(written, lineterminator=line_end).writerows(map(guard, row) for row in rows)
    return written.getvalue()


def guard(value: Cell) -> Cell:
    """Text that starts a formula, behind an apostrophe; anything else as it is.

    Where semicolons separate a spreadsheet's cells our quotes do not count: a cell may begin within
    the text, behind a semicolon, a tab or a line break.
    """
    if not isinstance(value, str):
        return value
    first, *rest = SEPARATORS.split(value)
    begins = value.startswith(LINE_STARTS) or starts_formula(first)
    inner = [f"'{part}" if starts_formula(part.lstrip('"')) else part for part in rest]
    return "".join(["'" if begins else "", first, *inner])


def starts_formula(text: str) -> bool:
    """True if the first visible character is a formula's sign, also full-width or small."""
    seen = next((char for char in text if unicodedata.category(char) not in UNSEEN), "")
    return unicodedata.normalize("NFKC", seen).startswith(FORMULA_STARTS)
