"""Comparing single values: numbers by value, text by words, dates by day."""

from __future__ import annotations

import math
import re
import unicodedata
from decimal import Decimal

MIDNIGHT = re.compile(r"(\d{4}-\d{2}-\d{2})[ T]00:00(:00(\.0+)?)?")
SHORTEST_MIDNIGHT = 16  # characters: for most values the expression need not be tried
NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
GROUPED = re.compile(r"[-+]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?")
WIDE = re.compile(r"[\uff01-\uff5e]")
WIDE_WORDS = re.compile(r"[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
UNWIDENED = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
BLANKS = frozenset({"", "nan", "none", "null", "nat", "<na>", "n/a"})


def written(value: object) -> str:
    """`value` as Python writes it; its type where it cannot be written (endless nesting)."""
    try:
        return str(value)
    except (RecursionError, ValueError):
        return type(value).__name__


def spaced(value: object) -> str:
    """`value` as text with single white space."""
    return " ".join(unicodedata.normalize("NFC", "" if value is None else written(value)).split())


def plain(value: object) -> str:
    """`value` as text: full-width ASCII folded, white space single, a midnight as its day.

    All other signs stay what they are, such as ¹, ① and ᵃ: no program reads them as ASCII.
    """
    text = spaced(value).translate(UNWIDENED)
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
    text = plain(value).replace("−", "-")
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
    wide = WIDE if written(expected).isascii() else WIDE_WORDS  # Chinese has punctuation of its own
    if wide.search(written(actual)) and not wide.search(written(expected)):
        return False  # folded alike, but no search would find it
    if isinstance(expected, bool):
        return plain(actual).lower() == str(expected).lower()
    if isinstance(expected, int | float):
        found = number(actual)
        if found is None or not math.isfinite(found):
            return False
        return abs(found - expected) <= tolerance + 1e-9 * abs(expected)
    return plain(actual) == plain(expected)
