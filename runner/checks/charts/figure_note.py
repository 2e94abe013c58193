"""The note that the kernel environment leaves in a saved chart, as values that can be relied on.

`suites/environment/pybench_drawn.py` writes it. An agent may have forged or broken it: whatever
does not have the right type is dropped here, and runner.checks.charts.figures compares it with the
pixels.
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
MOST_PRINTED = 300  # words

T = TypeVar("T")
Facts = dict[str, Any]
Word = tuple[str, str, tuple[float, ...], str]  # group, text, box with size and angle, font


@dataclass(frozen=True)
class Axis:
    """One direction of a plot: its label, its limits, and its ticks with their words."""

    label: str = ""
    scale: str = "linear"
    low: float = 0.0
    high: float = 1.0
    ticks: tuple[float, ...] = ()
    words: tuple[str, ...] = ()
    shown: bool = True
    units: str = ""


@dataclass(frozen=True)
class Line:
    """`x` and `y` as drawn (a date counts days from 1970); `names` where `x` was words or dates.

    `n` is how many places the line has; of more than 4,000 only evenly spaced ones are here.
    """

    label: str
    colour: str
    style: str
    marker: str
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
    """A wedge of a pie: its first angle, in degrees, and its middle, which may be moved out."""

    label: str
    fraction: float
    colour: str
    start: float = 0.0
    middle: tuple[float, ...] = (0.0, 0.0)


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


Spot = tuple[float, float, bool]  # of a cloud's word: left and top side, True if it is turned


@dataclass(frozen=True)
class Grid:
    """A heat map or picture; `values` row by row where they are few; `words` of a word cloud."""

    shape: tuple[int, ...]
    values: tuple[float, ...]
    words: tuple[tuple[str, float], ...]
    sizes: tuple[float, ...] = ()  # of the words' letters, in the cloud's own pixels
    spots: tuple[Spot, ...] = ()
    font: str = ""  # path of the cloud's font on the machine that drew it


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
    face: str
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
    turn: tuple[float, ...] = ()  # of a polar plot: where its angles begin, and their way

    @property
    def has_data(self) -> bool:
        series = (self.lines, self.bars, self.wedges, self.points, self.areas, self.grids)
        return any(series) or bool(self.boxes)


@dataclass(frozen=True)
class Note:
    """A note inside a saved picture that lists what was drawn in it. `words` is of a word cloud's
    own picture."""

    kind: str  # matplotlib | wordcloud
    size: tuple[int, ...]  # width, height in pixels
    title: str = ""
    texts: tuple[str, ...] = ()
    legend: tuple[str, ...] = ()
    axes: tuple[Axes, ...] = ()
    words: tuple[tuple[str, float], ...] = ()
    sizes: tuple[float, ...] = ()
    spots: tuple[Spot, ...] = ()
    font: str = ""
    printed: tuple[Word, ...] = ()
    is_placed: bool = True  # places of marks and words are those of the saved picture


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
        kind=string(facts.get("kind")),
        size=tuple(int(n) for n in numbers(facts.get("size"))),
        title=string(facts.get("suptitle")),
        texts=strings(facts.get("texts")),
        legend=strings(facts.get("legend")),
        axes=each(facts.get("axes"), read_axes),
        words=weighted(facts.get("words")),
        sizes=sizes(facts.get("words")),
        spots=spots(facts.get("words")),
        font=string(facts.get("font")),
        printed=read_printed(facts.get("drawn")),
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


def sizes(value: object) -> tuple[float, ...]:
    items = value if isinstance(value, list) else []
    return tuple(
        amount(item[2]) if len(item) > 2 else math.nan
        for item in items
        if isinstance(item, list) and len(item) >= 2
    )


def spots(value: object) -> tuple[Spot, ...]:
    """Places of a cloud's words; NaN where they are not noted."""
    items = value if isinstance(value, list) else []
    return tuple(
        (amount(item[3]), amount(item[4]), item[5] == 1)
        if len(item) > 5
        else (math.nan, math.nan, False)
        for item in items
        if isinstance(item, list) and len(item) >= 2
    )


