"""One worker's connection to the service, which is one session: a room and its kernels.

Over `SOCK_SEQPACKET` (see `packets`). Every request but the one-way ones is answered by one packet,
`{"ok": true, …}` or `{"error": "a sentence"}`; one that is not understood ends the connection, and
the end of the connection ends the session and all that it started.

| `do` | with | descriptors | answer |
|---|---|---|---|
| `facts` | | | zygote's facts, memory layer |
| `open` | `limits` {name: number}; `is_tool`, `has_browser` | | |
| `put` | `files` [{path, mtime_ns}]; `folders` [path] | one per file, to read | |
| `give` | the same, into a tool's working folder | one per file, to read | |
| `start` | `key` | a socket for each channel | descriptors: pidfd, working folder |
| `run` | `argv` (of a tool) | stdin, stdout, stderr | descriptors: pidfd, working folder |
| `interrupt`, `kill` | one way | | |
| `end` | | | `is_out_of_memory`, `is_our_fault`, `log`; tools `returncode`, `cpu_s`, `peak_bytes` |
| `harvest` | | | as `end`; then every file in the working folder is readable |
| `show` | | | then every file that is there is readable |
| `close` | | | when nothing is left |
"""

from __future__ import annotations

import asyncio
import os
import socket
import stat
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from runner.contract import Limits
from runner.sandbox import packets
from runner.sandbox.host.async_fds import wait_readable
from runner.sandbox.host.users import acting_as
from runner.sandbox.packets import Malformed, Packet
from runner.sandbox.policy import SandboxPolicy
from runner.sandbox.sandboxd.fork import Forked, ForkRoom
from runner.sandbox.sandboxd.kernel_pool import Stock
from runner.sandbox.sandboxd.zygote_process import ZygoteFailed

FOREVER_S = 1e9
ENTRIES = 30_000  # more than a working folder may hold
DEPTH = 10  # more than is harvested
COPY_BYTES = 1 << 24
Answer = tuple[dict[str, Any], Sequence[int]]
DONE: Answer = ({"ok": True}, ())


