"""Comparing single values: numbers by value, text by words, dates by day."""

from __future__ import annotations

import datetime
import functools
import itertools
import math
import re
import unicodedata
from decimal import Decimal

MIDNIGHT = re.compile(r"(\d{4}-\d{2}-\d{2})[ T]00:00(:00(\.0+)?)?")
SHORTEST_MIDNIGHT = 16  # characters: for most values the expression need not be tried
NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
GROUPED = re.compile(r"[-+]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?")
DRAWN = re.compile(
    r"[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209f\u2150-\u2189\u2460-\u24ff\u2776-\u2793\U0001d400-\U0001d7ff\U0001f100-\U0001f189]"
)
WIDE_LETTERS = re.compile(r"[\uff21-\uff3a\uff41-\uff5a]")
WIDE = re.compile(r"[\uff01-\uff5e]")
BLANKS = frozenset({"", "nan", "none", "null", "nat", "<na>", "n/a"})


def written(value: object) -> str:
    """`value` as Python writes it; its type where it cannot be written (endless nesting)."""
    try:
        return str(value)
    except (RecursionError, ValueError):
        return type(value).__name__


def plain(value: object) -> str:
    """`value` as text: full-width forms folded, white space single, a midnight as its day.

    Letters and digits that are raised, or drawn as signs, such as ¹, ① and 𝟏, stay what they
    are: no program reads them as letters or digits.
    """
    if isinstance(value, datetime.datetime):
        value = value.isoformat(" ")
    text = "" if value is None else written(value)
    if not text.isascii():
        signs = DRAWN.findall(text)
        parts = map(functools.partial(unicodedata.normalize, "NFKC"), DRAWN.split(text))
        text = "".join(map("".join, itertools.zip_longest(parts, signs, fillvalue="")))
    text = " ".join(text.split())
    match = MIDNIGHT.fullmatch(text) if len(text) >= SHORTEST_MIDNIGHT else None
    return match[1] if match else text


def number(value: object) -> float | None:
    """The number that `value` is or says ("1,234.50", "−3", "１２"), None when it says none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float | Decimal):
        try:
            return float(value)
        except OverflowError:
            return None
    text = plain(value).replace("−", "-").replace("\u00a0", "")
    if GROUPED.fullmatch(text):
        text = text.replace(",", "")
    return float(text) if NUMBER.fullmatch(text) else None


def is_blank(value: object) -> bool:
    """True if `value` is blank: None, NaN or a word for it."""
    if isinstance(value, float) and math.isnan(value):
        return True
    return value is None or plain(value).lower() in BLANKS


def same(actual: object, expected: object, tolerance: float = 1e-6) -> bool:
    """True if `actual`, as an agent wrote it, is `expected`, whose type decides how to compare."""
    if expected is None:
        return is_blank(actual)
    if isinstance(expected, bool):
        return plain(actual).lower() == str(expected).lower()
    if isinstance(expected, int | float):
        found = number(actual)
        if found is None or not math.isfinite(found):
            return False
        return abs(found - expected) <= tolerance + 1e-9 * abs(expected)
    is_wide = bool(WIDE_LETTERS.search(written(actual)))
    if is_wide and not WIDE_LETTERS.search(written(expected)):
        return False  # folded alike, but no search for the word would find it
    return plain(actual) == plain(expected)
