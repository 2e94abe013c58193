"""Reading answers that give one figure for each of several labels, or settle on one name."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Collection, Mapping, Sequence

from runner.checks.case import Case, shown
from runner.checks.text import conclusions
from runner.checks.text.answers import distinct, sentences
from runner.checks.text.reading import (
    DIRECTLY,
    NEAR_CHARS,
    Claim,
    Found,
    claimed,
    folded,
    is_denied,
    is_hedging,
    is_recited,
    numbers_in,
    settled,
    tables_told,
)

MOST_NUMBERS = 300  # distinct ones in an answer, above which it is a list of guesses
BARE_CHARS = 32  # of a conclusion that is a number and little else
LED_CHARS = 120  # read after a lead
NEAR_LEAD_CHARS = 20  # from a lead to its number
MOST_GUESSES = 4  # different figures for one label
LIST_MARK = re.compile(r"^[^\S\n]*\d{1,3}[.,)]\s+", re.MULTILINE)

BESIDE = re.compile(
    r"[\s,;/|&+\"'“”‘’()\[\]-]*(?:(?:or|and|as well as|alternatively|maybe|possibly|perhaps|"
    r"或者?|和|与|以及|及|还是|也可能是?)[\s,\"'“”‘’()\[\]-]*)*"
)
STATISTICS = {  # what else a sentence may give a figure of
    " deviation": ["standard deviation", "std", "std dev", "sd", "标准差"],
    " median": ["median", "中位数"],
    " least": ["minimum", "min", "最小值"],
    " most": ["maximum", "max", "最大值"],
    " sum": ["sum", "total", "总和", "合计"],
    " number": ["count", "number of", "数量", "样本量"],
}

PART_OF = re.compile(  # "28 of the 400 films", "28/400"
    r"(?<![\d./])(\d{1,9})(?: (?:out )?of (?:the |all |these |those |its )*| ?/ ?(?=\d{3}))"
    r"\d{1,9}(?![\d./])"
)
AMONG = re.compile(  # 400部电影中有28部
    r"\d{1,9}\s?[部个条行家人名][^\d,.;。\n]{0,8}(?:中|里面?|当中|之中)[^\d,.;。\n]{0,12}?(\d{1,9})\s?[部个条行家人名]"
)
IN_BRACKETS = re.compile(r"\([^()\d]{0,11}$")  # an aside: "28 (of a total of 400)"
OTHERS_BEFORE = re.compile(  # what is not counted: the rest of a list, a place in it
    r"(?:其余|剩下|剩余|余下|另外?有?|还有|前|第|\b(?:other|remaining|first|last|top|next|another))\s?的?$"
)

Accepted = Sequence[tuple[float, float]]  # values and how far off each may be


def spelled(spelling: str) -> str:
    """A pattern for `spelling` as a whole word in folded text; Chinese has no word borders.

    A quote may stand before it ('XL'), a genitive may not (it's).
    """
    text = re.escape(folded(spelling).strip())
    if not re.search(r"[a-z0-9]", text):
        return text
    return rf"(?<![a-z0-9_])(?<![a-z]['’]){text}(?![a-z0-9_])"


def prepared(answer: str, labels: Mapping[str, Sequence[str]] | None = None) -> str:
    """The answer folded, the numbers of list items taken off, tables turned into sentences.

    Those speak of `labels` first, whether these head the table's rows or its columns.
    """
    words = [folded(word) for many in (labels or {}).values() for word in many]
    text = LIST_MARK.sub("", folded(answer))
    return tables_told(text, words)


def places_of(text: str, labels: Mapping[str, Sequence[str]]) -> list[tuple[int, int, str]]:
    """(start, end, label) of every spelling in prepared `text`; the longest one wins a place."""
    spellings = sorted(
        ((spelling, label) for label, all_of in labels.items() for spelling in all_of),
        key=lambda pair: -len(pair[0]),
    )
    taken: list[tuple[int, int, str]] = []
    is_taken = bytearray(len(text))
    for spelling, label in spellings:
        for match in re.finditer(spelled(spelling), text):
            start, end = match.span()
            if not any(is_taken[start:end]):
                is_taken[start:end] = bytes([1]) * (end - start)
                taken.append((start, end, label))
    return sorted(taken)


def stretches(answer: str, labels: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """By label, what the answer says after each mention of it, up to the next label."""
    text = prepared(answer, labels)
    found: dict[str, list[str]] = {label: [] for label in labels}
    places = places_of(text, labels)
    ends = [*(start for start, _, _ in places[1:]), len(text)]
    for (_, after, label), end in zip(places, ends, strict=False):
        found[label].append(text[after:end])
    return found


def claims(
    answer: str,
    labels: Mapping[str, Sequence[str]],
    others: Mapping[str, Sequence[str]] | None = None,
    besides: Collection[float] = (),
) -> dict[str, list[Claim]]:
    """By label, what each mention of it claims; a mention of one of `others` ends it.

    Where a mention is followed right by its value ("is", ":", a table's cell), those that are
    not are no claims.
    """
    said = stretches(answer, {**(others or {}), **labels})
    found: dict[str, list[Claim]] = {}
    for label, texts in said.items():
        mine = [claimed(text, besides) for text in texts] if label in labels else []
        whole = [one for one in mine if one]
        found[label] = [one for one in whole if one.is_direct] or whole
    return {label: found[label] for label in labels}


def expect_claims(
    case: Case,
    name: str,
    said: Sequence[Claim],
    accepted: Accepted,
    scales: Mapping[str, float] | None = None,
) -> bool:
    """All `said` of a label is right: one value, however often and in whatever form.

    A value in one of the units `scales` ({"thousand": 1000.0}) counts as that many.
    """

    def value_of(found: Found) -> float:
        return found.value * (scales or {}).get(found.unit, 1.0)

    offered: list[float] = []
    for one in said:
        forms = [value_of(f) for f in one.forms]
        good = next((value for value in forms if is_accepted(value, accepted)), None)
        offered += [good] if good is not None else [value_of(f) for f in one.candidates]
    return expect_said(case, name, offered, accepted)


def is_stuffed(answer: str) -> bool:
    text = folded(answer)
    return is_recited(text) or distinct([f.value for f in numbers_in(text)]) > MOST_NUMBERS


def require_answer(case: Case) -> None:
    """There is an answer, it is no list of guesses, and gives no number "or" another."""
    case.demand(
        "an answer",
        case.answer.strip() and not is_stuffed(case.answer) and not is_hedging(folded(case.answer)),
        "an answer",
        case.answer[:60],
        "",
        "There is no answer that could be judged.",
    )


def is_accepted(value: float, accepted: Accepted) -> bool:
    return any(abs(value - wanted) <= off + 1e-9 * abs(wanted) for wanted, off in accepted)


def expect_said(case: Case, name: str, offered: Sequence[float], accepted: Accepted) -> bool:
    """All figures `offered` for a label are right: who names several candidates names none."""
    offered = list(dict.fromkeys(offered))
    wanted = " or ".join(dict.fromkeys(f"{value:.10g}" for value, _ in accepted[:3]))
    fault = ""
    if not case.answer.strip():
        fault = "There is no final answer."
    elif is_stuffed(case.answer):
        fault = "The answer lists hundreds of numbers: that is no answer."
    elif not offered:
        fault = f"The answer gives no figure for {name}."
    elif distinct(offered) > MOST_GUESSES:
        fault = f"The answer gives {distinct(offered)} different figures for {name}."
    elif not all(is_accepted(value, accepted) for value in offered):
        said = ", ".join(f"{value:.10g}" for value in offered[:4])
        fault = f"The answer says {said} for {name}, expected {wanted}."
    actual = ", ".join(f"{value:.10g}" for value in offered[:6]) or "nothing"
    return case.expect(f"answer: {name}", not fault, wanted, actual, "", fault)


def expect_label(case: Case, name: str, said: Sequence[str], accepted: Accepted) -> bool:
    """Judge what the mentions `said` of a label claim."""
    return expect_claims(case, name, told(said), accepted)


def told(said: Sequence[str]) -> list[Claim]:
    """The claims of stretches after a label; the direct ones, if there are any."""
    whole = [one for text in said if (one := claimed(text))]
    return [one for one in whole if one.is_direct] or whole


def figures_by_word(said: str, words: Mapping[str, Sequence[str]], answer: str) -> dict[str, Claim]:
    """The claim after each of `words` in a stretch.

    Where there are only numbers, as in a row, they go with the words in the order in which the
    answer, in what stands above the rows, first names them.
    """
    found = {word: many[0] for word, many in claims(said, words, STATISTICS).items() if many}
    if len(found) == len(words):
        return found
    numbers = numbers_in(said)
    order = list(dict.fromkeys([*(w for _, _, w in places_of(prepared(answer), words)), *words]))
    return {word: Claim((number,)) for word, number in zip(order, numbers, strict=False)}


def expect_settled(
    case: Case,
    name: str,
    expected: Sequence[str],
    rivals: Sequence[str],
    most_rivals: int = 2,
) -> bool:
    """The answer names `expected` (any spelling, as a whole word) before any of its `rivals`.

    At most `most_rivals` of them may follow, as in a ranking, and none as another candidate:
    "XL, L", "XL or L", "XL L M".
    """
    labels = {"": expected, **{rival: [rival] for rival in rivals if rival not in expected}}
    text = prepared(case.answer)
    fault = ""
    if not case.answer.strip():
        fault = "There is no final answer."
    elif is_stuffed(case.answer) or is_hedging(text):
        fault = "The answer lists words or numbers and settles on nothing."
    else:
        fault = unsettled(text, labels, most_rivals)
        if fault and (end := conclusions.concluded(text)):
            fault = unsettled(end, labels, 0) and fault
    return case.expect(
        f"answer: {name}", not fault, expected[0], shown(case.answer)[:200], "", fault
    )


def unsettled(text: str, labels: Mapping[str, Sequence[str]], most_rivals: int) -> str:
    """Why prepared `text` does not settle on the label "", "" if it does."""
    places = [one for one in places_of(text, labels) if not is_denied(text, one[0])]
    order = list(dict.fromkeys(label for _, _, label in places))
    wanted = labels[""][0]
    if "" not in order:
        return f"The answer does not name {wanted}."
    if order[0]:
        return f"The answer names {order[0]} before {wanted}."
    if len(order) - 1 > most_rivals:
        return f"The answer names {wanted} and {len(order) - 1} others: that is no answer."
    if rival := rival_beside(text, places):
        return f"The answer names {rival} in one breath with {wanted}: that is no answer."
    return ""


def rival_beside(text: str, places: Sequence[tuple[int, int, str]]) -> str:
    """The rival that is named as another candidate, right after the first mention of ""."""
    for (_, end, label), (start, _, other) in itertools.pairwise(places):
        if label or other == label:
            continue
        between = text[end:start]
        is_near = len(between) <= NEAR_CHARS
        return other if is_near and BESIDE.fullmatch(between) else ""
    return ""


COUNTS = r"[^\S\n]*(?:[a-z]+[^\S\n]+){0,2}?"


def beside(
    answer: str,
    labels: Mapping[str, Sequence[str]],
    others: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, list[Claim]]:
    """As `claims`, where a number may also stand right before its label: "323 deaths"."""
    text = prepared(answer, {**(others or {}), **labels})
    places = places_of(text, {**(others or {}), **labels})
    numbers = settled(text)
    found: dict[str, list[Claim]] = {label: [] for label in labels}
    ends = [*(start for start, _, _ in places[1:]), len(text)]
    starts, last = [f.start for f in numbers], 0
    for (start, end, label), following in zip(places, ends, strict=False):
        after = claimed(text[end:following])
        nearest = bisect.bisect_left(starts, start)
        before = [
            f
            for f in numbers[max(0, nearest - 1) : nearest]
            if last <= f.start and re.fullmatch(COUNTS, text[f.end : start][:NEAR_CHARS])
        ]
        last = end
        if label not in labels:
            continue
        is_aside = text[end:following].lstrip().startswith("(")  # "237 deaths (7.8 %)"
        if before and (is_aside or not (after and after.is_direct)):
            found[label].append(Claim((before[-1],), is_direct=True))
        elif after:
            found[label].append(after)
    return {label: [one for one in many if one.is_direct] or many for label, many in found.items()}


def mentions(answer: str, spelling: str) -> bool:
    """True if the answer has `spelling` as a whole word, case and mark-up aside."""
    return re.search(spelled(spelling), prepared(answer)) is not None


def says_number(answer: str, value: float, tolerance: float) -> bool:
    """True if the answer has the number `value` anywhere, give or take `tolerance`."""
    return any(abs(f.value - value) <= tolerance for f in numbers_in(folded(answer)))


def counted(answer: str, units: Sequence[str], leads: Sequence[str] = ()) -> list[float]:
    """The numbers that stand right before one of `units` ("142 films") or soon after a lead.

    Where numbers stand right after a lead ("a total of 142"), or one in the conclusion, no other
    is meant.
    """
    text = prepared(answer)
    after = [one for lead in leads for one in led_by(text, lead)]
    if direct := [f.value for f, is_direct in after if is_direct]:
        return direct
    end = conclusions.concluded(text)
    last = settled(end) if len(end) <= BARE_CHARS else units_counted(end, units)
    bold = [
        f
        for words in conclusions.emphasised(answer)
        for f in (settled(folded(words)) if len(words) <= BARE_CHARS else [])
    ]
    for found in (last, bold):
        if distinct([f.value for f in found]) == 1:
            return [found[0].value]
    plain = text.replace(",", "")
    parts = [float(one[1]) for look in (PART_OF, AMONG) for one in look.finditer(plain)]
    if len(set(parts)) == 1:
        return parts[:1]
    return [f.value for f in [*units_counted(text, units), *(one for one, _ in after)]]


def units_counted(text: str, units: Sequence[str]) -> list[Found]:
    """The numbers of prepared `text` that stand right before one of `units`."""
    before = "|".join(spelled(unit) for unit in units)
    found = [
        f
        for f in numbers_in(text)
        if not OTHERS_BEFORE.search(text[max(0, f.start - 16) : f.start])
        and re.match(rf"\s*(?:[a-z]+\s+){{0,3}}?(?:{before})", text[f.end : f.end + 60])
    ]
    plain = [f for f in found if not IN_BRACKETS.search(text[max(0, f.start - 12) : f.start])]
    return plain or found


def led_by(text: str, lead: str) -> list[tuple[Found, bool]]:
    """The number soon after each mention of a lead, and whether it stands right after it."""
    led = []
    for match in re.finditer(spelled(lead), text):
        if IN_BRACKETS.search(text[max(0, match.start() - 12) : match.start()]):
            continue
        said = text[match.end() :][:LED_CHARS]
        number = next(iter(numbers_in(said)), None)
        if number and number.start <= NEAR_LEAD_CHARS:
            led.append((number, bool(DIRECTLY.fullmatch(said[: number.start]))))
    return led


def figures_near(answer: str, spellings: Sequence[str]) -> list[float]:
    """The number after each mention of a spelling, else those of the sentences that mention it."""
    said = stretches(answer, {"": spellings})[""]
    firsts = [found[0].value for text in said if (found := numbers_in(text[:80]))]
    if firsts:
        return firsts
    return [
        f.value
        for sentence in sentences(answer)
        if any(re.search(spelled(s), sentence) for s in spellings)
        for f in numbers_in(sentence)
    ]


def or_claimed(case: Case) -> list[Claim]:
    """The claim of an answer that does not name what it gives: its only number, or candidates."""
    asked = {f.value for f in numbers_in(folded(case.query))}
    one = claimed(prepared(case.answer), asked)
    return [one] if one else []


def or_any(case: Case, offered: Sequence[float]) -> list[float]:
    """`offered`, or without any the few numbers of the answer that the query does not hold."""
    if offered:
        return list(offered)
    asked = {f.value for f in numbers_in(folded(case.query))}
    text = prepared(case.answer)
    found = [f.value for f in numbers_in(text) if f.value not in asked]
    return found if distinct(found) <= MOST_GUESSES else []
