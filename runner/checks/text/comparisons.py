"""Who is said to be ahead of whom: prose that says the reverse of the source.

    comparisons.reversal(answer, ours=r"wizardmath", beaten=r"open[- ]source|llama")

A comparison is read where one side is named before its verb and the other one after it, in
English or Chinese, active or passive. What names neither side is not judged.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from runner.checks.case import Case, shown

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
STOP = re.compile(r"\b(?:but|while|whereas|although|though|yet|however)\b|但|而|却|[,，:：]")
NOT = re.compile(
    r"(?:\b(?:not|never|cannot|no longer|fails? to|failed to|unable to)\b(?! (?:only|just|merely))"
    r"|n['’]t\b|不(?![仅但只断同过])|未(?!来)|没有|没能|无法)[^,，]{0,12}$"
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
