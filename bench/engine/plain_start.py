"""Times plain jupyter_client kernels: start and first cell, then trivial cells.

Reads {"rounds", "first", "trivial", "times"} from stdin and prints {"first_ms": [...],
"trivial_ms": [...]}: one figure a round each, the second the median of `times` cells.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import time
from typing import Any

from jupyter_client.manager import AsyncKernelManager


async def run_cell(client: Any, code: str) -> None:
    await client.execute_interactive(
        code, timeout=120, output_hook=lambda _: None, allow_stdin=False
    )


async def play_round(order: dict[str, Any]) -> tuple[float, float]:
    """Milliseconds to the end of the first cell, and of the median trivial cell."""
    started_s = time.monotonic()
    manager = AsyncKernelManager(kernel_name="python3")
    await manager.start_kernel()
    client = manager.client()
    client.start_channels()
    try:
        await client.wait_for_ready(timeout=120)
        await run_cell(client, order["first"])
        first_s = time.monotonic() - started_s
        spent_s = []
        for _ in range(order["times"]):
            cell_s = time.monotonic()
            await run_cell(client, order["trivial"])
            spent_s.append(time.monotonic() - cell_s)
    finally:
        client.stop_channels()
        await manager.shutdown_kernel(now=True)
    return 1000 * first_s, 1000 * statistics.median(spent_s)


def main() -> None:
    order = json.load(sys.stdin)
    report = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    told: dict[str, list[float]] = {"first_ms": [], "trivial_ms": []}
    for _ in range(order["rounds"]):
        first_ms, trivial_ms = asyncio.run(play_round(order))
        told["first_ms"].append(first_ms)
        told["trivial_ms"].append(trivial_ms)
    json.dump(told, report)
    report.flush()


if __name__ == "__main__":
    main()
