"""The reference's final answer in other forms, and changed: no play is needed for these."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

NUMBER = re.compile(  # by itself, no part of a formula, a date or a name
    r"(?<![\w.,/:«*^+-])(?<![\w)] [-+*/^] )(?<![+*^(])-?\d+(?:,\d{3})*(?:\.\d+)?"
    r"(?![\w«*^/+]|[.,:-]\d| [-+*/] [\w(])"
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])\s*(?=\S)")
FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
Rewrite = Callable[[str], str]
Change = Callable[[str, str], str]  # of an answer to a query, whose own numbers stay


def as_markdown(answer: str) -> str:
    """A heading, a bullet for each sentence, bold numbers."""
    bold = NUMBER.sub(lambda m: f"**{m[0]}**", answer)
    bullets = "\n".join(f"- {one}" for one in SENTENCE_END.split(bold) if one)
    return f"## Result\n\n{bullets}"


def as_formula(answer: str) -> str:
    r"""Numbers as inline LaTeX, such as \(42\)."""
    return NUMBER.sub(lambda m: rf"\({m[0]}\)", answer)


def in_full_width(answer: str) -> str:
    return NUMBER.sub(lambda m: m[0].translate(FULL_WIDTH), answer)


def with_preface(answer: str) -> str:
    """Said before and after the answer: what an agent did, and an offer."""
    return (
        "I loaded the data, checked it, and ran the code above.\n\n"
        f"{answer}\n\nLet me know if you would like anything else."
    )


STYLES: Mapping[str, Rewrite] = {
    "answer-as-markdown": as_markdown,
    "answer-with-preface": with_preface,
    "answer-as-formula": as_formula,
}
CHINESE_STYLES: Mapping[str, Rewrite] = {"answer-in-full-width": in_full_width}


def value_of(number: str) -> float:
    return float(number.replace(",", ""))


def written(value: float, like: str) -> str:
    decimals = len(like.partition(".")[2])
    return f"{value:.{decimals}f}"


def asked(query: str) -> set[float]:
    """The numbers that a query itself gives: changing them makes no result wrong."""
    return {value_of(m) for m in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", query)}


def results(answer: str, query: str) -> list[re.Match[str]]:
    """The numbers of an answer that its query does not give."""
    known = asked(query)
    return [m for m in NUMBER.finditer(answer) if abs(value_of(m[0])) not in known]


def scaled(answer: str, query: str = "") -> str:
    """Every result ten times as large."""
    for match in reversed(results(answer, query)):
        ten = written(10 * value_of(match[0]), match[0])
        answer = answer[: match.start()] + ten + answer[match.end() :]
    return answer


def exchanged(answer: str, query: str = "") -> str:
    """The first two results that differ, exchanged."""
    found = results(answer, query)
    if not found:
        return answer
    other = next((m for m in found[1:] if m[0] != found[0][0]), None)
    if other is None:
        return answer
    one = found[0]
    return "".join(
        (
            answer[: one.start()],
            other[0],
            answer[one.end() : other.start()],
            one[0],
            answer[other.end() :],
        )
    )


def cut(answer: str, query: str = "") -> str:
    """Without the sentence that is longest."""
    parts = [part for part in SENTENCE_END.split(answer) if part]
    if len(parts) < 2:
        return answer
    parts.remove(max(parts, key=len))
    return " ".join(parts)


MUTANTS: Mapping[str, Change] = {
    "scale-by-10": scaled,
    "swap-labels": exchanged,
    "drop-row": cut,
}
