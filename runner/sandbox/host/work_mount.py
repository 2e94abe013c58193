"""A session's working directory: a size-limited tmpfs in a namespace kept alive by descriptors.

No process holds the folder. The host keeps descriptors of the namespaces, so that kernel after
kernel of one attempt enters the same `/work`; and one of the folder itself, through which files are
read when everything inside is dead. When the descriptors close, or their owner dies, it is gone.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from runner.contract import SandboxUnavailable
from runner.sandbox.host.account import drop_privileges
from runner.sandbox.host.async_fds import read_until
from runner.sandbox.host.spawning import spawn
from runner.sandbox.policy import SHARES, SandboxPolicy, WritableFolder

if TYPE_CHECKING:
    from runner.sandbox.host.runtime_folders import Slot

START_TIMEOUT_S = 30.0
RESERVED_INODES = 3  # the folder itself, ./data and ./output

MAKE = (
    'mount -t tmpfs -o "$2,mode=0755,nosuid,nodev" room "$1" && '
    'for d in $3; do mkdir "$1/$d"; done && '
    'if [ -n "$4" ]; then cp -r "$4/." "$1/"; fi && echo ready && read -r _'
)
# Dies with the thread that started it, also when that died before it could say so. What follows is
# in a pid namespace that ends with it: bubblewrap alone leaves a child behind when it is killed
# while it sets up. The namespaces' own descriptors stay outside (bash: dash closes none above 9).
TIE = (
    '[ "$PPID" = "$1" ] || exit 125; for fd in $2; do eval "exec $fd>&-"; done; shift 2; '
    "exec /usr/bin/unshare --mount --pid --fork --kill-child --mount-proc -- "
    '/bin/sh -c "$0" sh "$@"'
)
# Each kernel gets an empty /tmp and /dev/shm: one that filled them must not spoil the next. Its
# terminals are its own, and so are its share of what the host counts by user and, where the system
# has overlays, the inodes of the files that all see: a lock on one is felt by nobody else.
FRESHEN = (
    'e="$1"; shift; while [ "$1" != -- ]; do '  # the shell keeps what it inherited as 8 and 9
    "mount -t overlay -o ro,nosuid,nodev,lowerdir=/proc/self/fd/8:/proc/self/fd/9 own "
    '"$1" 8<"$1" 9<"$e" 2>/dev/null; shift; done; shift; for n in 1 2; do '
    'mount -t tmpfs -o "$2,mode=1777,nosuid,nodev" room "$1" || exit 125; shift 2; done; '
    'mount -t devpts -o "$2,nosuid,noexec" pts "$1" || exit 125; '
    'for s in $3; do echo "${s#*=}" > "/proc/sys/user/${s%=*}" || exit 125; done; shift 3; '
    'exec "$@"'
)


@dataclass
class Rooms:
    """Descriptors of the user namespace, the mount namespace, and the working folder."""

    slot: Slot
    user_ns: int
    mount_ns: int
    work: int

    @property
    def inherited(self) -> tuple[int, ...]:
        """Descriptors that a process needs to `enter`."""
        return (self.user_ns, self.mount_ns)

    def enter(self, policy: SandboxPolicy, shown: Sequence[Path] = ()) -> list[str]:
        """A command prefix: give up root, enter the namespaces, mount what each kernel has anew.

        `shown` are folders of the host that all sandboxes see.
        The process it makes has one child, which is the command.
        """
        # A folder that its owner closed would keep the next kernel out.
        os.fchmod(self.work, 0o755)
        rooms = [str(self.slot.room("empty")), *map(str, shown), "--"]
        for name, room in (("tmp", policy.tmp), ("shm", policy.shm)):
            rooms += [str(self.slot.room(name)), tmpfs_options(room)]
        shares = " ".join(f"{name}={most}" for name, most in SHARES.items())
        rooms += [str(self.slot.room("pts")), policy.terminal_options(), shares]
        return [
            *drop_privileges(self.slot.uid),
            "/usr/bin/nsenter",
            f"--user=/proc/self/fd/{self.user_ns}",
            f"--mount=/proc/self/fd/{self.mount_ns}",
            *("--preserve-credentials", "--"),
            *("/usr/bin/setpriv", "--pdeathsig", "KILL", "--"),
            *("/bin/bash", "-c", TIE, FRESHEN),
            *(str(os.getpid()), " ".join(map(str, self.inherited)), *rooms),
        ]

    def close(self) -> None:
        for fd in (self.user_ns, self.mount_ns, self.work):
            with contextlib.suppress(OSError):
                os.close(fd)


def tmpfs_options(room: WritableFolder) -> str:
    return f"size={room.size_bytes},nr_inodes={room.files}"


async def make_rooms(
    slot: Slot, policy: SandboxPolicy, *, folders: Sequence[str] = (), copied: str = ""
) -> Rooms:
    """Mount the working folder, with these `folders` and what the host folder `copied` holds.

    Raises SandboxUnavailable when the host does not allow it.
    """
    work = WritableFolder(policy.work.size_bytes, policy.work.files + RESERVED_INODES)
    argv = [
        *drop_privileges(slot.uid),
        *("/usr/bin/unshare", "--user", "--map-root-user", "--mount", "--"),
        *("/bin/sh", "-c", MAKE, "sh", str(slot.room("work")), tmpfs_options(work)),
        *(" ".join(folders), copied),
    ]
    process = await spawn(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with process:  # leaving closes its stdin, at which it ends
        try:
            return await take_descriptors(process, slot)
        finally:
            end_at_once(process)


async def take_descriptors(process: subprocess.Popen[bytes], slot: Slot) -> Rooms:
    assert process.stdout is not None
    assert process.stderr is not None
    greeting = await read_until(process.stdout.fileno(), b"ready", START_TIMEOUT_S)
    if b"ready" not in greeting:
        reason = await read_until(process.stderr.fileno(), b"\0", 1.0)
        raise SandboxUnavailable(
            "No working folder could be made in a user namespace: "
            f"{reason.decode('utf-8', 'replace').strip() or 'no answer'}. "
            "`python -m runner.sandbox.doctor` says what this host lacks."
        )
    proc = f"/proc/{process.pid}"
    opened: list[int] = []
    try:
        for path in (f"{proc}/ns/user", f"{proc}/ns/mnt", f"{proc}/root{slot.room('work')}"):
            opened.append(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    except OSError:
        for fd in opened:
            os.close(fd)
        raise
    return Rooms(slot, *opened)


def end_at_once(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
