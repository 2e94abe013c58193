"""Finding a picture inside another one: where it was pasted, at what size, how faithfully.

Pictures are arrays (height, width, 3) of uint8, red first. A picture may have been enlarged,
reduced or stretched along its sides; turned or mirrored it is another picture.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from runner.checks.case import Case
from runner.checks.pictures import images

WORK_SIDE = 640  # longest side in pixels at which features are looked for
COMPARE_SIDE = 192  # and at which a place is compared
TRIES = 600  # pairs of matches that are tried for a place
NEAR_PX = 3.0  # at WORK_SIDE, within which a match agrees with a place
LEAST_MATCHES = 8
Features = tuple[Any, Any]  # points, and a row of numbers for each
LAST_CANVAS: list[tuple[Any, Features]] = []  # that was looked at
ADDED_LEVELS = 60  # by which a pixel must differ to be something drawn
MOST_MISSED = 4.0  # levels by which a part may differ from the picture that it was cut from


@dataclass(frozen=True)
class Place:
    """The box that a picture takes up in a canvas, in the canvas' pixels, and how it looks there.

    `likeness` is the correlation of what is seen in the box with the picture, over the part
    inside the canvas.
    """

    left: float
    top: float
    width: float
    height: float
    likeness: float = 0.0

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def overlap(self, other: Place) -> float:
        """The area shared with `other` as a share of the smaller of the two."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        smaller = min(self.width * self.height, other.width * other.height)
        return max(0.0, across) * max(0.0, down) / smaller if smaller else 0.0

    def inside(self, canvas: Any) -> float:
        """The share of the box that lies within the canvas."""
        whole = Place(0, 0, canvas.shape[1], canvas.shape[0])
        across = min(self.right, whole.right) - max(self.left, 0)
        down = min(self.bottom, whole.bottom) - max(self.top, 0)
        return max(0.0, across) * max(0.0, down) / (self.width * self.height)

    def __str__(self) -> str:
        size = f"{self.width:.0f} × {self.height:.0f}"
        return f"{size} at {self.left:.0f}, {self.top:.0f}, likeness {self.likeness:.2f}"


def shrunk(pixels: Any, side: int) -> tuple[Any, float]:
    """The picture with its longest side at `side` pixels at most, and the factor it took."""
    factor = min(1.0, side / max(pixels.shape[:2]))
    size = [max(1, round(n * factor)) for n in pixels.shape[1::-1]]
    solid = np.ascontiguousarray(pixels)
    return (cv2.resize(solid, size, interpolation=cv2.INTER_AREA) if factor < 1 else solid), factor


def find(canvas: Any, picture: Any) -> Place | None:
    """Find `picture` in `canvas` by its features; None if it is not found."""
    small_canvas, canvas_factor = shrunk(canvas, WORK_SIDE)
    small_picture, _ = shrunk(picture, WORK_SIDE)
    matches = matched(features_of(small_picture), canvas_features(canvas, small_canvas))
    if len(matches) < LEAST_MATCHES:
        return None
    fit = agreed(matches[:, :2], matches[:, 2:])
    if fit is None:
        return None
    scales, offsets = fit
    box = Place(
        float(offsets[0] / canvas_factor),
        float(offsets[1] / canvas_factor),
        float(scales[0] * small_picture.shape[1] / canvas_factor),
        float(scales[1] * small_picture.shape[0] / canvas_factor),
    )
    return compared(canvas, picture, box)


def features_of(picture: Any) -> Features:
    """The picture's striking points, and what each looks like."""
    detector = cv2.SIFT_create(nfeatures=1500, contrastThreshold=0.02)
    points, looks = detector.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), None)
    return points, looks


def canvas_features(canvas: Any, small: Any) -> Features:
    """Those of `small`, the canvas shrunk: found once for all pictures looked for in it."""
    if not any(known is canvas for known, _ in LAST_CANVAS):
        LAST_CANVAS[:] = [(canvas, features_of(small))]
    return LAST_CANVAS[0][1]


