"""Judging charts by their drawn data: what matplotlib, seaborn, pandas and wordcloud noted.

A PNG or JPEG that these save carries a note of its series, titles and labels (runner.checks.notes).
A note can be forged, so it counts only when the picture bears it out: size, ink and colours.

    figure = figures.read(case, "sales.png")
    figures.require_note(case, figure)          # or: if figure.note: … else charts.…
    counts = table["region"].value_counts()
    series.expect_bar_values(case, figure, counts.to_dict())
    figures.expect_words(case, figure, ["region", "地区"], "names the region")

Figures without a note (another library drew them, or they were edited after saving) are judged
by their pixels with runner.checks.charts. Measures: runner.checks.series (by name: bars, lines,
pies, word clouds) and runner.checks.marks (by number: histograms, lines, points, heat maps, boxes);
figure.panels has everything that was noted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from runner.checks import images
from runner.checks.case import Case
from runner.checks.notes import KEY, MARK, Axes, Note, unpack
from runner.checks.values import plain

LEAST_INK = 0.002  # of the picture, in other than the commonest colour
SIZE_SLACK_PX = 3
COLOUR_SLACK = 40  # levels a channel: thin and smoothed marks


@dataclass(frozen=True)
class Figure:
    """A saved picture: its pixels (height, width, 3), and its note when that can be believed."""

    file: str
    pixels: Any
    note: Note | None
    why_none: str = ""

    @property
    def panels(self) -> tuple[Axes, ...]:
        """The plots that show data, without colour bars."""
        axes = self.note.axes if self.note else ()
        return tuple(a for a in axes if a.has_data and not a.is_colorbar)

    @property
    def text(self) -> str:
        """Every word in the figure, folded, line by line: titles, labels, ticks, legends, texts."""
        if not self.note:
            return ""
        parts = [self.note.title, *self.note.texts, *self.note.legend]
        for axes in self.note.axes:
            parts += [axes.title, axes.x.label, axes.y.label, *axes.legend]
            parts += [*axes.x.words, *axes.y.words, *(t.text for t in axes.texts)]
            parts += [word for grid in axes.grids for word, _ in grid.words]
        return "\n".join(fold(part) for part in parts if part)

    @property
    def title(self) -> str:
        """Title of the figure and of its plots, folded."""
        axes = self.note.axes if self.note else ()
        return "\n".join(
            fold(t) for t in [self.note.title if self.note else ""] + [a.title for a in axes]
        )


def fold(text: object) -> str:
    return plain(text).lower()


def read(case: Case, name: str) -> Figure:
    """The output `name` (PNG or JPEG) as a figure; a blank picture ends the check."""
    with case.reading(name, "a picture") as path:
        kind, rgba = images.load(path, "RGBA")
        packed = packed_note(path)
    case.demand("file format", kind in ("PNG", "JPEG"), "PNG or JPEG", kind, name)
    pixels = images.on_white(rgba)
    ink = ink_share(pixels)
    case.demand(
        "not blank",
        ink >= LEAST_INK,
        f"at least {LEAST_INK:.1%} of the picture drawn on",
        f"{ink:.2%}",
        name,
        f"{name} is a blank picture.",
    )
    note = unpack(packed)
    why = why_not(note, pixels)
    return Figure(name, pixels, None if why else note, why)


def packed_note(path: Path) -> str:
    with images.opened(path) as picture:
        picture.load()
        text = getattr(picture, "text", {}).get(KEY, "")
        comment = picture.info.get("comment", b"")
    if isinstance(comment, bytes) and comment.startswith(MARK.encode()):
        text = comment.decode("latin-1").removeprefix(MARK)
    return str(text)


def ink_share(pixels: Any) -> float:
    """How much of the picture is in other than its commonest colour."""
    red, green, blue = (pixels[..., channel].astype(np.uint32) for channel in range(3))
    packed = red << 16 | green << 8 | blue
    _, counts = np.unique(packed, return_counts=True)
    return 1 - float(counts.max()) / int(packed.size)


def why_not(note: Note | None, pixels: Any) -> str:
    """Why the note is not believed, "" when it is."""
    if note is None:
        return "it holds no note of what was drawn: matplotlib did not save it, or it was edited"
    height, width = pixels.shape[:2]
    if (
        len(note.size) != 2
        or max(abs(note.size[0] - width), abs(note.size[1] - height)) > SIZE_SLACK_PX
    ):
        return f"its note is of a picture of {' × '.join(map(str, note.size))} pixels"
    colours = [colour for axes in note.axes for colour in drawn_colours(axes)]
    colours = [c for c in dict.fromkeys(colours) if len(c) == 7]
    missing = [c for c in colours if not shows(pixels, c)]
    if len(missing) > len(colours) / 2:
        return f"its note speaks of colours that are not in it, such as {missing[0]}"
    return ""


def drawn_colours(axes: Axes) -> list[str]:
    found = [line.colour for line in axes.lines if line.style not in ("None", "", " ") and line.n]
    for colours in [bars.colours for bars in axes.bars] + [dots.colours for dots in axes.points]:
        found += colours[:20]
    found += [wedge.colour for wedge in axes.wedges if wedge.fraction > 0.02]
    return [on_face(colour, axes.face) for colour in found]


def on_face(colour: str, face: str) -> str:
    """`colour` ("#rrggbbaa") laid over the plot's ground; "" where it is hardly seen."""
    if len(colour) != 9:
        return colour
    try:
        alpha = int(colour[7:], 16) / 255
        mixed = [
            round(int(colour[i : i + 2], 16) * alpha + int(face[i : i + 2], 16) * (1 - alpha))
            for i in (1, 3, 5)
        ]
    except ValueError:
        return ""
    return "#" + "".join(f"{m:02x}" for m in mixed) if alpha > 0.1 else ""


def shows(pixels: Any, colour: str) -> bool:
    try:
        wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    except ValueError:
        return False
    off = np.abs(pixels[::1, ::1].astype(np.int16) - np.array(wanted, dtype=np.int16)).max(axis=2)
    return int((off <= COLOUR_SLACK).sum()) >= 4


def require_note(case: Case, figure: Figure) -> None:
    """The figure's data can be read; else the check ends, saying why."""
    case.demand(
        "drawn data can be read",
        figure.note is not None,
        "a chart saved by matplotlib, seaborn, pandas or wordcloud",
        figure.why_none or "noted",
        figure.file,
        f"{figure.file} cannot be judged by its data: {figure.why_none}.",
    )


def find_series(figure: Figure, holds: Callable[[Axes], bool]) -> Axes | None:
    """The first plot of which `holds` is true."""
    return next((axes for axes in figure.panels if holds(axes)), None)


def expect_words(
    case: Case, figure: Figure, any_of: Sequence[str], name: str, within: str | None = None
) -> bool:
    """The figure's text (or the part `within`) has one of the words `any_of`, case aside."""
    text = figure.text if within is None else within
    return case.expect(
        name,
        any(fold(word) in text for word in any_of),
        " or ".join(any_of),
        text.replace("\n", " · ")[:200],
        figure.file,
        f"{figure.file}: {name}: none of {', '.join(any_of)} is written in it.",
    )


def expect_title_words(case: Case, figure: Figure, any_of: Sequence[str] = ()) -> bool:
    """There is a title, and it has one of the words `any_of` when such are given."""
    if not any_of:
        title = figure.title.strip()
        return case.expect("title", bool(title), "a title", title, figure.file)
    return expect_words(case, figure, any_of, "title", figure.title)
