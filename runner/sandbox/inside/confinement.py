"""The second wall, from within: system calls by which a forked child locks itself in for good.

Runs in the zygote and its children alone, on the standard library. The order is the caller's:
namespaces, then the room, then places of its own, then `close_down`, after which nothing of this
can be undone. Calls: man 2 clone, setns, mount, capset, prctl; Linux `Documentation/userspace-api/
seccomp_filter.rst`.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import platform
import resource
import signal
import socket
import struct
from collections.abc import Sequence
from pathlib import Path

from runner.sandbox.inside import landlock

LIBC = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter's lock: a fork happens in here

SYS_CLONE = {"x86_64": 56, "aarch64": 220}
NEW_USER, NEW_MOUNT, NEW_PID, NEW_NET = 0x10000000, 0x00020000, 0x20000000, 0x40000000
NEW_IPC, NEW_UTS, NEW_CGROUP = 0x08000000, 0x04000000, 0x02000000
OWN_PROCESSES = NEW_PID | NEW_NET | NEW_IPC | NEW_UTS

READ_ONLY, NO_SUID, NO_DEVICES, NO_EXEC, REMOUNT = 1, 2, 4, 8, 32
BIND, RECURSIVE, PRIVATE = 4096, 16384, 1 << 18
PLAIN = NO_SUID | NO_DEVICES

PR_SET_DUMPABLE, PR_SET_NAME, PR_SET_SECCOMP, PR_CAPBSET_DROP = 4, 15, 22, 24
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, PR_CAP_AMBIENT_CLEAR_ALL = 38, 47, 2, 4
SECCOMP_MODE_FILTER = 2
CAPABILITY_VERSION_3 = 0x20080522
SIOCSIFFLAGS, IFF_UP, IFF_RUNNING = 0x8914, 0x1, 0x40

EMPTY = "/work/empty"  # covered by the room, as all of the zygote's /work
DEVICES = ("/dev", "/proc")
WRITABLE = ("/work", "/tmp", "/dev/shm")


def check(result: int, what: str) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result


def fork_into(flags: int) -> int:
    """Like `os.fork`, into new namespaces (clone flags), without a process in between.

    The child is pid 1 of its namespace, as its parent is of its own, so that what the C library
    remembers of the thread's number stays true.
    """
    number = SYS_CLONE[platform.machine()]
    ctypes.pythonapi.PyOS_BeforeFork()
    pid = int(LIBC.syscall(number, ctypes.c_ulong(flags | signal.SIGCHLD), 0, 0, 0, 0))
    error = ctypes.get_errno()
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        return 0
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(error, f"clone: {os.strerror(error)}")
    return pid


def map_user(uid: int, gid: int) -> None:
    """Be the same user in the new namespace as outside it, and nobody else."""
    for file, line in (
        ("setgroups", "deny"),
        ("uid_map", f"{uid} {uid} 1"),
        ("gid_map", f"{gid} {gid} 1"),
    ):
        fd = os.open(f"/proc/self/{file}", os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(fd, line.encode())
        finally:
            os.close(fd)


def become(user: int) -> None:
    """Be this user of the namespace, whom whoever made it mapped; the saved user stays for now.

    Version 1 of cgroups lets the host move a process only when one of its users is the host's.
    """
    with contextlib.suppress(PermissionError):  # where the host forbids it there are none
        os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, -1)
    be_dumpable()


def stay(user: int) -> None:
    """Give up the saved user as well."""
    os.setresuid(user, user, user)
    be_dumpable()


def be_dumpable() -> None:
    """Changed credentials had made this process' own /proc entries another user's."""
    check(LIBC.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), "dumpable")


def act_as(uid: int, gid: int) -> tuple[int, int]:
    """Touch files as somebody else, in this thread; who it was before. See setfsuid(2)."""
    before_gid, before_uid = LIBC.setfsgid(gid), LIBC.setfsuid(uid)
    if (LIBC.setfsuid(-1), LIBC.setfsgid(-1)) != (uid, gid):
        raise PermissionError(errno.EPERM, f"This process may not be user {uid}")
    return before_uid, before_gid


def raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14s", b"lo", IFF_UP | IFF_RUNNING, b"")
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, request)


def unshare(flags: int) -> None:
    check(LIBC.unshare(flags), "unshare")


def enter(user_ns: int, mount_ns: int) -> None:
    """Step into the namespaces of a room that is there already."""
    check(LIBC.setns(user_ns, NEW_USER), "setns of the user namespace")
    check(LIBC.setns(mount_ns, NEW_MOUNT), "setns of the mount namespace")


def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    result = LIBC.mount(
        source.encode(),
        target.encode(),
        kind.encode() if kind else None,
        ctypes.c_ulong(flags),
        options.encode() or None,
    )
    check(result, f"mount {target}")


def mount_tmpfs(target: str, size_bytes: int, files: int, mode: str) -> None:
    mount("room", target, "tmpfs", PLAIN, f"size={size_bytes},nr_inodes={files},mode={mode}")


def keep_mounts_private() -> None:
    mount("none", "/", None, RECURSIVE | PRIVATE)


def open_folder(path: str) -> int:
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def make_room(
    work: dict[str, int], folders: Sequence[str], data: dict[str, int], shown_at: str
) -> tuple[int, int]:
    """Mount an empty `/work` with these folders, and a read-only folder of inputs at `shown_at`.

    Returns descriptors of the working folder and of the inputs: that one is writable, so that
    whoever holds it outside can still fill the folder.
    """
    mount_tmpfs("/work", work["size_bytes"], work["files"], "0755")
    for name in folders:
        os.mkdir(f"/work/{name}", 0o755)  # noqa: PTH102
    work_fd = open_folder("/work")
    mount_tmpfs(shown_at, data["size_bytes"], data["files"], "0755")
    data_fd = open_folder(shown_at)
    mount(shown_at, shown_at, None, BIND)
    mount("none", shown_at, None, BIND | REMOUNT | READ_ONLY | PLAIN)
    return work_fd, data_fd


def take_own_inodes(shown: Sequence[tuple[str, str]]) -> None:
    """See folders at their places as inodes of this mount namespace alone: a lock on a file in
    them, or a look at who opens it, reaches nobody else. Without overlays they are what they were.

    Linux `Documentation/filesystems/overlayfs.rst`; the second layer is there since one would be
    too few.
    """
    flags = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
    below = [os.open(path, flags) for path in (EMPTY, *(source for source, _ in shown))]
    try:
        for (_, target), fd in zip(shown, below[1:], strict=True):
            layers = f"lowerdir=/proc/self/fd/{fd}:/proc/self/fd/{below[0]}"
            try:
                mount("own", target, "overlay", READ_ONLY | PLAIN, layers)
            except OSError:
                mount(f"/proc/self/fd/{fd}", target, None, BIND | RECURSIVE)
    finally:
        for fd in below:
            os.close(fd)


def mount_own_places(tmp: dict[str, int], shm: dict[str, int], terminals: str) -> None:
    """Mount each process tree's own places: empty `/tmp`, `/dev/shm`, terminals and `/proc`."""
    mount_tmpfs("/tmp", tmp["size_bytes"], tmp["files"], "1777")
    mount_tmpfs("/dev/shm", shm["size_bytes"], shm["files"], "1777")
    mount("devpts", "/dev/pts", "devpts", NO_SUID | NO_EXEC, terminals)
    mount("proc", "/proc", "proc", PLAIN | NO_EXEC)


