"""The second wall, from within: system calls by which a forked child locks itself in for good.

Runs in the zygote and its children alone, on the standard library. The order is the caller's:
namespaces, then the room, then places of its own, then `close_down`, after which nothing of this
can be undone. Calls: man 2 clone, setns, mount, capset, prctl; Linux `Documentation/userspace-api/
seccomp_filter.rst`.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import platform
import resource
import signal
import socket
import struct
from collections.abc import Sequence

from runner.sandbox.sandboxd import landlock

LIBC = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter's lock: a fork happens in here

SYS_CLONE = {"x86_64": 56, "aarch64": 220}
NEW_USER, NEW_MOUNT, NEW_PID, NEW_NET = 0x10000000, 0x00020000, 0x20000000, 0x40000000
NEW_IPC, NEW_UTS, NEW_CGROUP = 0x08000000, 0x04000000, 0x02000000
OWN_PROCESSES = NEW_PID | NEW_NET | NEW_IPC | NEW_UTS

READ_ONLY, NO_SUID, NO_DEVICES, NO_EXEC, REMOUNT = 1, 2, 4, 8, 32
BIND, RECURSIVE, PRIVATE = 4096, 16384, 1 << 18
PLAIN = NO_SUID | NO_DEVICES

PR_SET_DUMPABLE, PR_SET_NAME, PR_SET_SECCOMP, PR_CAPBSET_DROP = 4, 15, 22, 24
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 38, 47, 4
SECCOMP_MODE_FILTER = 2
CAPABILITY_VERSION_3 = 0x20080522
SIOCSIFFLAGS, IFF_UP, IFF_RUNNING = 0x8914, 0x1, 0x40

READABLE = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/etc", "/var")
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


def mount_own_places(tmp: dict[str, int], shm: dict[str, int]) -> None:
    """What each process tree has for itself: empty `/tmp` and `/dev/shm`, its own `/proc`."""
    mount_tmpfs("/tmp", tmp["size_bytes"], tmp["files"], "1777")
    mount_tmpfs("/dev/shm", shm["size_bytes"], shm["files"], "1777")
    mount("proc", "/proc", "proc", PLAIN | NO_EXEC)


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


def apply_filter(program: bytes) -> None:
    """Install a seccomp filter of raw BPF instructions for good."""
    kept = ctypes.create_string_buffer(program, len(program))
    header = ctypes.create_string_buffer(
        struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(kept))
    )
    check(LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0), "seccomp")


def close_down(limits: dict[str, int], program: bytes, niceness: int) -> None:
    """Give up everything that is not needed to compute; threads may be started afterwards."""
    os.nice(niceness)
    limit_resources(limits)
    drop_capabilities()
    # Changed credentials had made this process' own /proc entries another user's.
    check(LIBC.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), "dumpable")
    if landlock.abi() > 0:
        landlock.restrict(READABLE, DEVICES, WRITABLE)
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
