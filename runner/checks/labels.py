"""Reading answers that give one figure for each of several labels, or settle on one name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from runner.checks.answers import distinct, folded, numbers_in, sentences
from runner.checks.case import Case, shown

MOST_NUMBERS = 300  # distinct ones in an answer, above which it is a list of guesses
MOST_GUESSES = 4  # different figures for one label
LIST_MARK = re.compile(r"^\s*\d{1,3}[.)]\s+", re.MULTILINE)

Accepted = Sequence[tuple[float, float]]  # values and how far off each may be


def spelled(spelling: str) -> str:
    """A pattern for `spelling` as a whole word in folded text; Chinese has no word borders."""
    text = re.escape(folded(spelling).strip())
    if not re.search(r"[a-z0-9]", text):
        return text
    return rf"(?<![a-z0-9_'’]){text}(?![a-z0-9_])"


def prepared(answer: str) -> str:
    """The answer folded, the numbers of list items taken off."""
    return LIST_MARK.sub("", folded(answer))


def places_of(text: str, labels: Mapping[str, Sequence[str]]) -> list[tuple[int, int, str]]:
    """(start, end, label) of every spelling in prepared `text`; the longest one wins a place."""
    spellings = sorted(
        ((spelling, label) for label, all_of in labels.items() for spelling in all_of),
        key=lambda pair: -len(pair[0]),
    )
    taken: list[tuple[int, int, str]] = []
    for spelling, label in spellings:
        for match in re.finditer(spelled(spelling), text):
            start, end = match.span()
            if all(end <= a or start >= b for a, b, _ in taken):
                taken.append((start, end, label))
    return sorted(taken)


def stretches(answer: str, labels: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """By label, what the answer says after each mention of it, up to the next label."""
    text = prepared(answer)
    found: dict[str, list[str]] = {label: [] for label in labels}
    places = places_of(text, labels)
    ends = [*(start for start, _, _ in places[1:]), len(text)]
    for (_, start, label), end in zip(places, ends, strict=False):
        found[label].append(text[start:end])
    return found


def is_stuffed(answer: str) -> bool:
    return distinct([f.value for f in numbers_in(folded(answer))]) > MOST_NUMBERS


def require_answer(case: Case) -> None:
    """There is an answer, and it is no list of guesses; what is judged later needs it."""
    case.demand(
        "an answer",
        case.answer.strip() and not is_stuffed(case.answer),
        "an answer",
        case.answer[:60],
        "",
        "There is no answer that could be judged.",
    )


def is_accepted(value: float, accepted: Accepted) -> bool:
    return any(abs(value - wanted) <= off + 1e-9 * abs(wanted) for wanted, off in accepted)


def expect_said(case: Case, name: str, offered: Sequence[float], accepted: Accepted) -> bool:
    """One of the few figures `offered` for a label is right."""
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
    elif not any(is_accepted(value, accepted) for value in offered):
        said = ", ".join(f"{value:.10g}" for value in offered[:4])
        fault = f"The answer says {said} for {name}, expected {wanted}."
    actual = ", ".join(f"{value:.10g}" for value in offered[:6]) or "nothing"
    return case.expect(f"answer: {name}", not fault, wanted, actual, "", fault)


def expect_label(case: Case, name: str, said: Sequence[str], accepted: Accepted) -> bool:
    """The first number after one of the mentions `said` of a label is right."""
    firsts = [found[0].value for text in said if (found := numbers_in(text))]
    return expect_said(case, name, firsts, accepted)


def figures_by_word(said: str, words: Mapping[str, Sequence[str]], answer: str) -> dict[str, float]:
    """The number that stands after each of `words` in a stretch.

    In a row of a table there are only numbers: then they go with the words in the order in which
    the answer, in the table's head, first names them.
    """
    found = {
        word: numbers[0].value
        for word, texts in stretches(said, words).items()
        for text in texts[:1]
        if (numbers := numbers_in(text))
    }
    if len(found) == len(words):
        return found
    numbers = numbers_in(said)
    places = places_of(prepared(answer), words)
    order = list(dict.fromkeys([*(word for _, _, word in places), *words]))
    return {word: n.value for word, n in zip(order, numbers, strict=False)}


def expect_settled(
    case: Case,
    name: str,
    expected: Sequence[str],
    rivals: Sequence[str],
    most_rivals: int = 2,
) -> bool:
    """The answer names `expected` (any spelling, as a whole word) before any of its `rivals`.

    At most `most_rivals` of them may follow, as in a ranking.
    """
    labels = {"": expected, **{rival: [rival] for rival in rivals if rival not in expected}}
    order = list(dict.fromkeys(label for _, _, label in places_of(prepared(case.answer), labels)))
    fault = ""
    if not case.answer.strip():
        fault = "There is no final answer."
    elif "" not in order:
        fault = f"The answer does not name {expected[0]}."
    elif order[0]:
        fault = f"The answer names {order[0]} before {expected[0]}."
    elif len(order) - 1 > most_rivals:
        fault = f"The answer names {expected[0]} and {len(order) - 1} others: that is no answer."
    return case.expect(
        f"answer: {name}", not fault, expected[0], shown(case.answer)[:200], "", fault
    )


def mentions(answer: str, spelling: str) -> bool:
    """Whether the answer holds `spelling` as a whole word, case and mark-up aside."""
    return bool(re.search(spelled(spelling), prepared(answer)))


def says_number(answer: str, value: float, tolerance: float) -> bool:
    """Whether the answer holds the number `value` anywhere, give or take `tolerance`."""
    return any(abs(f.value - value) <= tolerance for f in numbers_in(folded(answer)))


def counted(answer: str, units: Sequence[str], leads: Sequence[str] = ()) -> list[float]:
    """The numbers that stand right before one of `units` ("142 films") or soon after a lead."""
    text = prepared(answer)
    found = numbers_in(text)
    before = "|".join(spelled(unit) for unit in units)
    offered = [
        f.value
        for f in found
        if re.match(rf"\s*(?:[a-z]+\s+){{0,3}}?(?:{before})", text[f.end : f.end + 60])
    ]
    for lead in leads:
        for match in re.finditer(spelled(lead), text):
            after = [f for f in found if 0 <= f.start - match.end() <= 20]
            offered += [after[0].value] if after else []
    return offered


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


def or_any(case: Case, offered: Sequence[float]) -> list[float]:
    """`offered`, or without any the few numbers of the answer that the query does not hold."""
    if offered:
        return list(offered)
    asked = {f.value for f in numbers_in(folded(case.query))}
    found = [f.value for f in numbers_in(prepared(case.answer)) if f.value not in asked]
    return found if distinct(found) <= MOST_GUESSES else []
