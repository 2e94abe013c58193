"""Promises of the sandbox. Workers know this file and nothing behind it.

The promise, for code that is hostile:

* It sees the kernel environment and the system's libraries read-only, `/work` (its own working
  folder, with `./data` read-only and `./output` empty at first) and nothing else of the host: no
  project code, no check, no other attempt, no secret, none of our environment variables.
* It reaches no network and no process outside.
* It cannot use more than its limits: memory, processes, file size, bytes and files of its folder,
  wall time per cell, bytes of output read from it.
* It takes nothing that others need: what the host has once, or counts by user, is its own or in
  shares. Where the host cannot give it that, the doctor says so.
* Nothing of it survives `close`.
* It never runs as root, nor as a user that root's files belong to.
* What it sends us is bounded before it is buffered and checked before it is believed; malformed
  messages end the kernel, never the worker.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from runner.contract import CellResult, FileChange, Harvest, Limits


class Session(Protocol):
    """One open sandbox: a working folder and, once a cell was run, a kernel.

    Every coroutine has a deadline of its own and leaves nothing behind when cancelled but what
    `close` clears away. `close` may be called at any time, more than once.
    """

    async def run(self, code: str, timeout_s: float) -> CellResult:
        """Run one cell. Starts the kernel at first use, and again after it was lost.

        A cell past its deadline is interrupted, then killed two seconds later; `status` says
        which. Raises KernelLost when no kernel can be had.
        """

    async def interrupt(self) -> None:
        """Interrupt the running cell, if any."""

    async def changes(self) -> tuple[FileChange, ...]:
        """List changes in the working folder since the last call (or since opening)."""

    async def harvest(self, dest: Path, wanted: Collection[str] = ()) -> Harvest:
        """Kill everything inside, then copy the output folder's regular files to `dest`.

        The `wanted` ones come first: a cap on count or size is never used up before them.
        """

    async def close(self) -> None:
        """End everything and remove every trace on the host."""


@dataclass(frozen=True)
class ToolJob:
    """Trusted suite code over untrusted files: a check or an input generator, in a sandbox.

    `binds` are read-only, {host path: path below /opt/pybench/}; `/work` is the only writable
    folder and is `writable` on the host, when given. The report comes back through stdout.
    """

    argv: Sequence[str]  # python, its flags, "-c", source, arguments
    binds: Mapping[Path, str] = field(default_factory=dict)
    writable: Path | None = None
    stdin: bytes = b""
    timeout_s: float = 60.0
    limits: Limits = field(default_factory=Limits)
    has_browser: bool = False  # no cap on addresses, of which Chromium reserves terabytes


@dataclass(frozen=True)
class ToolResult:
    """Result of a command that ran in a sandbox of its own."""

    returncode: int | None  # None: out of time
    stdout: bytes  # cut at 4 MiB
    stderr: str  # the end of it
    duration_s: float
    cpu_s: float
    peak_bytes: int = 0  # of memory, that one of its processes used; 0: unknown


class Sandbox(Protocol):
    """A way to get sessions on this host."""

    async def open(self, inputs: Path, limits: Limits) -> Session:
        """A session whose `./data` holds a read-only view of the folder `inputs`.

        Raises SandboxUnavailable when the host cannot keep the promise.
        """

    async def run_tool(self, job: ToolJob) -> ToolResult:
        """Run suite code (checks, input generators) in a sandbox of its own."""

    def environment(self) -> dict[str, str]:
        """Facts for a run's record: kind, layers in force, digests, versions."""

    async def close(self) -> None:
        """Release whatever is kept between sessions."""
