"""Finding an answer's conclusion: what it says after "so", "the answer is", 因此, 答案.

    conclusions.concluded(text)        the words after the last mark of a conclusion, or ""

An answer may count and weigh before it concludes: "Estania 52, Norland 20 …, so the answer is 20".
Readers look at the whole answer first, and at its conclusion where that settles on nothing.
"""

from __future__ import annotations

import re

MOST_CHARS = 160  # from the mark to the end of the answer: what is longer goes on weighing
KIND = r"answer|result|conclusion|verdict|choice|pick|total|sum|type|value"
SAID = (  # strong: an answer has one of these
    rf"\b(?:the |my )?(?:final |exact |short |correct |overall )?(?:{KIND})\s?(?:is|=|:|-+>)"
    r"|(?:最终)?(?:答案|结论|结果)(?:就)?[是为:]"
)
DRAWN = (  # weak: one may stand in an argument as well
    r"(?:^|[,.;:(\n]\s?)(?:and )?"
    r"(?:so|therefore|thus|hence|consequently|in (?:short|total|conclusion))\b"
    r"|(?:因此|所以|综上|总之|于是|可见|故(?!事|障|意|宫|乡|居))"
)
MARK = re.compile(rf"(?P<said>{SAID})|(?P<drawn>{DRAWN})")
GUESSES = re.compile(r"\b(?:or|maybe|perhaps|possibly|could|might|either)\b|或|可能|也许|还是|大概")


def concluded(text: str) -> str:
    """The part of a folded `text` that concludes it, "" without one.

    None where two answers are stated, or where a guess follows.
    """
    marks = list(MARK.finditer(text))
    said = [mark for mark in marks if mark["said"]]
    if not marks or len(said) > 1:
        return ""
    last = said[0] if said else marks[-1]
    end = text[last.end() :]
    return "" if len(end.strip()) > MOST_CHARS or GUESSES.search(end) else end.strip()
