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
from functools import cache
from typing import Any

import cv2
import numpy as np

from runner.checks.case import Case
from runner.checks.charts import figures, series
from runner.checks.data.ranks import rank_correlation
from runner.checks.pictures import images
from runner.checks.text import chinese, prose

SAMPLE_CHARS = 200_000  # of a long Chinese text, for its keywords
FEWEST_WORDS = 5  # of any cloud
FEWEST_MEASURED = 8  # words read, for their heights to be compared
LEAST_WORDS = 15
HEAVIEST, FEWEST_HEAVIEST = 20, 5  # words of the source; 15 of jieba's keywords hold 5 to 9 of them
FEWEST_COMMONEST = 8  # of the commonest, where sizes are counts: honest clouds hold 12 to 19
LEAST_IN_ENGLISH = 0.6  # honest clouds: 0.83 to 1; of 3 or 20 texts of 2,000: 0.30 to 0.59
FEW_SIZED = 20  # words, of which keywords by other weights may follow the counts by chance only
LEAST_READ = 5
LONGEST_CHINESE = 5  # signs of a word
EMPTY_CHINESE = frozenset("的了在是和与及也就都而等为对上中将于以由从有并或其该")
MOST_LOOKED_FOR = 10
LEAST_NOTCH, BLANK_INK = 0.2, 0.01  # of a cloud's box; of the pixels around
INK_LEVELS = 40  # a channel's distance from the ground
OCR_SIDE_PX = 1100
OCR_TIMEOUT_S = 60  # beyond it the machine is at fault, and the check's crash says so


@dataclass(frozen=True)
class Cloud:
    """A saved word cloud: its words with their weights (none when read), and its source."""

    file: str
    figure: figures.Figure
    weights: dict[str, float]  # folded words noted with the picture
    seen: set[str]  # words recognised in the pixels, without a note
    source: str
    language: str  # en | zh
    texts: tuple[str, ...] = ()  # of which the source is made, where there are many

    @property
    def area(self) -> Any:
        """The pixels of the cloud itself, without a figure's margins."""
        pixels = self.figure.pixels
        height, width = pixels.shape[:2]
        panels = [axes for axes in self.figure.panels if axes.grids and len(axes.box) == 4]
        if len(panels) != 1:
            return pixels
        left, bottom, wide, high = panels[0].box
        rows = slice(round((1 - bottom - high) * height), round((1 - bottom) * height))
        return pixels[rows, round(left * width) : round((left + wide) * width)]

    @property
    def ink(self) -> Any:
        """Mask of the cloud's area that is in another colour than its ground."""
        area = self.area
        return images.distance(area, images.commonest(area)) > INK_LEVELS


def read(
    case: Case,
    name: str,
    source: str,
    language: str,
    behind: Any = None,
    texts: Sequence[str] = (),
) -> Cloud:
    """The output `name` (PNG or JPEG) as a word cloud of `source`.

    Where the source is made of many `texts`, words that most of them have may be left out.
    `behind` is a picture that the words may lie on: they are also looked for in the difference
    from it.
    """
    figure = figures.read(case, name)
    weights = series.cloud_words(figure)
    seen: set[str] = set()
    if not weights:
        case.weaken(f"{name} holds no note of its words, so they are read in the picture", name)
        apart = [] if behind is None else [without(figure.pixels, behind)]
        for pixels in (figure.pixels, *apart):
            seen |= recognised(pixels, language)
    return Cloud(name, figure, weights, seen, source, language, tuple(texts))


def without(pixels: Any, behind: Any) -> Any:
    """Dark on white: how far the pixels are from a picture stretched over them."""
    height, width = pixels.shape[:2]
    stretched = cv2.resize(behind, (width, height), interpolation=cv2.INTER_AREA)
    off = np.abs(pixels.astype(np.int16) - stretched).max(axis=2)
    far = np.clip(2.5 * off, 0, 255).astype(np.uint8)
    return np.repeat(255 - far[..., None], 3, axis=2)


def recognised(pixels: Any, language: str) -> set[str]:
    """Words that character recognition finds, folded."""
    import pytesseract

    scale = min(2.0, OCR_SIDE_PX / max(pixels.shape[:2]))
    big = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(big, cv2.COLOR_RGB2GRAY)
    dark = float(images.commonest(pixels).mean()) < 128
    found = pytesseract.image_to_data(
        255 - grey if dark else grey,
        lang="chi_sim" if language == "zh" else "eng",
        config="--psm 11",
        timeout=OCR_TIMEOUT_S,
        output_type=pytesseract.Output.DICT,
    )
    lines: dict[tuple[int, ...], list[str]] = {}  # Chinese words come sign by sign
    for n, text in enumerate(found["text"]):
        spot = tuple(found[key][n] for key in ("block_num", "par_num", "line_num"))
        lines.setdefault(spot, []).append(text)
    joined = "\n".join(("" if language == "zh" else " ").join(one) for one in lines.values())
    return {figures.fold(word) for word in re.findall(r"[\u4e00-\u9fff]{2,}|[A-Za-z]{4,}", joined)}


