"""Findings on this host: the parts of the sandbox that it grants, and what to do about the rest.

None of the checks opens a sandbox; `runner.sandbox.doctor` adds those that do.
"""

from __future__ import annotations

import os
import platform
import resource
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from runner.contract import KernelLost, Limits, SandboxUnavailable
from runner.sandbox import packets
from runner.sandbox.host import cgroups, seccomp
from runner.sandbox.host.account import drop_privileges, find_range, sandbox_uid
from runner.sandbox.host.bubblewrap import INSTALL, NEEDED, read_bwrap_version
from runner.sandbox.host.commands import describe_programs, missing_commands
from runner.sandbox.host.kernel_env import find_kernel_environment
from runner.sandbox.host.memory_budget import SETTING, budget_bytes
from runner.sandbox.host.runtime_folders import runtime_folder
from runner.sandbox.host_tools import TOOLS, HostTool
from runner.sandbox.inside import landlock
from runner.sandbox.policy import SHARES, SandboxPolicy
from runner.sandbox.zygote.support import REMEDY, find_lack_of_second_wall

PROBE_TIMEOUT_S = 20.0
SERVICE_TIMEOUT_S = 150.0  # its zygote may be starting
OLDEST_BWRAP = (0, 8)
LEAST_DESCRIPTORS = 16_384
SANDBOXES_AT_ONCE = 16
DELEGATE = (
    "Run it in a systemd unit with `Delegate=memory pids cpu` and name the unit's cgroup in "
    "PYBENCH_CGROUP."
)

Probed = tuple[str, str]  # the fact and, unless all is well, the remedy


@dataclass(frozen=True)
class Finding:
    """One line of the table. `remedy` is empty when all is well."""

    name: str
    is_fine: bool
    is_vital: bool  # no sandbox without it
    fact: str
    remedy: str = ""


def look_for_programs() -> Probed:
    if missing := [name for name in NEEDED if not shutil.which(name)]:
        return f"missing: {', '.join(missing)}", INSTALL
    return "all there", ""


def look_at_bubblewrap() -> Probed:
    if not shutil.which("bwrap"):
        return "missing", "Run `apt-get install bubblewrap`."
    version = read_bwrap_version()
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())
    return version, "" if numbers >= OLDEST_BWRAP else "Install bubblewrap 0.8 or later."


def look_at_user() -> Probed:
    uid = sandbox_uid()
    return f"uid {uid}, {'dropped from root' if os.geteuid() == 0 else 'who started this'}", ""


def look_at_users() -> Probed:
    """Check that each sandbox has a user of its own, so that Linux's counts by user are per
    sandbox."""
    found = find_range()
    if found.given is None:
        return f"one: {found.lack}", (
            "Degraded: all sandboxes share one user, so one can use up what Linux counts by user. "
            "Give the service's user a line in /etc/subuid and /etc/subgid, and the service "
            "AmbientCapabilities=CAP_SETUID CAP_SETGID, or run `apt-get install uidmap`."
        )
    first, last = found.given.first_uid, found.given.first_uid + found.given.count - 1
    return f"one each, of {first} to {last}", ""


def look_at_namespaces() -> Probed:
    probe = ["/usr/bin/unshare", "--user", "--map-root-user", "--mount", "--pid", "--net", "--fork"]
    mount = ["/bin/sh", "-c", "mount -t tmpfs -o size=1m,nr_inodes=9 room /mnt"]
    words = run([*drop_privileges(), *probe, "--", *mount])
    remedy = (
        "Set kernel.unprivileged_userns_clone=1 and user.max_user_namespaces above 0; on Ubuntu "
        "24.04 or later allow `userns` to bwrap and unshare in an AppArmor profile, or "
        "set kernel.apparmor_restrict_unprivileged_userns=0."
    )
    return words or "granted", words and remedy


def look_at_second_wall() -> Probed:
    lack = find_lack_of_second_wall()
    return lack or "granted", REMEDY if lack else ""


def look_at_overlays() -> Probed:
    """With them a lock on a file that all see is a lock on an inode of the sandbox's own."""
    probe = ["/usr/bin/unshare", "--user", "--map-root-user", "--mount", "--"]
    mount = ["mount", "-t", "overlay", "-o", "ro,lowerdir=/usr/bin:/usr/lib", "own", "/usr/share"]
    words = run([*drop_privileges(), *probe, *mount])
    remedy = "Degraded: locks on read-only files are felt by others. Load the module `overlay`."
    return words or "granted", remedy if words else ""


