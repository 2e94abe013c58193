"""Newcomers beside an account whose attempts fill every place and never end."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from conftest import wait_until
from runner.contract import (
    AttemptResult,
    Job,
    Listener,
    Outcome,
    Waiting,
)
from runner.endpoint.limiter import Gate
from runner.tests.worker.test_driver import DEADLINE_S, PLAYED, Asker, Rows, driving
from runner.unplayed import MADE_ROOM, unplayed

LATER = 90  # runs with a higher number end


class Endless(Asker):
    """Attempts that only a stop ends, but for those of runs from `LATER` on."""

    async def rest(self) -> None:
        await asyncio.sleep(0.01)

    async def play(
        self, job: Job, listener: Listener, scratch: Path, gate: Gate | None = None
    ) -> AttemptResult:
        self.at_work += 1
        while job.run_id < LATER and not listener.should_stop():
            await self.rest()
        return unplayed(Outcome.CANCELLED, PLAYED)


@pytest.mark.parametrize("places", [1, 2, 3, 64])
@pytest.mark.parametrize("runs", [1, 3])
def test_newcomers_play_beside_places_full_of_endless_attempts(
    tmp_path: Path, places: int, runs: int
) -> None:
    rows, player = Rows({**dict.fromkeys(range(1, runs + 1), 1000), 91: 5, 92: 5}), Endless()
    with driving(rows, player, tmp_path, places) as driver:
        for run_id in range(1, runs + 1):
            driver.gates.join(f"endless {run_id}", 0, 4000)  # endpoints that are known
            driver.wake(run_id, 1000, f"endless {run_id}")
        wait_until(lambda: player.at_work == places, "all places are taken", DEADLINE_S)
        for run_id in (91, 92):
            driver.wake(run_id, 64, f"account-{run_id}")
            wait_until(lambda: not rows.open[run_id], "a newcomer has played all", DEADLINE_S)  # noqa: B023
    assert len(rows.claimed) == places + 10


def test_newcomer_plays_on_two_full_processes(tmp_path: Path) -> None:
    rows, player = Rows({1: 1000, 91: 20}), Endless()
    folders = (tmp_path / "one", tmp_path / "two")
    with driving(rows, player, folders[0], 4) as one, driving(rows, player, folders[1], 4) as two:
        for driver in (one, two):
            driver.gates.join("endless", 0, 4000)
            driver.wake(1, 1000, "endless")
        wait_until(lambda: player.at_work == 8, "both processes are full", DEADLINE_S)
        for driver in (one, two):
            driver.wake(91, 64, "another")
        wait_until(lambda: not rows.open[91], "the newcomer has played all", DEADLINE_S)
    assert rows.claimed.count(1) == 8


def test_full_worker_finds_a_newcomer_without_a_message(tmp_path: Path) -> None:
    rows, player = Untold({1: 8, 91: 5}), Endless()
    with driving(rows, player, tmp_path, places=2) as driver:
        driver.wake(1, 64, "endless")
        wait_until(lambda: not rows.open[91], "the newcomer has played all", DEADLINE_S)
    assert rows.claimed.count(1) == 2


def test_four_more_accounts_play_beside_six_that_fill_all_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The four come when all 80 places are taken. Nothing ends by itself."""
    monkeypatch.setattr("runner.worker.turns.FIRST_PLACE_S", 0.2)
    monkeypatch.setattr("runner.worker.driver.SEEK_FULL_EVERY_S", 0.05)
    rows, player = Crowded(dict.fromkeys(range(1, 11), 1000)), Endless()
    with driving(rows, player, tmp_path, 64) as driver:
        for run_id in range(1, 11):
            driver.gates.join(f"endless {run_id}", 0, 4000)
            driver.wake(run_id, 64, f"endless {run_id}", f"account {run_id}")
            if run_id == 6:
                wait_until(lambda: player.at_work >= 80, "six fill all places", DEADLINE_S)
        wait_until(lambda: {7, 8, 9, 10} <= set(rows.claimed), "the others play", DEADLINE_S)
        wait_until(lambda: len(driver.jobs) == 80, "the places are full again", DEADLINE_S)
        shares = Counter(job.run_id for job in driver.jobs.values())
        given_back = [result.problem for result in rows.results]
    assert min(shares[run_id] for run_id in range(1, 11)) == 1
    assert given_back == [MADE_ROOM] * 4


def test_accounts_with_a_place_each_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.worker.turns.FIRST_PLACE_S", 0.0)
    monkeypatch.setattr("runner.worker.driver.SEEK_FULL_EVERY_S", 0.01)
    rows, player = Crowded({1: 10, 2: 10, 3: 10}), Endless()
    with driving(rows, player, tmp_path, 1) as driver:
        for run_id in (1, 2):
            driver.wake(run_id, 1, f"endless {run_id}", f"account {run_id}")
        wait_until(lambda: player.at_work == 2, "both places are taken", DEADLINE_S)
        driver.wake(3, 1, "endless 3", "account 3")
        looked = rows.looks
        wait_until(lambda: rows.looks > looked + 5, "it has looked for room", DEADLINE_S)
        assert not driver.yielding
    assert rows.claimed == [1, 2]


@dataclass
class Crowded(Rows):
    """Rows that keep the results, and count how often a worker looks for runs."""

    results: list[AttemptResult] = field(default_factory=list)
    looks: int = 0

    def waiting(self) -> list[Waiting]:
        self.looks += 1
        return []

    def record_result(self, job: Job, result: AttemptResult) -> None:
        self.results.append(result)


@dataclass
class Untold(Rows):
    """Rows with a run whose message was lost."""

    def waiting(self) -> list[Waiting]:
        return [Waiting(91, 64, "another", "another")] if self.open[91] else []
