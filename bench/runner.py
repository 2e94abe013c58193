"""Plays the recorded trajectories through the pipeline: wall time, CPU, memory and overhead.

`python -m bench.runner` plays every recorded conversation whose inputs are there, with a server
that replays the recorded replies without delay, `--rounds` times, in turn with a peer: the same
cells in plain jupyter_client kernels without a sandbox between them. It prints medians and ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.process_tree import TreeMeter
from bench.recorded import ROOT, Trajectory, find_upstream, read_trajectories
from runner import prompts
from runner.contract import EndpointSpec, Limits, Opening, Step
from runner.endpoint import Endpoint
from runner.episode import Episode, Tally
from runner.outbound import open_http
from runner.sandbox.base import Sandbox, ToolJob
from runner.sandbox.factory import open_sandbox

LIMITS = Limits(cell_timeout_s=60, attempt_timeout_s=1800)
PEER_TIMEOUT_S = 1800.0


@dataclass(frozen=True)
class Figures:
    """One round of one contestant. `overhead_s`: of the mean attempt, neither model nor cell."""

    attempts: int
    cells: int
    wall_s: float
    cpu_s: float
    peak_pss_mib: float
    cell_s: float
    overhead_s: float | None = None


class Quiet:
    """A listener that only listens."""

    async def opened(self, opening: Opening) -> None: ...

    async def step(self, step: Step) -> None: ...

    def should_stop(self) -> bool:
        return False


@contextmanager
def replay_server(trajectories: Path) -> Any:
    """The replay endpoint's address, while it runs as a process of its own."""
    command = [sys.executable, "-m", "runner.scripted_server", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--recorded", str(trajectories)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split()[2]
    finally:
        process.terminate()
        process.wait(10)


async def play_one(
    trajectory: Trajectory, sandbox: Sandbox, chat: Endpoint, slots: asyncio.Semaphore, folder: Path
) -> tuple[Tally, float]:
    """One attempt: session, episode, harvest. What it used, and its wall time."""
    inputs = await asyncio.to_thread(trajectory.copy_inputs, folder / trajectory.index)
    started_s = time.monotonic()
    tally = Tally()
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


async def play_all(
    trajectories: Sequence[Trajectory], base_url: str, parallel: int, folder: Path
) -> list[tuple[Tally, float]]:
    sandbox, http = open_sandbox(), open_http()
    places, slots = asyncio.Semaphore(parallel), asyncio.Semaphore(os.cpu_count() or 1)
    chat = Endpoint(EndpointSpec(base_url, "recorded"), http)

    async def in_place(trajectory: Trajectory) -> tuple[Tally, float]:
        async with places:
            return await play_one(trajectory, sandbox, chat, slots, folder)

    try:
        return list(await asyncio.gather(*(in_place(t) for t in trajectories)))
    finally:
        await http.aclose()
        await sandbox.close()


def measure_pipeline(trajectories: Sequence[Trajectory], upstream: Path, parallel: int) -> Figures:
    """The whole pipeline, the replay server included."""
    folder = Path(tempfile.mkdtemp(prefix="pybench-bench-"))
    try:
        with TreeMeter() as meter, replay_server(upstream / "trajectory.jsonl") as base_url:
            played = asyncio.run(play_all(trajectories, base_url, parallel, folder))
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
        overhead_s=statistics.mean(overheads),
    )


def measure_peer(trajectories: Sequence[Trajectory], upstream: Path, parallel: int) -> Figures:
    """The same cells in plain kernels, all inside one throw-away sandbox."""
    folder = Path(tempfile.mkdtemp(prefix="pybench-bench-"))
    folder.chmod(0o755)
    try:
        for trajectory in trajectories:
            trajectory.copy_inputs(folder / trajectory.index)
        jobs = [{"data": f"/inputs/{t.index}", "cells": t.cells} for t in trajectories]
        order = {"parallel": parallel, "cell_timeout_s": LIMITS.cell_timeout_s, "jobs": jobs}
        with TreeMeter() as meter:
            report = asyncio.run(run_peer(order, folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Figures(
        attempts=len(trajectories),
        cells=report["cells"],
        wall_s=report["wall_s"],
        cpu_s=meter.cpu_s,
        peak_pss_mib=meter.peak_pss_bytes / 2**20,
        cell_s=report["cell_s"],
    )


async def run_peer(order: dict[str, Any], inputs: Path) -> dict[str, Any]:
    sandbox = open_sandbox()
    script = Path(__file__).with_name("plain_kernels.py")
    limits = Limits(memory_bytes=8 << 30, processes=2000, work_bytes=1 << 30, work_files=100_000)
    try:
        result = await sandbox.run_tool(
            ToolJob(
                argv=["python", "/opt/plain_kernels.py"],
                binds={script: "/opt/plain_kernels.py", inputs: "/inputs"},
                stdin=json.dumps(order).encode(),
                timeout_s=PEER_TIMEOUT_S,
                limits=limits,
            )
        )
    finally:
        await sandbox.close()
    if result.returncode != 0:
        raise SystemExit(f"The peer failed ({result.returncode}): {result.stderr[-2000:]}")
    return dict(json.loads(result.stdout))


def median(rounds: Sequence[Figures]) -> Figures:
    """The round-wise median of every figure."""
    columns: dict[str, Any] = {}
    for name in Figures.__dataclass_fields__:
        values = [getattr(figures, name) for figures in rounds]
        columns[name] = None if None in values else statistics.median(values)
    return Figures(**columns)


def print_table(results: dict[str, Figures]) -> None:
    head = f"{'':22} {'attempts':>8} {'cells':>6} {'wall s':>8} {'CPU s':>8} {'peak MiB':>9}"
    print(f"{head} {'in cells s':>11} {'overhead s':>11}")
    for name, f in results.items():
        overhead = "" if f.overhead_s is None else f"{f.overhead_s:.3f}"
        print(
            f"{name:22} {f.attempts:8.0f} {f.cells:6.0f} {f.wall_s:8.1f} {f.cpu_s:8.1f} "
            f"{f.peak_pss_mib:9.0f} {f.cell_s:11.1f} {overhead:>11}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.runner", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--parallel", type=int, default=4, help="attempts at once")
    parser.add_argument("--only", type=int, help="the first N trajectories")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--json", type=Path, metavar="PATH", help="write the figures there")
    options = parser.parse_args()
    upstream = find_upstream()
    trajectories = read_trajectories(upstream)[: options.only]
    contestants = {"pipeline": measure_pipeline, "plain kernels (peer)": measure_peer}
    if options.no_peer:
        del contestants["plain kernels (peer)"]
    rounds: dict[str, list[Figures]] = {name: [] for name in contestants}
    for number in range(options.rounds):
        for name, measure in contestants.items():
            rounds[name].append(measure(trajectories, upstream, options.parallel))
            last = rounds[name][-1]
            print(f"round {number + 1}: {name}: {last.wall_s:.1f} s", file=sys.stderr, flush=True)
    medians = {name: median(figures) for name, figures in rounds.items()}
    print(f"medians of {options.rounds} rounds, {options.parallel} attempts at once")
    print_table(medians)
    if peer := medians.get("plain kernels (peer)"):
        own = medians["pipeline"]
        wall, cpu = own.wall_s / peer.wall_s, own.cpu_s / peer.cpu_s
        print(f"ratio pipeline / peer: wall {wall:.2f}, CPU {cpu:.2f}")
    if options.json:
        figures = {name: [asdict(f) for f in each] for name, each in rounds.items()}
        options.json.write_text(json.dumps({"rounds": figures}, indent=1))


if __name__ == "__main__":
    main()
