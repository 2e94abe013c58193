"""Tests if a process behind bubblewrap can build a second wall here, as forked kernels must.

`python -m runner.sandbox.zygote.support` succeeds where the service that forks kernels is of use.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache

from runner.contract import SandboxUnavailable
from runner.sandbox.host.account import drop_privileges
from runner.sandbox.policy import SANDBOX_USER
from runner.sandbox.sandboxd.launch import NETWORK

INNER_SPACES = ("--mount", "--pid", "--net", "--ipc", "--uts", "--cgroup", "--fork")
PROBE_TIMEOUT_S = 20.0
REMEDY = (
    "Kernels are forked from a process behind bubblewrap, which must be able to make namespaces "
    "of its own. On Ubuntu 24.04 or later use the AppArmor profile in deploy/apparmor, "
    "in a container deploy/seccomp-sandbox.json; raise user.max_user_namespaces where it is small."
)


def is_service_of_use() -> bool:
    """True if kernels can be forked here, so that the service should run."""
    try:
        return not find_lack_of_second_wall()
    except SandboxUnavailable:
        return False


@cache
def find_lack_of_second_wall() -> str:
    """Obstacle that keeps a process behind bubblewrap from building a wall of its own; "" if
    none."""
    mounts = (
        "mount -t tmpfs -o size=1m,nr_inodes=9 room /tmp && mount -t proc proc /proc && "
        "mount -t devpts -o newinstance pts /dev/pts && "
        "echo 9 > /proc/sys/user/max_inotify_instances"
    )
    inner = ["/usr/bin/unshare", "--user", "--map-current-user", "--keep-caps", *INNER_SPACES]
    outer = ["bwrap", "--unshare-user", "--unshare-all", "--cap-drop", "ALL", "--ro-bind", "/", "/"]
    outer += ["--uid", str(SANDBOX_USER), "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    argv = [*drop_privileges(), *NETWORK, *outer, "--", *inner, "--", "/bin/sh", "-c", mounts]
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, timeout=PROBE_TIMEOUT_S, cwd="/", check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else done.stderr.strip() or f"exit {done.returncode}"


if __name__ == "__main__":
    sys.exit(0 if is_service_of_use() else 1)
