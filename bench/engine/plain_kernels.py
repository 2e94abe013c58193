"""The peer: the same cells in ordinary jupyter_client kernels, with no sandbox between them.

Runs as a whole inside one throw-away sandbox (the recorded code installs and removes packages),
with the kernel environment's Python. Reads {"parallel": n, "cell_timeout_s": s, "jobs": [{"data":
folder, "cells": [...]}]} from stdin and prints {"wall_s", "cpu_s", "cells", "cell_s"} on stdout.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from jupyter_client.manager import AsyncKernelManager


async def run_cell(manager: Any, client: Any, code: str, timeout_s: float) -> None:
    """Run one cell; interrupt it at its deadline, as nbclient does."""
    try:
        await client.execute_interactive(
            code, timeout=timeout_s, output_hook=lambda _: None, allow_stdin=False
        )
    except TimeoutError:
        await manager.interrupt_kernel()
        await asyncio.sleep(2)


async def play(job: dict[str, Any], timeout_s: float) -> float:
    """All cells of one conversation in a fresh kernel; the seconds spent in cells."""
    folder = Path(tempfile.mkdtemp())
    if Path(job["data"]).is_dir():  # no input, no folder
        shutil.copytree(job["data"], folder / "data")
    (folder / "output").mkdir()
    manager = AsyncKernelManager(kernel_name="python3")
    await manager.start_kernel(cwd=str(folder))
    client = manager.client()
    client.start_channels()
    spent_s = 0.0
    try:
        await client.wait_for_ready(timeout=60)
        for code in job["cells"]:
            started = time.monotonic()
            if not await manager.is_alive():
                break
            await run_cell(manager, client, code, timeout_s)
            spent_s += time.monotonic() - started
    finally:
        client.stop_channels()
        await manager.shutdown_kernel(now=True)
        shutil.rmtree(folder, ignore_errors=True)
    return spent_s


async def play_all(order: dict[str, Any]) -> list[float]:
    slots = asyncio.Semaphore(order["parallel"])

    async def play_one(job: dict[str, Any]) -> float:
        async with slots:
            return await play(job, order["cell_timeout_s"])

    return list(await asyncio.gather(*(play_one(job) for job in order["jobs"])))


def cpu_s() -> float:
    """CPU seconds of this process and of every child that it has waited for."""
    own, children = (
        resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def main() -> None:
    order = json.load(sys.stdin)
    report = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    started = time.monotonic()
    cell_s = asyncio.run(play_all(order))
    wall_s = time.monotonic() - started
    cells = sum(len(job["cells"]) for job in order["jobs"])
    json.dump({"wall_s": wall_s, "cpu_s": cpu_s(), "cells": cells, "cell_s": sum(cell_s)}, report)
    report.flush()


if __name__ == "__main__":
    main()
