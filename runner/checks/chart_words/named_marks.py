"""Names beside the marks of a chart that is judged by its pixels: bars, wedges, a legend's keys.

The note of a picture, or the words of an SVG, tell which name stands at which mark. A chart may
leave names out where the query asks for none, or use other words; what it may not is to give a
mark the name of another one, or names to all marks but some.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from runner.checks.case import Case
from runner.checks.charts import figures, pixels, series, shown_names
from runner.checks.charts.figure_note import Axes
from runner.checks.charts.figures import Figure, fold
from runner.checks.pictures.images import Island
from runner.checks.pictures.svg_words import Word
from runner.checks.values import number

Aliases = Sequence[str]
NO_NOTE = "without the note of the program that drew it, the names at its marks cannot be read"
SCALE_SLACK = 0.03
TICK_SLACK = 0.05  # of the range of the values: a tick's middle is known roughly
FEWEST_TICKS = 2


def misnamed(shown: Sequence[str], names: Sequence[Aliases]) -> str:
    """Why the words `shown` at the marks contradict their `names`, as a sentence's end, else ""."""
    said = [{n for n, one in enumerate(names) if says(word, one)} for word in shown]
    is_named = any(place in found for place, found in enumerate(said))
    for place, found in enumerate(said):
        if place not in found and (found or is_named):
            return f"calls {names[place][0]} “{shown[place]}”"
    return ""


def says(text: str, aliases: Aliases) -> bool:
    """True if folded `text` has one of `aliases` as a whole word; Chinese has no word borders."""
    words = (re.escape(fold(alias)) for alias in aliases)
    return any(re.search(rf"(?<![a-z0-9]){word}(?![a-z0-9])", fold(text)) for word in words)


def expect_bars(
    case: Case, name: str, names: Sequence[Aliases], values: Sequence[float], lies: bool = False
) -> bool:
    """The bars in the picture `name`, from the left or from above, have their names and scale.

    Each of `names` is what one bar may be called. Without a note nothing is asked.
    """
    figure = figures.read(case, name)
    offered = [bars_in_order(axes, lies) for axes in figure.panels]
    whole = [one for one in offered if len(one) == len(names)]
    if not whole:
        case.weaken(NO_NOTE, name)
        return True
    words, lengths = zip(*whole[0], strict=True)
    reason = misnamed(words, names) or misscaled(figure, lengths, values)
    wanted = ", ".join(one[0] for one in names)
    message = f"{name} {reason}."
    return case.expect("names and scale of the bars", not reason, wanted, reason, name, message)


def bars_in_order(axes: Axes, lies: bool) -> list[tuple[str, float]]:
    """(name, length) of each noted bar, from the left or from above."""
    axis = axes.y if lies else axes.x
    found = []
    for bars in axes.bars:
        lengths = bars.width if lies else bars.height
        starts, sizes = (bars.y, bars.height) if lies else (bars.x, bars.width)
        for start, size, length in zip(starts, sizes, lengths, strict=False):
            middle = start + size / 2
            found.append((middle, series.tick_name(axis, middle), length))
    is_upwards = axis.low <= axis.high
    found.sort(key=lambda bar: bar[0], reverse=is_upwards == lies)
    return [(word, length) for _, word, length in found]


def misscaled(figure: Figure, lengths: Sequence[float], values: Sequence[float]) -> str:
    """Why noted `lengths` are not `values`, in a unit that the chart names; "" when they are."""
    factor = sum(lengths) / (sum(values) or 1.0)
    units = [1.0, *(one for one, word in series.UNITS.items() if re.search(word, figure.text))]
    if any(abs(factor / unit - 1) <= SCALE_SLACK for unit in units):
        return ""
    return f"shows {lengths[0]:.6g} for the first bar, expected {values[0]:.6g}"


def expect_wedges(case: Case, name: str, colours: Mapping[str, Aliases]) -> bool:
    """The wedges in the picture `name` have the names that belong to their colours."""
    figure = figures.read(case, name)
    whole = [axes for axes in figure.panels if len(axes.wedges) == len(colours)]
    if not whole:
        case.weaken(NO_NOTE, name)
        return True
    shown = shown_names.wedge_names(figure, whole[0])
    by_colour = {w.colour: word for w, word in zip(whole[0].wedges, shown, strict=True)}
    known = [colour.lower() for colour in colours if colour.lower() in by_colour]
    reason = misnamed(
        [by_colour[c] for c in known], [colours[c] for c in colours if c.lower() in known]
    )
    wanted = ", ".join(one[0] for one in colours.values())
    message = f"{name} {reason}."
    return case.expect("names of the wedges", not reason, wanted, reason, name, message)