class Connection:
    """Serve requests until the worker closes, disconnects or sends an invalid one."""

    def __init__(self, peer: socket.socket, stock: Stock) -> None:
        self.peer = peer
        self.stock = stock
        self.room: ForkRoom | None = None
        self.kernel: Forked | None = None
        self.is_new = True  # the kernel has not been claimed yet
        self.is_tool = False
        self.is_asked_to_close = False
        self.handlers: dict[str, Callable[[Packet], Awaitable[Answer]]] = {
            "facts": self.tell_facts,
            "open": self.open,
            "put": self.put,
            "give": self.give,
            "run": self.run,
            "start": self.start,
            "end": self.end,
            "harvest": self.harvest,
            "show": self.show,
        }

    async def serve(self) -> None:
        try:
            while self.peer.fileno() >= 0 and await self.serve_one():
                pass
        # ValueError: too large to pass on. KeyError, TypeError: of another version's worker.
        except (Malformed, OSError, ValueError, KeyError, TypeError) as error:
            self.answer({"error": f"The request is not understood: {error}"}, ())
        finally:
            await asyncio.shield(asyncio.ensure_future(self.clear()))
            if self.is_asked_to_close:
                self.answer(*DONE)
            self.peer.close()

    async def serve_one(self) -> bool:
        """Serve one request; True if the connection goes on."""
        await wait_readable(self.peer.fileno(), FOREVER_S)
        packet = packets.receive_now(self.peer)
        if packet is None:
            return False
        try:
            return await self.obey(packet)
        finally:
            packet.close()

    async def obey(self, packet: Packet) -> bool:
        word = packet.body.get("do")
        if word in ("interrupt", "kill"):
            if self.kernel:
                self.kernel.interrupt() if word == "interrupt" else self.kernel.kill()
            return True
        if word == "close":
            self.is_asked_to_close = True
            return False
        handler = self.handlers.get(word) if isinstance(word, str) else None
        if handler is None:
            raise Malformed("there is no such request")
        try:
            body, fds = await handler(packet)
        except ZygoteFailed as error:
            body, fds = {"error": str(error)[:4000]}, ()
        self.answer(body, fds)
        return True

    def answer(self, body: dict[str, Any], fds: Sequence[int]) -> None:
        try:
            packets.send(self.peer, body, fds)
        except (OSError, ValueError):
            self.peer.close()  # gone, or does not read: `serve` ends

    async def tell_facts(self, packet: Packet) -> Answer:
        zygote = await self.stock.current()
        cgroups = self.stock.cgroups
        memory = f"cgroup {cgroups.version}" if cgroups else "watchdog"
        users = self.stock.users.given.count if self.stock.users else 0
        told = {"memory": memory, "users": users, "pid": zygote.process.pid}
        return {"ok": True, **told, **zygote.facts}, ()

    async def open(self, packet: Packet) -> Answer:
        """Get a room, and a kernel in it that waits for `start`."""
        if self.room is not None:
            raise Malformed("the session is open already")
        policy = SandboxPolicy.of(Limits(**packet.body["limits"]))
        self.is_tool = packet.body.get("is_tool") is True
        if self.is_tool:
            if packet.body.get("has_browser") is True:
                policy = policy.with_browser()
            self.kernel, self.room = await self.stock.fork_now(policy, is_tool=True)
        else:
            self.kernel, self.room = await self.stock.claim(policy)
        return DONE

    async def put(self, packet: Packet) -> Answer:
        if self.room is None or not self.is_new:
            raise Malformed("inputs at the wrong time")
        return await self.fill(self.room.data, packet, 0o444)

    async def give(self, packet: Packet) -> Answer:
        if self.room is None or not self.is_new or not self.is_tool:
            raise Malformed("files at the wrong time")
        return await self.fill(self.room.work, packet, 0o644)

    async def fill(self, folder: int, packet: Packet, mode: int) -> Answer:
        folders, files = packet.body.get("folders", ()), packet.body["files"]
        try:
            assert self.room is not None
            given = (folder, folders, files, packet.fds, mode)
            await asyncio.to_thread(put, self.room.owner, *given)
        except OSError as error:
            raise ZygoteFailed(f"The inputs cannot be shown: {error.strerror}.") from error
        return DONE

    async def run(self, packet: Packet) -> Answer:
        """Let a tool run, once."""
        if self.room is None or self.kernel is None or not self.is_tool or not self.is_new:
            raise Malformed("a tool at the wrong time")
        self.is_new = False
        try:
            self.kernel.begin_tool(packet.body["argv"], packet.fds)
        except OSError as error:
            raise ZygoteFailed("The tool died before it was used.") from error
        return {"ok": True}, (self.kernel.pidfd, self.room.work)

    async def start(self, packet: Packet) -> Answer:
        """Give the kernel the worker's sockets; a new one when the last was ended."""
        if self.room is None or self.is_tool or not (self.kernel is None or self.is_new):
            raise Malformed("a start at the wrong time")
        if self.kernel is None:
            self.kernel = await self.stock.claim_again(self.room)
        self.is_new = False
        try:
            self.kernel.claim(packet.body["key"], packet.fds)
        except OSError as error:
            raise ZygoteFailed("The kernel died before it was used.") from error
        return {"ok": True}, (self.kernel.pidfd, self.room.work)

    async def end(self, packet: Packet) -> Answer:
        kernel, self.kernel = self.kernel, None
        if kernel is None:
            return {"ok": True, "is_out_of_memory": False, "is_our_fault": False, "log": ""}, ()
        log = kernel.log_text()
        if self.is_tool:
            await kernel.die()  # then it is known what one past its deadline used
        report = await kernel.read_report() if self.is_tool and kernel.has_ended() else {}
        await kernel.end()
        told = {
            "returncode": report.get("returncode"),
            "cpu_s": report.get("cpu_s"),
            "peak_bytes": report.get("peak_bytes"),
            "is_out_of_memory": kernel.is_out_of_memory(),
            "is_our_fault": not kernel.zygote.is_alive,
            "log": log,
        }
        return {"ok": True, **told}, ()

    async def harvest(self, packet: Packet) -> Answer:
        answer = await self.end(packet)
        if self.room:
            await asyncio.to_thread(make_all_readable, self.room.work, self.room.owner)
        return answer

    async def show(self, packet: Packet) -> Answer:
        """Let a worker that is another user read what is there now, the kernel at work or not."""
        if self.room:
            await asyncio.to_thread(make_all_readable, self.room.work, self.room.owner)
        return DONE

    async def clear(self) -> None:
        """End everything that this connection started."""
        kernel, self.kernel = self.kernel, None
        if kernel:
            await kernel.end()
        room, self.room = self.room, None
        if room:
            await room.close()


