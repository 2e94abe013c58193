"""Pool that the service keeps warm: one zygote in use, older ones that run out, spare kernels."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from runner.contract import Limits
from runner.sandbox.cleanup import on_failure
from runner.sandbox.host.bubblewrap import SYSTEM_FILES
from runner.sandbox.host.cgroups import CgroupRefused, Cgroups, ControlGroup
from runner.sandbox.host.kernel_env import KernelEnvironment
from runner.sandbox.host.users import Users
from runner.sandbox.policy import Range, SandboxPolicy
from runner.sandbox.sandboxd.fork import Forked, ForkRoom, fork, fork_again
from runner.sandbox.sandboxd.zygote_process import Zygote, ZygoteFailed, start_zygote

CLAIM_TIMEOUT_S = 150.0
LOOK_EVERY_S = 0.5
LONGEST_PAUSE_S = 30.0


@dataclass(frozen=True)
class Rotation:
    """Limits after which a zygote is replaced: its forks share addresses and string hashes."""

    forks: int = 2_000
    age_s: float = 3_600.0


class Stock:
    """Warm kernels. `claim` one; `supervise` keeps the stock up until it is cancelled."""

    def __init__(
        self,
        env: KernelEnvironment,
        bundle: bytes,
        cgroups: Cgroups | None,
        token: str,
        ahead: int,
        rotation: Rotation,
        users: Range | None = None,
    ) -> None:
        self.env = env
        self.users = Users(users) if users else None
        self.bundle = bundle
        self.cgroups = cgroups
        # A service that was killed may have left groups to the next one of the same token.
        self.prefix = f"{token}-{secrets.token_hex(3)}"
        self.ahead = ahead
        self.rotation = rotation
        self.numbers = itertools.count(1)
        self.policy = SandboxPolicy.of(Limits())  # what is forked ahead: as was asked for last
        self.zygote: Zygote | None = None
        self.mark: tuple[int, ...] = ()
        self.retired: list[Zygote] = []
        self.ready: list[tuple[Forked, ForkRoom]] = []
        self.failures = 0
        self.problem = "The zygote is starting."
        self.has_zygote = asyncio.Event()
        self.wanted = asyncio.Event()

    async def claim(self, policy: SandboxPolicy) -> tuple[Forked, ForkRoom]:
        """A kernel in an empty room, forked ahead if possible. Raises ZygoteFailed."""
        if policy != self.policy:
            self.policy = policy
            await self.discard_ready()
        self.look_after_zygotes()  # what has changed since the last look may be what is asked for
        self.wanted.set()
        while self.ready:
            forked, room = self.ready.pop(0)
            if not forked.died.is_set() and room.zygote is self.zygote:
                return forked, room
            await forked.end()
            await room.close()
        return await self.fork_now(policy)

    async def fork_now(
        self, policy: SandboxPolicy, is_tool: bool = False
    ) -> tuple[Forked, ForkRoom]:
        """From the zygote in use; from its successor when it dies over it."""
        self.look_after_zygotes()
        zygote = await self.current()
        try:
            return await fork(zygote, policy, self.make_group, self.users, is_tool)
        except ZygoteFailed:
            if zygote.is_alive:
                raise
        self.look_after_zygotes()
        self.wanted.set()
        zygote = await self.current()
        return await fork(zygote, policy, self.make_group, self.users, is_tool)

    async def claim_again(self, room: ForkRoom) -> Forked:
        """The next kernel of a session. Raises ZygoteFailed when its room cannot be entered."""
        if not room.zygote.is_alive:
            raise ZygoteFailed("The working folder's zygote was lost, and the folder with it.")
        return await fork_again(room)

    async def current(self) -> Zygote:
        """The zygote in use, once there is one."""
        try:
            async with asyncio.timeout(CLAIM_TIMEOUT_S):
                await self.has_zygote.wait()
        except TimeoutError:
            raise ZygoteFailed(self.problem) from None
        if self.zygote is None:
            raise ZygoteFailed(self.problem)
        return self.zygote

    def make_group(self, policy: SandboxPolicy) -> ControlGroup | None:
        if self.cgroups is None:
            return None
        try:
            return self.cgroups.create(f"{self.prefix}-{next(self.numbers)}", policy)
        except CgroupRefused as error:
            raise ZygoteFailed(str(error)) from error

    async def supervise(self) -> None:
        """Keep one zygote and the kernels ahead, for ever."""
        while True:
            self.look_after_zygotes()
            try:
                if self.zygote is None:
                    await self.replace_zygote()
                await self.fill()
                self.failures = 0
            except (ZygoteFailed, OSError) as error:
                self.problem = str(error)
                self.failures += 1
                say(f"{error} Again in {self.pause_s():.0f} s.")
                await asyncio.sleep(self.pause_s())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY_S):
                    await self.wanted.wait()
            self.wanted.clear()

    def pause_s(self) -> float:
        return min(LONGEST_PAUSE_S, 2.0**self.failures / 2)

    def look_after_zygotes(self) -> None:
        """Drop the dead zygote, and old ones once none of their children lives."""
        if self.zygote and not self.zygote.is_alive:
            say("the zygote died; another is started")
            self.retire()
        elif self.zygote and self.is_due(self.zygote):
            say(f"the zygote is replaced after {self.zygote.forks} forks")
            self.retire()
        for zygote in list(self.retired):
            if not zygote.living or not zygote.is_alive:
                self.retired.remove(zygote)
                zygote.end()

    def is_due(self, zygote: Zygote) -> bool:
        is_old = time.monotonic() - zygote.started > self.rotation.age_s
        return is_old or zygote.forks >= self.rotation.forks or self.mark != read_mark(self.env)

    def retire(self) -> None:
        if self.zygote:
            self.retired.append(self.zygote)
        self.zygote = None
        self.has_zygote.clear()

    async def replace_zygote(self) -> None:
        await self.discard_ready()
        mark = read_mark(self.env)
        zygote = start_zygote(self.env, self.bundle, self.users.given if self.users else None)
        with on_failure(zygote.end):
            await zygote.await_start()
        self.zygote, self.mark = zygote, mark
        self.has_zygote.set()
        missing = zygote.facts.get("missing")
        say(f"a zygote is up{f', without {missing}' if missing else ''}")

    async def fill(self) -> None:
        zygote = self.zygote
        while zygote and zygote is self.zygote and len(self.ready) < self.ahead:
            policy = self.policy
            forked, room = await fork(zygote, policy, self.make_group, self.users)
            self.ready.append((forked, room))
            if policy != self.policy:
                await self.discard_ready()

    async def discard_ready(self) -> None:
        while self.ready:
            forked, room = self.ready.pop()
            await forked.end()
            await room.close()

    async def close(self) -> None:
        await self.discard_ready()
        for zygote in (self.zygote, *self.retired):
            if zygote:
                zygote.end()


def read_mark(env: KernelEnvironment) -> tuple[int, ...]:
    """Changes when a package is installed into the environment or removed from it, or with the
    host's programs and the files of its own of which zygotes have copies."""
    folders = sorted(env.folder.glob("lib/python*/site-packages"))
    marks: list[int] = []
    copied = map(Path, SYSTEM_FILES)
    for path in (env.folder / "pyvenv.cfg", env.commands, *folders, *copied):
        with contextlib.suppress(OSError):
            status = path.stat()
            marks += [status.st_ino, status.st_mtime_ns]
    return tuple(marks)


def say(sentence: str) -> None:
    print(f"sandboxd: {sentence}", file=sys.stderr, flush=True)
