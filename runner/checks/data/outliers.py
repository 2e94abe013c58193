"""Judging how outliers were treated: by what became of which cells, not by one formula."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runner.checks.case import Case
from runner.checks.data.datasets import cell, expect_all_columns, quantile, rows_of
from runner.checks.data.tables import Table, count
from runner.checks.values import is_blank, number, plain

LEFT_OVER = 0.5  # of a way beyond a rule's bound: other rows left out give it another place
NEAR_BOUND = 0.1  # standard deviations, for the same
LEAST_JOINT, MOST_JOINT = 0.01, 0.15  # of the rows that a rule over all columns removes
LEAST_SHARED = 0.5  # of them, that are among as many rows most remote by all columns together
LEAST_ODD = 0.9  # of them, that are among twice as many, or outlying in a column
LEAST_DECIMALS = 2  # of a number that may have been rounded
MOST_ASTRAY = 0.02  # of the cells changed, that were no outlier by any usual rule


@dataclass(frozen=True)
class Spread:
    """Spread of a column's numbers: its fences and its standard deviation."""

    low: float
    high: float
    lower: float  # first quartile - 1.5 interquartile ranges
    upper: float
    mean: float
    deviation: float
    middle: float
    near_low: float  # 5 % of the numbers lie below
    near_high: float
    caps: tuple[tuple[float, float], ...] = ()  # between which 98 %, 96 % and 90 % of them lie

    def is_beyond_fence(self, value: float) -> bool:
        return value < self.lower or value > self.upper

    def is_remote(self, value: float, deviations: float) -> bool:
        return abs(value - self.mean) > deviations * self.deviation

    @property
    def bounds(self) -> list[tuple[float, float]]:
        """Bounds of the usual rules: 1.5 and 3 interquartile ranges, 2 and 3 deviations."""
        more = (self.upper - self.lower) * 3 / 8  # 1.5 of its four interquartile ranges
        far = [(self.mean - n * self.deviation, self.mean + n * self.deviation) for n in (2, 3)]
        return [(self.lower, self.upper), (self.lower - more, self.upper + more), *far]

    def is_pulled_in(self, old: float, new: float) -> bool:
        """True if `old` is an outlier by a usual rule by which `new` is none, or hardly one."""
        slack = NEAR_BOUND * self.deviation
        if any(beyond(old, cap) > 0 >= beyond(new, cap) for cap in self.caps):
            return True
        return any(
            beyond(old, bound) > max(0, beyond(new, bound))
            and beyond(new, bound) <= max(LEFT_OVER * beyond(old, bound), slack)
            for bound in self.bounds
        )

    def may_be_called_outlier(self, value: float) -> bool:
        """By any usual rule, the widest of them included."""
        return (
            self.is_beyond_fence(value)
            or self.is_remote(value, 2)
            or value < self.near_low
            or value > self.near_high
        )


def beyond(value: float, bound: tuple[float, float]) -> float:
    """The way by which `value` lies outside of `bound`; below zero inside."""
    return max(bound[0] - value, value - bound[1])


def spread_of(values: Sequence[float]) -> Spread:
    first, third = quantile(values, 0.25), quantile(values, 0.75)
    reach = 1.5 * (third - first)
    return Spread(
        min(values),
        max(values),
        first - reach,
        third + reach,
        statistics.fmean(values),
        statistics.stdev(values),
        statistics.median(values),
        quantile(values, 0.05),
        quantile(values, 0.95),
        tuple((quantile(values, p), quantile(values, 1 - p)) for p in (0.01, 0.02, 0.05)),
    )


@dataclass(frozen=True)
class Treatment:
    """Treatment of a data set's rows and cells; a row is its place in the input."""

    removed: tuple[int, ...]
    changed: Mapping[tuple[int, str], object]  # the new cells
    invented: int  # rows that the input does not have
    altered: tuple[str, ...]  # descriptions of cells changed outside the measures


