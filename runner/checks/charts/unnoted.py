"""Judging a chart that holds no note by its pixels alone: another library drew it, or saved it
again.

What is seen are shapes: runs of bars, a line's course, the shares of a circle, dots. Names are not
read, so they are not asked for, and the verdict says that the attempt was judged in part.

    if figure.note is None:
        return unnoted.expect(case, figure, unnoted.has_bars(figure.pixels, values))
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import cv2
import numpy as np

from runner.checks.case import Case
from runner.checks.charts.figures import Figure
from runner.checks.charts.pixel_colours import commonest

MOST_COLOURS = 14
LEAST_PIXELS = 60  # of a colour
NEAR = 26  # levels a channel of one colour
GREY = 24  # between the channels of a grey, as axes and texts are
LEAST_COURSE = 0.985  # correlation of a line's course with the values
LEAST_DENSE = 0.93  # where a column of pixels shows several values
LEAST_SHADE = 0.3  # of the way from the ground to a colour, which thin lines do not reach
MOST_SHADED = 3  # colours of which such shades are looked for
LEAST_COVERED = 0.6  # of the columns between a line's ends
ROOM = 0.025  # of the longest bar, of a circle, of a plot's range
LEAST_ROUND = 0.08  # of the picture's height that a radar's outline spans
LEAST_ALONG = 0.85  # of an outline that shows its colour
LEAST_THERE = 0.5  # of a colour's pixels that lie on its outline
LEAST_WIDE = 0.2  # of the picture that a line or the dots span


def expect(case: Case, figure: Figure, holds: object, what: str = "what is asked for") -> bool:
    """The shapes in the picture are those that the data make."""
    case.weaken(
        f"{figure.file} holds no note of what was drawn, so it is judged by its pixels, "
        "and its names are not",
        figure.file,
    )
    return case.expect(
        "shapes seen in the picture",
        holds,
        what,
        "so" if holds else "other shapes or none",
        figure.file,
        f"{figure.file} does not show {what} in its pixels, and {figure.why_none}.",
    )


def masks(pixels: Any, *, with_grey: bool = False) -> list[Any]:
    """A mask for each of the commonest colours but the ground, greys last if at all."""
    ground = commonest(pixels)
    coarse = (pixels >> 3).astype(np.uint32)
    codes = (coarse[..., 0] << 10 | coarse[..., 1] << 5 | coarse[..., 2]).ravel()
    counts = np.bincount(codes, minlength=1 << 15)
    chosen: list[Any] = []
    for code in np.argsort(counts)[::-1][:400]:
        if counts[code] < LEAST_PIXELS:
            break
        where = np.flatnonzero(codes == code)
        colour = np.median(pixels.reshape(-1, 3)[where], axis=0)
        grey = float(np.ptp(colour)) < GREY
        if np.abs(colour - ground).max() < NEAR or (grey and not with_grey):
            continue
        if all(np.abs(colour - other).max() > NEAR for other in chosen):
            chosen.append(colour)
        if len(chosen) == MOST_COLOURS:
            break
    return [np.abs(pixels.astype(np.int16) - c).max(axis=2) <= NEAR for c in chosen]


def parts(mask: Any, least: int = 30) -> list[tuple[int, int, int, int, int]]:
    """(left, top, width, height, area) of the connected parts."""
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    stats = cv2.connectedComponentsWithStats(closed, connectivity=8)[2]
    return [tuple(s) for s in stats[1:].tolist() if s[4] >= least]


def has_bars(pixels: Any, *offered: Sequence[float]) -> bool:
    """True if upright or lying bars on one base are as long in proportion as the values of one of
    those offered, in any order."""
    seen = masks(pixels, with_grey=True)
    solid = [p for m in seen for p in parts(m) if p[4] >= 0.9 * p[2] * p[3]]
    for base, length in ((1, 3), (0, 2)):
        feet = [p[1] + p[3] if base == 1 else p[0] for p in solid]
        for foot in set(feet):
            bars = [p for p, f in zip(solid, feet, strict=True) if abs(f - foot) <= 3]
            broad = [p[2] if base == 1 else p[3] for p in bars]
            usual = float(np.median(broad)) if broad else 0.0
            own = [
                p for p, b in zip(bars, broad, strict=True) if abs(b - usual) <= 0.15 * usual + 2
            ]
            lengths = np.sort(np.array([float(p[length]) for p in own]))
            is_long = len(lengths) > 1 and lengths[-1] >= 0.15 * pixels.shape[0]
            if is_long and any(are_lengths(lengths, values) for values in offered):
                return True
    return False


def are_lengths(lengths: Any, values: Sequence[float]) -> bool:
    wanted = np.sort(np.abs(np.asarray([v for v in values if v], float)))
    hidden = len(wanted) - len(lengths)
    if hidden < 0 or (hidden and wanted[hidden - 1] > 0.03 * wanted[-1]):
        return False
    wanted = wanted[hidden:]
    off = np.abs(lengths / lengths[-1] - wanted / wanted[-1]).max()
    return bool(off <= ROOM + 2 / lengths[-1])


def has_course(pixels: Any, *offered: tuple[Sequence[float], Sequence[float]]) -> bool:
    """True if a line's course is that of one of the (x, y) offered, up to scale and shift."""
    dense = [(x, y) for x, y in offered if len(x) > pixels.shape[1]]
    bands = [widest_part(mask) for mask in shades(pixels)] if dense else []
    if any(fills(band, x, y) for x, y in dense for band in bands):
        return True
    seen = [course for mask in masks(pixels, with_grey=True) for course in courses(mask)]
    return any(goes_through(course, x, y) for x, y in offered for course in seen)


