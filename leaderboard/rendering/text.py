"""Plain text as markup: bounded, escaped, with invisible characters made visible."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass

from django.conf import settings
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

# C0 and C1 controls but tab and newline, zero-width marks, direction overrides, lone surrogates,
# and the two that no XML may hold: one name with them would spoil a whole feed.
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)

RIGHT_TO_LEFT = ("R", "AL", "AN")
ISOLATE, END_ISOLATE = "\u2068", "\u2069"

LATER_CAPITAL = re.compile(r"(?<=[\w,)][ -])[A-Z][a-z]*+(?!\w)")

SITE = "PyBench"
TITLE_CHARS = 70  # what a tab, a bookmark or a search result shows of a title
BETWEEN = " · "


WORDS = {"void": "did not count", "out_of_turns": "out of steps"}  # others than the stored ones


def isolate(name: str) -> str:
    """The name as a drawing's text and a sentence need it: one that runs from right to left keeps
    its own order, and the order of what is around it."""
    if any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in name):
        return f"{ISOLATE}{name}{END_ISOLATE}"
    return name


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


def in_words(value: object) -> str:
    """A stored state, outcome or field as it is read: `kernel_lost` as "kernel lost"."""
    return WORDS.get(str(value), str(value).replace("_", " "))


def in_sentence_case(heading: str) -> str:
    """The heading with capitals at its start alone: "Sign In" as "Sign in".

    Initials, names with capitals inside and sign-in providers stay as they are.
    """
    names = {name.capitalize() for name in settings.SOCIAL_PROVIDERS}
    return LATER_CAPITAL.sub(lambda m: m[0] if m[0] in names else m[0].lower(), heading)


def title_page(markup: str) -> SafeString:
    """A document's title: the page's name, then the site's; the longest parts are cut to fit."""
    parts = html.unescape(markup).strip().split(BETWEEN)
    if parts[-1] != SITE:
        parts.append(SITE)
    room = [len(part) for part in parts]
    while sum(room) + len(BETWEEN) * (len(parts) - 1) > TITLE_CHARS:
        room[room.index(max(room))] -= 1
    pairs = zip(parts, room, strict=True)
    cut = [p if len(p) <= n else f"{p[: n - 1].rstrip()}…" for p, n in pairs]
    return mark_safe(escape(BETWEEN.join(cut)))


def name_invisible(match: re.Match[str]) -> str:
    return f'<span class="ctl">U+{ord(match[0]):04X}</span>'


def show_plain(text: str) -> SafeString:
    """`text` escaped, with each character that could hide or reorder others spelled out.

    The two characters at the end of a line that a browser's form sends hide nothing.
    """
    return mark_safe(INVISIBLE.sub(name_invisible, escape(text.replace("\r\n", "\n"))))


def strip_invisible(text: str) -> str:
    """`text` without such characters: for titles and attributes."""
    return INVISIBLE.sub("", text)
