"""Prose of a model as markup: no raw HTML, no images, no relative links."""

from __future__ import annotations

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from leaderboard.rendering.text import INVISIBLE, make_encodable, name_invisible, show_plain

LIMIT_CHARS = 64 * 1024
TAGS = {
    "p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li",
    "h1", "h2", "h3", "h4", "h5", "h6", "a", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
PARSER = (
    MarkdownIt("commonmark", {"html": False, "linkify": False})
    .enable(["table", "strikethrough"])
    .disable(["image", "html_block", "html_inline"])
)


def keep_attribute(tag: str, name: str, value: str) -> str | None:
    """Only absolute links: a relative one would act on this site. `rel` is the cleaner's own."""
    if name == "rel":
        return value
    is_absolute = value.lower().startswith(("http://", "https://", "mailto:"))
    return value if (tag, name) == ("a", "href") and is_absolute else None


def show_markdown(text: str) -> SafeString:
    """`text` rendered; escaped as it is when it is beyond the cap."""
    if len(text) > LIMIT_CHARS:
        return mark_safe(f'<p class="pre">{show_plain(text[:LIMIT_CHARS])}</p>')
    clean = nh3.clean(
        PARSER.render(make_encodable(text)),
        tags=TAGS,
        attributes={"a": {"href"}},
        attribute_filter=keep_attribute,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow ugc",
    )
    return mark_safe(INVISIBLE.sub(name_invisible, clean))
