"""Judging charts that an agent drew by what is seen: sizes, colours, and how tall things stand.

A chart is read as pixels whatever its format (an SVG is rendered first), so that it does not
matter which library drew it. Queries that want this name the colours and the size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from runner.checks.case import Case
from runner.checks.pictures import images, svg_words
from runner.checks.pictures.images import Island

MAX_SVG_BYTES = 8 << 20
MAX_SIDE = 6_000
SVG_SCALE = 2.0  # pixels a unit
LINE_COLOUR_TOLERANCE = 60  # soft edges belong to a thin line
LINE_SLACK_PX = 5.0  # a thick line is blunt at its peaks
LEAST_MARK_SHARE = 0.0002  # of the picture, below which coloured specks are no mark
LEAST_DISC = 0.95  # of a circle that its slices cover: they may have thin edges
ROUND_SLACK = 0.05
LEAST_PATH = 0.6  # of a line that markers hide in part
EDGE_PX = 3  # soft edges of a bar
SLICE_TOLERANCE = 40  # levels
RIM, MOST_SPECKS = 0.96, 0.0015  # of a disc's radius and area
MOST_WRITTEN = 0.004  # of a bar in other colours


@dataclass(frozen=True)
class Chart:
    """A chart as seen: `pixels` (height, width, 3), and an SVG's visible text."""

    file: str
    pixels: Any
    text: str = ""
    words: tuple[svg_words.Word, ...] = ()  # of an SVG, with their places

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])

    def marks(self, colour: str, tolerance: int = 24, least: int = 0) -> list[Island]:
        """The connected areas drawn in `colour` ("#rrggbb"), from left to right."""
        least = least or max(4, int(self.width * self.height * LEAST_MARK_SHARE))
        found = images.islands(self.mask(colour, tolerance), least)
        return sorted(found, key=lambda island: island.left)

    def mask(self, colour: str, tolerance: int = 24) -> Any:
        return images.of_colour(self.pixels, colour, tolerance)


def read(case: Case, name: str) -> Chart:
    """The output `name` (svg, png or jpeg) as a chart; a blank picture ends the check."""
    chart = read_svg(case, name) if name.endswith(".svg") else read_picture(case, name)
    spread = int(chart.pixels.max()) - int(chart.pixels.min())
    case.demand(
        "not blank",
        spread > 60,
        "a drawing",
        f"{spread} levels",
        name,
        f"{name} is a blank picture.",
    )
    return chart


def read_picture(case: Case, name: str) -> Chart:
    kind = "PNG" if Path(name).suffix == ".png" else "JPEG"
    pixels = images.read(case, name, kind, alpha=True)
    return Chart(name, images.on_white(pixels))


def read_svg(case: Case, name: str) -> Chart:
    """An SVG rendered at two pixels a unit; nothing outside it is fetched."""
    import pymupdf

    with case.reading(name, "SVG") as path:
        if path.stat().st_size > MAX_SVG_BYTES:
            raise ValueError("it is larger than 8 MiB")
        body = svg_words.made_opaque(path.read_bytes())
        with pymupdf.open(stream=body, filetype="svg") as document:
            page = document[0]
            if max(page.rect.width, page.rect.height) * SVG_SCALE > MAX_SIDE:
                raise ValueError("it is larger than 3000 units")
            picture = page.get_pixmap(matrix=pymupdf.Matrix(SVG_SCALE, SVG_SCALE), alpha=False)
            pixels = np.frombuffer(picture.samples, np.uint8)
            return Chart(
                name,
                pixels.reshape(picture.height, picture.width, -1)[..., :3].copy(),
                str(page.get_text()),
                tuple(svg_words.words(path, page, SVG_SCALE)),
            )


def expect_least_size(case: Case, chart: Chart, width: int, height: int) -> bool:
    """The picture has at least `width` × `height` pixels."""
    return case.expect(
        "size in pixels",
        chart.width >= width and chart.height >= height,
        f"at least {width} × {height}",
        f"{chart.width} × {chart.height}",
        chart.file,
    )


