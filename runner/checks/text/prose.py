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

from runner.checks.case import Case, shown
from runner.checks.text import chinese
from runner.checks.text.chinese import CHINESE

SENTENCE = re.compile(r"[。！？!?；;\n]+|(?<=[a-z\d)\"'”])\.(?=\s|$)")
LEADING = re.compile(r"^\s*(?:[-*•·]|\(?\d+[.)、:：]|[一二三四五六七八九十]+、)\s*")
CLAUSE = re.compile(r"[。！？!?；;，,\n:：]+|(?<=[a-z\d)\"'”])\.(?=\s|$)|\s[-–—]\s")
EXPLAINED = re.compile(r"[^:：\n]{1,30}[:：]\s*\S")
WITH_FIGURES = re.compile(r"^([^:：\n]{1,30})[:：][^\n]*\d[^\n]*$")  # 销量：86.68万吨，同比+5%
LEAST_CLAUSE = 6  # characters of a clause that says something
LEAST_WORDS = 3  # of one in English
MOST_AT_ONCE = 3  # points that a clause may make: more is a list of names
DENIAL = re.compile(
    r"\b(?:not(?! only| just| merely)|never|no longer|neither|nor|without|fails?|failed|failing|"
    r"cannot|unable|refus\w+|den(?:y|ies|ied)|reject\w*|abandon\w*|abolish\w*|oppos\w+|against|"
    r"useless|harmful|worse|worst|inferior|lags?|lagg\w+|behind|contrary|opposite|refut\w+|"
    r"disprov\w+|discourag\w+|irrelevant|forbid\w*|forbade|withh\w+)\b|n['’]t\b"
    r"|并非|并未|没有|从未|未能|无法|不再|不是|不会|不能|不利|拒绝|放弃|否认|反对|失败|恶化|"
    r"看空|卖出|下调|减持|落后|不如|劣于|逊于|终止|取消"
)
NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?![\d.]*\d)")
HUNDRED_MILLIONS = re.compile(rf"({NUMBER.pattern})\s*亿")
CANDIDATES = re.compile(r"\d\s*(?:or|或)\s*-?\d[\d.,]*\s*(?:or|或)\s*-?\d", re.IGNORECASE)
PERCENT = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s*(?:%|percent\b|per cent\b|个百分点)")
PAIRED = re.compile(r"分别|依次|\brespectively\b")
JOINED = re.compile(r"\s*(?:(?:的|之|in|of|for|growth in|rise in|increase in)(?: the)?)?\s*")
MOST_KEYWORD_CHARS = 24
SMALL = 12  # whole numbers up to this count things, or list them
PLACE = re.compile(  # of a document or a method, no figure: section 5.1, pass@1, 0-shot
    r"(?:\b(?:sections?|pages?|tables?|figures?|fig\.|appendix|chapters?)|[§第]|@)\s*\d[\d.]*"
    r"|\b\d+(?=-shot)",
    re.IGNORECASE,
)
UNITS = (0, -2, 3, -3, 4, -4, 6, -6, 8, -8, 9, -9)  # powers of ten between units and languages
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

    A point counts as made if one of its spellings stands in a clause that does not deny it, blanks
    and case aside; “a&b” wants b after a in one clause. `shortest` is in characters. The points
    must come from the source; which they are is the task's own reading. Figures must be its own.
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
        "2 clauses or more that tell a point",
        bearing,
        message="The answer does not tell what it is about in sentences.",
    )
    expect_own_figures(case, source)


def expect_not_contradicted(case: Case, patterns: Sequence[str]) -> None:
    """The answer says nothing that one of `patterns` finds: what the source tells the other way."""
    text = unicodedata.normalize("NFKC", case.answer).lower().replace("*", "")
    found = next((m[0] for pattern in patterns if (m := re.search(pattern, text))), "")
    case.expect(
        "answer: as the document tells it",
        not found,
        "nothing the other way round",
        shown(found) if found else "so",
        message=f"The answer says the reverse of the document (“{found}”).",
    )


def told_points(answer: str, points: Mapping[str, Sequence[str]]) -> tuple[list[str], int]:
    """The points made, and how many clauses make any; one that makes many is a list of names."""
    told: dict[str, None] = {}
    bearing = 0
    for clause in CLAUSE.split(unicodedata.normalize("NFKC", answer).replace("*", "")):
        is_scrap = len(clause.strip()) < LEAST_CLAUSE or (
            not CHINESE.search(clause) and len(clause.split()) < LEAST_WORDS
        )
        if is_scrap or DENIAL.search(clause.lower()):
            continue
        made = [
            name for name, spellings in points.items() if any(said(s, clause) for s in spellings)
        ]
        told |= dict.fromkeys(made[:MOST_AT_ONCE])
        bearing += bool(made)
    return list(told), bearing


def said(spelling: str, clause: str) -> bool:
    """True if the parts of `spelling` (a&b) stand in `clause`, one after the other."""
    text, place = flat(clause), 0
    for part in spelling.split("&"):
        place = text.find(flat(part), place)
        if place < 0:
            return False
        place += len(flat(part))
    return True


