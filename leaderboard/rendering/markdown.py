"""Prose of a model as markup: no raw HTML, no images, no relative links."""

from __future__ import annotations

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from leaderboard.models import clean
from leaderboard.rendering.text import INVISIBLE, name_invisible, show_plain

TAGS = {
    "p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li",
    "h1", "h2", "h3", "h4", "h5", "h6", "a", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
PARSER = (
    MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True})
    .enable(["table", "strikethrough"])
    .disable(["image", "html_block", "html_inline"])
)
OUTER_LEVEL = 2  # of the heading that prose stands under: a step's


def lower_headings(state: StateCore) -> None:
    """Headings of prose go below those of the page, and none skips a level."""
    level = OUTER_LEVEL
    for token in state.tokens:
        if token.type == "heading_open":
            level = min(OUTER_LEVEL + int(token.tag[1]), level + 1, 6)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{level}"


PARSER.core.ruler.push("lower_headings", lower_headings)


def keep_attribute(tag: str, name: str, value: str) -> str | None:
    """Only absolute links: a relative one would act on this site. `rel` is the cleaner's own."""
    if name == "rel":
        return value
    is_absolute = value.lower().startswith(("http://", "https://", "mailto:"))
    return value if (tag, name) == ("a", "href") and is_absolute else None


def show_unformatted(text: str) -> SafeString:
    """`text` as it was written."""
    return mark_safe(f'<p class="pre">{show_plain(text)}</p>')


def show_markdown(text: str) -> SafeString:
    """`text` rendered, its line breaks as they were written. Costly: `budget` decides where."""
    safe = nh3.clean(
        PARSER.render(clean(text)),
        tags=TAGS,
        attributes={"a": {"href"}},
        attribute_filter=keep_attribute,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow ugc",
    )
    return mark_safe(INVISIBLE.sub(name_invisible, safe))
