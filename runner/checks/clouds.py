"""Judging word clouds by their words: those noted when the picture was made, else by reading it.

    cloud = clouds.read(case, "58.png", text, "en")
    clouds.expect_words(case, cloud)
    clouds.expect_sizes(case, cloud)          # by frequency
    clouds.expect_shape(case, cloud)          # other than a filled rectangle

`text` is what the cloud was to be drawn from. A cloud without a note (pasted over a picture, or
drawn by hand) is read by character recognition, which finds fewer words, so less is asked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from runner.checks import chinese, figures, images, series, texts
from runner.checks.case import Case

SAMPLE_CHARS = 200_000  # of a long Chinese text, for its keywords
FEWEST_WORDS = 5  # of any cloud
LEAST_WORDS = 15
LEAST_READ = 5
INK_LEVELS = 40  # a channel's distance from the ground
OCR_SIDE_PX = 1100
OCR_TIMEOUT_S = 60  # beyond it the machine is at fault, and the check's crash says so


@dataclass(frozen=True)
class Cloud:
    """A saved word cloud: its words with their weights (none when read), and its source."""

    file: str
    figure: figures.Figure
    weights: dict[str, float]  # folded words noted with the picture
    seen: tuple[str, ...]  # words recognised in the pixels, where nothing was noted
    source: str
    language: str  # en | zh

    @property
    def area(self) -> Any:
        """The pixels of the cloud itself, without a figure's margins."""
        pixels = self.figure.pixels
        panels = [a for a in self.figure.panels if a.grids and len(a.box) == 4]
        if len(panels) != 1:
            return pixels
        height, width = pixels.shape[:2]
        left, bottom, wide, high = panels[0].box
        rows = slice(round((1 - bottom - high) * height), round((1 - bottom) * height))
        return pixels[rows, round(left * width) : round((left + wide) * width)]

    @property
    def ink(self) -> Any:
        """Where the cloud's area is in another colour than its ground."""
        area = self.area
        return images.distance(area, ground_of(area)) > INK_LEVELS


def read(case: Case, name: str, source: str, language: str) -> Cloud:
    """The output `name` (PNG or JPEG) as a word cloud of `source`."""
    figure = figures.read(case, name)
    weights = series.cloud_words(figure)
    seen = () if weights else recognised(figure.pixels, language)
    return Cloud(name, figure, weights, seen, source, language)


def ground_of(pixels: Any) -> Any:
    """The commonest colour of a picture."""
    flat = pixels.reshape(-1, 3)
    coarse = (flat >> 3).astype(np.uint16)
    codes = coarse[:, 0] << 10 | coarse[:, 1] << 5 | coarse[:, 2]  # five bits a channel
    return np.median(flat[codes == np.bincount(codes).argmax()], axis=0)


def recognised(pixels: Any, language: str) -> tuple[str, ...]:
    """Words that character recognition finds, folded."""
    import pytesseract

    scale = min(1.5, OCR_SIDE_PX / max(pixels.shape[:2]))
    big = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(big, cv2.COLOR_RGB2GRAY)
    dark = float(ground_of(pixels).mean()) < 128
    text = pytesseract.image_to_string(
        255 - grey if dark else grey,
        lang="chi_sim" if language == "zh" else "eng",
        config="--psm 11",
        timeout=OCR_TIMEOUT_S,
    )
    found = re.findall(r"[\u4e00-\u9fff]{2,}|[A-Za-z]{4,}", text)
    return tuple(dict.fromkeys(figures.fold(word) for word in found))


def heavy_words(source: str, language: str, most: int) -> list[str]:
    """The words that carry the source, by weight and by count."""
    if language == "en":
        return texts.english_keywords(source, most)
    sample = re.sub(r"\s+", "", source)[:SAMPLE_CHARS]
    by_weight, by_count = chinese.keywords(sample, most), chinese.commonest(sample, most)
    latin = [w for w, n in Counter(re.findall(r"[A-Za-z][\w.-]{2,}", source)).items() if n > 1]
    return list(dict.fromkeys([*by_weight, *by_count, *map(figures.fold, latin)]))


