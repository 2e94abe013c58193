"""The note that the kernel environment leaves in a saved chart, as values that can be relied on.

`suites/environment/pybench_drawn.py` writes it. An agent may have broken it: whatever does not have
the right type is dropped here.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

KEY = "pybench-figure"
MARK = "pybench-figure:"
MOST_BYTES = 8 << 20

T = TypeVar("T")
Facts = dict[str, Any]


@dataclass(frozen=True)
class Axis:
    """One direction of a plot: its label, its limits, and its ticks with their words."""

    label: str = ""
    low: float = 0.0
    high: float = 1.0
    ticks: tuple[float, ...] = ()
    words: tuple[str, ...] = ()
    units: str = ""


@dataclass(frozen=True)
class Line:
    """`x` and `y` as drawn (a date counts days from 1970); `names` where `x` was words or dates.

    `n` is how many places the line has; of more than 4,000 only evenly spaced ones are here.
    """

    label: str
    style: str
    n: int
    x: tuple[float, ...]
    y: tuple[float, ...]
    names: tuple[str, ...]


@dataclass(frozen=True)
class Bars:
    """Bars drawn by one call. `x` and `y` are the lower left corners."""

    label: str
    orientation: str  # vertical | horizontal | loose (rectangles that belong to no bar chart)
    n: int
    x: tuple[float, ...]
    y: tuple[float, ...]
    width: tuple[float, ...]
    height: tuple[float, ...]
    colours: tuple[str, ...]

    @property
    def lies(self) -> bool:
        return self.orientation == "horizontal"

    @property
    def values(self) -> tuple[float, ...]:
        """Signed length of each bar."""
        return self.width if self.lies else self.height

    @property
    def places(self) -> tuple[float, ...]:
        """Place of each bar's middle on the axis of the categories."""
        starts, sizes = (self.y, self.height) if self.lies else (self.x, self.width)
        return tuple(a + b / 2 for a, b in zip(starts, sizes, strict=False))


@dataclass(frozen=True)
class Wedge:
    """A wedge of a pie; `start` is its first angle in degrees."""

    label: str
    fraction: float
    colour: str
    start: float


@dataclass(frozen=True)
class Points:
    """The points of a scatter plot."""

    label: str
    n: int
    x: tuple[float, ...]
    y: tuple[float, ...]
    values: tuple[float, ...]  # behind the colours, where there are such
    colours: tuple[str, ...]


@dataclass(frozen=True)
class Area:
    """The outline of a filled area."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Grid:
    """A heat map or picture; `values` row by row where they are few; `words` of a word cloud."""

    shape: tuple[int, ...]
    values: tuple[float, ...]
    words: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Box:
    """A box of a box plot: its place and its five numbers."""

    label: str
    at: float
    low: float
    q1: float
    median: float
    q3: float
    high: float


@dataclass(frozen=True)
class Text:
    """A text inside the axes, and its place."""

    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Axes:
    """One plot of a figure."""

    title: str
    kind: str
    box: tuple[float, ...]  # left, bottom, width, height as shares of the saved picture
    is_colorbar: bool
    x: Axis
    y: Axis
    legend: tuple[str, ...]
    lines: tuple[Line, ...]
    bars: tuple[Bars, ...]
    wedges: tuple[Wedge, ...]
    points: tuple[Points, ...]
    areas: tuple[Area, ...]
    grids: tuple[Grid, ...]
    boxes: tuple[Box, ...]
    texts: tuple[Text, ...]

    @property
    def has_data(self) -> bool:
        series = (self.lines, self.bars, self.wedges, self.points, self.areas, self.grids)
        return any(series) or bool(self.boxes)


@dataclass(frozen=True)
class Note:
    """A note inside a saved picture that lists what was drawn in it. `words` is of a word cloud's
    own picture."""

    size: tuple[int, ...]  # width, height in pixels
    title: str
    texts: tuple[str, ...]
    legend: tuple[str, ...]
    axes: tuple[Axes, ...]
    words: tuple[tuple[str, float], ...]
    is_placed: bool  # places of marks and words are those of the saved picture


def unpack(text: str) -> Note | None:
    """The note packed in `text`; None when it is none that can be read."""
    try:
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(base64.b64decode(text, validate=True), MOST_BYTES)
        facts = json.loads(plain)
    except (ValueError, zlib.error, RecursionError):
        return None
    if not isinstance(facts, dict) or facts.get("v") not in (1, 2, 3):
        return None
    return Note(
        size=tuple(int(n) for n in numbers(facts.get("size"))),
        title=string(facts.get("suptitle")),
        texts=strings(facts.get("texts")),
        legend=strings(facts.get("legend")),
        axes=each(facts.get("axes"), read_axes),
        words=weighted(facts.get("words")),
        is_placed=facts.get("v") == 3 or facts.get("kind") != "matplotlib",
    )


def string(value: object) -> str:
    return value[:400] if isinstance(value, str) else ""


def strings(value: object) -> tuple[str, ...]:
    return tuple(string(v) for v in value) if isinstance(value, list) else ()


def amount(value: object) -> float:
    """`value` as a number, NaN when it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.nan


