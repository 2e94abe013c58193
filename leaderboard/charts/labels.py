"""Names beside dots and at the ends of lines, placed so that none covers another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from leaderboard.charts.chart import width_of, wrap_name
from leaderboard.charts.template import EDGE, SOFT

MOST = 8  # of a chart: a hover and the table have every name
SIZE_PX, CHAR_PX, LINE_PX = 11, 6.2, 14  # of a label's letters
LINES = 3
DOT_PX = 6.0  # from a dot's middle to where a label may begin
STAIR_PX = 2.0  # and from the middle of a line
WAYS = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1))
ROOMS_PX = (8.0, 20.0, 36.0, 56.0)  # from a dot's middle to its label, the nearest first


@dataclass(frozen=True)
class ChartLabel:
    """A name at a place of a chart: `x` and `y` as the axes have them, `across` and `down` as
    shares of the drawing from its upper left corner."""

    name: str
    x: float
    y: float
    across: float
    down: float
    colour: str = SOFT


@dataclass(frozen=True)
class LabelBox:
    """A rectangle in pixels from the drawing's upper left corner."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: LabelBox) -> float:
        """The area that both cover."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, width) * max(0.0, height)


def label_dots(
    labels: Sequence[ChartLabel],
    dots: Iterable[ChartLabel],
    stairs: Sequence[ChartLabel],
    size_px: tuple[float, float],
    line_chars: int,
) -> list[dict[str, Any]]:
    """Plotly's annotations for labels beside their dots, clear of all `dots`, and of the line
    through `stairs`, where there is room.

    `size_px` is the least width and height that the drawing will have.
    """
    width_px, height_px = size_px
    taken = [around(dot, dot, size_px, DOT_PX) for dot in dots]
    for left, right in pairwise(stairs):  # a step to the right, then up
        corner = replace(left, across=right.across)
        taken += [around(*step, size_px, STAIR_PX) for step in ((left, corner), (corner, right))]
    drawing = LabelBox(0, 0, width_px, height_px)
    found = []
    for label in labels:
        lines = wrap_name(label.name, line_chars, LINES)
        size = max(map(width_of, lines)) * CHAR_PX, len(lines) * LINE_PX
        x_px, y_px = label.across * width_px, label.down * height_px
        places = [
            (way, room, beside(x_px, y_px, way, room, size)) for room in ROOMS_PX for way in WAYS
        ]
        way, room, box = min(places, key=lambda place: cost_of(place[2], taken, drawing))
        taken.append(box)
        found.append(annotate(label, lines, way, (way[0] * room, way[1] * room)))
    return found


def around(
    one: ChartLabel, other: ChartLabel, size_px: tuple[float, float], room_px: float
) -> LabelBox:
    """The box that has both places, and so much room around them."""
    width_px, height_px = size_px
    across = one.across * width_px, other.across * width_px
    down = one.down * height_px, other.down * height_px
    return LabelBox(
        min(across) - room_px, min(down) - room_px, max(across) + room_px, max(down) + room_px
    )


def beside(
    x_px: float, y_px: float, way: tuple[int, int], room: float, size: tuple[float, float]
) -> LabelBox:
    """The box of a label of that size: `way` from the place, and so far from it."""
    width, height = size
    left = x_px + way[0] * room - width * (1 - way[0]) / 2
    top = y_px + way[1] * room - height * (1 - way[1]) / 2
    return LabelBox(left, top, left + width, top + height)


def cost_of(box: LabelBox, taken: Sequence[LabelBox], drawing: LabelBox) -> float:
    """What a label there would cover, with what would be outside of the drawing."""
    area = (box.right - box.left) * (box.bottom - box.top)
    return sum(map(box.overlap, taken)) + 2 * (area - box.overlap(drawing))


def label_ends(
    labels: Sequence[ChartLabel], height_px: float, line_chars: int, room_px: float = 16.0
) -> list[dict[str, Any]]:
    """Annotations at the right of where lines end, moved up or down from one another."""
    ordered = sorted(labels, key=lambda label: label.down)
    names = [wrap_name(label.name, line_chars, LINES) for label in ordered]
    heights = [len(lines) * LINE_PX for lines in names]
    places = [label.down * height_px for label in ordered]
    gaps = [(above + below) / 2 for above, below in pairwise(heights)]
    for i, gap in enumerate(gaps):
        places[i + 1] = max(places[i + 1], places[i] + gap)
    if places:
        places[-1] = min(places[-1], height_px)
    for i, gap in reversed(list(enumerate(gaps))):
        places[i] = min(places[i], places[i + 1] - gap)
    return [
        annotate(label, lines, (1, 0), (room_px, place - label.down * height_px))
        for label, lines, place in zip(ordered, names, places, strict=True)
    ]


def annotate(
    label: ChartLabel, lines: Sequence[str], way: tuple[int, int], move_px: tuple[float, float]
) -> dict[str, Any]:
    """A text so far from its place, with a thin line that leads there."""
    x_anchors, y_anchors = ("right", "center", "left"), ("bottom", "middle", "top")
    x_anchor = x_anchors[way[0] + 1]
    return {
        "x": label.x,
        "y": label.y,
        "text": "<br>".join(lines),
        "align": x_anchor,
        "font": {"size": SIZE_PX, "color": label.colour},
        "showarrow": True,
        "arrowhead": 0,
        "arrowwidth": 1,
        "arrowcolor": EDGE,
        "standoff": DOT_PX,
        "ax": round(move_px[0], 1),
        "ay": round(move_px[1], 1),
        "xanchor": x_anchor,
        "yanchor": y_anchors[way[1] + 1],
        "borderpad": 0,
    }
