"""Runs a script of the bench inside one throw-away sandbox: recorded code is let loose in there."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from bench.measuring.process_tree import TreeMeter, descendants_of, read_pss_bytes
from runner.contract import Limits
from runner.sandbox.base import ToolJob
from runner.sandbox.factory import open_sandbox
from runner.sandbox.zygote.service_client import end_own_daemons

HERE = Path(__file__).parent
SHOWN_AT = "/opt/pybench"
TIMEOUT_S = 3600.0
LIMITS = Limits(memory_bytes=8 << 30, processes=2000, work_bytes=1 << 30, work_files=100_000)


def run_inside(
    script: str,
    order: Mapping[str, Any],
    folders: Mapping[Path, str] | None = None,
    meter: TreeMeter | None = None,
) -> dict[str, Any]:
    """Run bench/`script` with the kernel environment's Python and return its report of `order`.

    `folders` are shown below /opt/pybench, by their names there. `meter` counts the script alone:
    the sandbox's service is up before it is entered, and its memory is taken off.
    """
    try:
        return asyncio.run(run(script, order, dict(folders or {}), meter))
    finally:
        end_own_daemons()


async def run(
    script: str, order: Mapping[str, Any], folders: dict[Path, str], meter: TreeMeter | None
) -> dict[str, Any]:
    sandbox = open_sandbox()
    try:
        await sandbox.run_tool(ToolJob(["python", "-c", "0"]))
        before_bytes = sum(read_pss_bytes(pid) for pid in descendants_of(os.getpid()))
        job = ToolJob(
            argv=["python", "-c", (HERE / script).read_text("utf-8")],
            binds={folder: f"{SHOWN_AT}/{name}" for folder, name in folders.items()},
            stdin=json.dumps(order).encode(),
            timeout_s=TIMEOUT_S,
            limits=LIMITS,
        )
        with meter or nullcontext():
            result = await sandbox.run_tool(job)
        if meter:
            meter.peak_pss_bytes = max(0, meter.peak_pss_bytes - before_bytes)
    finally:
        await sandbox.close()
    if result.returncode != 0:
        raise SystemExit(f"{script} failed ({result.returncode}): {result.stderr[-2000:]}")
    return dict(json.loads(result.stdout))
