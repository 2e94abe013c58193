"""Parts of a web page that load something from elsewhere or run code, by its source alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

LOADING = ("src", "srcset", "poster", "data", "background", "xlink:href")
LINKS = frozenset({"a", "area"})  # followed, and not loaded
INSIDE = ("data:", "#")
IN_STYLE = re.compile(r"@import|url\(\s*['\"]?(?!data:|#|['\"\s)])", re.IGNORECASE)


def foreign_parts(soup: Any) -> list[str]:
    """Names of the elements, attributes and rules that load something, run a script or lead away.

    Pictures and fonts that the page itself holds (`data:`) are none.
    """
    found = []
    for element in soup.find_all(True):
        if element.name in ("script", "iframe"):
            found.append(element.name)
            continue
        found += [name for name in element.attrs if name.lower().startswith("on")]
        found += [name for name, value in loaded(element) if not value.startswith(INSIDE)]
        if str(element.get("href", "")).strip().lower().startswith("javascript:"):
            found.append("javascript:")
        if str(element.get("http-equiv", "")).strip().lower() == "refresh":
            found.append("refresh")
    sheets = [str(part) for sheet in soup.find_all("style") for part in sheet.contents]
    sheets += [str(element.get("style")) for element in soup.find_all(style=True)]
    return found + [rule for sheet in sheets for rule in IN_STYLE.findall(uncommented(sheet))]


def loaded(element: Any) -> Iterator[tuple[str, str]]:
    """(what to call it, address in small letters) of each thing that the element loads."""
    for name in (*LOADING, *(() if element.name in LINKS else ("href",))):
        value = str(element.get(name, "")).strip().lower()
        if value:
            yield element.name, value


def uncommented(sheet: str) -> str:
    """A style sheet without its comments; one that is not closed goes on to the end."""
    head, *rest = sheet.split("/*")
    return head + "".join(part.partition("*/")[2] for part in rest)
