"""A worker's one thread for judges: it plays waiting judgings to their end, a few calls at once.

Its calls run in the loop of the attempts, so that they share the paces of endpoints with them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Coroutine, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from runner.contract import Ceiling, ProblemError
from runner.endpoint.address_policy import AddressPolicy
from runner.endpoint.guarded_transport import GuardedTransport
from runner.endpoint.http import open_http
from runner.endpoint.limiter import Gates
from runner.failure_log import logged
from runner.judge.asking import REPLY_TIMEOUT_S, AtCeiling, JudgeAnswer, JudgeCaller, ReplyFormat
from runner.judge.job import AskedAttempt, JudgingJob

log = logging.getLogger(__name__)

T = TypeVar("T")

AT_ONCE = 4  # calls of one judging; the pace finds how many its endpoint takes
RENEW_S = 60.0  # then the lease is renewed, whatever the calls do


class JudgingRows(Protocol):
    """The acts of `leaderboard.handoff.judgings` that a desk needs."""

    def take_due(self) -> JudgingJob | None: ...

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

    def close_connection(self) -> None: ...


class CallLoop(Protocol):
    """An event loop in another thread, with the gates of the endpoints that it asks."""

    gates: Gates

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Have `work` done there; cancelled when the loop ends."""


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


class JudgeDesk:
    """Plays one judging at a time in a thread of its own."""

    def __init__(
        self,
        rows: JudgingRows,
        policy: Callable[[], AddressPolicy],
        loop: Callable[[], CallLoop],
        timeout_s: float = REPLY_TIMEOUT_S,
    ) -> None:
        self.rows = rows
        self.policy = policy
        self.loop = loop
        self.timeout_s = timeout_s
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="judge")
        self.lock = threading.Lock()
        self.is_busy = False

    def round(self) -> None:
        """See to it that the thread is at work; returns at once."""
        with self.lock:
            if self.is_busy:
                return
            self.is_busy = True
        self.pool.submit(self.work)

    def work(self) -> None:
        try:
            with logged(log, "judging: it is taken up again when its lease is over"):
                while self.play_next():
                    pass
        finally:
            with self.lock:
                self.is_busy = False
            self.rows.close_connection()

    def play_next(self) -> bool:
        """Play the next judging that is due, to its end; False if there is none, or no time."""
        job = self.rows.take_due()
        if job is None:
            return False
        try:
            self.play(job, self.loop())
        except ProblemError as error:  # also of an address that the guard refuses
            log.info("judging=%s: %s", job.judging_id, error.problem.what)
            self.rows.note_failure(job, error.problem.sentence)
        except CancelledError:  # the loop ends with this process
            self.rows.give_back(job)
            return False
        return True

    def play(self, job: JudgingJob, loop: CallLoop) -> None:
        purse = JudgingPurse(job.prices, job.left)
        caller = loop.submit(self.open_caller(job, purse, self.policy(), loop.gates)).result()
        try:
            self.ask_all(job, caller, purse, loop)
        finally:
            loop.submit(close_caller(job, caller, loop.gates)).result()

    async def open_caller(
        self, job: JudgingJob, purse: JudgingPurse, policy: AddressPolicy, gates: Gates
    ) -> JudgeCaller:
        http = open_http(GuardedTransport(policy))
        gate = gates.join(job.pace, job.user, AT_ONCE)
        form = ReplyFormat(job.reply_format)
        return JudgeCaller(job.profile, job.endpoint, http, gate, purse, form, self.timeout_s)

    def ask_all(
        self, job: JudgingJob, caller: JudgeCaller, purse: JudgingPurse, loop: CallLoop
    ) -> None:
        """Ask about attempt after attempt. Raises the first failure that each of them would meet,
        once what was under way is recorded."""
        calls: dict[Future[JudgeAnswer], OpenCall] = {}
        lanes, failure = AT_ONCE, None
        while True:
            under_way = [call.asked.attempt_id for call in calls.values()]
            for asked in self.rows.next_attempts(job, lanes - len(calls), under_way):
                call = OpenCall(asked)
                calls[loop.submit(ask(caller, call))] = call
            if not calls:
                break
            for future in wait(calls, RENEW_S, FIRST_COMPLETED).done:
                call, error = calls.pop(future), failure_of(future)
                if error is None:
                    self.rows.record(job, call.asked, call.answer, caller.reply_format)
                    continue
                self.rows.charge(job, call.answer)
                if not isinstance(error, AtCeiling):
                    lanes, failure = 0, failure or error
                elif purse.is_empty:
                    lanes = 0
                else:  # near the ceiling it is asked again when no other call holds what is left
                    lanes = min(lanes, 1)
        if failure is not None:
            raise failure
        if purse.is_empty:
            self.rows.stop_at_ceiling(job)


async def ask(caller: JudgeCaller, call: OpenCall) -> JudgeAnswer:
    return await caller.judge(call.asked.shown, call.asked.reference, call.answer)


async def close_caller(job: JudgingJob, caller: JudgeCaller, gates: Gates) -> None:
    gates.leave(job.pace, job.user)
    await caller.http.aclose()


def failure_of(future: Future[JudgeAnswer]) -> BaseException | None:
    return CancelledError() if future.cancelled() else future.exception()
