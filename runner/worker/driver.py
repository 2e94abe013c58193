"""The one asyncio loop of a worker process: keeps woken runs topped up with attempts in flight.

It lives in a thread of its own for as long as the process, because kernels end with the thread
that launched them. A wake-up lets a run contend for the process's places until it has no attempt
left for us; `runner.worker.turns` decides who gets a place that is free. A process also looks for
runs by itself, so that one message brings every idle worker to a large run.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

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
    Waiting,
)
from runner.endpoint.limiter import Gate, Gates
from runner.failure_log import logged
from runner.unplayed import MADE_ROOM, problem_of, unplayed
from runner.worker.ceiling import GRANTED
from runner.worker.database_retries import Retrying, record_result
from runner.worker.row_thread import RowThread
from runner.worker.scratch_folders import Scratch
from runner.worker.turns import Turns

log = logging.getLogger(__name__)

T = TypeVar("T")

LOOK_EVERY_S = 1.0  # for runs that were cancelled
SEEK_EVERY_S = 1.0  # for runs to play, with places free
SEEK_FULL_EVERY_S = 5.0  # without
HEARD_EVERY_S = 3.0  # as often as a page that is looked at asks
GRACE_S = 1.5  # for attempts to notice that the worker stops
LAST_GRACE_S = 4.5  # for those that did not, to be cancelled
RECORD_PAUSES_S = (1.0, 5.0)  # before a result that could not be written is tried again


class Door(Protocol):
    """The acts of `leaderboard.handoff.attempts` that the driver needs."""

    def claim(self, run_id: int | None, limit: int, worker: str) -> list[Job]: ...

    def waiting(self) -> list[Waiting]: ...

    def renew(self, jobs: Iterable[Job]) -> set[tuple[int, str]]: ...

    def cancelled(self, run_ids: Iterable[int]) -> set[int]: ...

    def opened(self, job: Job, opening: Opening) -> None: ...

    def step(self, job: Job, step: Step, charge: int = 0, reserved: int = 0) -> None: ...

    def reserve(self, job: Job, amount: int, reply_s: float) -> str: ...

    def settle(self, job: Job, charge: int, reserved: int) -> None: ...

    def record_result(self, job: Job, result: AttemptResult) -> None: ...

    def release(self, job: Job) -> None: ...

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
    """Settings with which a worker process drives attempts."""

    worker: str  # its name in the rows
    places: int  # attempts in flight, beyond which newcomers have spare ones
    renew_every_s: float
    scratch: Path
    may_claim: Callable[[], bool] = lambda: True  # asked in the thread that writes rows


class Driver:
    """Start it once per process; `wake` and `stop` may be called from any thread."""

    def __init__(
        self,
        door: Door,
        player: Callable[[], Player],
        settings: Settings,
        before_rows: Callable[[], None] = lambda: None,
        after_rows: Callable[[], None] = lambda: None,
        retrying: Retrying | None = None,
    ) -> None:
        self.door = door
        self.make_player = player
        self.settings = settings
        self.row_thread = RowThread(before_rows, after_rows)
        self.retrying = retrying or Retrying()
        self.jobs: dict[tuple[int, str], Job] = {}  # tries in flight
        self.lost: set[tuple[int, str]] = set()  # of those, the ones that somebody else holds now
        self.yielding: set[tuple[int, str]] = set()  # of those in flight, who make room for others
        self.heard: dict[tuple[int, str], ReplyProgress] = {}  # of the tries in flight
        self.cancelled: set[int] = set()  # runs
        self.turns = Turns(settings.places)
        self.gates = Gates(self.deal_soon)
        self.gate_of: dict[int, tuple[str, Gate]] = {}  # of contending runs: endpoint and gate
        self.noted: dict[
            int, tuple[int, int, LimitReason | None]
        ] = {}  # of those, the pace on record
        self.tasks: set[asyncio.Task[None]] = set()
        self.is_stopping = False
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.live, name="driver", daemon=True)

    def start(self) -> None:
        self.thread.start()
        self.ready.wait(10)

    def wake(self, run_id: int, lanes: int, endpoint: str = "", account: str = "") -> None:
        """Play attempts of this run, up to `lanes` at once. A repeat is harmless.

        Runs with the same `endpoint` share what is found out of its pace, and runs of the same
        `account` share its places. An account that is not named is the endpoint's first word.
        """
        endpoint = endpoint or f"run-{run_id}"
        account = account or endpoint.partition(" ")[0]
        self.call(self.contend, Waiting(run_id, lanes, endpoint, account))

    def stop(self) -> None:
        """Ask every attempt to stop; each goes back to the queue."""
        self.retrying.hurry()
        self.call(self.begin_stop)

    def join(self, timeout_s: float) -> bool:
        """Wait for the end after `stop`; whether it came."""
        self.thread.join(timeout_s)
        return not self.thread.is_alive()

    @property
    def is_alive(self) -> bool:
        return self.thread.is_alive()

    def call(self, act: Callable[..., object], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended: the rows keep the work
            self.loop.call_soon_threadsafe(act, *arguments)

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Have other work done in the driver's loop, whose end cancels it."""
        try:
            return asyncio.run_coroutine_threadsafe(work, self.loop)
        except RuntimeError:  # the loop has ended
            work.close()
            future: Future[T] = Future()
            future.cancel()
            future.set_running_or_notify_cancel()  # to those who wait
            return future

    # All that follows runs in the driver's thread.

    def live(self) -> None:
        said = "the driver ended; its attempts are taken back when their leases expire"
        with logged(log, said):
            asyncio.run(self.run())

    async def run(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.stopping = asyncio.Event()
        self.player = self.make_player()
        self.scratch = Scratch(self.settings.scratch)
        self.ready.set()
        duties = (
            self.keep_leases(),
            self.look(),
            self.seek(),
            self.keep_paces(),
            self.keep_heard(),
        )
        watchers = [asyncio.create_task(duty) for duty in duties]
        try:
            await self.stopping.wait()
            await self.end_attempts()
        finally:
            for watcher in watchers:
                watcher.cancel()
            await self.player.close()
            self.scratch.close()
            self.row_thread.close()

    async def rows(self, act: Callable[..., T], *arguments: object) -> T:
        """Call an act of the door in the one thread that writes rows."""
        return await self.row_thread.call(act, *arguments)

    def claim(self, run_id: int, limit: int) -> list[Job]:
        """Called, as `waiting` is, in the thread that writes rows."""
        if not self.settings.may_claim():
            return []
        return self.door.claim(run_id, limit, self.settings.worker)

    def waiting(self) -> list[Waiting]:
        return self.door.waiting() if self.settings.may_claim() else []

    def begin_stop(self) -> None:
        self.is_stopping = True
        self.stopping.set()

    async def end_attempts(self) -> None:
        """Let attempts notice for a while, then cancel what is left."""
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=GRACE_S)
        for task in self.tasks:
            task.cancel()
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=LAST_GRACE_S)

    def contend(self, run: Waiting) -> None:
        if self.is_stopping:
            return
        if run.run_id not in self.gate_of or self.gate_of[run.run_id][0] == run.endpoint:
            gate = self.gates.join(run.endpoint, run.run_id, run.lanes)
            self.gate_of[run.run_id] = (run.endpoint, gate)
        self.turns.join(run.run_id, run.account, run.lanes, time.monotonic())
        self.deal()

    def deal_soon(self) -> None:
        if self.turns.runs:
            self.loop.call_soon(self.deal)

    def deal(self) -> None:
        """Give the free places away in turn, then claim for each run all that it got at once."""
        given: Counter[int] = Counter()
        while self.turns.free and not self.is_stopping:
            now_s = time.monotonic()
            run_id = self.turns.next(now_s, lambda run: self.gate_of[run][1].has_room())
            if run_id is None:
                break
            self.turns.begin(run_id, now_s)
            self.gate_of[run_id][1].begin_attempt()
            given[run_id] += 1
        for run_id, places in given.items():
            self.spawn(self.fill(run_id, places))

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def give_back(self, run_id: int) -> None:
        """Free a place; a run with nothing in flight and nothing left contends no more."""
        self.turns.end(run_id, time.monotonic())
        endpoint, gate = self.gate_of[run_id]
        if self.turns.is_idle(run_id):
            self.turns.leave(run_id)
            del self.gate_of[run_id]
            self.noted.pop(run_id, None)
            self.gates.leave(endpoint, run_id)
        gate.end_attempt()  # and deals again

    async def fill(self, run_id: int, places: int) -> None:
        """Claim attempts for places that a run got, and play them."""
        jobs: list[Job] = []
        try:
            with logged(log, "run=%s nothing claimed; it is asked again", run_id):
                jobs = await self.rows(self.claim, run_id, places)
        finally:
            if jobs:
                self.cancelled.discard(run_id)  # resumed since the last look
            else:
                self.turns.runs[run_id].is_dry = True
            for job in jobs:
                self.spawn(self.occupy(job))
            for _ in range(places - len(jobs)):
                await self.leave_place(run_id)

    async def occupy(self, job: Job) -> None:
        """Play an attempt in its place, which is free afterwards."""
        said = "run=%s attempt=%s ended; its lease expires"
        try:
            with (
                logged(log, said, job.run_id, job.attempt_id),
                bound_contextvars(run=job.run_id, attempt=job.attempt_id),
            ):
                await self.attempt(job, self.gate_of[job.run_id][1])
        finally:
            await self.leave_place(job.run_id)

    async def leave_place(self, run_id: int) -> None:
        if self.turns.is_last(run_id):
            await self.note_pace(run_id, self.gate_of[run_id][1])
        self.give_back(run_id)

    async def attempt(self, job: Job, gate: Gate) -> None:
        """Play one attempt and hand back how it ended."""
        self.jobs[job.claim] = job
        note(job, "claimed")
        try:
            with self.scratch.of(job) as scratch:
                result = await self.play(job, scratch, gate)
                if result.outcome is Outcome.CANCELLED and job.claim in self.yielding:
                    result = unplayed(Outcome.CANCELLED, MADE_ROOM)
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
            self.yielding.discard(job.claim)

    async def play(self, job: Job, scratch: Path, gate: Gate) -> AttemptResult:
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
        """Record the result; a database that is away for a moment costs no attempt."""
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
        """Renew what we hold; stop those that are no longer ours."""
        while True:
            await asyncio.sleep(self.settings.renew_every_s)
            jobs = list(self.jobs.values())
            with logged(log, "leases were not renewed; the next round tries again"):
                ours = await self.rows(self.door.renew, jobs) if jobs else set()
                now_held = {job.claim for job in jobs} & self.jobs.keys()
                self.lost |= now_held - ours

    async def look(self) -> None:
        """Learn which of the runs in flight were cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            runs = {job.run_id for job in self.jobs.values()}
            with logged(log, "cancelled runs are unknown; the next round asks again"):
                self.cancelled = await self.rows(self.door.cancelled, runs) if runs else set()

    async def seek(self) -> None:
        """Look for runs whose wake-up went to another worker or was lost."""
        while True:
            await asyncio.sleep(SEEK_EVERY_S if self.turns.free else SEEK_FULL_EVERY_S)
            with logged(log, "no work was looked for; the next round looks again"):
                for run in await self.rows(self.waiting):
                    self.contend(run)
                self.make_room()

    def make_room(self) -> None:
        """Ask the fullest accounts' newest attempts back for who waited too long for a place."""
        missing = self.turns.left_waiting(time.monotonic()) - len(self.yielding) - self.turns.free
        for _ in range(missing):
            staying = [job for job in self.jobs.values() if job.claim not in self.yielding]
            run_id = self.turns.fullest(job.run_id for job in staying)
            if run_id is None:
                return
            newest = [job for job in staying if job.run_id == run_id][-1]
            note(newest, "makes room for an account that has no place")
            self.yielding.add(newest.claim)

    async def keep_paces(self) -> None:
        """Put the paces that changed on record, for the pages of their runs."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            for run_id, (_, gate) in list(self.gate_of.items()):
                await self.note_pace(run_id, gate)

    async def note_pace(self, run_id: int, gate: Gate) -> None:
        pace = (gate.pace.limit, gate.pace.highest, gate.pace.reason)
        if self.noted.get(run_id) == pace:
            return
        self.noted[run_id] = pace
        with logged(log, "run=%s its pace is not on record", run_id):
            await self.rows(self.door.paced, run_id, self.settings.worker, *pace)

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
        is_unwanted = job.claim in self.lost or job.claim in self.yielding
        return self.is_stopping or job.run_id in self.cancelled or is_unwanted


class Reporter:
    """Writes an attempt's progress through the door: the `Listener` of one try."""

    def __init__(self, driver: Driver, job: Job) -> None:
        self.driver = driver
        self.job = job
        self.charge, self.reserved = 0, 0  # of the reply under way, for the run's ceiling

    async def opened(self, opening: Opening) -> None:
        await self.driver.rows(self.driver.retrying(self.driver.door.opened), self.job, opening)

    async def step(self, step: Step) -> None:
        self.hear(ReplyProgress())
        record = self.driver.retrying(self.driver.door.step)
        if self.reserved:
            (charge, reserved), self.reserved = (self.charge, self.reserved), 0
            await self.driver.rows(record, self.job, step, charge, reserved)
        else:
            await self.driver.rows(record, self.job, step)

    async def reserve(self, amount: int, reply_s: float) -> str:
        """Reserve for one reply; what an earlier one held, without a step, is settled first."""
        await self.settle()
        ask = self.driver.retrying(self.driver.door.reserve)
        answer = await self.driver.rows(ask, self.job, amount, reply_s)
        if answer == GRANTED:
            self.charge, self.reserved = 0, amount
        return answer

    async def typed(self, index: int) -> TypedReply | None:
        """The reply that a person typed, once it is there."""
        ask = self.driver.retrying(self.driver.door.typed_reply)
        return await self.driver.rows(ask, self.job, index)

    def owe(self, charge: int) -> None:
        self.charge = charge

    async def settle(self) -> None:
        """Record a charge whose step was not, and free what was held for it."""
        if not self.reserved:
            return
        (charge, reserved), self.reserved = (self.charge, self.reserved), 0
        with logged(log, "run=%s a reservation ends by itself", self.job.run_id):
            await self.driver.rows(self.driver.door.settle, self.job, charge, reserved)

    def hear(self, progress: ReplyProgress) -> None:
        self.driver.heard[self.job.claim] = progress

    def should_stop(self) -> bool:
        return self.driver.should_stop(self.job)


def note(job: Job, what: str) -> None:
    log.info("run=%s attempt=%s try=%s %s", job.run_id, job.attempt_id, job.try_number, what)
