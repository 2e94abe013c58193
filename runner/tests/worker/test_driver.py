"""The driver: lanes, places and gates, with rows in memory and attempts that only ask."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

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
    Waiting,
)
from runner.endpoint.errors import EndpointError
from runner.endpoint.limiter import Gate
from runner.unplayed import unplayed
from runner.worker.driver import Driver, Settings

PLAYED = Problem(Fault.US, "played", "It was only played.", "")
DEADLINE_S = 120.0  # against hanging


@dataclass
class Rows:
    """A door to rows in memory: attempts of some runs, each claimed once."""

    open: dict[int, int]  # attempts left, by run
    number: int = 0
    claimed: list[int] = field(default_factory=list)  # runs, in the order of their attempts
    done: list[int] = field(default_factory=list)
    released: int = 0
    paces: list[tuple[int, int, int]] = field(default_factory=list)  # run, limit, highest
    over: threading.Event = field(default_factory=threading.Event)

    def claim(self, run_id: int | None, limit: int, worker: str) -> list[Job]:
        assert run_id is not None
        jobs: list[Job] = []
        for _ in range(min(limit, self.open[run_id])):
            self.open[run_id] -= 1
            self.number += 1
            spec = EndpointSpec("http://127.0.0.1:9/v1", "m")
            jobs.append(Job(self.number, "t", "s", "k", 1, 1, spec, Limits(), run_id))
        self.claimed += [run_id] * len(jobs)
        return jobs

    def waiting(self) -> list[Waiting]:
        return []

    def renew(self, jobs: Iterable[Job]) -> set[tuple[int, str]]:
        return {job.claim for job in jobs}

    def cancelled(self, run_ids: Iterable[int]) -> set[int]:
        return set()

    def opened(self, job: Job, opening: Opening) -> None: ...

    def step(self, job: Job, step: Step, charge: int = 0, reserved: int = 0) -> None: ...

    def reserve(self, job: Job, amount: int, reply_s: float) -> str:
        return "granted"

    def settle(self, job: Job, charge: int, reserved: int) -> None: ...

    def record_result(self, job: Job, result: AttemptResult) -> None:
        self.done.append(job.attempt_id)
        if not any(self.open.values()) and len(self.done) == self.number:
            self.over.set()

    def release(self, job: Job) -> None:
        self.released += 1

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


@contextmanager
def driving(rows: Rows, player: Asker, folder: Path, places: int = 1000) -> Iterator[Driver]:
    driver = Driver(rows, lambda: player, Settings("w:1", places, 60.0, folder / "scratch"))
    driver.start()
    try:
        yield driver
    finally:
        driver.stop()
        assert driver.join(DEADLINE_S)


class Meeting(Asker):
    """An endpoint that answers nobody until `size` have asked: all must be under way at once."""

    def __init__(self, size: int) -> None:
        super().__init__(requests=2)
        self.size = size
        self.met = asyncio.Event()

    async def answer(self) -> None:
        self.asked += 1
        self.most_asked = max(self.most_asked, self.asked)
        if self.asked >= self.size:
            self.met.set()
        await self.met.wait()
        self.asked -= 1


def test_run_begins_with_a_quarter_of_its_limit_and_grows(tmp_path: Path) -> None:
    rows, player = Rows({1: 100}), Asker()
    with driving(rows, player, tmp_path) as driver:
        driver.wake(1, 16, "a")
        assert rows.over.wait(DEADLINE_S)
    assert len(rows.done) == len(set(rows.done)) == 100
    assert player.most_at_work == player.most_asked == 16
    assert driver.gates.gates["a"].pace.highest == 16


def test_attempts_wait_until_there_is_room_at_the_endpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a quarter of four answered by nobody, the second attempt is not even claimed."""
    monkeypatch.setattr("runner.endpoint.concurrency_limit.OPENING_S", 1e6)
    rows, player = Rows({1: 4}), Meeting(size=1000)
    with driving(rows, player, tmp_path) as driver:
        driver.wake(1, 4, "a")
        deadline = threading.Event()
        while not player.asked:
            assert not deadline.wait(0.01)
        deadline.wait(0.3)
        assert rows.number == player.at_work == 1
        player.size = 0
        driver.loop.call_soon_threadsafe(player.met.set)
        assert rows.over.wait(DEADLINE_S)


