"""Plays conversations through the pipeline: HTTP client, turn loop, sandbox, harvest."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.engine.recorded import ROOT, Trajectory
from bench.measuring.process_tree import TreeMeter, descendants_of
from runner.contract import EndpointSpec, Limits, Opening, Step
from runner.endpoint.client import EndpointClient
from runner.endpoint.http import Clients
from runner.episode import AttemptTally, Episode
from runner.model import prompts
from runner.sandbox.base import Sandbox
from runner.sandbox.factory import open_sandbox
from runner.sandbox.zygote.service_client import end_own_daemons

SETTLE_S = 1.0  # for kernels forked ahead to be there
LIMITS = Limits(cell_timeout_s=60, attempt_timeout_s=1800)

Endpoints = Callable[[], AbstractContextManager[str]]


@dataclass(frozen=True)
class Figures:
    """One round of one engine. `overhead_s`: of all attempts, neither model nor cell."""

    attempts: int
    cells: int
    wall_s: float
    cpu_s: float
    peak_pss_mib: float
    cell_s: float = 0.0
    overhead_s: float | None = None


class Quiet:
    """A listener that only listens."""

    async def opened(self, opening: Opening) -> None: ...

    async def step(self, step: Step) -> None: ...

    def should_stop(self) -> bool:
        return False


@contextmanager
def serving(module: str, *arguments: str, word: int = 0) -> Iterator[str]:
    """One of our servers as a process of its own, by the address in its first line."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[word]
    finally:
        process.terminate()
        with process:  # closes its pipe
            process.wait(10)


def replaying(trajectories: Path) -> AbstractContextManager[str]:
    """An endpoint that gives the recorded replies without delay."""
    return serving("runner.scripted.server", "--port", "0", "--recorded", str(trajectories), word=2)


def measure_pipeline(
    trajectories: Sequence[Trajectory],
    endpoint: Endpoints,
    parallel: int,
    is_up: bool = False,
) -> Figures:
    """The whole pipeline; the endpoint's share is left out.

    The start of the sandbox and its service is counted in, unless it `is_up` as it is on a site.
    """
    folder = Path(tempfile.mkdtemp(prefix="pybench-bench-"))
    others = set(descendants_of(os.getpid()))
    try:
        with endpoint() as base_url:
            meter = TreeMeter(without=set(descendants_of(os.getpid())) - others)
            played = asyncio.run(play_all(trajectories, base_url, parallel, folder, meter, is_up))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    overheads = [wall - t.model_s - t.cell_s - t.slot_wait_s for t, wall in played]
    return Figures(
        attempts=len(played),
        cells=sum(len(t.cells) for t in trajectories),
        wall_s=meter.wall_s,
        cpu_s=meter.cpu_s,
        peak_pss_mib=meter.peak_pss_bytes / 2**20,
        cell_s=sum(t.cell_s for t, _ in played),
        overhead_s=sum(overheads),
    )


async def play_all(
    trajectories: Sequence[Trajectory],
    base_url: str,
    parallel: int,
    folder: Path,
    meter: TreeMeter,
    is_up: bool,
) -> list[tuple[AttemptTally, float]]:
    """Every conversation played and the sandbox's service ended; what the meter saw of it."""
    ready = await open_ready() if is_up else None
    with meter:
        sandbox, clients = ready or open_sandbox(), Clients()
        places, slots = asyncio.Semaphore(parallel), asyncio.Semaphore(len(os.sched_getaffinity(0)))

        async def in_place(trajectory: Trajectory) -> tuple[AttemptTally, float]:
            async with places:
                with clients.lend() as http:
                    chat = EndpointClient(EndpointSpec(base_url, "recorded"), http)
                    return await play_one(trajectory, sandbox, chat, slots, folder)

        try:
            return list(await asyncio.gather(*(in_place(t) for t in trajectories)))
        finally:
            await clients.aclose()
            await sandbox.close()
            await asyncio.to_thread(end_own_daemons)


async def open_ready() -> Sandbox:
    """A sandbox that has kernels ahead."""
    sandbox = open_sandbox()
    with tempfile.TemporaryDirectory() as empty:
        session = await sandbox.open(Path(empty), LIMITS)
        await session.run("0", LIMITS.cell_timeout_s)
        await session.close()
    await asyncio.sleep(SETTLE_S)
    return sandbox


async def play_one(
    trajectory: Trajectory,
    sandbox: Sandbox,
    chat: EndpointClient,
    slots: asyncio.Semaphore,
    folder: Path,
) -> tuple[AttemptTally, float]:
    """One attempt: session, episode, harvest. What it used, and its wall time."""
    inputs = await asyncio.to_thread(trajectory.copy_inputs, folder / trajectory.index)
    started_s = time.monotonic()
    tally = AttemptTally()
    session = await sandbox.open(inputs, LIMITS)
    try:
        names = [path.name for path in trajectory.inputs]
        messages = prompts.opening(trajectory.query, names, chat.spec.action_format, LIMITS)
        episode = Episode(chat, session, LIMITS, Quiet(), slots, messages, tally, started_s)
        await episode.play()
        await session.harvest(folder / f"{trajectory.index}-output")
    finally:
        await session.close()
    return tally, time.monotonic() - started_s
