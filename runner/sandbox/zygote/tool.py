"""Suite code over untrusted files, forked in the sandbox service: its imports are done already."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.contract import KernelLost
from runner.sandbox import packets
from runner.sandbox.base import ToolJob, ToolResult
from runner.sandbox.files.harvest import harvest
from runner.sandbox.host.async_fds import memory_file, read_head, read_tail
from runner.sandbox.policy import LIMITS
from runner.sandbox.zygote.forked_kernel import ForkedKernel, ServiceLine, find_files, hand_over

if TYPE_CHECKING:
    from runner.sandbox.zygote.service_client import Daemon

SHOWN_AT = "/opt/pybench/"  # the one place where files can be shown in there
STDOUT_BYTES = 4 << 20
STDERR_BYTES = 1 << 20
STDERR_TAIL_CHARS = 4_000
DRAIN_TIMEOUT_S = 5.0


class ForkedTool(ForkedKernel):
    """A running tool."""

    returncode = -9  # killed with its whole sandbox, unless its end was reported
    cpu_s = 0.0
    peak_bytes = 0

    def read_report(self, told: Mapping[str, Any]) -> None:
        if isinstance(told.get("returncode"), int):
            self.returncode, self.cpu_s = told["returncode"], float(told["cpu_s"])
            self.peak_bytes = int(told["peak_bytes"])


@dataclass
class ToolReading:
    """A running tool's two streams, read so that it never blocks on us."""

    tool: ForkedTool
    out: int
    err: int
    stdout: bytearray = field(default_factory=bytearray)
    stderr: bytearray = field(default_factory=bytearray)

    async def follow(self, timeout_s: float) -> bool:
        """Read until the tool is over; True if it ended by itself within its time."""
        tasks = [
            asyncio.create_task(read_head(self.out, self.stdout, STDOUT_BYTES)),
            asyncio.create_task(read_tail(self.err, self.stderr, STDERR_BYTES)),
        ]
        try:
            has_ended = await self.tool.wait(timeout_s)
            self.tool.kill()
            await asyncio.wait(tasks, timeout=DRAIN_TIMEOUT_S)
        finally:
            for task in tasks:
                task.cancel()
        return has_ended


async def run_tool(job: ToolJob, daemon: Daemon) -> ToolResult:
    """Run `job` and bring what it left in its working folder back to `job.writable`.

    Files come back as a harvest does: regular ones only, owned by us. Raises KernelLost or
    SandboxUnavailable when the sandbox does not start.
    """
    line = ServiceLine(await daemon.connect())
    try:
        limits = {name: getattr(job.limits, name) for name in LIMITS}
        order = {"do": "open", "limits": limits, "is_tool": True, "has_browser": job.has_browser}
        (await line.ask(order)).close()
        await show(job, line)
        return await run_streamed(job, line)
    finally:
        await line.close()


async def show(job: ToolJob, line: ServiceLine) -> None:
    """Hand over what the job may see, and what lies in its working folder."""
    files: dict[Path, str] = {}
    folders: list[str] = []
    for source, inside in job.binds.items():
        assert inside.startswith(SHOWN_AT), inside
        place = inside.removeprefix(SHOWN_AT)
        if source.is_dir():
            folders.append(place)
            for path in find_files(source):
                files[path] = f"{place}/{path.relative_to(source)}"
        else:
            files[source] = place
    await hand_over(line, "put", files, folders)
    if job.writable is not None and job.writable.is_dir():
        root = job.writable
        await hand_over(line, "give", {p: str(p.relative_to(root)) for p in find_files(root)})


async def run_streamed(job: ToolJob, line: ServiceLine) -> ToolResult:
    started = time.monotonic()
    stdin = memory_file(job.stdin)
    out, out_in = os.pipe()
    err, err_in = os.pipe()
    work = -1
    try:
        try:
            request = {"do": "run", "argv": list(job.argv)}
            pidfd, work = (await line.ask(request, [stdin, out_in, err_in])).take()
        finally:
            packets.close_all([stdin, out_in, err_in])
        tool = ForkedTool(line, pidfd)
        reading = ToolReading(tool, out, err)
        try:
            has_ended = await reading.follow(job.timeout_s)
        finally:
            await tool.end()
        if tool.fault():
            raise KernelLost(tool.fault())
        if job.writable:
            (await line.ask({"do": "harvest"})).close()
            await asyncio.to_thread(bring_back, work, job.writable)
    finally:
        packets.close_all([out, err, *([work] if work >= 0 else [])])
    return ToolResult(
        returncode=tool.returncode if has_ended else None,
        stdout=bytes(reading.stdout),
        stderr=reading.stderr.decode("utf-8", "replace")[-STDERR_TAIL_CHARS:],
        duration_s=time.monotonic() - started,
        cpu_s=tool.cpu_s,
        peak_bytes=tool.peak_bytes,
    )


def bring_back(work: int, dest: Path) -> None:
    """Put the regular files that the command left into `dest`, over those of the same name."""
    with tempfile.TemporaryDirectory(dir=dest.parent, prefix=f".{dest.name}-") as folder:
        for stored in harvest(work, ".", Path(folder)).files:
            target = dest / stored.path
            target.parent.mkdir(parents=True, exist_ok=True)
            stored.location.replace(target)
