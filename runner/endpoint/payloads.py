"""JSON of an endpoint's replies, decoded into a draft: large ones by a process of their own."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

from runner.endpoint.completion import ReplyDraft
from runner.endpoint.error_bodies import ErrorReport, read_error

LARGE_BYTES = 64 * 1024  # a smaller one is decoded in a fraction of a millisecond
MOST_MODELS = 20_000  # of a list of models that is looked at
MOST_NAME_CHARS = 500


# Names by which servers state a context: vLLM and SGLang, OpenRouter, LM Studio, Groq, Mistral.
CONTEXT_NAMES = (
    "max_model_len",
    "context_length",
    "loaded_context_length",
    "max_context_length",
    "context_window",
)
MOST_CONTEXT = 1_000_000_000

DECODER = json.JSONDecoder(strict=False)
BETWEEN = re.compile(r"\s*+(?:data:\s*+)*+", re.IGNORECASE)  # before an object, and between two
KEEP_ALIVE = re.compile(  # text in place of an object; it may be in brackets
    rb"[\[<(: ]{0,3}"
    rb"(?:|ping|pong|heart-?_?beat|keep-?_? ?alive|noop|processing|waiting|done)[\]>): .]{0,5}",
    re.IGNORECASE,
)
COMMENT = b"<!--"  # of gateways that write HTML's
BEGINS_OBJECT = re.compile(rb"\[?\s*+(?:\{|\Z)")  # or a list of them


class NotJson(ValueError):
    """The bytes are no JSON object: other JSON (`is_other`), what looks like a page, or text."""

    def __init__(self, is_page: bool = False, is_other: bool = False) -> None:
        super().__init__(is_page, is_other)
        self.is_page, self.is_other = is_page, is_other


class ErrorInside(Exception):
    """The payload is an error, sent with a status of success. `code` is 0 where it names none."""

    def __init__(self, said: ErrorReport, code: int) -> None:
        super().__init__(said, code)
        self.said, self.code = said, code


def add_payload(draft: ReplyDraft, data: bytes) -> ReplyDraft:
    """`draft` with what the objects in `data` add to it. Raises NotJson or ErrorInside."""
    for payload in objects_in(data):
        if error := error_in(payload):
            raise ErrorInside(read_error(error), code_of(error))
        draft.add(payload)
    return draft


def objects_in(data: bytes) -> list[dict[str, Any]]:
    """The JSON objects in `data`, at least one. Raises NotJson where there is none.

    Some gateways put two objects into one event, one behind the other or in a list.
    """
    try:
        values = decode_values(data)
    except (ValueError, RecursionError):
        raise NotJson(data.lstrip()[:1] == b"<") from None
    objects = [value for value in values if isinstance(value, dict)]
    if not objects:
        raise NotJson(is_other=True)
    return objects


def decode_values(data: bytes) -> list[Any]:
    """The JSON value in `data`, or several in a row; those of a list one by one."""
    text, position, values = text_in(data), 0, []
    while (position := BETWEEN.match(text, position).end()) < len(text):  # type: ignore[union-attr]
        value, position = DECODER.raw_decode(text, position)
        values.append(value)
    if not values:
        raise ValueError
    return [one for value in values for one in (value if isinstance(value, list) else [value])]


def text_in(data: bytes) -> str:
    """`data` as text; bytes of no character become U+FFFD."""
    encoding = json.detect_encoding(data)
    try:
        return data.decode(encoding, "surrogatepass")
    except UnicodeDecodeError:
        return data.decode(encoding, "replace")


def is_keep_alive(data: bytes) -> bool:
    """True if the text of an event says only that the connection is alive."""
    return data.startswith(COMMENT) or KEEP_ALIVE.fullmatch(data) is not None


def error_in(payload: dict[str, Any]) -> Any:
    """The error in a payload, also as servers name it that answer 200 to everything."""
    if error := payload.get("error"):
        return error
    if payload.get("choices") is not None:
        return None
    result = payload.get("base_resp")  # MiniMax's, beside every reply
    if isinstance(result, dict) and result.get("status_code"):
        return result
    if is_flat_error(payload):
        return payload
    return payload.get("Response") or payload.get("error_msg")


def error_of_event(data: bytes) -> ErrorInside:
    """The error in an event of that type: an object that names one or is one, or words."""
    error: Any = text_in(data[:LARGE_BYTES])
    with suppress(NotJson):
        payload = objects_in(data[:LARGE_BYTES])[0]
        error = error_in(payload) or payload
    return ErrorInside(read_error(error), code_of(error))


def is_flat_error(payload: dict[str, Any]) -> bool:
    """True for an error without a field of that name around it, as vLLM and FastAPI send it."""
    if payload.get("detail") or payload.get("errors"):
        return True
    kinds = (payload.get("object"), payload.get("type"))
    is_named = any("error" in kind.lower() for kind in kinds if isinstance(kind, str))
    return is_named or bool(payload.get("message") and code_of(payload))


def code_of(error: Any) -> int:
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 300 <= code < 600 else 0


def read_context_tokens(data: bytes, model: str) -> int | None:
    """Context length that a list of models states for `model`; None where it states none."""
    try:
        rows = json.loads(data)["data"][:MOST_MODELS]
        row = next(row for row in rows if row["id"] == model)
    except (ValueError, KeyError, TypeError, RecursionError, StopIteration):
        return None
    for name in CONTEXT_NAMES:
        value = row.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value < MOST_CONTEXT:
            return value
    return None


def read_names(data: bytes) -> frozenset[str] | None:
    """The names in a list of models; None for what is no such list, or an empty one."""
    try:
        rows = json.loads(data)["data"][:MOST_MODELS]
        names = frozenset(str(row["id"])[:MOST_NAME_CHARS] for row in rows)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return names or None
