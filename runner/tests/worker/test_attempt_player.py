"""The player of a worker: claims, paces and stops, with rows in memory and attempts that ask."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from conftest import wait_until
from runner.contract import (
    AttemptResult,
    EndpointSpec,
    Fault,
    Job,
    LimitReason,
    Limits,
    Listener,
    Opening,
    Outcome,
    Problem,
    ReplyProgress,
    Step,
    TypedReply,
)
from runner.endpoint.errors import EndpointError
from runner.endpoint.limiter import Gate
from runner.unplayed import unplayed
from runner.worker.attempt_player import AttemptPlayer, Settings
from runner.worker.event_loop import EventLoop
from runner.worker.scratch_folders import Scratch

PLAYED = Problem(Fault.US, "played", "It was only played.", "")
DEADLINE_S = 120.0  # against hanging


@dataclass
class Rows:
    """A door to rows in memory, which knows what was sent by its token."""

    jobs: dict[str, Job] = field(default_factory=dict)
    claimed: int = 0
    done: list[int] = field(default_factory=list)
    released: int = 0
    asked: int = 0
    paces: list[tuple[int, int, int]] = field(default_factory=list)  # run, limit, highest
    places: list[int] = field(default_factory=list)
    dead: list[str] = field(default_factory=list)
    stopped: set[int] = field(default_factory=set)
    renewed: list[set[tuple[int, str]]] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)  # tokens

    def send(self, token: str, run_id: int = 1, lanes: int = 16, pace: str = "a") -> None:
        spec = EndpointSpec("http://127.0.0.1:9/v1", "m")
        number = len(self.jobs) + 1
        self.jobs[token] = Job(
            number, token, "s", "k", 1, 1, spec, Limits(), run_id, lanes=lanes, pace=pace
        )

    def claim(self, attempt_id: int, token: str, worker: str) -> Job | None:
        self.claimed += token in self.jobs
        return self.jobs.pop(token, None)

    def unsend(self, attempt_id: int, token: str) -> None:
        self.released += 1

    def note_worker(self, name: str, places: int) -> None:
        self.places.append(places)

    def forget_worker(self, name: str) -> None:
        self.places.append(-1)

    def release_of_dead(self, workers: Collection[str]) -> None:
        self.dead += workers

    def renew(self, jobs: Iterable[Job]) -> set[tuple[int, str]]:
        self.renewed.append({job.claim for job in jobs})
        return {job.claim for job in jobs if job.token not in self.lost}

    def look(self, run_ids: Iterable[int]) -> set[int]:
        return self.stopped & set(run_ids)

    def opened(self, job: Job, opening: Opening) -> None: ...

    def step(self, job: Job, step: Step, charge: int = 0, reserved: int = 0) -> None: ...

    def reserve(self, job: Job, amount: int, reply_s: float) -> str:
        return "granted"

    def settle(self, job: Job, charge: int, reserved: int) -> None: ...

    def record_result(self, job: Job, result: AttemptResult) -> None:
        self.done.append(job.attempt_id)

    def release(self, job: Job) -> None:
        self.released += 1

    def dispatch(self) -> bool:
        self.asked += 1
        return True

    def paced(
        self, run_id: int, worker: str, limit: int, highest: int, reason: LimitReason | None
    ) -> None:
        self.paces.append((run_id, limit, highest))

    def typed_reply(self, job: Job, index: int) -> TypedReply | None:
        return None

    def heard(self, progress: Mapping[tuple[int, str], ReplyProgress]) -> None: ...


class Asker:
    """Attempts of a few requests each to an endpoint that takes `bears` of them at once."""

    def __init__(self, requests: int = 3, bears: int = 1000) -> None:
        self.requests = requests
        self.bears = bears
        self.asked = self.most_asked = 0
        self.at_work = self.most_at_work = 0

    async def play(
        self, job: Job, listener: Listener, scratch: Path, gate: Gate | None = None
    ) -> AttemptResult:
        assert gate is not None
        self.at_work += 1
        self.most_at_work = max(self.most_at_work, self.at_work)
        try:
            for _ in range(self.requests):
                await self.ask(gate)
        finally:
            self.at_work -= 1
        return unplayed(Outcome.CANCELLED, PLAYED)

    async def ask(self, gate: Gate) -> None:
        while True:
            try:
                async with gate.request():
                    await self.answer()
                return
            except EndpointError:
                await asyncio.sleep(0.001)

    async def answer(self) -> None:
        self.asked += 1
        self.most_asked = max(self.most_asked, self.asked)
        try:
            if self.asked > self.bears:
                error = EndpointError("endpoint_rate_limited", "Too many.", "Wait.", 6)
                error.status = 429
                raise error
            await asyncio.sleep(0.01)
        finally:
            self.asked -= 1

    async def close(self) -> None: ...


@dataclass
class Playground:
    """A player, and the threads that carry its attempts as Celery's do."""

    player: AttemptPlayer
    threads: list[threading.Thread] = field(default_factory=list)

    def play(self, token: str) -> None:
        def carry() -> None:
            with contextlib.suppress(CancelledError):
                self.player.play(1, token)

        self.threads.append(threading.Thread(target=carry))
        self.threads[-1].start()

    def wait(self) -> None:
        for thread in self.threads:
            thread.join(DEADLINE_S)
            assert not thread.is_alive()


