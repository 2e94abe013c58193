"""Asking an OpenAI-compatible endpoint for replies, again where that may help."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any, cast

import anyio
import httpx2
import openai

from runner import refusals
from runner.completion import Draft
from runner.contract import ActionFormat, EndpointSpec, ProblemError
from runner.gate import Gate
from runner.prompts import TOOL
from runner.refusals import EndpointError
from runner.reply import END, ModelReply

FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 20.0
NEWER_LIMIT = "max_completion_tokens"  # what some endpoints call max_tokens
DONE = b"[DONE]"
DRAIN_S = 0.1  # for the end of a stream after its last event, to keep the connection

# The library wraps what fails before the body; the body's own errors come as they are.
CONNECTION_ERRORS = (openai.APIConnectionError, httpx2.HTTPError, OSError, anyio.EndOfStream)


class Endpoint:
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
    ) -> None:
        """Raises EndpointError when the address or the key cannot be used at all."""
        refusals.check_spec(spec)
        self.spec = spec
        self.gate = gate
        self.first_pause_s = first_pause_s
        self.chance = chance or random.Random()
        self.sleep = sleep
        self.wants_usage = spec.stream
        self.tokens_parameter = "max_tokens"
        self.client = openai.AsyncOpenAI(
            base_url=spec.base_url,
            api_key=spec.api_key.strip() or "none",
            http_client=http,
            max_retries=0,
            timeout=http.timeout,
        )

    async def reply(self, messages: Sequence[Mapping[str, object]], timeout_s: float) -> ModelReply:
        """The model's next reply, retries included, or EndpointError once `timeout_s` is over.

        Waiting for other requests of ours to this endpoint is not charged to `timeout_s`.
        """
        started_s = time.monotonic()
        deadline_s = started_s + timeout_s
        tries, pause_s = 0, self.first_pause_s
        failure: EndpointError | None = None
        while True:
            tries, body = tries + 1, self.body(messages)
            waited_from_s = time.monotonic()
            try:
                async with self.turn():
                    asked_s = time.monotonic()
                    deadline_s += asked_s - waited_from_s
                    async with asyncio.timeout_at(loop_time(deadline_s)):
                        return replace(await self.ask(body), lost_s=asked_s - started_s)
            except TimeoutError:
                raise failure or refusals.too_slow(timeout_s) from None
            except EndpointError as error:
                if self.adapt(error, body):
                    continue
                failure, wait_s = error, self.wait_s(error, pause_s)
                if tries >= error.tries or time.monotonic() + wait_s >= deadline_s:
                    raise
            await self.sleep(wait_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def turn(self) -> AbstractAsyncContextManager[None]:
        """Room for one request, where somebody counts them."""
        return self.gate.request() if self.gate else contextlib.nullcontext()

    def wait_s(self, error: EndpointError, pause_s: float) -> float:
        """How long to wait: what the endpoint asks for, else the pause with some jitter."""
        if error.retry_after_s is not None:
            return error.retry_after_s
        return pause_s * self.chance.uniform(0.75, 1.25)

    def adapt(self, error: EndpointError, body: Mapping[str, object]) -> bool:
        """Leave out what this endpoint does not know; whether asking again makes sense."""
        if error.problem.code != "endpoint_bad_request":
            return False
        if "stream_options" in body and re.search("stream_options|include_usage", error.said):
            self.wants_usage = False
            return True
        if "max_tokens" in body and NEWER_LIMIT in error.said:
            self.tokens_parameter = NEWER_LIMIT
            return True
        return False

    def body(self, messages: Sequence[Mapping[str, object]]) -> dict[str, object]:
        """The request as it is sent."""
        spec = self.spec
        body: dict[str, object] = {
            "model": spec.model,
            "messages": list(messages),
            "stream": spec.stream,
            "stream_options": {"include_usage": True} if self.wants_usage else None,
            "temperature": spec.temperature,
            "top_p": spec.top_p,
            self.tokens_parameter: spec.max_tokens,
            "stop": [END] if spec.action_format == ActionFormat.MARKERS else None,
            "tools": [TOOL] if spec.action_format == ActionFormat.TOOLS else None,
        }
        return {k: v for k, v in body.items() if v is not None} | dict(spec.extra_body)

    async def ask(self, body: dict[str, object]) -> ModelReply:
        """One request, one reply."""
        try:
            response = await self.send(body)
            try:
                draft = await self.receive(response)
            finally:
                await response.aclose()
        except openai.APIStatusError as error:
            # Not "from error": that one quotes the body, and bodies have quoted keys.
            raise self.refusal(error) from None
        except EndpointError:
            raise
        except (*CONNECTION_ERRORS, ProblemError) as error:
            raise refusals.of_connection(error, self.spec) from error
        if not draft.has_choice:
            raise refusals.no_choices()
        return self.without_key(draft.reply())

    def refusal(self, error: openai.APIStatusError) -> EndpointError:
        headers, message = error.response.headers, json_text(error.body)
        refusal = refusals.of_status(error.status_code, headers, message, self.spec)
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

    async def receive(self, response: httpx2.Response) -> Draft:
        """The reply in `response`, by what it says it is rather than by what was asked for."""
        content_type = response.headers.get("content-type", "").lower()
        if "html" in content_type:
            raise refusals.web_page()
        if "event-stream" in content_type:
            return await self.receive_stream(response)
        body = await response.aread()
        draft = Draft()
        for data in data_lines(body) if body.lstrip().startswith(b"data:") else [body]:
            if data != DONE:
                draft.add(self.payload(data))
        return draft

    async def receive_stream(self, response: httpx2.Response) -> Draft:
        draft, is_done = Draft(), False
        try:
            async with asyncio.timeout(None) as drain:
                async for data in events(response):
                    if data == DONE:
                        is_done = True
                        drain.reschedule(asyncio.get_running_loop().time() + DRAIN_S)
                    elif not is_done:
                        draft.add(self.payload(data))
        except TimeoutError:
            pass  # all was said, only the connection cannot be used again
        except httpx2.RemoteProtocolError:
            if not draft.finish_reason:
                raise
        if not is_done and not draft.finish_reason:
            raise refusals.cut_off() if draft.has_choice else refusals.no_choices()
        return draft

    def payload(self, data: bytes) -> dict[str, Any]:
        """The JSON object in `data`; an error in it is raised."""
        try:
            payload = json.loads(data)
        except (ValueError, RecursionError):
            is_page = data.lstrip()[:1] == b"<"
            raise (refusals.web_page() if is_page else refusals.no_json()) from None
        if not isinstance(payload, dict):
            raise refusals.no_json()
        if payload.get("error"):
            raise self.error_in(payload["error"])
        return payload

    def error_in(self, error: object) -> EndpointError:
        """The problem in an `error` object that came with a status of success."""
        text = json_text(error)
        code = error.get("code") if isinstance(error, dict) else None
        if not isinstance(code, int) or not 300 <= code < 600:
            code = 400 if refusals.CONTEXT.search(text) else 500
        refusal = refusals.of_status(code, {}, text, self.spec)
        refusal.status = code
        return refusal

    def without_key(self, reply: ModelReply) -> ModelReply:
        """`reply`, should the endpoint repeat the key in it, without the key."""
        if self.spec.api_key.strip() not in repr(reply):
            return reply
        calls = (
            replace(call, arguments=refusals.redact(call.arguments, self.spec))
            for call in reply.tool_calls
        )
        return replace(
            reply,
            text=refusals.redact(reply.text, self.spec),
            reasoning=refusals.redact(reply.reasoning, self.spec),
            tool_calls=tuple(calls),
            model=refusals.redact(reply.model, self.spec),
        )


def loop_time(deadline_s: float) -> float:
    """A deadline of time.monotonic() on the clock of the running loop."""
    return asyncio.get_running_loop().time() + deadline_s - time.monotonic()


def json_text(value: object) -> str:
    """The message in an error body, with its codes in brackets, else the whole of it."""
    if isinstance(value, dict):
        inner = value.get("error", value)
        if isinstance(inner, dict) and isinstance(inner.get("message"), str):
            words = [str(inner[k]) for k in ("code", "type") if isinstance(inner.get(k), str)]
            return " ".join([inner["message"], *(f"[{word}]" for word in words)])
    if isinstance(value, str):
        return "" if value.lstrip().startswith("<") else value  # a page says nothing
    return json.dumps(value, ensure_ascii=False) if value else ""


async def events(response: httpx2.Response) -> AsyncIterator[bytes]:
    """The data of each server-sent event (one line each, as these APIs send them)."""
    buffer = bytearray()
    async for chunk in response.aiter_raw():
        buffer += chunk
        if b"\n" not in chunk:
            continue
        whole, _, rest = bytes(buffer).rpartition(b"\n")
        buffer = bytearray(rest)
        for data in data_lines(whole):
            yield data
    for data in data_lines(bytes(buffer)):
        yield data


def data_lines(text: bytes) -> Iterator[bytes]:
    for line in text.split(b"\n"):
        if line.startswith(b"data:") and (data := line[5:].strip()):
            yield data