def expect_words(case: Case, cloud: Cloud, least: int = 8, known: Sequence[str] = ()) -> None:
    """Its words are the source's, and `least` of those that carry it are among them.

    `known` adds words that may stand in the cloud though the source does not hold them.
    """
    if 0 < len(cloud.weights) < FEWEST_WORDS:  # whatever the source holds
        found = len(cloud.weights)
        case.demand("enough words", False, f"{FEWEST_WORDS} or more", found, cloud.file)
    heavy = heavy_words(cloud.source, cloud.language, 80)
    if not cloud.weights:
        hit = [w for w in heavy if any(w in word or word == w for word in cloud.seen)]
        case.expect(
            "its words",
            len(hit) >= min(LEAST_READ, least),
            f"{min(LEAST_READ, least)} or more of the source's words can be read",
            ", ".join(hit[:8]) or "none",
            cloud.file,
            f"In {cloud.file} {len(hit)} of the words that carry the source can be read.",
        )
        return
    words = sorted(cloud.weights, key=cloud.weights.__getitem__, reverse=True)
    whole = texts.flat(cloud.source)
    own = [w for w in words if texts.flat(w) in whole or stem(texts.flat(w)) in whole or w in known]
    fewest = min(LEAST_WORDS, max(FEWEST_WORDS, len(set(heavy)) // 2))
    case.expect("enough words", len(words) >= fewest, f"{fewest} or more", len(words), cloud.file)
    case.expect(
        "words of the source",
        10 * len(own) >= 8 * len(words),
        "four fifths or more",
        f"{len(own)} of {len(words)}",
        cloud.file,
        f"Of the {len(words)} words in {cloud.file} the source holds {len(own)}.",
    )
    folded = {figures.fold(w) for w in heavy}
    parts = {p for w in words[:80] for p in (w, *w.split())}
    hit = sorted(folded & parts | {f for f in folded for w in words[:80] if len(f) > 1 and f in w})
    case.expect(
        "words that carry it",
        len(hit) >= least,
        f"{least} or more of {', '.join(heavy[:10])} …",
        ", ".join(hit[:10]) or "none",
        cloud.file,
        f"{cloud.file} shows {len(hit)} of the words that carry the source.",
    )


def stem(word: str) -> str:
    """A word without the ending that a cloud's counting of plurals may have changed."""
    return word[:-1] if len(word) > 4 and word.isascii() else word


def expect_sizes(case: Case, cloud: Cloud, least: float = 0.3) -> None:
    """Words that stand more often in the source are drawn larger: a rank correlation."""
    if not cloud.weights:
        case.expect(
            "sizes",
            True,
            "not measured: the picture holds no note of them",
            "read words only",
            cloud.file,
        )
        return
    from scipy.stats import spearmanr

    whole = cloud.source.lower()
    pairs = [(weight, whole.count(word)) for word, weight in cloud.weights.items()]
    pairs = [(weight, count) for weight, count in pairs if count]
    many = len(pairs) >= 8 and len({count for _, count in pairs}) > 1
    varied = many and len({weight for weight, _ in pairs}) > 1
    found = float(spearmanr(*zip(*pairs, strict=True)).statistic) if varied else 0.0
    case.expect(
        "sizes follow frequency",
        found >= least,
        f"a rank correlation of {least:g} or more",
        round(found, 2),
        cloud.file,
        f"The sizes of the words in {cloud.file} do not follow how often they stand in the source.",
    )


def expect_shape(case: Case, cloud: Cloud, most: float = 0.45) -> None:
    """The cloud has a shape of its own: the corners of its box are much emptier than its middle."""
    ink = cloud.ink
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    box = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    high, wide = max(2, box.shape[0] // 6), max(2, box.shape[1] // 6)
    corners = [box[:high, :wide], box[:high, -wide:], box[-high:, :wide], box[-high:, -wide:]]
    density = [float(corner.mean()) for corner in corners]
    middle = float(box[2 * high : 4 * high, 2 * wide : 4 * wide].mean()) or 1e-9
    empty = sum(d <= most * middle * 0.5 for d in density)
    case.expect(
        "a shape of its own",
        empty >= 2,
        "two corners or more left empty",
        f"{empty} of 4 empty",
        cloud.file,
        f"{cloud.file} is a filled rectangle: no shape was chosen.",
    )


def hue_shares(pixels: Any, ink: Any) -> dict[str, float]:
    """How the coloured ink is shared out: red, green, blue (the rest is grey)."""
    chosen = pixels[ink].astype(np.float32)
    spread = chosen.max(axis=1) - chosen.min(axis=1)
    coloured = chosen[spread > 50]
    if not len(coloured):
        return {"red": 0.0, "green": 0.0, "blue": 0.0}
    leading = coloured.argmax(axis=1)
    names = ("red", "green", "blue")
    return {name: float((leading == place).mean()) for place, name in enumerate(names)}