def shades(pixels: Any) -> list[Any]:
    """Masks of the commonest colours with all that lies between each and the ground."""
    ground = np.asarray(commonest(pixels), np.float32)
    off = pixels.astype(np.float32) - ground
    found = []
    for mask in masks(pixels)[:MOST_SHADED]:
        way = np.median(pixels[mask], axis=0) - ground
        share = off @ way / (way @ way)
        aside = np.abs(off - share[..., None] * way).max(axis=2)
        found.append((aside <= NEAR) & (share >= LEAST_SHADE))
    return found


def widest_part(mask: Any) -> Any:
    wide = cv2.dilate(mask.astype(np.uint8), np.ones((3, 5), np.uint8))
    count, numbered, stats, _ = cv2.connectedComponentsWithStats(wide, connectivity=8)
    return mask & (numbered == 1 + int(stats[1:, 2].argmax())) if count > 1 else mask


def fills(band: Any, x: Sequence[float], y: Sequence[float]) -> bool:
    """True if a band of many values reaches as high and as low in each column as they do there."""
    columns = np.flatnonzero(band.any(axis=0))
    span = int(np.ptp(columns)) if len(columns) else 0
    at, values = np.asarray(x, float), np.asarray(y, float)
    if span < LEAST_WIDE * band.shape[1] or len(columns) < LEAST_COVERED * span or not np.ptp(at):
        return False
    tops = band.argmax(axis=0)[columns]
    feet = len(band) - 1 - band[::-1].argmax(axis=0)[columns]
    column = ((at - at.min()) / np.ptp(at) * span).astype(int)
    high, low = np.full(span + 1, -np.inf), np.full(span + 1, np.inf)
    np.maximum.at(high, column, values)
    np.minimum.at(low, column, values)
    known = np.isfinite(high[columns - columns[0]])
    wanted, found = (high + low)[columns - columns[0]][known], -(tops + feet)[known]
    return (
        bool(wanted.std() and found.std())
        and float(np.corrcoef(wanted, found)[0, 1]) >= LEAST_DENSE
    )


def goes_through(course: tuple[Any, Any], x: Sequence[float], y: Sequence[float]) -> bool:
    order = np.argsort(np.asarray(x, float))
    at, wanted = np.asarray(x, float)[order], np.asarray(y, float)[order]
    places, heights = course
    if len(wanted) < 3 or np.ptp(at) == 0 or np.ptp(heights) < 20:
        return False
    span = float(np.ptp(places))
    if len(places) < LEAST_COVERED * span:
        return False
    share = (places - places[0]) / span
    is_dense = len(at) > 2 * len(places)
    if is_dense:  # each column shows several values
        column = np.clip(((at - at[0]) / np.ptp(at) * span).astype(int), 0, int(span))
        sums = np.bincount(column, wanted, minlength=int(span) + 1)
        counts = np.bincount(column, minlength=int(span) + 1)
        known = np.flatnonzero(counts)
        expected = np.interp(share * span, known, sums[known] / counts[known])
    else:
        expected = np.interp(at[0] + share * np.ptp(at), at, wanted)
    if not np.std(expected):
        return False
    found = float(np.corrcoef(-heights, expected)[0, 1])
    return found >= (LEAST_DENSE if is_dense else LEAST_COURSE)


