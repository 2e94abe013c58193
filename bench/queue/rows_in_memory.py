"""A suite of trivial tasks, and a run's attempts in memory in place of the queue's rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.contract import (
    AttemptResult,
    EndpointSpec,
    Job,
    LimitReason,
    Limits,
    Opening,
    ReplyProgress,
    Step,
    TypedReply,
)
from runner.suite.reader import load_suite
from runner.worker.attempt_player import AttemptPlayer, Player, Settings
from runner.worker.database_retries import Retrying
from runner.worker.event_loop import EventLoop

SUITE = """
name = "waiting"
version = "1"
title = "Waiting"
seed = 7
[limits]
max_turns = 30
[[categories]]
key = "maths"
title = "Maths"
"""
TASK = '''
"""A task that takes no thought."""

TITLE = "Wait"
CATEGORY = "maths"
QUERY = "Say when you are done."
INPUTS = []
OUTPUTS = []
REFERENCE = {"cells": [], "answer": "Done."}
WRONG = {"a": {"why": "a", "cells": [], "answer": ""}, "b": {"why": "b", "cells": [], "answer": ""}}


def make_inputs(seed, data):
    return {}


def check(case):
    case.expect("answer", case.answer == "Done.", "Done.", case.answer)
'''


@dataclass
class Rows:
    """A run's attempts in memory."""

    spec: EndpointSpec
    digest: str
    run_id: int = 0
    lanes: int = 1

    def claim(self, attempt_id: int, token: str, worker: str) -> Job | None:
        limits = Limits(max_turns=30, attempt_timeout_s=900, reply_timeout_s=120)
        return Job(
            attempt_id=attempt_id,
            token=token,
            suite="waiting",
            task_key="wait",
            seed=7,
            number=1,
            endpoint=self.spec,
            limits=limits,
            run_id=self.run_id,
            suite_digest=self.digest,
            lanes=self.lanes,
            pace="slow",
        )

    def unsend(self, attempt_id: int, token: str) -> None: ...

    def note_worker(self, name: str, places: int) -> None: ...

    def forget_worker(self, name: str) -> None: ...

    def release_of_dead(self, workers: Collection[str]) -> None: ...

    def renew(self, jobs: Iterable[Job]) -> set[tuple[int, str]]:
        return {job.claim for job in jobs}

    def look(self, run_ids: Iterable[int]) -> set[int]:
        return set()

    def opened(self, job: Job, opening: Opening) -> None: ...

    def step(self, job: Job, step: Step, charge: int = 0, reserved: int = 0) -> None: ...

    def reserve(self, job: Job, amount: int, reply_s: float) -> str:
        return "granted"

    def settle(self, job: Job, charge: int, reserved: int) -> None: ...

    def record_result(self, job: Job, result: AttemptResult) -> None: ...

    def release(self, job: Job) -> None: ...

    def dispatch(self) -> bool:
        return True

    def paced(
        self, run_id: int, worker: str, limit: int, highest: int, reason: LimitReason | None
    ) -> None: ...

    def typed_reply(self, job: Job, index: int) -> TypedReply | None:
        return None

    def heard(self, progress: Mapping[tuple[int, str], ReplyProgress]) -> None: ...


def write_suite(folder: Path, tasks: int = 1) -> str:
    """The suite, of one task unless more are wanted; its digest."""
    (folder / "waiting" / "tasks").mkdir(parents=True)
    (folder / "waiting" / "suite.toml").write_text(SUITE)
    for number in range(tasks):
        (folder / "waiting" / "tasks" / f"wait{number or ''}.py").write_text(TASK)
    return load_suite("waiting", folder).digest


class Carrier:
    """A worker's event loop and player, with a thread for each place."""

    def __init__(
        self,
        door: Any,
        player: Callable[[], Player],
        settings: Settings,
        retrying: Retrying | None = None,
    ) -> None:
        self.loop = EventLoop()
        self.player = AttemptPlayer(door, player, settings, self.loop, retrying)
        self.pool = ThreadPoolExecutor(settings.places)

    def send(self, attempt_id: int, token: str) -> bool:
        """Carry an attempt that was sent; in place of a message."""
        self.pool.submit(self.player.play, attempt_id, token)
        return True

    def end(self) -> None:
        self.loop.stop()
        self.loop.join(60)
        self.pool.shutdown()