def expect_text(case: Case, chart: Chart, words: str) -> bool:
    """An SVG shows `words` as text, white space and case aside."""
    wanted, shown = ("".join(text.split()).lower() for text in (words, chart.text))
    return case.expect(
        f"shows “{words}”",
        wanted in shown,
        words,
        " · ".join(chart.text.split("\n"))[:200],
        chart.file,
        f"{chart.file} does not show “{words}” as text.",
    )


def expect_bars(
    case: Case,
    chart: Chart,
    colour: str,
    values: Sequence[float],
    name: str = "bar heights",
    tolerance: float = 0.03,
    horizontal: bool = False,
) -> bool:
    """The bars of `colour` are as many as `values` and as long in proportion, in that order.

    From left to right, or from top to bottom when `horizontal`. `tolerance` is a share of the
    longest bar.
    """
    bars = bars_of(chart, colour, horizontal)
    noun = "bar" if len(bars) == 1 else "bars"
    message = f"{chart.file} has {len(bars)} {noun} in {colour}, the query asks for {len(values)}."
    if not case.expect(
        f"{name}: number", len(bars) == len(values), len(values), len(bars), chart.file, message
    ):
        return False
    lengths = [bar.width if horizontal else bar.height for bar in bars]
    return expect_proportion(case, name, lengths, values, tolerance, chart.file)


def expect_proportion(
    case: Case,
    name: str,
    measured: Sequence[float],
    values: Sequence[float],
    tolerance: float,
    file: str,
) -> bool:
    """`measured` is proportional to `values` within `tolerance` of the largest."""
    top = max(measured, default=0) or 1
    peak = max(values)
    found = [m / top for m in measured]
    wanted = [v / peak for v in values]
    off = max(abs(a - b) for a, b in zip(found, wanted, strict=True))
    return case.expect(
        name,
        off <= tolerance,
        percentages(wanted),
        percentages(found),
        file,
        f"{file}: {name} are {percentages(found)} of the largest, expected {percentages(wanted)}.",
    )