def look_at_landlock() -> Probed:
    if version := landlock.abi():
        return f"version {version}", ""
    return "none", "One layer less. Use Linux 5.13 or later with Landlock switched on."


def look_at_service() -> Probed:
    """The one that PYBENCH_SANDBOXD names; without it each worker starts its own."""
    named = os.environ.get("PYBENCH_SANDBOXD")
    if not named:
        return "each process starts its own", ""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as probe:
        probe.settimeout(SERVICE_TIMEOUT_S)
        try:
            probe.connect(named)
            facts = ask_for_facts(probe)
        except (OSError, packets.Malformed) as error:
            start = f"Start `python -m runner.sandbox.sandboxd --socket {named}`."
            raise SandboxUnavailable(f"{named}: {error}. {start}") from error
    lacks = []
    if facts["memory"] == "watchdog":
        lacks.append(f"Degraded: its kernels' memory is only watched. {DELEGATE}")
    if not facts.get("users"):
        lacks.append("Degraded: its kernels share one user.")
    users = f"{facts['users']} users" if facts.get("users") else "one user"
    return f"at {named}, {users}, memory by {facts['memory']}", " ".join(lacks)


def ask_for_facts(service: socket.socket) -> dict[str, Any]:
    """Ask the service for its facts, such as what caps the memory of its kernels. Raises OSError
    when it does not say."""
    packets.send(service, {"do": "facts"})
    packet = packets.receive_now(service)
    if packet is None:
        raise OSError("it hung up")
    packet.close()
    if "memory" not in packet.body:
        raise OSError(str(packet.body.get("error", "it does not answer"))[:300])
    return packet.body


def look_at_seccomp() -> Probed:
    program = seccomp.build()
    return f"an allow-list, {len(program) // 8} instructions for {platform.machine()}", ""


def look_at_descriptors() -> Probed:
    """The service and the workers raise their own limit to the hard one."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    remedy = (
        f"Degraded: a crowded host runs out of them. Set LimitNOFILE={LEAST_DESCRIPTORS} in the "
        "units, or raise the hard limit (`ulimit -Hn`)."
    )
    return f"{hard} at most", "" if hard >= LEAST_DESCRIPTORS else remedy


def look_at_shares() -> Probed:
    """A sandbox may take a few of what the host counts for all of one user's together."""
    fact, lacking = [], False
    for path, each in (
        ("/proc/sys/fs/inotify/max_user_instances", SHARES["max_inotify_instances"]),
        ("/proc/sys/kernel/pty/max", SandboxPolicy.of(Limits()).terminals),
    ):
        total = int(Path(path).read_text())
        lacking = lacking or total < SANDBOXES_AT_ONCE * each
        fact.append(f"{total} of {path.removeprefix('/proc/sys/').replace('/', '.')}, {each} each")
    remedy = (
        f"Degraded: {SANDBOXES_AT_ONCE} hostile sandboxes at once could use them up. Run "
        f"`sysctl fs.inotify.max_user_instances={SANDBOXES_AT_ONCE * 16}`, and set "
        "it in /etc/sysctl.d."
    )
    return "; ".join(fact), remedy if lacking else ""


def look_at_cgroup() -> Probed:
    if found := cgroups.find():
        return f"{found.version}: {', '.join(found.controllers())}", ""
    return "none that we may use", (
        "Degraded: memory is only watched and may overshoot to twice the limit. "
        f"{DELEGATE} A shell is outside of that unit."
    )


def look_at_memory_budget() -> Probed:
    """The memory that all sandboxes of the host share."""
    limit_bytes, one = budget_bytes(), Limits().memory_bytes
    means = "cgroup" if cgroups.find() else "watching"
    remedy = f"Degraded: one sandbox may use {one >> 20} MB. Raise {SETTING}, or add memory."
    fact = f"{limit_bytes >> 20} MB for all sandboxes, by {means}"
    return fact, remedy if limit_bytes < one else ""


def look_at_kernel_environment() -> Probed:
    env = find_kernel_environment()
    return f"{env.folder}, Python {env.python_version}", ""


