"""Computing a spreadsheet's formulas, so that what a cell shows is what its formula gives.

A file may keep a result beside each formula, which a program that computes does not ask for. Only
usual functions are known here: where another one is met, or an error, the kept result stands.
"""

from __future__ import annotations

import math
import operator
import re
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

MOST_READS = 1_000_000  # of cells, by all formulas together
MOST_NESTED = 40
REFERENCE = re.compile(
    r"(?:(?:'((?:[^']|'')+)'|([^'!\[\]]+))!)?"
    r"(\$?[A-Z]{1,3}\$?\d{1,7}(?::\$?[A-Z]{1,3}\$?\d{1,7})?|\$?[A-Z]{1,3}:\$?[A-Z]{1,3})"
)
CRITERION = re.compile(r"(<=|>=|<>|<|>|=)?(.*)", re.DOTALL)
ORDER = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}
ARITHMETIC = {
    "^": math.pow,
    "*": operator.mul,
    "/": operator.truediv,
    "+": operator.add,
    "-": operator.sub,
}
BINDING = {"^": 4, "*": 3, "/": 3, "+": 2, "-": 2} | dict.fromkeys(ORDER, 1)

Term = Callable[[], Any]  # a part of a formula, computed when it is needed
FAULTS = (ArithmeticError, ValueError, TypeError, LookupError, RecursionError)


class UnknownFormulaError(ValueError):
    """A formula that is not understood here."""


def compute(formulas: Any, kept: Any) -> None:
    """Put what the formulas of `formulas` give into `kept`, the same book with kept results."""
    sheets = Sheets(formulas, kept)
    for page in formulas.worksheets:
        for cell in formulas_of(page):
            there = kept[page.title].cell(cell.row, cell.column)
            there.value = sheets.value(page.title, cell.row, cell.column)


def has_formulas(book: Any) -> bool:
    return any(True for page in book.worksheets for _ in formulas_of(page))


def formulas_of(page: Any) -> Iterator[Any]:
    return (cell for row in page.iter_rows() for cell in row if cell.data_type == "f")


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
            self.known[place] = cell.value if cell is not None else None
            if cell is not None and cell.data_type == "f":
                there = self.kept[sheet]._cells.get((row, column))
                self.known[place] = there.value if there is not None else None
                self.known[place] = self.computed(sheet, cell.value, self.known[place])
        return self.known[place]

    def computed(self, sheet: str, formula: Any, kept: Any) -> Any:
        if not isinstance(formula, str) or self.depth >= MOST_NESTED:
            return kept
        self.depth += 1
        try:
            return single(Parser(self, sheet, formula).whole()())
        except FAULTS:
            return kept
        finally:
            self.depth -= 1

    def area(self, sheet: str, text: str) -> Any:
        """The value at a reference such as B2, or rows of values at B2:C9 or B:B."""
        from openpyxl.utils import range_boundaries

        match = REFERENCE.fullmatch(text)
        if match is None:
            raise UnknownFormulaError(text)
        named = (match[1] or match[2] or sheet).replace("''", "'").lower()
        sheet = self.names[named]
        left, top, right, bottom = range_boundaries(match[3])
        last = self.formulas[sheet].max_row
        rows = range(top or 1, min(bottom or last, max(last, top or 1)) + 1)
        self.reads += len(rows) * (right - left + 1)
        if self.reads > MOST_READS:
            raise UnknownFormulaError("too much to read")
        found = [[self.value(sheet, r, c) for c in range(left, right + 1)] for r in rows]
        return found if ":" in text else found[0][0]


class Parser:
    """A formula's tokens, taken one by one, as a term that computes it."""

    def __init__(self, sheets: Sheets, sheet: str, text: str) -> None:
        from openpyxl.formula import Tokenizer

        self.sheets, self.sheet = sheets, sheet
        self.tokens = [t for t in Tokenizer(text).items if t.type != "WHITE-SPACE"]
        self.place = 0

    def whole(self) -> Term:
        term = self.expression(1)
        if self.place < len(self.tokens):
            raise UnknownFormulaError("more than an expression")
        return term

    def is_at(self, kind: str, subtype: str = "") -> bool:
        if self.place >= len(self.tokens):
            return False
        token = self.tokens[self.place]
        return bool(token.type == kind and token.subtype == subtype)

    def expression(self, least: int) -> Term:
        term = self.operand()
        while self.is_at("OPERATOR-INFIX"):
            sign = self.tokens[self.place].value
            if BINDING[sign] < least:
                break
            self.place += 1
            term = joined(sign, term, self.expression(BINDING[sign] + 1))
        return term

    def operand(self) -> Term:
        token = self.tokens[self.place]
        self.place += 1
        if token.type == "OPERATOR-PREFIX":
            sign, inner = (-1.0 if token.value == "-" else 1.0), self.expression(5)
            return lambda: sign * numeric(inner())
        if token.type == "FUNC":
            return self.called(token.value.rstrip("(").upper().rpartition(".")[2])
        if token.type == "PAREN":
            inner = self.expression(1)
            self.place += 1
            return inner
        if token.subtype == "NUMBER":
            return lambda: float(token.value)
        if token.subtype == "TEXT":
            return lambda: token.value[1:-1].replace('""', '"')
        return lambda: self.sheets.area(self.sheet, token.value)

    def called(self, name: str) -> Term:
        terms: list[Term] = []
        while not self.is_at("FUNC", "CLOSE"):
            terms.append(self.expression(1))
            self.place += self.is_at("SEP", "ARG")
        self.place += 1
        if name in LAZY:
            return lambda: LAZY[name](terms)
        function = FUNCTIONS[name]
        return lambda: function([term() for term in terms])


