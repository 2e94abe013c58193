"""Agent-made tables (csv, tsv, xlsx, json, parquet, sqlite) as plain rows, matched cell by cell."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.checks.case import Case, shown
from runner.checks.data import cell_formulas
from runner.checks.values import is_blank, plain, same, spaced

MAX_ROWS = 200_000
Tolerance = float | Mapping[str, float]  # for every column, or by column


@dataclass(frozen=True)
class Table:
    """A header and its rows; csv cells are text, the other formats' are plain Python values."""

    file: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]

    def column(self, name: str) -> list[object]:
        """The cells of the column `name` from top to bottom; KeyError when there is none."""
        if name not in self.columns:
            raise KeyError(name)
        place = self.columns.index(name)
        return [row[place] for row in self.rows]


def read(case: Case, name: str, sheet: str | None = None) -> Table:
    """The output `name` as a table, by its suffix; the first sheet, or the one called `sheet`.

    What a spreadsheet hides is not there.
    A file that cannot be read, or a missing sheet, ends the check with a failing assertion.
    """
    suffix = Path(name).suffix.lower().lstrip(".")
    with case.reading(name, suffix) as path:
        columns, rows = load(path, suffix, sheet)
        return Table(name, columns, rows)


def source(path: Path) -> Table:
    """A pristine input as a table; what is wrong with it is our own fault and raises."""
    return Table(path.name, *load(path, path.suffix.lower().lstrip(".")))


def without_index(table: Table) -> Table:
    """`table` without a nameless first column of distinct row numbers, as pandas writes one.

    They need not be in order: rows may have been sorted or left out since they were numbered.
    """
    if not table.columns or table.columns[0] not in ("", "Unnamed: 0"):
        return table
    numbers = [plain(row[0]) for row in table.rows]
    if len(set(numbers)) < len(numbers) or not all(n.isdecimal() for n in numbers):
        return table
    return Table(table.file, table.columns[1:], tuple(row[1:] for row in table.rows))


def load(
    path: Path, suffix: str, sheet: str | None = None
) -> tuple[tuple[str, ...], tuple[tuple[object, ...], ...]]:
    """Header and rows of a table file of the kind `suffix`."""
    if suffix in ("csv", "tsv", "txt"):
        return headed(read_delimited(path, "," if suffix == "csv" else "\t"))
    if suffix in ("xlsx", "xlsm"):
        return headed(read_sheet(path, sheet))
    if suffix == "json":
        return records(parsed(text_of(path)))
    if suffix == "parquet":
        return read_parquet(path)
    if suffix in ("sqlite", "db", "sqlite3"):
        return read_sqlite(path, sheet)
    raise ValueError(f"no reader for .{suffix}")


def text_of(path: Path) -> str:
    """A text file's content: UTF-8 with or without mark, UTF-16 with one, else GB 18030."""
    raw = path.read_bytes()
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("gb18030")


def parsed(text: str) -> Any:
    """The value of a JSON text, with or without a mark before it."""
    return json.loads(text.removeprefix("\ufeff"))


def read_delimited(path: Path, delimiter: str) -> Iterable[Sequence[object]]:
    text = text_of(path)
    stream = io.StringIO(text, newline="")
    return csv.reader(stream, delimiter=delimiter_of(text, delimiter), strict=True)


def delimiter_of(text: str, usual: str) -> str:
    """The sign between the fields of the first line: the `usual` one, or ; or a tab."""
    head = text.lstrip().partition("\n")[0]
    return usual if usual in head else next((sign for sign in ";\t" if sign in head), usual)


def read_sheet(path: Path, sheet: str | None) -> Iterable[Sequence[object]]:
    import openpyxl

    book = openpyxl.load_workbook(path)
    if cell_formulas.has_formulas(book):
        formulas, book = book, openpyxl.load_workbook(path, data_only=True)
        cell_formulas.compute(formulas, book)
    if sheet is not None and sheet not in book.sheetnames:
        raise ValueError(f"no sheet “{sheet}”, it has {', '.join(book.sheetnames)}")
    shown = [page for page in book.worksheets if page.sheet_state == "visible"]
    page = book[sheet] if sheet is not None else (shown or book.worksheets)[0]
    return [tuple(row) for row in page.iter_rows(values_only=True)]


