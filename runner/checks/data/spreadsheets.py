"""Cells of a spreadsheet that somebody who opens it can see: what is hidden is not there."""

from __future__ import annotations

import functools
import operator
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LEAST_POINTS = 3.0  # of letters that can be seen
LEAST_SIZE = {"height": 5.0, "width": 1.0}  # of a row in points, of a column in letters
MOST_INDENT = 15  # of a cell's text, which more pushes out of it
LEAST_CONTRAST = 1.25
MOST_FROZEN_ROWS, MOST_FROZEN_COLUMNS = 20, 8  # of a sheet, above and left of what scrolls
SYMBOL_FONTS = re.compile(
    r"wingdings(?: ?[23])?|webdings|symbol(?: ?mt)?|opensymbol|standard symbols.*|.*dingbats.*"
    r"|marlett|mt extra|monotype sorts|.*barcode.*",
    re.IGNORECASE,
)
BLACK, WHITE = "000000", "ffffff"
FORMAT_COLOURS = {
    "black": BLACK, "blue": "0000ff", "cyan": "00ffff", "green": "00ff00", "magenta": "ff00ff",
    "red": "ff0000", "white": WHITE, "yellow": "ffff00",
}  # fmt: skip
FIRST_NUMBERED = 7  # the place of [Color1] among the numbered colours, less 1
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
    require_usual_style_seen(page)
    columns, styled = hidden_columns(page), rows_filled_by_tables(page)
    usual = page.sheet_format.defaultRowHeight
    return [
        tuple(
            None if cell.has_style and is_unseen(cell, cell.row in styled) else cell.value
            for cell in row
            if cell.column not in columns
        )
        for row in page.iter_rows()
        if not is_hidden(page.row_dimensions.get(row[0].row), "height", usual)
    ]


def require_uncovered(page: Any) -> None:
    """Raise ValueError where something lies over a sheet's cells, or they cannot be scrolled to."""
    for drawing in (*page._images, *page._charts):
        corner = getattr(drawing.anchor, "_from", None)
        if corner is None or (corner.row < page.max_row and corner.col < page.max_column):
            raise ValueError(f"a picture or chart lies over the cells of “{page.title}”")
    if any(window.visibility not in (None, "visible") for window in page.parent.views):
        raise ValueError("its window is hidden")
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


def require_usual_style_seen(page: Any) -> None:
    """Raise ValueError where cells without a format of their own show nothing."""
    from openpyxl.cell import Cell

    if is_unseen(Cell(page, row=1, column=1, value="text"), may_be_filled=False):
        raise ValueError(f"the letters of “{page.title}” cannot be seen")


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
    code = str(style.numFmt.formatCode) if style.numFmt is not None else "General"
    coloured = section_for(code, 1.0).colour
    if not shows(code, 1.0):
        return True
    if not coloured and (style.font is None or style.font.color is None):
        return False
    filled = style.fill is not None and style.fill.bgColor is not None
    ground = plain_colour(style.fill.bgColor, WHITE) if filled else WHITE
    return are_alike(coloured or plain_colour(style.font.color, BLACK), ground)


def hidden_columns(page: Any) -> set[int]:
    """The numbers of the columns that are hidden; one entry may stand for many."""
    last, usual = page.max_column, page.sheet_format.defaultColWidth
    found = set(range(1, last + 1)) if is_hidden(None, "width", usual) else set()
    for one in page.column_dimensions.values():
        named = set(range(one.min or 1, min(one.max or last, last) + 1))
        found = found | named if is_hidden(one, "width", usual) else found - named
    return found


def is_hidden(line: Any, size: str, usual: float | None) -> bool:
    """True for a row or column that is hidden or has hardly any `size`, its own or the `usual`."""
    given = getattr(line, size, None)
    given = usual if given is None else given
    return bool(line and line.hidden) or (given is not None and given < LEAST_SIZE[size])


def rows_filled_by_tables(page: Any) -> set[int]:
    """The rows that a table's style may fill with a dark colour: its head, or all in a dark one."""
    from openpyxl.utils import range_boundaries

    found: set[int] = set()
    for table in page.tables.values():
        style = table.tableStyleInfo.name if table.tableStyleInfo else None
        _, first, _, last = range_boundaries(table.ref)
        if style:
            found |= set(range(first, (last if "dark" in style.lower() else first) + 1))
    return found