def limit_shares(shares: dict[str, int]) -> None:
    """Cap what this user namespace takes of the host's counts by user; no namespace in it.

    Needs a `/proc` that was mounted in here (`/proc/sys/user`, namespaces(7)).
    """
    for name, most in {**shares, "max_user_namespaces": 0}.items():
        fd = os.open(f"/proc/sys/user/{name}", os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(fd, str(most).encode())
        finally:
            os.close(fd)


def limit_resources(limits: dict[str, int]) -> None:
    """Set in here, since outside one user's sandboxes would share the count of processes."""
    for name, wanted in limits.items():
        kind = getattr(resource, f"RLIMIT_{name.upper()}")
        hard = resource.getrlimit(kind)[1]
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(kind, (value, value))


def drop_capabilities() -> None:
    """Out of every set, for this process and all that it will start."""
    capability = 0
    while LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    LIBC.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    check(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    header = struct.pack("II", CAPABILITY_VERSION_3, 0)
    check(LIBC.capset(header, bytes(24)), "capset")


def keep_capabilities(kept: Sequence[int]) -> None:
    """These, also after the next exec, and no others; not more by any program either."""
    for capability in range(64):
        if capability not in kept:
            LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    check(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    bits = sum(1 << capability for capability in kept)
    header = struct.pack("II", CAPABILITY_VERSION_3, 0)
    check(LIBC.capset(header, struct.pack("IIIIII", bits, bits, bits, 0, 0, 0)), "capset")
    for capability in kept:
        result = LIBC.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0)
        check(result, "ambient capability")


def pass_no_capabilities_on() -> None:
    """Drop capabilities for everything that this process starts."""
    LIBC.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)


def apply_filter(program: bytes) -> None:
    """Install a seccomp filter of raw BPF instructions for good."""
    kept = ctypes.create_string_buffer(program, len(program))
    header = ctypes.create_string_buffer(
        struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(kept))
    )
    check(LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0), "seccomp")


def close_down(
    limits: dict[str, int], program: bytes, niceness: int, readable: Sequence[str]
) -> None:
    """Give up everything that is not needed to compute; threads may be started afterwards."""
    os.nice(niceness)
    limit_resources(limits)
    drop_capabilities()
    be_dumpable()
    if landlock.abi() > 0:
        landlock.restrict(readable, DEVICES, WRITABLE)
    apply_filter(program)


def name_process(name: str) -> None:
    LIBC.prctl(PR_SET_NAME, name.encode(), 0, 0, 0)


def close_others(kept: set[int]) -> None:
    """Close every descriptor but these, and keep these from being inherited (0 to 2 apart)."""
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
        fd = int(name)
        with contextlib.suppress(OSError):  # the listing's own is closed already
            if fd not in kept:
                os.close(fd)
            elif fd > 2:
                os.set_inheritable(fd, False)


def write_maps(pid: int, maps: Sequence[str]) -> None:
    """Say who is who in the user namespace that a process has just made."""
    for name, lines in zip(("uid_map", "gid_map"), maps, strict=True):
        Path(f"/proc/{pid}/{name}").write_text(lines)
