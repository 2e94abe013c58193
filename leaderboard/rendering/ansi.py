"""Terminal output as markup: colours become classes, every other control sequence is dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString, mark_safe

from leaderboard.rendering.text import show_plain

SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)(?P<sgr>[0-9;:]{0,64})m"
    r"|\x1b\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)"  # window titles, links
    r"|\x1b[PX^_][^\x1b]{0,4096}\x1b\\"
    r"|(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]"  # cursor movements
    r"|\x1b[()*+][0-9A-Za-z]|\x1b[=>78DEHMNOZc]"  # character sets, keypad, saved cursor
)
FLAGS = {1: "b", 2: "d", 3: "i", 4: "u"}
CLEARS = {22: "bd", 23: "i", 24: "u"}


@dataclass(frozen=True)
class Pen:
    """Look of the next characters: colours 0..15 or none, and flags among b, d, i, u."""

    ink: int | None = None
    ground: int | None = None
    flags: str = ""

    @property
    def classes(self) -> str:
        words = [f"a-{flag}" for flag in self.flags]
        words += [] if self.ink is None else [f"a-f{self.ink}"]
        words += [] if self.ground is None else [f"a-g{self.ground}"]
        return " ".join(words)


def strip_ansi(text: str) -> str:
    return SEQUENCE.sub("", text)


def settle_lines(text: str) -> str:
    """Keep the text that a terminal would still show: a carriage return starts its line anew."""
    text = text.replace("\r\n", "\n")
    if "\r" not in text:
        return text
    return "\n".join(last_written(line) for line in text.split("\n"))


def last_written(line: str) -> str:
    parts = [part for part in line.split("\r") if part]
    return parts[-1] if parts else ""


def show_ansi(text: str) -> SafeString:
    """`text` as escaped markup with classes `a-…` for its colours."""
    return mark_safe("".join(paint(settle_lines(text))))


def paint(text: str) -> Iterator[str]:
    pen, at = Pen(), 0
    for match in SEQUENCE.finditer(text):
        yield draw(pen, text[at : match.start()])
        at = match.end()
        if match["sgr"] is not None:
            pen = turn(pen, match["sgr"])
    yield draw(pen, text[at:])


def draw(pen: Pen, text: str) -> str:
    if not text or not pen.classes:
        return show_plain(text)
    return f'<span class="{pen.classes}">{show_plain(text)}</span>'


def turn(pen: Pen, codes: str) -> Pen:
    """The pen after one SGR sequence (ECMA-48 §8.3.117), unknown codes ignored."""
    numbers = [int(code or 0) for code in codes.replace(":", ";").split(";")]
    while numbers:
        code = numbers.pop(0)
        if code in (38, 48):
            colour = take_colour(numbers)
            pen = replace(pen, ink=colour) if code == 38 else replace(pen, ground=colour)
        else:
            pen = turn_one(pen, code)
    return pen


def turn_one(pen: Pen, code: int) -> Pen:
    if code == 0:
        return Pen()
    if code in FLAGS and FLAGS[code] not in pen.flags:
        return replace(pen, flags=pen.flags + FLAGS[code])
    if code in CLEARS:
        return replace(pen, flags="".join(f for f in pen.flags if f not in CLEARS[code]))
    if 30 <= code <= 37 or 90 <= code <= 97:
        return replace(pen, ink=code - 30 if code < 90 else code - 82)
    if 40 <= code <= 47 or 100 <= code <= 107:
        return replace(pen, ground=code - 40 if code < 100 else code - 92)
    if code in (39, 49):
        return replace(pen, ink=None) if code == 39 else replace(pen, ground=None)
    return pen


def take_colour(numbers: list[int]) -> int | None:
    """Consume `5;n` or `2;r;g;b`; the nearest of the sixteen."""
    kind = numbers.pop(0) if numbers else 0
    if kind == 5 and numbers:
        return nearest_of_256(numbers.pop(0))
    if kind == 2 and len(numbers) >= 3:
        return nearest_of_rgb(numbers.pop(0), numbers.pop(0), numbers.pop(0))
    return None


def nearest_of_256(number: int) -> int:
    if number < 16:
        return number
    if number >= 232:
        level = 8 + 10 * (min(number, 255) - 232)
        return nearest_of_rgb(level, level, level)
    number -= 16
    steps = (number // 36, number // 6 % 6, number % 6)
    red, green, blue = (0 if step == 0 else 55 + 40 * step for step in steps)
    return nearest_of_rgb(red, green, blue)


def nearest_of_rgb(red: int, green: int, blue: int) -> int:
    high, low = max(red, green, blue), min(red, green, blue)
    if high - low < 40:
        return 8 if high < 140 else 7
    middle = (high + low) / 2
    hue = (red > middle) + 2 * (green > middle) + 4 * (blue > middle)
    return hue + (8 if high > 220 else 0)