def joined(sign: str, left: Term, right: Term) -> Term:
    if sign in ORDER:
        return lambda: ORDER[sign](single(left()), single(right()))
    return lambda: ARITHMETIC[sign](numeric(left()), numeric(right()))


def single(value: Any) -> Any:
    """The one value of an area of one cell; an area of more is not understood."""
    if isinstance(value, list):
        [[value]] = value
    return value


def numeric(value: Any) -> float:
    return float(single(value) or 0.0)


def flat(values: Iterable[Any]) -> list[Any]:
    """The values, those of areas cell by cell."""
    found: list[Any] = []
    for value in values:
        found += [cell for row in value for cell in row] if isinstance(value, list) else [value]
    return found


def numbers(values: Iterable[Any]) -> list[float]:
    """The numbers among `values`: texts and blanks are left out."""
    found = (v for v in flat(values) if isinstance(v, int | float) and not isinstance(v, bool))
    return [float(v) for v in found]


def to_places(values: list[Any], turn: Callable[[float], float]) -> float:
    number, scale = numeric(values[0]), 10.0 ** int(numeric(values[1]) if values[1:] else 0)
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
        return bool(ORDER[sign](str(value or "").lower(), text.lower()))
    return bool(ORDER[sign](value, wanted)) if isinstance(value, int | float) else sign == "<>"


def chosen(area: Any, pairs: Sequence[Any]) -> list[Any]:
    """The cells of `area` beside which all criteria of the (area, criterion) `pairs` are met."""
    cells = flat([area])
    kept = [True] * len(cells)
    for other, criterion in zip(pairs[::2], pairs[1::2], strict=True):
        asked = single(criterion)
        both = zip(kept, flat([other]), strict=True)
        kept = [keep and is_met(cell, asked) for keep, cell in both]
    return [cell for cell, keep in zip(cells, kept, strict=True) if keep]


def beside(values: list[Any]) -> list[float]:
    """The numbers that SUMIF and AVERAGEIF take: of the third area, else of the first."""
    return numbers([[chosen(values[2] if values[2:] else values[0], values[:2])]])


def if_fault(terms: list[Term]) -> Any:
    try:
        return single(terms[0]())
    except ArithmeticError:
        return terms[1]()


def if_true(terms: list[Term]) -> Any:
    if single(terms[0]()):
        return terms[1]()
    return terms[2]() if terms[2:] else False


LAZY: dict[str, Callable[[list[Term]], Any]] = {"IF": if_true, "IFERROR": if_fault}
FUNCTIONS: dict[str, Callable[[list[Any]], Any]] = {
    "SUM": lambda values: math.fsum(numbers(values)),
    "AVERAGE": lambda values: statistics.fmean(numbers(values)),
    "MEDIAN": lambda values: statistics.median(numbers(values)),
    "MIN": lambda values: min(numbers(values), default=0.0),
    "MAX": lambda values: max(numbers(values), default=0.0),
    "COUNT": lambda values: float(len(numbers(values))),
    "COUNTA": lambda values: float(sum(value is not None for value in flat(values))),
    "ABS": lambda values: abs(numeric(values[0])),
    "ROUND": lambda values: to_places(values, lambda v: math.floor(v + 0.5)),
    "ROUNDDOWN": lambda values: to_places(values, math.floor),
    "ROUNDUP": lambda values: to_places(values, math.ceil),
    "COUNTIF": lambda values: float(len(chosen(values[0], values))),
    "COUNTIFS": lambda values: float(len(chosen(values[0], values))),
    "SUMIF": lambda values: math.fsum(beside(values)),
    "SUMIFS": lambda values: math.fsum(numbers([[chosen(values[0], values[1:])]])),
    "AVERAGEIF": lambda values: statistics.fmean(beside(values)),
    "AVERAGEIFS": lambda values: statistics.fmean(numbers([[chosen(values[0], values[1:])]])),
    "AND": lambda values: all(flat(values)),
    "OR": lambda values: any(flat(values)),
}
