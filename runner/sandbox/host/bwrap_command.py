"""The bubblewrap command line that carries a policy out."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from runner.sandbox.policy import ENVIRONMENT, ETC, SANDBOX_USER, SandboxPolicy

if TYPE_CHECKING:
    from runner.sandbox.host.kernel_env import KernelEnvironment
    from runner.sandbox.host.runtime_folders import Site, Slot

NEEDED = ("bwrap", "setpriv", "nsenter", "unshare", "prlimit", "nice", "mount")
VERSION_TIMEOUT_S = 20.0

SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/localtime", "/etc/mime.types")
SYSTEM_FOLDERS = ("/etc/ld.so.conf.d", "/etc/fonts", "/etc/alternatives", "/var/cache/fontconfig")
ROOT_FOLDERS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")

WALLS = (
    "--unshare-user",
    "--unshare-all",
    "--disable-userns",
    "--new-session",
    "--die-with-parent",
    *("--cap-drop", "ALL"),
    *("--hostname", "sandbox"),
    *("--uid", str(SANDBOX_USER), "--gid", str(SANDBOX_USER)),
)


@dataclass(frozen=True)
class Boxing:
    """Surroundings of a command: its folder, its limits, and what of the host it sees."""

    site: Site
    slot: Slot
    policy: SandboxPolicy
    env: KernelEnvironment
    binds: Mapping[Path, str] = field(default_factory=dict)  # read-only: inputs
    variables: Mapping[str, str] = field(default_factory=dict)
    is_first: bool = False  # the command is pid 1, which no signal from inside stops or ends

    def command(self, argv: Sequence[str], filter_fd: int, info: int, gate: int) -> list[str]:
        """`argv` inside the walls.

        bwrap writes JSON to the pipe `info` when its child is there, and lets the child go on when
        something comes through the pipe `gate`.
        """
        return [
            *("/usr/bin/nice", "-n", "5", "bwrap", *WALLS),
            *(["--as-pid-1"] if self.is_first else []),
            *self.readable(),
            *self.writable(),
            # bwrap's own / and /dev would be writable without a cap.
            *("--remount-ro", "/dev", "--remount-ro", "/"),
            *self.environment(),
            *("--seccomp", str(filter_fd), "--info-fd", str(info), "--block-fd", str(gate), "--"),
            *("/usr/bin/prlimit", *self.resource_limits(), "--"),
            *argv,
        ]

    def readable(self) -> list[str]:
        words = ["--ro-bind", "/usr", "/usr", *root_folders()]
        for host, inside in (*self.env.command_binds(), *self.env.binds().items()):
            words += ["--ro-bind", str(host), inside]
        for path in (*SYSTEM_FILES, *SYSTEM_FOLDERS):
            words += ["--ro-bind-try", path, path]
        for name in ETC:
            words += ["--ro-bind", str(self.site.etc / name), f"/etc/{name}"]
        return [*words, "--proc", "/proc", "--dev", "/dev"]

    def shown_folders(self) -> list[Path]:
        """Host folders that all sandboxes see, each as inodes of its own where possible."""
        folders = [Path("/usr"), *root_folders_apart(), Path("/etc"), Path("/var/cache/fontconfig")]
        folders += [*self.env.binds(), self.site.etc]
        return [folder for folder in folders if folder.is_dir()]

    def writable(self) -> list[str]:
        room = self.slot.room
        return [
            *("--dev-bind", str(room("pts")), "/dev/pts"),
            *("--bind", str(room("shm")), "/dev/shm"),
            *("--bind", str(room("tmp")), "/tmp"),
            *("--bind", str(room("work")), "/work"),
            *self.given(),
            *("--chdir", "/work"),
        ]

    def given(self) -> list[str]:
        """Last, since they may lie in a writable folder."""
        words: list[str] = []
        for host, inside in self.binds.items():
            words += ["--ro-bind", str(host), inside]
        return words

    def environment(self) -> list[str]:
        words = ["--clearenv"]
        for name, value in {**ENVIRONMENT, **self.variables}.items():
            words += ["--setenv", name, value]
        return words

    def resource_limits(self) -> list[str]:
        return [f"--{name}={value}" for name, value in self.policy.resource_limits().items()]


def root_folders_apart() -> list[Path]:
    """Those of /bin, /lib and their like that are not merged into /usr on this host."""
    paths = (Path("/") / name for name in ROOT_FOLDERS)
    return [path for path in paths if path.is_dir() and not path.is_symlink()]


def root_folders() -> list[str]:
    """/bin, /lib and their like, as this host has them (merged into /usr or not)."""
    words: list[str] = []
    for name in ROOT_FOLDERS:
        path = Path("/") / name
        if path.is_symlink():
            words += ["--symlink", os.readlink(path), str(path)]  # noqa: PTH115 (kept as it is)
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    return words


def read_bwrap_version() -> str:
    result = subprocess.run(
        ["bwrap", "--version"],
        capture_output=True,
        text=True,
        timeout=VERSION_TIMEOUT_S,
        check=False,
    )
    found = re.search(r"[\d.]+", result.stdout)
    return found.group() if found else "unknown"