def read_printed(value: object) -> tuple[Word, ...]:
    rows = value[:MOST_PRINTED] if isinstance(value, list) else []
    return tuple(
        (string(row[0]), string(row[1]), tuple(map(amount, row[2:8])), string(row[8]))
        for row in rows
        if isinstance(row, list) and len(row) == 9
    )


def read_axes(facts: Facts) -> Axes:
    def axis(name: str) -> Axis:
        given = facts.get(name)
        return read_axis(given) if isinstance(given, dict) else Axis()

    return Axes(
        title=string(facts.get("title")),
        kind=string(facts.get("kind")),
        box=numbers(facts.get("box")),
        face=string(facts.get("face")) or "#ffffff",
        is_colorbar=facts.get("colorbar") is True,
        x=axis("x"),
        y=axis("y"),
        legend=strings(facts.get("legend")),
        lines=each(facts.get("lines"), read_line),
        bars=each(facts.get("bars"), read_bars),
        wedges=each(
            facts.get("wedges"),
            lambda f: Wedge(
                string(f.get("label")),
                amount(f.get("fraction")),
                string(f.get("colour")),
                amount(f.get("from")),
                numbers(f.get("at")),
            ),
        ),
        points=each(facts.get("points"), read_points),
        areas=each(
            facts.get("areas"),
            lambda f: Area(string(f.get("label")), numbers(f.get("x")), numbers(f.get("y"))),
        ),
        grids=each(
            facts.get("grids"),
            lambda f: Grid(
                tuple(whole(n) for n in numbers(f.get("shape"))),
                numbers(f.get("values")),
                weighted(f.get("words")),
                sizes(f.get("words")),
                spots(f.get("words")),
                string(f.get("font")),
            ),
        ),
        boxes=each(facts.get("boxes"), read_box),
        texts=each(
            facts.get("texts"),
            lambda f: Text(string(f.get("text")), amount(f.get("x")), amount(f.get("y"))),
        ),
        turn=numbers(facts.get("turn")),
    )


def read_axis(facts: Facts) -> Axis:
    ticks, words = numbers(facts.get("ticks")), strings(facts.get("words"))
    return Axis(
        label=string(facts.get("label")),
        scale=string(facts.get("scale")),
        low=amount(facts.get("from")),
        high=amount(facts.get("to")),
        ticks=ticks[: len(words)],
        words=words[: len(ticks)],
        shown=facts.get("shown") is True,
        units=string(facts.get("units")),
    )


def read_line(facts: Facts) -> Line:
    x, y = numbers(facts.get("x")), numbers(facts.get("y"))
    return Line(
        label=string(facts.get("label")),
        colour=string(facts.get("colour")),
        style=string(facts.get("style")),
        marker=string(facts.get("marker")),
        n=whole(facts.get("n")),
        x=x[: len(y)],
        y=y[: len(x)],
        names=strings(facts.get("names")),
    )


def read_bars(facts: Facts) -> Bars:
    sides = [numbers(facts.get(name)) for name in ("x", "y", "width", "height")]
    n = min(len(side) for side in sides)
    x, y, width, height = (side[:n] for side in sides)
    return Bars(
        label=string(facts.get("label")),
        orientation=string(facts.get("orientation")),
        n=whole(facts.get("n")),
        x=x,
        y=y,
        width=width,
        height=height,
        colours=strings(facts.get("colours")),
    )


def read_points(facts: Facts) -> Points:
    x, y = numbers(facts.get("x")), numbers(facts.get("y"))
    return Points(
        label=string(facts.get("label")),
        n=whole(facts.get("n")),
        x=x[: len(y)],
        y=y[: len(x)],
        values=numbers(facts.get("values")),
        colours=strings(facts.get("colours")),
    )


def read_box(facts: Facts) -> Box:
    low, q1, median, q3, high = (
        amount(facts.get(name)) for name in ("whislo", "q1", "med", "q3", "whishi")
    )
    return Box(string(facts.get("label")), amount(facts.get("at")), low, q1, median, q3, high)
