"""What templates say: numbers in words, drawings, and a model's text made safe."""

from __future__ import annotations

import re

from django import template
from django.utils.safestring import SafeString, mark_safe

from leaderboard import charts, figures
from leaderboard.board import BoardRow, Cell
from leaderboard.board_columns import show_size_b
from leaderboard.models import Attempt, Entry, Run
from leaderboard.rendering import ansi, code, markdown, text
from leaderboard.replied import list_models

register = template.Library()

register.filter("percent", figures.show_percent)
register.filter("points", figures.show_points)
register.filter("mean", figures.show_mean)
register.filter("duration", figures.show_duration)
register.filter("count", figures.show_count)
register.filter("size", figures.show_size)

register.filter("ansi", ansi.show_ansi)
register.filter("python", code.show_python)
register.filter("json_source", code.show_json)
register.filter("markdown", markdown.show_markdown)
register.filter("plain", text.show_plain)
register.filter("without_invisible", text.strip_invisible)

register.simple_tag(charts.draw_glyph, name="glyph")
register.simple_tag(charts.draw_whisker, name="whisker")
register.simple_tag(charts.draw_gap, name="gap")
register.simple_tag(charts.draw_shares, name="shares")


@register.simple_tag
def cell_bar(cell: Cell) -> SafeString:
    return charts.draw_bar(cell.position, cell.rate or 0.0)


@register.simple_tag
def row_whisker(row: BoardRow | Cell) -> SafeString:
    return charts.draw_whisker(row.rate or 0.0, row.low, row.high)


@register.filter
def size_words(entry: Entry) -> str:
    """How many parameters, as in "70B"."""
    return show_size_b(entry.parameters_b)


@register.filter
def all_tokens(attempt: Attempt) -> int | None:
    """Prompt and completion together; unknown when either is."""
    return figures.add_tokens(attempt.prompt_tokens, attempt.completion_tokens)


@register.filter
def models_that_replied(run: Run) -> list[str]:
    return list_models(run.environment)


@register.filter
def without_verdict(sentence: str) -> str:
    """A stored sentence without the "Passed:" or "Failed:" that the page draws itself."""
    return re.sub(r"^(Passed|Failed):\s*", "", sentence)


@register.filter
def breakable(name: str) -> SafeString:
    """An exception's name, which may break before each capital."""
    return mark_safe(re.sub(r"(?<=[a-z])(?=[A-Z])", "<wbr>", text.show_plain(name)))


@register.filter
def words(value: object) -> str:
    """`out_of_turns` as it is read."""
    return str(value).replace("_", " ")
