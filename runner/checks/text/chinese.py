"""The words of a Chinese text as jieba cuts and weighs them, by the needed part of its dictionary.

jieba reads its whole dictionary, its whole table of weights and its tables of parts of speech
before the first cut, which takes longer than most checks. A word whose first two characters never
stand beside each other in a text changes nothing about how the text is cut, so it is left out here.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

CHINESE = re.compile(r"[\u4e00-\u9fff]")
UNTOLD = frozenset(  # English words that jieba's own weighing leaves out
    re.findall(
        "[a-z]+",
        "the of is and to in that we for an are by be as on with can if from which you it this "
        "then at have all not one has or",
    )
)


def load_jieba() -> Any:
    """The package, which looks for setuptools only to open its own files."""
    sys.modules.setdefault("pkg_resources", None)  # type: ignore[arg-type]
    return importlib.import_module("jieba")


@cache
def cut(text: str) -> tuple[str, ...]:
    """The words of `text` in their order."""
    jieba = load_jieba()
    tokenizer = jieba.Tokenizer()
    lines = Path(jieba.__file__).with_name("dict.txt").read_text("utf-8")
    tokenizer.FREQ, tokenizer.total = dictionary_for(text, lines)
    tokenizer.initialized = True
    return tuple(tokenizer.cut(text))


def dictionary_for(text: str, lines: str) -> tuple[dict[str, int], int]:
    """The entries of jieba's dictionary ("word count kind" a line) that `text` can touch.

    As jieba holds them: {word: count}, with 0 for what only begins a word; and the sum of all
    counts.
    """
    fields = lines.split()
    words, counts = fields[0::3], fields[1::3]
    if len(fields) != 3 * lines.count("\n"):
        raise RuntimeError("jieba's dictionary is not laid out as this check reads it")
    begun = {text[place : place + 2] for place in range(len(text))} | set(text)
    found: dict[str, int] = {}
    for word, count in zip(words, counts, strict=True):
        if word[:2] in begun:
            found[word] = int(count)
            for end in range(1, len(word)):
                found.setdefault(word[:end], 0)
    return found, sum(map(int, counts))


def weights(text: str) -> dict[str, float]:
    """The words of `text` by TF-IDF, as `jieba.analyse.extract_tags` weighs them."""
    counts = Counter(w for w in cut(text) if len(w.strip()) > 1 and w.lower() not in UNTOLD)
    rarity, usual = rarities()
    total = counts.total()
    return {w: float(n) * (float(rarity.get(w, usual)) / total) for w, n in counts.items()}


@cache
def rarities() -> tuple[Mapping[str, str], float]:
    """jieba's inverse document frequencies as written, and their median for all other words."""
    file = Path(load_jieba().__file__).parent / "analyse" / "idf.txt"
    fields = file.read_text("utf-8").split()
    known = dict(zip(fields[0::2], fields[1::2], strict=True))
    return known, median_of(Counter(known.values()), len(known))


def median_of(counts: Mapping[str, int], number: int) -> float:
    """The upper median of `number` figures, given as {figure as written: how many are it}."""
    left = number // 2
    for figure in sorted(counts, key=float):
        left -= counts[figure]
        if left < 0:
            return float(figure)
    raise ValueError("there are fewer figures than `number` says")


@cache
def keywords(text: str, most: int) -> tuple[str, ...]:
    """The Chinese words of `text` by weight, heaviest first; blanks of the text do not count."""
    weighed = weights(re.sub(r"\s+", "", text))
    heaviest = sorted(weighed, key=weighed.__getitem__, reverse=True)[: 3 * most]
    return tuple(w for w in heaviest if len(w) > 1 and CHINESE.search(w))[:most]


def commonest(text: str, most: int) -> list[str]:
    """The Chinese words of `text` by how often they stand in it."""
    counts = Counter(w for w in cut(text) if len(w) > 1 and CHINESE.search(w))
    return [word for word, _ in counts.most_common(most)]
