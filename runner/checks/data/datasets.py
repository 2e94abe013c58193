"""Agent-made tables as data sets: the same rows in any order, and aggregates of any usual kind."""

from __future__ import annotations

import csv
import io
import math
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path

from runner.checks.case import Case
from runner.checks.data import tables
from runner.checks.data.tables import Table, count, headed, quoted
from runner.checks.values import WIDE, is_blank, number, plain, spaced

DIGITS = 10  # to which two numbers of a table must agree
LEAST_IDENTIFIER = 1e15  # larger whole numbers are no measures
KEPT_DIGITS = 14  # of them; a spreadsheet keeps 15, and may round the last
KEPT = ("first of", "last of")  # what a mere choice of one row gives
LEAST_FIGURES = 3  # of numbers rounded to less than two decimals; 2 if a name says how made
FEW_GROUPS = 2  # that may have the same figure
MOST_KEPT = 3  # columns that such a choice would explain, all of a table's
KEPT_WORDS = r"first|last|earliest|latest|initial|首|末|最早|最新|最近|第一|最后"  # in a name
MERGED = r"[_.](?:x|left|l|a|1|first|xlsx|csv|excel)$"  # put behind a name by a merge

Row = dict[str, object]


def source_in(path: Path, encoding: str) -> Table:
    """A pristine csv in an `encoding` that its bytes do not reveal, as a table."""
    stream = io.StringIO(path.read_bytes().decode(encoding), newline="")
    return Table(path.name, *headed(csv.reader(stream, strict=True)))


def rows_of(table: Table) -> list[Row]:
    """The rows as {column: cell}."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def cell(value: object) -> str:
    """`value` so that two ways of writing the same number, text or blank become equal."""
    if is_blank(value):
        return ""
    text = spaced(value)
    if WIDE.search(text):  # what full-width signs say is another: no search would find it
        return text
    found = number(value)
    if found is None:
        return plain(value)
    if abs(found) >= LEAST_IDENTIFIER:
        return f"{found:.0f}"[:KEPT_DIGITS] + f" of {len(f'{found:.0f}')}"
    return f"{found + 0.0:.{DIGITS}g}"


def renamed(table: Table, wanted: Sequence[str]) -> Table:
    """`table` with its columns called as in `wanted`, whatever their case, signs or `_x`.

    A column that has a wanted name exactly is the one that a reader takes.
    """

    def bare(name: str) -> str:
        return re.sub(r"[\W_]", "", name).lower()

    by_bare = {bare(name): name for name in wanted if name not in table.columns}
    columns = []
    for name in table.columns:
        match = by_bare.get(bare(name)) or by_bare.get(bare(re.sub(MERGED, "", name)))
        match = name if name in wanted or not match else match
        columns.append(name if match in columns else match)
    return Table(table.file, tuple(columns), table.rows)


def read_as(case: Case, name: str, source: Table) -> Table:
    """The output `name` without pandas' index, its columns called as those of `source`."""
    return renamed(tables.without_index(tables.read(case, name)), source.columns)


def expect_all_columns(case: Case, table: Table, wanted: Sequence[str], most_more: int) -> bool:
    """`table` has the columns `wanted`, and at most `most_more` others: more would bury them."""
    missing = [column for column in wanted if column not in table.columns]
    more = len(table.columns) - len(wanted)
    message = f"{table.file} has {more} more columns than the {len(wanted)} of the input."
    if missing:
        message = (
            f"{table.file} lacks the column {quoted(missing)}; it has {quoted(table.columns)}."
        )
    return case.expect(
        "columns",
        not missing and more <= most_more,
        ", ".join(wanted),
        ", ".join(table.columns),
        table.file,
        message,
    )


def expect_same_rows(
    case: Case, table: Table, wanted: Table, copies: Sequence[int] = (1,), name: str = "rows"
) -> bool:
    """`table` holds every row of `wanted`, each as often as one of `copies` says, in any order.

    Columns may stand in any order, about as many others may be there as well; numbers are
    compared by value.
    """
    if not expect_all_columns(case, table, wanted.columns, len(wanted.columns) + 2):
        return False
    places = [table.columns.index(column) for column in wanted.columns]
    found = Counter(tuple(cell(row[place]) for place in places) for row in table.rows)
    asked = Counter(tuple(cell(value) for value in row) for row in wanted.rows)
    good = any(found == Counter({k: n * times for k, n in asked.items()}) for times in copies)
    strange, lost = list((found - asked).elements()), list((asked - found).elements())
    example = ", ".join((strange or lost or [("",)])[0])[:160]
    message = (
        f"{table.file} has {count(len(table.rows), 'row')}, of which {len(strange)} are not in the "
        f"data asked for, and {len(lost)} are missing (such as: {example})."
    )
    wanted_text = " or ".join(str(len(wanted.rows) * times) for times in copies)
    return case.expect(name, good, f"{wanted_text} rows", len(table.rows), table.file, message)


