"""Names that a reader of a chart sees at its marks: of a legend, at wedges, at spokes, of dates.

An artist's own label is shown nowhere. What counts is the legend's word, the text at a wedge's
angle, the tick's word at a place. A legend lists what was drawn in its order, where its words are
not the labels that were given when it was drawn.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from runner.checks import values
from runner.checks.charts.figure_note import Area, Axes, Axis, Bars, Line, Points
from runner.checks.charts.figures import Figure, fold

Artist = Line | Bars | Points | Area
LETTERS = re.compile(r"[^\W\d_]{2,}|[\u3400-\u9fff]")
SHORT_YEAR = re.compile(r"['’‘]?(\d\d)")  # “'05”; bare ones where a whole axis has them
LAST_SHORT_YEAR = 68  # of this century
EVEN = 0.03  # of a year, month or day, that a tick may lie beside its own
MOST_BEFORE, MOST_AFTER = 0, 2_000_000  # years, months or days from the year 1
EPOCH = datetime.date(1970, 1, 1)
DAY = re.compile(r"(\d{4})[-/.年]?(\d{1,2})?(?:[-/.月]?(\d{1,2}))?")


def artists_of(axes: Axes) -> list[Artist]:
    """In the order in which a legend lists them by itself."""
    return [*axes.lines, *axes.areas, *axes.points, *axes.bars]


def names_of(figure: Figure, axes: Axes) -> dict[int, str]:
    """{place in artists_of: the word that the legend shows for it}, folded; without a legend the
    artist's own label where a text in the plot says it."""
    artists = artists_of(axes)
    labelled = [n for n, one in enumerate(artists) if one.label] or [
        n for n, one in enumerate(artists) if not isinstance(one, Area)
    ]
    words = [fold(word) for word in legend_of(figure, axes)]
    if not words:
        texts = {fold(text.text) for text in axes.texts}
        return {n: fold(artists[n].label) for n in labelled if fold(artists[n].label) in texts}
    own = [fold(artists[n].label) for n in labelled]
    if set(words) <= set(own):
        return {n: name for n, name in zip(labelled, own, strict=True) if name in words}
    return dict(zip(labelled, words, strict=False))


def legend_of(figure: Figure, axes: Axes) -> Sequence[str]:
    """The plot's legend, else the figure's, else that of the only other plot that has one."""
    note = figure.note
    if axes.legend or note is None or len(axes.lines) + len(axes.wedges) < 2:
        return axes.legend
    others = [one.legend for one in note.axes if one.legend and len(one.lines) == len(axes.lines)]
    return note.legend or (others[0] if len(others) == 1 else ())


def named_lines(figure: Figure) -> list[tuple[Axes, Line, str]]:
    """Every line with the name that a reader sees; alone in its plot, the plot's words."""
    found = []
    for axes in figure.panels:
        names = names_of(figure, axes)
        alone = " ".join([axes.title, axes.y.label]) if len(axes.lines) == 1 else ""
        found += [
            (axes, line, names.get(n, "") or fold(alone)) for n, line in enumerate(axes.lines)
        ]
    return found


def begins_with(words: str, name: str, others: Sequence[str]) -> bool:
    """True if folded words are a name with more behind it (“gold (12 %)”), and none of the others;
    a word that goes on is another one (“goldless”)."""
    rest = words.removeprefix(name)
    goes_on = re.match("[a-z]", name[-1:]) and re.match(r"(?!e?s\b)[a-z]", rest)
    return (
        words.startswith(name)
        and not goes_on
        and not any(
            re.search(rf"(?<![a-z0-9.]){re.escape(one)}(?![a-z0-9.])", rest) for one in others
        )
    )


def wedge_names(figure: Figure, axes: Axes) -> list[str]:
    """For each wedge the word that stands at its angle, else that of the legend beside it."""
    texts = [t for t in axes.texts if LETTERS.search(t.text) and math.isfinite(t.x + t.y)]
    colours = [w.colour for w in axes.wedges]
    if texts and len(set(colours)) == len(colours):
        found: dict[int, str] = {}
        for text in texts:
            if (n := wedge_at(axes, math.degrees(math.atan2(text.y, text.x)))) is not None:
                found.setdefault(n, fold(text.text))
        if len(found) == len(colours):
            return [found[n] for n in range(len(colours))]
    words = [fold(word) for word in legend_of(figure, axes)]
    own = [fold(wedge.label) for wedge in axes.wedges]
    if len(words) == len(own):
        return own if set(own) == set(words) else words
    shown = {fold(text.text) for text in axes.texts}
    return [name if name in shown else "" for name in own]


def wedge_at(axes: Axes, angle: float) -> int | None:
    """The number of the wedge that spans an angle in degrees."""
    for n, wedge in enumerate(axes.wedges):
        if (angle - wedge.start) % 360 < 360 * wedge.fraction:
            return n
    return None