def put(
    owner: tuple[int, int] | None,
    folder: int,
    folders: Sequence[str],
    files: Sequence[Mapping[str, Any]],
    fds: Sequence[int],
    mode: int,
) -> None:
    """Make folders and copies below `folder`, as the user whose it is."""
    with acting_as(owner):
        for path in folders:
            os.close(make_parents(folder, PurePosixPath(path, "any")))
        put_files(folder, files, fds, mode)


def put_files(
    folder: int, files: Sequence[Mapping[str, Any]], fds: Sequence[int], mode: int
) -> None:
    """Copy each descriptor's content to its path below `folder`."""
    for given, source in zip(files, fds, strict=True):
        path = PurePosixPath(given["path"])
        parent = make_parents(folder, path)
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            target = os.open(path.name, flags, mode, dir_fd=parent)
            try:
                while os.sendfile(target, source, None, COPY_BYTES):
                    pass
                os.fchmod(target, mode)
                os.utime(target, ns=(given["mtime_ns"], given["mtime_ns"]))
            finally:
                os.close(target)
        finally:
            os.close(parent)


def make_parents(folder: int, path: PurePosixPath) -> int:
    """A descriptor of the folder that `path` lies in, made where it is missing."""
    current = os.dup(folder)
    for part in path.parts[:-1]:
        try:
            with suppress(FileExistsError):
                os.mkdir(part, 0o755, dir_fd=current)
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            below = os.open(part, flags, dir_fd=current)
        finally:
            os.close(current)
        current = below
    return current


def make_all_readable(work: int, owner: tuple[int, int] | None) -> None:
    with acting_as(owner):
        os.fchmod(work, 0o755)
        make_readable(work)


def make_readable(folder: int, depth: int = DEPTH) -> None:
    """Let a worker that is another user read what a kernel left. Follows no link."""
    with os.scandir(folder) as entries:
        names = [entry.name for entry in islice(entries, ENTRIES)]
    for name in names:
        with suppress(OSError):  # gone, a link, or one of the read-only inputs
            open_up(folder, name, depth)


def open_up(folder: int, name: str, depth: int) -> None:
    handle = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        mode, itself = os.fstat(handle).st_mode, f"/proc/self/fd/{handle}"
        if stat.S_ISREG(mode):
            allow(itself, mode, 0o644)
        elif stat.S_ISDIR(mode) and depth:
            allow(itself, mode, 0o755)
            below = os.open(itself, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                make_readable(below, depth - 1)
            finally:
                os.close(below)
    finally:
        os.close(handle)


def allow(path: str, mode: int, wanted: int) -> None:
    """Add what is missing of these permissions."""
    if mode & wanted != wanted:
        os.chmod(path, stat.S_IMODE(mode) | wanted)  # noqa: PTH101 (no path: this very file)