def flattened(table: Table) -> Table:
    """`table` with the several header lines that pandas writes for an aggregate made one.

    ("", "cost", "cost"), ("", "mean", "sum"), ("network", "", "") becomes network, cost mean, ...
    """
    columns, rows = list(table.columns), list(table.rows)
    while rows and len(rows) > 1 and is_header_line(rows[0], rows[1:]):
        columns = [
            " ".join(part for part in (name, plain(value)) if part)
            for name, value in zip(columns, rows[0], strict=True)
        ]
        rows = rows[1:]
    return Table(table.file, tuple(columns), tuple(rows))


def is_header_line(line: Sequence[object], below: Sequence[Sequence[object]]) -> bool:
    """True if `line` has words over columns of numbers, or nothing but its first cell."""
    if len(line) > 1 and all(is_blank(value) for value in line[1:]):
        return True
    numeric = [
        place
        for place in range(1, len(line))
        if sum(number(row[place]) is not None for row in below) * 2 > len(below)
    ]
    return bool(numeric) and all(
        not is_blank(line[place]) and number(line[place]) is None for place in numeric
    )


def groups_of(table: Table, key: str) -> dict[str, list[Row]]:
    """The rows by the text in column `key`; a blank key is ""."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows_of(table):
        found["" if is_blank(row[key]) else plain(row[key])].append(row)
    return dict(found)


def quantile(values: Sequence[float], share: float) -> float:
    """The `share` quantile, linear between neighbours as pandas and NumPy do by default."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


AGGREGATES: dict[str, Callable[[list[float]], float]] = {
    "sum": sum,
    "mean": statistics.fmean,
    "median": statistics.median,
    "min": min,
    "max": max,
    "std": lambda values: statistics.stdev(values) if len(values) > 1 else math.nan,
    "var": lambda values: statistics.variance(values) if len(values) > 1 else math.nan,
    "first": lambda values: values[0],
    "last": lambda values: values[-1],
    "lower quartile": lambda values: quantile(values, 0.25),
    "upper quartile": lambda values: quantile(values, 0.75),
}


def aggregates_of(rows: Sequence[Row], column: str) -> dict[str, float]:
    """Results of the usual functions over the numbers in `column`, blanks left out."""
    numbers = [n for row in rows if (n := number(row[column])) is not None]
    filled = [row[column] for row in rows if not is_blank(row[column])]
    found = {
        "count": float(len(filled)),
        "distinct": float(len({cell(value) for value in filled})),
        "size": float(len(rows)),
    }
    if numbers:
        found |= {name: function(numbers) for name, function in AGGREGATES.items()}
    else:
        found["sum"] = 0.0
    return found


NAMED = {  # what the name of a column says of the function behind it
    r"mean|average|avg|均值|平均": ("mean",),
    r"sum|total|总和|总计|合计|总数": ("sum", "size", "count", "distinct"),
    r"median|中位": ("median",),
    r"min|minimum|lowest|最小|最低": ("min",),
    r"max|maximum|highest|最大|最高": ("max",),
    r"std|deviation|标准差": ("std",),
    r"var|variance|方差": ("var",),
    r"count|counts|number|num|n|size|计数|数量|个数|次数": ("size", "count", "distinct"),
}
COUNTING = (
    r"count|counts|movies|films|games|episodes|rows|records|items|entries|计数|数量|个数|次数"
)


def promised(column: str, source: Sequence[str]) -> set[str]:
    """The functions that a column's name speaks of beside the names in `source`; none: any."""
    rest = column.lower()
    for name in sorted(source, key=len, reverse=True):
        rest = rest.replace(name.lower(), " ")
    words = re.findall(r"[a-z]+|[\u4e00-\u9fff]+", rest)
    found = [
        functions
        for pattern, functions in NAMED.items()
        if any(re.fullmatch(pattern, w) or (w > "\u4e00" and re.search(pattern, w)) for w in words)
    ]
    if not found and not source and is_count(column):
        return {"size", "count", "distinct"}
    return {function for functions in found for function in functions}


def decimals_of(values: Iterable[object], least_figures: int) -> int:
    """The decimals that numbers are given with, where they have so many figures; else 2."""
    most, figures = 0, 0
    for value in values:
        found = number(value)
        if found is not None:
            text = f"{found:.10g}"
            most = max(most, len(text.partition(".")[2]))
            figures = max(figures, len(text.replace(".", "").lstrip("-0")))
    return min(2, most) if figures >= least_figures else 2


