"""Fields that a submitter adds to every request: a small JSON object, read and bounded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from runner.contract import Fault, Problem, ProblemError

MAX_CHARS = 4_000  # of the object as JSON
MAX_DEPTH = 6
MAX_FIELDS = 40  # at the top
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")

# What the run itself decides, or what a field of the submission says.
RESERVED = {
    "model": "it is the field “model”",
    "messages": "the run writes the conversation",
    "stream": "it is the field “stream”",
    "stream_options": "the run asks for the token counts",
    "temperature": "it is the field “temperature”",
    "top_p": "it is the field “top p”",
    "max_tokens": "it is the field “tokens per reply”",
    "max_completion_tokens": "it is the field “tokens per reply”",
    "stop": "the action format says where a reply ends",
    "tools": "the action format brings its own tool",
    "tool_choice": "the action format brings its own tool",
    "parallel_tool_calls": "the action format brings its own tool",
    "functions": "the action format brings its own tool",
    "function_call": "the action format brings its own tool",
    "n": "each step takes one reply",
    "api_key": "the key has its own field, which is never shown",
}


def read(text: str) -> dict[str, Any]:
    """The object in `text`; {} for blanks. ProblemError says what is wrong with it."""
    if not text.strip():
        return {}
    if len(text) > MAX_CHARS:
        raise too_long()
    try:
        return check(json.loads(text, parse_constant=no_number, object_pairs_hook=no_twins))
    except json.JSONDecodeError as error:
        raise no_json(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except ValueError as error:
        raise no_json(str(error)) from None
    except RecursionError:
        raise too_deep() from None


def no_number(word: str) -> float:
    raise ValueError(f"{word} is not a JSON number")


def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which each name stands once: of two, endpoints differ on which counts."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is given twice")
    return found


def check(value: object) -> dict[str, Any]:
    """`value` if it can be merged into a request. ProblemError says why it cannot."""
    if not isinstance(value, Mapping):
        raise refuse(
            "The extra request fields are not a JSON object.", 'Write it as in {"name": value}.'
        )
    if depth_of(value) > MAX_DEPTH:
        raise too_deep()
    if len(value) > MAX_FIELDS:
        raise refuse(
            f"There are {len(value)} extra request fields; {MAX_FIELDS} is the limit.",
            "Leave out those that the endpoint sets by default.",
        )
    for name in value:
        require_free(str(name))
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (ValueError, TypeError):
        raise refuse(
            "The extra request fields contain a number or a character that no request can carry.",
            "Take out NaN, Infinity and halves of surrogate pairs.",
        ) from None
    if len(text) > MAX_CHARS:
        raise too_long()
    return dict(value)


def require_free(name: str) -> None:
    if name.lower() in RESERVED:
        raise refuse(
            f"The extra request fields cannot set “{name}”: {RESERVED[name.lower()]}.",
            "Remove it from the extra request fields.",
        )
    if not NAME.fullmatch(name):
        raise refuse(
            f"“{name[:40]}” is not a valid name of a request field.",
            "A name is at most 64 letters, digits, _, . and -, and begins with a letter.",
        )


def depth_of(value: object) -> int:
    """Nesting depth of objects and lists; walked level by level, never by recursion."""
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, (Mapping, list, tuple))]:
        depth += 1
        if depth > MAX_DEPTH:
            break
        level = [inner for item in level for inner in inside(item)]
    return depth


def inside(value: Any) -> Iterator[Any]:
    yield from value.values() if isinstance(value, Mapping) else value


def texts_of(value: object) -> Iterator[str]:
    """Every text that stands in `value` as a value: what an endpoint could repeat."""
    level = [value]
    while level:
        yield from (item for item in level if isinstance(item, str))
        boxes = [item for item in level if isinstance(item, (Mapping, list, tuple))]
        level = [inner for box in boxes for inner in inside(box)]


def dump(value: Mapping[str, object]) -> str:
    """One text for one object, whatever order its names came in; "" for an empty one."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""


def refuse(what: str, next_step: str) -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, "bad_extra_body", what, next_step))


def no_json(why: str) -> ProblemError:
    return refuse(
        f"The extra request fields are not JSON ({why}).",
        'Write an object, such as {"reasoning_effort": "low"}.',
    )


def too_long() -> ProblemError:
    return refuse(
        f"The extra request fields are longer than {MAX_CHARS} characters.",
        "Leave out what is not needed.",
    )


def too_deep() -> ProblemError:
    return refuse(
        f"The extra request fields are nested deeper than {MAX_DEPTH} levels.",
        "Write it with fewer levels.",
    )
