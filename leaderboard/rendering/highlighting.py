"""Python source as highlighted lines."""

from __future__ import annotations

from django.utils.safestring import SafeString, mark_safe
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import JsonLexer, PythonLexer

from leaderboard.rendering.text import INVISIBLE, name_invisible, show_plain

PYTHON = PythonLexer(stripnl=False, ensurenl=False)
JSON = JsonLexer(stripnl=False, ensurenl=False)
FORMATTER = HtmlFormatter(nowrap=True, classprefix="p-")


def show_python(code: str) -> SafeString:
    """`code` with a `<span class="l">` around each line. Costly: `budget` decides where."""
    return show_source(code, PYTHON)


def show_json(text: str) -> SafeString:
    return show_source(text, JSON)


def show_source(source: str, lexer: PythonLexer | JsonLexer) -> SafeString:
    markup = highlight(source.strip("\n"), lexer, FORMATTER).rstrip("\n")
    return in_lines(INVISIBLE.sub(name_invisible, markup))


def show_uncoloured(source: str) -> SafeString:
    """The same lines without colours."""
    return in_lines(show_plain(source.strip("\n")))


def in_lines(markup: str) -> SafeString:
    return mark_safe("\n".join(f'<span class="l">{line}</span>' for line in markup.split("\n")))
