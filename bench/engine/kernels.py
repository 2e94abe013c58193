"""Cost of a kernel: until its first cell is done, for each trivial cell, and while it waits."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from bench.engine.throwaway_sandbox import run_inside
from bench.measuring.process_tree import descendants_of, read_pss_bytes
from runner.contract import CellStatus, Limits
from runner.sandbox.base import Sandbox
from runner.sandbox.factory import open_sandbox
from runner.sandbox.zygote.service_client import end_own_daemons

FIRST = "import pandas, matplotlib.pyplot, sklearn, cv2; print(1)"
TRIVIAL = "1"
TIMES = 200
LIMITS = Limits(cell_timeout_s=120)
SETTLE_S = 1.0  # for kernels forked ahead to be ready, and for memory to be what it stays


def time_plain(rounds: int) -> dict[str, list[float]]:
    """Milliseconds with a plain jupyter_client, round by round: "first_ms" and "trivial_ms"."""
    order = {"rounds": rounds, "first": FIRST, "trivial": TRIVIAL, "times": TIMES}
    return run_inside("plain_start.py", order)


def time_ours(rounds: int) -> dict[str, list[float]]:
    """The same with one of our sessions; the first round's start of the service is not counted."""
    with own_runtime():
        return asyncio.run(time_rounds(rounds))


async def time_rounds(rounds: int) -> dict[str, list[float]]:
    told: dict[str, list[float]] = {"first_ms": [], "trivial_ms": []}
    sandbox = open_sandbox()
    try:
        with tempfile.TemporaryDirectory() as inputs:
            await time_session(sandbox, Path(inputs), 1)
            for _ in range(rounds):
                await asyncio.sleep(SETTLE_S)
                first_ms, trivial_ms = await time_session(sandbox, Path(inputs), TIMES)
                told["first_ms"].append(first_ms)
                told["trivial_ms"].append(trivial_ms)
    finally:
        await sandbox.close()
    return told


async def time_session(sandbox: Sandbox, inputs: Path, times: int) -> tuple[float, float]:
    started_s = time.monotonic()
    session = await sandbox.open(inputs, LIMITS)
    try:
        first = await session.run(FIRST, 120)
        first_s = time.monotonic() - started_s
        if first.status is not CellStatus.OK:
            raise SystemExit(f"The first cell failed: {first}")
        spent_s = []
        for _ in range(times):
            cell_s = time.monotonic()
            await session.run(TRIVIAL, 120)
            spent_s.append(time.monotonic() - cell_s)
    finally:
        await session.close()
    return 1000 * first_s, 1000 * statistics.median(spent_s)


def measure_memory(kernels: int) -> float:
    """MiB of proportional memory that each further kernel adds, the libraries imported."""
    with own_runtime():
        return asyncio.run(add_kernels(kernels))


async def add_kernels(kernels: int) -> float:
    """Between one kernel and `kernels` more: what all of the sandbox's processes hold together."""
    sandbox = open_sandbox()
    sessions = []
    try:
        with tempfile.TemporaryDirectory() as inputs:
            for number in range(kernels + 1):
                session = await sandbox.open(Path(inputs), LIMITS)
                sessions.append(session)
                await session.run(FIRST, 120)
                if number == 0:
                    await asyncio.sleep(SETTLE_S)
                    before_bytes = sum_pss_bytes()
            await asyncio.sleep(SETTLE_S)
            after_bytes = sum_pss_bytes()
    finally:
        for session in sessions:
            await session.close()
        await sandbox.close()
    return (after_bytes - before_bytes) / kernels / 2**20


def sum_pss_bytes() -> int:
    """PSS of every process that this one started, the service and its kernels among them."""
    return sum(read_pss_bytes(pid) for pid in descendants_of(os.getpid()))


@contextmanager
def own_runtime() -> Iterator[None]:
    """A runtime folder for one measurement, with no service of another's."""
    folder = Path(f"/tmp/pb-{secrets.token_hex(3)}")
    named = {"PYBENCH_SANDBOX_DIR": str(folder), "PYBENCH_SANDBOXD": ""}
    with patch.dict(os.environ, named):
        yield
        end_own_daemons()
    shutil.rmtree(folder, ignore_errors=True)
