"""One output of a cell as what the page shows of it: text, traceback, table or picture."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from leaderboard.rendering.budget import can_afford
from leaderboard.rendering.html_tables import show_table
from leaderboard.rendering.text import Bounded, bound_ends
from leaderboard.rendering.tracebacks import TracebackPart, fold_traceback
from runner.contract import OutputKind

STREAM_LIMIT_CHARS = 200_000
PICTURE_LIMIT_CHARS = 4_000_000  # of base64 in a row's body
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]+")

NOTHING = Bounded("")

Address = Callable[[str, str], str]  # (SHA-256, MIME type) of a stored picture to its address


@dataclass(frozen=True)
class OutputBlock:
    """One output as shown. `picture` is an address, `table` is sanitised markup."""

    kind: OutputKind
    text: Bounded = NOTHING
    tail: str = ""  # the end of a text whose middle is cut
    parts: tuple[TracebackPart, ...] = ()
    error: str = ""  # "KeyError: 'x'"
    picture: str = ""
    table: SafeString | None = None
    source: str = ""  # HTML that is not interpreted
    cut_chars: int = 0  # missing already when it was recorded


def describe(output: Mapping[str, Any], address: Address) -> OutputBlock:
    """The block of a stored `runner.contract.Output`."""
    kind = OutputKind(output["kind"])
    text = as_text(output.get("text"))
    if kind is OutputKind.ERROR:
        return describe_error(output, text)
    data = output.get("data") or {}
    html = as_text(data.get("text/html"))
    picture = find_picture(data, address)
    table = show_table(html) if html and not picture and can_afford(len(html) // 4) else None
    body, tail = bound_ends("" if picture or table else text or plain_of(data), STREAM_LIMIT_CHARS)
    return OutputBlock(
        kind,
        text=body,
        tail=tail,
        picture=picture,
        table=table,
        source="" if picture or table else html[:STREAM_LIMIT_CHARS],
        cut_chars=int(output.get("cut_chars") or 0),
    )


def describe_error(output: Mapping[str, Any], text: str) -> OutputBlock:
    body, tail = bound_ends(text, STREAM_LIMIT_CHARS)
    name, value = as_text(output.get("error_name")), as_text(output.get("error_value"))
    return OutputBlock(
        OutputKind.ERROR,
        text=body,
        tail=tail,
        parts=fold(body.text) if not tail else (),
        error=f"{name}: {value}"[:500] if value else name[:500],
        cut_chars=int(output.get("cut_chars") or 0),
    )


def fold(text: str) -> tuple[TracebackPart, ...]:
    """The parts of a traceback; in one where it has too many lines."""
    if not can_afford(len(text) // 20 + 5 * text.count("\n")):
        return (TracebackPart(text),)
    return tuple(fold_traceback(text))


def as_text(value: object) -> str:
    """Jupyter sends text as a string or as a list of lines."""
    if isinstance(value, list):
        return "".join(map(str, value))
    return value if isinstance(value, str) else ""


def plain_of(data: Mapping[str, Any]) -> str:
    return next(
        (
            as_text(data[mime])
            for mime in ("text/plain", "text/markdown", "text/latex")
            if mime in data
        ),
        "",
    )


def find_picture(data: Mapping[str, Any], address: Address) -> str:
    """The address of the bundle's first picture, stored or inline; "" when it has none."""
    for mime in PICTURES:
        value = data.get(mime)
        if isinstance(value, Mapping) and isinstance(value.get("blob"), str):
            return address(value["blob"], mime)
        if inline := inline_picture(mime, as_text(value)):
            return inline
    return ""


def inline_picture(mime: str, text: str) -> str:
    """A data address. In an <img> no script of an SVG runs and nothing is fetched."""
    if not text or len(text) > PICTURE_LIMIT_CHARS:
        return ""
    if mime == "image/svg+xml":
        encoded = base64.b64encode(text.encode("utf-8", "replace")).decode()
        return f"data:{mime};base64,{encoded}"
    return f"data:{mime};base64,{''.join(text.split())}" if BASE64.fullmatch(text) else ""
