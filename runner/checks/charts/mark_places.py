"""Places in a picture where noted marks should be seen, as shares of its sides.

Places count from the upper left corner, so that a picture's size makes pixels of them. A plot in
scales other than plain, logarithmic or polar ones has no places, and its marks cannot be proved.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from runner.checks import values
from runner.checks.charts.figure_note import Axes, Axis

EPOCH = datetime.date(1970, 1, 1)
DAY = re.compile(r"(\d{4})[-/.年]?(\d{1,2})?(?:[-/.月]?(\d{1,2}))?")
MOST_SAMPLES = 300  # of one mark
FEW_PLACES = 30  # of a line, below which places between them are looked at, too
LEAST_BAR = 0.005  # of the figure, below which a bar is no more than a line
UNDRAWN = ("None", "none", "", " ")

Placer = Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Mark:
    """Places of one mark, and its outline."""

    kind: str  # lines | bars | points | areas | boxes
    places: Any  # n × 2
    shape: Any  # outline for the raster of what is covered, n × 2
    is_filled: bool = False


def share_of(axis: Axis, values: Any) -> Any:
    """Places along an axis, from 0 to 1."""
    low, high = axis.low, axis.high
    values = np.asarray(values, dtype=float)
    with np.errstate(all="ignore"):
        if axis.scale == "log":
            values, low, high = np.log10(values), np.log10(low), np.log10(high)
        return (values - low) / (high - low)


def in_pixels(pixels: Any, places: Any) -> Any:
    """Places in a picture, in its pixels, of shares of its sides."""
    return places * np.array([float(pixels.shape[1]), float(pixels.shape[0])])


def placer(axes: Axes) -> Placer | None:
    """The way to turn values into places in the picture; None where the note does not tell it."""
    if len(axes.box) != 4 or not all(np.isfinite(axes.box)):
        return None
    left, bottom, width, height = axes.box
    if axes.kind == "polar":
        return polar_placer(axes)
    if axes.kind != "rectilinear" or not {axes.x.scale, axes.y.scale} <= {"linear", "log"}:
        return None

    def place(x: Any, y: Any) -> Any:
        across, up = share_of(axes.x, x), share_of(axes.y, y)
        return np.column_stack([left + across * width, 1 - bottom - up * height])

    return place


def polar_placer(axes: Axes) -> Placer:
    left, bottom, width, height = axes.box
    turn, way = axes.turn if len(axes.turn) == 2 else (0.0, 1.0)

    def place(x: Any, y: Any) -> Any:
        angle = way * np.asarray(x, dtype=float) + turn
        far = share_of(axes.y, y) / 2
        across, up = 0.5 + far * np.cos(angle), 0.5 + far * np.sin(angle)
        return np.column_stack([left + across * width, 1 - bottom - up * height])

    return place


def marks_of(axes: Axes) -> Iterator[Mark]:
    """The plot's marks; none where their places are not known."""
    place = placer(axes)
    if place is None:
        return
    yield from lines_of(axes, place)
    yield from bars_of(axes, place)
    yield from points_of(axes, place)
    for area in axes.areas:
        outline = place(area.x, area.y)
        yield Mark("areas", inner(outline), outline, is_filled=True)
    for box in axes.boxes:
        upright = place([box.at] * 3, [box.q1, box.median, box.q3])
        lying = place([box.q1, box.median, box.q3], [box.at] * 3)
        found = upright if is_upright(axes) else lying
        yield Mark("boxes", found, found)


def inner(outline: Any) -> Any:
    """Places inside an outline: on the way from its middle to its edge."""
    outline = sampled(outline)
    if not len(outline):
        return outline
    middle = outline.mean(axis=0)
    return np.concatenate([middle + far * (outline - middle) for far in (0.3, 0.6, 0.85)])


def is_upright(axes: Axes) -> bool:
    """True if the boxes stand: their values lie within the limits of the vertical axis."""
    low, high = sorted((axes.y.low, axes.y.high))
    return all(low <= box.median <= high for box in axes.boxes)


def lines_of(axes: Axes, place: Placer) -> Iterator[Mark]:
    for line in axes.lines:
        if line.style in UNDRAWN and line.marker in UNDRAWN:
            continue
        path = place(line.x, line.y)
        path = path[np.isfinite(path).all(axis=1)]
        is_solid = line.style not in UNDRAWN
        places = between(path) if is_solid and 1 < len(path) < FEW_PLACES else path
        yield Mark("lines", sampled(within(axes, places)), path)


def between(path: Any) -> Any:
    """The places of a line and more between each two of them."""
    at = np.linspace(0, len(path) - 1, max(3, 150 // len(path)) * (len(path) - 1) + 1)
    return np.column_stack([np.interp(at, np.arange(len(path)), path[:, side]) for side in (0, 1)])


def bars_of(axes: Axes, place: Placer) -> Iterator[Mark]:
    """A mark for each bar that is large enough to be looked for."""
    for bars in axes.bars:
        step = max(1, len(bars.x) // MOST_SAMPLES)
        for number in range(0, len(bars.x), step):
            x, y, w, h = (side[number] for side in (bars.x, bars.y, bars.width, bars.height))
            across, up = (0.2, 0.35, 0.65, 0.8), (0.1, 0.35, 0.5, 0.65, 0.9)
            inner = [(x + a * w, y + b * h) for a in across for b in up]
            edge = [(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)]
            colour = bars.colours[number % len(bars.colours)] if bars.colours else ""
            is_hollow = not colour or colour[7:] == "00"
            places = place(*np.transpose(edge if is_hollow else inner))
            if np.isfinite(places).all() and np.ptp(places, axis=0).min() >= LEAST_BAR:
                yield Mark(
                    "bars",
                    between(places) if is_hollow else places,
                    place(*np.transpose(edge)),
                    is_filled=True,
                )


def points_of(axes: Axes, place: Placer) -> Iterator[Mark]:
    for points in axes.points:
        where = place(points.x, points.y)
        yield Mark("points", sampled(within(axes, where)), where)


def in_box(axes: Axes, places: Any) -> Any:
    left, bottom, width, height = axes.box
    across, up = (places[:, 0] - left) / width, (1 - bottom - places[:, 1]) / height
    slack = 0.004
    return (np.abs(across - 0.5) <= 0.5 + slack) & (np.abs(up - 0.5) <= 0.5 + slack)


def within(axes: Axes, places: Any) -> Any:
    places = places[np.isfinite(places).all(axis=1)]
    return places[in_box(axes, places)]


def sampled(places: Any) -> Any:
    places = places[np.isfinite(places).all(axis=1)]
    if len(places) <= MOST_SAMPLES:
        return places
    return places[np.linspace(0, len(places) - 1, MOST_SAMPLES).astype(int)]


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
