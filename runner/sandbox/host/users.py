"""A user of the host for each room, from a range that the host gives the service.

What Linux counts by user (descriptors on their way in messages, pages of pipes, processes) is then
counted for each sandbox alone. The service lives in a user namespace that holds its own user and
the range; it may become any of them there, and nobody else. Rules: man 7 user_namespaces.

    python -I -S <bundle> UID GID FIRST_UID FIRST_GID COUNT -- COMMAND…

runs in front of the service, where the range can be mapped: as root, with the capabilities
CAP_SETUID and CAP_SETGID, or with newuidmap.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from runner.sandbox.inside import confinement
from runner.sandbox.inside.confinement import write_maps
from runner.sandbox.policy import CAP_SETGID, CAP_SETUID, Range

TOOL_TIMEOUT_S = 20


class Users:
    """A range's users, each lent to one room at a time as long as there are enough."""

    def __init__(self, given: Range) -> None:
        self.given = given
        numbers = list(range(given.count))
        secrets.SystemRandom().shuffle(numbers)  # another service may have the same range
        self.free = deque(numbers)
        self.lent: Counter[int] = Counter()

    def lend(self) -> Loan:
        number = self.free.popleft() if self.free else secrets.randbelow(self.given.count)
        self.lent[number] += 1
        return Loan(self, number)

    def take_back(self, number: int) -> None:
        self.lent[number] -= 1
        if not self.lent[number]:
            del self.lent[number]
            self.free.append(number)


@dataclass
class Loan:
    """One user, by its number in the range, until `end`."""

    users: Users
    number: int
    is_over: bool = False

    @property
    def owner(self) -> tuple[int, int]:
        """The uid and gid, as the service sees them."""
        given = self.users.given
        return given.first_uid + self.number, given.first_gid + self.number

    def end(self) -> None:
        if not self.is_over:
            self.is_over = True
            self.users.take_back(self.number)


@contextmanager
def acting_as(owner: tuple[int, int] | None) -> Iterator[None]:
    """Touch files as the user of a room does. Of this thread alone: no `await` in it."""
    if owner is None:
        yield
        return
    uid, gid = confinement.act_as(*owner)
    try:
        yield
    finally:
        confinement.act_as(uid, gid)
        confinement.be_dumpable()


def main() -> None:
    """Become the service's user in its namespace, then the command."""
    given = Range(*map(int, sys.argv[1:6]))
    command = sys.argv[sys.argv.index("--") + 1 :]
    is_root = os.geteuid() == 0
    ready, tell = os.pipe()
    mapper = os.fork()
    if mapper == 0:
        os.close(tell)
        os._exit(map_parent(given) if os.read(ready, 1) else 1)
    if is_root:
        os.setgroups([])
        os.setresgid(given.gid, given.gid, given.gid)
        os.setresuid(given.uid, given.uid, given.uid)
    confinement.unshare(confinement.NEW_USER | confinement.NEW_NET)
    os.write(tell, b"1")
    if os.waitpid(mapper, 0)[1] != 0:
        sys.exit("The range of users could not be mapped.")
    os.close(ready)
    os.close(tell)
    confinement.keep_capabilities((CAP_SETGID, CAP_SETUID))
    os.execv(command[0], command)


def map_parent(given: Range) -> int:
    """0 when the range is mapped in the namespace of the process that forked this one."""
    pid = os.getppid()
    with suppress(PermissionError):  # of one that is neither root nor has CAP_SETUID
        write_maps(pid, given.maps())
        return 0
    for program, lines in zip(("newuidmap", "newgidmap"), given.maps(), strict=True):
        argv = [f"/usr/bin/{program}", str(pid), *lines.split()]
        code = subprocess.run(argv, timeout=TOOL_TIMEOUT_S, check=False).returncode
        if code:
            return code
    return 0