def bars_of(chart: Chart, colour: str, horizontal: bool = False) -> list[Island]:
    """The areas of `colour` that stand on one baseline, in reading order.

    Grid lines drawn over the bars do not split them, and a legend's swatch is left out because it
    does not stand on the baseline.
    """
    side = max(5, chart.height // 120)
    whole = cv2.morphologyEx(
        chart.mask(colour).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)
    )
    least = max(4, int(chart.width * chart.height * LEAST_MARK_SHARE))
    found = [images.body(whole, bar) for bar in images.islands(whole, least)]
    feet = [bar.left if horizontal else bar.top + bar.height for bar in found]
    reach = max(3, chart.height // 200)
    floor = max(feet, key=lambda foot: sum(abs(foot - f) <= reach for f in feet), default=0)
    standing = [bar for bar, foot in zip(found, feet, strict=True) if abs(foot - floor) <= reach]
    return sorted(standing, key=lambda bar: bar.top if horizontal else bar.left)


def expect_shares(
    case: Case, chart: Chart, values: Mapping[str, float], tolerance: float = 0.02
) -> bool:
    """The areas of the colours in `values` (colour to value) are in proportion, as in a pie."""
    areas = {colour: biggest(chart.marks(colour)) for colour in values}
    total, whole = sum(areas.values()) or 1, sum(values.values())
    found = [areas[c] / total for c in values]
    wanted = [v / whole for v in values.values()]
    off = max(abs(a - b) for a, b in zip(found, wanted, strict=True))
    return case.expect(
        "areas by colour",
        sum(areas.values()) > 0.02 * chart.width * chart.height and off <= tolerance,
        percentages(wanted),
        percentages(found),
        chart.file,
        f"{chart.file}: the areas are {percentages(found)}, expected {percentages(wanted)}.",
    )


def expect_whole_disc(case: Case, chart: Chart, colours: Sequence[str]) -> bool:
    """The largest areas of `colours` make one disc, without a hole or gaps."""
    found = [max(marks, key=lambda m: m.area) for c in colours if (marks := chart.marks(c))]
    left, top = min(m.left for m in found), min(m.top for m in found)
    width = max(m.left + m.width for m in found) - left
    height = max(m.top + m.height for m in found) - top
    share = sum(mark.area for mark in found) / (math.pi / 4 * width * height)
    is_round = abs(width - height) <= ROUND_SLACK * max(width, height)
    return case.expect(
        "one disc",
        share >= LEAST_DISC and is_round,
        "a full disc without a hole or gaps",
        f"{share:.0%} of {width} × {height} px covered",
        chart.file,
        f"{chart.file}: the slices cover {share:.0%} of their circle, {width} × {height} px.",
    )


def expect_bare_disc(case: Case, chart: Chart, colours: Sequence[str]) -> bool:
    """Nothing stands on the slices of a disc: no specks of other colours but lines to its rim."""
    found = [max(marks, key=lambda m: m.area) for c in colours if (marks := chart.marks(c))]
    left, top = min(m.left for m in found), min(m.top for m in found)
    width = max(m.left + m.width for m in found) - left
    height = max(m.top + m.height for m in found) - top
    down, across = np.ogrid[: chart.height, : chart.width]
    squared = ((across - left - width / 2) / (width / 2)) ** 2
    squared = squared + ((down - top - height / 2) / (height / 2)) ** 2
    slices = np.any([chart.mask(colour, SLICE_TOLERANCE) for colour in colours], axis=0)
    foreign = (~slices & (squared < 1)).astype(np.uint8)
    _, labels = cv2.connectedComponents(foreign, connectivity=8)
    ends = (squared > RIM**2) | (squared < (1 - RIM) ** 2)
    square = np.ones((2, 2), np.uint8)  # smaller ones are soft edges
    wide = cv2.dilate(cv2.erode(foreign, square, anchor=(0, 0)), square, anchor=(1, 1))
    specks = wide.astype(bool) & ~np.isin(labels, np.unique(labels[ends & (labels > 0)]))
    share = float(specks.sum()) / (math.pi / 4 * width * height)
    return case.expect(
        "nothing written on the slices",
        share <= MOST_SPECKS,
        "slices of one colour",
        f"{share:.2%} of the disc in specks of other colours",
        chart.file,
        f"{chart.file}: something is written on the slices: {share:.2%} of the disc.",
    )


def expect_nothing_written(
    case: Case, chart: Chart, bars: Mapping[str, Sequence[Island]], tolerance: int = 24
) -> bool:
    """Nothing stands on the bars (by their colour) but lines of a grid from side to side."""
    worst = 0.0
    for colour, found in bars.items():
        mask = chart.mask(colour, tolerance)
        for bar in found:
            box = mask[
                bar.top + EDGE_PX : bar.top + bar.height - EDGE_PX,
                bar.left + EDGE_PX : bar.left + bar.width - EDGE_PX,
            ]
            if box.size:
                inner = box[:, box.any(axis=0)][box.any(axis=1)]
                worst = max(worst, 1 - float(inner.mean()))
    return case.expect(
        "nothing written on the bars",
        worst <= MOST_WRITTEN,
        "bars of one colour",
        f"{worst:.1%} of a bar in other colours",
        chart.file,
        f"{chart.file}: something is written on the bars: {worst:.1%} of one is in other colours.",
    )


def biggest(marks: Sequence[Island]) -> int:
    """The area of the largest mark: a legend's swatch of the same colour does not count."""
    return max((mark.area for mark in marks), default=0)


def expect_line(
    case: Case,
    chart: Chart,
    colour: str,
    values: Sequence[float],
    name: str = "line",
    tolerance: float = 0.04,
) -> bool:
    """The line of `colour` goes through `values` at evenly spaced places, up to scale and shift.

    Only the widest connected part is looked at, so that a legend's key does not matter;
    `tolerance` is a share of the values' range.
    """
    trace = traced(chart, colour)
    if len(trace) < 50:
        message = f"{chart.file} has no line in {colour}."
        return case.expect(name, False, "a line", f"{len(trace)} px wide", chart.file, message)
    places = np.linspace(0, len(trace) - 1, len(values))
    heights = -np.interp(places, np.arange(len(trace)), trace)
    wanted = np.asarray(values, dtype=float)
    slope, shift = np.polyfit(wanted, heights, 1)
    off_px = float(np.max(np.abs(slope * wanted + shift - heights)))
    range_px = float(abs(slope) * np.ptp(wanted))
    return case.expect(
        name,
        slope > 0 and range_px > 15 and off_px <= max(tolerance * range_px, LINE_SLACK_PX),
        f"through the {len(values)} values, at most {tolerance:.0%} of their range off",
        f"{off_px:.1f} of {range_px:.0f} px off" if slope > 0 else "upside down",
        chart.file,
        f"{chart.file}: the line in {colour} does not follow the values asked for.",
    )


def traced(chart: Chart, colour: str) -> Any:
    """The height in pixels (from the top) of the widest line of `colour`, column by column."""
    mask = chart.mask(colour, LINE_COLOUR_TOLERANCE).astype(np.uint8)
    _, numbered, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    widths = [int(row[cv2.CC_STAT_WIDTH]) for row in stats[1:]]
    if max(widths, default=0) < chart.width * 0.2:
        return np.array([])
    line = numbered == 1 + widths.index(max(widths))
    counts = line.sum(axis=0)
    middles = (line * np.arange(chart.height)[:, None]).sum(axis=0) / np.maximum(counts, 1)
    return middles[counts > 0]


def dots(chart: Chart, colour: str) -> list[tuple[float, float]]:
    """The centres (right, down, in pixels) of the round markers of `colour`, from left to right.

    The smallest frame around each counts, so that an outline or a line through it does not matter.
    """
    side = 3
    whole = cv2.morphologyEx(
        chart.mask(colour).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)
    )
    marks = [m for m in images.islands(whole, 40) if 0.6 < m.width / m.height < 1.6]
    return sorted((m.left + m.width / 2, m.top + m.height / 2) for m in marks)