def read_parquet(path: Path) -> tuple[tuple[str, ...], tuple[tuple[object, ...], ...]]:
    import pyarrow.parquet

    table = pyarrow.parquet.ParquetFile(path).read()
    if table.num_rows > MAX_ROWS:
        raise ValueError(f"more than {MAX_ROWS} rows")
    names = [n for n in table.column_names if not n.startswith("__index_level_")]
    return tuple(names), tuple(zip(*(table.column(n).to_pylist() for n in names), strict=True))


def read_sqlite(
    path: Path, table: str | None
) -> tuple[tuple[str, ...], tuple[tuple[object, ...], ...]]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as database:
        names = [
            row[0]
            for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        if (table or (names[0] if names else "")) not in names:
            raise ValueError(f"no table “{table or ''}”, it has {', '.join(names) or 'none'}")
        quoted = (table or names[0]).replace('"', '""')
        cursor = database.execute(f'SELECT * FROM "{quoted}" LIMIT {MAX_ROWS}')
        return tuple(d[0] for d in cursor.description), tuple(cursor.fetchall())


def headed(
    lines: Iterable[Sequence[object]],
) -> tuple[tuple[str, ...], tuple[tuple[object, ...], ...]]:
    """First line as header; lines that are wholly blank are dropped, short ones filled."""
    kept = [
        tuple(line)
        for line in lines
        if not all(is_blank(cell) and not (isinstance(cell, str) and cell.strip()) for cell in line)
    ]
    if not kept:
        raise ValueError("it has no rows")
    if len(kept) > MAX_ROWS:
        raise ValueError(f"more than {MAX_ROWS} rows")
    columns = tuple(spaced(cell) for cell in kept[0])
    while (
        columns
        and not columns[-1]
        and all(is_blank(c) for r in kept for c in r[len(columns) - 1 :])
    ):
        columns = columns[:-1]
    width = len(columns)
    rows = tuple((*row, *[""] * (width - len(row)))[: max(width, 0)] for row in kept[1:])
    if any(len(row) > width and not all(is_blank(c) for c in row[width:]) for row in kept[1:]):
        raise ValueError("a row has more cells than the header")
    return columns, rows


def records(value: Any) -> tuple[tuple[str, ...], tuple[tuple[object, ...], ...]]:
    """A list of objects, or an object of equally long lists, as header and rows."""
    if isinstance(value, dict) and value and all(isinstance(v, list) for v in value.values()):
        return tuple(value), tuple(zip(*value.values(), strict=True))
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        raise ValueError("it is no list of objects")
    columns = tuple(dict.fromkeys(key for row in value for key in row))
    return columns, tuple(tuple(row.get(c) for c in columns) for row in value)


def is_of_form(form: str, value: object) -> bool:
    return bool(re.fullmatch(form, str(value).strip(), re.ASCII))


def expect_form(case: Case, table: Table, column: str, form: str, said: str) -> bool:
    """Every cell of `column` has the `form` (a pattern) that the query asks for, such as `said`.

    Nothing is asked where the column is missing: `match` tells of that.
    """
    if column not in table.columns:
        return False
    other = [value for value in table.column(column) if not is_of_form(form, value)]
    example = shown(other[0])[:40] if other else "all of them"
    return case.expect(
        f"{column} as {said}",
        not other,
        said,
        example,
        table.file,
        f"{table.file} has cells of {column} in another form than {said}, such as “{example}”.",
    )


def match(
    case: Case,
    table: Table,
    expected: Sequence[Mapping[str, object]],
    *,
    key: Sequence[str] = (),
    tolerance: Tolerance = 1e-6,
    extra_columns: bool = False,
    column_order: bool = False,
) -> bool:
    """Compare `table` with the rows `expected`; True when everything holds.

    Rows are compared in order, or, with `key`, whatever their order, by the cells of those
    columns. Columns may stand in any order unless `column_order`; others than the expected ones
    are refused unless `extra_columns`, but for an index that pandas wrote.
    """
    wanted = list(expected[0])
    if table.columns and table.columns[0] not in wanted:
        table = without_index(table)
    if not expect_columns(case, table, wanted, extra_columns, column_order):
        return False
    file = table.file
    found, asked = len(table.rows), len(expected)
    message = f"{file} has {count(found, 'row')}, the query asks for {asked}."
    if not case.expect("rows", found == asked, asked, found, file, message):
        return False
    rows: list[Mapping[str, object]] = [
        dict(zip(table.columns, row, strict=True)) for row in table.rows
    ]
    if key:
        rows = aligned(rows, expected, key)
    results = [
        expect_column(case, file, column, rows, expected, key, tolerance) for column in wanted
    ]
    return all(results)


def expect_columns(
    case: Case, table: Table, wanted: Sequence[str], extra: bool, ordered: bool
) -> bool:
    actual = list(table.columns)
    missing = [name for name in wanted if name not in actual]
    surplus = [name for name in actual if name not in wanted]
    if missing:
        message = f"{table.file} lacks the column {quoted(missing)}; it has {quoted(actual)}."
    elif surplus and not extra:
        message = f"{table.file} has the column {quoted(surplus)} that the query does not ask for."
    elif len(set(actual)) < len(actual):
        message = f"{table.file} has a column twice: {quoted(actual)}."
    elif ordered and [name for name in actual if name in wanted] != list(wanted):
        message = f"{table.file} has its columns in the order {quoted(actual)}."
    else:
        message = ""
    return case.expect(
        "columns", not message, ", ".join(wanted), ", ".join(actual), table.file, message
    )


def expect_column(
    case: Case,
    file: str,
    column: str,
    rows: Sequence[Mapping[str, object]],
    expected: Sequence[Mapping[str, object]],
    key: Sequence[str],
    tolerance: Tolerance,
) -> bool:
    """One assertion for a whole column: names the first cell that differs."""
    allowed = tolerance if isinstance(tolerance, float | int) else tolerance.get(column, 1e-6)
    actual = [row.get(column) for row in rows]
    wanted = [row[column] for row in expected]
    for place, (a, e) in enumerate(zip(actual, wanted, strict=True)):
        if same(a, e, allowed):
            continue
        row = ", ".join(plain(expected[place][k]) for k in key) if key else str(place + 1)
        found = spaced(a)[:80] or "nothing"
        message = f"{file}, {column} of row {row}: expected {shown(e)}, found {found}."
        if not key and is_reordering(actual, wanted, allowed):
            message = f"{file} has the right values of {column} in another order than asked for."
        return case.expect(f"column {column}", False, e, plain(a), file, message)
    return case.expect(
        f"column {column}", True, f"{count(len(wanted), 'value')} right", "all right", file
    )


def aligned(
    rows: Sequence[Mapping[str, object]],
    expected: Sequence[Mapping[str, object]],
    key: Sequence[str],
) -> list[Mapping[str, object]]:
    """For each expected row the first unused row with the same key cells, else an empty one."""
    left = list(rows)
    found: list[Mapping[str, object]] = []
    for row in expected:
        partner = next((r for r in left if all(same(r.get(k), row[k]) for k in key)), None)
        if partner is not None:
            left.remove(partner)
        found.append(partner or {})
    return found


def is_reordering(actual: Sequence[object], wanted: Sequence[object], allowed: float) -> bool:
    left = list(actual)
    for value in wanted:
        place = next((i for i, a in enumerate(left) if same(a, value, allowed)), None)
        if place is None:
            return False
        del left[place]
    return True


def quoted(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)


def count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
