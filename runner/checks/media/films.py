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
MOST_IN_PART = 50.0  # levels, of the part of a picture that is farthest off
LEAST_GOOD = 0.85  # of all pictures
MOST_BETWEEN = 40.0  # levels: of one between two, as made for another frame rate


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


def expect_all_of_it(
    case: Case, name: str, wanted: list[Any], ends: Any, middles: tuple[float, ...]
) -> None:
    """Assert that nearly all pictures of the film are the animation's, and nothing drawn on them.

    A change of the frame rate may leave some between two pictures.
    """
    height, width = wanted[0].shape[:2]
    with case.reading(name, "a film") as path:
        seen = [small(frame, width, height) for frame in pages_and_frames.decoded(str(path))]
    misses, worst = [], []
    for number, pixels in enumerate(seen):
        due = int(np.searchsorted(ends, middles[number] * float(ends[-1])))
        around = wanted[max(0, due - 1) : due + 2]
        nearest = min(around, key=lambda other: images.difference(pixels, other))
        misses.append(miss(pixels, around))
        worst.append(images.worst_part(pixels, nearest))
    good = sum(off <= MOST_DIFFERENCE for off in misses)
    case.expect(
        "each of its pictures",
        max(misses) <= MOST_BETWEEN,
        expected=f"{MOST_BETWEEN:g} levels off at most",
        actual=f"{max(misses):.1f} levels at picture {misses.index(max(misses)) + 1}",
        file=name,
        message=f"Picture {misses.index(max(misses)) + 1} of {name} is none of the animation's.",
    )
    case.expect(
        "all of its pictures",
        good >= LEAST_GOOD * len(seen),
        expected=f"{LEAST_GOOD:.0%} or more like the animation's at that time",
        actual=f"{good} of {len(seen)}",
        file=name,
    )
    middle = float(np.median(worst))
    case.expect(
        "nothing drawn over them",
        middle <= MOST_IN_PART,
        expected=f"{MOST_IN_PART:g} levels off at most in any part, in half of the pictures",
        actual=f"{middle:.1f} levels",
        file=name,
    )


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
        due = int(np.searchsorted(ends, film.middles[number] * float(ends[-1])))
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
    expect_all_of_it(case, name, wanted, ends, film.middles)
    falls = sum(b < a - 1 for a, b in pairwise(places))
    case.expect(
        "order of the pictures",
        falls == 0 and len(set(places)) > len(places) / 2,
        expected="rising through the animation",
        actual=", ".join(str(place + 1) for place in places),
        file=name,
    )
