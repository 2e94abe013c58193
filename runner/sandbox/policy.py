"""The numbers and the environment that a sandbox is given, derived from an attempt's limits."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from runner.contract import Limits

MIB = 1 << 20
LEAST_ADDRESS_SPACE_BYTES = 4 << 30
UNLIMITED = (1 << 63) - 1
SANDBOX_USER = 65534  # what the sandbox's user is called inside; on the host it is another one

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
    # There is no network: pip says at once what is not there, rather than try again and again,
    # and need not look through all packages for what an installation would break.
    "PIP_NO_INDEX": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_NO_WARN_CONFLICTS": "0",  # the value of what it says not to do
}


@dataclass(frozen=True)
class Room:
    """A writable folder of the sandbox: a tmpfs with hard caps on bytes and on inodes."""

    size_bytes: int
    files: int


@dataclass(frozen=True)
class Policy:
    """What one sandbox may use. The address space is per process, `memory_bytes` for all."""

    memory_bytes: int
    address_space_bytes: int
    processes: int
    file_size_bytes: int
    work: Room
    tmp: Room = Room(128 * MIB, 20_000)
    shm: Room = Room(64 * MIB, 1_000)
    data: Room = Room(1024 * MIB, 20_000)  # inputs, where they are copied into memory
    open_files: int = 1024
    cpu_s: int = 1200  # per process, a last resort behind the clock
    cores: float = 1.0
    niceness: int = 5

    @classmethod
    def of(cls, limits: Limits) -> Policy:
        return cls(
            memory_bytes=limits.memory_bytes,
            # BLAS and Arrow reserve far more than they use.
            address_space_bytes=max(3 * limits.memory_bytes, LEAST_ADDRESS_SPACE_BYTES),
            processes=limits.processes,
            file_size_bytes=limits.file_size_bytes,
            work=Room(limits.work_bytes, limits.work_files),
        )

    def with_browser(self) -> Policy:
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

    def order(self) -> dict[str, Any]:
        """The part that is carried out inside, as JSON can carry it."""
        rooms = {name: asdict(getattr(self, name)) for name in ("work", "data", "tmp", "shm")}
        return {**rooms, "limits": self.resource_limits(), "niceness": self.niceness}
