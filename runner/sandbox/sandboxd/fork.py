"""One forked kernel as the service holds it: counted, watched, claimed, ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from runner.sandbox import packets
from runner.sandbox.cleanup import on_failure, on_failure_await
from runner.sandbox.host.async_fds import is_readable, wait_readable
from runner.sandbox.host.cgroups import CgroupRefused, ControlGroup
from runner.sandbox.host.held_process import HeldProcess, make_log, read_log
from runner.sandbox.host.memory_watchdog import watch
from runner.sandbox.host.users import Loan, Users, acting_as
from runner.sandbox.policy import SandboxPolicy
from runner.sandbox.sandboxd.zygote_process import Zygote, ZygoteFailed

FORK_TIMEOUT_S = 60.0
END_TIMEOUT_S = 10.0
GROUP_REMOVAL_TRIES = 50
GROUP_REMOVAL_PAUSE_S = 0.01

MakeGroup = Callable[[SandboxPolicy], ControlGroup | None]


@dataclass
class ForkRoom:
    """A working folder that kernel after kernel of one session enters.

    It lives by these descriptors: of its namespaces, of the folder, of the inputs in it.
    """

    policy: SandboxPolicy
    zygote: Zygote  # whose children alone can enter
    group: ControlGroup | None
    user_ns: int
    mount_ns: int
    work: int
    data: int
    loan: Loan | None = None  # whose files these are: a user of the host, lent to this room

    @property
    def owner(self) -> tuple[int, int] | None:
        return self.loan.owner if self.loan else None

    async def close(self) -> None:
        packets.close_all([self.user_ns, self.mount_ns, self.work, self.data])
        end_loan(self.loan)
        for _ in range(GROUP_REMOVAL_TRIES):
            if self.group is None or self.group.remove():
                return
            await asyncio.sleep(GROUP_REMOVAL_PAUSE_S)


class Forked(HeldProcess):
    """A kernel from its fork on. `died` is set when its pid namespace has ended."""

    def __init__(self, pidfd: int, channel: socket.socket, log: int, zygote: Zygote) -> None:
        self.pid = read_pid(pidfd)
        super().__init__(pidfd)
        self.channel = channel
        self.log = log
        self.zygote = zygote
        self.group: ControlGroup | None = None
        self.kills_before = 0
        self.is_over_memory = False
        self.guard: asyncio.Task[None] | None = None
        zygote.living.add(self)

    def count(self, group: ControlGroup | None, memory_bytes: int) -> None:
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

    def claim(self, key: str, sockets: Sequence[int]) -> None:
        """Give the kernel its channels. Raises OSError when it is gone."""
        packets.send(self.channel, {"key": key}, sockets)
        self.channel.close()

    def begin_tool(self, argv: Sequence[str], streams: Sequence[int]) -> None:
        """Let the tool run. Raises OSError when it is gone."""
        packets.send(self.channel, {"argv": list(argv)}, streams)

    def has_ended(self) -> bool:
        return self.died.is_set() or is_readable(self.pidfd)

    async def read_report(self) -> dict[str, Any]:
        """Report on a tool that has ended, as its parent saw it; {} if that is gone too."""
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

    def is_out_of_memory(self) -> bool:
        return self.is_over_memory or (
            self.group is not None and self.group.kills() > self.kills_before
        )

    def log_text(self) -> str:
        """Text that it wrote to its own stdout and stderr, for diagnosis."""
        return "" if self.pidfd < 0 else read_log(self.log)[-500:]

    async def die(self) -> None:
        """Kill it and all that it started; returns when they are dead."""
        self.kill()
        await self.wait(END_TIMEOUT_S)

    async def end(self) -> None:
        """As `die`, and close what was open. May be called again."""
        await self.die()
        if self.pidfd < 0:
            return
        if self.guard:
            self.guard.cancel()
        self.let_go()
        os.close(self.log)
        self.channel.close()
        self.zygote.living.discard(self)


def read_pid(pidfd: int) -> int:
    """The process' number as this process sees it."""
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines():
        if line.startswith("Pid:"):
            return int(line.split()[1])
    raise ZygoteFailed("A fork died at once.")


async def fork(
    zygote: Zygote,
    policy: SandboxPolicy,
    make_group: MakeGroup,
    users: Users | None,
    is_tool: bool = False,
) -> tuple[Forked, ForkRoom]:
    """A kernel (or tool) that waits to be claimed, in a room of its own. Raises ZygoteFailed."""
    loan = users.lend() if users else None
    with on_failure(end_loan, loan):
        forked, shown = await begin(zygote, policy, (), loan, is_tool)
    user_ns, mount_ns, work, data = shown
    room = ForkRoom(policy, zygote, None, user_ns, mount_ns, work, data, loan)
    async with on_failure_await(room.close), on_failure_await(forked.end):
        room.group = make_group(policy)
        await finish(forked, room)
    return forked, room


def end_loan(loan: Loan | None) -> None:
    if loan:
        loan.end()


async def fork_again(room: ForkRoom) -> Forked:
    """Another kernel in a room whose last one is dead. Raises ZygoteFailed."""
    # A folder that its owner closed would keep the next one out.
    await asyncio.to_thread(open_folder_up, room.work, room.owner)
    namespaces = (room.user_ns, room.mount_ns)
    forked, _ = await begin(room.zygote, room.policy, namespaces, room.loan)
    async with on_failure_await(forked.end):
        await finish(forked, room)
    return forked


def open_folder_up(folder: int, owner: tuple[int, int] | None) -> None:
    with acting_as(owner):
        os.fchmod(folder, 0o755)


async def begin(
    zygote: Zygote,
    policy: SandboxPolicy,
    namespaces: Sequence[int],
    loan: Loan | None,
    is_tool: bool = False,
) -> tuple[Forked, list[int]]:
    """The child behind its walls, and the descriptors of the room that it made."""
    ours, theirs = packets.pair()
    log = make_log()
    zygote.living.add(ours)  # it is not closed while we wait
    try:
        with on_failure(os.close, log), on_failure(ours.close):
            try:
                user = loan.number if loan else None
                order = {"policy": policy.order(), "is_tool": is_tool, "user": user}
                zygote.order(order, [theirs.fileno(), log, *namespaces])
            finally:
                theirs.close()
            fds = (await expect(ours, "walls", partial(read_log, log))).take()
            return Forked(fds[0], ours, log, zygote), fds[1:]
    finally:
        zygote.living.discard(ours)


async def finish(forked: Forked, room: ForkRoom) -> None:
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
