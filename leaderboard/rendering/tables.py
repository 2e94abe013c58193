"""HTML tables of a cell, as pandas shows them, reduced to rows and cells."""

from __future__ import annotations

import nh3
from django.utils.safestring import SafeString, mark_safe

from leaderboard.rendering.text import INVISIBLE, make_encodable, name_invisible

LIMIT_CHARS = 64 * 1024
MAX_SPAN = 100
TAGS = {"table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption", "p", "br", "b", "i", "sup"}
SPANS = {"colspan", "rowspan"}


def keep_attribute(tag: str, name: str, value: str) -> str | None:
    return value if value.isascii() and value.isdigit() and int(value[:4]) <= MAX_SPAN else None


def show_table(html: str) -> SafeString | None:
    """The table in `html`; None when there is none or when it is beyond the cap."""
    if len(html) > LIMIT_CHARS or "<table" not in html.lower():
        return None
    clean = nh3.clean(
        make_encodable(html),
        tags=TAGS,
        clean_content_tags={"script", "style", "template", "noscript", "svg", "math"},
        attributes={"th": SPANS, "td": SPANS},
        attribute_filter=keep_attribute,
        url_schemes=set(),
    )
    if "<table" not in clean:
        return None
    return mark_safe(INVISIBLE.sub(name_invisible, clean.strip()))