def courses(mask: Any) -> list[tuple[Any, Any]]:
    """(columns, mean heights) of the wide connected parts of a mask, and of all of it."""
    wide = cv2.dilate(mask.astype(np.uint8), np.ones((3, 5), np.uint8))
    count, numbered, stats, _ = cv2.connectedComponentsWithStats(wide, connectivity=8)
    least = LEAST_WIDE * mask.shape[1]
    found = [whole_course(mask)]
    for number in range(1, count):
        left, top, width, height, _ = stats[number].tolist()
        if width < least:
            continue
        own = mask[top : top + height, left : left + width] & (
            numbered[top : top + height, left : left + width] == number
        )
        counts = own.sum(axis=0)
        columns = np.flatnonzero(counts)
        thin = float(np.median(counts[columns])) < 0.5 * mask.shape[0] if len(columns) else False
        if len(columns) > 20 and thin:
            rows = (own * np.arange(height)[:, None]).sum(axis=0)[columns] / counts[columns]
            found.append((left + columns, top + rows))
    return [course for course in found if len(course[0]) > 20]


def whole_course(mask: Any) -> tuple[Any, Any]:
    """The middle height of a colour in each column, where it is thin."""
    counts = mask.sum(axis=0)
    columns = np.flatnonzero(counts)
    if not len(columns) or np.ptp(columns) < LEAST_WIDE * mask.shape[1]:
        return np.zeros(0), np.zeros(0)
    heights = np.array([float(np.median(np.flatnonzero(mask[:, column]))) for column in columns])
    return columns, heights


def has_wedges(pixels: Any, *offered: Sequence[float]) -> bool:
    """True if a circle's coloured parts have the shares of one of those offered, in any order."""
    areas, boxes = [], []
    for mask in masks(pixels, with_grey=True):
        large = max(parts(mask, 200), key=lambda p: p[4], default=None)
        if large is not None and min(large[2], large[3]) > 6:
            areas.append(float(large[4]))
            boxes.append(large)
    return any(are_wedges(areas, boxes, values) for values in offered)


def are_wedges(
    areas: Sequence[float], boxes: Sequence[tuple[int, int, int, int, int]], values: Sequence[float]
) -> bool:
    wanted = np.sort(np.asarray([v for v in values if v], float))
    wanted = wanted / wanted.sum()
    if not 1 < len(wanted) <= len(areas):
        return False
    found = np.sort(areas)[-len(wanted) :]
    kept = sorted(boxes, key=lambda b: b[4])[-len(wanted) :]
    left, top = min(b[0] for b in kept), min(b[1] for b in kept)
    wide = max(b[0] + b[2] for b in kept) - left
    high = max(b[1] + b[3] for b in kept) - top
    is_round = abs(wide - high) <= 0.06 * max(wide, high)
    filled = 0.3 <= found.sum() / (np.pi / 4 * wide * high) <= 1.05
    near = np.abs(found / found.sum() - wanted).max() <= ROOM
    return bool(is_round and filled and near)


def has_dots(pixels: Any, x: Sequence[float], y: Sequence[float]) -> bool:
    """True if one colour, or all together, lies where the points are, and nowhere else."""
    pairs = np.column_stack([np.asarray(x, float), np.asarray(y, float)])
    pairs = pairs[np.isfinite(pairs).all(axis=1)]
    span = np.ptp(pairs, axis=0)
    if len(pairs) < 5 or not span.all():
        return False
    shares = (pairs - pairs.min(axis=0)) / span
    shares[:, 1] = 1 - shares[:, 1]
    seen = masks(pixels)
    together = [np.any(seen, axis=0)] if len(seen) > 1 else []
    return any(lie_on(mask, shares) for mask in [*seen, *together])


def lie_on(mask: Any, shares: Any) -> bool:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if np.ptp(columns) < LEAST_WIDE * mask.shape[1] or np.ptp(rows) < LEAST_WIDE * mask.shape[0]:
        return False
    for inset in (3, 4, 2, 5, 6):
        low = np.array([columns[0] + inset, rows[0] + inset])
        high = np.array([columns[-1] - inset, rows[-1] - inset])
        at = (low + shares * (high - low)).astype(int)
        near = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
        hit = float(near[at[:, 1], at[:, 0]].mean())
        drawn = np.zeros(mask.shape, np.uint8)
        for x, y in at.tolist():
            cv2.circle(drawn, (x, y), inset + 4, 1, -1)
        kept = float(drawn[mask].mean())
        if hit >= 0.93 and kept >= 0.93 and float(drawn.mean()) < 0.6:
            return True
    return False


