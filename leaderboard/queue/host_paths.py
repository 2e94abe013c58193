"""Leaves the paths of this host out of sentences that accounts and visitors read."""

from __future__ import annotations

import re

HIDDEN = "…"
# An address of the web stays; a path in quotes may have spaces, another ends at the first.
PATH = re.compile(
    r"""https?://\S+|(?<=')/[^'\n]+|(?<=")/[^"\n]+|(?<=“)/[^”\n]+|(?<![\w/.])/[^\s'"“”(),;:]+"""
)


def hide_paths(text: str) -> str:
    """The text with an ellipsis in place of each absolute path."""
    return PATH.sub(lambda found: found[0] if found[0].startswith("http") else HIDDEN, text)