def explained(
    actual: Mapping[str, object],
    groups: Mapping[str, Sequence[Row]],
    columns: Sequence[str],
    functions: Collection[str] = (),
) -> list[str]:
    """Names of the aggregates ("mean of cost") that give the figures `actual`, by group.

    Only those made by one of `functions`, where some are given.
    """
    found = []
    least = LEAST_FIGURES - 1 if functions else LEAST_FIGURES
    slack = 0.5 * 10 ** -decimals_of(actual.values(), least) + 0.0001
    for column in columns:
        by_group = {key: aggregates_of(rows, column) for key, rows in groups.items()}
        names = dict.fromkeys(name for made in by_group.values() for name in made)
        found += [
            f"{name} of {column}"
            for name in names
            if not functions or name in functions
            if all(fits(actual[key], by_group[key].get(name, math.nan), slack) for key in groups)
        ]
    return found


def fits(actual: object, expected: float, slack: float = 0.0051) -> bool:
    """True if `actual` is `expected`, give or take `slack`; NaN is a blank."""
    if math.isnan(expected):
        return is_blank(actual)
    found = number(actual)
    return found is not None and abs(found - expected) <= slack + 1e-6 * abs(expected)


def expect_aggregated(
    case: Case, table: Table, key: str, variants: Sequence[Mapping[str, Sequence[Row]]]
) -> bool:
    """`table` has one row for each group of one of `variants` and figures that were computed.

    At least one column beside `key` must hold an aggregate of the input; a column that is called
    after one of the input must hold an aggregate of that one, and of the function that it names.
    """
    if key not in table.columns:
        message = f"{table.file} lacks the column {quoted([key])}; it has {quoted(table.columns)}."
        return case.expect(
            "grouped column", False, key, ", ".join(table.columns), table.file, message
        )
    by_key = {"" if is_blank(row[key]) else plain(row[key]): row for row in rows_of(table)}
    variant = next((v for v in variants if set(v) == set(by_key)), None)
    asked = sorted(variants[0])
    message = (
        f"{table.file} has {count(len(table.rows), 'row')} for {len(by_key)} different values of "
        f"{key}, expected one row for each of {', '.join(asked)[:120]}."
    )
    one_each = variant is not None and len(table.rows) == len(by_key)
    if not case.expect(
        "one row for each group", one_each, len(asked), len(table.rows), table.file, message
    ):
        return False
    same_groups = [v for v in variants if set(v) == set(by_key)]
    return expect_figures(case, table, key, by_key, same_groups)


def is_count(column: str) -> bool:
    """True if a column's name says that it counts something."""
    return bool(re.fullmatch(rf"(?:[a-z_ ]*[_ ])?(?:{COUNTING})", column.lower().strip()))


def expect_figures(
    case: Case,
    table: Table,
    key: str,
    by_key: Mapping[str, Row],
    variants: Sequence[Mapping[str, Sequence[Row]]],
) -> bool:
    """The columns beside `key` are aggregates of the input's."""
    inputs = list(next(iter(variants[0].values()))[0])
    known, unknown, kept, bare, other = [], [], [], [], []
    for column in table.columns:
        if column == key:
            continue
        actual = {group: row[column] for group, row in by_key.items()}
        source = [name for name in inputs if name.lower() in column.lower()]
        functions = promised(column, source)
        columns = source or inputs
        made = [e for one in variants for e in explained(actual, one, columns, functions)]
        if not source and len(actual) > FEW_GROUPS and len({cell(v) for v in actual.values()}) == 1:
            made = []  # one number for each: computed of nothing
        if made:
            known.append(f"{column}: {made[0]}")
            is_told = bool(re.search(KEPT_WORDS, column.lower()))
            kept += [c for c in [column] if any(e.startswith(KEPT) for e in made)]
            bare += [c for c in [column] if all(e.startswith(KEPT) for e in made) and not is_told]
        elif (source or is_count(column)) and any(
            number(value) is not None for value in actual.values()
        ):
            unknown.append(column)
        elif any(number(value) is not None for value in actual.values()):
            other.append(column)
    fault = ""
    if unknown:
        fault = f"{table.file}: {quoted(unknown)} is no sum, mean, count or the like of its groups."
    elif len(kept) == len(known) and (bare or len(known) >= MOST_KEPT):
        fault = f"{table.file} holds one row of each group as it was, and no aggregate of them."
    elif len(other) > max(1, len(known)):
        fault = f"{table.file}: {quoted(other)} cannot be computed from its groups."
    elif not known:
        fault = f"{table.file} holds no figure that an aggregation of the groups would give."
    return case.expect(
        "aggregates",
        not fault,
        "figures computed from each group's rows",
        "; ".join(known)[:300] or "none",
        table.file,
        fault,
    )
