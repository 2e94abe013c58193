"""Colours that a web page's style sheet gives to some of its parts, without a browser.

    page_styles.are_coloured_apart(page, vegetarian_rows, other_rows)

A small part of CSS is read: the rules of the sheets, those for print and for states left out.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

from runner.checks.text import self_contained

MOST_RULES = 400
COLOURING = ("color", "background", "background-color")
UNCOLOURED = ("", "inherit", "initial", "unset", "revert", "currentcolor", "none", "transparent")
STATE = re.compile(r":(?:hover|focus|active|visited|target|checked|before|after|first-l)|::")
PRINTED = re.compile(r"@media[^{]*print[^{]*\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}")
Style = dict[str, str]


def chosen_by(soup: Any, selector: str) -> list[Any]:
    """The elements that a selector chooses while nobody points at them; none where it is none."""
    with contextlib.suppress(Exception):  # a selector of another kind says nothing here
        return list(soup.select(selector))
    return []


def are_coloured_apart(soup: Any, ours: Sequence[Any], others: Sequence[Any]) -> bool:
    """True if rules give each of `ours`, or what is in it, a colour that they give no `others`."""
    coloured: set[int] = set()
    inside = {id(one): {id(one), *map(id, one.find_all(True))} for one in [*ours, *others]}
    for selector, declared in rules_of(soup):
        if any(declared.get(name, UNCOLOURED[0]) not in UNCOLOURED for name in COLOURING):
            found = {id(element) for element in chosen_by(soup, selector)}
            if not any(found & inside[id(one)] for one in others):
                coloured |= found
    return all(coloured & inside[id(one)] for one in ours)


def rules_of(soup: Any) -> Iterator[tuple[str, Style]]:
    """(selector, declarations) of the sheets, those for print and for states left out."""
    sheets = PRINTED.sub("", sheets_of(soup))
    for selectors, body in re.findall(r"([^{}@;]+)\{([^{}]*)\}", sheets)[:MOST_RULES]:
        declared = declarations(body)
        listed = [selectors] if "(" in selectors else selectors.split(",")
        for selector in listed if declared else ():
            if not STATE.search(selector):
                yield selector.strip(), declared


def sheets_of(soup: Any) -> str:
    """The page's style sheets, without comments."""
    sheets = "\n".join("".join(map(str, sheet.contents)) for sheet in soup.find_all("style"))
    return str(self_contained.uncommented(sheets))


def declarations(body: str) -> Style:
    pairs = (one.partition(":") for one in body.split(";"))
    cleaned = ((name.strip().lower(), value.strip().lower()) for name, _, value in pairs)
    return {name: value for name, value in cleaned if name in COLOURING and value}