def expect_own_figures(case: Case, source: str) -> None:
    """The figures of the answer stand in the source, rounded or in another unit.

    A third may be of the answer's own reckoning; whole numbers that count things are not asked.
    """
    text = evened(source + case.query)
    known = {float(n[0].replace(",", "")) for n in NUMBER.finditer(text)}
    known |= {float(figure) / 10 for figure in of_hundred_millions(text)}
    answer = evened(PLACE.sub(" ", case.answer))
    figures = [
        n[0].replace(",", "")
        for n in NUMBER.finditer(answer)
        if "." in n[0] or float(n[0].replace(",", "")) > SMALL
    ]
    offered = CANDIDATES.search(evened(case.answer))
    case.expect(
        "answer: one figure each",
        not offered,
        "no alternatives",
        offered[0] if offered else "none",
        message="The answer offers several figures for one.",
    )
    told = of_hundred_millions(answer)
    strange = [
        figure
        for figure in dict.fromkeys(figures)
        if not is_from(figure, known) and not (figure in told and is_from(figure, known, 1))
    ]
    case.expect(
        "answer: figures of the document",
        3 * len(strange) <= len(set(figures)) - 1 or not strange,
        "those that stand in it",
        ", ".join(strange[:4]) or "no other",
        message=f"The document does not give the figures {', '.join(strange[:4])} of the answer.",
    )


def of_hundred_millions(text: str) -> list[str]:
    """The figures that count in 亿, of which ten are a billion: 70亿."""
    return [match[1].replace(",", "") for match in HUNDRED_MILLIONS.finditer(text)]


def evened(text: str) -> str:
    """Full-width digits as plain ones, a letter that follows a number parted from it."""
    plain = unicodedata.normalize("NFKC", text)
    return re.sub(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])", " ", plain)


def is_from(figure: str, known: set[float], shift: int = 0) -> bool:
    """True if one of `known` is, or rounds to, the figure, in its own or another unit.

    `shift` more powers of ten lie between them.
    """
    value = float(figure)
    room = 0.51 * 10.0 ** -len(figure.partition(".")[2])
    if "." not in figure and value >= 100:
        room = max(room, 0.005 * value)  # “about 1,400”
    return any(
        abs(one * 10.0 ** (power + shift) - value) <= room for one in known for power in UNITS
    )


def percentages(text: str, things: Mapping[str, str]) -> list[tuple[float, str]]:
    """The percentages of a folded text, and the thing that each is said of.

    `things` are patterns of names, the first of which wins where two begin at one place. A value
    belongs to the name before it in its sentence, or to the one that follows at once where no
    other is free; "" where the sentence names none. What goes by “respectively” is paired.
    """
    names = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in things.items()))
    found = []
    for sentence in re.split(r"[。!！?？\n]|\.(?=\s|$)", text):
        spots = [(m.start(), m.end(), str(m.lastgroup)) for m in names.finditer(sentence)]
        values = list(PERCENT.finditer(sentence))
        is_paired = PAIRED.search(sentence) and len(spots) == len(values)
        for number, value in enumerate(values):
            before = values[number - 1].end() if number else 0
            owner = spots[number][2] if is_paired else said_of(sentence, value, before, spots)
            found.append((float(value[1]), owner))
    return found


def said_of(
    sentence: str, value: re.Match[str], last: int, spots: Sequence[tuple[int, int, str]]
) -> str:
    """The name that a value belongs to; `last` is the end of the value before it."""
    earlier = [(end, name) for _, end, name in spots if end <= value.start()]
    is_free = bool(earlier) and earlier[-1][0] > last
    if not is_free:
        after = JOINED.match(sentence, value.end())
        at = after.end() if after else value.end()
        for begin, _, name in spots:
            if begin == at:
                return name
    return earlier[-1][1] if earlier else ""


def items_of(answer: str) -> list[str]:
    """The entries of a list given as an answer: by lines, commas or numbers, without its lead."""
    text = unicodedata.normalize("NFKC", answer)
    text = re.sub(r"^[^\n:]{0,80}:\s*", "", text)  # "The keywords are: …"
    parts = re.split(r"[\n,;、|]+", text)
    items = [LEADING.sub("", part).strip(" \t\"'[](){}。.“”‘’*`") for part in parts]
    return [item for item in dict.fromkeys(items) if item]


def english_keywords(text: str, most: int) -> list[str]:
    """The words of an English text by how often they stand in it, stop words left out."""
    words = re.findall(r"[a-z][a-z'-]{2,}", re.sub(r"<[^<>]+>", " ", text.lower()))
    counts = Counter(w.removesuffix("'s") for w in words)
    return [w for w, _ in counts.most_common(4 * most) if w not in STOPPED][:most]


def expect_keywords(case: Case, source: str, least: int = 5) -> None:
    """The answer is a list of keywords of `source`, a text in Chinese.

    Two thirds of its entries must stand in the source, and `least` of the source's 40 heaviest
    words must stand in the entries; an entry is what stands before a colon.
    """
    items = [keyword(item) for item in items_of(without_explanations(case.answer))]
    items = [item for item in dict.fromkeys(items) if item and len(item) <= MOST_KEYWORD_CHARS]
    whole = flat(source)
    there = [item for item in items if flat(item) in whole]
    case.expect(
        "answer: words of the document",
        len(items) >= least and 3 * len(there) >= 2 * len(items),
        f"{least} keywords or more, two thirds of which stand in it",
        f"{len(there)} of {len(items)}",
        message=f"{len(there)} of the {len(items)} keywords stand in the document.",
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


def without_explanations(answer: str) -> str:
    """The answer without the figures that explain the entries of a list, after a colon in each of
    most of its lines."""
    lines = answer.splitlines()
    if 2 * sum(bool(EXPLAINED.match(line)) for line in lines) <= sum(map(bool, lines)):
        return answer
    return "\n".join(WITH_FIGURES.sub(r"\1", line) for line in lines)


def keyword(item: str) -> str:
    """The keyword of an entry that goes on to explain it."""
    return re.split(r"[:(（]| [-–—] ", item)[0].strip(" *`·")
