"""Computing a spreadsheet's formulas, so that what a cell shows is what its formula gives.

A file may keep a result beside each formula, which a program that computes does not ask for. Only
usual functions are known here: where another one is met, the kept result stands.
"""

from __future__ import annotations

import math
import operator
import re
import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import Any

MOST_READS = 1_000_000  # of cells, by all formulas together
MOST_NESTED = 40
REFERENCE = re.compile(
    r"(?:(?:'((?:[^']|'')+)'|([^'!\[\]]+))!)?"
    r"(\$?[A-Z]{1,3}\$?\d{1,7}(?::\$?[A-Z]{1,3}\$?\d{1,7})?|\$?[A-Z]{1,3}:\$?[A-Z]{1,3})"
)
STRONGEST = 5
BINDING = {"^": 5, "*": 4, "/": 4, "+": 3, "-": 3, "&": 2}  # comparisons bind by 1
CRITERION = re.compile(r"(<=|>=|<>|<|>|=)?(.*)", re.DOTALL)
ORDER = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}


class UnknownFormula(Exception):
    """A formula that is not understood here."""


class CellError(str):
    """An error as a cell shows it, such as “#N/A”."""

    __slots__ = ()


Area = list[list[Any]]


def compute(formulas: Any, kept: Any) -> None:
    """Put what the formulas of `formulas` give into `kept`, the same book with kept results."""
    sheets = Sheets(formulas, kept)
    for page in formulas.worksheets:
        for row in page.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    there = kept[page.title].cell(cell.row, cell.column)
                    there.value = sheets.value(page.title, cell.row, cell.column)


def has_formulas(book: Any) -> bool:
    cells = (cell for page in book.worksheets for row in page.iter_rows() for cell in row)
    return any(cell.data_type == "f" for cell in cells)


class Sheets:
    """The cells of a workbook, each computed once and when it is asked for."""

    def __init__(self, formulas: Any, kept: Any) -> None:
        self.formulas, self.kept = formulas, kept
        self.names = {page.title.lower(): page.title for page in formulas.worksheets}
        self.known: dict[tuple[str, int, int], Any] = {}
        self.depth = self.reads = 0

    def value(self, sheet: str, row: int, column: int) -> Any:
        """Value that a cell shows; for a formula that is not understood, its kept result."""
        place = (sheet, row, column)
        if place not in self.known:
            cell = self.formulas[sheet]._cells.get((row, column))
            found = cell.value if cell is not None else None
            if cell is not None and cell.data_type == "f":
                self.known[place] = self.kept_at(place)  # for a formula that asks for itself
                found = self.computed(sheet, found, place)
            elif cell is not None and cell.data_type == "e":
                found = CellError(found)
            self.known[place] = found
        return self.known[place]

    def kept_at(self, place: tuple[str, int, int]) -> Any:
        cell = self.kept[place[0]]._cells.get(place[1:])
        return cell.value if cell is not None else None

    def computed(self, sheet: str, formula: Any, place: tuple[str, int, int]) -> Any:
        text = formula if isinstance(formula, str) else getattr(formula, "text", None)
        if not isinstance(text, str) or self.depth >= MOST_NESTED:
            return self.kept_at(place)
        self.depth += 1
        try:
            return single(Parser(self, sheet, text).whole())
        except (UnknownFormula, ArithmeticError, ValueError, TypeError, IndexError, RecursionError):
            return self.kept_at(place)
        finally:
            self.depth -= 1

    def area(self, sheet: str, text: str) -> Any:
        """The value at a reference such as B2, or rows of values at B2:C9 or B:B."""
        from openpyxl.utils import range_boundaries

        match = REFERENCE.fullmatch(text)
        if match is None:
            raise UnknownFormula(text)
        named = (match[1] or match[2] or "").replace("''", "'").lower()
        if named and named not in self.names:
            return CellError("#REF!")
        sheet = self.names[named] if named else sheet
        left, top, right, bottom = range_boundaries(match[3])
        last = self.formulas[sheet].max_row
        rows = range(top or 1, min(bottom or last, max(last, top or 1)) + 1)
        self.reads += len(rows) * (right - left + 1)
        if self.reads > MOST_READS:
            raise UnknownFormula("too much to read")
        found = [[self.value(sheet, r, c) for c in range(left, right + 1)] for r in rows]
        return found if ":" in text else found[0][0]


