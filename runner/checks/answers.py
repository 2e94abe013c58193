"""Reading the final answer: a number near the words it belongs to, a name and not its rivals.

An answer that lists many candidates is no answer: each measure looks only at the sentences that
speak of what was asked for, and refuses one that offers several values for it.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from runner.checks.case import Case, shown

MAX_CANDIDATES = 4  # distinct numbers in a sentence that is to give one
MAX_SENTENCES = 6  # sentences speaking of the same thing
MAX_NUMBERS = 60  # distinct numbers in a whole answer

FOUND = re.compile(
    r"(?<![A-Za-z0-9_.])(?P<sign>[-+]?)(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?P<power>[eE][-+]?\d+)?\s?(?P<unit>[%万亿]?)"
)
INSIDE_WORD = re.compile(r"[A-Za-z_]")
DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{4}")
MINUTES = re.compile(r"(?<=\d):\d{2}(:\d{2})?(?!\d)")  # of a time: 14:00 says 14
ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
SENTENCE = re.compile(r"[\n。；;!?！？]+|\.(?=\s|$)")
CLAUSE = re.compile(r",\s+|\band\b|\bwhile\b|和|以及|(?<!\d)[()]")
HEDGE = re.compile(r"\s*(?:\bor\b|\beither\b|或者?|/|~|\bto\b|至|到)\s*")
UNITS = {"": 1.0, "%": 1.0, "万": 1e4, "亿": 1e8}


@dataclass(frozen=True)
class Found:
    """A number that a text says, and where."""

    value: float
    start: int
    end: int


def folded(text: str) -> str:
    """`text` with full-width forms, dashes and mark-up evened out, in lower case."""
    text = re.sub(r"[，、]", ", ", text)  # else folded into what looks like a thousands comma
    text = unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-")
    return re.sub(r"[*`$\\]|\\[()\[\]]", "", text).lower()


def numbers_in(text: str) -> list[Found]:
    """Every number in folded text: "1,234.5", "-3", "12.3%" (12.3), "1.2万" (12000); no dates."""
    found = []
    for pattern in (DATE, MINUTES):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    for match in FOUND.finditer(text):
        if INSIDE_WORD.match(text, match.end("power") if match["power"] else match.end("digits")):
            unit_follows = text[match.end("digits") : match.end("digits") + 12]
            if not re.match(r"[a-z]{1,3}\b|[a-z]+/", unit_follows):
                continue
        value = float(match["digits"].replace(",", "") + (match["power"] or ""))
        sign = -1.0 if match["sign"] == "-" else 1.0
        found.append(Found(sign * value * UNITS[match["unit"]], match.start(), match.end()))
    return found


def sentences(text: str) -> list[str]:
    """Folded text cut at line ends and full stops (not at decimal points)."""
    return [part.strip() for part in SENTENCE.split(folded(text)) if part.strip()]


def distinct(values: Sequence[float]) -> int:
    return len({round(v, 9) for v in values})


def number_near(
    case: Case,
    words: Sequence[str],
    expected: float,
    tolerance: float,
    name: str = "",
    either_sign: bool = False,
) -> bool:
    """The answer says `expected` (± `tolerance`) in a sentence holding one of `words`.

    Numbers that the query itself holds do not count as candidates. An answer whose only number
    is the expected one needs no words. Offering several values fails.
    """
    name = name or f"answer: {words[0]}"
    candidates, fault = candidates_near(case, words, expected, tolerance)
    if either_sign:  # "a fall of 12 %" and "-12 %" say the same
        candidates = [abs(c) for c in candidates]
    hits = [c for c in candidates if abs(c - expected) <= tolerance]
    if not fault and not hits:
        said = ", ".join(f"{c:.10g}" for c in candidates[:6])
        fault = f"The answer says {said} for {words[0]}, expected {expected:.10g}."
    wanted = f"{expected:.10g} ± {tolerance:.3g} near “{words[0]}”"
    return case.expect(name, not fault, wanted, shown(case.answer)[:200], "", fault)


def candidates_near(
    case: Case, words: Sequence[str], expected: float, tolerance: float
) -> tuple[list[float], str]:
    """The values that the answer offers for `words`, and why it is no answer ("" when it is)."""
    if not case.answer.strip():
        return [], "There is no final answer."
    context = {
        f.value for f in numbers_in(folded(case.query)) if abs(f.value - expected) > tolerance
    }
    everything = [f.value for f in numbers_in(folded(case.answer)) if f.value not in context]
    if not everything:
        return [], f"The answer gives no number for {words[0]}."
    if distinct(everything) > MAX_NUMBERS:
        return [], f"The answer lists {distinct(everything)} numbers: that is no answer."
    if distinct(everything) == 1:
        return everything[:1], ""
    with_numbers = passages(case.answer, words, lambda s: bool(offered(s, words, context)))
    if not with_numbers:
        return [], f"No sentence of the answer gives a number for {words[0]}."
    if len(with_numbers) > MAX_SENTENCES:
        return [], f"The answer gives {len(with_numbers)} different statements of {words[0]}."
    return weigh(with_numbers, words, context, expected, tolerance)


def weigh(
    speaking: Sequence[str],
    words: Sequence[str],
    context: set[float],
    expected: float,
    tolerance: float,
) -> tuple[list[float], str]:
    """The values nearest to `words` in each sentence, refusing lists and alternatives."""
    nearest: list[float] = []
    for sentence in speaking:
        found = offered(sentence, words, context)
        if distinct([f.value for f in found]) > MAX_CANDIDATES:
            return [], f"The answer lists many candidates for {words[0]}: that is no answer."
        if is_hedged(sentence, found, expected, tolerance):
            return [], f"The answer offers alternatives for {words[0]}: that is no answer."
        nearest += settled(sentence, words, context) or closest_two(sentence, words, found)
    return nearest, ""


def settled(sentence: str, words: Sequence[str], context: set[float]) -> list[float]:
    """The number of a clause that holds one of `words` and one number alone, if there is any."""
    for clause in CLAUSE.split(sentence):
        values = [f.value for f in offered(clause, words, context)]
        if holds_any(clause, words) and distinct(values) == 1:
            return values[:1]
    return []


def closest_two(sentence: str, words: Sequence[str], found: Sequence[Found]) -> list[float]:
    """Of the numbers in a sentence the two nearest to any of `words`."""
    places = [m.span() for w in words for m in re.finditer(re.escape(folded(w)), sentence)]

    def distance(f: Found) -> int:
        return min(max(f.start - end, start - f.end, 0) for start, end in places)

    return [f.value for f in sorted(found, key=distance)[:2]]


def offered(sentence: str, words: Sequence[str], context: set[float]) -> list[Found]:
    """Numbers of the sentence that stand neither in the query nor inside one of `words`."""
    inside = [m.span() for w in words for m in re.finditer(re.escape(folded(w)), sentence)]
    return [
        f
        for f in numbers_in(sentence)
        if f.value not in context and not any(a <= f.start and f.end <= b for a, b in inside)
    ]


def is_hedged(sentence: str, found: Sequence[Found], expected: float, tolerance: float) -> bool:
    """Whether the expected value is one of two joined by "or", "to", "/"."""
    for left, right in itertools.pairwise(found):
        between = sentence[left.end : right.start]
        hits = [abs(f.value - expected) <= tolerance for f in (left, right)]
        if HEDGE.fullmatch(between) and any(hits) and not all(hits):
            return True
    return False


def holds_any(sentence: str, words: Sequence[str]) -> bool:
    return any(folded(word) in sentence for word in words)


def passages(text: str, words: Sequence[str], is_telling: Callable[[str], bool]) -> list[str]:
    """The sentences that hold one of `words` and tell something.

    One that holds the words and tells nothing, like a heading, counts with the sentence after it.
    """
    found = []
    parts = sentences(text)
    for part, after in itertools.zip_longest(parts, parts[1:], fillvalue=""):
        if not holds_any(part, words):
            continue
        whole = part if is_telling(part) else f"{part} {after}"
        if is_telling(whole):
            found.append(whole)
    return found


def date_near(case: Case, words: Sequence[str], expected: str, name: str = "") -> bool:
    """The answer gives the date `expected` (YYYY-MM-DD) right after one of `words`.

    Every sentence that speaks of it must agree, and none may list more than three dates.
    """
    said = passages(case.answer, words, lambda s: bool(ISO_DATE.search(s)))
    nearest = [date_after(sentence, words) for sentence in said]
    is_list = any(len(set(ISO_DATE.findall(sentence))) > 3 for sentence in said)
    fault = ""
    if not nearest:
        fault = f"The answer gives no date (YYYY-MM-DD) for {words[0]}."
    elif is_list:
        fault = f"The answer lists many dates for {words[0]}: that is no answer."
    elif any(date != expected for date in nearest):
        fault = f"The answer says {', '.join(nearest)} for {words[0]}, expected {expected}."
    return case.expect(
        name or f"answer: {words[0]}", not fault, expected, ", ".join(nearest), "", fault
    )


def date_after(sentence: str, words: Sequence[str]) -> str:
    """The first date after the first of `words`, else the last one before it."""
    place = min(sentence.find(folded(w)) for w in words if folded(w) in sentence)
    after = ISO_DATE.search(sentence, place)
    return after[0] if after else ISO_DATE.findall(sentence)[-1]


def name_given(
    case: Case,
    expected: str | Sequence[str],
    rivals: Sequence[str],
    words: Sequence[str],
    name: str = "",
) -> bool:
    """The answer names `expected` (any of its spellings) and not one of its `rivals`.

    Looks at the passages that hold one of `words`; where none names anybody, at the whole answer
    as one. Each of them must name `expected` first, and at most two rivals after it.
    """
    spellings = [expected] if isinstance(expected, str) else list(expected)
    others = [r for r in rivals if r not in spellings]
    said = passages(case.answer, words, lambda s: holds_any(s, [*spellings, *others]))
    said = said or [folded(case.answer)]
    fault = ""
    if not case.answer.strip():
        fault = "There is no final answer."
    elif not all(is_first(sentence, spellings, others) for sentence in said):
        fault = f"The answer does not settle on {spellings[0]}."
    shortened = shown(case.answer)[:200]
    return case.expect(name or f"answer: {words[0]}", not fault, spellings[0], shortened, "", fault)


def is_first(sentence: str, spellings: Sequence[str], others: Sequence[str]) -> bool:
    """Whether one of `spellings` comes before all `others`, of which at most two are there."""
    mine = [sentence.find(folded(s)) for s in spellings if folded(s) in sentence]
    theirs = [sentence.find(folded(o)) for o in others if folded(o) in sentence]
    return bool(mine) and len(theirs) <= 2 and all(min(mine) < place for place in theirs)
