"""Reading chat completions, whole or streamed: nothing an endpoint sends is believed unchecked."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from runner.contract import Usage
from runner.model.reply import ModelReply, ToolCall

SURROGATES = re.compile(r"[\ud800-\udfff]+")
MOST_RUNS, MOST_HALVES = 1_000, 64  # of them that are joined, and in one: the rest is rubbish
MOST_TOKENS = 1 << 24  # of a count that can be meant: no model takes or gives more at once
MOST_CALLS = 64
MOST_NAME_CHARS = 200
MOST_NEW_IDS = 8  # of one call, at which its end is looked for
LONGEST_ARGUMENTS = 1_000_000  # characters in which an end is looked for
INDEX = re.compile(r"\d{1,4}", re.ASCII)
# Why a reply ended, in OpenAI's words for those of Anthropic, Google, Mistral and Zhipu.
OPENAI_REASONS = {
    **dict.fromkeys(("max_tokens", "max_output_tokens", "model_length"), "length"),
    **dict.fromkeys(("safety", "recitation", "prohibited_content", "sensitive"), "content_filter"),
}
LEGACY = -1  # index of a call in OpenAI's older field, function_call
# A name with what a server left around it: functions.NAME:0, NAME<|channel|>commentary.
PLAIN_NAME = re.compile(
    r"\s*+(?:functions?\.|default_api\.)?+(?P<name>[\w.-]++)(?::\d++)?+\s*+(?:<[|｜]|\Z)"
)


@dataclass
class ReplyDraft:
    """A reply as it comes in, chunk by chunk; a whole completion is a single chunk."""

    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)  # the model's, in a field of its own
    calls: list[DraftCall] = field(default_factory=list)
    finish_reason: str = ""
    usage: Usage = field(default_factory=Usage)
    has_choice: bool = False
    has_delta: bool = False  # one of them held something
    is_whole: bool = False  # a message came, and no piece of one
    model: str = ""  # which one replied, as the endpoint says

    @property
    def chars(self) -> int:
        """Characters that have come: text, reasoning and arguments of calls."""
        pieces = (self.text, self.reasoning, *(call.arguments for call in self.calls))
        return sum(len(piece) for piece in chain.from_iterable(pieces))

    def add(self, payload: dict[str, Any]) -> None:
        """Take in one chunk, or one whole completion."""
        if payload.get("usage") is not None:
            self.usage = usage_of(payload["usage"])
        if isinstance(payload.get("model"), str):
            self.model = payload["model"][:MOST_NAME_CHARS]
        choices = payload.get("choices")
        for choice in choices if isinstance(choices, list) else []:
            if isinstance(choice, dict) and number_of(choice.get("index")) in (0, None):
                self.add_choice(choice)

    def join(self, later: ReplyDraft) -> None:
        """Take in what `later` read of a chunk that came after this draft's."""
        is_repeat = self.has_delta and later.is_whole
        if not is_repeat:
            self.text += later.text
            self.reasoning += later.reasoning
            self.refusal += later.refusal
        self.has_delta |= later.has_delta
        for call in later.calls if not (is_repeat and self.calls) else ():
            piece = {"index": call.index, "id": call.id, "function": {"name": "".join(call.name)}}
            self.call_for(piece).join(call)
        self.finish_reason = later.finish_reason or self.finish_reason
        self.usage = self.usage if later.usage == Usage() else later.usage
        self.has_choice |= later.has_choice
        self.model = later.model or self.model

    def add_choice(self, choice: dict[str, Any]) -> None:
        delta = choice.get("delta")
        message = delta or choice.get("message")
        if not message and isinstance(choice.get("text"), str):  # of the older completions
            message = delta = {"content": choice["text"]}
        if isinstance(message, dict):
            self.has_choice, self.is_whole = True, not delta
            # Some servers send the whole message once more behind its pieces.
            is_repeat = self.is_whole and self.has_delta
            if not is_repeat:
                self.add_texts(message, is_delta=bool(delta))
            if not (is_repeat and self.calls):
                self.add_calls(message.get("tool_calls"))
                self.add_calls(calls_in_parts(message.get("content")))
                if all(call.index == LEGACY for call in self.calls):
                    self.add_calls({"index": LEGACY, "function": message.get("function_call")})
            self.has_delta |= bool(delta) and bool(self.calls)
        if isinstance(choice.get("finish_reason"), str):
            self.has_choice = True
            reason = choice["finish_reason"][:40]
            self.finish_reason = OPENAI_REASONS.get(reason.lower(), reason)

    def add_texts(self, message: dict[str, Any], is_delta: bool) -> None:
        text, refusal = text_of(message.get("content")), text_of(message.get("refusal"))
        thought = thought_of(message)
        self.text.append(text)
        self.reasoning.append(thought)
        self.refusal.append(refusal)
        self.has_delta |= is_delta and bool(text or thought or refusal)

    def add_calls(self, calls: object) -> None:
        """Take in a list of calls, or of pieces of them; some servers send one without a list."""
        for call in calls if isinstance(calls, list) else [calls]:
            if not isinstance(call, dict):
                continue
            if isinstance(call.get("custom"), dict):  # OpenAI's tools of plain text
                call = {**call, **call["custom"]}
            if isinstance(call.get("name"), str) or "input" in call:
                # Without an object of their own.
                arguments = call.get("arguments", call.get("input"))
                call = {"function": {"name": call.get("name"), "arguments": arguments}, **call}
            if isinstance(call.get("function"), dict):
                self.call_for(call).add(call)

    def call_for(self, call: dict[str, Any]) -> DraftCall:
        """The draft that a piece belongs to: by index, else a new one for each new id.

        Some servers give every call the same index: a named piece with another id begins a new
        call once the last one is whole.
        """
        index = number_of(call.get("index"))
        last = next((d for d in reversed(self.calls) if d.index == index), None)
        if index is not None and last is not None and not last.is_followed_by(call):
            return last
        is_more = index is None and not call.get("id") and self.calls
        if is_more or len(self.calls) == MOST_CALLS:
            return self.calls[-1]
        self.calls.append(DraftCall(index))
        return self.calls[-1]

    def reply(self) -> ModelReply:
        text, refusal = whole("".join(self.text)), whole("".join(self.refusal))
        return ModelReply(
            text=text if text.strip() else refusal,
            refuses=bool(refusal.strip()) and not text.strip(),
            reasoning=whole("".join(self.reasoning)),
            tool_calls=tuple(self.tool_calls()),
            finish_reason=whole(self.finish_reason),
            usage=self.usage,
            model=" ".join(whole(self.model).split()),
        )

    def tool_calls(self) -> list[ToolCall]:
        """The calls, each with an id of its own: answers are matched by it."""
        calls: list[ToolCall] = []
        for number, draft in enumerate(self.calls, 1):
            taken = {call.id for call in calls}
            identity = whole(draft.id[:100])
            if not identity or identity in taken:
                identity = f"call_{number}"
            name, arguments = whole("".join(draft.name)), whole("".join(draft.arguments))
            if name.strip() or arguments.strip():
                calls.append(ToolCall(identity, plain_name(name), arguments))
        return calls