def test_an_endpoint_that_refuses_is_given_less(tmp_path: Path) -> None:
    rows, player = Rows({1: 200}), Asker(requests=4, bears=6)
    with driving(rows, player, tmp_path) as driver:
        driver.wake(1, 32, "a")
        assert rows.over.wait(DEADLINE_S)
        pace = driver.gates.gates["a"].pace
    assert len(rows.done) == 200
    assert pace.cuts
    assert pace.highest < 32  # it never got as far as what the submitter would allow
    assert player.most_asked <= 32


def test_what_was_found_is_put_on_record(tmp_path: Path) -> None:
    rows, player = Rows({1: 60}), Asker()
    with driving(rows, player, tmp_path) as driver:
        driver.wake(1, 8, "a")
        assert rows.over.wait(DEADLINE_S)
    assert rows.paces[-1] == (1, 8, 8)


@pytest.mark.parametrize("places", [5, 1000])
def test_runs_on_one_endpoint_share_its_room_and_all_end(tmp_path: Path, places: int) -> None:
    rows, player = Rows({1: 30, 2: 30, 3: 30}), Asker()
    with driving(rows, player, tmp_path, places) as driver:
        driver.wake(1, 4, "a")
        driver.wake(2, 8, "a")
        driver.wake(3, 8, "b")
        assert rows.over.wait(DEADLINE_S)
    assert len(rows.done) == 90
    assert player.most_at_work <= min(16, places + max(1, places // 4))


def test_sixty_four_attempts_are_under_way_at_once(tmp_path: Path) -> None:
    """Each round of requests is answered only when all sixty-four have come."""
    rows, player = Rows({1: 64}), Meeting(size=16)
    with driving(rows, player, tmp_path) as driver:
        driver.wake(1, 64, "a")
        assert rows.over.wait(DEADLINE_S)
    assert len(rows.done) == 64
    rows, player = Rows({1: 64}), Meeting(size=64)
    with driving(rows, player, tmp_path) as driver:
        driver.gates.join("a", 0, 256)  # an endpoint that is known to take them
        driver.wake(1, 64, "a")
        assert rows.over.wait(DEADLINE_S)
    assert player.most_asked == 64


def test_lanes_that_wait_claim_nothing_once_the_worker_stops(tmp_path: Path) -> None:
    rows, player = Rows({1: 50}), Meeting(size=1000)
    with driving(rows, player, tmp_path) as driver:
        driver.wake(1, 16, "a")
        while player.asked < 4:
            threading.Event().wait(0.01)
        driver.stop()
        assert driver.join(DEADLINE_S)
    assert rows.number == 4
    assert rows.released == 4
    assert not rows.done


class Sleeper(Asker):
    """Attempts that take a moment and ask nobody."""

    async def play(
        self, job: Job, listener: Listener, scratch: Path, gate: Gate | None = None
    ) -> AttemptResult:
        await asyncio.sleep(0.01)
        return unplayed(Outcome.CANCELLED, PLAYED)


def play_beside(rows: Rows, folder: Path, crowd: list[tuple[int, int, str]], endpoint: str) -> int:
    """Play run 99 in two lanes beside a crowd that came first: claims from its first to its last.

    `crowd` holds (run, lanes, endpoint). Run 99 has ten attempts; eight places.
    """
    with driving(rows, Sleeper(), folder, places=8) as driver:
        for run_id, lanes, theirs in crowd:
            driver.wake(run_id, lanes, theirs)
        while len(rows.claimed) < 64:
            threading.Event().wait(0.01)
        before = len(rows.claimed)
        driver.wake(99, 2, endpoint)
        deadline = time.monotonic() + DEADLINE_S
        while rows.open[99] and time.monotonic() < deadline:
            threading.Event().wait(0.01)
    assert rows.claimed.count(99) == 10
    last = len(rows.claimed) - rows.claimed[::-1].index(99)
    return last - before


def test_ten_attempts_are_served_beside_a_crowd_of_640_lanes(tmp_path: Path) -> None:
    """Alone they take five rounds; of eight places two are theirs as often as they want them."""
    rows = Rows({**dict.fromkeys(range(1, 11), 10**6), 99: 10})
    crowd = [(run_id, 64, f"crowd {run_id}") for run_id in range(1, 11)]
    claims = play_beside(rows, tmp_path, crowd, "small endpoint")
    assert claims <= 2.5 * 5 * 8


def test_two_runs_of_an_account_share_an_endpoint(tmp_path: Path) -> None:
    rows = Rows({1: 10**6, 99: 10})
    claims = play_beside(rows, tmp_path, [(1, 8, "one endpoint")], "one endpoint")
    assert claims <= 2.5 * 5 * 8


def test_runs_of_an_account_get_equal_parts(tmp_path: Path) -> None:
    rows = Rows(dict.fromkeys(range(1, 5), 10**6))
    with driving(rows, Sleeper(), tmp_path, places=8) as driver:
        for run_id in range(1, 5):
            driver.wake(run_id, 64, f"one {run_id}")
        while len(rows.claimed) < 400:
            threading.Event().wait(0.01)
    counts = [rows.claimed[40:400].count(run_id) for run_id in range(1, 5)]
    assert max(counts) <= 1.25 * min(counts)


def test_worker_with_free_places_finds_runs_without_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.worker.driver.SEEK_EVERY_S", 0.01)
    rows = Rows({7: 5})
    monkeypatch.setattr(rows, "waiting", lambda: [Waiting(7, 2, "e", "a")] if rows.open[7] else [])
    with driving(rows, Sleeper(), tmp_path):
        assert rows.over.wait(DEADLINE_S)
    assert len(rows.done) == 5


class Held(Asker):
    """Attempts that go on until they should stop, and say of which try they were."""

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


def test_an_attempt_lost_and_claimed_again_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first try was lost without the worker's notice; its end must not touch the second."""
    rows, player, tokens = Rows({1: 2}), Held(), iter(["old", "new"])
    spec = EndpointSpec("http://127.0.0.1:9/v1", "m")

    def claim(run_id: int, limit: int, worker: str) -> list[Job]:
        return [Job(5, token, "s", "k", 1, 1, spec, Limits(), run_id) for token in tokens]

    renewed: list[set[tuple[int, str]]] = []

    def renew(jobs: Iterable[Job]) -> set[tuple[int, str]]:
        renewed.append({job.claim for job in jobs})
        return {(5, "new")}

    monkeypatch.setattr(rows, "claim", claim)
    monkeypatch.setattr(rows, "renew", renew)
    driver = Driver(rows, lambda: player, Settings("w:1", 8, 0.02, tmp_path / "scratch"))
    driver.start()
    try:
        driver.gates.join("a", 0, 64)
        driver.wake(1, 2, "a")
        deadline = time.monotonic() + DEADLINE_S
        while {(5, "new")} not in renewed and time.monotonic() < deadline:
            threading.Event().wait(0.01)
        assert renewed[0] == {(5, "old"), (5, "new")}
        assert (player.stopped, set(player.playing)) == (["old"], {"old", "new"})
    finally:
        driver.stop()
        assert driver.join(DEADLINE_S)
    assert player.stopped == ["old", "new"]


def test_a_run_that_is_resumed_at_once_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pause that the driver heard of must not stop attempts claimed after its end."""
    rows, player = Rows({1: 1, 2: 1}), Held()
    paused, heard = {1}, threading.Event()

    def cancelled(run_ids: Iterable[int]) -> set[int]:
        heard.set()
        return paused & set(run_ids)

    monkeypatch.setattr(rows, "cancelled", cancelled)
    monkeypatch.setattr("runner.worker.driver.LOOK_EVERY_S", 0.5)
    with driving(rows, player, tmp_path) as driver:
        driver.wake(2, 1, "b")  # stays in flight, so that looks go on
        driver.wake(1, 1, "a")
        wait_until(lambda: len(rows.done) == 1, "the paused attempt is back in the queue")
        paused.clear()
        heard.clear()
        rows.open[1] = 1
        driver.wake(1, 1, "a")
        assert heard.wait(DEADLINE_S)
        assert rows.claimed.count(1) == 2
        assert len(player.stopped) == 1
