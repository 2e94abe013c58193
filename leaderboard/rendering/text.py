"""Plain text as markup: bounded, escaped, with invisible characters made visible."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

# C0 and C1 controls but tab and newline, zero-width marks, direction overrides, lone surrogates.
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


@dataclass(frozen=True)
class Bounded:
    """The part of a text that is shown, and how many characters of it are not."""

    text: str
    missing_chars: int = 0


def bound(text: str, limit_chars: int) -> Bounded:
    """The first `limit_chars` of `text`."""
    return Bounded(text[:limit_chars], max(0, len(text) - limit_chars))


def bound_ends(text: str, limit_chars: int) -> tuple[Bounded, str]:
    """The head of `text` and its tail: errors stand at the end of a long output."""
    if len(text) <= limit_chars:
        return Bounded(text), ""
    half = limit_chars // 2
    return Bounded(text[:half], len(text) - 2 * half), text[-half:]


UNENCODABLE = re.compile("[\x00\ud800-\udfff]")


def make_encodable(text: str) -> str:
    """`text` without NULs and lone surrogates, which no parser of markup takes."""
    return UNENCODABLE.sub("\ufffd", text)


def name_invisible(match: re.Match[str]) -> str:
    return f'<span class="ctl">U+{ord(match[0]):04X}</span>'


def show_plain(text: str) -> SafeString:
    """`text` escaped, with each character that could hide or reorder others spelled out."""
    return mark_safe(INVISIBLE.sub(name_invisible, escape(text)))


def strip_invisible(text: str) -> str:
    """`text` without such characters: for titles and attributes."""
    return INVISIBLE.sub("", text)