def number_of(index: object) -> int | None:
    """The index of a choice or a call, which some servers send as text; None without one."""
    if isinstance(index, str) and INDEX.fullmatch(index):
        return int(index)
    return index if isinstance(index, int) else None


@dataclass
class DraftCall:
    """A tool call as it comes in."""

    index: int | None
    id: str = ""
    name: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    new_ids: int = 0  # that came after its own

    def is_followed_by(self, call: dict[str, Any]) -> bool:
        """True if a piece with this call's index begins another."""
        function = call.get("function")
        is_named = isinstance(function, dict) and bool(function.get("name"))
        if not (is_named and self.id and call.get("id") not in (None, "", self.id)):
            return False
        self.new_ids += 1
        return self.new_ids <= MOST_NEW_IDS and is_object("".join(self.arguments))

    def add(self, call: dict[str, Any]) -> None:
        if isinstance(call.get("id"), str):
            self.id = call["id"] or self.id
        function = call.get("function")
        if isinstance(function, dict):
            self.add_name(text_of(function.get("name")))
            arguments = function.get("arguments")  # an object, from some servers
            is_object = isinstance(arguments, dict)
            self.arguments.append(json.dumps(arguments) if is_object else text_of(arguments))

    def add_name(self, piece: str) -> None:
        """Take in a piece of the name; some servers repeat it whole with each piece."""
        piece = piece[:MOST_NAME_CHARS]
        if piece and len(self.name) < MOST_NAME_CHARS and piece != "".join(self.name):
            self.name.append(piece)

    def join(self, later: DraftCall) -> None:
        self.id = later.id or self.id
        self.add_name("".join(later.name))
        self.arguments += later.arguments


def is_object(text: str) -> bool:
    """True for a whole JSON object."""
    if len(text) > LONGEST_ARGUMENTS or not text.rstrip().endswith("}"):
        return False
    try:
        return isinstance(json.loads(text, strict=False), dict)
    except (ValueError, RecursionError):
        return False


def plain_name(name: str) -> str:
    """The name of a tool without what a server left around it."""
    plain = PLAIN_NAME.match(name[:MOST_NAME_CHARS])
    return plain["name"] if plain else name


def text_of(value: object) -> str:
    """The text in a message's content: a string, a part with text in it, or a list of parts."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return value["text"] if isinstance(value.get("text"), str) else ""
    if isinstance(value, list):
        return "".join(text_of(p.get("text")) for p in value if isinstance(p, dict))
    return ""


def thought_of(message: dict[str, Any]) -> str:
    """The reasoning beside a message's text: in a field, else in parts of it or of its content."""
    for name in ("reasoning_content", "reasoning", "thinking", "reasoning_details"):
        if thought := text_of(message.get(name)):
            return thought
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    return "".join(text_of(part.get("thinking")) for part in parts if isinstance(part, dict))


def calls_in_parts(content: object) -> list[object]:
    """The calls among the parts of a message's content, as Anthropic's models have them."""
    parts = content if isinstance(content, list) else []
    return [p for p in parts if isinstance(p, dict) and p.get("type") == "tool_use"]


def whole(text: str) -> str:
    """`text` with halves of surrogate pairs joined, or replaced: it can be encoded again."""
    if not SURROGATES.search(text):
        return text
    return SURROGATES.sub("\ufffd", SURROGATES.sub(joined, text, MOST_RUNS))


def joined(run: re.Match[str]) -> str:
    """The characters that a run of halves makes."""
    return run[0][:MOST_HALVES].encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def usage_of(value: object) -> Usage:
    """Token counts; None for what the endpoint does not say or cannot mean."""
    if not isinstance(value, dict):
        return Usage()
    prompt, completion = value.get("prompt_tokens_details"), value.get("completion_tokens_details")
    cached = prompt.get("cached_tokens") if isinstance(prompt, dict) else None
    reasoning = completion.get("reasoning_tokens") if isinstance(completion, dict) else None
    return Usage(
        prompt_tokens=count_of(value.get("prompt_tokens")),
        completion_tokens=count_of(value.get("completion_tokens")),
        cached_tokens=count_of(value.get("prompt_cache_hit_tokens") if cached is None else cached),
        reasoning_tokens=count_of(reasoning),
    )


def count_of(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value < MOST_TOKENS else None
