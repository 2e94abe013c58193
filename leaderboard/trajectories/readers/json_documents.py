"""Reads JSON that strangers wrote: bounded, in any encoding, and as far as a cut file goes."""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from typing import Any

from leaderboard.trajectories.readers.conversation import JSON, Unusable

MOST_UNENDED = 12  # characters of a word, number or escape that a file may end within
CUT = "it may be cut off."
MAX_LINE_BYTES = 64 << 20
MAX_DOCUMENT_BYTES = 64 << 20
MAX_VALUES = 6_000_000  # of one document; each takes up to 100 bytes of memory

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like the next one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
OTHER_ENCODINGS = ("gb18030", "latin-1")  # tried in turn where a line is not UTF-8
TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{},]', re.DOTALL)
CLOSES = {"[": "]", "{": "}"}


@dataclass(frozen=True)
class Document:
    """A JSON value of a file."""

    value: Any
    line: int = 1
    raw: bytes = b""
    damage: str = ""  # "cut" where the file ends within it, "damaged" where it is no JSON


def in_utf8(data: bytes) -> bytes:
    """The file in UTF-8 where a mark at its beginning tells another encoding, without the mark."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            data = data[len(mark) :]
            if encoding != "utf-8":
                data = data.decode(encoding, "replace").encode("utf-8", "replace")
            break
    return data


def text_of_bytes(raw: bytes) -> tuple[str, str]:
    """The text and the name of its encoding."""
    for encoding in ("utf-8", *OTHER_ENCODINGS):
        try:
            return raw.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    raise AssertionError("latin-1 takes every byte")


def parse_line(raw: bytes) -> tuple[Any, tuple[str, ...]]:
    """The JSON value of a line, with a note when it is not in UTF-8. Raises Unusable."""
    if len(raw) > MAX_LINE_BYTES:
        raise Unusable(f"The line is longer than {MAX_LINE_BYTES >> 20} MiB.")
    refuse_many(raw, "line")
    text, encoding = text_of_bytes(raw)
    notes = () if encoding == "utf-8" else (f"read as {encoding}",)
    try:
        return JSON.decode(text.strip("\x00 \t\r\ufeff")), notes
    except RecursionError:
        raise Unusable("The JSON is nested too deeply.") from None
    except ValueError as error:
        where = f" at character {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise Unusable(f"The line is not valid JSON{where}; {CUT}") from None


def refuse_many(raw: bytes, name: str) -> None:
    """Raise Unusable for more values than memory is there for."""
    if raw.count(b",") + raw.count(b"[") + raw.count(b"{") > MAX_VALUES:
        raise Unusable(f"The {name} holds more than {MAX_VALUES:,} values.")


def parse_document(data: bytes) -> Document:
    """The one JSON value of a file, as far as it goes. Raises Unusable."""
    if len(data) > MAX_DOCUMENT_BYTES:
        raise Unusable(f"The JSON document is longer than {MAX_DOCUMENT_BYTES >> 20} MiB.")
    refuse_many(data, "file")
    text = text_of_bytes(data)[0].strip("\x00 \t\r\n\ufeff")
    try:
        return Document(JSON.decode(text), raw=data)
    except RecursionError:
        raise Unusable("The JSON is nested too deeply.") from None
    except json.JSONDecodeError as error:
        return mended(text, error, data)
    except ValueError:
        raise Unusable("The JSON has a number of more than 4,300 digits.") from None


def mended(text: str, error: json.JSONDecodeError, data: bytes) -> Document:
    """The part before the place where the text is no JSON, with its brackets closed."""
    is_unended = error.msg.startswith("Unterminated string")
    is_cut = is_unended or len(text) - error.pos <= MOST_UNENDED
    whole = closed(text if is_cut else text[: error.pos])
    problem = Unusable(f"The file is not valid JSON at character {error.pos + 1}.")
    if not whole:
        raise problem
    try:
        value = JSON.decode(whole)
    except RecursionError:
        raise Unusable("The JSON is nested too deeply.") from None
    except ValueError:
        raise problem from None
    return Document(value, raw=data, damage="cut" if is_cut else "damaged")


def closed(text: str) -> str:
    """The longest beginning of `text` that ends behind a whole value, with brackets closed."""
    open_now: list[str] = []
    end = 0
    for token in TOKEN.finditer(text):
        sign = token[0]
        if sign in CLOSES:
            open_now.append(sign)
        elif sign in ("]", "}"):
            if not open_now or CLOSES[open_now[-1]] != sign:
                break
            open_now.pop()
        elif sign != ",":
            continue
        end = token.start() if sign == "," else token.end()
    return text[:end] + "".join(CLOSES[sign] for sign in reversed(open_now))
