"""Delimiting of texts that an agent wrote, so that nothing in them can end the delimited part."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache

WITHHELD = "[name withheld]"
LEAST_NAME_CHARS = 3
MOST_NAMES, MOST_NAME_CHARS = 20, 100
NAME_REACH = 2 * MOST_NAME_CHARS  # around a cut: a name that crosses it lies within
PLAIN_CONTROLS = "\n\t"
HIDDEN_CATEGORIES = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")


def new_token(texts: Iterable[str], draw: Callable[[], str] = lambda: secrets.token_hex(16)) -> str:
    """A random token that none of `texts` contains."""
    joined = "\n".join(texts)
    while (token := draw()) in joined:
        pass
    return token


def enclose(text: str, token: str) -> str:
    """`text` between the lines that delimit data. Raises ValueError if it contains the token."""
    if token in text:
        raise ValueError("the text contains the token that delimits it")
    return f"<<<DATA {token}>>>\n{text}\n<<<END {token}>>>"


def show_hidden(text: str) -> str:
    r"""`text` with every character that cannot be seen written as \u{…}."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(map(spell_hidden, text.replace("\r\n", "\n")))


@lru_cache(maxsize=8192)
def spell_hidden(char: str) -> str:
    if char in PLAIN_CONTROLS or unicodedata.category(char) not in HIDDEN_CATEGORIES:
        return char
    return f"\\u{{{ord(char):x}}}"


def withhold(text: str, names: Iterable[str]) -> str:
    """`text` without `names`, whatever their case, where each stands as a word of its own."""
    pattern = pattern_of(tuple(names))
    return pattern.sub(WITHHELD, text) if pattern else text


@lru_cache(maxsize=64)
def pattern_of(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """A pattern of plain alternatives, longest first; None without a name."""
    bounded = (name.strip()[:MOST_NAME_CHARS] for name in names)
    known = {name for name in bounded if len(name) >= LEAST_NAME_CHARS}
    longest_first = sorted(known, key=lambda name: (-len(name), name))[:MOST_NAMES]
    if not longest_first:
        return None
    words = "|".join(re.escape(name) for name in longest_first)
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def cut_between_names(text: str, limit_chars: int, names: Iterable[str]) -> tuple[str, int]:
    """As `cut_middle`, but no name is cut through: one at the cut is left out whole.

    Looks at the cuts' surroundings alone, however long the text.
    """
    pattern = pattern_of(tuple(names))
    if len(text) <= limit_chars or pattern is None:
        return cut_middle(text, limit_chars)
    half = limit_chars // 2
    head, tail = half, len(text) - half
    for name in pattern.finditer(text, max(0, half - NAME_REACH), half + NAME_REACH):
        head = name.start() if name.start() < half < name.end() else head
    for name in pattern.finditer(text, max(0, tail - NAME_REACH), tail + NAME_REACH):
        tail = name.end() if name.start() < len(text) - half < name.end() else tail
    return text[:head] + "\n" + text[tail:], tail - head


def cut_middle(text: str, limit_chars: int) -> tuple[str, int]:
    """Head and tail of `text`, `limit_chars` in all, and how many characters are left out."""
    if len(text) <= limit_chars:
        return text, 0
    half = limit_chars // 2
    return text[:half] + "\n" + text[-half:], len(text) - 2 * half
