"""Judging prose answers by what they tell of their source: summaries, keyword lists, themes.

A prose answer cannot be judged whole by rule. What can be measured is whether it tells enough of
the things that the source is about, in sentences, at a sensible length, and invents no list.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.checks import chinese
from runner.checks.case import Case, shown
from runner.checks.chinese import CHINESE

SENTENCE = re.compile(r"[。！？!?；;\n]+|(?<=[a-z\d)\"'”])\.(?=\s|$)")
LEADING = re.compile(r"^\s*(?:[-*•·]|\(?\d+[.)、:：]|[一二三四五六七八九十]+、)\s*")
MOST_SHARE = 0.6  # of the source's length: more is a copy, no summary
STOPPED = frozenset(
    re.findall(
        "[a-z]+",
        "the a an and or of to in on for with as at by from is are was were be been being it its "
        "this that these those we our us you your they their he she his her i my not no but if so "
        "than then there which who what when where how all any some more most other such can could "
        "will would may might also into over under between about after before during up down out "
        "off only own same too very just do does did have has had one two new said says say mr br",
    )
)


def flat(text: str) -> str:
    """`text` in lower case, without blanks, full-width forms evened out."""
    return "".join(unicodedata.normalize("NFKC", text).lower().split())


def sentences(text: str) -> list[str]:
    return [part.strip() for part in SENTENCE.split(text) if len(part.strip()) > 3]


def pdf_text(path: Path) -> str:
    """A pristine PDF's text, its pages joined by line ends."""
    import pymupdf

    with pymupdf.open(path) as document:
        return "\n".join(str(page.get_text()) for page in document)


def expect_summary(
    case: Case,
    source: str,
    points: Mapping[str, Sequence[str]],
    least: int,
    shortest: int = 80,
) -> None:
    """The answer tells at least `least` of `points` ({name: its spellings}) in sentences.

    A point is told where one of its spellings stands, blanks and case aside. `shortest` is in
    characters. The points must come from the source; which they are is the task's own reading.
    """
    answer = case.answer.strip()
    longest = max(1_500, int(MOST_SHARE * len(source)))
    case.expect(
        "answer: length",
        shortest <= len(answer) <= longest,
        f"{shortest} to {longest} characters",
        len(answer),
        message=f"The answer has {len(answer)} characters, which is no summary.",
    )
    told, bearing = told_points(answer, points)
    left = [name for name in points if name not in told]
    case.expect(
        "answer: tells what it is about",
        len(told) >= least,
        f"{least} or more of: {', '.join(points)}",
        ", ".join(told) or "none",
        message=f"The answer tells {len(told)} of {len(points)} points; "
        f"it lacks {', '.join(left[:4])}.",
    )
    case.expect(
        "answer: in sentences",
        bearing >= 2,
        "2 sentences or more that tell a point",
        bearing,
        message="The answer does not tell what it is about in sentences.",
    )


def told_points(answer: str, points: Mapping[str, Sequence[str]]) -> tuple[list[str], int]:
    """The points told, and how many sentences (or clauses of one) tell any."""
    whole = flat(answer)
    told = [name for name, spellings in points.items() if any(flat(s) in whole for s in spellings)]
    spoken = [flat(s) for s in sentences(re.sub(r"[，,]\s", "。", answer)) if len(s) >= 8]
    words = [flat(s) for name in told for s in points[name]]
    return told, sum(any(word in sentence for word in words) for sentence in spoken)


def items_of(answer: str) -> list[str]:
    """The entries of a list given as an answer: by lines, commas or numbers, without its lead."""
    text = unicodedata.normalize("NFKC", answer)
    text = re.sub(r"^[^\n:]{0,80}:\s*", "", text)  # "The keywords are: …"
    parts = re.split(r"[\n,;、|]+", text)
    items = [LEADING.sub("", part).strip(" \t\"'[](){}。.“”‘’*`") for part in parts]
    return [item for item in dict.fromkeys(items) if item]


def english_keywords(text: str, most: int) -> list[str]:
    """The words of an English text by how often they stand in it, stop words left out."""
    words = re.findall(r"[a-z][a-z'-]{2,}", re.sub(r"<[^>]+>", " ", text.lower()))
    counts = Counter(w.removesuffix("'s") for w in words)
    return [w for w, _ in counts.most_common(4 * most) if w not in STOPPED][:most]


def expect_keywords(case: Case, source: str, least: int = 5, most: int = 60) -> None:
    """The answer is a list of Chinese keywords of `source`, a text in Chinese.

    Two thirds of its entries must stand in the source, and `least` of the source's 40 heaviest
    words must stand in the entries.
    """
    items = [item for item in items_of(case.answer) if len(item) <= 24]
    case.expect(
        "answer: a list",
        least <= len(items) <= most,
        f"{least} to {most} keywords",
        len(items),
        message=f"The answer lists {len(items)} keywords.",
    )
    in_chinese = sum(bool(CHINESE.search(item)) for item in items)
    case.expect(
        "answer: in Chinese",
        2 * in_chinese > len(items),
        "most entries in Chinese",
        f"{in_chinese} of {len(items)}",
        message="The answer's keywords are not in Chinese.",
    )
    whole = flat(source)
    there = [item for item in items if flat(item) in whole]
    case.expect(
        "answer: words of the document",
        items and 3 * len(there) >= 2 * len(items),
        "two thirds or more",
        f"{len(there)} of {len(items)}",
        message=f"Only {len(there)} of the {len(items)} keywords stand in the document.",
    )
    heavy = chinese.keywords(source, 40)
    joined = flat(" ".join(items))
    hit = [word for word in heavy if word in joined]
    case.expect(
        "answer: its keywords",
        len(hit) >= least,
        f"{least} or more of {shown(', '.join(heavy[:15]))} …",
        ", ".join(hit[:12]) or "none",
        message=f"The answer names {len(hit)} of the words that carry the document.",
    )
