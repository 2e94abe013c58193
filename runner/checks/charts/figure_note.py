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
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

KEY = "pybench-figure"
MARK = "pybench-figure:"
MOST_BYTES = 8 << 20

T = TypeVar("T")
Facts = dict[str, Any]
Weighted = tuple[tuple[str, float], ...]  # words, and how large they are


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
    words: Weighted


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
    words: Weighted
    is_placed: bool  # places of marks and words are those of the saved picture


NAMED = {  # fields that the note has by another name
    "Note": {"title": "suptitle"},
    "Axes": {"is_colorbar": "colorbar"},
    "Axis": {"low": "from", "high": "to"},
    "Wedge": {"start": "from"},
    "Box": {"low": "whislo", "median": "med", "high": "whishi"},
}
AS_LONG = {  # fields that belong together, item by item
    "Axis": ("ticks", "words"),
    "Line": ("x", "y"),
    "Points": ("x", "y"),
    "Bars": ("x", "y", "width", "height"),
}


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
    is_placed = facts["v"] == 3 or facts.get("kind") != "matplotlib"
    return made(Note, {**facts, "is_placed": is_placed})


def made(kind: type[T], facts: Facts) -> T:
    """A dataclass of `kind` with what the note says of each of its fields."""
    named = NAMED.get(kind.__name__, {})
    values = {
        name: value_of(facts.get(named.get(name, name)), hint)
        for name, hint in get_type_hints(kind).items()
    }
    together = AS_LONG.get(kind.__name__, ())
    shortest = min((len(values[name]) for name in together), default=0)
    return kind(**values | {name: values[name][:shortest] for name in together})


def value_of(value: object, hint: Any) -> Any:
    """`value` as a field of type `hint`; what has another type is dropped."""
    if hint in READERS:
        return READERS[hint](value)
    if get_origin(hint) is tuple:
        items = value if isinstance(value, list) else []
        return tuple(made(get_args(hint)[0], item) for item in items if isinstance(item, dict))
    return made(hint, value if isinstance(value, dict) else {})


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


def weighted(value: object) -> Weighted:
    items = value if isinstance(value, list) else []
    pairs = [item for item in items if isinstance(item, list) and len(item) >= 2]
    return tuple((string(item[0]), amount(item[1])) for item in pairs)


READERS: dict[Any, Callable[[object], Any]] = {
    str: string,
    float: amount,
    int: whole,
    bool: lambda value: value is True,
    tuple[str, ...]: strings,
    tuple[float, ...]: numbers,
    tuple[int, ...]: lambda value: tuple(map(whole, numbers(value))),
    Weighted: weighted,
}