def matched(picture: Features, canvas: Features) -> Any:
    """Corresponding points, a row each: x and y in `picture`, x and y in `canvas`."""
    (here, features), (there, others) = picture, canvas
    if features is None or others is None or len(there) < 2:
        return np.empty((0, 4))
    pairs = cv2.BFMatcher().knnMatch(features, others, k=2)
    good = [one for one, second in pairs if one.distance < 0.8 * second.distance]
    return np.array([[*here[m.queryIdx].pt, *there[m.trainIdx].pt] for m in good]).reshape(-1, 4)


def agreed(here: Any, there: Any) -> tuple[Any, Any] | None:
    """Scale and offset along x and y that most matches agree on; None when few agree."""
    rng = np.random.default_rng(0)
    best = np.zeros(len(here), dtype=bool)
    for one, other in rng.integers(0, len(here), size=(TRIES, 2)):
        run = here[other] - here[one]
        if np.any(np.abs(run) < 8):
            continue
        scales = (there[other] - there[one]) / run
        if np.any(scales < 0.02) or np.any(scales > 20):
            continue
        offsets = there[one] - scales * here[one]
        misses = np.abs(here * scales + offsets - there)
        agree = np.all(misses <= NEAR_PX, axis=1)
        if agree.sum() > best.sum():
            best = agree
    if best.sum() < LEAST_MATCHES or np.any(np.ptp(here[best], axis=0) < 8):
        return None
    lines = [np.polyfit(here[best, axis], there[best, axis], 1) for axis in (0, 1)]
    return np.array([line[0] for line in lines]), np.array([line[1] for line in lines])


def compared(canvas: Any, picture: Any, box: Place) -> Place:
    """`box` with how much what is seen there looks like `picture`."""
    small, _ = shrunk(picture, COMPARE_SIDE)
    height, width = small.shape[:2]
    placed = np.array(
        [[box.width / width, 0, box.left], [0, box.height / height, box.top]], dtype=np.float64
    )
    factor = max(1.0, box.width / width, box.height / height)
    source = cv2.GaussianBlur(canvas, (0, 0), 0.5 * factor) if factor > 1.2 else canvas
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(np.ascontiguousarray(source), placed, (width, height), flags=flags)
    ground = np.full(canvas.shape[:2], 255, dtype=np.uint8)
    is_there = cv2.warpAffine(ground, placed, (width, height), flags=flags) > 250
    if is_there.sum() < 20:
        return box
    pair = [images.smooth(p, 1.0)[is_there] for p in (seen, small)]
    return replace(box, likeness=images.likeness(*pair))


def require_shown(
    case: Case,
    canvas: Any,
    picture: Any,
    name: str,
    file: str,
    likeness: float = 0.95,
    inside: float = 0.985,
) -> Place:
    """Assert that `picture`, called `name`, is to be seen whole in the output `file`; its place."""
    place = find(canvas, picture)
    if place is None:
        case.fail(f"{name} is in the picture", f"{name} is not found in {file}.", file, "not found")
    case.demand(
        f"{name} is in the picture",
        place.likeness >= likeness,
        expected=f"likeness of {likeness:g} or more",
        actual=str(place),
        file=file,
    )
    share = place.inside(canvas)
    case.demand(
        f"{name} is whole",
        share >= inside,
        expected=f"{inside:.0%} or more of it within the picture",
        actual=f"{share:.1%}",
        file=file,
    )
    return place


def spread(canvas: Any, picture: Any, place: Place) -> tuple[Any, Any]:
    """`picture` drawn at `place` on a canvas of that size, as floats, and the mask of its box."""
    height, width = picture.shape[:2]
    placed = np.array([[place.width / width, 0, place.left], [0, place.height / height, place.top]])
    size = canvas.shape[1], canvas.shape[0]
    source = np.ascontiguousarray(picture).astype(np.float32)
    factor = max(1.0, width / place.width, height / place.height)
    if factor > 1.2:
        source = cv2.GaussianBlur(source, (0, 0), 0.45 * factor)
    ground = np.ones((height, width), dtype=np.float32)
    return (
        cv2.warpAffine(source, placed, size, borderMode=cv2.BORDER_REPLICATE),
        cv2.warpAffine(ground, placed, size) > 0.99,
    )