def numbers(value: object) -> tuple[float, ...]:
    return tuple(amount(v) for v in value) if isinstance(value, list) else ()


def whole(value: object) -> int:
    found = amount(value)
    return int(found) if math.isfinite(found) else 0


def each(value: object, read: Callable[[Facts], T]) -> tuple[T, ...]:
    items = value if isinstance(value, list) else []
    return tuple(read(item) for item in items if isinstance(item, dict))


def weighted(value: object) -> tuple[tuple[str, float], ...]:
    items = value if isinstance(value, list) else []
    return tuple(
        (string(item[0]), amount(item[1]))
        for item in items
        if isinstance(item, list) and len(item) >= 2
    )


def cut(*lists: tuple[float, ...]) -> list[tuple[float, ...]]:
    """The lists, all as long as the shortest."""
    return [one[: min(map(len, lists))] for one in lists]


def read_axes(facts: Facts) -> Axes:
    return Axes(
        title=string(facts.get("title")),
        kind=string(facts.get("kind")),
        box=numbers(facts.get("box")),
        is_colorbar=facts.get("colorbar") is True,
        x=read_axis(facts.get("x")),
        y=read_axis(facts.get("y")),
        legend=strings(facts.get("legend")),
        lines=each(facts.get("lines"), read_line),
        bars=each(facts.get("bars"), read_bars),
        wedges=each(facts.get("wedges"), read_wedge),
        points=each(facts.get("points"), read_points),
        areas=each(facts.get("areas"), read_area),
        grids=each(facts.get("grids"), read_grid),
        boxes=each(facts.get("boxes"), read_box),
        texts=each(facts.get("texts"), read_text),
    )


def read_axis(given: object) -> Axis:
    if not isinstance(given, dict):
        return Axis()
    ticks, words = numbers(given.get("ticks")), strings(given.get("words"))
    return Axis(
        label=string(given.get("label")),
        low=amount(given.get("from")),
        high=amount(given.get("to")),
        ticks=ticks[: len(words)],
        words=words[: len(ticks)],
        units=string(given.get("units")),
    )


def read_line(facts: Facts) -> Line:
    label, style = string(facts.get("label")), string(facts.get("style"))
    x, y = cut(numbers(facts.get("x")), numbers(facts.get("y")))
    return Line(label, style, whole(facts.get("n")), x, y, strings(facts.get("names")))


def read_bars(facts: Facts) -> Bars:
    x, y, width, height = cut(*(numbers(facts.get(k)) for k in ("x", "y", "width", "height")))
    label, orientation = string(facts.get("label")), string(facts.get("orientation"))
    n, colours = whole(facts.get("n")), strings(facts.get("colours"))
    return Bars(label, orientation, n, x, y, width, height, colours)


def read_wedge(facts: Facts) -> Wedge:
    label, colour = string(facts.get("label")), string(facts.get("colour"))
    return Wedge(label, amount(facts.get("fraction")), colour, amount(facts.get("from")))


def read_points(facts: Facts) -> Points:
    x, y = cut(numbers(facts.get("x")), numbers(facts.get("y")))
    values, colours = numbers(facts.get("values")), strings(facts.get("colours"))
    return Points(string(facts.get("label")), whole(facts.get("n")), x, y, values, colours)


def read_area(facts: Facts) -> Area:
    return Area(string(facts.get("label")), numbers(facts.get("x")), numbers(facts.get("y")))


def read_grid(facts: Facts) -> Grid:
    shape = tuple(whole(n) for n in numbers(facts.get("shape")))
    return Grid(shape, numbers(facts.get("values")), weighted(facts.get("words")))


def read_box(facts: Facts) -> Box:
    names = ("at", "whislo", "q1", "med", "q3", "whishi")
    return Box(string(facts.get("label")), *(amount(facts.get(name)) for name in names))


def read_text(facts: Facts) -> Text:
    return Text(string(facts.get("text")), amount(facts.get("x")), amount(facts.get("y")))
