"""The bubblewrap command line that carries a policy out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from runner.sandbox.kernel_env import KernelEnvironment
from runner.sandbox.policy import ENVIRONMENT, SANDBOX_USER, Policy
from runner.sandbox.slots import ETC, Site, Slot

SYSTEM_FILES = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/fonts",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/alternatives",
    "/var/cache/fontconfig",
)
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
    """What a command runs in: where, with which limits, and what of the host it sees."""

    site: Site
    slot: Slot
    policy: Policy
    env: KernelEnvironment
    binds: Mapping[Path, str] = field(default_factory=dict)  # read-only: inputs
    variables: Mapping[str, str] = field(default_factory=dict)

    def command(self, argv: Sequence[str], filter_fd: int, info: int, gate: int) -> list[str]:
        """`argv` inside the walls.

        bwrap writes JSON to the pipe `info` when its child is there, and lets the child go on when
        something comes through the pipe `gate`.
        """
        return [
            *("/usr/bin/nice", "-n", "5", "bwrap", *WALLS),
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
        for host, inside in self.env.binds().items():
            words += ["--ro-bind", str(host), inside]
        for path in SYSTEM_FILES:
            words += ["--ro-bind-try", path, path]
        for name in ETC:
            words += ["--ro-bind", str(self.site.etc / name), f"/etc/{name}"]
        return [*words, "--proc", "/proc", "--dev", "/dev"]

    def writable(self) -> list[str]:
        room = self.slot.room
        return [
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
