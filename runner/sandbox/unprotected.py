"""NO SANDBOX: model code runs as this user, with this user's files and network.

For work on the site itself, with scripted models on a machine without namespaces. It keeps none of
the promises of `runner.sandbox.base` but the shape of the answers, and is refused unless
PYBENCH_DEBUG is on.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from jupyter_client.manager import AsyncKernelManager

from runner.contract import KernelLost, Limits, SandboxUnavailable
from runner.sandbox import packets
from runner.sandbox.base import Session, ToolJob, ToolResult
from runner.sandbox.bwrap.kernel import READY_TIMEOUT_S, read_program
from runner.sandbox.cleanup import on_failure_await
from runner.sandbox.host.async_fds import memory_file, read_until
from runner.sandbox.host.kernel_env import KernelEnvironment
from runner.sandbox.host.process_tree import HeldProcess
from runner.sandbox.host.runtime_folders import Site, Slot, copy_readable
from runner.sandbox.kernel.folder_session import FolderSession
from runner.sandbox.kernel.provisioner import Launched, start_kernel
from runner.sandbox.policy import ENVIRONMENT
from runner.sandbox.tool import STDERR_TAIL_CHARS, STDOUT_BYTES

LAYERS = "NONE: model code runs unprotected, with the rights, files and network of whoever runs it"
INSIDE = ("/opt/pybench", "/work")  # rewritten in a tool's words: here they are ordinary folders

log = logging.getLogger(__name__)


def is_debugging() -> bool:
    return os.environ.get("PYBENCH_DEBUG", "").lower() in ("1", "on", "true", "yes")


def refuse_unless_debugging() -> None:
    """Raises SandboxUnavailable when strangers' models could be meant."""
    if not is_debugging():
        raise SandboxUnavailable(
            "PYBENCH_SANDBOX=none runs model code without any protection and is for developing "
            "with scripted models alone. Set PYBENCH_DEBUG=1 as well, or choose another kind."
        )
    log.warning("NO SANDBOX: model code runs unprotected on this host (PYBENCH_SANDBOX=none)")


def variables(env: KernelEnvironment, folder: Path) -> dict[str, str]:
    own = {"HOME": "home", "TMPDIR": "tmp", "MPLCONFIGDIR": "mpl", "IPYTHONDIR": "ipython"}
    for name in own.values():
        (folder / name).mkdir(exist_ok=True)
    paths = {name: str(folder / place) for name, place in own.items()}
    return {**ENVIRONMENT, **paths, "PATH": f"{env.folder}/bin:/usr/bin:/bin"}


class BareKernel(HeldProcess):
    """A kernel that is an ordinary child process, in a session of its own."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        super().__init__(os.pidfd_open(process.pid))
        self.process = process

    def interrupt(self) -> None:
        self.signal(signal.SIGINT)

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def is_out_of_memory(self) -> bool:
        return False

    def fault(self) -> str:
        return ""

    async def end(self) -> None:
        self.kill()
        await self.died.wait()
        self.process.wait()
        self.let_go()


@dataclass
class BareStart:
    """Launches a session's kernels in its folder."""

    slot: Slot
    env: KernelEnvironment

    @property
    def socket_prefix(self) -> str:
        return self.slot.socket_prefix

    async def launch(self, key: bytes) -> Launched:
        listeners = self.slot.listen()
        ready_out, ready_in = os.pipe()
        sockets = [listener.fileno() for listener in listeners]
        spec = {"key": key.decode(), "sockets": sockets, "ready": ready_in}
        spec_fd = memory_file(json.dumps(spec).encode())
        program_fd = memory_file(read_program())
        python = str(self.env.folder / "bin" / "python")
        try:
            process = subprocess.Popen(  # noqa: ASYNC220
                [python, "-I", f"/proc/self/fd/{program_fd}", str(spec_fd)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(*sockets, ready_in, spec_fd, program_fd),
                env=variables(self.env, self.slot.folder),
                cwd=self.slot.folder / "work",
                start_new_session=True,
            )
            kernel = BareKernel(process)
        finally:
            for listener in listeners:
                listener.close()
            packets.close_all([ready_in, spec_fd, program_fd])
        try:
            async with on_failure_await(kernel.end):
                if not await read_until(ready_out, b"R", READY_TIMEOUT_S):
                    raise KernelLost("The kernel did not come up.")
        finally:
            os.close(ready_out)
        return kernel


class BareSession(FolderSession):
    """Implements the shape of `runner.sandbox.base.Session` and none of its protection."""

    def __init__(self, slot: Slot, inputs: Path, env: KernelEnvironment, limits: Limits) -> None:
        super().__init__(slot, limits)
        place = slot.folder / "work"
        (place / "output").mkdir(parents=True)
        copy_readable(inputs, place / "data")
        self.start = BareStart(slot, env)
        self.folder: int | None = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    @property
    def work(self) -> int | None:
        return self.folder

    async def launch(self) -> tuple[AsyncKernelManager, Launched]:
        return await start_kernel(self.start)

    async def release(self) -> None:
        folder, self.folder = self.folder, None
        if folder is not None:
            os.close(folder)


@dataclass
class NoSandbox:
    """PYBENCH_SANDBOX=none. Made by `runner.sandbox.factory.open_sandbox`, under protest."""

    site: Site
    env: KernelEnvironment
    kind: str = "none"

    async def open(self, inputs: Path, limits: Limits) -> Session:
        return BareSession(self.site.bare_slot(), inputs, self.env, limits)

    async def run_tool(self, job: ToolJob) -> ToolResult:
        return await asyncio.to_thread(run_tool, job, self.env)

    def environment(self) -> dict[str, str]:
        return {
            "sandbox": self.kind,
            "layers": LAYERS,
            "memory": "not limited",
            "python": self.env.python_version,
            "kernel_environment": self.env.digest(),
        }

    async def close(self) -> None:
        self.site.close()


def run_tool(job: ToolJob, env: KernelEnvironment) -> ToolResult:
    """In a folder that stands for the root: the words that name it are rewritten."""
    with tempfile.TemporaryDirectory() as made:
        root = Path(made)
        work = root / "work"
        for source, inside in job.binds.items():
            target = root / inside.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            copy_readable(source, target)
        if job.writable and job.writable.is_dir():
            shutil.copytree(job.writable, work, dirs_exist_ok=True)
        work.mkdir(exist_ok=True)
        result = run_rewritten(job, env, root)
        if job.writable:
            shutil.copytree(work, job.writable, dirs_exist_ok=True)
        return result


def run_rewritten(job: ToolJob, env: KernelEnvironment, root: Path) -> ToolResult:
    def rewrite(words: str) -> str:
        for inside in INSIDE:
            words = words.replace(inside, f"{root}{inside}")
        return words

    started = time.monotonic()
    try:
        done = subprocess.run(
            [str(env.folder / "bin" / "python"), *map(rewrite, job.argv[1:])],
            input=job.preamble + rewrite(job.stdin.decode()).encode(),
            capture_output=True,
            timeout=job.timeout_s,
            env={**variables(env, root), "MPLBACKEND": "Agg"},
            cwd=root / "work",
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ToolResult(None, b"", "", time.monotonic() - started, 0.0)
    stderr = done.stderr.decode("utf-8", "replace")[-STDERR_TAIL_CHARS:]
    duration_s = time.monotonic() - started
    return ToolResult(done.returncode, done.stdout[:STDOUT_BYTES], stderr, duration_s, 0.0)