def is_rounded(after: object, before: object) -> bool:
    """True if a number is another one in fewer decimals, of which it has two or more."""
    new, old = number(after), number(before)
    decimals = len(plain(after).partition(".")[2])
    if new is None or old is None or decimals < LEAST_DECIMALS:
        return False
    return abs(new - old) <= 0.5 * 10.0**-decimals + 1e-12


def treatment_of(
    table: Table, source: Table, keys: Sequence[str], measures: Sequence[str]
) -> Treatment:
    """Pair the rows of `table` with those of `source` by the cells of `keys`."""
    places = {
        tuple(cell(row[key]) for key in keys): place for place, row in enumerate(rows_of(source))
    }
    originals = rows_of(source)
    left = dict(places)
    changed: dict[tuple[int, str], object] = {}
    invented, altered = 0, []
    for row in rows_of(table):
        place = left.pop(tuple(cell(row.get(key)) for key in keys), None)
        if place is None:
            invented += 1
            continue
        for column, before in originals[place].items():
            if cell(row[column]) == cell(before) or is_rounded(row[column], before):
                continue
            if column in measures:
                changed[place, column] = row[column]
            else:
                altered.append(f"{column}: {cell(before)} became {cell(row[column])}")
    return Treatment(tuple(left.values()), changed, invented, tuple(altered))


def expect_outliers_treated(
    case: Case,
    table: Table,
    source: Table,
    keys: Sequence[str],
    measures: Sequence[str],
    deviations: float,
) -> bool:
    """Outliers of `measures` were removed, blanked or pulled in, and little else was touched.

    Half of the cells that lie beyond the 1.5 IQR fence *and* more than `deviations` standard
    deviations off must be gone; columns without an interquartile range are left to taste. What
    was removed or changed must be an outlier by some usual rule, and a new value lies nearer to
    the middle. Removing the rows that are most remote by all measures together will do as well.
    """
    if not expect_all_columns(
        case, table, source.columns, 3 * len(source.columns)
    ):  # flags, scores
        return False
    rows = rows_of(source)
    values = {m: [float(number(row[m]) or 0) for row in rows] for m in measures}
    spreads = {m: spread_of(values[m]) for m in measures}
    done = treatment_of(table, source, keys, measures)
    if are_jointly_remote(values, spreads, done):
        return expect_kept(case, table, done)
    return all(
        [
            expect_kept(case, table, done),
            expect_removed_outliers(case, table, source, values, spreads, done),
            expect_pulled_in(case, table, values, spreads, done),
            expect_no_remote(case, table, values, spreads, done, deviations),
        ]
    )


def are_jointly_remote(
    values: Mapping[str, Sequence[float]], spreads: Mapping[str, Spread], done: Treatment
) -> bool:
    """True if nothing but rows was removed, half of them the most remote by all columns at once.

    As an isolation forest, distances from the middle or a share of the rows find them. The others
    must be remote as well: the next by that measure, or outlying in a column.
    """
    rows = len(next(iter(values.values())))
    gone = set(done.removed)
    if done.changed or len(values) < 2 or not LEAST_JOINT * rows <= len(gone) <= MOST_JOINT * rows:
        return False
    odd = {place for place in gone if is_outlying(place, values, spreads)}
    return any(
        len(gone & set(order[: len(gone)])) >= LEAST_SHARED * len(gone)
        and len(gone & {*odd, *order[: 2 * len(gone)]}) >= LEAST_ODD * len(gone)
        for order in most_remote(list(values.values()))
    )


def is_outlying(
    place: int, values: Mapping[str, Sequence[float]], spreads: Mapping[str, Spread]
) -> bool:
    """True if the row is beyond the fence or two standard deviations in some column."""
    return any(
        spreads[m].is_beyond_fence(values[m][place]) or spreads[m].is_remote(values[m][place], 2)
        for m in values
    )


def most_remote(columns: Sequence[Sequence[float]]) -> list[list[int]]:
    """The rows, most remote first: by their sum of squared deviations, and by Mahalanobis."""
    import numpy as np

    table = np.array(columns).T
    deviations = table.std(axis=0)
    scores = (table - table.mean(axis=0)) / np.where(deviations > 0, deviations, 1)
    inverse = np.linalg.pinv(np.cov(scores.T), hermitian=True)
    plain_distances = (scores**2).sum(axis=1)
    distances = np.einsum("ij,jk,ik->i", scores, inverse, scores)
    return [np.argsort(-found).tolist() for found in (plain_distances, distances)]


