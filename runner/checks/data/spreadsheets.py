"""Cells of a spreadsheet that somebody who opens it can see: what is hidden is not there."""

from __future__ import annotations

import functools
import operator
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LEAST_POINTS = 3.0  # of letters that can be seen, and of the height of a row
LEAST_SIZE = {"height": LEAST_POINTS, "width": 0.5}  # a column's in letters
LEAST_CONTRAST = 1.25
MOST_FROZEN_ROWS, MOST_FROZEN_COLUMNS = 20, 8  # of a sheet, above and left of what scrolls
BLACK, WHITE = "000000", "ffffff"
BY_THEME = {0: WHITE, 1: BLACK}  # in every usual theme
TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|[_*].|\[(?P<bracket>[^\]]*)\]|(?P<end>;)'
    r"|(?P<general>general|g/[^;\"\[]*)|(?P<digit>[0#?])|(?P<text>@)|(?P<time>[ymdhsbge])"
    r"|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
DIGIT, TEXT, TIME = "\x00", "\x01", "\x02"  # places of a number format that a value fills
ANY = DIGIT + TEXT + TIME
NUMBERED = re.compile(rf"\d[.,]?{DIGIT}|{DIGIT}[.,]?\d")  # a digit written beside the value's own
CONDITION = re.compile(r"(<>|<=|>=|<|>|=)\s*(-?\d+(?:\.\d*)?)")
COMPARED = {
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
    "<=": operator.le,
    ">=": operator.ge,
    "<>": operator.ne,
}


def first_shown(book: Any) -> Any:
    """The first sheet that is not hidden; ValueError without any."""
    pages = [page for page in book.worksheets if page.sheet_state == "visible"]
    if not pages:
        raise ValueError("all its sheets are hidden")
    return pages[0]


def shown_rows(page: Any) -> list[tuple[object, ...]]:
    """The values of a sheet's rows, without hidden rows and columns; a cell unseen is blank."""
    if page.sheet_state != "visible":
        raise ValueError(f"its sheet “{page.title}” is hidden")
    require_uncovered(page)
    columns, may_be_styled = hidden_columns(page), bool(page.tables or page.conditional_formatting)
    return [
        tuple(
            None if is_unseen(cell, may_be_styled) else cell.value
            for cell in row
            if cell.column not in columns
        )
        for row in page.iter_rows()
        if not is_hidden(page.row_dimensions.get(row[0].row), "height")
    ]


def require_uncovered(page: Any) -> None:
    """Raise ValueError where something lies over a sheet's cells, or they cannot be scrolled to."""
    for drawing in (*page._images, *page._charts):
        corner = getattr(drawing.anchor, "_from", None)
        if corner is None or (corner.row < page.max_row and corner.col < page.max_column):
            raise ValueError(f"a picture or chart lies over the cells of “{page.title}”")
    view = page.sheet_view
    pane = view.pane
    if pane is not None and str(pane.state).startswith("frozen"):
        held = (pane.ySplit or 0, pane.xSplit or 0)
        if held[0] > MOST_FROZEN_ROWS or held[1] > MOST_FROZEN_COLUMNS:
            raise ValueError(f"so much of “{page.title}” is frozen that the rest cannot be reached")
        if view.topLeftCell not in (None, "A1"):
            raise ValueError(f"“{page.title}” is frozen below its first cells")
    for ranged in page.conditional_formatting:
        if any(hides(rule) for rule in ranged.rules):
            raise ValueError(f"a conditional format hides cells of “{page.title}”")


def require_no_shapes(path: Path) -> None:
    """Raise ValueError where a workbook has shapes, such as boxes, drawn on a sheet."""
    with zipfile.ZipFile(path) as parts:
        for name in parts.namelist():
            if name.startswith("xl/drawings/drawing") and b"<xdr:sp" in parts.read(name):
                raise ValueError("shapes are drawn over a sheet")


def hides(rule: Any) -> bool:
    """True if a conditional format shows no value: by its form, or ink of its ground's colour."""
    bars = rule.dataBar or rule.iconSet
    if bars is not None and bars.showValue is False:
        return True
    style = rule.dxf
    if style is None:
        return False
    if style.numFmt is not None and not shows(str(style.numFmt.formatCode), 1.0):
        return True
    if style.font is None or style.font.color is None:
        return False
    filled = style.fill is not None and style.fill.bgColor is not None
    ground = plain_colour(style.fill.bgColor, WHITE) if filled else WHITE
    return are_alike(plain_colour(style.font.color, BLACK), ground)


def hidden_columns(page: Any) -> set[int]:
    """The numbers of the columns that are hidden; one entry may stand for many."""
    found: set[int] = set()
    last = page.max_column
    for one in page.column_dimensions.values():
        if is_hidden(one, "width"):
            found |= set(range(one.min or 1, min(one.max or last, last) + 1))
    return found


def is_hidden(line: Any, size: str) -> bool:
    """True for a row or column that is hidden or has hardly any `size`."""
    if line is None:
        return False
    given = getattr(line, size)
    return bool(line.hidden) or (given is not None and given < LEAST_SIZE[size])