def heavy_words(source: str, language: str, most: int) -> list[str]:
    """The words that carry the source, by weight and by count."""
    if language == "en":
        return prose.english_keywords(source, most)
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
    whole = prose.flat(cloud.source)
    own = [w for w in words if prose.flat(w) in whole or stem(prose.flat(w)) in whole or w in known]
    expect_separate(case, cloud, words)
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
    expect_heaviest(case, cloud, heavy, FEWEST_HEAVIEST, 3)
    case.expect(
        "words that carry it",
        len(hit) >= least,
        f"{least} or more of {', '.join(heavy[:10])} …",
        ", ".join(hit[:10]) or "none",
        cloud.file,
        f"{cloud.file} shows {len(hit)} of the words that carry the source.",
    )


def expect_heaviest(case: Case, cloud: Cloud, heavy: Sequence[str], fewest: int, part: int) -> None:
    """It shows `fewest` of the source's heaviest words, or one for each `part` words of its own."""
    top = [figures.fold(word) for word in heavy[:HEAVIEST]]
    rarer = rarer_words(cloud.texts, HEAVIEST)
    asked = min(fewest, 2 * len(top) // 5, len(cloud.weights) // part)
    hit = max(([t for t in words if is_in(t, cloud)] for words in (top, rarer)), key=len)
    case.expect(
        "its heaviest words",
        len(hit) >= asked,
        f"{asked} or more of {', '.join(top)}",
        ", ".join(hit) or "none",
        cloud.file,
        f"{cloud.file} shows {len(hit)} of the {len(top)} words that weigh most in the source.",
    )


def is_in(word: str, cloud: Cloud) -> bool:
    return any(
        word in shown.split() or (len(word) > 1 and word in shown) for shown in cloud.weights
    )


def rarer_words(texts: Sequence[str], most: int) -> list[str]:
    """The commonest words of English texts that fewer than half of them have."""
    spread: Counter[str] = Counter()
    for text in texts:
        spread.update(set(counted(text)))
    heavy = prose.english_keywords(" ".join(texts), 4 * most)
    return [word for word in heavy if 2 * spread[word] < len(texts)][:most]


def expect_separate(case: Case, cloud: Cloud, words: Sequence[str]) -> None:
    """Its words are words: no boxes for signs that a font lacks, no clauses, no stop words."""
    boxed = sum("\u25a1" in word for word in words)
    case.expect(
        "signs that its font holds",
        5 * boxed <= len(words),
        "a fifth of boxes at most",
        f"{boxed} of {len(words)}",
        cloud.file,
        f"{boxed} of the {len(words)} words in {cloud.file} are boxes: the font lacks their signs.",
    )
    in_chinese = [word for word in words if chinese.CHINESE.search(word)]
    long = sum(len(chinese.CHINESE.findall(word)) > LONGEST_CHINESE for word in in_chinese)
    case.expect(
        "words, not clauses",
        4 * long <= len(in_chinese),
        f"a quarter longer than {LONGEST_CHINESE} signs at most",
        f"{long} of {len(in_chinese)}",
        cloud.file,
        f"{long} of the {len(in_chinese)} Chinese words in {cloud.file} are whole clauses.",
    )
    largest = words[:MOST_LOOKED_FOR]
    empty = [word for word in largest if word in prose.STOPPED or word in EMPTY_CHINESE]
    case.expect(
        "words that say something",
        2 * len(empty) <= len(largest),
        "half of the largest at most are stop words",
        ", ".join(empty) or "none",
        cloud.file,
        f"The largest words in {cloud.file} are stop words: {', '.join(empty)}.",
    )


def expect_any(case: Case, cloud: Cloud, words: Sequence[str], what: str) -> None:
    """Some noted word holds one of the `words`, which other texts of the kind need not have."""
    if not cloud.weights:
        return
    shown = [word for word in cloud.weights if any(w in word for w in words)]
    case.expect(
        what,
        shown,
        f"one of {', '.join(words)}",
        ", ".join(shown[:5]) or "none",
        cloud.file,
        f"{cloud.file} shows none of {', '.join(words)}: any text of the kind has its words.",
    )


def stem(word: str) -> str:
    """A word without the ending that a cloud's counting of plurals may have changed."""
    return word[:-1] if len(word) > 4 and word.isascii() else word


def expect_sizes(
    case: Case, cloud: Cloud, least: float = 0.3, needs_commonest: bool = True
) -> None:
    """Words that stand more often in the source are drawn larger: a rank correlation.

    Single English words are counted whole and compared more strictly, and the commonest must be
    there if `needs_commonest`; of few words less is asked, as keywords may be weighed by more than
    their counts.
    """
    if not cloud.weights:
        return
    whole, counts = cloud.source.lower(), counted(cloud.source)
    pairs = [(weight, whole.count(word)) for word, weight in cloud.weights.items()]
    pairs = [(weight, count) for weight, count in pairs if count]
    if cloud.language == "en":
        alone = [(w, counts[word] + counts[word + "s"]) for word, w in cloud.weights.items()]
        alone = [(weight, count) for weight, count in alone if count]
        if len(alone) >= FEWEST_MEASURED:
            pairs, least = alone, max(least, LEAST_IN_ENGLISH)
            if needs_commonest:
                commonest = prose.english_keywords(cloud.source, HEAVIEST)
                expect_heaviest(case, cloud, commonest, FEWEST_COMMONEST, 2)
    elif len(pairs) < FEW_SIZED:
        least = min(least, 0.0)
    many = len(pairs) >= 8 and len({count for _, count in pairs}) > 1
    varied = many and len({weight for weight, _ in pairs}) > 1
    found = rank_correlation(*zip(*pairs, strict=True)) if varied else 0.0
    case.expect(
        "sizes follow frequency",
        found >= least,
        f"a rank correlation of {least:g} or more",
        round(found, 2),
        cloud.file,
        f"The sizes of the words in {cloud.file} do not follow how often they stand in the source.",
    )


def expect_rather(case: Case, cloud: Cloud, others: Sequence[str], what: str) -> None:
    """Its sizes follow the counts in its own source better than those in any other text."""
    if not cloud.weights:
        return
    own = agreement(cloud, cloud.source, others)
    best = max(agreement(cloud, other, [cloud.source, *others]) for other in others)
    case.expect(
        f"drawn from {what}",
        own > best,
        "sizes like the counts there, rather than elsewhere",
        f"rank correlations of {own:.2f}, and {best:.2f} with another text",
        cloud.file,
        f"{cloud.file} does not show the words of {what}: another text fits its sizes better.",
    )


def agreement(cloud: Cloud, source: str, others: Sequence[str]) -> float:
    """Rank correlation of the words' weights with their shares of a text's words."""
    counts = counted(source)
    texts = [counts, *map(counted, others)]
    words = [w for w in cloud.weights if any(w in text or w + "s" in text for text in texts)]
    if len(words) < 8:
        return 0.0
    return rank_correlation(
        [cloud.weights[w] for w in words], [counts[w] + counts[w + "s"] for w in words]
    )


def expect_shape(case: Case, cloud: Cloud, most: float = 0.45) -> None:
    """The cloud has a shape of its own: two corners of its box are much emptier than its middle, or
    a large part of it at the edge is blank."""
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
        empty >= 2 or blank_share(box) >= LEAST_NOTCH,
        "two corners or more left empty, or a fifth at the edge",
        f"{empty} of 4 empty",
        cloud.file,
        f"{cloud.file} is a filled rectangle: no shape was chosen.",
    )


def blank_share(box: Any) -> float:
    """Share of the largest area without words that reaches the edge of a cloud's box."""
    side = max(3, min(box.shape) // 12)
    blank = (cv2.blur(box.astype(np.float32), (side, side)) < BLANK_INK).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(blank, connectivity=4)
    edge = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    return max((stats[n][cv2.CC_STAT_AREA] / box.size for n in np.unique(edge) if n), default=0.0)


def hue_shares(pixels: Any, ink: Any) -> dict[str, float]:
    """Shares of the coloured ink that are red, green and blue (the rest is grey)."""
    chosen = pixels[ink].astype(np.float32)
    spread = chosen.max(axis=1) - chosen.min(axis=1)
    coloured = chosen[spread > 50]
    if not len(coloured):
        return {"red": 0.0, "green": 0.0, "blue": 0.0}
    leading = coloured.argmax(axis=1)
    names = ("red", "green", "blue")
    return {name: float((leading == place).mean()) for place, name in enumerate(names)}


@cache
def counted(text: str) -> Counter[str]:
    """Number of times that each word of letters stands in the text, in small letters."""
    return Counter(re.findall(r"[a-z']+", text.lower()))
