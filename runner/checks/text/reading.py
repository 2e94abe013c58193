"""Reading what an answer says, in whatever form it is written: the base of all that judge answers.

`folded` evens out writing (mark-up, LaTeX, full-width forms), `numbers_in` finds numbers with
their units, `settled` takes the last value of a chain of = and ≈, `claim` gives the value, or the
candidates, that a text offers first, and `tables_told` rewrites tables as sentences.
"""

from __future__ import annotations

import itertools
import math
import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass

MOST_CHARS = 100_000  # of an answer that are read
CHAIN_CHARS = 300  # of arithmetic between a number and the = after it
NEAR_CHARS = 40  # between a label and its value, or a value and its rival

SCALES = {"": 1.0, "%": 1.0, "万": 1e4, "亿": 1e8, "万亿": 1e12}
FOUND = re.compile(
    r"(?<![A-Za-z0-9_.])(?P<sign>[-+]?)(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?P<power>[eE][-+]?\d{1,3}(?!\d))?\s?(?P<unit>万亿|[%万亿]?)"
)
INSIDE_WORD = re.compile(r"[A-Za-z_]")
DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{4}")
MINUTES = re.compile(r"(?<=\d):\d{2}(:\d{2})?(?!\d)")  # of a time: 14:00 says 14
DURATION = re.compile(
    r"(?<![\d.])(?P<hours>\d{1,3})\s*(?:个?小时|hours?|hrs?|h)\s*,?\s*(?:and\s+|零|又)?"
    r"(?P<minutes>[0-5]?\d)\s*(?P<unit>分钟?|min(?:ute)?s?\b|m\b)"
)
UNIT = re.compile(r"\s*(公斤|千克|百万|十亿|千|克|吨|[a-z]{1,9}\b)")

