"""A zygote as the service holds it: started behind the first wall, given orders, retired."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from runner.sandbox import packets
from runner.sandbox.host.async_fds import is_readable, memory_file, wait_readable
from runner.sandbox.host.bubblewrap import (
    SYSTEM_FILES,
    SYSTEM_FOLDERS,
    WALLS,
    root_folders,
    root_folders_apart,
)
from runner.sandbox.host.commands import covered_folders
from runner.sandbox.host.held_process import make_log, read_log
from runner.sandbox.host.kernel_env import INSIDE, PYTHON_INSIDE, KernelEnvironment
from runner.sandbox.inside import confinement
from runner.sandbox.inside.confinement import write_maps
from runner.sandbox.policy import ENVIRONMENT, ETC, MIB, Range

START_TIMEOUT_S = 120.0
END_TIMEOUT_S = 10.0
MAP_TIMEOUT_S = 10.0
INFO_BYTES = 4096
INLINE = "module://matplotlib_inline.backend_inline"
FILES_OF_ETC = "/work/etc"  # without mounts in it, which an overlay does not take along
PASSED_THROUGH = (
    "/etc",
    "/opt",
    "/var",
    "/var/cache",
    confinement.EMPTY,
    FILES_OF_ETC,
)  # by users who are not the zygote's
TEMPORARY_BYTES = 64 * MIB


class ZygoteFailed(Exception):
    """It did not come up, or is gone."""


class Zygote:
    """One process with the libraries imported; `forks` counts what it was ordered to make."""

    def __init__(self, process: subprocess.Popen[bytes], control: socket.socket, log: int) -> None:
        self.process = process
        self.control = control
        self.log = log
        self.facts: dict[str, Any] = {}
        self.started = time.monotonic()
        self.forks = 0
        self.living: set[object] = set()  # what it forked and what has not ended

    @property
    def is_alive(self) -> bool:
        """Its end of the socket is closed before what it forked is killed with it."""
        if self.control.fileno() < 0 or self.process.poll() is not None:
            return False
        hung_up = select.poll()
        hung_up.register(self.control, 0)
        return not hung_up.poll(0)

    def order(self, body: Mapping[str, Any], fds: Sequence[int]) -> None:
        """Have a child forked that gets these descriptors. Raises ZygoteFailed."""
        self.forks += 1
        try:
            packets.send(self.control, body, fds)
        except OSError as error:
            raise ZygoteFailed(f"The zygote takes no orders: {error}.") from error

    async def await_start(self) -> None:
        """Raises ZygoteFailed, with its own last words, when it does not come up."""
        packet = None
        if await wait_readable(self.control.fileno(), START_TIMEOUT_S):
            packet = packets.receive_now(self.control)
        if packet is None:
            raise ZygoteFailed(f"The zygote did not start: {read_log(self.log)[-1000:]}")
        self.facts = packet.body
        if packet.body.get("threads") != 1:
            raise ZygoteFailed(
                f"The zygote has {packet.body.get('threads')} threads, so it cannot be forked: "
                "one of the libraries that it imports starts threads."
            )

    def end(self) -> None:
        """It ends with its socket, and everything that it forked with it."""
        self.control.close()
        try:
            self.process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.log)


def start_zygote(env: KernelEnvironment, bundle: bytes, users: Range | None = None) -> Zygote:
    """Call it from the main thread: it is killed when the thread that started it ends."""
    ours, theirs = packets.pair()
    told, tell = os.pipe()
    gate, let_through = os.pipe()
    log = make_log()
    archive = memory_file(bundle)
    etc = {path: memory_file(content) for path, content in read_etc().items()}
    argv = [PYTHON_INSIDE, "-I", f"/proc/self/fd/{archive}", str(theirs.fileno())]
    argv += shown_folders(env)
    options = mapped_from_outside(tell, gate) if users else []
    try:
        process = subprocess.Popen(
            command(env, etc, options, argv),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=(theirs.fileno(), archive, tell, gate, *etc.values()),
            env={"PATH": "/usr/bin:/bin"},
            cwd="/",
            umask=0o022,
        )
        packets.close_all([tell, gate])
        if users:
            map_users(users, told, let_through)
    finally:
        theirs.close()
        packets.close_all([archive, told, let_through, *etc.values()])
    return Zygote(process, ours, log)


def mapped_from_outside(info: int, gate: int) -> list[str]:
    """bwrap waits until the users of its namespace are mapped; the zygote may map its children's.

    It never runs foreign code, and its children give every capability up.
    """
    options = ["--info-fd", str(info), "--userns-block-fd", str(gate)]
    return [*options, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]


def map_users(users: Range, told: int, let_through: int) -> None:
    """Map the users of bwrap's child; one that does not come up says why in its log."""
    said = b""
    while b"}" not in said and is_readable(told, MAP_TIMEOUT_S):
        chunk = os.read(told, INFO_BYTES)
        if not chunk:
            return
        said += chunk
    with contextlib.suppress(ValueError, KeyError, OSError):
        write_maps(json.loads(said)["child-pid"], users.maps_behind_wall())
        os.write(let_through, b"1")


def read_etc() -> dict[str, bytes]:
    """The single files behind the wall, of which it has copies."""
    found = {f"/etc/{name}": text.encode() for name, text in ETC.items()}
    for path in map(Path, SYSTEM_FILES):
        with contextlib.suppress(OSError):
            found[str(path)] = path.read_bytes()
    return found


def shown_folders(env: KernelEnvironment) -> list[str]:
    """Folders that all children see, and their places, as inodes of their own. Parents come
    first."""
    folders = ["/usr", *map(str, root_folders_apart()), *env.binds().values()]
    below = [path for path in SYSTEM_FOLDERS if Path(path).is_dir()]
    places = [f"{path}:{path}" for path in (*folders, *below)]
    commands = f"{INSIDE}/{env.commands.relative_to(env.folder)}"  # a mount below /usr would keep
    places += [f"{commands}:{folder}" for folder in covered_folders()]  # it from an overlay
    return [*places[: len(folders)], f"{FILES_OF_ETC}:/etc", *places[len(folders) :]]


def command(
    env: KernelEnvironment, etc: Mapping[str, int], options: Sequence[str], argv: Sequence[str]
) -> list[str]:
    """The first wall. User namespaces stay allowed in it: the second wall is made of them."""
    words = ["bwrap", *WALLS, *options, "--as-pid-1", "--ro-bind", "/usr", "/usr", *root_folders()]
    for folder in PASSED_THROUGH:
        words += ["--perms", "0755", "--dir", folder]
    for host, inside in env.binds().items():
        words += ["--ro-bind", str(host), inside]
    for path in SYSTEM_FOLDERS:
        if path.startswith("/etc/"):  # a place for it in what will be their /etc
            words += ["--dir", path.replace("/etc", FILES_OF_ETC, 1)]
        words += ["--ro-bind-try", path, path]
    for path, fd in etc.items():
        copy = path.replace("/etc", FILES_OF_ETC, 1)
        words += ["--perms", "0444", "--file", str(fd), copy, "--symlink", copy, path]
    words += ["--proc", "/proc", "--dev", "/dev", "--dir", "/work", "--dir", "/opt/pybench"]
    words += ["--size", str(TEMPORARY_BYTES), "--tmpfs", "/tmp", "--size", str(MIB)]
    words += ["--tmpfs", "/dev/shm", "--remount-ro", "/dev", "--remount-ro", "/", "--clearenv"]
    for name, value in {**ENVIRONMENT, "MPLBACKEND": INLINE}.items():
        words += ["--setenv", name, value]
    return [*words, "--chdir", "/", "--", *argv]
