"""Suite code over untrusted files, forked in the sandbox service: its imports are done already."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.contract import KernelLost
from runner.sandbox import packets
from runner.sandbox.base import ToolJob, ToolResult
from runner.sandbox.host.async_fds import memory_file
from runner.sandbox.inside.tool_main import FLAGS
from runner.sandbox.sandboxd.requests import LIMITS
from runner.sandbox.tool import STDERR_TAIL_CHARS, ToolReading, bring_back
from runner.sandbox.zygote.forked_kernel import ForkedKernel, ServiceLine, find_files, hand_over

if TYPE_CHECKING:
    from runner.sandbox.zygote.service_client import Daemon

SHOWN_AT = "/opt/pybench/"  # the one place where files can be shown in there


def is_forkable(job: ToolJob) -> bool:
    """True if it is Python source on the command line and all that it sees lies in one place."""
    words = [word for word in job.argv[1:] if word not in FLAGS]
    is_source = len(words) >= 2 and words[0] == "-c"
    is_below = all(inside.startswith(SHOWN_AT) for inside in job.binds.values())
    return is_source and is_below


class ForkedTool(ForkedKernel):
    """A running tool, as `runner.sandbox.tool.ToolReading` wants it."""

    returncode = -9  # killed with its whole sandbox, unless its end was reported
    cpu_s = 0.0
    peak_bytes = 0

    def read_report(self, told: Mapping[str, Any]) -> None:
        if isinstance(told.get("returncode"), int):
            self.returncode, self.cpu_s = told["returncode"], float(told["cpu_s"])
            self.peak_bytes = int(told["peak_bytes"])


async def run_forked_tool(job: ToolJob, daemon: Daemon) -> ToolResult:
    """As `runner.sandbox.tool.run_tool`. Raises KernelLost or SandboxUnavailable."""
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
    stdin = memory_file(job.preamble + job.stdin)
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
            has_ended = await reading.see_through(job, None)  # watched in the service
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