def mixture(canvas: Any, behind: Any, above: Any, where: Any) -> tuple[tuple[float, float], Any]:
    """The weights with which two layers best make up the canvas `where` they both are.

    Also returns the mean difference in levels of each pixel of the canvas from that mixture.
    """
    if not where.any():
        return (0.0, 0.0), np.full(where.shape, 255.0)
    columns = [behind[where].ravel(), above[where].ravel(), np.ones(behind[where].size)]
    seen = canvas[where].astype(np.float64).ravel()
    weights = np.linalg.lstsq(np.stack(columns, axis=1), seen, rcond=None)[0]
    made = weights[0] * behind + weights[1] * above + weights[2]
    off = np.abs(canvas.astype(np.float64) - made).mean(axis=-1)
    return (float(weights[0]), float(weights[1])), off


def is_added(canvas: Any, before: Any) -> Any:
    """Mask of the pixels that are so far from what was there that something was drawn."""
    return np.abs(canvas - before).max(axis=-1) > ADDED_LEVELS


def require_added(
    case: Case, canvas: Any, picture: Any, name: str, file: str, likeness: float = 0.7
) -> list[Any]:
    """Assert that `canvas` shows `picture`; the masks of what was `added` to it."""
    if canvas.shape == picture.shape:
        place = compared(canvas, picture, Place(0, 0, picture.shape[1], picture.shape[0]))
        wanted = f"likeness of {likeness:g} or more"
        case.demand(f"{name} is in the picture", place.likeness >= likeness, wanted, place, file)
        return [is_added(canvas, picture.astype(np.float32))]
    place = require_shown(case, canvas, picture, name, file, likeness)
    return added(canvas, picture, place)


def added(canvas: Any, picture: Any, place: Place) -> list[Any]:
    """Masks of what was drawn over a picture that lies at `place`, and beside it.

    The second mask is left out where the canvas shows nothing but the picture.
    """
    before, is_inside = spread(canvas, picture, place)
    reach = np.ones((5, 5), np.uint8)
    is_edge = np.ptp([cv2.dilate(before, reach), cv2.erode(before, reach)], axis=0).max(axis=-1)
    over = is_added(canvas, before)
    beside = ~cv2.dilate(is_inside.astype(np.uint8), reach).astype(bool)
    if not beside.any():
        return [over & is_inside & (is_edge < ADDED_LEVELS)]
    ground = np.median(canvas[beside], axis=0)
    margin = beside & is_added(canvas, ground)
    return [over & is_inside & (is_edge < ADDED_LEVELS), margin]


def place_of(part: Any, whole: Any) -> tuple[int, int, float]:
    """Find `part` in `whole`, unscaled: left, top, and mean difference in levels there.

    More when a small part of it is far off, infinite when it cannot lie there at all.
    """
    height, width = part.shape[:2]
    if height > whole.shape[0] or width > whole.shape[1] or not part.size:
        return 0, 0, float("inf")
    misses = cv2.matchTemplate(
        np.ascontiguousarray(whole), np.ascontiguousarray(part), cv2.TM_SQDIFF
    )
    top, left = (int(v) for v in np.unravel_index(np.argmin(misses), misses.shape))
    there = whole[top : top + height, left : left + width]
    worst = (images.worst_part(part, there) - images.PART_LEVELS) / images.PART_TIMES
    return left, top, max(images.difference(part, there), worst)


def require_cut_from(case: Case, actual: Any, source: Any, file: str) -> tuple[int, int]:
    """Assert that `actual` is a part of `source`, unscaled; its left and top there."""
    left, top, miss = place_of(actual, source)
    case.demand(
        "cut from the input, unscaled",
        miss <= MOST_MISSED,
        expected="every pixel as in the input",
        actual=f"{miss:.1f} levels off on average at its best place",
        file=file,
        message=f"{file} is not found in the input, not as a part of it at the input's own scale.",
    )
    return left, top
