"""Reading lettering that an agent drew: words and Chinese characters known beforehand.

No general reader of print: the ink of a line is cut into words or characters, and each is known
from its rivals by how it looks in the machine's own fonts. `ink` is a mask (height, width).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from runner.checks.pictures import images

FONT_FOLDER = Path("/usr/share/fonts")
LATIN = (
    "*DejaVuSans.ttf",
    "*DejaVuSans-Bold.ttf",
    "*DejaVuSans-Oblique.ttf",
    "*DejaVuSansMono.ttf",
    "*DejaVuSerif.ttf",
    "*DejaVuSerif-Italic.ttf",
    "*NotoSansCJK-Regular.ttc",
    "*STIXGeneral.ttf",
    "*STIXGeneralBol.ttf",
    "*STIXGeneralItalic.ttf",
)
CHINESE = ("*CJK-Regular.ttc", "*CJK-Bold.ttc")
DRAWN_PX = 48  # height at which known words are drawn
WORD_GRID = (64, 20)  # width, height
GLYPH_GRID = (28, 28)
LEAST_LIKENESS = 0.35
SPARE_GAPS = 5  # looked at beyond those that the words need
HERSHEY = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
)

Pen = Callable[[str], Any]  # draws a text as a mask


def trimmed(ink: Any) -> Any:
    """The mask cut to its ink; empty when there is none."""
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return ink[:0, :0]
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def in_type(font: Any) -> Pen:
    """A pen that writes in a font of Pillow."""

    def draw(text: str) -> Any:
        page = Image.new("L", (DRAWN_PX * (len(text) + 2), DRAWN_PX * 2), 0)
        ImageDraw.Draw(page).text((DRAWN_PX // 2, DRAWN_PX // 4), text, fill=255, font=font)
        return trimmed(np.asarray(page) > 100)

    return draw


def in_strokes(face: int, weight: int) -> Pen:
    """A pen that writes as OpenCV's putText does."""

    def draw(text: str) -> Any:
        page = np.zeros((DRAWN_PX * 2, DRAWN_PX * (len(text) + 2)), dtype=np.uint8)
        cv2.putText(page, text, (DRAWN_PX // 2, DRAWN_PX), face, 1.4, 255, weight)
        return trimmed(page > 100)

    return draw


@cache
def pens(chinese: bool) -> tuple[Pen, ...]:
    """Everything a known text is drawn in; RuntimeError when the machine has no such font."""
    import matplotlib

    patterns = CHINESE if chinese else LATIN
    folders = FONT_FOLDER, Path(matplotlib.get_data_path())
    paths = {p.name: p for f in folders for pattern in patterns for p in sorted(f.rglob(pattern))}
    found = [in_type(ImageFont.truetype(str(path), DRAWN_PX)) for path in paths.values()]
    if chinese:
        if not found:
            raise RuntimeError("this machine has no font with Chinese characters")
        return tuple(found)
    default = ImageFont.load_default(DRAWN_PX)
    strokes = [in_strokes(face, weight) for face in HERSHEY for weight in (1, 3)]
    return (*found, in_type(default), *strokes)


def on_grid(ink: Any, grid: tuple[int, int]) -> Any:
    """The ink stretched over a small grid and blurred a little."""
    if not ink.size:
        return np.zeros(grid[::-1], dtype=np.float32)
    cells = cv2.resize(ink.astype(np.float32), grid, interpolation=cv2.INTER_AREA)
    return cv2.GaussianBlur(cells, (0, 0), 1.0)


def agreement(one: Any, other: Any) -> float:
    """Correlation of two grids."""
    a, b = one.ravel() - one.mean(), other.ravel() - other.mean()
    scale = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / scale if scale else 0.0


@cache
def known(text: str, chinese: bool) -> tuple[tuple[Any, float], ...]:
    """`text` in every pen: its grid, and its width over its height."""
    drawn = [pen(text) for pen in pens(chinese)]
    grid = GLYPH_GRID if chinese else WORD_GRID
    return tuple((on_grid(ink, grid), ink.shape[1] / ink.shape[0]) for ink in drawn if ink.size)


def resemblance(ink: Any, text: str, chinese: bool = False) -> float:
    """Likeness of the ink to `text` in the pen that suits it best: to 1."""
    ink = trimmed(ink)
    if not ink.size:
        return -1.0
    seen = on_grid(ink, GLYPH_GRID if chinese else WORD_GRID)
    aspect = ink.shape[1] / ink.shape[0]
    return max(
        agreement(seen, grid) - 0.5 * abs(float(np.log(aspect / shape)))
        for grid, shape in known(text, chinese)
    )


def nearest(ink: Any, candidates: Sequence[str], chinese: bool = False) -> str:
    """The candidate that the ink looks most like, "" when it looks like none."""
    scores = {text: resemblance(ink, text, chinese) for text in candidates}
    best = max(scores, key=lambda text: scores[text])
    return best if scores[best] >= LEAST_LIKENESS else ""


def runs(profile: Any, gap: int) -> list[tuple[int, int]]:
    """Stretches (start, end) of a profile's non-zero cells, joined over gaps of up to `gap`."""
    places = np.flatnonzero(profile)
    if not len(places):
        return []
    breaks = np.flatnonzero(np.diff(places) > gap + 1)
    starts = [places[0], *places[breaks + 1]]
    ends = [*places[breaks], places[-1]]
    return [(int(a), int(b) + 1) for a, b in zip(starts, ends, strict=True)]


def lines_of(ink: Any) -> list[Any]:
    """The lines of text in the ink, top to bottom, each trimmed at top and bottom only."""
    found = runs(ink.any(axis=1), 1)
    tallest = max((end - start for start, end in found), default=0)
    joined: list[tuple[int, int]] = []
    for start, end in found:  # the dot of an i, a speck
        if joined and start - joined[-1][1] <= 0.12 * tallest:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return [ink[start:end] for start, end in joined if end - start >= 0.4 * tallest]


def cuts_in(ink: Any, count: int) -> tuple[Any, list[tuple[int, int]]]:
    """The ink with its lines put one after the other, and gaps (start, end) where words may end.

    The gaps are the widest ones, some more than `count` words need, and every line's end.
    """
    lines = [trimmed(line) for line in lines_of(ink)]
    if not lines:
        return ink[:0, :0], []
    height = max(line.shape[0] for line in lines)
    rows = []
    for line in lines:
        padded = np.zeros((height, line.shape[1] + height), dtype=bool)
        padded[height - line.shape[0] :, : line.shape[1]] = line
        rows.append(padded)
    joined = trimmed(np.concatenate(rows, axis=1))
    pieces = runs(joined.any(axis=0), 0)
    gaps = [(left[1], right[0]) for left, right in pairwise(pieces)]
    widest = sorted(gaps, key=lambda gap: gap[0] - gap[1])[: count - 1 + SPARE_GAPS]
    return joined, sorted(widest)


def read_words(ink: Any, words: Sequence[str], rivals: Sequence[str]) -> list[str]:
    """Read the ink word by word as one of `words` or their `rivals`, "" for an unknown one.

    The ink is cut at the gaps that suit `words` best; [] when there are too few gaps.
    """
    joined, gaps = cuts_in(ink, len(words))
    if len(gaps) < len(words) - 1:
        return []
    starts = [0, *(end for _, end in gaps)]
    ends = [*(start for start, _ in gaps), joined.shape[1]]
    best: list[tuple[float, list[Any]]] = [(0.0, [])]  # by how many pieces are used up
    best += [(-np.inf, [])] * len(ends)
    for word in words:
        grown: list[tuple[float, list[Any]]] = [(-np.inf, [])] * len(best)
        for first, (score, parts) in enumerate(best[:-1]):
            if score == -np.inf:
                continue
            for last in range(first, len(ends)):
                part = joined[:, starts[first] : ends[last]]
                total = score + resemblance(part, word)
                if total > grown[last + 1][0]:
                    grown[last + 1] = (total, [*parts, part])
        best = grown
    candidates = list(dict.fromkeys([*words, *rivals]))
    return [nearest(part, candidates) for part in best[-1][1]]


def cells_in(ink: Any, count: int) -> list[list[Any]]:
    """Ways to cut the ink into `count` square characters: across, down, and in two lines."""
    ink = trimmed(ink)
    if not ink.size:
        return []
    bare = without_quotes(ink)
    ways = [row_of(bare, count)] if bare.shape != ink.shape else []
    ways += [row_of(ink, count), [cell.T for cell in row_of(ink.T, count)]]
    lines = lines_of(ink)
    if len(lines) == 2 and count % 2 == 0:
        ways.append([cell for line in lines for cell in row_of(trimmed(line), count // 2)])
    return ways


def without_quotes(ink: Any) -> Any:
    """The row without marks at its ends that are less than half as high."""
    pieces = runs(ink.any(axis=0), 0)
    tall = [(a, b) for a, b in pieces if trimmed(ink[:, a:b]).shape[0] >= 0.5 * ink.shape[0]]
    return trimmed(ink[:, tall[0][0] : tall[-1][1]]) if tall else ink


def row_of(ink: Any, count: int) -> list[Any]:
    """The ink of a row cut into `count` characters as wide as it is high, evenly spaced."""
    height, width = ink.shape
    if count == 1 or width <= height:
        return [ink]
    pitch = (width - height) / (count - 1)
    profile = ink.sum(axis=0).astype(float)
    cuts = [0]
    for number in range(1, count):
        middle = height / 2 + (number - 0.5) * pitch
        reach = 0.2 * min(pitch, height)
        low, high = max(cuts[-1] + 1, round(middle - reach)), min(width, round(middle + reach) + 1)
        if high <= low:
            return [ink]
        best = np.flatnonzero(profile[low:high] == profile[low:high].min()) + low
        cuts.append(int(best[np.argmin(np.abs(best - middle))]))
    cuts.append(width)
    return [ink[:, a:b] for a, b in pairwise(cuts)]


def read_characters(ink: Any, wanted: str, rivals: str) -> str:
    """Read the ink as characters of `wanted` and `rivals`, "?" for an unknown one, by the best
    cut."""
    candidates = list(dict.fromkeys(wanted + rivals))
    readings = [
        "".join(nearest(cell, candidates, True) or "?" for cell in cells)
        for cells in cells_in(ink, len(wanted))
    ]
    return max(readings, key=lambda said: agreed_characters(said, wanted), default="")


def agreed_characters(said: str, wanted: str) -> int:
    """Number of characters that stand where they should."""
    return sum(a == b for a, b in zip(said, wanted, strict=False))


def inks(canvas: Any, is_new: Any, most: int = 4) -> list[Any]:
    """Masks of what was drawn where `is_new`: all of it, outlines closed, its commonest colours,
    and what outlines enclose."""
    if not is_new.any():
        return []
    solid = is_new.astype(np.uint8)
    masks = [is_new]
    for side in (5, 9):  # letters of which only the outline differs from the ground
        masks.append(cv2.morphologyEx(solid, cv2.MORPH_CLOSE, np.ones((side, side))) > 0)
    red, green, blue = (canvas[..., channel] // 48 for channel in range(3))
    coarse = red * 36 + green * 6 + blue  # below 216
    values, counts = np.unique(coarse[is_new], return_counts=True)
    near = cv2.dilate(solid, np.ones((3, 3), np.uint8)) > 0
    for value in values[np.argsort(-counts)][:most]:
        colour = canvas[is_new & (coarse == value)].mean(axis=0)
        masks.append(near & (images.distance(canvas, colour) <= 70))
    return masks + [within for ink in masks[3:] if (within := fill_of(canvas, ink, is_new)).any()]


def fill_of(canvas: Any, outline: Any, is_new: Any) -> Any:
    """Mask of the letters that an outline is drawn around: what it encloses, of one colour.

    Where the ground has the letters' colour, only their outline is new.
    """
    open_ground = np.pad(~outline, 1, constant_values=True)
    areas = cv2.connectedComponents(open_ground.astype(np.uint8), connectivity=4)[1]
    inside = (open_ground & (areas != areas[0, 0]))[1:-1, 1:-1]
    if not (inside & is_new).any():
        return inside & False
    colour = np.median(canvas[inside & is_new], axis=0)
    return inside & (images.distance(canvas, colour) <= 70)
