"""One verdict from a judge's endpoint: asked, read strictly, asked once more if unreadable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol

import httpx2

from runner.contract import EndpointSpec, Usage
from runner.endpoint.client import EndpointClient
from runner.endpoint.errors import TOO_LARGE, TOO_SLOW, EndpointError
from runner.endpoint.limiter import Gate
from runner.endpoint.refusal_words import CONTEXT_FULL
from runner.judge.messages import BYTES_PER_TOKEN, JudgeMessage, build_messages, estimate_tokens
from runner.judge.profile import JudgeProfile
from runner.judge.reply_schema import (
    ERROR,
    MAX_REPLY_CHARS,
    SCHEMAS,
    InvalidReply,
    JudgeOpinion,
    read_reply,
)
from runner.judge.shown_attempt import ShownAttempt
from runner.model.reply import ModelReply

REPLY_TIMEOUT_S = 180.0
MOST_REPLIES = 2  # of one verdict: an unreadable one is asked for again once
# Failures of the endpoint that belong to this one attempt: another attempt may be answered.
OWN_FAILURES = (TOO_SLOW.code, TOO_LARGE.code, CONTEXT_FULL)


class ReplyFormat(StrEnum):
    """Ways of asking for JSON, the strictest first."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    TEXT = "text"


NEXT_FORMAT = {ReplyFormat.SCHEMA: ReplyFormat.OBJECT, ReplyFormat.OBJECT: ReplyFormat.TEXT}


class AtCeiling(Exception):
    """The next reply might not fit under the ceiling: nothing was asked."""


class JudgePurse(Protocol):
    """The ceiling of a judging."""

    def reserve(self, prompt_tokens: int, completion_tokens: int) -> bool:
        """Reserve for one reply; False if it does not fit."""

    def settle(self, reserved: tuple[int, int], taken: tuple[int, int]) -> None:
        """Free a reservation and count what the reply took, both as prompt and completion."""


@dataclass
class JudgeAnswer:
    """Result of one question. Without an opinion it is a judge error, and `problem` says why."""

    opinion: JudgeOpinion | None = None
    problem: str = ""
    raw: str = ""  # the last reply, bounded
    replies: int = 0
    usage: Usage = field(default_factory=Usage)
    sent: int = 0  # tokens that count for the ceiling: estimated where the endpoint counts none
    said: int = 0
    model: str = ""  # which one replied, as the endpoint says

    @property
    def verdict(self) -> str:
        return self.opinion.verdict if self.opinion else ERROR


@dataclass
class JudgeCaller:
    """A judge at its endpoint, for one event loop; remembers which way of asking it takes."""

    profile: JudgeProfile
    endpoint: EndpointSpec
    http: httpx2.AsyncClient
    gate: Gate
    purse: JudgePurse
    reply_format: ReplyFormat = ReplyFormat.SCHEMA
    timeout_s: float = REPLY_TIMEOUT_S
    make_client: Callable[..., EndpointClient] = EndpointClient
    clients: dict[ReplyFormat, EndpointClient] = field(default_factory=dict)

    async def judge(
        self,
        shown: ShownAttempt,
        reference: ShownAttempt | None = None,
        answer: JudgeAnswer | None = None,
    ) -> JudgeAnswer:
        """The judge's verdict on an attempt, in `answer` if one is given.

        Raises AtCeiling, and EndpointError for a failure that every attempt would meet; what was
        taken until then is in `answer`.
        """
        answer, complaint = answer or JudgeAnswer(), ""
        while answer.replies < MOST_REPLIES:
            messages = build_messages(
                self.profile.form,
                shown,
                reference,
                takes_images=self.profile.takes_images,
                complaint=complaint,
            )
            try:
                reply = await self.ask(messages, answer)
            except EndpointError as error:
                if error.problem.code not in OWN_FAILURES:
                    raise
                answer.problem = error.problem.what
                return answer
            note_reply(answer, reply)
            try:
                answer.opinion = read_reply(self.profile.form, reply.text, shown)
                answer.problem = ""
                return answer
            except InvalidReply as error:
                complaint = str(error)
                answer.problem = explain(reply, complaint)
        return answer

    async def ask(self, messages: list[JudgeMessage], answer: JudgeAnswer) -> ModelReply:
        """One reply, in the strictest way of asking for JSON that the endpoint takes."""
        prompt = estimate_tokens(messages)
        reserved = (prompt, self.profile.max_tokens)
        if not self.purse.reserve(*reserved):
            raise AtCeiling
        sent = said = 0
        try:
            reply = await self.ask_in_format(messages)
            sent = reply.usage.prompt_tokens or prompt
            written = len((reply.text + reply.reasoning).encode("utf-8", "replace"))
            said = reply.usage.completion_tokens or -(-written // BYTES_PER_TOKEN)
            return reply
        finally:
            self.purse.settle(reserved, (sent, said))
            answer.sent, answer.said = answer.sent + sent, answer.said + said

    async def ask_in_format(self, messages: list[JudgeMessage]) -> ModelReply:
        while True:
            used = self.reply_format
            try:
                return await self.client(used).reply(messages, self.timeout_s)
            except EndpointError as error:
                if error.problem.code != "endpoint_bad_request" or used is ReplyFormat.TEXT:
                    raise
                if self.reply_format is used:  # another call may have moved on
                    self.reply_format = NEXT_FORMAT[used]

    def client(self, form: ReplyFormat) -> EndpointClient:
        if form not in self.clients:
            extra = {**self.endpoint.extra_body, **response_format(self.profile.form, form)}
            spec = replace(self.endpoint, extra_body=extra)
            self.clients[form] = self.make_client(spec, self.http, gate=self.gate)
        return self.clients[form]


def spec_of(profile: JudgeProfile, base_url: str, api_key: str = "") -> EndpointSpec:
    """The endpoint of a judge, as the client takes it."""
    return EndpointSpec(
        base_url=base_url,
        model=profile.model,
        api_key=api_key,
        stream=False,
        temperature=profile.temperature,
        max_tokens=profile.max_tokens,
        extra_body=dict(profile.extra_body),
    )


def response_format(form: str, asked: ReplyFormat) -> Mapping[str, object]:
    """The extra field of a request that asks for JSON."""
    if asked is ReplyFormat.TEXT:
        return {}
    if asked is ReplyFormat.OBJECT:
        return {"response_format": {"type": "json_object"}}
    schema = {"name": f"{form}_verdict", "strict": True, "schema": SCHEMAS[form]}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def note_reply(answer: JudgeAnswer, reply: ModelReply) -> None:
    answer.replies += 1
    answer.raw = reply.text[:MAX_REPLY_CHARS]
    answer.usage = answer.usage + reply.usage
    answer.model = reply.model or answer.model


def explain(reply: ModelReply, complaint: str) -> str:
    """Why a reply is no verdict, in a sentence or two."""
    if reply.is_filtered:
        return "The endpoint's content filter withheld the verdict."
    if reply.is_cut:
        return f"The reply was cut by its limit of tokens. {complaint}"
    return complaint
