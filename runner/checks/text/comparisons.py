"""Who is said to be ahead of whom, and of what a figure is given: prose that says the reverse of
the source.

    comparisons.reversal(answer, ours=r"wizardmath", beaten=r"open[- ]source|llama")
    comparisons.expect_said_of(case, [28], others=comparisons.LEAST, asked=comparisons.MOST)

A comparison is read where one side is named before its verb and the other one after it, in
English or Chinese, active or passive. What names neither side is not judged.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from runner.checks.case import Case, shown
from runner.checks.text import reading

SENTENCE = re.compile(r"[。！？!?；;\n]+|(?<=[a-z\d)\"'”])\.(?=\s|$)")
AHEAD = (
    r"surpass(?:es|ed)?|outperform(?:s|ed)?|beats?|exceed(?:s|ed)?|outdo(?:es)?|outdid|"
    r"outscor(?:es?|ed)|outclass(?:es|ed)?|overtak(?:es?)|overtook|defeat(?:s|ed)?|eclips(?:es?|ed)"
)
DONE_BY = (
    r"surpassed|outperformed|beaten|exceeded|outdone|outscored|outclassed|overtaken|defeated|"
    r"eclipsed|bettered"
)
CHINESE_AHEAD = "超过|超越|优于|胜过|强于|好于|击败|领先于?|胜于|赶超"
VERB = re.compile(
    rf"被(?P<by>[^,;。]{{1,24}}?)(?:所)?(?:{CHINESE_AHEAD})"
    rf"|(?P<passive>\b(?:{DONE_BY}) by\b)"
    r"|(?P<less>\b(?:(?:lag|fall|trail|stay|remain|is|are|rank)\w*(?: far| well)? behind|trails|"
    r"falls? short of|loses? to|lost to|underperform(?:s|ed)?|"
    r"(?:worse|weaker|poorer|less (?:accurate|capable|helpful|safe)) than|inferior to)\b"
    r"|不如|逊于|劣于|落后于|弱于|输给|不及)"
    rf"|(?P<ahead>\b(?:{AHEAD})\b|\b(?:better|stronger) than\b|\bsuperior to\b|\bahead of\b"
    rf"|{CHINESE_AHEAD})"
)
CLAUSE = re.compile(r",\s|[;()]")
STOP = re.compile(r"\b(?:but|while|whereas|although|though|yet|however)\b|但|而|却|[,，:：]")
NOT = re.compile(
    r"(?:\b(?:not|never|cannot|no longer|fails? to|failed to|unable to)\b(?! (?:only|just|merely))"
    r"|n['’]t\b|不(?![仅但只断同过])|未(?!来)|没有|没能|无法)[^,，]{0,12}$"
)
MOST = r"\b(?:most|highest|largest|biggest|greatest|commonest|top|maximum)\b|最[多高大常热受]|第一"
LEAST = (
    r"\b(?:fewest|least|lowest|smallest|rarest|worst|minimum|bottom|last place)\b"
    r"|最[少低小差冷不]|倒数|末位|垫底|排在?最后"
)
IT = r"\bit\b|该模型|它(?!们)"
THEY = r"\bthey\b|\bthem\b|\bthe models?\b|它们"


def folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower().replace("*", "").replace("’", "'")


def reversal(text: str, ours: str, beaten: str, denials: Sequence[str] = ()) -> str:
    """The words by which a text puts one of `beaten` before what is `ours`, "" without any.

    `ours` and `beaten` are patterns of names in lower case; each of `denials` is a pattern of what
    is never said of it.
    """
    names = re.compile(rf"(?P<beaten>{beaten})|(?P<ours>{ours})|(?P<it>{IT})|(?P<they>{THEY})")
    for sentence in SENTENCE.split(folded(text)):
        places = [(m.start(), m.end(), str(m.lastgroup)) for m in names.finditer(sentence)]
        for verb in VERB.finditer(sentence):
            if is_reversed(sentence, verb, places, names):
                return sentence[max(0, verb.start() - 40) : verb.end() + 40].strip()
        for denial in denials:
            for match in re.finditer(denial, sentence):
                if left_of(places, match.start())[1] in ("ours", "it"):
                    return match[0]
    return ""


def is_reversed(
    sentence: str,
    verb: re.Match[str],
    places: Sequence[tuple[int, int, str]],
    names: re.Pattern[str],
) -> bool:
    """True if the comparison at `verb` makes ours the lesser one of the two."""
    end, left = left_of(places, verb.start())
    if verb["by"]:
        by = names.search(verb["by"])
        return left in ("ours", "it", "they") and by is not None and by.lastgroup == "beaten"
    stop = STOP.search(sentence, verb.end())
    following = VERB.search(sentence, verb.end())
    limit = min(m.start() for m in (stop, following) if m) if stop or following else len(sentence)
    right = next((kind for start, _, kind in places if verb.end() <= start < limit), "")
    is_denied = NOT.search(sentence[end : verb.start()]) is not None
    if verb["ahead"] and not is_denied:
        return left == "beaten" and right in ("ours", "it")
    is_lesser = bool(verb["ahead"]) == is_denied
    return is_lesser and left in ("ours", "it", "they") and right == "beaten"


def left_of(places: Sequence[tuple[int, int, str]], start: int) -> tuple[int, str]:
    """End and kind of the last name before `start`; 0 and "" without any."""
    before = [(end, kind) for _, end, kind in places if end <= start]
    return before[-1] if before else (0, "")


def expect_not_reversed(case: Case, ours: str, beaten: str, denials: Sequence[str] = ()) -> None:
    """The answer puts none of `beaten` before what is `ours` (see `reversal`)."""
    found = reversal(case.answer, ours, beaten, denials)
    case.expect(
        "answer: results the right way round",
        not found,
        "as the document has them",
        shown(found) if found else "so",
        message=f"The answer says the reverse of the document (“{found}”).",
    )


def expect_said_of(case: Case, right: Sequence[str | float], others: str, asked: str) -> bool:
    """The answer does not give `right` values, names or numbers, as those of `others` alone.

    `others` and `asked` are patterns in lower case, of which the nearest to a value counts, also in
    a heading above it.
    """
    marks = re.compile(f"(?P<others>{others})|(?P<asked>{asked})")
    kinds = {kind_of(marks, *parts) for parts in said_around(case.answer, right)}
    is_other = "others" in kinds and "asked" not in kinds
    return case.expect(
        "answer: given for what was asked",
        not is_other,
        "of what was asked",
        "of something else" if is_other else "so",
        message="The answer gives what is right as that of something else.",
    )


def expect_not_called(
    case: Case, name: str, others: Sequence[str], called: str, unless: str
) -> bool:
    """The answer does not call `name` what the pattern `called` says ("Tea is the rarest").

    Read within a clause, in which neither another name nor what the pattern `unless` says stands
    between the two.
    """
    own, *rest = (re.escape(reading.folded(one)) for one in (name, *others))
    own += r"(?!\s?[,/&+-]\s?[^\W\d])"  # of several names together
    stops = r"\b(?:and|but|while|whereas|than|with)\b|[和而但比与|,;:!?。\n]|\.\s"
    between = rf"(?:\([^()]*\)|(?!{'|'.join([stops, unless, *rest])}).){{0,60}}?"
    pattern = rf"(?:{called}){between}{own}|{own}{between}(?:{called})"
    found = re.search(pattern, reading.folded(case.answer))
    return case.expect(
        f"answer: what is said of {name}",
        not found,
        "not the reverse",
        shown(found[0]) if found else "so",
        message=f"The answer says the reverse of the data (“{found[0] if found else ''}”).",
    )


def said_around(answer: str, right: Sequence[str | float]) -> list[tuple[str, str, str]]:
    """Of each place of a right value: its sentence before it and after it, and a heading above."""
    found, heading = [], ""
    for sentence in SENTENCE.split(reading.folded(answer)):
        spans = [
            (f.start, f.end)
            for f in reading.numbers_in(sentence)
            if any(isinstance(v, int | float) and abs(f.value - v) < 0.005 for v in right)
        ]
        for one in right:
            if isinstance(one, str):
                spans += [m.span() for m in re.finditer(re.escape(reading.folded(one)), sentence)]
        found += [(sentence[:start], sentence[end:], heading) for start, end in spans]
        if sentence.rstrip().endswith(":") or sentence.lstrip().startswith("#"):
            heading = sentence
    return found


def kind_of(marks: re.Pattern[str], before: str, after: str, heading: str) -> str:
    """Of what a value is said, by the group of `marks` that is nearest to it; "" by none.

    Its own clause goes before the rest of its sentence, and what stands before it first.
    """
    clause = CLAUSE.split(before)[-1], CLAUSE.split(after)[0]
    for text, place in ((clause[0], -1), (clause[1], 0), (before, -1), (after, 0), (heading, -1)):
        kinds = [str(match.lastgroup) for match in marks.finditer(text)]
        if kinds:
            return kinds[place]
    return ""
