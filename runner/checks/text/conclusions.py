"""Finding an answer's conclusion: what it says after "so", "the answer is", 因此, 答案.

    conclusions.concluded(text)        the words after the last mark of a conclusion, or ""
    conclusions.emphasised(answer)     the words in bold

An answer may count and weigh before it concludes: "Estania 52, Norland 20 …, so the answer is 20".
Readers look at the whole answer first, and at its conclusion where that settles on nothing.
"""

from __future__ import annotations

import re

MOST_READ = 20_000  # of an answer, for words in bold
MOST_CHARS = 160  # from the mark to the end of the answer: what is longer goes on weighing
KIND = r"answer|result|conclusion|verdict|choice|pick|total|sum|type|value"
SAID = (  # strong: an answer has one of these
    rf"\b(?:the |my )?(?:final |exact |short |correct |overall )?(?:{KIND})\s?(?:is|=|:|-+>)"
    r"|(?:最终)?(?:答案|结论|结果)(?:就)?[是为:]"
)
DRAWN = (  # weak: one may stand in an argument as well
    r"(?:^|[-,.;:(\n]\s?)(?:and )?"
    r"(?:so|therefore|thus|hence|consequently|in (?:short|total|conclusion))\b"
    r"|(?:因此|所以|综上|总之|于是|可见|故(?!事|障|意|宫|乡|居))"
)
MARK = re.compile(rf"(?P<said>{SAID})|(?P<drawn>{DRAWN})")
BOLD = re.compile(r"\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__|<b>([^<]{1,200})</b>")
LAST_ALONE = re.compile(  # a number as the last line, after a line that announces it
    r"[:=]\s*\n\s*([-+$¥€]?\d[\d.,]{0,30}\s?[a-z%元部个人次秒]{0,8})\s*$"
)
FIRST_ALONE = re.compile(  # or as the first, before the working
    r"\W*([-+$¥€]?\d[\d.,]{0,30}\s?[a-z%元部个人次秒]{0,8})[\s.。]*\n(?!\W*\d[\d.,]*\s*(?:\n|$))"
)
OTHERS = re.compile(  # anywhere in an answer: its number alone in a line is none
    r"\balternativ|\bor (?:else|maybe|perhaps|possibly)\b|\b(?:maybe|perhaps|possibly)\b"
    r"|也可能|或许|也许|要不然?"
)
GUESSES = re.compile(r"\b(?:or|maybe|perhaps|possibly|could|might|either)\b|或|可能|也许|还是|大概")


def concluded(text: str) -> str:
    """The part of a folded `text` that concludes it, such as a number alone in the last line.

    "" without one.

    None where two answers are stated, or where a guess follows.
    """
    alone = LAST_ALONE.search(text) or FIRST_ALONE.match(text)
    if alone and not OTHERS.search(text):
        return alone[1]
    marks = list(MARK.finditer(text))
    said = [mark for mark in marks if mark["said"]]
    if not marks or len(said) > 1:
        return ""
    last = said[0] if said else marks[-1]
    end = text[last.start() if said else last.end() :]
    return "" if len(end.strip()) > MOST_CHARS or GUESSES.search(end) else end.strip()


def emphasised(answer: str) -> list[str]:
    """The words of an answer that are set in bold, as they are written; none beside a guess."""
    if OTHERS.search(answer[:MOST_READ].lower()):
        return []
    return ["".join(part or "" for part in found) for found in BOLD.findall(answer[:MOST_READ])]