def spoke_values(axes: Axes, angles: Sequence[float], values: Sequence[float]) -> dict[str, float]:
    """{word at the spoke: value} of a polar plot's line."""
    found = {}
    for angle, value in zip(angles, values, strict=False):
        ticks = [
            (abs(math.remainder(tick - angle, 2 * math.pi)), word)
            for tick, word in zip(axes.x.ticks, axes.x.words, strict=True)
            if math.isfinite(tick)
        ]
        if ticks and min(ticks)[0] <= 0.05:
            found[fold(min(ticks)[1])] = value
    return found


OLD_NAMES = {"YE": "Y", "QE": "Q", "ME": "M", "BME": "M", "MS": "M", "YS": "Y", "QS": "Q"}


def dates_of(axes: Axes, line: Line) -> list[datetime.date | None]:
    """The days at which a line's places lie: of a date axis, of words, or of ticks' words."""
    if len(line.names) == len(line.x):
        return [day_of(name) for name in line.names]
    if "Period" in axes.x.units:
        return [period(place, axes.x.units.partition(" ")[2]) for place in line.x]
    if "Date" in axes.x.units:
        return [on_day(place) for place in line.x]
    return [day_at(axes.x, place) for place in line.x]


def day_at(axis: Axis, place: float) -> datetime.date | None:
    """The day at a place: that of its tick, else counted on from ticks that have days."""
    axis = with_whole_years(axis)
    return day_of(tick_word(axis, place)) or between_ticks(axis, place)


def with_whole_years(axis: Axis) -> Axis:
    """The axis with its years in four digits, where each tick that says anything has two."""
    said = [SHORT_YEAR.fullmatch(fold(word)) for word in axis.words if word.strip()]
    if len(said) < 2 or None in said:
        return axis
    short = [SHORT_YEAR.sub(r"\1", fold(word)) for word in axis.words]
    whole = [f"{19 + (int(one) <= LAST_SHORT_YEAR)}{one}" if one else "" for one in short]
    return replace(axis, words=tuple(whole))


def between_ticks(axis: Axis, place: float) -> datetime.date | None:
    """The year's, month's or day's place among ticks whose days lie evenly; None where none is."""
    known = [
        (tick, day)
        for tick, word in zip(axis.ticks, axis.words, strict=True)
        if math.isfinite(tick) and (day := day_of(word))
    ]
    if len({tick for tick, _ in known}) < 2:
        return None
    ticks = np.array([tick for tick, _ in known])
    months = np.array([day.year * 12 + day.month - 1 for _, day in known], float)
    days = np.array([day.toordinal() for _, day in known], float)
    for counts, step in ((months, 12), (months, 1), (days, 1)):
        slope, shift = np.polyfit(ticks, counts / step, 1)
        off = float(np.abs(slope * ticks + shift - counts / step).max())
        at = float(slope * place + shift)
        if max(off, abs(at - round(at))) > EVEN or not MOST_BEFORE < at < MOST_AFTER:
            continue
        if counts is days:
            return datetime.date.fromordinal(round(at))
        year, month = divmod(round(at) * step, 12)
        return day_of(f"{year:04}-{month + 1:02}")
    return None


def period(place: float, frequency: str = "") -> datetime.date | None:
    """The first day of a period, whose number counts from 1970 in its frequency.

    Without one in months, or in days where it is large.
    """
    if not -10_000 <= place < 40_000:
        return None
    if frequency:
        return period_of(int(place), frequency)
    if place < 0:
        return None
    if place < 1_200:
        return datetime.date(1970 + int(place) // 12, int(place) % 12 + 1, 1)
    return on_day(place)


def period_of(number_of: int, frequency: str) -> datetime.date | None:
    """The first day of one of pandas' periods; None for a frequency that it does not know."""
    import pandas as pd

    plain = OLD_NAMES.get(frequency.partition("-")[0], frequency.partition("-")[0])
    anchored = "-".join([plain, *frequency.split("-")[1:]])
    try:
        first: datetime.date = pd.Period(ordinal=number_of, freq=anchored).start_time.date()
    except (ValueError, OverflowError, KeyError):
        return None
    return first


def tick_word(axis: Axis, place: float) -> str:
    marks = [
        (abs(tick - place), word)
        for tick, word in zip(axis.ticks, axis.words, strict=True)
        if math.isfinite(tick)
    ]
    return min(marks)[1] if marks and min(marks)[0] < 0.26 else f"{place:.10g}"


def on_day(place: float) -> datetime.date | None:
    if not (math.isfinite(place) and -700_000 < place < 2_000_000):
        return None
    return EPOCH + datetime.timedelta(days=int(place))


def day_of(text: str) -> datetime.date | None:
    """The first day that a text can mean: “2022-03”, “202203”, “2022年3月5日”, “1960⏎Rome”."""
    said = values.plain(text).lower()
    year = values.number(said)
    if year is not None and 1500 <= year <= 2200 and year == int(year):  # “2005.0” of a number axis
        return datetime.date(int(year), 1, 1)
    match = DAY.match(said)
    if match is None or (values.number(said) is not None and not 1500 <= int(match[1]) <= 2200):
        return None
    try:
        return datetime.date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
    except ValueError:
        return None
