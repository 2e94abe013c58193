"""Numbers, users and environment that a sandbox is given, most of them by an attempt's limits."""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runner.contract import Limits

MIB = 1 << 20
LEAST_ADDRESS_SPACE_BYTES = 4 << 30
UNLIMITED = (1 << 63) - 1
# The limits of an attempt that the service gets.
LIMITS = ("memory_bytes", "processes", "file_size_bytes", "work_bytes", "work_files")
SANDBOX_USER = 65534  # what the sandbox's user is called inside; on the host it is another one
BEHIND_WALL = 100_000  # what a range of users begins with behind the first wall
CAP_SETGID, CAP_SETUID = 6, 7  # linux/capability.h

# What a user namespace may take of what the host counts by user (namespaces(7), inotify(7)): the
# host's user has 128 instances for all sandboxes together, unless its operator allows more.
SHARES = {"max_inotify_instances": 8, "max_inotify_watches": 8192}

ENVIRONMENT = {
    "PATH": "/opt/env/bin:/usr/bin:/bin",
    "HOME": "/tmp/home",
    "TMPDIR": "/tmp",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONNOUSERSITE": "1",
    "MPLCONFIGDIR": "/tmp/mpl",
    "IPYTHONDIR": "/tmp/ipython",
    "JUPYTER_PLATFORM_DIRS": "1",
    # One thread per library: the sandbox has one core, and threads eat its process limit.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "LOKY_MAX_CPU_COUNT": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
    "PLOTLY_RENDERER": "plotly_mimetype",  # without 5 MB of JavaScript in each kernel's output
    # There is no network: pip says at once what is not there, rather than try again and again,
    # and need not look through all packages for what an installation would break.
    "PIP_NO_INDEX": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_NO_WARN_CONFLICTS": "0",  # the value of what it says not to do
}


# Files of /etc that a sandbox sees, with their contents.
ETC = {
    "passwd": "nobody:x:65534:65534:nobody:/tmp/home:/usr/sbin/nologin\n"
    "root:x:0:0:root:/root:/usr/sbin/nologin\n",
    "group": "nogroup:x:65534:\nroot:x:0:\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "resolv.conf": "",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}


@dataclass(frozen=True)
class Range:
    """Users of the host: the service's own, and `count` that own nothing."""

    uid: int
    gid: int
    first_uid: int
    first_gid: int
    count: int

    def maps(self) -> tuple[str, str]:
        """uid_map and gid_map of the service's namespace: the same numbers as outside."""
        uids = f"{self.uid} {self.uid} 1\n{self.first_uid} {self.first_uid} {self.count}\n"
        gids = f"{self.gid} {self.gid} 1\n{self.first_gid} {self.first_gid} {self.count}\n"
        return uids, gids

    def maps_behind_wall(self) -> tuple[str, str]:
        uids = f"{SANDBOX_USER} {self.uid} 1\n{BEHIND_WALL} {self.first_uid} {self.count}\n"
        gids = f"{SANDBOX_USER} {self.gid} 1\n{BEHIND_WALL} {self.first_gid} {self.count}\n"
        return uids, gids

    def enter(self, python: str, bundle: int) -> list[str]:
        """A command prefix: what follows runs in the service's namespace, without a network."""
        numbers = [str(number) for number in astuple(self)]
        return [python, "-I", "-S", f"/proc/self/fd/{bundle}", *numbers, "--"]


@dataclass(frozen=True)
class WritableFolder:
    """A writable folder of the sandbox: a tmpfs with hard caps on bytes and on inodes."""

    size_bytes: int
    files: int


@dataclass(frozen=True)
class SandboxPolicy:
    """Limits of one sandbox. The address space is per process, `memory_bytes` for all."""

    memory_bytes: int
    address_space_bytes: int
    processes: int
    file_size_bytes: int
    work: WritableFolder
    tmp: WritableFolder = WritableFolder(128 * MIB, 20_000)
    shm: WritableFolder = WritableFolder(64 * MIB, 1_000)
    data: WritableFolder = WritableFolder(
        1024 * MIB, 20_000
    )  # inputs, where they are copied into memory
    terminals: int = 32  # the host has some 3,000 for all sandboxes
    open_files: int = 1024
    cpu_s: int = 1200  # per process, a last resort behind the clock
    cores: float = 1.0
    niceness: int = 5

    @classmethod
    def of(cls, limits: Limits) -> SandboxPolicy:
        return cls(
            memory_bytes=limits.memory_bytes,
            # BLAS and Arrow reserve far more than they use.
            address_space_bytes=max(3 * limits.memory_bytes, LEAST_ADDRESS_SPACE_BYTES),
            processes=limits.processes,
            file_size_bytes=limits.file_size_bytes,
            work=WritableFolder(limits.work_bytes, limits.work_files),
        )

    def with_browser(self) -> SandboxPolicy:
        """For a check that opens pages: the memory's limit holds, that on addresses cannot."""
        return replace(self, address_space_bytes=UNLIMITED, processes=max(self.processes, 200))

    def resource_limits(self) -> dict[str, int]:
        """For `prlimit`, which runs inside: outside, one user's sandboxes would share NPROC."""
        return {
            "as": self.address_space_bytes,
            "nproc": self.processes,
            "nofile": self.open_files,
            "fsize": self.file_size_bytes,
            "cpu": self.cpu_s,
            "stack": 8 * MIB,
            "core": 0,
            "memlock": 0,
            "msgqueue": 0,
            "rtprio": 0,
            "nice": 0,
            "sigpending": 512,
        }

    def terminal_options(self) -> str:
        """For a devpts that nobody else sees."""
        return f"newinstance,max={self.terminals},ptmxmode=0666,mode=620"

    def order(self) -> dict[str, Any]:
        """The part that is carried out inside, as JSON can carry it."""
        rooms = {name: asdict(getattr(self, name)) for name in ("work", "data", "tmp", "shm")}
        return {
            **rooms,
            "terminals": self.terminal_options(),
            "shares": SHARES,
            "limits": self.resource_limits(),
            "niceness": self.niceness,
        }