def expect_columns(
    case: Case, chart: pixels.Chart, places: Sequence[float], names: Sequence[Aliases]
) -> bool:
    """The words below the `places` (pixels from the left) of an SVG are their `names`."""
    step = float(np.min(np.diff(places)))
    lowest = max((word.y for word in chart.words), default=0.0)
    floor = chart.height * 0.5
    shown = []
    for place in places:
        near = [w for w in chart.words if abs(w.x - place) <= 0.4 * step and floor < w.y <= lowest]
        shown.append(" ".join(word.text for word in near))
    reason = misnamed(shown, names)
    wanted = ", ".join(one[0] for one in names)
    return case.expect(
        "names along the axis", not reason, wanted, reason, chart.file, f"{chart.file} {reason}."
    )


def expect_legend(
    case: Case, chart: pixels.Chart, colours: Mapping[str, Aliases], tolerance: int = 24
) -> bool:
    """The word right of a legend's key in an SVG is not the name of another colour."""
    shown = [
        keyed(chart, key_of(chart, colour, tolerance), list(colours.values())) for colour in colours
    ]
    reason = misnamed(shown, list(colours.values()))
    wanted = ", ".join(one[0] for one in colours.values())
    return case.expect(
        "names in the legend", not reason, wanted, reason, chart.file, f"{chart.file} {reason}."
    )


def key_of(chart: pixels.Chart, colour: str, tolerance: int) -> list[Island]:
    """Everything of a colour that is small enough for a legend's key."""
    return [
        mark
        for mark in chart.marks(colour, tolerance, least=8)
        if mark.width < chart.width * 0.12 and mark.height < chart.height * 0.08
    ]


def keyed(chart: pixels.Chart, keys: Sequence[Island], names: Sequence[Aliases]) -> str:
    """The word of one of `names` that begins soonest after a key, on its height.

    Keys that are letters of such a word, written in that colour, name themselves.
    """
    told = [word for word in chart.words if any(says(word.text, one) for one in names)]
    for word in told:
        right = 2 * word.x - word.left
        if any(
            word.left - 2 <= key.left <= right
            and abs(word.y - key.top - key.height / 2) <= chart.height * 0.02
            for key in keys
        ):
            return word.text
    found = [
        (word.left - key.left - key.width, word.text)
        for key in keys
        for word in told
        if abs(word.y - key.top - key.height / 2) <= chart.height * 0.03
        and 0 <= word.left - key.left - key.width <= chart.width * 0.05
    ]
    return min(found)[1] if found else ""


def without_keys(
    chart: pixels.Chart, dots: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """Markers without those that are a legend's keys: a word begins right of them."""
    told = [word for word in chart.words if re.search(r"[^\W\d_]", word.text)]

    def is_key(x: float, y: float) -> bool:
        return any(
            0 < word.left - x <= chart.width * 0.05 and abs(word.y - y) <= chart.height * 0.03
            for word in told
        )

    return [(x, y) for x, y in dots if not is_key(x, y)]


def expect_tick_numbers(
    case: Case,
    chart: pixels.Chart,
    measured: Sequence[float],
    values: Sequence[float],
    name: str,
) -> bool:
    """The numbers along an SVG's lower axis put `measured` (pixels from the left) at `values`.

    Nothing is asked where too few numbers can be read.
    """
    numbered = [(w, n) for w in chart.words if (n := number(w.text)) is not None]
    places = ticks_below(chart, numbered)
    if len({at for at, _ in places}) < FEWEST_TICKS:
        return True
    slope, shift = np.polyfit([at for at, _ in places], [n for _, n in places], 1)
    line = slope * np.asarray([at for at, _ in places]) + shift
    read = slope * np.asarray(measured) + shift
    off = float(np.max(np.abs(read - np.asarray(values))))
    uneven = float(np.max(np.abs(line - [n for _, n in places])))
    return case.expect(
        name,
        max(off, uneven) <= TICK_SLACK * float(np.ptp(values)),
        f"{values[0]:.6g} to {values[-1]:.6g}",
        f"{read[0]:.6g} to {read[-1]:.6g}",
        chart.file,
        f"{chart.file}: by the ticks the marks lie at {read[0]:.6g} to {read[-1]:.6g}, "
        f"expected {values[0]:.6g} to {values[-1]:.6g}.",
    )


def ticks_below(
    chart: pixels.Chart, numbered: Sequence[tuple[Word, float]]
) -> list[tuple[float, float]]:
    """(place, number) of the longest row of numbers, the lowest of those as long."""
    rows = [
        [(w.x, n) for w, n in numbered if abs(w.y - one.y) <= chart.height * 0.015]
        for one, _ in sorted(numbered, key=lambda pair: pair[0].y)
    ]
    return max(enumerate(rows), key=lambda row: (len(row[1]), row[0]), default=(0, []))[1]
