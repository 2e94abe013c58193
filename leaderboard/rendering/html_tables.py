"""HTML tables of a cell, as pandas shows them, reduced to rows and cells."""

from __future__ import annotations

import re

import nh3
from django.utils.safestring import SafeString, mark_safe

from leaderboard.models import clean
from leaderboard.rendering.text import INVISIBLE, name_invisible

LIMIT_CHARS = 64 * 1024
MAX_SPAN = 100
TAGS = {"table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption", "p", "br", "b", "i", "sup"}
SPANS = {"colspan", "rowspan"}
CUT_OUT = {"script", "style", "template", "noscript", "svg", "math"}  # with what they hold
# The parser looks through all open elements at many a tag, repeats formatting elements whose
# attributes differ in every paragraph, and compares each attribute with those before it: all of
# that grows by the square, so what is not kept is taken out before.
START_TAG = re.compile(
    r"""<(?!(?:t[rdh]|p|br)>)([a-z][a-z0-9]*)(?=[\s/>])((?:[^>"']|"[^"]{0,200}"|'[^']{0,200}'){0,400})>?""",
    re.IGNORECASE,
)
# Between rows and cells nothing may stand: the parser would look for the table's place among all
# that stands before it, each time.
BESIDE_CELLS = re.compile(
    r"(<(?:table|/?t(?:head|body|foot|r))\b[^>]{0,200}>|</t[dh]>|</caption>)"
    r"(?:[^<]|<(?!/?(?:table|thead|tbody|tfoot|tr|td|th|caption)\b))+",
    re.IGNORECASE,
)
MOST_NESTED = 500  # elements that can hold each other
CANNOT_NEST = TAGS - {"b", "i", "sup"}
SPAN = re.compile(r"\b(?:col|row)span\s{0,9}=\s{0,9}[\"']?\d{1,4}\b[\"']?", re.IGNORECASE)


def keep_attribute(tag: str, name: str, value: str) -> str | None:
    if name == "scope":
        return value  # ours: START_TAG leaves none of theirs
    return value if value.isascii() and value.isdigit() and int(value[:4]) <= MAX_SPAN else None


def without_dropped(html: str) -> str | None:
    """`html` with the start tags that are kept, and of these the spans; None for too many."""
    left = MOST_NESTED

    def bare(match: re.Match[str]) -> str:
        nonlocal left
        tag = match[1].lower()
        if tag not in TAGS and tag not in CUT_OUT:
            return ""
        left -= tag not in CANNOT_NEST
        return f"<{' '.join([tag, *SPAN.findall(match[2])[:2]])}>"

    bared = BESIDE_CELLS.sub(r"\1", START_TAG.sub(bare, html))
    return bared if left >= 0 else None


def with_column_heads(table: str) -> str:
    """`table`, whose heads all say that they are of rows, with those of columns put right."""
    *parts, last = table.split("</thead>")
    heads = (part.rpartition("<thead>") for part in parts)
    named = (start + tag + of_columns(head) for start, tag, head in heads)
    return "</thead>".join([*named, last])


def of_columns(head: str) -> str:
    return head.replace(' scope="row">', ' scope="col">')  # text has no such bracket


def show_table(html: str) -> SafeString | None:
    """The table in `html`; None when there is none or when it is beyond the cap."""
    if len(html) > LIMIT_CHARS or "<table" not in html.lower():
        return None
    bared = without_dropped(clean(html))
    if bared is None:
        return None
    safe = nh3.clean(
        bared,
        tags=TAGS,
        clean_content_tags=CUT_OUT,
        attributes={"th": SPANS, "td": SPANS},
        attribute_filter=keep_attribute,
        set_tag_attribute_values={"th": {"scope": "row"}},
        url_schemes=set(),
    )
    if "<table" not in safe:
        return None
    return mark_safe(INVISIBLE.sub(name_invisible, with_column_heads(safe.strip())))
