"""Running suite code over untrusted files: one command in a box of its own, heard on stdout."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from runner.sandbox.base import ToolJob, ToolResult
from runner.sandbox.files.harvest import harvest
from runner.sandbox.host.async_fds import memory_file, read_head, read_tail
from runner.sandbox.host.bwrap_command import Boxing
from runner.sandbox.host.cgroups import Cgroups, ControlGroup
from runner.sandbox.host.kernel_env import PYTHON_INSIDE, KernelEnvironment
from runner.sandbox.host.memory_watchdog import watch
from runner.sandbox.host.process_tree import start_box
from runner.sandbox.host.runtime_folders import Site, Slot, copy_readable, group_prefix
from runner.sandbox.host.work_mount import Rooms, make_rooms
from runner.sandbox.policy import SandboxPolicy

STDOUT_BYTES = 4 << 20
STDERR_BYTES = 1 << 20
STDERR_TAIL_CHARS = 4_000
DRAIN_TIMEOUT_S = 5.0


async def run_tool(
    job: ToolJob, site: Site, env: KernelEnvironment, cgroups: Cgroups | None
) -> ToolResult:
    """Run `job` and bring what it left in its working folder back to `job.writable`.

    Files come back as a harvest does: regular ones only, owned by us. Raises KernelLost or
    SandboxUnavailable when the sandbox does not start.
    """
    slot = site.slot()
    policy = SandboxPolicy.of(job.limits)
    if job.has_browser:
        policy = policy.with_browser()
    group: ControlGroup | None = None
    rooms: Rooms | None = None
    try:
        if cgroups:
            group = cgroups.create(group_prefix(site.token) + slot.folder.name, policy)
        binds = await asyncio.to_thread(show_binds, job, slot)
        rooms = await make_rooms(slot, policy, copied=show_writable(job, slot))
        boxing = Boxing(site, slot, policy, env, binds, {"MPLBACKEND": "Agg"}, is_first=True)
        result = await run_boxed(job, boxing, rooms, group)
        if job.writable:
            await asyncio.to_thread(bring_back, rooms.work, job.writable)
        return result
    finally:
        if rooms:
            rooms.close()
        slot.remove()
        if group:
            group.remove()


def show_binds(job: ToolJob, slot: Slot) -> dict[Path, str]:
    """Readable copies (hard links where that does) of what the job may see."""
    binds: dict[Path, str] = {}
    for number, (source, inside) in enumerate(job.binds.items()):
        shown = slot.folder / f"bind{number}"
        copy_readable(source, shown)
        binds[shown] = inside
    return binds


def show_writable(job: ToolJob, slot: Slot) -> str:
    """A readable copy of the writable folder, "" when there is nothing in it."""
    if job.writable is None or not job.writable.is_dir() or not any(job.writable.iterdir()):
        return ""
    shown = slot.folder / "given"
    copy_readable(job.writable, shown)
    return str(shown)


async def run_boxed(
    job: ToolJob, boxing: Boxing, rooms: Rooms, group: ControlGroup | None
) -> ToolResult:
    started = time.monotonic()
    stdin = memory_file(job.preamble + job.stdin)
    out, out_in = os.pipe()
    err, err_in = os.pipe()
    try:
        try:
            box = await start_box(
                boxing,
                rooms,
                group,
                [PYTHON_INSIDE, *job.argv[1:]],
                stdin=stdin,
                stdout=out_in,
                stderr=err_in,
            )
        finally:
            for fd in (stdin, out_in, err_in):
                os.close(fd)
        reading = ToolReading(box, out, err)
        try:
            has_ended = await reading.see_through(job, None if group else box.init_pid)
        finally:
            returncode = await box.end()
    finally:
        os.close(out)
        os.close(err)
    return ToolResult(
        returncode=returncode if has_ended else None,
        stdout=bytes(reading.stdout),
        stderr=reading.stderr.decode("utf-8", "replace")[-STDERR_TAIL_CHARS:],
        duration_s=time.monotonic() - started,
        cpu_s=(group.cpu_s() if group else None) or box.cpu_s,
        peak_bytes=box.peak_bytes,
    )


class Running(Protocol):
    """A tool's process tree."""

    died: asyncio.Event

    def kill(self) -> None: ...

    async def wait(self, timeout_s: float) -> bool:
        """Wait for it to end; False if time runs out."""


@dataclass
class ToolReading:
    """A running tool's two streams, read so that it never blocks on us."""

    box: Running
    out: int
    err: int
    stdout: bytearray = field(default_factory=bytearray)
    stderr: bytearray = field(default_factory=bytearray)

    async def see_through(self, job: ToolJob, watched: int | None) -> bool:
        """Follow the command; True if it ended by itself within its time.

        `watched` is pid 1 of a sandbox whose memory no cgroup counts.
        """
        tasks = [
            asyncio.create_task(read_head(self.out, self.stdout, STDOUT_BYTES)),
            asyncio.create_task(read_tail(self.err, self.stderr, STDERR_BYTES)),
        ]
        memory = job.limits.memory_bytes
        guard = asyncio.create_task(self.stand_guard(watched, memory)) if watched else None
        try:
            has_ended = await self.box.wait(job.timeout_s)
            self.box.kill()
            await asyncio.wait(tasks, timeout=DRAIN_TIMEOUT_S)
        finally:
            for task in (*tasks, guard):
                if task:
                    task.cancel()
        return has_ended

    async def stand_guard(self, init_pid: int, memory_bytes: int) -> None:
        if await watch(init_pid, memory_bytes, self.box.died):
            self.box.kill()


def bring_back(work: int, dest: Path) -> None:
    """Put the regular files that the command left into `dest`, over those of the same name."""
    with tempfile.TemporaryDirectory(dir=dest.parent, prefix=f".{dest.name}-") as folder:
        for stored in harvest(work, ".", Path(folder)).files:
            target = dest / stored.path
            target.parent.mkdir(parents=True, exist_ok=True)
            stored.location.replace(target)
