"""Films that an agent made of an animation: their length, their pictures, and their order."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from runner.checks.case import Case
from runner.checks.media import pages_and_frames
from runner.checks.pictures import images

LOOKED_AT = 25  # pictures of the film, evenly spread
COMPARE_SIDE = 160
MOST_DIFFERENCE = 12.0  # levels


def small(pixels: Any, width: int, height: int) -> Any:
    """A picture brought to one size for comparing."""
    return cv2.resize(np.ascontiguousarray(pixels), (width, height), interpolation=cv2.INTER_AREA)


def miss(pixels: Any, around: list[Any]) -> float:
    """By how many levels a picture is off the nearest of `around`, or of a mixture of two."""
    least = min(images.difference(pixels, other) for other in around)
    for one, other in pairwise(around):
        step = other.astype(np.float32) - one
        share = np.vdot(pixels.astype(np.float32) - one, step) / (np.vdot(step, step) + 1.0)
        mixed = one + min(1.0, max(0.0, float(share))) * step
        least = min(least, images.difference(pixels, np.round(mixed).astype(np.uint8)))
    return least


def expect_film_of(case: Case, name: str, animation: Path) -> None:
    """Assert that the output `name` is an MP4 that shows the pristine `animation` once."""
    frames = images.load_frames(animation)
    film = pages_and_frames.read_video(case, name, "mp4", LOOKED_AT)
    height, width = frames[0].pixels.shape[:2]
    shape = film.width / film.height * height / width
    case.expect(
        "proportions",
        abs(shape - 1) <= 0.03 and film.width >= 0.5 * width,
        expected=f"like {width} × {height}",
        actual=f"{film.width} × {film.height}",
        file=name,
    )
    ends = np.cumsum([frame.duration_ms for frame in frames]) / 1000
    case.near("length in seconds", film.seconds, float(ends[-1]), 0.2 * float(ends[-1]), name)
    size = COMPARE_SIDE, max(1, round(COMPARE_SIDE * height / width))
    wanted = [small(frame.pixels, *size) for frame in frames]
    misses, places = [], []
    for number, pixels in sorted(film.kept.items()):
        seen = small(pixels, *size)
        due = int(np.searchsorted(ends, (number + 0.5) / film.frames * float(ends[-1])))
        around = range(max(0, due - 1), min(len(wanted), due + 2))
        misses.append(miss(seen, [wanted[n] for n in around]))
        places.append(int(np.argmin([images.difference(seen, other) for other in wanted])))
    case.expect(
        "pictures",
        max(misses) <= MOST_DIFFERENCE,
        expected=f"each within {MOST_DIFFERENCE:g} levels of the animation's at that time",
        actual=f"{max(misses):.1f} levels off at most",
        file=name,
    )
    falls = sum(b < a - 1 for a, b in pairwise(places))
    case.expect(
        "order of the pictures",
        falls == 0 and len(set(places)) > len(places) / 2,
        expected="rising through the animation",
        actual=", ".join(str(place + 1) for place in places),
        file=name,
    )
