"""The one asyncio loop of a worker process: keeps woken runs topped up with attempts in flight.

It lives in a thread of its own for as long as the process, because kernels end with the thread
that launched them. A wake-up opens lanes for a run, as many as the run allows at once; a lane
plays one attempt after another until the run has none left for us. Places bound the attempts in
flight over all runs, first come first served, so that no run starves another.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from structlog.contextvars import bound_contextvars

from runner.contract import (
    AttemptResult,
    Fenced,
    Job,
    Listener,
    Opening,
    Outcome,
    Step,
)
from runner.gate import Gate, Gates
from runner.outcomes import problem_of, unplayed
from runner.scratch import Scratch

log = logging.getLogger(__name__)

T = TypeVar("T")

LOOK_EVERY_S = 1.0  # for runs that were cancelled
GRACE_S = 6.0  # for attempts to notice that the worker stops
LAST_GRACE_S = 2.0  # for those that did not, to be cancelled
RECORD_PAUSES_S = (1.0, 5.0)  # before a result that could not be written is tried again


class Door(Protocol):
    """The acts of `leaderboard.handoff` that the driver needs."""

    def claim(self, run_id: int | None, limit: int, worker: str) -> list[Job]: ...

    def renew(self, jobs: Iterable[Job]) -> set[int]: ...

    def cancelled(self, run_ids: Iterable[int]) -> set[int]: ...

    def opened(self, job: Job, opening: Opening) -> None: ...

    def step(self, job: Job, step: Step) -> None: ...

    def record_result(self, job: Job, result: AttemptResult) -> None: ...

    def release(self, job: Job) -> None: ...

    def paced(self, run_id: int, worker: str, limit: int, highest: int) -> None: ...


class Player(Protocol):
    """Plays claimed attempts; `scratch` is a folder for one try, removed afterwards."""

    async def play(
        self, job: Job, listener: Listener, scratch: Path, gate: Gate | None = None
    ) -> AttemptResult: ...

    async def close(self) -> None: ...


@dataclass(frozen=True)
class Settings:
    """How a worker process drives attempts."""

    worker: str  # its name in the rows
    places: int  # attempts in flight
    renew_every_s: float
    scratch: Path


class Driver:
    """Start it once per process; `wake` and `stop` may be called from any thread."""

    def __init__(
        self,
        door: Door,
        player: Callable[[], Player],
        settings: Settings,
        before_rows: Callable[[], None] = lambda: None,
        after_rows: Callable[[], None] = lambda: None,
    ) -> None:
        self.door = door
        self.make_player = player
        self.settings = settings
        self.before_rows = before_rows  # called in the rows' thread before each act
        self.after_rows = after_rows  # called there once, at the end
        self.jobs: dict[int, Job] = {}  # attempts in flight
        self.lost: set[int] = set()  # of those, the ones that somebody else holds now
        self.cancelled: set[int] = set()  # runs
        self.lanes: Counter[int] = Counter()  # open lanes by run
        self.gates = Gates()
        self.gate_of: dict[int, tuple[str, Gate]] = {}  # of runs with lanes: endpoint and gate
        self.noted: dict[int, tuple[int, int]] = {}  # of those, the pace on record
        self.tasks: set[asyncio.Task[None]] = set()
        self.is_stopping = False
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.live, name="driver", daemon=True)

    def start(self) -> None:
        self.thread.start()
        self.ready.wait(10)

    def wake(self, run_id: int, lanes: int, endpoint: str = "") -> None:
        """Play attempts of this run, up to `lanes` at once. A repeat is harmless.

        Runs with the same `endpoint` share what is found out of its pace.
        """
        self.call(self.open_lanes, run_id, lanes, endpoint or f"of run {run_id}")

    def stop(self) -> None:
        """Ask every attempt to stop; each goes back to the queue."""
        self.call(self.begin_stop)

    def join(self, timeout_s: float) -> bool:
        """Wait for the end after `stop`; whether it came."""
        self.thread.join(timeout_s)
        return not self.thread.is_alive()

    @property
    def is_alive(self) -> bool:
        return self.thread.is_alive()

    def call(self, act: Callable[..., None], *arguments: int | str) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended: the rows keep the work
            self.loop.call_soon_threadsafe(act, *arguments)

    # All that follows runs in the driver's thread.

    def live(self) -> None:
        try:
            asyncio.run(self.run())
        except Exception:
            log.exception("the driver ended; its attempts are taken back when their leases expire")

    async def run(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.places = asyncio.Semaphore(self.settings.places)
        self.stopping = asyncio.Event()
        self.player = self.make_player()
        self.scratch = Scratch(self.settings.scratch)
        self.row_thread = ThreadPoolExecutor(1, thread_name_prefix="rows")
        self.ready.set()
        duties = (self.keep_leases(), self.look(), self.keep_paces())
        watchers = [asyncio.create_task(duty) for duty in duties]
        try:
            await self.stopping.wait()
            await self.end_lanes()
        finally:
            for watcher in watchers:
                watcher.cancel()
            await self.player.close()
            self.scratch.close()
            self.row_thread.submit(self.after_rows)
            self.row_thread.shutdown()

    async def rows(self, act: Callable[..., T], *arguments: object) -> T:
        """Call an act of the door in the one thread that writes rows."""
        context = contextvars.copy_context()  # for the log, which says of what attempt it speaks
        call = functools.partial(context.run, self.call_rows, act, *arguments)
        return await self.loop.run_in_executor(self.row_thread, call)

    def call_rows(self, act: Callable[..., T], *arguments: object) -> T:
        self.before_rows()
        return act(*arguments)

    def begin_stop(self) -> None:
        self.is_stopping = True
        self.stopping.set()

    async def end_lanes(self) -> None:
        """Let attempts notice for a while, then cancel what is left."""
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=GRACE_S)
        for task in self.tasks:
            task.cancel()
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=LAST_GRACE_S)

    def open_lanes(self, run_id: int, lanes: int, endpoint: str) -> None:
        if self.is_stopping:
            return
        self.gate_of[run_id] = (endpoint, self.gates.join(endpoint, run_id, lanes))
        for _ in range(lanes - self.lanes[run_id]):
            self.lanes[run_id] += 1
            task = asyncio.create_task(self.lane(run_id))
            self.tasks.add(task)
            task.add_done_callback(functools.partial(self.close_lane, run_id))

    def close_lane(self, run_id: int, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        self.lanes[run_id] -= 1
        if not self.lanes[run_id]:
            del self.lanes[run_id]
            self.gates.leave(self.gate_of.pop(run_id)[0], run_id)
            self.noted.pop(run_id, None)

    async def lane(self, run_id: int) -> None:
        """One attempt after another, until the run has none left for us."""
        _, gate = self.gate_of[run_id]
        try:
            while not self.is_stopping:
                async with gate.attempt(), self.places:
                    if self.stopping.is_set():  # while it waited
                        return
                    jobs = await self.rows(self.door.claim, run_id, 1, self.settings.worker)
                    if not jobs:
                        break
                    with bound_contextvars(run=run_id, attempt=jobs[0].attempt_id):
                        await self.attempt(jobs[0], gate)
            await self.note_pace(run_id, gate)
        except Exception:
            log.exception("run=%s a lane ended; the sweep opens another", run_id)

    async def attempt(self, job: Job, gate: Gate) -> None:
        """Play one attempt and hand back how it ended."""
        self.jobs[job.attempt_id] = job
        note(job, "claimed")
        try:
            with self.scratch.of(job) as scratch:
                result = await self.play(job, scratch, gate)
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
            del self.jobs[job.attempt_id]
            self.lost.discard(job.attempt_id)

    async def play(self, job: Job, scratch: Path, gate: Gate) -> AttemptResult:
        """The attempt's result; a failure of our own code is void, with its traceback logged."""
        try:
            return await self.player.play(job, Reporter(self, job), scratch, gate)
        except Fenced:
            raise
        except Exception as error:
            log.exception("run=%s attempt=%s the runner failed", job.run_id, job.attempt_id)
            return unplayed(Outcome.WORKER_LOST, problem_of(error))

    async def hand_back(self, job: Job, result: AttemptResult) -> None:
        """Record the result; a database that is away for a moment costs no attempt."""
        for pause_s in RECORD_PAUSES_S:
            try:
                return await self.rows(self.door.record_result, job, result)
            except Fenced:
                raise
            except Exception:
                log.exception("run=%s attempt=%s not recorded yet", job.run_id, job.attempt_id)
                await asyncio.sleep(pause_s)
        return await self.rows(self.door.record_result, job, result)

    async def keep_leases(self) -> None:
        """Renew what we hold; what is no longer ours is told to stop."""
        while True:
            await asyncio.sleep(self.settings.renew_every_s)
            jobs = list(self.jobs.values())
            try:
                ours = await self.rows(self.door.renew, jobs) if jobs else set()
            except Exception:
                log.exception("leases were not renewed; the next round tries again")
                continue
            now_held = {job.attempt_id for job in jobs} & self.jobs.keys()
            self.lost |= now_held - ours

    async def look(self) -> None:
        """Learn which of the runs in flight were cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            runs = {job.run_id for job in self.jobs.values()}
            try:
                self.cancelled = await self.rows(self.door.cancelled, runs) if runs else set()
            except Exception:
                log.exception("cancelled runs are unknown; the next round asks again")

    async def keep_paces(self) -> None:
        """Put the paces that changed on record, for the pages of their runs."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            for run_id, (_, gate) in list(self.gate_of.items()):
                await self.note_pace(run_id, gate)

    async def note_pace(self, run_id: int, gate: Gate) -> None:
        pace = (gate.pace.limit, gate.pace.highest)
        if self.noted.get(run_id) == pace:
            return
        self.noted[run_id] = pace
        try:
            await self.rows(self.door.paced, run_id, self.settings.worker, *pace)
        except Exception:
            log.exception("run=%s its pace is not on record", run_id)

    def should_stop(self, job: Job) -> bool:
        return self.is_stopping or job.run_id in self.cancelled or job.attempt_id in self.lost


class Reporter:
    """Writes an attempt's progress through the door: the `Listener` of one try."""

    def __init__(self, driver: Driver, job: Job) -> None:
        self.driver = driver
        self.job = job

    async def opened(self, opening: Opening) -> None:
        await self.driver.rows(self.driver.door.opened, self.job, opening)

    async def step(self, step: Step) -> None:
        await self.driver.rows(self.driver.door.step, self.job, step)

    def should_stop(self) -> bool:
        return self.driver.should_stop(self.job)


def note(job: Job, what: str) -> None:
    log.info("run=%s attempt=%s try=%s %s", job.run_id, job.attempt_id, job.try_number, what)
