"""Reading the final answer: a number near the words it belongs to, a name and not its rivals.

An answer that lists many candidates is no answer: each measure looks only at the sentences that
speak of what was asked for, and refuses one that offers several values for it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence

from runner.checks.case import Case, shown
from runner.checks.text import conclusions
from runner.checks.text.reading import (
    AND,
    BETWEEN,
    GUESSED,
    Found,
    claimed,
    folded,
    in_digits,
    in_minutes,
    is_recited,
    numbers_in,
    settled,
    tables_told,
)

__all__ = ["Found", "folded", "numbers_in"]  # imported from here by others

MOST_AFTER = 200  # characters after a word in which its value is looked for
MAX_NUMBERS = 60  # distinct numbers in a whole answer

ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
DATES_JOINED = re.compile(
    rf"({ISO_DATE.pattern})\s*(?:,|/|\||\bor\b|\band\b|或者?|和)\s*(?:\bor\b\s*)?(?!\1){ISO_DATE.pattern}"
)
LISTED_ASIDE = re.compile(  # what was counted, after its number: "3 sections (2.1, 2.4, 10.1)"
    r"(\d\s?[^\d().\n]{0,12})\(\s*[\d.]+(?:\s*(?:,|;|and|和)\s*[\d.]+)+\s*\)"
)
CLOCK_RANGE = re.compile(  # an hour by its beginning and end: 14:00-15:00
    r"(?<![\d:.])(\d{1,2}:\d{2})(?::\d{2})?\s?(?:-|~|\bto\b|至|到)\s?\d{1,2}:\d{2}(?::\d{2})?(?![\d:])"
)
FORMER = re.compile(r"(?:原(?:始|来|本)?的?|\b(?:original|former|initial|source|input))\s?$")
ASIDE = re.compile(
    r"\brunners?-?up\b|\b(?:second|next) (?:place|comes|is|was|highest|largest|best)\b"
    r"|\b(?:dropped|removed|deleted|discarded|vanished)\b|其次|次之|第二|删除|删掉|去掉|丢弃"
)
LIST_NUMBER = re.compile(r"^[^\S\n]*\d{1,2}[.)]\s", re.MULTILINE)  # of an item of the query
SENTENCE = re.compile(r"[\n。；;!?！？]+|\.(?=\s|$)")
CLAUSE = re.compile(r",\s+|\band\b|\bwhile\b|和|以及|(?<!\d)[()]")
CORRECTION = re.compile(
    r"[\s\W]*(?:correction|sorry|wait\b|actually|on second thought|i mean|"
    r"更正|不对|抱歉|等等|实际上应)"
)
BESIDE = re.compile(r"[\s\"'“”‘’()\[\]«»「」《》,;/&|+-]*")
JOINT = re.compile(r"\bor\b|\band\b|[/&|+]|或者?|还是|和|与|及|跟")
HEDGE = re.compile(
    r"\s*(?:[a-z%°]{1,12}|[\u4e00-\u9fff]{1,3}?)?\s*,?\s*"
    rf"(?:\bor\b|\beither\b|或者?|还是|{GUESSED}|/|~|\bto\b|至|到)\s*(?:[a-z]{{1,12}}\s+)?"
)
SPACED = re.compile(r"(?<![\d.,] )(?<![\d.,])\d{1,3}(?: \d{3})+(?:\.\d+)?(?![\d]| \d)")


def sentences(text: str, words: Sequence[str] = ()) -> list[str]:
    """Folded text cut at line ends and full stops (not at decimal points).

    A row of a table is a sentence; where its columns hold `words`, a column is one.
    """
    told = tables_told(folded(text), [folded(word) for word in words])
    return [part.strip() for part in SENTENCE.split(told) if part.strip()]


def distinct(values: Sequence[float]) -> int:
    return len({round(v, 9) for v in values})


def number_near(
    case: Case,
    words: Sequence[str],
    expected: float,
    tolerance: float,
    name: str = "",
    either_sign: bool = False,
    is_only: bool = False,
    concludes: bool = False,
) -> bool:
    """The answer says `expected` (± `tolerance`) in a sentence holding one of `words`.

    Numbers that the query itself holds do not count as candidates. An answer whose only number
    is the expected one needs no words. Offering several values fails; with `is_only`, where an
    answer speaks of nothing else, so does another sentence that gives another value. What the
    answer concludes counts alone where it holds one of `words`, and with `concludes` anyhow.
    """
    name = name or f"answer: {words[0]}"
    candidates, fault = candidates_near(case, words, expected, tolerance, concludes)
    if either_sign:  # "a fall of 12 %" and "-12 %" say the same
        candidates = [abs(c) for c in candidates]
    hits = [c for c in candidates if abs(c - expected) <= tolerance]
    if is_only and not fault and len(hits) < len(candidates):
        hits = []
    if not fault and not hits:
        said = ", ".join(f"{c:.10g}" for c in candidates[:6])
        fault = f"The answer says {said} for {words[0]}, expected {expected:.10g}."
    wanted = f"{expected:.10g} ± {tolerance:.3g} near “{words[0]}”"
    return case.expect(name, not fault, wanted, shown(case.answer)[:200], "", fault)


def candidates_near(
    case: Case, words: Sequence[str], expected: float, tolerance: float, concludes: bool = False
) -> tuple[list[float], str]:
    """The values that the answer offers for `words`, and why it is no answer ("" when it is)."""
    if not case.answer.strip():
        return [], "There is no final answer."
    query = LIST_NUMBER.sub("", folded(case.query))
    context = {f.value for f in numbers_in(query) if abs(f.value - expected) > tolerance}
    answer = LISTED_ASIDE.sub(r"\1", in_minutes(folded(case.answer)))
    answer = CLOCK_RANGE.sub(r"\1", answer)
    answer = SPACED.sub(lambda m: joined(m[0], expected, tolerance), answer)
    if not passages(answer, words, lambda s: bool(offered(s, words, context))):
        worded = in_digits(answer)
        if passages(worded, words, lambda s: bool(offered(s, words, context))):
            answer = worded
    everything = [f.value for f in settled(answer) if f.value not in context]
    if not everything:
        return [], f"The answer gives no number for {words[0]}."
    if is_recited(answer) or distinct(everything) > MAX_NUMBERS:
        return [], "The answer is a list of words and numbers, and no statement."
    end = conclusions.concluded(answer)
    last = offered(end, words, context) if concludes or holds_any(end, words) else []
    if distinct([f.value for f in last]) == 1:
        return [last[0].value], ""
    if last and holds_any(end, words):
        answer = end
    if distinct(everything) == 1:
        return everything[:1], ""
    with_numbers = passages(answer, words, lambda s: bool(offered(s, words, context)))
    with_numbers = without_asides(with_numbers, words)
    if not with_numbers:
        return [], f"No sentence of the answer gives a number for {words[0]}."
    if corrected := corrections(answer, words, context):
        return corrected, ""
    return weigh(with_numbers, words, context, expected, tolerance)


def without_asides(said: Sequence[str], words: Sequence[str]) -> list[str]:
    """The sentences that speak of the value itself; all, where none does.

    Others tell what it was before, what comes next to it or was left out.
    """
    kept = [
        sentence
        for sentence in said
        if not ASIDE.search(sentence)
        and not any(
            FORMER.search(sentence[: match.start()])
            for word in words
            for match in re.finditer(re.escape(folded(word)), sentence)
        )
    ]
    return kept or list(said)


def joined(text: str, expected: float, tolerance: float) -> str:
    """Digits in groups of three as one number, where that is the expected one: "838 866 283"."""
    whole = text.replace(" ", "")
    return whole if abs(float(whole) - expected) <= tolerance else text


def corrections(answer: str, words: Sequence[str], context: set[float]) -> list[float]:
    """The number of the last sentence that takes back what was said before."""
    said = [s for s in sentences(answer, words) if CORRECTION.match(s)]
    found = [numbers for s in said if (numbers := offered(s, words, context))]
    return [found[-1][-1].value] if found else []


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
        if is_hedged(sentence, found, expected, tolerance):
            return [], f"The answer offers alternatives for {words[0]}: that is no answer."
        near = alone(sentence, words, context) or closest_two(sentence, words, found)
        said = direct(sentence, words, context)
        if said and not any(abs(abs(v) - abs(expected)) <= tolerance for v in (*near, *said)):
            return said, f"The answer says {said[0]:.10g} for {words[0]}, expected {expected:.10g}."
        nearest += near
    return nearest, ""


def direct(sentence: str, words: Sequence[str], context: set[float]) -> list[float]:
    """The value that a sentence gives right after one of `words`: "the total is 5"."""
    for word in words:
        for match in re.finditer(re.escape(folded(word)), sentence):
            said = claimed(sentence[match.end() :][:MOST_AFTER], context)
            if said and said.is_direct:
                return list(said.values)
    return []


def alone(sentence: str, words: Sequence[str], context: set[float]) -> list[float]:
    """The number of a clause that holds one of `words` and one number alone, if there is any."""
    for clause in CLAUSE.split(sentence):
        values = [f.value for f in offered(clause, words, context)]
        if holds_any(clause, words) and distinct(values) == 1:
            return values[:1]
    return []


def closest_two(sentence: str, words: Sequence[str], found: Sequence[Found]) -> list[float]:
    """The two numbers in a sentence that are nearest to any of `words`, a chain by its start."""
    places = [m.span() for w in words for m in re.finditer(re.escape(folded(w)), sentence)]
    starts: dict[int, int] = {}  # of the chain that ends in a number, by its start
    chain: list[int] = []
    values = {f.start for f in settled(sentence)}
    for number in numbers_in(sentence):
        chain.append(number.start)
        if number.start in values:
            starts[number.start], chain = chain[0], []

    def distance(f: Found) -> int:
        begin = starts.get(f.start, f.start)
        return min(max(begin - end, start - f.end, 0) for start, end in places)

    return [f.value for f in sorted(found, key=distance)[:2]]


def offered(sentence: str, words: Sequence[str], context: set[float]) -> list[Found]:
    """Numbers of the sentence that stand neither in the query nor inside one of `words`."""
    inside = [m.span() for w in words for m in re.finditer(re.escape(folded(w)), sentence)]
    return [
        f
        for f in settled(sentence)
        if f.value not in context and not any(a <= f.start and f.end <= b for a, b in inside)
    ]


def is_hedged(sentence: str, found: Sequence[Found], expected: float, tolerance: float) -> bool:
    """True if the expected value is one of two joined by "or", "to" or "/"."""
    for left, right in [*itertools.pairwise(found), *itertools.pairwise(settled(sentence))]:
        between = sentence[left.end : right.start]
        before = sentence[max(0, left.start - 12) : left.start]
        is_range = AND.fullmatch(between) and BETWEEN.search(before)
        hits = [abs(f.value - expected) <= tolerance for f in (left, right)]
        if (is_range or HEDGE.fullmatch(between)) and any(hits) and not all(hits):
            return True
    return False


def holds_any(sentence: str, words: Sequence[str]) -> bool:
    return any(folded(word) in sentence for word in words)


def passages(text: str, words: Sequence[str], is_telling: Callable[[str], bool]) -> list[str]:
    """The sentences that hold one of `words` and tell something.

    One that holds the words and tells nothing, like a heading, counts with the sentence after it.
    """
    found = []
    parts = sentences(text, words)
    for part, after in itertools.zip_longest(parts, parts[1:], fillvalue=""):
        if not holds_any(part, words):
            continue
        whole = part if is_telling(part) else f"{part} {after}"
        if is_telling(whole):
            found.append(whole)
    return found


def date_near(case: Case, words: Sequence[str], expected: str, name: str = "") -> bool:
    """The answer gives the date `expected` (YYYY-MM-DD) right after one of `words`.

    Every sentence that speaks of it must agree, and none may list several.
    """
    said = passages(case.answer, words, lambda s: bool(ISO_DATE.search(s)))
    nearest = [date_after(sentence, words) for sentence in said]
    fault = ""
    if not nearest:
        fault = f"The answer gives no date (YYYY-MM-DD) for {words[0]}."
    elif any(DATES_JOINED.search(sentence) for sentence in said):
        fault = f"The answer lists several dates for {words[0]}: that is no answer."
    elif any(date != expected for date in nearest):
        fault = f"The answer says {', '.join(nearest)} for {words[0]}, expected {expected}."
    return case.expect(
        name or f"answer: {words[0]}", not fault, expected, ", ".join(nearest), "", fault
    )


def date_after(sentence: str, words: Sequence[str]) -> str:
    """The first date after the first of `words`, else the last one before it."""
    place = min(sentence.find(folded(w)) for w in words if folded(w) in sentence)
    dates = [(match.start(), match[0]) for match in ISO_DATE.finditer(sentence)]
    after = [date for start, date in dates if start >= place]
    return after[0] if after else dates[-1][1]


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
        text = folded(case.answer)
        end = conclusions.concluded(text)
        is_meant = holds_any(end, words) or not holds_any(text, words)
        if not is_meant or holds_any(end, others) or not is_first(end, spellings, others):
            fault = f"The answer does not settle on {spellings[0]}."
    shortened = shown(case.answer)[:200]
    return case.expect(name or f"answer: {words[0]}", not fault, spellings[0], shortened, "", fault)


def is_first(sentence: str, spellings: Sequence[str], others: Sequence[str]) -> bool:
    """True if one of `spellings` comes before all `others`, of which at most two are there.

    None of them may be another candidate: "A or B", "A and B".
    """
    mine = [(sentence.find(folded(s)), -len(folded(s))) for s in spellings if folded(s) in sentence]
    theirs = sorted(sentence.find(folded(o)) for o in others if folded(o) in sentence)
    if not mine or len(theirs) > 2 or any(place < min(mine)[0] for place in theirs):
        return False
    start, length = min(mine)
    end = start - length
    return not theirs or not is_joint(sentence[end : theirs[0]])


def is_joint(between: str) -> bool:
    """True for "or", "and" and such between two names, and nothing else."""
    return bool(JOINT.search(between) and BESIDE.fullmatch(JOINT.sub(" ", between)))