def has_boxes(pixels: Any, quartiles: Sequence[tuple[float, float]]) -> bool:
    """True if boxes from the first to the third quartiles stand side by side, in any order."""
    solid = [p for m in masks(pixels) for p in boxes_in(m)]
    wanted = np.asarray(quartiles, float)
    for chosen in permutations(sorted(solid, key=lambda p: -p[4])[:6], len(wanted)):
        usual = float(np.median([p[2] for p in chosen]))
        if any(abs(p[2] - usual) > 0.1 * usual + 2 for p in chosen):
            continue
        seen = np.array([[p[1] + p[3], p[1]] for p in chosen], float)
        slope, shift = np.polyfit(wanted.ravel(), seen.ravel(), 1)
        off = np.abs(slope * wanted + shift - seen).max()
        if slope < 0 and np.ptp(seen) >= 40 and off <= max(3.0, ROOM * np.ptp(seen)):
            return True
    return False


def boxes_in(mask: Any) -> list[tuple[int, int, int, int, int]]:
    """Filled upright rectangles, those that a median's line divides as one."""
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((9, 1), np.uint8))
    return [p for p in parts(closed > 0, 200) if p[4] >= 0.85 * p[2] * p[3]]


def has_rounds(pixels: Any, rounds: Sequence[Sequence[float]], least: int) -> bool:
    """True if outlines of four corners around one middle have the values as their reaches.

    The box around a part of a colour gives middle and scale, if that colour lies on the round of
    which it is the box; the others must then lie there, too, each in a colour of its own.
    """
    seen = masks(pixels)
    near = [cv2.dilate(mask.astype(np.uint8), np.ones((5, 5), np.uint8)) for mask in seen]
    wanted = [np.asarray(one, float)[:4] for one in rounds]
    boxes = [
        (number, part)
        for number, mask in enumerate(seen)
        for part in parts(mask, 40)
        if min(part[2], part[3]) > LEAST_ROUND * pixels.shape[0]
    ]
    for turn in range(4):
        for way in (1, -1):
            turned = [np.roll(one[::way], turn) for one in wanted]
            for number, part in boxes:
                for one in turned:
                    middle, scale = fit(part, one)
                    if not lies_on(seen[number], near[number], outline(one, middle, scale)):
                        continue
                    lines = [outline(other, middle, scale) for other in turned]
                    if number_shown(seen, near, lines) >= least:
                        return True
    return False


def fit(part: tuple[int, int, int, int, int], one: Any) -> tuple[tuple[float, float], float]:
    """Middle and scale of a round whose box is that of the part."""
    right, up, left, down = one
    scale = (part[2] / max(right + left, 1e-9) + part[3] / max(up + down, 1e-9)) / 2
    return (part[0] + left * scale, part[1] + up * scale), scale


def outline(one: Any, middle: tuple[float, float], scale: float) -> Any:
    """Points (across, down) along the four sides of a round."""
    right, up, left, down = one * scale
    x, y = middle
    corners = np.array([(x + right, y), (x, y - up), (x - left, y), (x, y + down)])
    along = np.linspace(0, 1, 60, endpoint=False)[:, None]
    after = np.roll(corners, -1, axis=0)
    sides = [a + along * (b - a) for a, b in zip(corners, after, strict=True)]
    return np.round(np.concatenate(sides)).astype(int)


def lies_on(mask: Any, near: Any, points: Any) -> bool:
    """True if a colour lies along the outline, and is not all over the picture."""
    height, width = mask.shape
    if points.min() < 0 or points[:, 0].max() >= width or points[:, 1].max() >= height:
        return False
    if float(near[points[:, 1], points[:, 0]].mean()) < LEAST_ALONG:
        return False
    drawn = np.zeros(mask.shape, np.uint8)
    cv2.polylines(drawn, [points.reshape(-1, 1, 2)], isClosed=True, color=1, thickness=9)
    return float(drawn[mask].mean()) >= LEAST_THERE


def number_shown(seen: Sequence[Any], near: Sequence[Any], lines: Sequence[Any]) -> int:
    """Number of outlines that are drawn, each in a colour that no other one took."""
    free = set(range(len(seen)))
    for points in lines:
        own = next((n for n in sorted(free) if lies_on(seen[n], near[n], points)), None)
        free.discard(-1 if own is None else own)
    return len(seen) - len(free)


def dots_by_colour(pixels: Any) -> tuple[Any, Any]:
    """Middles of small coloured parts (right, up), and the number of each one's colour."""
    places, groups = [], []
    for number, mask in enumerate(masks(pixels)):
        raw = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
        for (left, top, width, height, area), _ in zip(
            raw[2][1:].tolist(), raw[3][1:], strict=True
        ):
            if area >= 8 and max(width, height) <= 0.1 * max(mask.shape):
                places.append((left + width / 2, -(top + height / 2)))
                groups.append(number)
    return np.array(places, float).reshape(-1, 2), np.array(groups)
