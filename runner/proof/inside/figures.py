"""Runs in a kernel, before a solution's cells: each figure is saved changed too, once per change.

`output/NAME` of a picture is left as it is; beside it stands `output/CHANGE/NAME` for every change
that fits the figure. A change is undone before the next.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

Undo = Callable[[], Any]
Change = Callable[[Any], list[Undo]]
OTHER_WORD = "Zanzibar"


def swap_labels(figure: Any) -> list[Undo]:
    """Exchanges two names: of the legend, else of wedges or words, else of ticks."""
    for axes in figure.axes:
        legend = axes.get_legend()
        texts = [t for t in legend.get_texts() if t.get_text().strip()] if legend else []
        if len(texts) < 2 and len(axes.texts) > 1:
            texts = [t for t in axes.texts if any(c.isalpha() for c in t.get_text())]
        if len(texts) > 1 and texts[0].get_text() != texts[1].get_text():
            return exchange_texts(texts[0], texts[1])
        if changed := swap_ticks(axes):
            return changed
    return []


def exchange_texts(one: Any, other: Any) -> list[Undo]:
    first, second = one.get_text(), other.get_text()
    one.set_text(second)
    other.set_text(first)
    return [lambda: one.set_text(first), lambda: other.set_text(second)]


def swap_ticks(axes: Any) -> list[Undo]:
    """Exchanges the first two names that stand under ticks, where these are words."""
    for axis in (axes.xaxis, axes.yaxis):
        named = named_ticks(axis)
        if len(named) > 1 and named[0][1] != named[1][1]:
            words = [word for _, word in named]
            words[0], words[1] = words[1], words[0]
            return relabel(axis, [place for place, _ in named], words)
    return []


def named_ticks(axis: Any) -> list[tuple[float, str]]:
    """Ticks whose words say something else than a number."""
    axis.figure.canvas.draw()
    ticks = [(float(t.get_loc()), t.label1.get_text()) for t in axis.get_major_ticks()]
    low, high = sorted(axis.get_view_interval())
    seen = [(place, word) for place, word in ticks if low <= place <= high and word.strip()]
    return seen if any(c.isalpha() for _, word in seen for c in word) else []


def relabel(axis: Any, places: list[float], words: list[str]) -> list[Undo]:
    locator, formatter = axis.get_major_locator(), axis.get_major_formatter()
    axis.set_ticks(places, labels=words)
    return [lambda: axis.set_major_locator(locator), lambda: axis.set_major_formatter(formatter)]


def change_word(figure: Any) -> list[Undo]:
    """Gives the first name of the legend, of wedges or of ticks another word."""
    for axes in figure.axes:
        legend = axes.get_legend()
        texts = [t for t in legend.get_texts() if t.get_text().strip()] if legend else []
        texts = texts or [t for t in axes.texts if any(c.isalpha() for c in t.get_text())]
        if texts:
            undo = partial(texts[0].set_text, texts[0].get_text())
            texts[0].set_text(OTHER_WORD)
            return [undo]
        for axis in (axes.xaxis, axes.yaxis):
            if named := named_ticks(axis):
                words = [OTHER_WORD, *(word for _, word in named[1:])]
                return relabel(axis, [place for place, _ in named], words)
    return []


def drop_row(figure: Any) -> list[Undo]:
    """Hides a mark: the longest bar, the last wedge, a line among several, half of one line."""
    for axes in figure.axes:
        boxes = [p for p in axes.patches if type(p).__name__ == "Rectangle"]
        bars = [p for p in boxes if p.get_width() and p.get_height()]
        wedges = [p for p in axes.patches if type(p).__name__ == "Wedge"]
        marks = wedges[-1:] or sorted(bars, key=lambda p: abs(p.get_width() * p.get_height()))[-1:]
        lines = [line for line in axes.lines if len(line.get_xdata()) > 1]
        if not marks and len(lines) > 1:
            marks = lines[-1:]
        if marks:
            marks[0].set_visible(False)
            return [partial(marks[0].set_visible, True)]
        if lines:
            return keep_part(lines[0])
    return []


def keep_part(line: Any) -> list[Undo]:
    x, y = line.get_data()
    line.set_data(x[: max(1, len(x) // 2)], y[: max(1, len(y) // 2)])
    return [lambda: line.set_data(x, y)]


def scale_by_10(figure: Any) -> list[Undo]:
    """Multiplies what is drawn by ten; where every length is, its ticks keep their numbers."""
    undone: list[Undo] = []
    for axes in figure.axes:
        for stretch, before in stretchable(axes):
            stretch()
            undone.append(before)
        if undone:
            axes.relim()
            limits = axes.get_xlim(), axes.get_ylim()
            axes.autoscale()
            axes.autoscale_view()
            undone += [partial(axes.set_xlim, limits[0]), partial(axes.set_ylim, limits[1])]
    return undone


def stretchable(axes: Any) -> Iterator[tuple[Undo, Undo]]:
    """For each mark, what makes it ten times as long, and what undoes that."""
    bars = [p for p in axes.patches if type(p).__name__ == "Rectangle"]
    heights, widths = ({round(get(), 6) for get in gets} for gets in sizes_of(bars))
    for bar in bars:
        size, resize = (
            (bar.get_width(), bar.set_width)
            if len(heights) < len(widths)
            else (bar.get_height(), bar.set_height)
        )
        yield partial(resize, 10 * size), partial(resize, size)
    for line in axes.lines:
        y = line.get_ydata()
        if len(y) > 2:
            yield partial(line.set_ydata, [10 * one for one in y]), partial(line.set_ydata, y)
    for dots in axes.collections:
        places = dots.get_offsets()
        if len(places) > 2:
            wide = [(a, 10 * b) for a, b in places]
            yield partial(dots.set_offsets, wide), partial(dots.set_offsets, places)


def sizes_of(bars: list[Any]) -> tuple[list[Any], list[Any]]:
    return [bar.get_height for bar in bars], [bar.get_width for bar in bars]


def reverse_order(figure: Any) -> list[Undo]:
    """The values of bars, lines and dots in the opposite order, at the same places."""
    undone: list[Undo] = []
    for axes in figure.axes:
        bars = [p for p in axes.patches if type(p).__name__ == "Rectangle" and p.get_visible()]
        heights = [b.get_height() for b in bars]
        widths = [b.get_width() for b in bars]
        for bar, height, width in zip(bars, heights[::-1], widths[::-1], strict=True):
            undone += [
                partial(bar.set_height, bar.get_height()),
                partial(bar.set_width, bar.get_width()),
            ]
            bar.set_height(height)
            bar.set_width(width)
        for line in axes.lines:
            y = line.get_ydata()
            if len(y) > 2:
                line.set_ydata(y[::-1])
                undone.append(partial(line.set_ydata, y))
    return undone


def shift_date(figure: Any) -> list[Undo]:
    """Every line two months later, where the axis shows dates."""
    undone: list[Undo] = []
    for axes in figure.axes:
        if "Date" not in type(axes.xaxis.get_converter()).__name__:
            continue
        for line in axes.lines:
            x = line.get_xdata(orig=True)
            if len(x) > 2:
                line.set_xdata([later(one) for one in x])
                undone.append(partial(line.set_xdata, x))
        if undone:
            limits = axes.get_xlim()
            axes.relim()
            axes.autoscale_view(scaley=False)
            undone.append(partial(axes.set_xlim, limits))
    return undone


def later(day: Any) -> Any:
    try:
        return day + timedelta(days=61)
    except TypeError:
        import numpy as np

        return np.datetime64(day) + np.timedelta64(61, "D")


def exchange_columns(figure: Any) -> list[Undo]:
    """Dots and lines with x and y exchanged."""
    undone: list[Undo] = []
    for axes in figure.axes:
        for dots in axes.collections:
            places = dots.get_offsets()
            if len(places) > 2:
                dots.set_offsets([(b, a) for a, b in places])
                undone.append(partial(dots.set_offsets, places))
        limits = axes.get_xlim(), axes.get_ylim()
        if undone:
            axes.set_xlim(limits[1])
            axes.set_ylim(limits[0])
            undone += [partial(axes.set_xlim, limits[0]), partial(axes.set_ylim, limits[1])]
    return undone


CHANGES: dict[str, Change] = {  # by the folder that it is saved in
    "mutant swap-labels": swap_labels,
    "mutant change-word": change_word,
    "mutant drop-row": drop_row,
    "mutant scale-by-10": scale_by_10,
    "mutant reverse-order": reverse_order,
    "mutant shift-date": shift_date,
    "mutant exchange-columns": exchange_columns,
}


@contextmanager
def changed(figure: Any, change: Change) -> Iterator[bool]:
    """The figure with the change; False where it does not fit."""
    undone = change(figure)
    try:
        yield bool(undone)
    finally:
        for undo in reversed(undone):
            undo()


def wrap_saving() -> None:
    """Let every save of a figure as a file also save each change of it."""
    from matplotlib.figure import Figure

    save = Figure.savefig

    def savefig(self: Any, target: Any, *args: Any, **options: Any) -> Any:
        if isinstance(target, str | Path) and Path(target).parent.name == "output":
            for name, change in CHANGES.items():
                path = Path("output") / name / Path(target).name
                try:
                    with changed(self, change) as fits:
                        if fits:
                            path.parent.mkdir(parents=True, exist_ok=True)
                            save(self, path, *args, **options)
                except (ValueError, TypeError, AttributeError, IndexError, RuntimeError):
                    path.unlink(missing_ok=True)  # it does not fit
        return save(self, target, *args, **options)

    Figure.savefig = savefig


wrap_saving()