def look_at_bytecode() -> Probed:
    """Kernels may not write any, so each would compile its libraries anew."""
    try:
        site = next(find_kernel_environment().folder.glob("lib/python*/site-packages"))
    except (SandboxUnavailable, StopIteration):
        return "none", "Make the kernel environment first."
    compiled = sum(1 for _ in site.glob("*/__pycache__"))
    packages = sum(1 for _ in site.glob("*/__init__.py"))
    remedy = f"Kernels start slowly. Run `python -m compileall -q {site}`."
    return f"{compiled} of {packages} packages", "" if compiled >= packages // 2 else remedy


def look_at_runtime_folder() -> Probed:
    folder = runtime_folder()
    is_fine = os.access(folder if folder.exists() else folder.parent, os.W_OK | os.X_OK)
    return str(folder), "" if is_fine else (
        "Set PYBENCH_SANDBOX_DIR to a short path that we may write."
    )


def look_at_fonts() -> Probed:
    """Models draw charts with Chinese labels."""
    found = sorted(Path("/usr/share/fonts").glob("**/*CJK*"))
    return f"{len(found)} files", "" if found else "Run `apt-get install fonts-noto-cjk`."


def look_at_tool(tool: HostTool) -> Probed:
    """A program or library without which some checks cannot decide."""
    path = tool.find()
    cost = "Tasks whose checks need it wait."
    if path:
        cost = "" if path.match(tool.files[0]) else tool.cost_of_others
    return str(path or "missing"), f"{cost} Run `apt-get install {tool.package}`." if cost else ""


def look_at_commands() -> Probed:
    """Sandboxes see a list of commands, of which every host should have the same."""
    if missing := missing_commands():
        remedy = "Install the packages that have them; what model code finds differs until then."
        return f"missing: {', '.join(missing)}", remedy
    return describe_programs(), ""


def run(argv: list[str]) -> str:
    """Run a probe and return its complaint; empty if it succeeded."""
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, timeout=PROBE_TIMEOUT_S, cwd="/", check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else done.stderr.strip() or f"exit {done.returncode}"


@dataclass(frozen=True)
class HostCheck:
    """One thing that is looked at; `probe` returns the fact and, unless all is well, the remedy."""

    name: str
    is_vital: bool
    probe: Callable[[], Probed]

    def look(self) -> Finding:
        try:
            fact, remedy = self.probe()
        except (SandboxUnavailable, KernelLost, OSError) as error:
            return Finding(self.name, False, True, "not to be had", str(error))
        return Finding(self.name, not remedy, self.is_vital, fact, remedy)


SERVICE = HostCheck("sandbox service", False, look_at_service)
CHECKS: tuple[HostCheck, ...] = (
    HostCheck("programs", True, look_for_programs),
    HostCheck("bubblewrap", True, look_at_bubblewrap),
    HostCheck("user", True, look_at_user),
    HostCheck("users of sandboxes", False, look_at_users),
    HostCheck("user namespaces", True, look_at_namespaces),
    HostCheck("second wall", True, look_at_second_wall),
    HostCheck("overlays", False, look_at_overlays),
    HostCheck("Landlock", False, look_at_landlock),
    HostCheck("seccomp", True, look_at_seccomp),
    HostCheck("cgroup", False, look_at_cgroup),
    HostCheck("memory budget", True, look_at_memory_budget),
    HostCheck("descriptors", False, look_at_descriptors),
    HostCheck("shares", False, look_at_shares),
    HostCheck("kernel environment", True, look_at_kernel_environment),
    HostCheck("bytecode", False, look_at_bytecode),
    HostCheck("runtime folder", True, look_at_runtime_folder),
    HostCheck("CJK fonts", False, look_at_fonts),
    *(HostCheck(tool.key, False, partial(look_at_tool, tool)) for tool in TOOLS),
    HostCheck("commands", False, look_at_commands),
)


def find_lacks(checks: Iterable[HostCheck] = CHECKS) -> list[Finding]:
    """List what is wrong, vital or not.

    Not whether the sandbox service listens: it may still be starting, and is waited for.
    """
    return [finding for finding in (check.look() for check in checks) if not finding.is_fine]


def is_safe(findings: Iterable[Finding]) -> bool:
    """True if nothing vital is missing."""
    return all(finding.is_fine or not finding.is_vital for finding in findings)


def render(findings: Iterable[Finding]) -> str:
    lines: list[str] = []
    for finding in findings:
        word = "ok" if finding.is_fine else "MISSING" if finding.is_vital else "degraded"
        lines.append(f"{word:9}{finding.name:20}{finding.fact}")
        if finding.remedy:
            lines.append(f"{'':9}→ {finding.remedy}")
    return "\n".join(lines)
