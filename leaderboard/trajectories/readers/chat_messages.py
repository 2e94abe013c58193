"""Reads one message of a conversation, in the words of OpenAI, Anthropic, Inspect or the Hub."""

from __future__ import annotations

import binascii
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from leaderboard.trajectories.readers.conversation import MadeCall, Said, Unusable
from leaderboard.trajectories.readers.extra_fields import usage_of
from runner.contract import Output, OutputKind, Usage

ROLES = {"model": "assistant", "ai": "assistant", "agent": "assistant", "human": "user"}
RESULT_ROLES = frozenset({"tool", "function", "toolResult", "tool-response"})
PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
MAX_PICTURE_CHARS = 16 << 20  # of base64
MAX_NAME_CHARS = 200
MAX_CALLS = 500  # of one reply

# Names of counts of tokens: ours, OpenAI's, Anthropic's and Inspect's.
TOKENS = {
    "prompt_tokens": ("prompt_tokens", "input_tokens", "inputTokens", "input"),
    "completion_tokens": ("completion_tokens", "output_tokens", "outputTokens", "output"),
    "cached_tokens": ("cached_tokens", "input_tokens_cache_read", "cache_read_input_tokens"),
    "reasoning_tokens": ("reasoning_tokens",),
}


def read_message(message: object, position: int) -> Said:
    """The message as it was said. Raises Unusable."""
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        raise Unusable(f"Message {position} is no object with a “role”.")
    named: str = message["role"]
    role = ROLES.get(named, named)[:40]
    content = message.get("content")
    calls = (*calls_of(message), *calls_in(content)) if role == "assistant" else ()
    answers = first_text(message, "tool_call_id", "toolCallId")
    listed = message.get("tool_call_ids")  # SWE-agent's
    if not answers and isinstance(listed, list) and listed and isinstance(listed[0], str):
        answers = listed[0]
    return Said(
        role="tool" if role in RESULT_ROLES else role,
        text=text_of(content),
        calls=calls[:MAX_CALLS],
        answers=(answers or answered_in(content))[:MAX_NAME_CHARS],
        thought=thought_of(message),
        outputs=() if role == "assistant" else tuple(pictures_in(content)),
        usage=tokens_of(message.get("usage")),
    )


def read_parts(message: object, position: int) -> Iterator[Said]:
    """The message; one for each part where the user's message answers calls, as Anthropic's do."""
    said = read_message(message, position)
    if said.role != "user" or not said.answers or not isinstance(message, dict):
        yield said
        return
    for part in message["content"]:
        one = read_message({"role": "user", "content": [part]}, position)
        yield replace(one, role="tool" if one.answers else "user")


def text_of(value: object) -> str:
    """A message's content as text: a string, or the texts of a list of parts."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(text for part in value if (text := text_of_part(part)) is not None)
    return "" if value is None or isinstance(value, dict) else str(value)


def text_of_part(part: object) -> str | None:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return None
    if part.get("type") == "tool_result":
        return text_of(part.get("content"))
    text = part.get("text", part.get("refusal"))
    return text if isinstance(text, str) else None


def parts_of(content: object) -> Iterator[dict[str, Any]]:
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict):
            yield part


def thought_of(message: Mapping[str, Any]) -> str:
    """Reasoning beside the text: in a field of its own, or in parts."""
    content = message.get("content")
    parts = [
        first_text(part, "thinking", "reasoning", "summary")
        for part in parts_of(content)
        if part.get("type") in ("thinking", "reasoning")
    ]
    field = first_text(message, "reasoning_content", "reasoningContent", "reasoning", "thought")
    is_said_too = bool(field) and field == content
    return "\n\n".join(part for part in ("" if is_said_too else field, *parts) if part)


def first_text(value: Mapping[str, Any], *names: str) -> str:
    for name in names:
        text = value.get(name)
        if isinstance(text, str):
            return text
    return ""


def calls_of(message: Mapping[str, Any]) -> tuple[MadeCall, ...]:
    """The tool calls in a message's own field."""
    listed = message.get("tool_calls", message.get("toolCalls"))
    calls = [call_of(call) for call in (listed if isinstance(listed, list) else ())[:MAX_CALLS]]
    old = message.get("function_call")
    if isinstance(old, dict):
        calls.append(call_of({"function": old}))
    return tuple(call for call in calls if call is not None)


