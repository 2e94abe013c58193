"""Plays a judging to its end: asks about attempt after attempt, a few calls at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from asgiref.sync import sync_to_async

from runner.contract import Ceiling, ProblemError
from runner.endpoint.address_policy import AddressPolicy
from runner.endpoint.guarded_transport import GuardedTransport
from runner.endpoint.http import open_http
from runner.endpoint.limiter import ConcurrencyLimit, Gate
from runner.judge.asking import REPLY_TIMEOUT_S, AtCeiling, JudgeAnswer, JudgeCaller, ReplyFormat
from runner.judge.profile import AskedAttempt, JudgingJob

AT_ONCE = 4  # calls of one judging; the pace finds how many its endpoint takes
RENEW_S = 60.0  # then the lease is renewed, whatever the calls do


class JudgingRows(Protocol):
    """The acts of `leaderboard.handoff.judgings` that playing needs."""

    def next_attempts(
        self, job: JudgingJob, most: int, under_way: Collection[int]
    ) -> Sequence[AskedAttempt]: ...

    def record(
        self, job: JudgingJob, asked: AskedAttempt, answer: JudgeAnswer, reply_format: str
    ) -> None: ...

    def charge(self, job: JudgingJob, answer: JudgeAnswer) -> None: ...

    def stop_at_ceiling(self, job: JudgingJob) -> None: ...

    def note_failure(self, job: JudgingJob, said: str) -> None: ...

    def give_back(self, job: JudgingJob) -> None: ...


@dataclass
class JudgingPurse:
    """The rest of a judging's ceiling. What is reserved counts as spent until it is settled."""

    prices: Ceiling
    left: int | None
    reserved: int = 0
    is_empty: bool = False  # a reply did not fit though nothing was reserved for others

    def reserve(self, prompt_tokens: int, completion_tokens: int) -> bool:
        amount = self.prices.price(prompt_tokens, completion_tokens)
        if self.left is not None and self.reserved + amount > self.left:
            self.is_empty = self.is_empty or not self.reserved
            return False
        self.reserved += amount
        return True

    def settle(self, reserved: tuple[int, int], taken: tuple[int, int]) -> None:
        self.reserved -= self.prices.price(*reserved)
        if self.left is not None:
            self.left -= self.prices.price(*taken)


@dataclass
class OpenCall:
    """A question that is under way."""

    asked: AskedAttempt
    answer: JudgeAnswer = field(default_factory=JudgeAnswer)


async def play_judging(
    job: JudgingJob,
    rows: JudgingRows,
    policy: AddressPolicy,
    timeout_s: float = REPLY_TIMEOUT_S,
) -> None:
    """Play it to its end, or to a failure that each attempt would meet. Cancelled, it goes back."""
    purse = JudgingPurse(job.prices, job.left)
    try:
        async with calling(job, purse, policy, timeout_s) as caller:
            await ask_all(job, caller, purse, rows)
    except ProblemError as error:  # also of an address that the guard refuses
        await sync_to_async(rows.note_failure)(job, error.problem.sentence)
    except asyncio.CancelledError:
        await sync_to_async(rows.give_back)(job)
        raise


@asynccontextmanager
async def calling(
    job: JudgingJob, purse: JudgingPurse, policy: AddressPolicy, timeout_s: float
) -> AsyncIterator[JudgeCaller]:
    gate, form = Gate(ConcurrencyLimit(AT_ONCE)), ReplyFormat(job.reply_format)
    async with open_http(GuardedTransport(policy)) as http:
        yield JudgeCaller(job.profile, job.endpoint, http, gate, purse, form, timeout_s)


async def ask_all(
    job: JudgingJob, caller: JudgeCaller, purse: JudgingPurse, rows: JudgingRows
) -> None:
    """Ask about attempt after attempt. Raises the first failure that each of them would meet, once
    what was under way is recorded."""
    calls: dict[asyncio.Task[Any], OpenCall] = {}
    lanes, failure = AT_ONCE, None
    try:
        while True:
            under_way = [call.asked.attempt_id for call in calls.values()]
            wanted = lanes - len(calls)
            for asked in await sync_to_async(rows.next_attempts)(job, wanted, under_way):
                call = OpenCall(asked)
                work = caller.judge(asked.shown, asked.reference, call.answer)
                calls[asyncio.create_task(work)] = call
            if not calls:
                break
            first = asyncio.FIRST_COMPLETED
            for task in (await asyncio.wait(calls, timeout=RENEW_S, return_when=first))[0]:
                call, error = calls.pop(task), task.exception()
                if error is None:
                    record = sync_to_async(rows.record)
                    await record(job, call.asked, call.answer, caller.reply_format)
                    continue
                await sync_to_async(rows.charge)(job, call.answer)
                if not isinstance(error, AtCeiling):
                    lanes, failure = 0, failure or error
                elif purse.is_empty:
                    lanes = 0
                else:  # near the ceiling it is asked again when no other call holds what is left
                    lanes = min(lanes, 1)
    finally:
        for task in calls:
            task.cancel()
    if failure is not None:
        raise failure
    if purse.is_empty:
        await sync_to_async(rows.stop_at_ceiling)(job)
