"""Asking an OpenAI-compatible endpoint for replies, again where that may help."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import logging
import random
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Any, cast

import anyio
import httpx2
import openai

from runner.cancellation import loop_time
from runner.contract import ActionFormat, EndpointSpec, ProblemError, ReplyProgress
from runner.endpoint import errors
from runner.endpoint.completion import ReplyDraft
from runner.endpoint.error_bodies import read_error
from runner.endpoint.errors import EndpointError
from runner.endpoint.extras import extra_headers
from runner.endpoint.limiter import Gate
from runner.endpoint.payloads import (
    BEGINS_OBJECT,
    LARGE_BYTES,
    ErrorInside,
    NotJson,
    add_payload,
    error_of_event,
    is_keep_alive,
)
from runner.endpoint.refusal_words import FEW_TRIES, find_row
from runner.model.code_blocks import END
from runner.model.prompts import TOOL
from runner.model.reply import ModelReply
from runner.reading.readers import UnreadableText, readers

log = logging.getLogger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 20.0
RESTART_TRIES = 13  # of a server that has replied before: three minutes, in which it loads a model
NEWER_LIMIT = "max_completion_tokens"  # what some endpoints call max_tokens
BAD_REQUEST, SERVER_ERROR = "endpoint_bad_request", "endpoint_server_error"
USAGE_WORDS = ("stream_options", "include_usage")
REFUSED = r"(?:not (?:be )?(?:support|permit|allow)|unsupported|unrecognized|unknown|forbidden)"
STOP_WORDS = re.compile(  # of OpenAI's newer models, xAI, and servers that list each wrong field
    rf"{REFUSED}[^.]{{0,60}}\bstop\b|\bstop\b[^.]{{0,60}}{REFUSED}", re.IGNORECASE
)
# Chat templates, and providers, that know no system role.
ROLE_WORDS = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        r"\bsystem\b.{0,20}\brole\b.{0,30}\bnot (?:be )?(?:supported|allowed)",
        r"\brole\b.{0,40}\bnot support\b.{0,20}\bsystem\b",
        r"\bsystem\b.{0,20}\b(?:messages?|prompts?)\b.{0,30}\bnot (?:be )?(?:supported|allowed)",
        r"n(?:o|')t support\b.{0,10}\bsystem (?:messages?|prompts?|instructions?)\b",
        r"\bdeveloper instructions? (?:is|are) not (?:enabled|supported)",  # Google
        r"\bunexpected role.{1,3}system\b",
        r"\binvalid value.{1,3}system\b.{1,60}\buser\b",
        r"\bonly user and assistant roles are supported\b",
        r"(?<!message, )\bconversation roles must alternate user\b",  # Mistral's older templates
    )
)
# Why a reply ended, where the server failed: of vLLM and SGLang, routers, DeepSeek, Zhipu.
GIVEN_UP_REASONS = (
    "abort",
    "aborted",
    "error",
    "engine_error",
    "network_error",
    "insufficient_system_resource",
)
DONE = b"[DONE]"
IS_DONE = re.compile(rb"[\"']?\[done\][\"']?", re.IGNORECASE)
EVENT_TYPE = b"event:"
ERROR_TYPE = b"error"
MESSAGE_TYPES = (b"", b"message", ERROR_TYPE)  # whose data has to be JSON
DATA = re.compile(rb"[ \t]*+(?:data:\s*+)++", re.IGNORECASE)  # some gateways prefix it twice
COMMENTS = re.compile(rb"\s*+(?:(?::|<!--)[^\n]*+(?:\n\s*+|\Z))*+")
STARTS_EVENT = re.compile(rb"(?:data|event|id|retry):", re.IGNORECASE)  # never JSON
PROGRESS_EVERY_S = 1.0
FIRST_REQUEST = ReplyProgress()
DRAIN_S = 0.1  # for the end of a stream after its last event, to keep the connection
LATE_S = 1.0  # the same where no finish reason came: more of the reply may follow [DONE]

# The library wraps what fails before the body; the body's own errors come as they are.
CONNECTION_ERRORS = (openai.APIConnectionError, httpx2.HTTPError, OSError, anyio.EndOfStream)


@dataclass
class OpenEvent:
    """An event of a stream that has not ended."""

    held: list[bytes] = field(
        default_factory=list
    )  # lines of data that are no object by themselves
    is_foreign: bool = False  # its type is not that of a message
    is_error: bool = False  # its type is that of an error
    unread: NotJson | None = None  # what was text since the last object


class EndpointClient:
    """One model at one endpoint. Shares the HTTP client; closing that is its owner's."""

    def __init__(
        self,
        spec: EndpointSpec,
        http: httpx2.AsyncClient,
        *,
        gate: Gate | None = None,
        first_pause_s: float = FIRST_PAUSE_S,
        chance: random.Random | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        on_progress: Callable[[ReplyProgress], None] = lambda progress: None,
    ) -> None:
        """`on_progress` hears of each request, and about each second what came of a stream.

        Raises EndpointError when the address or the key cannot be used at all.
        """
        errors.check_spec(spec)
        self.spec = spec
        self.gate = gate
        self.first_pause_s = first_pause_s
        self.chance = chance or random.Random()
        self.sleep = sleep
        self.on_progress = on_progress
        self.wants_usage = spec.stream
        self.wants_stop = spec.action_format == ActionFormat.MARKERS
        self.has_system_role = True
        self.has_replied = False
        self.left_out: list[str] = []  # of requests, since the endpoint refuses it
        self.tokens_parameter = "max_tokens"
        self.client = openai.AsyncOpenAI(
            base_url=spec.base_url,
            api_key=spec.api_key.strip() or "none",
            http_client=http,
            default_headers=extra_headers.wrap(spec.extra_headers),
            max_retries=0,
            timeout=http.timeout,
        )

    async def reply(self, messages: Sequence[Mapping[str, object]], timeout_s: float) -> ModelReply:
        """The model's next reply, retries included, or EndpointError once `timeout_s` is over.

        Waiting for our other requests to this endpoint is not charged to `timeout_s`.
        """
        started_s = time.monotonic()
        deadline_s = started_s + timeout_s
        tries, pause_s = 0, self.first_pause_s
        failure: EndpointError | None = None
        progress = FIRST_REQUEST
        is_whole = False
        while True:
            tries, body = tries + 1, self.body(messages)
            if is_whole:
                body = without_stream(body)
            waited_from_s = asked_s = time.monotonic()
            try:
                async with self.turn():
                    asked_s = time.monotonic()
                    deadline_s += asked_s - waited_from_s
                    async with asyncio.timeout_at(loop_time(deadline_s)):
                        reply = await self.ask(body, progress)
                        self.has_replied = True
                        return replace(reply, lost_s=asked_s - started_s, failed=progress.failed)
            except TimeoutError:
                raise failure or errors.error_of(errors.TOO_SLOW, timeout_s=timeout_s) from None
            except EndpointError as error:
                if self.adapt(error, body):
                    continue
                failure, wait_s = error, self.wait_s(error, pause_s)
                if tries >= self.tries_at(error) or time.monotonic() + wait_s >= deadline_s:
                    raise
                progress = after_failure(progress, error, time.monotonic() - asked_s)
                # A server that fails once its stream has begun may name the error without one.
                if error.problem.code == errors.NO_CHOICES.code and tries + 1 == error.tries:
                    is_whole = True
            self.on_progress(progress)
            await self.sleep(wait_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Room for one request, where somebody counts them."""
        return self.gate.request() if self.gate else contextlib.nullcontext()

    def tries_at(self, error: EndpointError) -> int:
        """Times to ask: a server that starts again refuses connections, or answers 503.

        One that replied before does not mean it where it sends a broken event or a page.
        """
        if not self.has_replied:
            return error.tries
        is_away = error.problem.code == errors.UNREACHABLE.code or error.status == 503
        is_odd = error.problem.code in (errors.NO_JSON.code, errors.WEB_PAGE.code)
        return RESTART_TRIES if is_away else FEW_TRIES if is_odd else error.tries

    def wait_s(self, error: EndpointError, pause_s: float) -> float:
        """Seconds to wait: the pause with some jitter, or longer where the endpoint asks for it."""
        return max(error.retry_after_s or 0.0, pause_s * self.chance.uniform(0.75, 1.25))

    def adapt(self, error: EndpointError, body: Mapping[str, object]) -> bool:
        """Leave out what this endpoint does not know; whether asking again makes sense."""
        code = error.problem.code
        # llama.cpp answers 500 where a chat template refuses the conversation.
        if code in (BAD_REQUEST, SERVER_ERROR) and is_role_refused(error.said, body):
            self.has_system_role = False
            self.leave_out("the system role")
            return True
        if code != BAD_REQUEST:
            return False
        if "stream_options" in body and any(word in error.said for word in USAGE_WORDS):
            self.wants_usage = False
            self.leave_out("stream_options")
            return True
        if body.get("stop") == [END] and STOP_WORDS.search(error.said):
            self.wants_stop = False
            self.leave_out("stop sequences")
            return True
        if "max_tokens" in body and NEWER_LIMIT in error.said:
            self.tokens_parameter = NEWER_LIMIT
            return True
        return False

    def leave_out(self, what: str) -> None:
        """Note it once, though requests that were under way together are each refused."""
        if what not in self.left_out:
            self.left_out.append(what)

    def body(self, messages: Sequence[Mapping[str, object]]) -> dict[str, object]:
        """The request as it is sent."""
        spec = self.spec
        body: dict[str, object] = {
            "model": spec.model,
            "messages": list(messages) if self.has_system_role else without_system(messages),
            "stream": spec.stream,
            "stream_options": {"include_usage": True} if self.wants_usage else None,
            "temperature": spec.temperature,
            "top_p": spec.top_p,
            self.tokens_parameter: spec.max_tokens,
            "stop": [END] if self.wants_stop else None,
            "tools": [TOOL] if spec.action_format == ActionFormat.TOOLS else None,
        }
        return {k: v for k, v in body.items() if v is not None} | dict(spec.extra_body)

    async def ask(
        self, body: dict[str, object], progress: ReplyProgress = FIRST_REQUEST
    ) -> ModelReply:
        """One request, one reply."""
        self.on_progress(progress)
        try:
            response = await self.send(body)
            try:
                draft = await self.receive(response, progress)
            finally:
                await response.aclose()
        except openai.APIStatusError as error:
            # Not "from error": that one quotes the body, and bodies have quoted keys.
            raise self.refusal(error) from None
        except EndpointError:
            raise
        except (*CONNECTION_ERRORS, ProblemError) as error:
            raise errors.of_connection(error, self.spec) from error
        if not draft.has_choice:
            raise errors.error_of(errors.NO_CHOICES)
        reply = self.without_key(draft.reply())
        if reply.finish_reason.lower() in GIVEN_UP_REASONS:
            raise errors.error_of(errors.GIVEN_UP, reason=reply.finish_reason)
        return reply

    def refusal(self, error: openai.APIStatusError) -> EndpointError:
        headers, said = error.response.headers, read_error(body_of(error))
        refusal = errors.of_status(error.status_code, headers, said, self.spec)
        refusal.status = error.status_code
        return refusal

    async def send(self, body: dict[str, object]) -> httpx2.Response:
        """The response with its body still to be read, whether or not it will be a stream."""
        response = await self.client.post(
            "/chat/completions",
            body=body,
            cast_to=httpx2.Response,
            stream=True,
            stream_cls=openai.AsyncStream[Any],
        )
        return cast(httpx2.Response, response)

    async def receive(
        self, response: httpx2.Response, progress: ReplyProgress = FIRST_REQUEST
    ) -> ReplyDraft:
        """The reply in `response`, by what it says it is rather than by what was asked for."""
        if response.status_code < 200:  # it wants another protocol
            raise errors.error_of(errors.NOT_HTTP, place=errors.place(self.spec))
        content_type = response.headers.get("content-type", "").lower()
        if "html" in content_type:
            raise errors.error_of(errors.WEB_PAGE)
        if "event-stream" in content_type:
            return await self.receive_stream(response, progress)
        body = (await response.aread()).removeprefix(codecs.BOM_UTF8)
        comments = COMMENTS.match(body)
        rest = body[comments.end() :] if comments else body
        if STARTS_EVENT.match(rest):
            return await self.receive_stream(response, progress)
        if not body.strip() and response.status_code == httpx2.codes.OK:
            raise errors.error_of(errors.CUT_OFF)
        return await self.take_in(ReplyDraft(), rest or body)

    async def receive_stream(
        self, response: httpx2.Response, progress: ReplyProgress = FIRST_REQUEST
    ) -> ReplyDraft:
        """The reply in a stream of events, up to the [DONE] after its finish reason.

        An earlier [DONE] ends it if nothing follows. Text in place of an object is passed over,
        unless the reply has no finish reason and ends with it.
        """
        draft, event = ReplyDraft(), OpenEvent()
        is_done = is_over = False
        said_s, clock = time.monotonic(), asyncio.get_running_loop().time
        try:
            async with asyncio.timeout(None) as drain:
                async for line in event_lines(response):
                    if line == DONE and draft.has_choice:
                        is_done, is_over = True, bool(draft.finish_reason)
                        drain.reschedule(clock() + (DRAIN_S if is_over else LATE_S))
                    elif line != DONE and not is_over:
                        if line and is_done:
                            drain.reschedule(None)
                        draft = await self.take_line(draft, event, line)
                    if time.monotonic() - said_s >= PROGRESS_EVERY_S:
                        said_s = time.monotonic()
                        self.on_progress(replace(progress, chars=draft.chars))
                if event.held and not is_over:
                    draft = await self.take_last(draft, event)
        except TimeoutError:
            pass  # all was said, only the connection cannot be used again
        except (httpx2.RemoteProtocolError, EndpointError):
            if not draft.finish_reason:
                raise
        if draft.finish_reason:
            return draft
        if event.unread:
            raise no_json(event.unread)
        if not is_done:
            raise errors.error_of(errors.CUT_OFF if draft.has_choice else errors.NO_CHOICES)
        return draft

    async def take_line(self, draft: ReplyDraft, event: OpenEvent, line: bytes) -> ReplyDraft:
        """`draft` with what a field of an event adds; b"" ends the event.

        Most servers send one object a line, some without an empty line after it. The beginning of
        an object is held with the lines after it until the event ends, as the standard has it; it
        is an error if it is no whole one then. Other JSON and keep-alives hold nothing, nor does
        text in an event of another type than a message's. An event of an error's type is one,
        whatever it holds.
        """
        if line.startswith(EVENT_TYPE):
            kind = line.removeprefix(EVENT_TYPE).strip()
            event.is_foreign, event.is_error = kind not in MESSAGE_TYPES, kind == ERROR_TYPE
            return draft
        if line and (event.held or event.is_error):
            event.held.append(line)
            return draft
        whole, is_foreign = line or b"\n".join(event.held), event.is_foreign
        if event.is_error and whole:
            raise self.error_in(error_of_event(whole))
        if not line:
            event.held, event.is_foreign, event.is_error = [], False, False
        if not whole:
            return draft
        try:
            draft = await self.add(draft, whole)
            event.unread = None
        except NotJson as error:
            if BEGINS_OBJECT.match(whole) and line:
                event.held.append(line)
            elif BEGINS_OBJECT.match(whole) and not is_foreign:
                raise no_json(error) from None
            elif not (is_foreign or error.is_other or is_keep_alive(whole)):
                event.unread = error
        return draft

    async def take_in(self, draft: ReplyDraft, data: bytes) -> ReplyDraft:
        """`draft` with the JSON object in `data`; an error in it is raised."""
        try:
            return await self.add(draft, data)
        except NotJson as error:
            raise no_json(error) from None

    async def take_last(self, draft: ReplyDraft, event: OpenEvent) -> ReplyDraft:
        """`draft` with what is held when the stream ends: half an object was cut off."""
        if event.is_error:
            raise self.error_in(error_of_event(b"\n".join(event.held)))
        try:
            return await self.add(draft, b"\n".join(event.held))
        except NotJson:
            raise errors.error_of(errors.CUT_OFF) from None

    async def add(self, draft: ReplyDraft, data: bytes) -> ReplyDraft:
        """The same; raises NotJson for what is no object."""
        try:
            if len(data) <= LARGE_BYTES:
                return add_payload(draft, data)
            # What came before stays here: sent with each event, it would cost its square.
            read = await readers().read(self.spec.base_url, add_payload, ReplyDraft(), data)
            draft.join(read)
            return draft
        except UnreadableText as error:
            log.error("%s bytes of a reply: %s", f"{len(data):,}", error)
            raise errors.error_of(errors.NO_JSON) from None
        except ErrorInside as error:
            raise self.error_in(error) from None

    def error_in(self, error: ErrorInside) -> EndpointError:
        """The problem in an error that came with a status of success."""
        said = error.said
        code = error.code or (400 if find_row(400, said.text) else 500)
        refusal = errors.of_status(code, {}, said, self.spec)
        refusal.status = code
        return refusal

    def without_key(self, reply: ModelReply) -> ModelReply:
        """`reply` without the key and the headers' values, should the endpoint repeat them."""
        if self.spec.api_key.strip() not in repr(reply) and not self.spec.extra_headers:
            return reply
        calls = (
            replace(call, arguments=errors.redact(call.arguments, self.spec))
            for call in reply.tool_calls
        )
        return replace(
            reply,
            text=errors.redact(reply.text, self.spec),
            reasoning=errors.redact(reply.reasoning, self.spec),
            tool_calls=tuple(calls),
            model=errors.redact(reply.model, self.spec),
        )


def without_stream(body: Mapping[str, object]) -> dict[str, object]:
    """The request for the same reply, whole."""
    kept = {name: value for name, value in body.items() if name != "stream_options"}
    return {**kept, "stream": False}


def after_failure(progress: ReplyProgress, error: EndpointError, took_s: float) -> ReplyProgress:
    """The progress of a request that failed after `took_s` seconds and is sent again."""
    failures = progress.failures + 1
    after = f"after {took_s:.0f} s" if took_s >= 1 else "at once"
    often = f"once, {after}" if failures == 1 else f"{failures} times, the last {after}"
    return ReplyProgress(failures=failures, failed=f"failed {often}: {error.problem.what}")


def is_role_refused(said: str, body: Mapping[str, object]) -> bool:
    """True if a refusal is about the system role, which the conversation has."""
    messages = cast(Sequence[Mapping[str, object]], body["messages"])
    has_role = len(messages) > 1 and messages[0].get("role") == "system"
    return has_role and any(words.search(said) for words in ROLE_WORDS)


def without_system(messages: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """The conversation with its system message at the head of the first user message."""
    first, *others = messages
    if first.get("role") != "system" or not others:
        return list(messages)
    content = others[0]["content"]
    if isinstance(content, list):  # parts, as of a message with pictures
        joined: object = [{"type": "text", "text": first["content"]}, *content]
    else:
        joined = f"{first['content']}\n\n{content}"
    return [{**others[0], "content": joined}, *others[1:]]


def body_of(error: openai.APIStatusError) -> object:
    """The decoded body, whole: the library keeps what its `error` holds, and no field beside it."""
    try:
        return error.response.json()
    except (ValueError, RecursionError):
        return error.body


def no_json(error: NotJson) -> EndpointError:
    return errors.error_of(errors.WEB_PAGE if error.is_page else errors.NO_JSON)


async def event_lines(response: httpx2.Response) -> AsyncIterator[bytes]:
    """The data in each line of server-sent events, types of events, and b"" for an empty line.

    A line ends with LF, CR or both; JSON holds neither. A byte-order mark may come first.
    """
    buffer, is_after_cr = bytearray(), False
    async for raw in chunks_of(response):
        chunk = with_plain_ends(raw[1:] if is_after_cr and raw.startswith(b"\n") else raw)
        is_after_cr = raw.endswith(b"\r")
        buffer += chunk
        if b"\n" not in chunk:
            continue
        whole, _, rest = bytes(buffer).rpartition(b"\n")
        buffer = bytearray(rest)
        for data in event_fields(whole):
            yield data
    for data in event_fields(bytes(buffer)) if buffer else ():
        yield data


async def chunks_of(response: httpx2.Response) -> AsyncIterator[bytes]:
    """The body as it comes in, or whole where it was read before."""
    if response.is_stream_consumed:
        yield response.content
    else:
        async for chunk in response.aiter_raw():
            yield chunk


def with_plain_ends(text: bytes) -> bytes:
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def event_fields(text: bytes) -> Iterator[bytes]:
    """The data in each line of `text`, "event:" with the type of an event, and b"" for no line."""
    for line in text.removeprefix(codecs.BOM_UTF8).split(b"\n"):
        if not line or line.startswith(EVENT_TYPE):
            yield line
        elif (prefix := DATA.match(line)) and (data := line[prefix.end() :].strip()):
            yield DONE if IS_DONE.fullmatch(data) else data
        elif (bare := line.strip()).startswith(b"{"):  # an object without its field
            yield bare
