"""Series over time in a chart: each value at its day, month or year, under its own name."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runner.checks.case import Case
from runner.checks.charts import shown_names
from runner.checks.charts.figure_note import Axes, Bars, Line, Points
from runner.checks.charts.figures import Figure, fold

Days = list[datetime.date | None]
FEWEST_KNOWN = 3  # dates of a line whose ticks are thinned
YEAR = re.compile(r"(?<!\d)(?:1[5-9]|2[01])\d\d(?!\d)")  # in a tick's words, such as “Rome 1960”


def dated_series(figure: Figure) -> list[tuple[str, Days, tuple[float, ...]]]:
    """(name that a reader sees, days, values) of every line, run of bars and cloud of points.

    Where several plots have titles of their own, these come after the names.
    """
    titles = [fold(axes.title) for axes in figure.panels]
    has_own = len(titles) > 1 and len(set(titles)) == len(titles)
    found = []
    for axes in figure.panels:
        names = shown_names.names_of(figure, axes)
        for n, artist in enumerate(shown_names.artists_of(axes)):
            name = f"{names.get(n, '')} {fold(axes.title) if has_own else ''}".strip()
            if isinstance(artist, Line):
                found.append((name, days_of(axes, artist), artist.y))
            elif isinstance(artist, Bars):
                axis = axes.y if artist.lies else axes.x
                found.append((name, days_along(axes, axis.units, artist), artist.values))
            elif isinstance(artist, Points):
                line = Line("", "", artist.n, artist.x, artist.y, ())
                found.append((name, days_of(axes, line), artist.y))
    return found


def days_along(axes: Axes, units: str, bars: Bars) -> Days:
    axis = axes.y if bars.lies else axes.x
    if "Date" in units:
        return [shown_names.on_day(place) for place in bars.places]
    return [shown_names.day_at(axis, place) for place in bars.places]


def may_be_named(name: str, reading: str, kinds: Mapping[str, Sequence[str]]) -> bool:
    """True unless a name speaks of another kind than the reading, or of none where others do.

    Of a name that speaks of several the first is meant.
    """
    places = {
        kind: min((name.find(word) for word in words if word in name), default=-1)
        for kind, words in kinds.items()
    }
    said = sorted((kind for kind in kinds if places[kind] >= 0), key=lambda kind: places[kind])[:1]
    meant = [kind for kind in kinds if f"of {kind}" in reading]
    return not name or said == meant or (not meant and not said) or (not said and not meant)


def expect_dated_line(
    case: Case,
    figure: Figure,
    days: Sequence[str],
    values: Sequence[float],
    tolerance: float = 0.005,
    words: Sequence[str] = (),
    name: str = "values at their dates",
) -> bool:
    """Some line has each value at its day ("2020-03-01", or "2020" for a year) and no others.

    `tolerance` is a share of the values' range. Where several lines are named in a legend, the
    line's own name must hold one of `words`. Values may be in a unit that the words name.
    """
    from runner.checks.charts.series import named_factors

    wanted = np.asarray(values, dtype=float)
    slack = tolerance * (float(np.ptp(wanted)) or abs(float(wanted[0])) or 1.0)
    factors = named_factors(figure.text)
    lines = shown_names.named_lines(figure)
    others = sum(bool(said) for _, _, said in lines)
    reasons = [
        unlike(axes, line, days, wanted, slack, factors)
        or ("" if others < 2 or names_one(said, words) else f"calls that line “{said}”")
        for axes, line, said in lines
    ]
    best = "" if "" in reasons else (reasons or ["shows no line"])[0]
    return case.expect(
        name,
        not best,
        f"{len(wanted)} values",
        best or "as expected",
        figure.file,
        f"{figure.file} {best}.",
    )


def names_one(said: str, words: Sequence[str]) -> bool:
    return not words or not said or any(word in said for word in words)


def unlike(
    axes: Axes,
    line: Line,
    days: Sequence[str],
    wanted: Any,
    slack: float,
    factors: Sequence[float],
) -> str:
    """How a line differs from the values `wanted` at their days, in any of the units; else ""."""
    if line.n != len(wanted):
        return f"shows a line through {line.n} values, expected {len(wanted)}"
    order = np.linspace(0, len(wanted) - 1, len(line.y)).astype(int)
    found = np.asarray(line.y, dtype=float)
    off = min((np.abs(found / factor - wanted[order]) for factor in factors), key=np.nanmax)
    if not np.all(off <= slack):
        place = int(np.argmax(~(off <= slack)))
        return (
            f"shows {line.y[place]:.6g} as value no. {place + 1}, "
            f"expected {wanted[order][place]:.6g}"
        )
    return beside(axes, line, [days[place] for place in order])


def days_of(axes: Axes, line: Line) -> Days:
    """The days of a line's places; of a tick that says more than a day, its only year's first."""
    words = line.names if len(line.names) == len(line.x) else ()
    days = []
    for number, day in enumerate(shown_names.dates_of(axes, line)):
        if day is None and "Date" not in axes.x.units:
            word = words[number] if words else shown_names.tick_word(axes.x, line.x[number])
            years = YEAR.findall(fold(word))
            day = datetime.date(int(years[0]), 1, 1) if len(years) == 1 else None
        days.append(day)
    return days


def beside(axes: Axes, line: Line, days: Sequence[str]) -> str:
    """The first place at which a line misses its days, "" without; "2020" is that year."""
    shown = days_of(axes, line)
    is_thinned = are_thinned(shown, line)
    for number, (found, wanted) in enumerate(zip(shown, days, strict=True), 1):
        if found is None and is_thinned:
            continue
        if found is None:
            return f"shows value no. {number} at no date, expected {wanted}"
        if not fold(found.isoformat()).startswith(wanted[: len("2020-01-01")]):
            return f"shows value no. {number} at {found.isoformat()}, expected {wanted}"
    return ""


def are_thinned(shown: Days, line: Line) -> bool:
    """True if evenly placed values have a date at every few of them, as thinned ticks give."""
    known = [number for number, day in enumerate(shown) if day]
    if len(known) < FEWEST_KNOWN or len(shown) < 2:
        return False
    steps, gaps = np.diff(np.asarray(line.x, dtype=float)), np.diff(known)
    return bool(np.ptp(steps) <= 1e-6 and gaps.max() <= len(shown) / FEWEST_KNOWN)