class Parser:
    """A formula's tokens, taken one by one and computed on the way."""

    def __init__(self, sheets: Sheets, sheet: str, text: str) -> None:
        from openpyxl.formula import Tokenizer

        self.sheets, self.sheet = sheets, sheet
        self.tokens = [t for t in Tokenizer(text).items if t.type != "WHITE-SPACE"]
        self.place = 0

    def whole(self) -> Any:
        value = self.expression(1)
        if self.place < len(self.tokens):
            raise UnknownFormula("more than an expression")
        return value

    def next(self) -> Any:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def expression(self, least: int) -> Any:
        value = self.operand()
        while (token := self.next()) is not None and token.type == "OPERATOR-INFIX":
            binding = BINDING.get(token.value, 1 if token.value in ORDER else 0)
            if not binding:
                raise UnknownFormula(token.value)
            if binding < least:
                break
            self.place += 1
            value = joined(token.value, single(value), single(self.expression(binding + 1)))
        return value

    def operand(self) -> Any:
        token = self.next()
        if token is None:
            raise UnknownFormula("nothing")
        self.place += 1
        if token.type == "OPERATOR-PREFIX":
            value = numeric(single(self.expression(STRONGEST + 1)))
            negative = token.value == "-" and not isinstance(value, CellError)
            return -value if negative else value
        if token.type == "PAREN" and token.subtype == "OPEN":
            value = self.expression(1)
            self.take("PAREN")
        elif token.type == "FUNC" and token.subtype == "OPEN":
            value = self.called(token.value.rstrip("(").upper())
        elif token.type == "OPERAND":
            value = self.plain(token)
        else:
            raise UnknownFormula(token.value)
        while (after := self.next()) is not None and after.type == "OPERATOR-POSTFIX":
            self.place += 1
            value = numeric(single(value))
            value = value if isinstance(value, CellError) else value / 100
        return value

    def take(self, kind: str) -> None:
        token = self.next()
        if token is None or token.type != kind or token.subtype != "CLOSE":
            raise UnknownFormula("unbalanced")
        self.place += 1

    def plain(self, token: Any) -> Any:
        if token.subtype == "NUMBER":
            return float(token.value)
        if token.subtype == "TEXT":
            return token.value[1:-1].replace('""', '"')
        if token.subtype == "LOGICAL":
            return token.value.upper() == "TRUE"
        if token.subtype == "ERROR":
            return CellError(token.value)
        return self.sheets.area(self.sheet, token.value)

    def called(self, name: str) -> Any:
        values: list[Any] = []
        while ((token := self.next()) is not None and token.type != "FUNC") or is_opening(token):
            if token is not None and token.type == "SEP":
                self.place += 1
                continue
            values.append(self.expression(1))
        self.take("FUNC")
        return applied(name, values)


def is_opening(token: Any) -> bool:
    return token is not None and token.type == "FUNC" and token.subtype == "OPEN"


def applied(name: str, values: list[Any]) -> Any:
    """Result of the function `name` for `values`; newer ones have a prefix such as “_xlfn.”."""
    bare = name.rpartition(".")[2]
    if bare in LAZY:
        return LAZY[bare](values)
    if bare not in FUNCTIONS:
        raise UnknownFormula(name)
    fault = next((v for v in flat(values) if isinstance(v, CellError)), None)
    return fault if fault is not None else FUNCTIONS[bare](values)


def single(value: Any) -> Any:
    """The one value of an area of one cell; an area of more is not understood."""
    if isinstance(value, list):
        if len(value) != 1 or len(value[0]) != 1:
            raise UnknownFormula("an area in place of a value")
        return value[0][0]
    return value


def flat(values: Iterable[Any]) -> Iterable[Any]:
    for value in values:
        if isinstance(value, list):
            yield from (cell for row in value for cell in row)
        else:
            yield value


def numeric(value: Any) -> Any:
    """A value as a number in a calculation, or the error that it gives."""
    if isinstance(value, CellError):
        return value
    if value is None:
        return 0.0
    if isinstance(value, bool | int | float):
        return float(value)
    try:
        return float(value)
    except (TypeError, ValueError):
        if isinstance(value, str):
            return CellError("#VALUE!")
        raise UnknownFormula("a date or the like") from None


def joined(sign: str, left: Any, right: Any) -> Any:
    for value in (left, right):
        if isinstance(value, CellError):
            return value
    if sign == "&":
        return text_of([left, right])
    if sign in ORDER:
        return compared(sign, left, right)
    one, other = numeric(left), numeric(right)
    fault = next((v for v in (one, other) if isinstance(v, CellError)), None)
    if fault is not None:
        return fault
    if sign == "/":
        return one / other if other else CellError("#DIV/0!")
    steps = {"+": operator.add, "-": operator.sub, "*": operator.mul, "^": math.pow}
    return steps[sign](one, other)


def text_of(values: Iterable[Any]) -> str:
    """The values one after the other, as a cell would show them."""
    return "".join(map(written, flat(values)))


