"""Python source as highlighted lines."""

from __future__ import annotations

from django.utils.safestring import SafeString, mark_safe
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import JsonLexer, PythonLexer

from leaderboard.rendering.text import INVISIBLE, name_invisible, show_plain

LIMIT_CHARS = 100_000
PYTHON = PythonLexer(stripnl=False, ensurenl=False)
JSON = JsonLexer(stripnl=False, ensurenl=False)
FORMATTER = HtmlFormatter(nowrap=True, classprefix="p-")


def show_python(code: str) -> SafeString:
    """`code` with a `<span class="l">` around each line; too long a code stays uncoloured."""
    return show_source(code, PYTHON)


def show_json(text: str) -> SafeString:
    return show_source(text, JSON)


def show_source(source: str, lexer: PythonLexer | JsonLexer) -> SafeString:
    source = source.strip("\n")
    if len(source) > LIMIT_CHARS:
        markup: str = show_plain(source[:LIMIT_CHARS])
    else:
        markup = INVISIBLE.sub(name_invisible, highlight(source, lexer, FORMATTER).rstrip("\n"))
    return mark_safe("\n".join(f'<span class="l">{line}</span>' for line in markup.split("\n")))