def expect_linear(
    case: Case,
    name: str,
    measured: Sequence[float],
    values: Sequence[float],
    file: str,
    slack_px: float = 3.0,
) -> bool:
    """`measured` pixels lie where a straight axis would put `values`, `slack_px` apart at most."""
    slope, shift = np.polyfit(np.asarray(values), np.asarray(measured), 1)
    off_px = float(np.max(np.abs(slope * np.asarray(values) + shift - np.asarray(measured))))
    return case.expect(
        name,
        slope > 0 and off_px <= slack_px,
        f"in place, at most {slack_px:g} px off",
        f"{off_px:.1f} px off" if slope > 0 else "the other way round",
        file,
    )


def expect_path(
    case: Case,
    chart: Chart,
    colour: str,
    known: Sequence[tuple[float, float]],
    marks: Sequence[tuple[float, float]],
    path: Sequence[tuple[float, float]],
    name: str,
) -> bool:
    """A line of `colour` runs through the values `path`, between whose ends it is looked for.

    `marks` (right, down, in pixels) shows where the values `known` stand.
    """
    across = np.polyfit([x for x, _ in known], [x for x, _ in marks], 1)
    down = np.polyfit([y for _, y in known], [y for _, y in marks], 1)
    spread = np.linspace(0, len(path) - 1, 60)
    places = np.arange(len(path))
    right = np.polyval(across, np.interp(spread, places, [x for x, _ in path])).round().astype(int)
    below = np.polyval(down, np.interp(spread, places, [y for _, y in path])).round().astype(int)
    mask = chart.mask(colour, LINE_COLOUR_TOLERANCE).astype(np.uint8)
    near = cv2.dilate(mask, np.ones((9, 9), np.uint8)) > 0
    inside = (right >= 0) & (right < chart.width) & (below >= 0) & (below < chart.height)
    share = float(near[below[inside], right[inside]].mean()) if inside.any() else 0.0
    return case.expect(
        name,
        share >= LEAST_PATH,
        "a line through all of it",
        f"{share:.0%} of it",
        chart.file,
        f"{chart.file}: {name}: {share:.0%} of it is drawn.",
    )


def percentages(shares: Sequence[float]) -> str:
    return ", ".join(f"{share:.1%}" for share in shares)
