"""Plays the attempts of a worker process in its event loop: claimed, reported and handed back.

Each is carried by a Celery task, which waits in its thread. What all of them need is done for them
together: their leases and the worker's own row are renewed, runs that were cancelled are looked
for, and the pace of endpoints and the progress of replies are put on record.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from asgiref.sync import sync_to_async
from structlog.contextvars import bound_contextvars

from runner.contract import (
    AttemptResult,
    Fenced,
    Job,
    LimitReason,
    Listener,
    Opening,
    Outcome,
    ReplyProgress,
    Step,
    TypedReply,
)
from runner.endpoint.limiter import Gate, Gates
from runner.failure_log import logged
from runner.unplayed import problem_of, unplayed
from runner.worker.ceiling import GRANTED
from runner.worker.database_retries import Retrying, record_result
from runner.worker.event_loop import EventLoop
from runner.worker.scratch_folders import Scratch

log = logging.getLogger(__name__)

T = TypeVar("T")

LOOK_EVERY_S = 1.0  # for runs that were cancelled
HEARD_EVERY_S = 3.0  # as often as a page that is looked at asks
PACES_EVERY_S = 0.1  # at most
DISPATCH_EVERY_S = 0.03  # at most
RECORD_PAUSES_S = (1.0, 5.0)  # before a result that could not be written is tried again


class Door(Protocol):
    """The acts of `leaderboard.handoff.attempts` that playing needs."""

    def claim(self, attempt_id: int, token: str, worker: str) -> Job | None: ...

    def unsend(self, attempt_id: int, token: str) -> None: ...

    def note_worker(self, name: str, places: int) -> None: ...

    def forget_worker(self, name: str) -> None: ...

    def release_of_dead(self, workers: Collection[str]) -> None: ...

    def renew(self, jobs: Iterable[Job]) -> set[tuple[int, str]]: ...

    def look(self, run_ids: Iterable[int]) -> set[int]: ...

    def opened(self, job: Job, opening: Opening) -> None: ...

    def step(self, job: Job, step: Step, charge: int = 0, reserved: int = 0) -> None: ...

    def reserve(self, job: Job, amount: int, reply_s: float) -> str: ...

    def settle(self, job: Job, charge: int, reserved: int) -> None: ...

    def record_result(self, job: Job, result: AttemptResult) -> None: ...

    def release(self, job: Job) -> None: ...

    def dispatch(self) -> bool: ...

    def paced(
        self, run_id: int, worker: str, limit: int, highest: int, reason: LimitReason | None
    ) -> None: ...

    def typed_reply(self, job: Job, index: int) -> TypedReply | None: ...

    def heard(self, progress: Mapping[tuple[int, str], ReplyProgress]) -> None: ...


class Player(Protocol):
    """Plays claimed attempts; `scratch` is a folder for one try, removed afterwards."""

    async def play(
        self, job: Job, listener: Listener, scratch: Path, gate: Gate | None = None
    ) -> AttemptResult: ...

    async def close(self) -> None: ...


@dataclass(frozen=True)
class Settings:
    """Settings with which a worker process plays attempts."""

    worker: str  # its name in the rows
    places: int
    renew_every_s: float
    scratch: Path
    may_claim: Callable[[], bool] = lambda: True  # asked in the thread that writes rows
    before_rows: Callable[[], None] = lambda: None  # called there before each act
    after_rows: Callable[[], None] = lambda: None  # called there once, at the end
    release_for_host: Callable[[], None] = lambda: None  # called there with each renewal


class AttemptPlayer:
    """For one event loop. `play` is called in any other thread."""

    def __init__(
        self,
        door: Door,
        player: Callable[[], Player],
        settings: Settings,
        loop: EventLoop,
        retrying: Retrying | None = None,
    ) -> None:
        self.door = door
        self.make_player = player
        self.settings = settings
        self.loop = loop
        self.retrying = retrying or Retrying()
        self.jobs: dict[tuple[int, str], Job] = {}  # tries in flight
        self.lost: set[tuple[int, str]] = set()  # of those, the ones that somebody else holds now
        self.heard: dict[tuple[int, str], ReplyProgress] = {}  # of the tries in flight
        self.stopped: set[int] = set()  # runs
        self.gates = Gates(lambda: self.moved.set())
        self.moved = asyncio.Event()  # while a pace may have changed
        self.is_asked = asyncio.Event()  # while somebody may be next
        self.noted: dict[int, tuple[int, int, LimitReason | None]] = {}  # paces on record, by run
        self.row_began_s: float | None = None  # of the act of the rows' thread that is under way
        loop.run(self.begin())

    def play(self, attempt_id: int, token: str) -> None:
        """Play the attempt that was sent with this token, if it still is to be played."""
        self.loop.run(self.claim_and_play(attempt_id, token))

    def ask(self) -> None:
        """Have attempts sent to workers with free places; returns at once."""
        self.loop.call(self.is_asked.set)

    def rows_busy_s(self) -> float:
        """For how long the rows' thread has been at one act, which takes milliseconds."""
        began_s = self.row_began_s
        return 0.0 if began_s is None else time.monotonic() - began_s

    # All that follows runs in the loop's thread.

    async def begin(self) -> None:
        self.player = self.make_player()
        self.scratch = Scratch(self.settings.scratch, self.settings.worker)
        self.loop.at_stop.append(self.leave)
        self.loop.at_end.append(self.close)
        await self.renew()
        duties = (
            self.keep_leases(),
            self.keep_looking(),
            self.keep_paces(),
            self.keep_heard(),
            self.keep_dispatching(),
        )
        self.duties = [asyncio.create_task(duty) for duty in duties]
        self.is_asked.set()

    async def leave(self) -> None:
        """Have nothing more sent here: what goes back to the queue is for others."""
        with logged(log, "the worker's row stays for a while"):
            await self.rows(self.door.forget_worker, self.settings.worker)

    async def close(self) -> None:
        for duty in self.duties:
            duty.cancel()
        await self.player.close()
        self.scratch.close()
        await self.rows(self.settings.after_rows)

    async def rows(self, act: Callable[..., T], *arguments: object) -> T:
        """Call an act of the door in the one thread that writes rows."""
        return await sync_to_async(self.act_on_rows)(act, *arguments)

    def act_on_rows(self, act: Callable[..., T], *arguments: object) -> T:
        self.row_began_s = time.monotonic()
        try:
            self.settings.before_rows()
            return act(*arguments)
        finally:
            self.row_began_s = None

    async def claim_and_play(self, attempt_id: int, token: str) -> None:
        job = await self.rows(self.claim, attempt_id, token)
        if job is None:
            return
        self.stopped.discard(job.run_id)  # resumed since the last look
        gate = self.gates.join(job.pace, job.run_id, job.lanes)
        gate.begin_attempt()
        said = "run=%s attempt=%s ended; its lease expires"
        try:
            with (
                logged(log, said, job.run_id, job.attempt_id),
                bound_contextvars(run=job.run_id, attempt=job.attempt_id),
            ):
                await self.note_pace(job)
                await self.attempt(job, gate)
        finally:
            if not any(other.run_id == job.run_id for other in self.jobs.values()):
                await self.note_pace(job)
                self.noted.pop(job.run_id, None)
                self.gates.leave(job.pace, job.run_id)
            gate.end_attempt()
            self.is_asked.set()  # a place is free

    def claim(self, attempt_id: int, token: str) -> Job | None:
        """Called in the thread that writes rows."""
        if self.loop.is_stopping:
            self.door.unsend(attempt_id, token)
            return None
        if not self.settings.may_claim():
            self.door.unsend(attempt_id, token)
            self.door.note_worker(self.settings.worker, 0)
            return None
        return self.door.claim(attempt_id, token, self.settings.worker)

    async def attempt(self, job: Job, gate: Gate) -> None:
        """Play one attempt and hand back how it ended."""
        self.jobs[job.claim] = job
        note(job, "claimed")
        try:
            with self.scratch.of(job) as scratch:
                result = await self.play_in(job, scratch, gate)
                await self.hand_back(job, result)
            note(job, f"{result.outcome} {result.problem.code if result.problem else ''}")
        except Fenced as fence:
            note(job, f"fenced: {fence}")
        except OSError as error:  # not even a folder to play in
            log.exception("run=%s attempt=%s not begun", job.run_id, job.attempt_id)
            await self.hand_back(job, unplayed(Outcome.WORKER_LOST, problem_of(error)))
        except asyncio.CancelledError:
            await self.rows(self.door.release, job)
            raise
        finally:
            del self.jobs[job.claim]
            self.lost.discard(job.claim)

    async def play_in(self, job: Job, scratch: Path, gate: Gate) -> AttemptResult:
        """The attempt's result; a failure of our own code is void, with its traceback logged."""
        reporter = Reporter(self, job)
        try:
            return await self.player.play(job, reporter, scratch, gate)
        except Fenced:
            raise
        except Exception as error:  # the result must say so, or the attempt would never end
            log.exception("run=%s attempt=%s the runner failed", job.run_id, job.attempt_id)
            return unplayed(Outcome.WORKER_LOST, problem_of(error))
        finally:
            self.heard.pop(job.claim, None)
            await reporter.settle()

    async def hand_back(self, job: Job, result: AttemptResult) -> None:
        """Record the result; a database that is away for a moment costs no attempt.

        What ends void while the worker stops may be void for that, and is given back.
        """
        if self.loop.is_stopping and result.outcome.is_void:
            return await self.rows(self.door.release, job)
        write = self.retrying(self.door.record_result)
        for pause_s in RECORD_PAUSES_S:
            try:
                return await self.rows(record_result, write, job, result)
            except Fenced:
                raise
            except Exception:  # whatever it was: to give up at once is to lose the attempt
                log.exception("run=%s attempt=%s not recorded yet", job.run_id, job.attempt_id)
                await asyncio.sleep(pause_s)
        return await self.rows(record_result, write, job, result)

    async def keep_leases(self) -> None:
        while True:
            await asyncio.sleep(self.settings.renew_every_s)
            with logged(log, "leases were not renewed; the next round tries again"):
                await self.renew()

    async def renew(self) -> None:
        """Renew the worker's row and what it holds; stop what is no longer ours.

        What dead workers of this machine held is free at once.
        """
        jobs = list(self.jobs.values())
        ours = await self.rows(self.door.renew, jobs) if jobs else set()
        now_held = {job.claim for job in jobs} & self.jobs.keys()
        self.lost |= now_held - ours
        places = self.settings.places if await self.rows(self.settings.may_claim) else 0
        if not self.loop.is_stopping:
            await self.rows(self.door.note_worker, self.settings.worker, places)
        if dead := self.scratch.clear_abandoned():
            await self.rows(self.door.release_of_dead, dead)
        await self.rows(self.settings.release_for_host)
        self.is_asked.set()  # places of the dead are free, and beat may stand still

    async def keep_looking(self) -> None:
        """Learn which of the runs in flight were cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            runs = {job.run_id for job in self.jobs.values()}
            with logged(log, "cancelled runs are unknown; the next round asks again"):
                self.stopped = await self.rows(self.door.look, runs) if runs else set()

    async def keep_paces(self) -> None:
        """Put the paces that changed on record: as many attempts are sent from then on."""
        while True:
            await self.moved.wait()
            self.moved.clear()
            for job in {job.run_id: job for job in self.jobs.values()}.values():
                await self.note_pace(job)
            await asyncio.sleep(PACES_EVERY_S)

    async def keep_dispatching(self) -> None:
        """Send attempts to workers for all who asked since the last time."""
        while True:
            await self.is_asked.wait()
            self.is_asked.clear()
            is_done = True
            with logged(log, "nothing was sent to workers; the next sweep does"):
                is_done = await self.rows(self.door.dispatch)
            await asyncio.sleep(DISPATCH_EVERY_S)
            if not is_done:  # another process decided, and may have looked before
                self.is_asked.set()

    async def note_pace(self, job: Job) -> None:
        pace = self.gates.gates[job.pace].pace
        found = (pace.limit, pace.highest, pace.reason)
        if self.noted.get(job.run_id) == found:
            return
        self.noted[job.run_id] = found
        with logged(log, "run=%s its pace is not on record", job.run_id):
            await self.rows(self.door.paced, job.run_id, self.settings.worker, *found)
            self.is_asked.set()

    async def keep_heard(self) -> None:
        """Put on record how far each reply has come, in one write, where that changed."""
        noted: dict[tuple[int, str], ReplyProgress] = {}
        while True:
            await asyncio.sleep(HEARD_EVERY_S)
            heard = dict(self.heard)
            changed = {
                claim: progress
                for claim, progress in heard.items()
                if noted.get(claim, ReplyProgress()) != progress
            }
            noted = heard
            if changed:
                with logged(log, "the progress of replies is not on record"):
                    await self.rows(self.door.heard, changed)

    def should_stop(self, job: Job) -> bool:
        is_unwanted = job.claim in self.lost or job.run_id in self.stopped
        return self.loop.is_stopping or is_unwanted


class Reporter:
    """Writes an attempt's progress through the door: the `Listener` of one try."""

    def __init__(self, player: AttemptPlayer, job: Job) -> None:
        self.player = player
        self.job = job
        self.charge, self.reserved = 0, 0  # of the reply under way, for the run's ceiling

    async def opened(self, opening: Opening) -> None:
        await self.player.rows(self.player.retrying(self.player.door.opened), self.job, opening)

    async def step(self, step: Step) -> None:
        self.hear(ReplyProgress())
        record = self.player.retrying(self.player.door.step)
        if self.reserved:
            (charge, reserved), self.reserved = (self.charge, self.reserved), 0
            await self.player.rows(record, self.job, step, charge, reserved)
        else:
            await self.player.rows(record, self.job, step)

    async def reserve(self, amount: int, reply_s: float) -> str:
        """Reserve for one reply; what an earlier one held, without a step, is settled first."""
        await self.settle()
        ask = self.player.retrying(self.player.door.reserve)
        answer = await self.player.rows(ask, self.job, amount, reply_s)
        if answer == GRANTED:
            self.charge, self.reserved = 0, amount
        return answer

    async def typed(self, index: int) -> TypedReply | None:
        """The reply that a person typed, once it is there."""
        ask = self.player.retrying(self.player.door.typed_reply)
        return await self.player.rows(ask, self.job, index)

    def owe(self, charge: int) -> None:
        self.charge = charge

    async def settle(self) -> None:
        """Record a charge whose step was not, and free what was held for it."""
        if not self.reserved:
            return
        (charge, reserved), self.reserved = (self.charge, self.reserved), 0
        with logged(log, "run=%s a reservation ends by itself", self.job.run_id):
            await self.player.rows(self.player.door.settle, self.job, charge, reserved)

    def hear(self, progress: ReplyProgress) -> None:
        self.player.heard[self.job.claim] = progress

    def should_stop(self) -> bool:
        return self.player.should_stop(self.job)


def note(job: Job, what: str) -> None:
    log.info("run=%s attempt=%s try=%s %s", job.run_id, job.attempt_id, job.try_number, what)
