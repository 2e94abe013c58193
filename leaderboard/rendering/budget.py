"""Budget of drawing one page: texts are priced before they are rendered.

A price is an upper estimate in microseconds of CPU, from counts of what makes a renderer slow, so
that a page is the same however fast the machine is. Whatever a page cannot afford is shown plainly
and in short, with a link to the whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from leaderboard.rendering.text import INVISIBLE, show_plain

PAGE_US = 60_000  # one window of a replay
TEXT_US = 45_000  # one text
MOST_PLAIN_CHARS = 250_000
SHORT_CHARS = 2_000  # shown of a text that the page cannot afford

BLOCK = re.compile(r"^[ \t>]*(?:[-+*#>|]|\d{1,9}[.)])", re.MULTILINE)
BLANKS = re.compile(r"\s{100,}")
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")

Price = Callable[[str], int]
Show = Callable[[str], SafeString]


@dataclass
class Budget:
    """Budget that is left for one page, and the address of everything that it leaves out."""

    left_us: int
    whole: str  # address of the stored record

    def take(self, price_us: int) -> bool:
        """Spend it if there is enough."""
        if price_us > self.left_us:
            return False
        self.left_us -= price_us
        return True


_budget: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def page_budget(whole: str, left_us: int = PAGE_US) -> Iterator[Budget]:
    """Everything rendered in the block is paid from one budget."""
    budget = Budget(left_us, whole)
    token = _budget.set(budget)
    try:
        yield budget
    finally:
        _budget.reset(token)


def within_budget(show: Show, price: Price, plainer: Show = show_plain) -> Show:
    """`show`, or `plainer` for a text that is too costly, or only its beginning."""

    def render(text: str) -> SafeString:
        text = str(text)
        if can_think_of(len(text)) and can_afford(price(text)):
            return show(text)
        if len(text) <= MOST_PLAIN_CHARS and can_afford(price_of_plain(text)):
            return plainer(text)
        return show_short(text, plainer)

    return render


def can_think_of(chars: int) -> bool:
    """True if a text of this length can be cheap enough: pricing it has a cost as well."""
    budget = _budget.get()
    return chars <= TEXT_US and (budget is None or chars <= budget.left_us)


def can_afford(price_us: int) -> bool:
    budget = _budget.get()
    return price_us <= TEXT_US and (budget is None or budget.take(price_us))


def show_short(text: str, plainer: Show) -> SafeString:
    budget = _budget.get()
    missing = max(0, len(text) - SHORT_CHARS)
    markup = plainer(text[:SHORT_CHARS])
    if not missing:
        return markup
    words = f"… {missing:,} more characters".replace(",", "\u202f")
    if budget is not None:
        words += f' in the <a href="{budget.whole}">raw record</a>'
    return mark_safe(f'{markup}<span class="cut">{words}</span>')


def price_of_plain(text: str) -> int:
    """Escaping is fast; each character that is spelled out costs."""
    return len(text) // 6 + len(INVISIBLE.findall(text)) // 2


def price_of_markdown(text: str) -> int:
    inline = 10 * sum(map(text.count, "|*_[~")) + 5 * sum(map(text.count, "`<&\\!]"))
    links = 25 * text.count("://") + 10 * text.count("](")
    blocks = 40 * len(BLOCK.findall(text)) + 16 * text.count("  \n") + text.count("\n\n")
    return len(text) // 10 + inline + links + blocks


def price_of_source(text: str) -> int:
    """At every blank line the highlighter looks through all that follow it for a docstring."""
    blank_lines = sum(len(blanks) ** 2 for blanks in BLANKS.findall(text)) // 100
    return len(text) // 20 + 6 * len(TOKEN.findall(text)) + blank_lines


def price_of_ansi(text: str) -> int:
    codes = text.count(";") // 3 if "\x1b" in text else 0
    return price_of_plain(text) + 4 * text.count("\x1b[") + codes