def calls_in(content: object) -> Iterator[MadeCall]:
    """The calls among a message's parts, as Anthropic's API and Pi have them."""
    for part in parts_of(content):
        if part.get("type") in ("tool_use", "toolCall", "tool-call", "server_tool_use"):
            call = call_of(part)
            if call is not None:
                yield call


def call_of(value: object) -> MadeCall | None:
    """A call whose name and arguments stand in it, or in its “function”."""
    if not isinstance(value, dict):
        return None
    inner = value.get("function")
    function = inner if isinstance(inner, dict) else value
    name = inner if isinstance(inner, str) else first_text(function, "name", "function_name")
    found = (function.get(key) for key in ("arguments", "input", "args"))
    arguments = next((told for told in found if told is not None), "")
    if not name:
        return None
    return MadeCall(
        id=first_text(value, "id", "call_id", "tool_call_id")[:MAX_NAME_CHARS],
        name=name[:MAX_NAME_CHARS],
        arguments=arguments if isinstance(arguments, str) else written(arguments),
    )


def written(value: object) -> str:
    """A value as JSON; its plain text if it is nested too deeply."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        return "(nested too deeply)"


def answered_in(content: object) -> str:
    """The id of the call that a message's parts answer."""
    return next(
        (
            first_text(part, "tool_use_id", "toolCallId")
            for part in parts_of(content)
            if part.get("type") in ("tool_result", "tool-result")
        ),
        "",
    )


def pictures_in(content: object) -> Iterator[Output]:
    """The pictures among a message's parts, as outputs that display them."""
    for part in parts_of(content):
        if part.get("type") == "tool_result":
            yield from pictures_in_parts(part.get("content"))
    yield from pictures_in_parts(content)


def pictures_in_parts(content: object) -> Iterator[Output]:
    for part in parts_of(content):
        url, source = part.get("image_url", part.get("image")), part.get("source")
        if isinstance(url, dict):
            url = url.get("url")
        if isinstance(url, str) and url.startswith("data:"):
            mime, _, data = url.removeprefix("data:").partition(";base64,")
            yield from picture(mime, data)
        elif isinstance(source, dict) and isinstance(source.get("data"), str):
            yield from picture(first_text(source, "media_type"), source["data"])
        elif part.get("type") == "image" and isinstance(part.get("data"), str):
            yield from picture(first_text(part, "mimeType", "media_type"), part["data"])


def picture(mime: str, data: str) -> Iterator[Output]:
    """The output that displays a picture; nothing if it is none, or too long."""
    if mime in PICTURES and len(data) <= MAX_PICTURE_CHARS and is_base64(data):
        yield Output(OutputKind.DISPLAY, data={mime: data})


def is_base64(data: str) -> bool:
    try:
        binascii.a2b_base64(data)
    except ValueError:  # binascii.Error, or letters that are not ASCII
        return False
    return True


def tokens_of(value: object) -> Usage:
    """Tokens of a reply, under any of the usual names."""
    if not isinstance(value, dict):
        return Usage()
    details = [
        value.get(name)
        for name in ("prompt_tokens_details", "completion_tokens_details", "input_tokens_details",
                     "output_tokens_details", "extra")
    ]  # fmt: skip
    places = [value, *(place for place in details if isinstance(place, dict))]
    return usage_of(
        {
            ours: next((place[name] for place in places for name in names if name in place), None)
            for ours, names in TOKENS.items()
        }
    )