TEENS = [  # from ten
    *("ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
WORDED = re.compile(
    rf"(?<![a-z-])(?:(?P<ten>{'|'.join(TENS)})(?:[- ](?P<one>{'|'.join(ONES)}))?"
    rf"|(?P<teen>{'|'.join(TEENS)}))(?![a-z])"
)
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
VULGAR = {ord("½"): ".5", ord("¼"): ".25", ord("¾"): ".75"}  # 2½ is 2.5
RAISED = re.compile(r"(?<=10)[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}")
SCIENTIFIC = re.compile(
    r"(?<=\d)\s{0,2}[×x*·]\s{0,2}10\s{0,2}(?:\^|\*\*)\s{0,2}[{(]?([-+]?\d{1,3})(?!\d)[})]?"
)
UNDERSCORED = re.compile(r"(?<=\d)_(?=\d{3}(?:_\d{3})*(?![\d_a-zA-Z]))")
MODULUS = re.compile(  # what a value is taken by, no value itself: (mod 10^9 + 7), 模 1000000007
    r"(?:(?<![a-z])p?mod(?:ulo|ulus)?(?![a-z])|对?(?:取模|模数?)(?:于|为)?)[\s({:=]*"
    r"(\d[\d,.]*(?: \d{3})*(?:e\d{1,3})?"
    r"(?:\s?\^\s?[({]?\d{1,3}[)}]?)?(?:\s?[-+]\s?\d{1,9}(?![\d.,]\d))?)"
)

LATEX_TEXT = re.compile(
    r"\\(?:text|textbf|textit|mathrm|mathbf|mathit|boxed|operatorname|mbox|emph)\s*\{([^{}]*)\}"
)
LATEX_FRACTION = re.compile(
    r"\\[dt]?frac\s*(?:\{([^{}]*)\}|(?=\d\s*\d)(\d))\s*(?:\{([^{}]*)\}|(\d))"
)
LATEX_SIGNS = (
    (re.compile(r"\\int(?![a-z])"), "∫"),
    (re.compile(r"\\(?:approx|simeq|sim|doteq)(?![a-z])"), "≈"),
    (re.compile(r"\\(?:times|cdot)(?![a-z])"), "×"),
    (re.compile(r"\\(?:left|right|displaystyle|quad|qquad|limits)(?![a-z])"), " "),
    (re.compile(r"(?<=\d)(?:\\[,!;: ]|\{,\}|[\u00a0\u2009\u202f])(?=\d{3})"), ","),
    (re.compile(r"\\[,!;:]"), " "),
    (re.compile(r"\\\\"), "\n"),
    (re.compile(r"\\([%$&#_{}])"), r"\1"),
)
TAGS = re.compile(r"</?(?:b|strong|em|i|u|code|sub|sup|span|p|div|mark)\b[^<>]{0,80}>", re.I)
CHAIN = re.compile(
    r"(?:[\s\d.()\[\]+\-*/×÷^_{}|·…∫%°]|(?<=\d),(?=\d{3}))*"
    r"(?:(?:mod(?:ulo)?\b|d?[a-z](?![a-z]))(?:[\s\d.()\[\]+\-*/×÷^_{}|·…]|(?<=\d),(?=\d{3}))*)*"
)
SIGN = re.compile(
    r"(?:\s*(?:=|≈|≅|≒|≡|→|⇒|⟶|-{1,2}>|=>)|\s*,?\s*(?:即|也就是|约等于|i\.e\.|that is|which is))"
    r"\s*(?:约|about|approximately)?\s*[-+(\[{]*\s*(?:[a-z]\(\s*)?[\d.]"
)
RESTATING = re.compile(
    r"\s{0,2}(?:[a-z]{1,12}\s{0,2}){0,3}[元人次份个件米吨克美]{0,2}\s{0,2},?\s{0,2}[(\[]?\s{0,2}"
    r"(?:即|也就是|准确(?:值)?(?:为|地说)?|精确(?:到[^\W\d]{1,3}|值)?(?:为)?"
    r"|i\.e\.|that is|which is|or exactly|exactly|precisely)"
    r"[:,]?\s{0,2}[约¥$€]?\s{0,2}(?=\d)"
)
GUESSED = r"也?可能是?|也许是?|或许是?|\bmaybe\b|\bperhaps\b|\bpossibly\b|\balternatively\b"
MAYBE = r"(?:about|maybe|perhaps|possibly|around|even|约|大约|可能是?|是)?"
ALTERNATIVE = re.compile(
    rf"\s*[a-z%年次部人个米元]{{0,9}}\s*(?:,\s*)?(?:\bor\b|\beither\b|\bversus\b|或者?|还是|抑或|{GUESSED}|/|~|\bto\b|至|到|-)"
    rf"\s*{MAYBE}\s*"
)
LISTED = re.compile(r"\s*[,;|]\s*")
BETWEEN = re.compile(r"(?:\bbetween|介于|在)\s*$")
AND = re.compile(r"\s*[a-z%]{0,9}\s*(?:and|和|与|&)\s*")
DENIED = re.compile(r"(?:\b(?:not|isn't)|不是)(?: an?| the)?[\s\"'“‘]*$")
ASIDE_AFTER = re.compile(
    r"\s*(?:\w+ )?(?:rows?|records?|entr(?:y|ies)|values|games|samples|observations|columns?|"
    r"decimals?|decimal places|data points|places|digits|degrees of|numeric|bins?|minutes? ago)\b"
    r"|\s*(?:行|条|列|个数据|个样本|个值|位小数|条记录|个观测)"
)
ASIDE_BEFORE = re.compile(r"(?:\bn\s*[-=]|ddof\s*=|\bn\s*-|\bstep|\btable|\bfigure|\bpage|第)\s*$")


@dataclass(frozen=True)
class Found:
    """A number that a text says, and where."""

    value: float
    start: int
    end: int
    unit: str = ""  # the sign or word right after it, if any


def folded(text: str) -> str:
    """`text` with full-width forms, dashes, mark-up and ways to write a number evened out.

    In lower case; 5.4×10³ is 5.4e3, 838_866_283 is 838,866,283.
    """
    text = re.sub(r"[，、]", ", ", text[:MOST_CHARS])  # else folded into a thousands comma
    text = RAISED.sub(lambda m: f"^{m[0].translate(SUPERSCRIPTS)}", text)
    if any(sign in text for sign in ("\\", "{,}", "\u00a0", "\u202f", "\u2009")):
        for _ in range(3):  # innermost first
            text = LATEX_TEXT.sub(r" \1 ", text)
            text = LATEX_FRACTION.sub(r"(\1\2)/(\3\4)", text)
        for pattern, put in LATEX_SIGNS:
            text = pattern.sub(put, text)
    text = unicodedata.normalize("NFKC", text.translate(VULGAR)).replace("\u2044", "/")
    text = text.replace("−", "-").replace("–", "-").replace("—", " - ").replace("≃", "≈")
    text = UNDERSCORED.sub(",", SCIENTIFIC.sub(r"e\1", text))
    text = TAGS.sub("", text).replace("__", "")
    return re.sub(r"\\[()\[\]]|[*`$\\]", "", text).lower()


def in_minutes(text: str) -> str:
    """Folded text with every time in hours and minutes as minutes: "1 h 20 min", 1小时20分."""
    return DURATION.sub(lambda m: f"{60 * int(m['hours']) + int(m['minutes'])} {m['unit']}", text)


def numbers_in(text: str) -> list[Found]:
    """Every number in folded text: "1,234.5", "-3", "12.3%" (12.3), "1.2万" (12000); no dates.

    Tens and teens in words count too: "fifty-two".
    """
    found = []
    for pattern in (DATE, MINUTES):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    for match in FOUND.finditer(text):
        if INSIDE_WORD.match(text, match.end("power") if match["power"] else match.end("digits")):
            unit_follows = text[match.end("digits") : match.end("digits") + 12]
            if not re.match(r"[a-z]{1,3}\b|[a-z]+/|million|billion|thousand", unit_follows):
                continue
        value = float(match["digits"].replace(",", "") + (match["power"] or ""))
        sign = -1.0 if match["sign"] == "-" else 1.0
        after = UNIT.match(text, match.end(), match.end() + 12)
        unit = match["unit"] or (after[1] if after else "")
        scale = SCALES[match["unit"]]
        found.append(Found(sign * value * scale, match.start(), match.end(), unit))
    found += worded_in(text)
    return sorted(found, key=lambda f: f.start)


def worded_in(text: str) -> list[Found]:
    """Tens and teens that folded text writes in words."""
    found = []
    for match in WORDED.finditer(text):
        if match["teen"]:
            value = 10 + TEENS.index(match["teen"])
        else:
            value = 20 + 10 * TENS.index(match["ten"])
            value += 1 + ONES.index(match["one"]) if match["one"] else 0
        found.append(Found(float(value), match.start(), match.end()))
    return found


DIGITS = ["zero", *ONES]
SMALL = re.compile(rf"(?<![a-z])(?:{'|'.join(DIGITS)})(?![a-z-])")
CHINESE_SMALL = re.compile(
    r"[零一二两三四五六七八九](?=\s*[帧时节个人次天年月行页张条名位处章种件项份家部组册本篇])"
)
NONE_AT_ALL = re.compile(
    r"\b(?:no|none|nothing)\b|没有(?=缺|任何|一)|(?:都|一\w?也|均)?(?:没有|不缺|无缺失|无)(?=[,.。;；]|$)"
)


def in_digits(text: str) -> str:
    """Folded text with small numbers that stand in words as digits: "two sections", 缺两节."""

    def digit(match: re.Match[str]) -> str:
        return str(DIGITS.index(match[0]))

    text = CHINESE_SMALL.sub(
        lambda m: str("零一二三四五六七八九".index(m[0].replace("两", "二"))), text
    )
    return NONE_AT_ALL.sub(" 0 ", SMALL.sub(digit, text))


def settled(text: str, found: Sequence[Found] | None = None) -> list[Found]:
    """The numbers of folded text without those from which a chain of = and ≈ goes on.

    What something is taken modulo is no value either, nor one that is denied: "not 4, but 5".
    """
    some = numbers_in(text) if found is None else found
    taken = [match.span(1) for match in MODULUS.finditer(text)]
    return [
        f
        for f in some
        if not goes_on(text, f.end)
        and not is_restated(text, f)
        and not is_denied(text, f.start)
        and not any(a <= f.start < b for a, b in taken)
    ]


def is_restated(text: str, found: Found) -> bool:
    """True if the same is said again after "that is" more exactly: 58.26 万元，即 582,639 元."""
    again = RESTATING.match(text, found.end, found.end + 2 * NEAR_CHARS)
    if not again or not found.value:
        return False
    right = next(iter(numbers_in(text[again.end() : again.end() + NEAR_CHARS])), None)
    return (
        right is not None
        and right.start <= 2
        and math.isclose(right.value, found.value, rel_tol=0.006)
    )


def is_denied(text: str, start: int) -> bool:
    """True if what begins there is said not to be it: "not 4, but 5"."""
    return bool(DENIED.search(text[max(0, start - NEAR_CHARS) : start]))


def goes_on(text: str, end: int) -> bool:
    """True if the arithmetic after a number leads to = or ≈ and another one."""
    chain = CHAIN.match(text, end, end + CHAIN_CHARS)
    return bool(chain and SIGN.match(text, chain.end(), chain.end() + NEAR_CHARS))


def is_aside(text: str, found: Found) -> bool:
    """True for a number that counts rows, decimals or such, or is a page's or a step's."""
    return bool(
        ASIDE_AFTER.match(text, found.end, found.end + NEAR_CHARS)
        or ASIDE_BEFORE.search(text[max(0, found.start - 12) : found.start])
    )


def claim(text: str, besides: Collection[float] = ()) -> list[Found]:
    """The first value that folded text offers: one, or all candidates of a list or an "or".

    The numbers `besides`, such as those of the query, are no values.
    """
    found = [f for f in settled(text) if f.value not in besides and not is_aside(text, f)]
    offered = found[:1]
    for left, right in itertools.pairwise(found):
        between = text[left.end : right.start]
        if len(between) > NEAR_CHARS or not is_candidate(text, left, right):
            break
        offered.append(right)
    return offered


def is_candidate(text: str, left: Found, right: Found) -> bool:
    """True if one number is offered beside another: in a list, after "or", "→" or "to"."""
    between, before = text[left.end : right.start], text[max(0, left.start - 12) : left.start]
    return bool(
        ALTERNATIVE.fullmatch(between)
        or LISTED.fullmatch(between)
        or (AND.fullmatch(between) and BETWEEN.search(before))
    )


def cells_of(line: str) -> list[str]:
    """The cells of a line of a table, Markdown's or one set with blanks; none of any other."""
    if "|" in line:
        return [
            cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")
        ]
    cells = [cell for cell in re.split(r"\t+|\s{2,}", line.strip()) if cell]
    return cells if len(cells) > 1 else []


def tables_told(text: str, labels: Collection[str] = ()) -> str:
    """`text` with the rows of its tables as sentences: "row column: value; column: value".

    Where the columns' heads speak of more of `labels` (folded) than the rows' do, the columns
    come first: "column row: value; row: value".
    """
    lines, told, place = text.split("\n"), [], 0
    while place < len(lines):
        rows = table_at(lines, place)
        if len(rows) < 2:
            told.append(lines[place])
            place += 1
            continue
        told += sentences_of(rows, labels)
        place += lines_of_table(lines, place)
    return "\n".join(told)


def is_rule(line: str) -> bool:
    return ("--" in line or "==" in line) and set(line) <= set("|:+=- \t")


def lines_of_table(lines: Sequence[str], place: int) -> int:
    count = 0
    for line in (lines[n] for n in range(place, len(lines))):
        is_row = cells_of(line) or is_rule(line)
        is_gap = not line.strip() and count == 1 and "|" not in lines[place]
        if not is_row and not is_gap:
            break
        count += 1
    return count


def table_at(lines: Sequence[str], place: int) -> list[list[str]]:
    """The rows of the table that begins at a line, its head first; [] when none does."""
    some = lines[place : place + lines_of_table(lines, place)]
    rows = [cells_of(line) for line in some if line.strip() and not is_rule(line)]
    is_ruled = any(is_rule(line) for line in some)
    titles = rows[0][1:] if rows and is_ruled else rows[0] if rows else []  # a corner may be a year
    if len(rows) < 2 or any(re.fullmatch(r"[-+]?[\d.,]+%?", cell) for cell in titles if cell):
        return []
    if is_headless(rows) and not is_ruled:
        return []
    width = max(len(row) for row in rows)
    if len(rows[0]) == width - 1:  # the head of a frame printed with its index
        rows[0].insert(0, "")
    return [row for row in rows if len(row) == len(rows[0])]


def is_headless(rows: Sequence[Sequence[str]]) -> bool:
    """True if the first row has a figure wherever the others have one, as lines of bars have."""
    width = min(len(row) for row in rows)
    filled = [c for c in range(width) if all(re.search(r"\d", row[c]) for row in rows[1:])]
    return bool(filled) and all(re.search(r"\d", rows[0][c]) for c in filled)


def sentences_of(rows: Sequence[Sequence[str]], labels: Collection[str]) -> list[str]:
    head, body = rows[0], rows[1:]
    if len(rows[0]) == 2 and not speaking(head, labels):
        return [f"{row[0]}: {row[1]}" for row in body]
    is_bare = all(re.fullmatch(r"[-+]?[\d.,]+%?", row[0] or "-") for row in body)
    names = ["" if is_bare and speaking(head[:1], labels) else row[0] for row in body]
    first = 0 if is_bare and speaking(head[:1], labels) else 1
    if speaking(head[first:], labels) > speaking(names, labels):
        columns = range(first, len(head))
        return [
            f"{head[c]} "
            + "; ".join(f"{name}: {row[c]}" for name, row in zip(names, body, strict=True))
            for c in columns
        ]
    return [
        f"{name} " + "; ".join(f"{head[c]}: {row[c]}" for c in range(first, len(head)))
        for name, row in zip(names, body, strict=True)
    ]


def speaking(cells: Sequence[str], labels: Collection[str]) -> int:
    """Number of cells that hold one of `labels`."""
    return sum(any(label in cell for label in labels) for cell in cells)


SURE_OF_TWO = re.compile(
    r"\s*[a-z%]{0,8}\s*,?\s*(?:\bor\b|或者?|还是)\s*(?:about|maybe|perhaps|约)?\s*"
)
MOST_WORDS_ON_END = 45  # without any mark between them, as no sentence has


def is_hedging(text: str) -> bool:
    """True if folded text gives a number "or" another."""
    return any(
        left.value != right.value
        and right.start - left.end <= NEAR_CHARS
        and SURE_OF_TWO.fullmatch(text[left.end : right.start])
        for left, right in itertools.pairwise(numbers_in(text))
    )


def is_recited(text: str) -> bool:
    """True for a salad: words on end, more than any sentence has between two marks."""
    parts = re.split(r"[.,;:!?。；：！？|(){}\[\]=\n\"“”]+", text)
    return any(len(part.split()) > MOST_WORDS_ON_END for part in parts)


DIRECTLY = re.compile(
    r"[\s\"'”’\]}:=≈<>|(\[█▇■▒░#-]*(?:(?:value|is|was|are|were|equals?|about|approximately|approx\.?|roughly|"
    r"around|of|at|只有|为|是|约|大约|约为|等于|有|共|达|达到|值|only)[\s:=≈\"'|(\[]*)*[$¥€+]?"
)
RESTATED = re.compile(  # 163 people (50.15%), 163人(占50.15%), 163 名, 占比 50.15%
    r"\s*(?:[a-z]{0,13}|[\u4e00-\u9fff]{0,3}?)\s*(?:[(\[=≈]|,?\s*占比?|,)"
    r"\s*(?:即|or|i\.e\.|about|约|占比?(?:为|约)?|为)?[:\s]*"
)


@dataclass(frozen=True)
class Claim:
    """One mention's value: its candidates, of which all must be right, or the forms it has."""

    candidates: tuple[Found, ...]
    forms: tuple[Found, ...] = ()  # the same said again: "163 (50.31%)"
    is_direct: bool = False  # nothing but "is" or ":" stands between the label and the value

    @property
    def values(self) -> tuple[float, ...]:
        return tuple(f.value for f in self.candidates)


def claimed(after: str, besides: Collection[float] = ()) -> Claim | None:
    """The claim that begins with the text after a mention of a label."""
    offered = claim(after, besides)
    if not offered:
        return None
    first = offered[0]
    everything = settled(after)
    place = next(n for n, f in enumerate(everything) if f.start == first.start)
    forms = [
        f
        for f in everything[place + 1 : place + 2]
        if f.start - first.end <= NEAR_CHARS
        and (f.unit == "%") != (first.unit == "%")
        and RESTATED.fullmatch(after[first.end : f.start])
        and re.search(r"[(占]", after[first.end : f.start])
    ]
    is_direct = first.start <= NEAR_CHARS and bool(DIRECTLY.fullmatch(after[: first.start]))
    return Claim(tuple(offered), (first, *forms) if forms else (), is_direct)
