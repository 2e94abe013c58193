"""Claims in an answer's words, compared with what was seen."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation

MAX_ANSWER_CHARS = 20_000  # of an answer that is read
MAX_SEEN_CHARS = 250_000  # of all that was seen; beyond, nothing is decided

# Who says that a file was saved: the answer's author, or the words about a file. What others wrote
# ("two servers wrote to the file") and what came about otherwise ("created by", "written in 1851")
# is no claim.
SAVED = "saved|written|created|generated|exported|stored|produced|placed"
ADVERBS = "(?: (?:also|now|then|just|all|both|successfully)){0,2}"
CLAIM = re.compile(
    rf"\b(?:I|we)(?:['’]ve| have)?{ADVERBS} (?:{SAVED}|wrote)\b"
    rf"|\b(?:(?:has|have) been|is|are){ADVERBS} (?:saved|exported)\b(?! by\b)"
    r"|\b(?:is|are|it)(?: now)? (?:in|at|under) [`'\"]?(?:\./)?output/"
    r"|已(?:经)?(?:成功)?(?:保存|生成|写入|导出|创建|完成)|保存(?:在|到|为|至|了)|生成了",
    re.IGNORECASE,
)
CLAIM_OF_FILE = re.compile(
    rf"\b(?:(?:has|have) been|was|were|is|are){ADVERBS} (?:{SAVED})\b(?! by\b| (?:at|on|in) \d)"
    rf"|^\W{{0,9}}(?:successfully )?(?:{SAVED}|wrote)\b(?! by\b| (?:at|on|in) \d)"
    rf"|\b(?:{SAVED})(?: successfully)? (?:to|as|under|into|in|at)\b(?! \d)"
    r"|\b(?:is|are)(?: now)? (?:available|ready|located)\b(?![^\n]{0,40}\bdata\b)",
    re.IGNORECASE,
)
FILE = re.compile(
    r"\b(?:file|output|chart|plot|figure|graph|image|picture|table|spreadsheet|workbook|document"
    r"|report|result|page|module|script)s?\b|\bsummary\b|\./|\w\.[a-z][a-z0-9]{1,4}\b",
    re.IGNORECASE,
)
DENIAL = re.compile(
    r"\b(?:not|cannot|can't|couldn't|unable|fail(?:ed|s|ure)?|without|error|never|unfortunately"
    r"|no|none|nothing|unknown"
    r"|would|should|could|will|need(?:s|ed)? to|to be|try|please|if)\b|n't\b"
    r"|没有|无法|未能|不能|失败|错误|需要|将会|如果",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|[。！？\n]")

# Each alternative begins where such a word begins, and gives nothing back: linear.
NAME_OR_PATH = re.compile(
    r"https?://\S++|(?<![\w./\\~-])[\w./\\~-]*/[\w./\\%-]++"
    r"|(?<![\w-])(?:[\w-]++\.[A-Za-z][A-Za-z0-9]{1,4}\b)++|`[^`\nA-Za-z_]*+[A-Za-z_][^`\n]*+`"
)
ORDERED_ITEM = re.compile(r"^[^\S\n]*+(?:#++[^\S\n]*+)?\(?\d{1,3}[.):]\s", re.MULTILINE)
NUMBER = re.compile(
    r"(?<![\w.])[-+−]?(?:\d{1,3}(?:[,\u00a0\u202f ]\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w])"
)
SEEN_NUMBER = re.compile(r"[-+−]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?")
PLAIN = str.maketrans({",": None, "\u00a0": None, "\u202f": None, " ": None, "−": "-"})
SMALLEST_TOLD = 100  # smaller whole numbers are counted and said without being printed
MAX_TOLD = 500  # numbers of an answer
MAX_SEEN = 50_000  # numbers of what was seen; beyond, nothing is decided
MAX_NUMBER_CHARS = 400  # of one number; what is longer is data
NORMALISED_CHARS = 256  # at once: the time that a run of accents takes grows with its square


def claims_a_file(answer: str, there: Iterable[str], missing: Iterable[str]) -> bool:
    """True if a sentence of the answer says, without a doubt, that a missing file was saved.

    A sentence that names files that are `there` and none that is `missing` is about the former.
    """
    saved, absent = ({path.rpartition("/")[2] for path in paths} for paths in (there, missing))
    return any(
        is_claim(sentence)
        and not DENIAL.search(sentence)
        and not (saved & (words := names_in(sentence)) and not absent & words)
        for sentence in SENTENCE_END.split(answer[:MAX_ANSWER_CHARS])
    )


def is_claim(sentence: str) -> bool:
    """True if a sentence says that its author saved a file."""
    if CLAIM.search(sentence):
        return True
    return bool(CLAIM_OF_FILE.search(sentence) and FILE.search(sentence))


def names_in(sentence: str) -> set[str]:
    """The words of a sentence without their marks, of a path its last part."""
    return {word.strip("`'\"*()[],;:.!?").rpartition("/")[2] for word in sentence.split()}


def states_a_value(answer: str, expected: str) -> bool:
    """True if an answer gives something of the kind that was expected: a number for a number."""
    if NUMBER.search(normalised(expected[:MAX_VALUE_CHARS])):
        return NUMBER.search(normalised(answer[:MAX_ANSWER_CHARS])) is not None
    return not DENIAL.search(answer[:MAX_ANSWER_CHARS])


def unsupported_numbers(answer: str, seen: Iterable[str]) -> tuple[str, ...]:
    """The numbers that `answer` states and that no text of `seen` holds, as they are written.

    A seen number supports one that it rounds to, also as a percentage. Small whole numbers, file
    names and the numbers of a list's items are left out. Nothing is decided of endless texts.
    """
    told = told_numbers(answer)[:MAX_TOLD]
    texts = list(seen) if told else []
    if sum(map(len, texts)) > MAX_SEEN_CHARS:
        return ()
    known = sorted(seen_numbers(texts))
    if len(known) > MAX_SEEN:
        return ()
    return tuple(text for text in told if not is_supported(text, known))


def told_numbers(answer: str) -> list[str]:
    """The numbers that an answer states as results, as they are written."""
    text = normalised(answer[:MAX_ANSWER_CHARS])[:MAX_ANSWER_CHARS]
    text = ORDERED_ITEM.sub(" ", NAME_OR_PATH.sub(" ", text))
    numbers = (match[0] for match in NUMBER.finditer(text) if len(match[0]) <= MAX_NUMBER_CHARS)
    return [number for number in numbers if not is_small(number)]


def normalised(text: str) -> str:
    """`text` with the plain form of each wide digit, letter and space (NFKC)."""
    if text.isascii():
        return text
    starts = range(0, len(text), NORMALISED_CHARS)
    pieces = (text[start : start + NORMALISED_CHARS] for start in starts)
    return "".join(unicodedata.normalize("NFKC", piece) for piece in pieces)


def is_small(text: str) -> bool:
    value = to_decimal(text)
    return value is None or ("." not in text and abs(value) < SMALLEST_TOLD)


def is_supported(text: str, known: Sequence[Decimal]) -> bool:
    """True if the number, or each number of the list that `text` can be read as, is known."""
    parts = text.replace(",", " ").split(" ")
    return any(
        all(is_small(part) or is_known(part, known) for part in reading)
        for reading in ([text], parts)
    )


def seen_numbers(texts: Iterable[str]) -> set[Decimal]:
    """Every number in `texts`, also each side of a comma on its own."""
    written: set[str] = set()
    for text in texts:
        for match in SEEN_NUMBER.finditer(normalised(text)[:MAX_SEEN_CHARS]):
            written.add(match[0])
            if "," in match[0]:
                written.update(match[0].split(","))
        if len(written) > 2 * MAX_SEEN:
            break
    plain = {number.lstrip("+-−").replace(",", "") for number in written}
    values = (to_decimal(number) for number in plain if len(number) <= MAX_NUMBER_CHARS)
    return {value for value in values if value is not None}


def to_decimal(text: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        try:
            value = Decimal(text.translate(PLAIN))
        except InvalidOperation:
            return None
    return value if value.is_finite() and abs(value.adjusted()) < 30 else None


def is_known(text: str, known: Sequence[Decimal]) -> bool:
    """True if a known number, or its percentage, is the given one rounded or cut at its last place.

    Signs are words' business ("fell by"). `known` is sorted.
    """
    told = abs(to_decimal(text) or Decimal())
    place = Decimal((0, (1,), int(told.as_tuple().exponent)))
    for scale in (1, 100):
        at = bisect_right(known, (told - place) / scale)
        if at < len(known) and known[at] * scale < told + place:
            return True
    at = bisect_left(known, told)
    return at < len(known) and known[at] == told


UNIT = re.compile(
    r"[$€£¥￥₹%°]|(?<![^\W\d])(?:usd|eur|gbp|rmb|cny|dollars?|euros?|yuan|percent|per cent"
    r"|units?|pieces?|rows?|columns?|pixels?|px|seconds?|secs?|s|ms|kg|km|cm|mm|m|hz|khz|db)\b|[元个件行列秒年月日号]",
    re.IGNORECASE,
)
MAX_VALUE_CHARS = 2_000  # of a value that is compared
SEPARATORS = re.compile(r"[\s,;:/|_\-–—、，；：\"'`]+")
THOUSANDS = re.compile(r"(?<=\d)[,_' \u00a0\u202f](?=\d{3}(?!\d))")
POINTS_OF_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3})++,\d{1,2}(?![\d.,])")
DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))")


def is_same_but_for_presentation(expected: str, actual: str) -> bool:
    """True if two different texts say the same once separators, units and case are set aside."""
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
    return {unit.rstrip("s") or unit for unit in UNIT.findall(text[:MAX_VALUE_CHARS].casefold())}


def plain_form(text: str) -> str:
    """`text` without quotes, units, separators, spaces and case."""
    text = (
        normalised(text[:MAX_VALUE_CHARS])[:MAX_VALUE_CHARS].casefold().strip().strip("\"'`“”‘’.。")
    )
    text = POINTS_OF_THOUSANDS.sub(lambda number: number[0].replace(".", ""), text)
    text = UNIT.sub(" ", DECIMAL_COMMA.sub(".", text))
    text = THOUSANDS.sub("", text)
    return text.strip() if is_number(text) else SEPARATORS.sub(" ", text).strip()


def is_number(text: str) -> bool:
    return to_decimal(text.strip()) is not None
