"""Text in stand-alone SVG: cleaned, cut to a width, and escaped where it is formatted."""

from __future__ import annotations

import unicodedata

from leaderboard.rendering.text import strip_invisible

FACE = "Verdana,'DejaVu Sans','Noto Sans',sans-serif"
NARROW = frozenset("iljtfrI.,:;'|!()[] ")
# Widths of characters as parts of the font's size, rather too wide than too narrow.
NARROW_PART, USUAL_PART, WIDE_PART = 0.42, 0.66, 1.05
WIDE = ("W", "F", "A")


def width_of(text: str, size: float) -> float:
    """Width of a text in about that face."""
    return size * sum(map(part_of, text))


def part_of(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in WIDE:
        return WIDE_PART
    return NARROW_PART if letter in NARROW else USUAL_PART


def fit(text: str, size: float, room: float) -> str:
    """The text on one line without invisible characters, cut with "…" to what `room` holds."""
    plain = " ".join(strip_invisible(text).split())
    if width_of(plain, size) <= room:
        return plain
    taken = ""
    for letter in plain:
        if width_of(f"{taken}{letter}…", size) > room:
            break
        taken += letter
    return f"{taken.rstrip()}…"