@contextmanager
def playing(rows: Rows, plays: Asker, folder: Path, **how: Any) -> Iterator[Playground]:
    loop = EventLoop()
    settings = Settings("w:1", 8, how.pop("renew_every_s", 60.0), folder / "scratch", **how)
    ground = Playground(AttemptPlayer(rows, lambda: plays, settings, loop))
    try:
        yield ground
    finally:
        loop.stop()
        assert loop.join(DEADLINE_S)
        ground.wait()


class Held(Asker):
    """Attempts that go on until they should stop, and say which try they were."""

    def __init__(self) -> None:
        super().__init__()
        self.playing: list[str] = []
        self.stopped: list[str] = []

    async def rest(self) -> None:
        await asyncio.sleep(0.01)

    async def play(
        self, job: Job, listener: Listener, scratch: Path, gate: Gate | None = None
    ) -> AttemptResult:
        self.playing.append(job.token)
        while not listener.should_stop():
            await self.rest()
        self.stopped.append(job.token)
        return unplayed(Outcome.CANCELLED, PLAYED)


def test_what_was_sent_is_played_once_however_often_the_message_comes(tmp_path: Path) -> None:
    rows = Rows()
    for number in range(8):
        rows.send(str(number))
    with playing(rows, Asker(), tmp_path) as ground:
        for number in [*range(8)] * 3:
            ground.play(str(number))
        ground.wait()
    assert sorted(rows.done) == [*range(1, 9)]
    assert rows.claimed == 8


def test_the_pace_that_is_found_is_put_on_record(tmp_path: Path) -> None:
    rows = Rows()
    with playing(rows, Asker(requests=2), tmp_path) as ground:
        for number in range(8):
            rows.send(str(number), lanes=8)
            ground.play(str(number))
        ground.wait()
    assert rows.paces == [(1, 8, 8)]


def test_an_endpoint_that_refuses_is_given_less(tmp_path: Path) -> None:
    rows, asker = Rows(), Asker(requests=30, bears=3)
    with playing(rows, asker, tmp_path) as ground:
        for number in range(16):
            rows.send(str(number), lanes=32)
            ground.play(str(number))
        ground.wait()
    limits = [limit for _, limit, _ in rows.paces]
    assert len(rows.done) == 16
    assert min(limits[1:]) <= 4 < max(limits)


def test_a_worker_that_stops_takes_nothing_more_and_gives_back_what_it_plays(
    tmp_path: Path,
) -> None:
    rows, held = Rows(), Held()
    for token in ("a", "b", "late"):
        rows.send(token)
    with playing(rows, held, tmp_path) as ground:
        for token in ("a", "b"):
            ground.play(token)
        wait_until(lambda: len(held.playing) == 2, "both are under way")
        ground.player.loop.stop()
        ground.wait()
        with pytest.raises(CancelledError):
            ground.player.play(1, "late")
    assert (rows.done, rows.released, rows.claimed) == ([], 2, 2)
    assert rows.places[-1] == -1  # said before they were given back, so that nothing more is sent


def test_a_failure_while_the_worker_stops_is_no_void_try(tmp_path: Path) -> None:
    class Failing(Held):
        async def play(self, *arguments: Any) -> AttemptResult:
            await super().play(*arguments)
            raise RuntimeError("the sandbox has ended too")

    rows, failing = Rows(), Failing()
    rows.send("a")
    with playing(rows, failing, tmp_path) as ground:
        ground.play("a")
        wait_until(lambda: failing.playing == ["a"], "it is under way")
    assert (rows.done, rows.released) == ([], 1)


def test_an_attempt_lost_and_claimed_again_plays_on(tmp_path: Path) -> None:
    """The first try was lost without the worker's notice; its end must not touch the second."""
    rows, held = Rows(), Held()
    rows.send("old")
    rows.send("new")
    with playing(rows, held, tmp_path, renew_every_s=0.02) as ground:
        for token in ("old", "new"):
            ground.play(token)
        wait_until(lambda: len(held.playing) == 2, "both are under way")
        rows.lost = {"old"}
        wait_until(lambda: held.stopped == ["old"], "the lost one stops", 60)
        assert len(rows.renewed[-1]) >= 1
    assert held.stopped == ["old", "new"]


def test_a_run_that_is_resumed_at_once_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pause that the worker heard of must not stop attempts claimed after its end."""
    monkeypatch.setattr("runner.worker.attempt_player.LOOK_EVERY_S", 0.2)
    rows, held = Rows(stopped={1}), Held()
    rows.send("a")
    rows.send("b")
    with playing(rows, held, tmp_path) as ground:
        ground.play("a")
        wait_until(lambda: held.stopped == ["a"], "it is called off", 60)
        rows.stopped = set()
        ground.play("b")
        wait_until(lambda: "b" in held.playing, "the other one is under way", 60)
        threading.Event().wait(0.6)
        assert held.stopped == ["a"]


def test_a_full_disk_takes_nothing_and_has_no_places(tmp_path: Path) -> None:
    rows = Rows()
    rows.send("a")
    with playing(rows, Asker(), tmp_path, may_claim=lambda: False) as ground:
        ground.play("a")
        ground.wait()
    assert (rows.claimed, rows.released) == (0, 1)
    assert 8 not in rows.places


def test_what_a_dead_worker_of_this_machine_held_is_free_at_once(tmp_path: Path) -> None:
    dead = Scratch(tmp_path / "scratch", "w:0")
    assert dead.lock is not None
    os.close(dead.lock)  # as the kernel does at its death
    rows = Rows()
    with playing(rows, Asker(), tmp_path):
        assert rows.dead == ["w:0"]
