"""Runs a script of the bench inside one throw-away sandbox: recorded code is let loose in there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runner.contract import Limits
from runner.sandbox.base import ToolJob
from runner.sandbox.factory import open_sandbox

HERE = Path(__file__).parent
TIMEOUT_S = 3600.0
LIMITS = Limits(memory_bytes=8 << 30, processes=2000, work_bytes=1 << 30, work_files=100_000)


def run_inside(
    script: str, order: Mapping[str, Any], folders: Mapping[Path, str] | None = None
) -> dict[str, Any]:
    """Run bench/`script` with the kernel environment's Python and return its report of `order`."""
    return asyncio.run(run(script, order, dict(folders or {})))


async def run(script: str, order: Mapping[str, Any], folders: dict[Path, str]) -> dict[str, Any]:
    sandbox = open_sandbox("bwrap")
    try:
        result = await sandbox.run_tool(
            ToolJob(
                argv=["python", f"/opt/{script}"],
                binds={HERE / script: f"/opt/{script}", **folders},
                stdin=json.dumps(order).encode(),
                timeout_s=TIMEOUT_S,
                limits=LIMITS,
            )
        )
    finally:
        await sandbox.close()
    if result.returncode != 0:
        raise SystemExit(f"{script} failed ({result.returncode}): {result.stderr[-2000:]}")
    return dict(json.loads(result.stdout))