def is_unseen(cell: Any, may_be_styled: bool) -> bool:
    """True if the cell's own format shows nothing: by its form, its size or a colour on itself.

    A table or a rule for the sheet may fill cells that have no filling of their own.
    """
    if not cell.has_style or cell.value is None:
        return False
    if not shows(cell.number_format, cell.value) or (cell.font.sz or 11) < LEAST_POINTS:
        return True
    if cell.fill.fill_type in (None, "none") and may_be_styled:
        return False
    ink = plain_colour(cell.font.color, BLACK)
    return all(are_alike(ink, ground) for ground in grounds_of(cell.fill))


def grounds_of(fill: Any) -> list[str]:
    """The colours behind a cell's letters: two where a pattern fills it."""
    if fill.fill_type in (None, "none"):
        return [WHITE]
    if fill.fill_type == "solid":
        return [plain_colour(fill.fgColor, BLACK)]
    return [
        usual if colour is None or colour == type(colour)() else plain_colour(colour, usual)
        for colour, usual in ((fill.fgColor, BLACK), (fill.bgColor, WHITE))
    ]


@functools.lru_cache(maxsize=1000)
def are_alike(one: str, other: str) -> bool:
    """True if two colours, as hexadecimal digits, can hardly be told apart."""
    if not all(re.fullmatch("[0-9a-f]{6}", colour) for colour in (one, other)):
        return False
    low, high = sorted(map(light_of, (one, other)))
    return (high + 0.05) / (low + 0.05) < LEAST_CONTRAST


def light_of(colour: str) -> float:
    """Relative luminance of a colour, from 0 to 1, as the guidelines for the web compute it."""
    parts = (int(colour[n : n + 2], 16) / 255 for n in (0, 2, 4))
    red, green, blue = (v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def plain_colour(colour: Any, usual: str) -> str:
    """Red, green and blue of a cell's colour as hexadecimal digits, "" where the file has none."""
    if colour is None:
        return usual
    if colour.type == "rgb":
        return str(colour.rgb)[-6:].lower()
    if colour.type == "indexed":
        from openpyxl.styles.colors import COLOR_INDEX

        known = COLOR_INDEX[colour.indexed] if colour.indexed < len(COLOR_INDEX) else ""
        return known[-6:].lower() or usual
    plain = BY_THEME.get(colour.theme, "") if colour.type == "theme" else ""
    return tinted(plain, colour.tint or 0.0) if plain else ""


def tinted(colour: str, tint: float) -> str:
    """Black or white made lighter (0 to 1) or darker (-1 to 0)."""
    level = int(colour[:2], 16) / 255
    level = level + (1 - level) * tint if tint > 0 else level * (1 + tint)
    return f"{round(255 * min(1.0, max(0.0, level))):02x}" * 3


@dataclass(frozen=True)
class FormatSection:
    """One part of a number format: its signs, with marks for what the value fills, and a rule."""

    signs: str = ""
    rule: str = ""  # such as >=100

    @property
    def has_value(self) -> bool:
        return any(mark in self.signs for mark in ANY) and not NUMBERED.search(self.signs)

    def is_for(self, number: float, usual: bool) -> bool:
        """True if a number falls under the section, by its rule or, without one, as `usual`."""
        match = CONDITION.match(self.rule)
        return bool(COMPARED[match[1]](number, float(match[2]))) if match else usual


@functools.lru_cache(maxsize=1000)
def sections_of(code: str) -> tuple[FormatSection, ...]:
    """The parts of a number format: for numbers above zero, below, for zero, and for text."""
    signs, rule, found = "", "", []
    for token in TOKEN.finditer(code):
        kind, text = token.lastgroup, token[token.lastgroup or 0]
        if kind == "end":
            found.append(FormatSection(signs, rule))
            signs, rule = "", ""
        elif kind == "bracket":
            rule = text if CONDITION.match(text) else rule
            signs += TIME if re.fullmatch("h+|m+|s+", text, re.IGNORECASE) else ""
        elif kind in ("quoted", "escaped", "other"):
            signs += text
        elif kind:
            marks = {"general": DIGIT + TEXT, "digit": DIGIT, "text": TEXT, "time": TIME}
            signs += marks[kind]
    return (*found, FormatSection(signs, rule))


def shows(code: str, value: object) -> bool:
    """True if the number format `code` lets one read `value`, and not some other text in its place.

    A zero may be shown by a dash, or by nothing.
    """
    parts = list(sections_of(code))
    is_text_last = len(parts) > 3 or (len(parts) > 1 and TEXT in parts[-1].signs)
    for_text = parts.pop() if is_text_last else None
    if isinstance(value, str):
        return for_text is None or TEXT in for_text.signs
    if not any(part.has_value for part in parts):
        return False
    number = float(value) if isinstance(value, int | float) else 1.0  # a date counts as above zero
    if len(parts) == 1:
        usual = [True]
    else:
        usual = [number > 0 if len(parts) > 2 else number >= 0, number < 0, True]
    part = next((p for p, u in zip(parts, usual, strict=False) if p.is_for(number, u)), parts[-1])
    return part.has_value or (number == 0 and not re.search("[1-9]", part.signs))
