"""The peer "our engine, plain kernels": client, turn loop and harvest over ordinary kernels.

No sandbox and nothing warm: each attempt starts `ipykernel` anew and speaks to it with
jupyter_client's own client. For our own cells alone; it would run a stranger's code unprotected.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

from runner.contract import CellResult, CellStatus, FileChange, Harvest, KernelLost, Limits
from runner.sandbox.base import Session, ToolJob, ToolResult
from runner.sandbox.files import harvest
from runner.sandbox.files.changes import Watcher
from runner.sandbox.host.kernel_env import KernelEnvironment, find_kernel_environment
from runner.sandbox.kernel.cell_outputs import CellOutputs
from runner.sandbox.kernel.messages import KernelMessage
from runner.sandbox.kernel.provisioner import OneKernelSpec

READY_TIMEOUT_S = 60.0


def spec_of(env: KernelEnvironment) -> KernelSpec:
    python = str(env.folder / "bin" / "python")
    argv = [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    return KernelSpec(argv=argv, display_name="Python 3", language="python")


class PlainSession:
    """One ordinary kernel in an ordinary folder."""

    def __init__(self, env: KernelEnvironment, inputs: Path, limits: Limits) -> None:
        self.limits = limits
        self.folder = Path(tempfile.mkdtemp(prefix="pybench-bench-"))
        shutil.copytree(inputs, self.folder / "data")
        (self.folder / "output").mkdir()
        self.work = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        self.watcher = Watcher()
        self.manager = AsyncKernelManager(kernel_spec_manager=OneKernelSpec(spec=spec_of(env)))
        self.client: AsyncKernelClient | None = None

    async def start(self) -> AsyncKernelClient:
        await self.manager.start_kernel(cwd=str(self.folder), stderr=subprocess.DEVNULL)
        client = self.manager.client()
        assert isinstance(client, AsyncKernelClient)
        client.start_channels()
        await client.wait_for_ready(timeout=READY_TIMEOUT_S)
        return client

    async def run(self, code: str, timeout_s: float) -> CellResult:
        """Raises KernelLost when it does not end in time: none of our cells may do that."""
        self.client = self.client or await self.start()
        started_s, outputs = time.monotonic(), CellOutputs(self.limits.stream_chars)

        def hear(message: dict[str, Any]) -> None:
            outputs.add(KernelMessage(message["msg_type"], "", message["content"]))

        try:
            reply = await self.client.execute_interactive(
                code, timeout=timeout_s, output_hook=hear, allow_stdin=False
            )
        except TimeoutError as error:
            raise KernelLost("A cell of the bench did not end.") from error
        is_fine = reply["content"]["status"] == "ok"
        status = CellStatus.OK if is_fine else CellStatus.ERROR
        return CellResult(status, outputs.finish(), time.monotonic() - started_s)

    async def interrupt(self) -> None:
        await self.manager.interrupt_kernel()

    async def changes(self) -> tuple[FileChange, ...]:
        return await asyncio.to_thread(self.watcher.look, self.work)

    async def harvest(self, dest: Path, wanted: Collection[str] = ()) -> Harvest:
        await self.end_kernel()
        return await asyncio.to_thread(harvest.harvest, self.work, "output", dest, wanted)

    async def end_kernel(self) -> None:
        client, self.client = self.client, None
        if client is not None:
            client.stop_channels()
            await self.manager.shutdown_kernel(now=True)

    async def close(self) -> None:
        await self.end_kernel()
        os.close(self.work)
        shutil.rmtree(self.folder, ignore_errors=True)


class PlainSandbox:
    """Implements the shape of `runner.sandbox.base.Sandbox`, as far as the bench needs it."""

    kind = "plain"

    def __init__(self) -> None:
        self.env = find_kernel_environment()

    async def open(self, inputs: Path, limits: Limits) -> Session:
        return PlainSession(self.env, inputs, limits)

    async def run_tool(self, job: ToolJob) -> ToolResult:
        raise NotImplementedError("The bench runs no checks here.")

    def environment(self) -> dict[str, str]:
        return {"sandbox": self.kind}

    async def close(self) -> None:
        """Nothing is kept."""