def is_unseen(cell: Any, may_be_filled: bool) -> bool:
    """True if the cell's own format shows nothing: by its form, its size or a colour on itself.

    One that has no filling of its own `may_be_filled` by a table's style.
    """
    if cell.value is None:
        return False
    if not shows(cell.number_format, cell.value) or (cell.font.sz or 11) < LEAST_POINTS:
        return True
    if (cell.alignment.indent or 0) > MOST_INDENT:
        return True
    if SYMBOL_FONTS.fullmatch((cell.font.name or "").strip()):
        return True
    ink = section_for(cell.number_format, cell.value).colour
    if not ink and cell.fill.fill_type in (None, "none") and may_be_filled:
        return False
    ink = ink or plain_colour(cell.font.color, BLACK)
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
        return numbered_colour(colour.indexed) or usual
    plain = BY_THEME.get(colour.theme, "") if colour.type == "theme" else ""
    return tinted(plain, colour.tint or 0.0) if plain else ""


def numbered_colour(place: int) -> str:
    """The colour that has a place among the usual ones, "" where none has it."""
    from openpyxl.styles.colors import COLOR_INDEX

    return COLOR_INDEX[place][-6:].lower() if place < len(COLOR_INDEX) else ""


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
    colour: str = ""  # of its letters, where it names one

    @property
    def has_value(self) -> bool:
        return any(mark in self.signs for mark in ANY) and not NUMBERED.search(self.signs)

    def is_for(self, number: float, usual: bool) -> bool:
        """True if a number falls under the section, by its rule or, without one, as `usual`."""
        match = CONDITION.match(self.rule)
        return bool(COMPARED[match[1]](number, float(match[2]))) if match else usual


GENERAL = FormatSection(DIGIT + TEXT)


@functools.lru_cache(maxsize=1000)
def sections_of(code: str) -> tuple[FormatSection, ...]:
    """The parts of a number format: for numbers above zero, below, for zero, and for text."""
    signs, rule, colour, found = "", "", "", []
    for token in TOKEN.finditer(code):
        kind, text = token.lastgroup, token[token.lastgroup or 0]
        if kind == "end":
            found.append(FormatSection(signs, rule, colour))
            signs, rule, colour = "", "", ""
        elif kind == "bracket":
            rule = text if CONDITION.match(text) else rule
            colour = format_colour(text) or colour
            signs += TIME if re.fullmatch("h+|m+|s+", text, re.IGNORECASE) else ""
        elif kind in ("quoted", "escaped", "other"):
            signs += text
        elif kind:
            marks = {"general": DIGIT + TEXT, "digit": DIGIT, "text": TEXT, "time": TIME}
            signs += marks[kind]
    return (*found, FormatSection(signs, rule, colour))


def format_colour(name: str) -> str:
    """The colour that a number format calls `name`, such as Red or Color 3; "" for no such name."""
    if match := re.fullmatch(r"colou?r ?(\d+)", name, re.IGNORECASE):
        return numbered_colour(FIRST_NUMBERED + int(match[1]))
    return FORMAT_COLOURS.get(name.lower(), "")


def section_for(code: str, value: object) -> FormatSection:
    """The part of the number format `code` that forms `value`; a general one where none does."""
    parts = list(sections_of(code))
    last = parts[-1].signs
    is_text_last = len(parts) > 3 or (TEXT in last and (len(parts) > 1 or DIGIT not in last))
    for_text = parts.pop() if is_text_last else GENERAL
    if isinstance(value, str) or not parts:
        return for_text if isinstance(value, str) else GENERAL
    number = float(value) if isinstance(value, int | float) else 1.0  # a date counts as above zero
    if len(parts) == 1:
        usual = [True]
    else:
        usual = [number > 0 if len(parts) > 2 else number >= 0, number < 0, True]
    return next((p for p, u in zip(parts, usual, strict=False) if p.is_for(number, u)), parts[-1])


def shows(code: str, value: object) -> bool:
    """True if the number format `code` lets one read `value`, and not some other text in its place.

    A zero may be shown by a dash, or by nothing.
    """
    part = section_for(code, value)
    if isinstance(value, str):
        return TEXT in part.signs
    if part.has_value:
        return True
    is_zero = isinstance(value, int | float) and value == 0
    others = any(one.has_value and one.signs != TEXT for one in sections_of(code))
    return is_zero and others and not re.search("[1-9]", part.signs)
