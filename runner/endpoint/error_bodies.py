"""The words in an endpoint's error body, in whichever of the known shapes they come."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

MOST_CHARS = 4_000  # of a message that is read
MOST_CODES = 8
MOST_DEPTH = 6
MOST_ITEMS = 5  # of a list of errors
# Names of fields, in small letters and without underscores; those before are looked at first.
CODES = ("code", "type", "status", "errortype", "errorcode", "reason")
WORDS = (
    "message", "errordescription", "error", "detail", "errors", "msg", "errormessage",
    "errormsg", "statusmsg", "faultstring", "fault", "exception", "description", "reason", "data",
    "response", "baseresp", "title",
)  # fmt: skip
INSIDE = (*WORDS, "innererror", "details")  # where more codes may be
MOST_FIELDS = 50  # of an object
MOST_OBJECTS = 300  # and lists, in one body

Room = Iterator[int]  # one for each object or list that may still be looked into


@dataclass(frozen=True)
class ErrorReport:
    """An endpoint's report of an error: a message for people, codes for programs."""

    message: str = ""
    codes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it, to be searched."""
        return " ".join((self.message, *self.codes))


def read_error(body: object) -> ErrorReport:
    """The message and codes in a decoded body; a web page says nothing.

    OpenAI's {"error": {"message": …}}, {"error": "…"}, FastAPI's {"detail": …}, {"message": …},
    {"errors": […]}, {"fault": {"faultstring": …}}, a list of any of them, and JSON inside a message
    are known, whichever way their names are written.
    """
    message = "; ".join(dict.fromkeys(words_in(body, 0, iter(range(MOST_OBJECTS)))))[:MOST_CHARS]
    if not message and isinstance(body, dict | list) and body:
        message = as_json(body)[:MOST_CHARS]
    codes = dict.fromkeys(codes_in(body, 0, iter(range(MOST_OBJECTS))))
    return ErrorReport(message, tuple(codes)[:MOST_CODES])


def as_json(body: object) -> str:
    try:
        return json.dumps(body, ensure_ascii=False, default=str)
    except RecursionError:  # it is nested as deeply as could just be read
        return ""


def words_in(value: object, depth: int, room: Room) -> Iterator[str]:
    """The first words that `value` holds; those of a list's first members."""
    if isinstance(value, str):
        yield from words_in_text(value[:MOST_CHARS].strip(), depth, room)
    elif depth > MOST_DEPTH or next(room, None) is None:
        return
    elif isinstance(value, list):
        for member in value[:MOST_ITEMS]:
            yield from words_in(member, depth + 1, room)
    elif isinstance(value, dict):
        yield from words_in_object(value, depth, room)


def words_in_text(text: str, depth: int, room: Room) -> Iterator[str]:
    if is_markup(text):
        return
    if text.startswith(("{", "[")):
        try:
            inner = list(words_in(json.loads(text), depth + 1, room))
        except (ValueError, RecursionError):
            inner = []
        if inner:
            yield from inner
            return
    if text:
        yield text


def is_markup(text: str) -> bool:
    """True for a web page; "<400> InternalError: …" are words."""
    return text.startswith("<") and (text[1:2].isalpha() or text[1:2] in ("!", "?", "/"))


def words_in_object(value: Mapping[str, object], depth: int, room: Room) -> Iterator[str]:
    value = by_plain_name(value)
    for name in WORDS:
        found = list(words_in(value.get(name), depth + 1, room))
        if found:
            where = place_of(value.get("loc"))
            yield from (f"{where}: {words}" if where else words for words in found)
            break
    raw = value.get("metadata")
    if isinstance(raw, dict):  # a router's, which passes on what its provider said
        yield from words_in(raw.get("raw"), depth + 1, room)


def by_plain_name(value: Mapping[str, object]) -> dict[str, object]:
    """The fields of an object by names that servers of all habits share ("errorMessage")."""
    fields = islice(value.items(), MOST_FIELDS)
    return {str(name)[:60].replace("_", "").lower(): inside for name, inside in fields}


def place_of(loc: object) -> str:
    """Path in the request at which FastAPI found a fault: "body.messages.0"."""
    steps = loc[:MOST_ITEMS] if isinstance(loc, list) else []
    return ".".join(str(step)[:40] for step in steps)


def codes_in(value: object, depth: int, room: Room) -> Iterator[str]:
    if not isinstance(value, dict | list) or depth > MOST_DEPTH or next(room, None) is None:
        return
    if isinstance(value, list):
        for member in value[:MOST_ITEMS]:
            yield from codes_in(member, depth + 1, room)
    else:
        value = by_plain_name(value)
        for name in CODES:
            code = value.get(name)
            if isinstance(code, str) and code.strip():
                yield code.strip()[:100]
        for name in INSIDE:
            yield from codes_in(value.get(name), depth + 1, room)
