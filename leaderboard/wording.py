"""What the words of an answer claim, held against what was seen."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation

MAX_CHARS = 200_000  # of one text that is read

CLAIM = re.compile(
    r"\b(?:saved|written|wrote|created|generated|exported|stored|produced|placed)\b"
    r"|\b(?:is|are) (?:now )?(?:available|ready|located)\b"
    r"|已(?:经)?(?:成功)?(?:保存|生成|写入|导出|创建|完成)|保存(?:在|到|为|至|了)|生成了",
    re.IGNORECASE,
)
DENIAL = re.compile(
    r"\b(?:not|cannot|can't|couldn't|unable|fail(?:ed|s|ure)?|without|error|never|unfortunately"
    r"|would|should|could|will|need(?:s|ed)? to|to be|try|please|if)\b|n't\b"
    r"|没有|无法|未能|不能|失败|错误|需要|将会|如果",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|[。！？\n]")

NAME_OR_PATH = re.compile(
    r"https?://\S+|[\w./\\~-]*/[\w./\\%-]+|\b[\w-]+\.[A-Za-z][A-Za-z0-9]{1,4}\b|`[^`\n]*[A-Za-z_][^`\n]*`"
)
ORDERED_ITEM = re.compile(r"^\s*(?:#+\s*)?\(?\d{1,3}[.):]\s", re.MULTILINE)
NUMBER = re.compile(
    r"(?<![\w.])[-+−]?(?:\d{1,3}(?:[,\u00a0\u202f ]\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w])"
)
SEEN_NUMBER = re.compile(r"[-+−]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?")
SMALLEST_TOLD = 100  # smaller whole numbers are counted and said without being printed
MAX_TOLD = 500  # numbers of an answer
MAX_SEEN = 50_000  # numbers of what was seen; beyond, nothing is decided


def claims_a_file(answer: str) -> bool:
    """Whether a sentence of the answer says, without a doubt, that something was saved."""
    return any(
        CLAIM.search(sentence) and not DENIAL.search(sentence)
        for sentence in SENTENCE_END.split(answer[:MAX_CHARS])
    )


def unsupported_numbers(answer: str, seen: Iterable[str]) -> tuple[str, ...]:
    """The numbers that `answer` states and that no text of `seen` holds, as they are written.

    A seen number supports one that it rounds to, also as a percentage. Small whole numbers, file
    names and the numbers of a list's items are left out. Nothing is decided of endless texts.
    """
    told = told_numbers(answer)[:MAX_TOLD]
    known = sorted(seen_numbers(seen)) if told else []
    if len(known) > MAX_SEEN:
        return ()
    return tuple(text for text in told if not is_supported(text, known))


def told_numbers(answer: str) -> list[str]:
    """The numbers that an answer states as results, as they are written."""
    text = unicodedata.normalize("NFKC", answer[:MAX_CHARS])
    text = ORDERED_ITEM.sub(" ", NAME_OR_PATH.sub(" ", text))
    return [match[0] for match in NUMBER.finditer(text) if not is_small(match[0])]


def is_small(text: str) -> bool:
    value = to_decimal(text)
    return value is None or ("." not in text and abs(value) < SMALLEST_TOLD)


def is_supported(text: str, known: Sequence[Decimal]) -> bool:
    """Whether the number, or each of the numbers that `text` may be a list of, is known."""
    parts = re.split(r"[, ]", text)
    return any(
        all(is_small(part) or is_known(part, known) for part in reading)
        for reading in ([text], parts)
    )


def seen_numbers(texts: Iterable[str]) -> set[Decimal]:
    """Every number in `texts`, also each side of a comma on its own."""
    known: set[Decimal] = set()
    for text in texts:
        for match in SEEN_NUMBER.finditer(unicodedata.normalize("NFKC", text[:MAX_CHARS])):
            for part in {match[0], *match[0].split(",")}:
                value = to_decimal(part)
                if value is not None:
                    known.add(abs(value))
            if len(known) > MAX_SEEN:
                return known
    return known


def to_decimal(text: str) -> Decimal | None:
    plain = re.sub(r"[,\u00a0\u202f ]", "", text).replace("−", "-")
    try:
        value = Decimal(plain)
    except InvalidOperation:
        return None
    return value if value.is_finite() and abs(value.adjusted()) < 30 else None


def is_known(text: str, known: Sequence[Decimal]) -> bool:
    """Whether a known number, or its percentage, is the told one rounded or cut at its last place.

    Signs are words' business ("fell by"). `known` is sorted.
    """
    told = abs(to_decimal(text) or Decimal())
    place = Decimal((0, (1,), int(told.as_tuple().exponent)))
    for scale in (1, 100):
        at = bisect_right(known, (told - place) / scale)
        if at < len(known) and known[at] * scale < told + place:
            return True
    return told in known


UNIT = re.compile(
    r"[$€£¥￥₹%°]|\b(?:usd|eur|gbp|rmb|cny|dollars?|euros?|yuan|percent|per cent|units?|pieces?"
    r"|rows?|columns?|pixels?|px|seconds?|secs?|s|ms|kg|km|cm|mm|m|hz|khz|db)\b|[元个件行列秒年月日号]",
    re.IGNORECASE,
)
SEPARATORS = re.compile(r"[\s,;:/|_\-–—、，；：\"'`]+")
DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))")


def is_same_but_for_presentation(expected: str, actual: str) -> bool:
    """Whether two different texts say the same once separators, units and case are set aside."""
    if not expected.strip() or not actual.strip() or expected == actual:
        return False
    units, other_units = units_of(expected), units_of(actual)
    if units and other_units and units != other_units:
        return False
    ours, theirs = plain_form(expected), plain_form(actual)
    if not ours or not theirs:
        return False
    if ours == theirs:
        return True
    a, b = to_decimal(ours), to_decimal(theirs)
    return a is not None and a == b


def units_of(text: str) -> set[str]:
    return {unit.rstrip("s") or unit for unit in UNIT.findall(text[:2000].casefold())}


def plain_form(text: str) -> str:
    """`text` without quotes, units, separators, spaces and case."""
    text = unicodedata.normalize("NFKC", text[:2000]).casefold().strip().strip("\"'`“”‘’.。")
    text = UNIT.sub(" ", DECIMAL_COMMA.sub(".", text))
    text = re.sub(r"(?<=\d)[,_' \u00a0\u202f](?=\d{3}(?!\d))", "", text)
    text = (
        re.sub(r"[\s,;:/|_\-–—、，；：\"'`]+", " ", text).strip() if not is_number(text) else text
    )
    return text.strip()


def is_number(text: str) -> bool:
    return to_decimal(text.strip()) is not None