def expect_kept(case: Case, table: Table, done: Treatment) -> bool:
    message = f"{table.file} has {count(done.invented, 'row')} that the input does not have."
    if done.altered:
        message = f"{table.file}: a cell that is no measure was changed ({done.altered[0][:120]})."
    return case.expect(
        "rows are the input's",
        not done.invented and not done.altered,
        "no new row, no other cell changed",
        f"{done.invented} new rows, {len(done.altered)} cells",
        table.file,
        message,
    )


def expect_removed_outliers(
    case: Case,
    table: Table,
    source: Table,
    values: Mapping[str, Sequence[float]],
    spreads: Mapping[str, Spread],
    done: Treatment,
) -> bool:
    """Of the rows that are gone nine in ten are outlying in some column."""
    total = len(source.rows)
    unfounded = [place for place in done.removed if not is_outlying(place, values, spreads)]
    good = len(unfounded) <= 0.1 * len(done.removed) and len(done.removed) < total
    return case.expect(
        "removed rows are outliers",
        good,
        "only outlying rows removed",
        f"{len(done.removed)} of {total} removed, {len(unfounded)} of them not outlying",
        table.file,
        f"{table.file} lacks {len(done.removed)} of {total} rows, {len(unfounded)} of which are "
        "no outlier in any column.",
    )


def expect_pulled_in(
    case: Case,
    table: Table,
    values: Mapping[str, Sequence[float]],
    spreads: Mapping[str, Spread],
    done: Treatment,
) -> bool:
    """Every changed cell was an outlier by some rule and is blank or nearer to the middle now.

    A few may be another rule's, but none may be an outlier now that was less of one before.
    """
    bad, worse = [], []
    for (place, column), new in done.changed.items():
        before, spread = values[column][place], spreads[column]
        after = number(new)
        nearer = is_blank(new) or (
            after is not None and abs(after - spread.middle) < abs(before - spread.middle)
        )
        text = f"{column}: {before:g} became {plain(new)[:30]}"
        if not nearer and (
            after is None or not spread.low <= after <= spread.high or spread.is_beyond_fence(after)
        ):
            worse.append(text)
        if not nearer or not spread.may_be_called_outlier(before):
            bad.append(text)
    return case.expect(
        "changed cells were outliers",
        not worse and len(bad) <= MOST_ASTRAY * len(done.changed),
        "outliers pulled in or blanked",
        f"{len(done.changed)} changed, {len(bad)} of them wrongly",
        table.file,
        f"{table.file}: {count(len(bad), 'cell')} changed that should not have been "
        f"({[*worse, *bad, ''][0]}).",
    )


def expect_no_remote(
    case: Case,
    table: Table,
    values: Mapping[str, Sequence[float]],
    spreads: Mapping[str, Spread],
    done: Treatment,
    deviations: float,
) -> bool:
    """At least half of the plain outliers are gone: a nudge leaves an outlier what it is."""
    gone = set(done.removed)
    remote = [
        (place, m)
        for m in values
        if spreads[m].upper > spreads[m].lower
        for place, value in enumerate(values[m])
        if spreads[m].is_beyond_fence(value) and spreads[m].is_remote(value, deviations)
    ]

    def is_treated(place: int, measure: str) -> bool:
        if place in gone or (place, measure) not in done.changed:
            return place in gone
        new = number(done.changed[place, measure])
        return new is None or spreads[measure].is_pulled_in(values[measure][place], new)

    left = [key for key in remote if not is_treated(*key)]
    return case.expect(
        "outliers treated",
        len(left) * 2 <= len(remote),
        f"at least half of {len(remote)} plain outliers removed or pulled in",
        f"{len(remote) - len(left)} treated",
        table.file,
        f"{table.file} still holds {len(left)} of {len(remote)} plain outliers, "
        "as they were or little changed.",
    )
