"""An SVG chart as a browser shows it, against the picture of it that the checks measure.

    chart = pixels.read(case, "plan.svg")
    browser_view.expect_same(case, chart)

A browser follows style sheets, scripts and embedded pages, which the checks' own renderer does
not. A task whose check uses this says `BROWSER = True`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runner.checks.case import Case
from runner.checks.charts import pixels
from runner.checks.programs import web_pages
from runner.checks.programs.browser import Page

MOST_SIDE = 3_000  # units of the window
MOST_SCALE = 3.0  # pixels a unit
MOVING = (
    "document.getAnimations().length + document.querySelectorAll("
    "'script,animate,animateTransform,animateMotion,set,foreignObject').length"
)
BOX = """(() => {
  const box = document.documentElement.getBoundingClientRect();
  return {left: box.left, top: box.top, width: box.width, height: box.height};
})()"""
REACH = 9  # pixels: side of the square in which a colour is looked for
LEVELS = 48  # by which it may differ
BIN = 64  # levels of a channel that count as one colour
WHITE = 235
LEAST_LOST = 0.0004  # of the picture: colours in less of it are left aside
LEAST_ADDED = 0.004  # more: in a browser, marks may shine through see-through ones
LEAST_FOUND = 0.6  # of the pixels of a colour
LEAST_WORDS = 0.7  # of those that the checks' picture shows


def expect_same(case: Case, chart: pixels.Chart) -> bool:
    """A browser shows the still picture that the checks see, its words and its colours."""
    with web_pages.opened(case, chart.file) as page:
        moving = int(page.number(MOVING))
        message = f"{chart.file} holds scripts, animations or pages, which no still chart needs."
        if not case.expect(
            "a still chart", not moving, "shapes and text", moving, chart.file, message
        ):
            return False
        shown = drawn(page, chart.width, chart.height)
    fault = fault_of(chart, resized(shown, chart.width, chart.height))
    fault = fault and fault_of(chart, laid_on(chart.pixels, shown))
    message = f"{chart.file} looks otherwise in a browser: {fault}."
    return case.expect(
        "the same in a browser", not fault, "the same picture", fault or "it", chart.file, message
    )


def drawn(page: Page, width: int, height: int) -> Any:
    """The open SVG as the browser draws it, about as large as a picture of that size."""
    size = width / pixels.SVG_SCALE, height / pixels.SVG_SCALE
    page.resize(*map(math.ceil, size))
    box = {side: float(value) for side, value in page.facts(BOX).items() if is_finite(value)}
    wide, tall = (min(MOST_SIDE, box.get(side, 0.0)) for side in ("width", "height"))
    if wide < 1 or tall < 1:
        return np.full((1, 1, 3), 255, np.uint8)
    left, top = max(0.0, box.get("left", 0.0)), max(0.0, box.get("top", 0.0))
    scale = min(MOST_SCALE, width / wide)
    page.resize(math.ceil(left + wide), math.ceil(top + tall), scale)
    found = page.coloured_picture()
    edges = [round(scale * edge) for edge in (top, top + tall, left, left + wide)]
    part = found[edges[0] : edges[1], edges[2] : edges[3]]
    return part if part.size else np.full((1, 1, 3), 255, np.uint8)


def resized(picture: Any, width: int, height: int) -> Any:
    import cv2

    return cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR)


def laid_on(wanted: Any, shown: Any) -> Any:
    """Marks in `shown` on white where `wanted` has its own: a browser may centre it."""
    laid = np.full_like(wanted, 255)
    ours, theirs = extent(wanted), extent(shown)
    size = ours[1].stop - ours[1].start, ours[0].stop - ours[0].start
    laid[ours] = resized(shown[theirs], *size)
    return laid


def extent(picture: Any) -> tuple[slice, slice]:
    """The rows and columns of a picture that hold all that is drawn in it."""
    marked = picture.min(axis=-1) < WHITE
    rows, columns = np.flatnonzero(marked.any(axis=1)), np.flatnonzero(marked.any(axis=0))
    if not rows.size:
        return slice(0, picture.shape[0]), slice(0, picture.shape[1])
    return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)


def is_finite(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def fault_of(chart: pixels.Chart, shown: Any) -> str:
    """Difference between the chart's picture and a browser's; "" for nothing."""
    lost = lost_colour(chart.pixels, shown, LEAST_LOST)
    if lost:
        return f"it lacks {lost}"
    added = lost_colour(shown, chart.pixels, LEAST_ADDED)
    if added:
        return f"it shows {added} where nothing is drawn"
    seen = [word for word in chart.words if pixels.is_seen(chart, word)]
    other = pixels.Chart(chart.file, shown)
    there = [word for word in seen if pixels.is_seen(other, word)]
    if len(there) < LEAST_WORDS * len(seen):
        gone = next(word for word in seen if word not in there)
        return f"it lacks words such as “{gone.text[:40]}”"
    return ""


def lost_colour(one: Any, other: Any, least_share: float) -> str:
    """A colour of the picture `one` that `other` mostly lacks in the same places, else "".

    Colours in less than `least_share` of the picture are left aside.
    """
    import cv2

    square = np.ones((REACH, REACH), np.uint8)
    low = cv2.erode(other, square).astype(np.int16) - LEVELS
    high = cv2.dilate(other, square).astype(np.int16) + LEVELS
    there = ((one >= low) & (one <= high)).all(axis=-1)
    marked = one.min(axis=-1) < WHITE
    bins = (one // BIN).astype(np.int32)
    names = (bins[..., 0] * 16 + bins[..., 1] * 4 + bins[..., 2])[marked]
    numbers = np.bincount(names, minlength=64)
    found = np.bincount(names, weights=there[marked], minlength=64)
    least = least_share * one.shape[0] * one.shape[1]
    for name in np.flatnonzero(numbers >= least):
        if found[name] < LEAST_FOUND * numbers[name]:
            red, green, blue = np.median(one[marked][names == name], axis=0).astype(int)
            return f"#{red:02x}{green:02x}{blue:02x}"
    return ""
