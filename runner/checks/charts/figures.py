"""Judging charts by their drawn data: what matplotlib, seaborn, pandas and wordcloud noted.

A PNG or JPEG that these save carries a note of its series, titles and labels
(runner.checks.charts.figure_note). It is believed where it is of a picture of this size.

    figure = figures.read(case, "sales.png")
    figures.require_note(case, figure)          # or: if figure.note: … else charts.…
    counts = table["region"].value_counts()
    series.expect_bar_values(case, figure, counts.to_dict())
    figures.expect_words(case, figure, ["region", "地区"], "names the region")

Figures without a note (another library drew them, or they were edited after saving) are judged
by their pixels with runner.checks.charts.pixels. Measures: runner.checks.charts.series (by name:
bars, lines, pies, word clouds) and runner.checks.charts.marks (by number: histograms, lines,
points, heat maps, boxes); figure.panels has everything that was noted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from runner.checks.case import Case
from runner.checks.charts.figure_note import KEY, MARK, Axes, Note, unpack
from runner.checks.pictures import images
from runner.checks.values import plain

LEAST_INK = 0.0005  # of the picture's middle, in other than the commonest colour
SIZE_SLACK_PX = 3
IN_SPACE = "3d"  # the kind of a plot with three axes
LEAST_WIDTH, LEAST_HEIGHT = 200, 150
NO_NOTE = "it holds no note of what was drawn: matplotlib did not save it, or it was edited"


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
    height, width = pixels.shape[:2]
    case.demand(
        "large enough to be read",
        width >= LEAST_WIDTH and height >= LEAST_HEIGHT,
        f"at least {LEAST_WIDTH} × {LEAST_HEIGHT} pixels",
        f"{width} × {height}",
        name,
        f"{name} has {width} × {height} pixels: nothing can be read in it.",
    )
    ink = ink_share(pixels[height // 5 : -height // 5, width // 5 : -width // 5])
    case.demand(
        "not blank",
        ink >= LEAST_INK,
        f"at least {LEAST_INK:.2%} of its middle drawn on",
        f"{ink:.2%}",
        name,
        f"{name} is a blank picture.",
    )
    note = unpack(packed)
    if note is None or (why := why_not(note, pixels)):
        return Figure(name, pixels, None, why if note else NO_NOTE)
    return Figure(name, pixels, note)


def packed_note(path: Path) -> str:
    with images.opened(path) as picture:
        picture.load()
        text = getattr(picture, "text", {}).get(KEY, "")
        comment = picture.info.get("comment", b"")
    if isinstance(comment, bytes) and comment.startswith(MARK.encode()):
        text = comment.decode("latin-1").removeprefix(MARK)
    return str(text)


def ink_share(pixels: Any) -> float:
    """Share of a picture that is in another colour than its commonest one."""
    red, green, blue = (pixels[..., channel].astype(np.uint32) for channel in range(3))
    packed = red << 16 | green << 8 | blue
    _, counts = np.unique(packed, return_counts=True)
    return 1 - float(counts.max()) / int(packed.size)


def why_not(note: Note, pixels: Any) -> str:
    """Why the note does not fit the picture, "" when it does."""
    height, width = pixels.shape[:2]
    if (
        len(note.size) != 2
        or max(abs(note.size[0] - width), abs(note.size[1] - height)) > SIZE_SLACK_PX
    ):
        return f"its note is of a picture of {' × '.join(map(str, note.size))} pixels"
    if not note.is_placed:
        return "its note does not say where its words are"
    drawn = [axes for axes in note.axes if axes.has_data]
    if drawn and all(axes.kind == IN_SPACE for axes in drawn):
        return "its plot is in space, where a note's places are not the picture's"
    return ""


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


def expect_no_other_subject(
    case: Case, figure: Figure, others: Sequence[str], asked: Sequence[str]
) -> bool:
    """No title of the figure, its plots or their axes speaks of one of `others`, and of none of
    what was `asked`."""
    axes = [a for a in figure.note.axes if not a.is_colorbar] if figure.note else []
    heads = [figure.note.title if figure.note else ""]
    heads += [head for a in axes for head in (a.title, a.x.label, a.y.label)]
    wrong = [
        head
        for head in map(fold, heads)
        if any(fold(word) in head for word in others) and not any(fold(a) in head for a in asked)
    ]
    return case.expect(
        "titled as what was asked for",
        not wrong,
        " or ".join(asked),
        wrong[0][:120] if wrong else "no other",
        figure.file,
        f"{figure.file} is titled “{wrong[0][:120]}”, which nobody asked for." if wrong else "",
    )


def expect_title_words(case: Case, figure: Figure, any_of: Sequence[str] = ()) -> bool:
    """There is a title, and it has one of the words `any_of` when such are given."""
    if not any_of:
        title = figure.title.strip()
        return case.expect("title", bool(title), "a title", title, figure.file)
    return expect_words(case, figure, any_of, "title", figure.title)
