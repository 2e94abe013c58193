"""Names beside dots, placed so that none covers a dot or another name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

DOT_PX = 6  # half a dot's side, with its rim
GAP_PX = 9  # from a dot's middle to its name
LINE_PX = 15
WIDE_SCRIPTS = "\u2e80"  # from here on a character is about as wide as high
TOGETHER_PX = 6  # dots nearer than this share one name

# Where a name may go, best first: the side of it that is held, and how far from the dot.
PLACES = (
    ("left", "middle", GAP_PX, 0),
    ("right", "middle", -GAP_PX, 0),
    ("center", "bottom", 0, GAP_PX),
    ("center", "top", 0, -GAP_PX),
    ("left", "bottom", -DOT_PX, GAP_PX),
    ("right", "bottom", DOT_PX, GAP_PX),
    ("left", "top", -DOT_PX, -GAP_PX),
    ("right", "top", DOT_PX, -GAP_PX),
)
# The share of a name's size that lies before the side that is held, from the left or the top.
BEFORE = {"left": 0.0, "center": 0.5, "right": 1.0, "top": 0.0, "middle": 0.5, "bottom": 1.0}


@dataclass(frozen=True)
class Dot:
    """A dot in pixels, from the left and from the top, and what its name is."""

    x: float
    y: float
    name: str


@dataclass(frozen=True)
class Label:
    """A name with its place relative to its dot, in Plotly's words."""

    dot: int  # its index
    text: str
    xanchor: str
    yanchor: str
    xshift: int
    yshift: int


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def is_within(self, width: float, height: float) -> bool:
        """Upwards and downwards half a line may stand out: there is nothing to cover."""
        room = LINE_PX / 2
        return (
            self.left >= 0
            and self.right <= width
            and self.top >= -room
            and self.bottom <= height + room
        )


def place_labels(
    dots: Sequence[Dot], named: Sequence[int], width: float, height: float
) -> list[Label]:
    """Labels of the `named` dots, most wanted first, on an area of that many pixels.

    A name goes where there is room for it around its dot; without room it is left out.
    """
    taken: list[Box] = []
    labels: list[Label] = []
    for members in group_together(dots, named):
        first = dots[members[0]]
        text = first.name + (f" +{len(members) - 1}" if len(members) > 1 else "")
        others = [box_of_dot(dot) for dot in dots if not are_together(dot, first)]
        for label, box in options_of(members[0], first, text):
            if box.is_within(width, height) and not any(map(box.meets, others + taken)):
                taken.append(box)
                labels.append(label)
                break
    return labels


def group_together(dots: Sequence[Dot], named: Sequence[int]) -> list[list[int]]:
    """The named dots in their order, those that lie on one another as one group."""
    groups: list[list[int]] = []
    for i in named:
        near = (group for group in groups if are_together(dots[group[0]], dots[i]))
        group = next(near, None)
        if group is None:
            groups.append([i])
        else:
            group.append(i)
    return groups


def are_together(a: Dot, b: Dot) -> bool:
    return abs(a.x - b.x) < TOGETHER_PX and abs(a.y - b.y) < TOGETHER_PX


def box_of_dot(dot: Dot) -> Box:
    return Box(dot.x - DOT_PX, dot.y - DOT_PX, dot.x + DOT_PX, dot.y + DOT_PX)


def options_of(index: int, dot: Dot, text: str) -> Iterator[tuple[Label, Box]]:
    wide = estimate_width_px(text)
    for xanchor, yanchor, xshift, yshift in PLACES:
        left = dot.x + xshift - wide * BEFORE[xanchor]
        top = dot.y - yshift - LINE_PX * BEFORE[yanchor]
        box = Box(left, top, left + wide, top + LINE_PX)
        yield Label(index, text, xanchor, yanchor, xshift, yshift), box


def estimate_width_px(text: str) -> float:
    """About the width at 12 px: a little more than the text face needs."""
    return sum(12.0 if character >= WIDE_SCRIPTS else 6.9 for character in text)
