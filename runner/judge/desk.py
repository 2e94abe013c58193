"""A worker's one thread for judges: it plays waiting judgings to their end, a few calls at once."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from runner.contract import ProblemError
from runner.endpoint.address_policy import AddressPolicy
from runner.endpoint.concurrency_limit import ConcurrencyLimit
from runner.endpoint.guarded_transport import GuardedTransport
from runner.endpoint.http import open_http
from runner.endpoint.limiter import Gate
from runner.failure_log import logged
from runner.judge.asking import REPLY_TIMEOUT_S, AtCeiling, JudgeAnswer, JudgeCaller, ReplyFormat
from runner.judge.job import AskedAttempt, JudgingJob

log = logging.getLogger(__name__)

AT_ONCE = 4  # calls of one judging; the pace finds how many its endpoint takes


class JudgingRows(Protocol):
    """The acts of `leaderboard.handoff.judgings` that a desk needs."""

    def take_due(self) -> JudgingJob | None: ...

    def next_attempts(self, job: JudgingJob, most: int) -> Sequence[AskedAttempt]: ...

    def record(
        self, job: JudgingJob, asked: AskedAttempt, answer: JudgeAnswer, reply_format: str
    ) -> None: ...

    def stop_at_ceiling(self, job: JudgingJob) -> None: ...

    def note_failure(self, job: JudgingJob, said: str) -> None: ...

    def close_connection(self) -> None: ...


@dataclass
class JudgingPurse:
    """The rest of a judging's ceiling. What is reserved counts as spent until it is settled."""

    job: JudgingJob
    spent: int = 0
    reserved: int = 0

    def reserve(self, prompt_tokens: int, completion_tokens: int) -> bool:
        amount = self.job.prices.price(prompt_tokens, completion_tokens)
        left = self.job.left
        if left is not None and self.spent + self.reserved + amount > left:
            return False
        self.reserved += amount
        return True

    def settle(self, reserved: tuple[int, int], taken: tuple[int, int]) -> int:
        self.reserved -= self.job.prices.price(*reserved)
        spent = self.job.prices.price(*taken)
        self.spent += spent
        return spent


class JudgeDesk:
    """Plays one judging at a time in a thread of its own."""

    def __init__(
        self,
        rows: JudgingRows,
        policy: Callable[[], AddressPolicy],
        timeout_s: float = REPLY_TIMEOUT_S,
    ) -> None:
        self.rows = rows
        self.policy = policy
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
        """Play the next judging that is due, to its end; False if there is none."""
        job = self.rows.take_due()
        if job is None:
            return False
        try:
            with asyncio.Runner() as loop:
                self.play(job, loop)
        except ProblemError as error:  # also of an address that the guard refuses
            log.info("judging=%s: %s", job.judging_id, error.problem.what)
            self.rows.note_failure(job, error.problem.sentence)
        return True

    def play(self, job: JudgingJob, loop: asyncio.Runner) -> None:
        """Judge batch after batch: rows are written between them, outside the event loop."""
        http = open_http(GuardedTransport(self.policy()))
        gate = Gate(ConcurrencyLimit(AT_ONCE))
        purse = JudgingPurse(job)
        form = ReplyFormat(job.reply_format)
        try:
            caller = JudgeCaller(job.profile, job.endpoint, http, gate, purse, form, self.timeout_s)
            while batch := self.rows.next_attempts(job, AT_ONCE):
                results = loop.run(judge_batch(caller, batch))
                self.keep(job, batch, results, caller.reply_format)
                if any(isinstance(result, AtCeiling) for result in results):
                    self.rows.stop_at_ceiling(job)
        finally:
            loop.run(http.aclose())

    def keep(
        self,
        job: JudgingJob,
        batch: Sequence[AskedAttempt],
        results: Sequence[JudgeAnswer | BaseException],
        reply_format: str,
    ) -> None:
        """Write what came; then raise the first failure, if there is one."""
        for asked, result in zip(batch, results, strict=True):
            if isinstance(result, JudgeAnswer):
                self.rows.record(job, asked, result, reply_format)
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, AtCeiling):
                raise result


async def judge_batch(
    caller: JudgeCaller, batch: Sequence[AskedAttempt]
) -> list[JudgeAnswer | BaseException]:
    """An answer per attempt, or what was raised."""
    calls = (caller.judge(asked.shown, asked.reference) for asked in batch)
    return list(await asyncio.gather(*calls, return_exceptions=True))
