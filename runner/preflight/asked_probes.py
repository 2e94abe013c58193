"""Probes that a submitter asks for, since they cost tokens: the context length, and a burst."""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from enum import StrEnum

import httpx2

from runner.cancellation import loop_time
from runner.contract import ActionFormat, EndpointSpec
from runner.endpoint.client import EndpointClient
from runner.endpoint.errors import ContextFull, EndpointError
from runner.endpoint.limiter import REFUSALS
from runner.preflight.checks import ENOUGH_CONTEXT, Check, State

PROBE_S = 12.0  # for each, in addition to the preflight's ten
REPLY_TOKENS = 8
MOST_WORDS = 2 * ENOUGH_CONTEXT
FEW_WORDS = 200  # of the prompt that shows how many tokens a word has
LEAST_TOKENS = 1_000  # smaller prompts are not tried
KEPT = 0.7  # of the expected tokens: with fewer counted, the endpoint cut the prompt
BURST = 8  # requests at once
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
LARGER = f"Attempts can need more than {ENOUGH_CONTEXT:,}: give the server a larger context."
# "maximum context length is 8192 tokens", "208310 tokens > 200000 maximum", "n_ctx = 4096",
# "exceeds the available context size (4096 tokens)"
STATED = re.compile(
    r"(?:maximum context|context (?:length|window|size)|n_ctx)[^\d\n]{0,30}(\d[\d,]{2,11})"
    r"(?![\d,]*\d)|> ?(\d[\d,]{2,11}) maximum",
    re.IGNORECASE,
)


class Probe(StrEnum):
    """A probe, as drafts and the command line name it."""

    CONTEXT = "context"
    BURST = "burst"


async def run_probes(
    probes: Collection[Probe],
    spec: EndpointSpec,
    http: httpx2.AsyncClient,
    on_deadline: Callable[[float], None] = lambda deadline_s: None,
) -> list[Check]:
    """The checks of the probes, one after the other; each has its own time.

    `on_deadline` learns of each one's deadline, in monotonic seconds.
    """
    whole = replace(spec, stream=False, action_format=ActionFormat.FENCED, max_tokens=REPLY_TOKENS)
    chat, checks = EndpointClient(whole, http), []
    known = {Probe.CONTEXT: probe_context, Probe.BURST: probe_burst}
    titles = {Probe.CONTEXT: "Context probe", Probe.BURST: "Burst"}
    for probe in Probe:
        if probe not in probes:
            continue
        deadline_s = time.monotonic() + PROBE_S
        on_deadline(deadline_s)
        try:
            async with asyncio.timeout_at(loop_time(deadline_s)):
                state, said, advice = await known[probe](chat)
        except TimeoutError:
            state, advice = State.UNSEEN, "A run gives each reply three minutes."
            said = f"Not seen: the probe was not over after {PROBE_S:.0f} s."
        except EndpointError as error:
            said = f"The probe was not answered: {error.problem.what}"
            state, advice = State.UNSEEN, error.problem.next_step
        checks.append(Check(probe.value, titles[probe], state, said, advice))
    return checks


async def probe_context(chat: EndpointClient) -> tuple[State, str, str]:
    """Send a prompt as long as attempts can get; where it is refused, halve it until one fits."""
    counted = await count_prompt(chat, FEW_WORDS)
    per_word = counted / FEW_WORDS if counted else 1.3
    words = min(MOST_WORDS, math.ceil(ENOUGH_CONTEXT / per_word))
    refused = 0
    while True:
        tokens = round(words * per_word)
        try:
            taken = await count_prompt(chat, words)
            break
        except ContextFull as error:
            if stated := read_stated(error.said):
                said = f"A prompt of about {tokens:,} tokens was refused: the endpoint states "
                return judge_length(stated, f"{said}a context of {stated:,} tokens.")
            refused, words = tokens, words // 2
            if words * per_word < LEAST_TOKENS:
                said = f"Prompts of about {tokens:,} tokens and more were refused as too long."
                return State.WARNING, said, LARGER
    if counted and taken is not None and taken < KEPT * tokens:
        said = f"A prompt of about {tokens:,} tokens was cut to {taken:,} without a word."
        return State.WARNING, said, LARGER
    if refused:
        said = f"A prompt of about {tokens:,} tokens was taken, one of {refused:,} refused."
        return State.WARNING, said, LARGER
    if taken is None or not counted:
        said = f"A prompt of about {tokens:,} tokens was taken."
        return State.OK, said, "The endpoint counts no tokens, so a cut would not show."
    return judge_length(taken, f"A prompt of {taken:,} tokens was taken whole.")


def judge_length(tokens: int, said: str) -> tuple[State, str, str]:
    """Warn of a length under what attempts can need; the estimate is a tenth off at most."""
    if tokens >= 0.9 * ENOUGH_CONTEXT:
        return State.OK, said, ""
    return State.WARNING, said, LARGER


async def count_prompt(chat: EndpointClient, words: int) -> int | None:
    """Tokens that the endpoint counts in a prompt of so many words; None where it counts none."""
    text = " ".join(WORDS[i % len(WORDS)] for i in range(words))
    asked = {"role": "user", "content": f"{text}\nReply with the word ok."}
    reply = await chat.reply([asked], PROBE_S)
    return reply.usage.prompt_tokens or None


def read_stated(said: str) -> int | None:
    """The context length that a refusal names; None where it names none."""
    if not (found := STATED.search(said)):
        return None
    number = int((found[1] or found[2]).replace(",", ""))
    return number if number >= 64 else None


async def probe_burst(chat: EndpointClient) -> tuple[State, str, str]:
    """Send short requests at once, each a single time, and count what is refused."""
    body = chat.body([{"role": "user", "content": "Reply with the word ok."}])
    asked = (chat.ask(dict(body)) for _ in range(BURST))
    answers = await asyncio.gather(*asked, return_exceptions=True)
    errors = [answer for answer in answers if isinstance(answer, BaseException)]
    if broken := [error for error in errors if not isinstance(error, EndpointError)]:
        raise broken[0]
    failed = [error for error in errors if isinstance(error, EndpointError)]
    limited = [error for error in failed if error.status in REFUSALS]
    if not failed:
        return State.OK, f"All {BURST} requests at once were answered.", ""
    if not limited:
        said = f"{len(failed)} of {BURST} requests at once failed: {failed[0].problem.what}"
        return State.WARNING, said, failed[0].problem.next_step
    waits = [error.retry_after_s for error in limited if error.retry_after_s is not None]
    pause = f", asking to wait {max(waits):.0f} s" if waits else ""
    codes = " and ".join(str(code) for code in sorted({error.status for error in limited}))
    said = f"{len(limited)} of {BURST} requests at once were refused ({codes}){pause}."
    fit = max(1, BURST - len(failed))
    return (
        State.WARNING,
        said,
        f"Choose at most {fit} in parallel; a run also slows down by itself.",
    )