def written(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    return f"{value:.15g}" if isinstance(value, int | float) else str(value)


def compared(sign: str, left: Any, right: Any) -> bool:
    """Numbers come before texts, whose case does not matter, and those before truth values."""
    keys = [rank(one, other) for one, other in ((left, right), (right, left))]
    return bool(ORDER[sign](*keys))


def rank(value: Any, other: Any) -> tuple[int, Any]:
    if value is None:
        value = "" if isinstance(other, str) else 0.0
    if isinstance(value, bool):
        return 2, value
    if isinstance(value, int | float):
        return 0, float(value)
    if isinstance(value, str):
        return 1, value.lower()
    raise UnknownFormula("a date or the like")


def numbers(values: Iterable[Any]) -> list[float]:
    """The numbers among `values`: in areas texts are left out, alone they are converted."""
    found: list[float] = []
    for value in values:
        if isinstance(value, list):
            cells = list(flat([value]))
            if any(c is not None and not isinstance(c, bool | int | float | str) for c in cells):
                raise UnknownFormula("a date or the like")
            found += [float(c) for c in cells if isinstance(c, int | float) and c is not True]
        elif value is not None:
            number = numeric(value)
            if isinstance(number, CellError):
                raise UnknownFormula("a text in place of a number")
            found.append(number)
    return found


def mean(values: Sequence[float]) -> Any:
    return statistics.fmean(values) if values else CellError("#DIV/0!")


def to_places(values: list[Any], turn: Callable[[float], float]) -> float:
    number, places = (*numbers(values), 0.0)[:2]
    scale = 10.0 ** int(places)
    return math.copysign(turn(round(abs(number) * scale, 9)), number) / scale


def is_met(value: Any, criterion: Any) -> bool:
    """True if a cell meets a criterion such as 5, "north" or ">=10"."""
    if not isinstance(criterion, str):
        return bool(value == criterion)
    match = CRITERION.fullmatch(criterion)
    assert match is not None
    sign, text = match[1] or "=", match[2]
    try:
        wanted = float(text)
    except ValueError:
        return bool(ORDER[sign](written(value).lower(), text.lower()))
    return bool(ORDER[sign](value, wanted)) if isinstance(value, int | float) else sign == "<>"


def chosen(pairs: Sequence[Any], size: int) -> list[bool]:
    """Mask of the `size` cells that meet all of the pairs of an area and a criterion."""
    kept = [True] * size
    for area, criterion in zip(pairs[::2], pairs[1::2], strict=True):
        cells = list(flat([area]))
        if len(cells) != size:
            raise UnknownFormula("areas of different sizes")
        asked = single(criterion)
        kept = [k and is_met(cell, asked) for k, cell in zip(kept, cells, strict=True)]
    return kept


def met(area: Any, pairs: Sequence[Any]) -> list[float]:
    """The numbers of `area` beside which all criteria are met."""
    cells = list(flat([area]))
    kept = chosen(pairs, len(cells))
    return numbers([[[cell] for cell, keep in zip(cells, kept, strict=True) if keep]])


def one_area(values: list[Any]) -> tuple[Any, list[Any]]:
    return (values[2] if len(values) > 2 else values[0]), values[:2]


def product_sum(values: list[Any]) -> float:
    lists = [[float(c) if isinstance(c, int | float) else 0.0 for c in flat([v])] for v in values]
    return math.fsum(math.prod(group) for group in zip(*lists, strict=True))


def if_true(values: list[Any]) -> Any:
    asked = single(values[0])
    if isinstance(asked, CellError):
        return asked
    if isinstance(asked, str):
        return CellError("#VALUE!")
    return values[1] if asked else (values[2] if len(values) > 2 else False)


def if_fault(values: list[Any]) -> Any:
    return values[1] if isinstance(single(values[0]), CellError) else values[0]


LAZY: dict[str, Callable[[list[Any]], Any]] = {
    "NA": lambda values: CellError("#N/A"),
    "IF": if_true,
    "IFERROR": if_fault,
    "COUNT": lambda values: float(
        sum(isinstance(v, int | float) and not isinstance(v, bool) for v in flat(values))
    ),
    "COUNTA": lambda values: float(sum(v is not None for v in flat(values))),
    "COUNTIF": lambda values: float(sum(chosen(values, len(list(flat(values[:1])))))),
    "COUNTIFS": lambda values: float(sum(chosen(values, len(list(flat(values[:1])))))),
}
FUNCTIONS: dict[str, Callable[[list[Any]], Any]] = {
    "SUM": lambda values: math.fsum(numbers(values)),
    "AVERAGE": lambda values: mean(numbers(values)),
    "MEDIAN": lambda values: statistics.median(numbers(values)),
    "MIN": lambda values: min(numbers(values), default=0.0),
    "MAX": lambda values: max(numbers(values), default=0.0),
    "PRODUCT": lambda values: math.prod(numbers(values)),
    "SUMPRODUCT": product_sum,
    "ABS": lambda values: abs(numbers(values)[0]),
    "INT": lambda values: float(math.floor(numbers(values)[0])),
    "SQRT": lambda values: math.sqrt(numbers(values)[0]),
    "ROUND": lambda values: to_places(values, lambda v: math.floor(v + 0.5)),
    "ROUNDDOWN": lambda values: to_places(values, math.floor),
    "ROUNDUP": lambda values: to_places(values, math.ceil),
    "SUMIF": lambda values: math.fsum(met(*one_area(values))),
    "AVERAGEIF": lambda values: mean(met(*one_area(values))),
    "SUMIFS": lambda values: math.fsum(met(values[0], values[1:])),
    "AVERAGEIFS": lambda values: mean(met(values[0], values[1:])),
    "AND": lambda values: all(flat(values)),
    "OR": lambda values: any(flat(values)),
    "NOT": lambda values: not single(values[0]),
    "TRUE": lambda values: True,
    "FALSE": lambda values: False,
    "CONCAT": text_of,
    "CONCATENATE": text_of,
    "LEN": lambda values: float(len(written(single(values[0])))),
}
