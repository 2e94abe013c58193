"""One forked kernel as the service holds it: counted, watched, claimed, ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from runner.sandbox.box import make_log, read_log
from runner.sandbox.cgroups import CgroupRefused, Group
from runner.sandbox.descriptors import wait_readable
from runner.sandbox.policy import Policy
from runner.sandbox.sandboxd import packets
from runner.sandbox.sandboxd.zygote import Zygote, ZygoteFailed
from runner.sandbox.watchdog import watch

FORK_TIMEOUT_S = 60.0
END_TIMEOUT_S = 10.0
GROUP_REMOVAL_TRIES = 50
GROUP_REMOVAL_PAUSE_S = 0.01

MakeGroup = Callable[[Policy], Group | None]


@dataclass
class Room:
    """A working folder that kernel after kernel of one session enters.

    It lives by these descriptors: of its namespaces, of the folder, of the inputs in it.
    """

    policy: Policy
    zygote: Zygote  # whose children alone can enter
    group: Group | None
    user_ns: int
    mount_ns: int
    work: int
    data: int

    async def close(self) -> None:
        packets.close_all([self.user_ns, self.mount_ns, self.work, self.data])
        for _ in range(GROUP_REMOVAL_TRIES):
            if self.group is None or self.group.remove():
                return
            await asyncio.sleep(GROUP_REMOVAL_PAUSE_S)


class Forked:
    """A kernel from its fork on. `died` is set when its pid namespace has ended."""

    def __init__(self, pidfd: int, channel: socket.socket, log: int, zygote: Zygote) -> None:
        self.pidfd = pidfd
        self.pid = read_pid(pidfd)
        self.channel = channel
        self.log = log
        self.zygote = zygote
        self.group: Group | None = None
        self.kills_before = 0
        self.is_over_memory = False
        self.died = asyncio.Event()
        self.guard: asyncio.Task[None] | None = None
        self.is_closed = False
        zygote.living.add(self)
        asyncio.get_running_loop().add_reader(pidfd, self.notice_death)

    def notice_death(self) -> None:
        asyncio.get_running_loop().remove_reader(self.pidfd)
        self.died.set()

    def count(self, group: Group | None, memory_bytes: int) -> None:
        """From here on its memory is limited, by a cgroup or by looking at it now and then."""
        self.group = group
        if group is None:
            self.guard = asyncio.create_task(self.stand_guard(memory_bytes))
        else:
            group.add(self.pid)
            self.kills_before = group.kills()

    async def stand_guard(self, memory_bytes: int) -> None:
        self.is_over_memory = await watch(self.pid, memory_bytes, self.died)
        if self.is_over_memory:
            self.kill()

    def claim(self, key: str, listeners: Sequence[int]) -> None:
        """Let the kernel listen. Raises OSError when it is gone."""
        packets.send(self.channel, {"key": key}, listeners)
        self.channel.close()

    def begin_tool(self, argv: Sequence[str], streams: Sequence[int]) -> None:
        """Let the tool run. Raises OSError when it is gone."""
        packets.send(self.channel, {"argv": list(argv)}, streams)

    def has_ended(self) -> bool:
        return self.died.is_set() or bool(select.select([self.pidfd], [], [], 0)[0])

    async def read_report(self) -> dict[str, Any]:
        """How a tool ended that has, as its parent saw it; {} when that is gone too."""
        with contextlib.suppress(OSError, packets.Malformed):
            is_there = await wait_readable(self.channel.fileno(), END_TIMEOUT_S)
            packet = packets.receive_now(self.channel) if is_there else None
            if packet is not None:
                packet.close()
                return packet.body
        return {}

    def interrupt(self) -> None:
        self.signal(signal.SIGINT)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)

    def signal(self, number: signal.Signals) -> None:
        if not self.is_closed:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, number)

    def is_out_of_memory(self) -> bool:
        return self.is_over_memory or (
            self.group is not None and self.group.kills() > self.kills_before
        )

    def log_text(self) -> str:
        """What it wrote to its own stdout and stderr, for diagnosis."""
        return "" if self.is_closed else read_log(self.log)[-500:]

    async def end(self) -> None:
        """Kill it and all that it started; returns when they are dead. May be called again."""
        self.kill()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(END_TIMEOUT_S):
                await self.died.wait()
        if self.is_closed:
            return
        self.is_closed = True
        if self.guard:
            self.guard.cancel()
        asyncio.get_running_loop().remove_reader(self.pidfd)
        packets.close_all([self.pidfd, self.log])
        self.channel.close()
        self.zygote.living.discard(self)


def read_pid(pidfd: int) -> int:
    """The process' number as this process sees it."""
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines():
        if line.startswith("Pid:"):
            return int(line.split()[1])
    raise ZygoteFailed("A fork died at once.")


async def fork(
    zygote: Zygote, policy: Policy, make_group: MakeGroup, is_tool: bool = False
) -> tuple[Forked, Room]:
    """A kernel (or tool) that waits to be claimed, in a room of its own. Raises ZygoteFailed."""
    forked, shown = await begin(zygote, policy, (), is_tool)
    room = Room(policy, zygote, None, *shown)
    try:
        room.group = make_group(policy)
        await finish(forked, room)
    except BaseException:
        await forked.end()
        await room.close()
        raise
    return forked, room


async def fork_again(room: Room) -> Forked:
    """Another kernel in a room whose last one is dead. Raises ZygoteFailed."""
    os.fchmod(room.work, 0o755)  # a folder that its owner closed would keep the next one out
    forked, _ = await begin(room.zygote, room.policy, (room.user_ns, room.mount_ns))
    try:
        await finish(forked, room)
    except BaseException:
        await forked.end()
        raise
    return forked


async def begin(
    zygote: Zygote, policy: Policy, namespaces: Sequence[int], is_tool: bool = False
) -> tuple[Forked, list[int]]:
    """The child behind its walls, and the descriptors of the room that it made."""
    ours, theirs = packets.pair()
    log = make_log()
    zygote.living.add(ours)  # it is not let go of while we wait
    try:
        try:
            order = {"policy": policy.order(), "is_tool": is_tool}
            zygote.order(order, [theirs.fileno(), log, *namespaces])
        finally:
            theirs.close()
        fds = (await expect(ours, "walls", partial(read_log, log))).take()
        return Forked(fds[0], ours, log, zygote), fds[1:]
    except BaseException:
        ours.close()
        os.close(log)
        raise
    finally:
        zygote.living.discard(ours)


async def finish(forked: Forked, room: Room) -> None:
    """Count it, then let it lock itself in and become a kernel."""
    try:
        forked.count(room.group, room.policy.memory_bytes)
        packets.send(forked.channel, {"go": True})
    except (OSError, CgroupRefused) as error:
        raise ZygoteFailed(f"A fork could not be limited: {error}.") from error
    (await expect(forked.channel, "ready", forked.log_text)).close()


async def expect(channel: socket.socket, word: str, log: Callable[[], str]) -> packets.Packet:
    """The child's next packet, which must be this one. Raises ZygoteFailed."""
    packet = None
    if await wait_readable(channel.fileno(), FORK_TIMEOUT_S):
        packet = packets.receive_now(channel)
    if packet is None or word not in packet.body:
        said = packet.body.get("error") if packet else ""
        raise ZygoteFailed(f"A fork did not come up: {said or log()[-500:] or 'no answer'}")
    return packet
