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
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from runner.contract import Limits, SandboxUnavailable
from runner.sandbox import packets
from runner.sandbox.host import cgroups, seccomp
from runner.sandbox.host.account import drop_privileges, find_range, sandbox_uid
from runner.sandbox.host.bubblewrap import NEEDED, read_bwrap_version
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


@dataclass(frozen=True)
class Finding:
    """One line of the table. `remedy` is empty when all is well."""

    name: str
    is_fine: bool
    is_vital: bool  # no sandbox without it
    fact: str
    remedy: str = ""


def look_for_programs() -> Finding:
    missing = [name for name in NEEDED if not shutil.which(name)]
    remedy = "Run `apt-get install bubblewrap util-linux mount`." if missing else ""
    fact = f"missing: {', '.join(missing)}" if missing else "all there"
    return Finding("programs", not missing, True, fact, remedy)


def look_at_bubblewrap() -> Finding:
    if not shutil.which("bwrap"):
        return Finding("bubblewrap", False, True, "missing", "Run `apt-get install bubblewrap`.")
    version = read_bwrap_version()
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())
    is_fine = numbers >= OLDEST_BWRAP
    remedy = "" if is_fine else "Install bubblewrap 0.8 or later."
    return Finding("bubblewrap", is_fine, True, version, remedy)


def look_at_user() -> Finding:
    try:
        uid = sandbox_uid()
    except SandboxUnavailable as error:
        return Finding("user", False, True, "root", str(error))
    started = "dropped from root" if os.geteuid() == 0 else "who started this"
    return Finding("user", True, True, f"uid {uid}, {started}")


def look_at_users() -> Finding:
    """Check that each sandbox has a user of its own, so that Linux's counts by user are per
    sandbox."""
    try:
        found = find_range()
    except SandboxUnavailable as error:
        return Finding("users of sandboxes", False, True, "unusable setting", str(error))
    if found.given is None:
        remedy = (
            "Degraded: all sandboxes share one user, so one can use up what Linux counts by user. "
            "Give the service's user a line in /etc/subuid and /etc/subgid, and the service "
            "AmbientCapabilities=CAP_SETUID CAP_SETGID, or run `apt-get install uidmap`."
        )
        return Finding("users of sandboxes", False, False, f"one: {found.lack}", remedy)
    first, last = found.given.first_uid, found.given.first_uid + found.given.count - 1
    return Finding("users of sandboxes", True, False, f"one each, of {first} to {last}")


def look_at_namespaces() -> Finding:
    probe = ["/usr/bin/unshare", "--user", "--map-root-user", "--mount", "--pid", "--net", "--fork"]
    mount = ["/bin/sh", "-c", "mount -t tmpfs -o size=1m,nr_inodes=9 room /mnt"]
    words = run([*drop_privileges(), *probe, "--", *mount])
    remedy = (
        "Set kernel.unprivileged_userns_clone=1 and user.max_user_namespaces above 0; on Ubuntu "
        "24.04 or later allow `userns` to bwrap and unshare in an AppArmor profile, or "
        "set kernel.apparmor_restrict_unprivileged_userns=0."
    )
    return Finding("user namespaces", not words, True, words or "granted", words and remedy)


def look_at_second_wall() -> Finding:
    try:
        lack = find_lack_of_second_wall()
    except SandboxUnavailable as error:
        lack = str(error)
    return Finding("second wall", not lack, True, lack or "granted", REMEDY if lack else "")


def look_at_overlays() -> Finding:
    """With them a lock on a file that all see is a lock on an inode of the sandbox's own."""
    probe = ["/usr/bin/unshare", "--user", "--map-root-user", "--mount", "--"]
    mount = ["mount", "-t", "overlay", "-o", "ro,lowerdir=/usr/bin:/usr/lib", "own", "/usr/share"]
    words = run([*drop_privileges(), *probe, *mount])
    remedy = "Degraded: locks on read-only files are felt by others. Load the module `overlay`."
    return Finding("overlays", not words, False, words or "granted", remedy if words else "")


def look_at_landlock() -> Finding:
    version = landlock.abi()
    remedy = "" if version else "One layer less. Use Linux 5.13 or later with Landlock switched on."
    return Finding("Landlock", bool(version), False, f"version {version}" if version else "none",
                   remedy)  # fmt: skip


def look_at_service() -> Finding:
    """The one that PYBENCH_SANDBOXD names; without it each worker starts its own."""
    named = os.environ.get("PYBENCH_SANDBOXD")
    if not named:
        return Finding("sandbox service", True, False, "each process starts its own")
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as probe:
        probe.settimeout(SERVICE_TIMEOUT_S)
        try:
            probe.connect(named)
            facts = ask_for_facts(probe)
        except (OSError, packets.Malformed) as error:
            remedy = f"Start `python -m runner.sandbox.sandboxd --socket {named}`."
            return Finding("sandbox service", False, True, f"{named}: {error}", remedy)
    lacks = []
    if facts["memory"] == "watchdog":
        lacks.append(f"Degraded: its kernels' memory is only watched. {DELEGATE}")
    if not facts.get("users"):
        lacks.append("Degraded: its kernels share one user.")
    users = f"{facts['users']} users" if facts.get("users") else "one user"
    fact = f"at {named}, {users}, memory by {facts['memory']}"
    return Finding("sandbox service", not lacks, False, fact, " ".join(lacks))


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


def look_at_seccomp() -> Finding:
    try:
        program = seccomp.build()
    except SandboxUnavailable as error:
        return Finding("seccomp", False, True, "no filter", str(error))
    fact = f"an allow-list, {len(program) // 8} instructions for {platform.machine()}"
    return Finding("seccomp", True, True, fact)


def look_at_descriptors() -> Finding:
    """The service and the workers raise their own limit to the hard one."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    is_fine = hard >= LEAST_DESCRIPTORS
    remedy = "" if is_fine else (
        f"Degraded: a crowded host runs out of them. Set LimitNOFILE={LEAST_DESCRIPTORS} in the "
        "units, or raise the hard limit (`ulimit -Hn`)."
    )  # fmt: skip
    return Finding("descriptors", is_fine, False, f"{hard} at most", remedy)


def look_at_shares() -> Finding:
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
    return Finding("shares", not lacking, False, "; ".join(fact), remedy if lacking else "")


def look_at_cgroup() -> Finding:
    found = cgroups.find()
    if found:
        return Finding("cgroup", True, False, f"{found.version}: {', '.join(found.controllers())}")
    remedy = (
        "Degraded: memory is only watched and may overshoot to twice the limit. "
        f"{DELEGATE} A shell is outside of that unit."
    )
    return Finding("cgroup", False, False, "none that we may use", remedy)


def look_at_memory_budget() -> Finding:
    """The memory that all sandboxes of the host share."""
    try:
        limit_bytes = budget_bytes()
    except SandboxUnavailable as error:
        return Finding("memory budget", False, True, "none", str(error))
    fact = (
        f"{limit_bytes >> 20} MB for all sandboxes, by {'cgroup' if cgroups.find() else 'watching'}"
    )
    one = Limits().memory_bytes
    remedy = ""
    if limit_bytes < one:
        remedy = f"Degraded: one sandbox may use {one >> 20} MB. Raise {SETTING}, or add memory."
    return Finding("memory budget", not remedy, False, fact, remedy)


def look_at_kernel_environment() -> Finding:
    try:
        env = find_kernel_environment()
    except SandboxUnavailable as error:
        return Finding("kernel environment", False, True, "not usable", str(error))
    return Finding("kernel environment", True, True, f"{env.folder}, Python {env.python_version}")


def look_at_bytecode() -> Finding:
    """Kernels may not write any, so each would compile its libraries anew."""
    try:
        site = next(find_kernel_environment().folder.glob("lib/python*/site-packages"))
    except (SandboxUnavailable, StopIteration):
        return Finding("bytecode", False, False, "none", "Make the kernel environment first.")
    compiled = sum(1 for _ in site.glob("*/__pycache__"))
    packages = sum(1 for _ in site.glob("*/__init__.py"))
    is_fine = compiled >= packages // 2
    remedy = "" if is_fine else f"Kernels start slowly. Run `python -m compileall -q {site}`."
    return Finding("bytecode", is_fine, False, f"{compiled} of {packages} packages", remedy)


def look_at_runtime_folder() -> Finding:
    folder = runtime_folder()
    existing = folder if folder.exists() else folder.parent
    is_fine = os.access(existing, os.W_OK | os.X_OK)
    remedy = "" if is_fine else "Set PYBENCH_SANDBOX_DIR to a short path that we may write."
    return Finding("runtime folder", is_fine, True, str(folder), remedy)


def look_at_fonts() -> Finding:
    """Models draw charts with Chinese labels."""
    found = sorted(Path("/usr/share/fonts").glob("**/*CJK*"))
    remedy = "" if found else "Run `apt-get install fonts-noto-cjk`."
    return Finding("CJK fonts", bool(found), False, f"{len(found)} files", remedy)


def look_at_tool(tool: HostTool) -> Finding:
    """A program or library without which some checks cannot decide."""
    path = tool.find()
    cost = "Tasks whose checks need it wait."
    if path:
        cost = "" if path.match(tool.files[0]) else tool.cost_of_others
    remedy = f"{cost} Run `apt-get install {tool.package}`." if cost else ""
    return Finding(tool.key, not cost, False, str(path or "missing"), remedy)


def look_at_commands() -> Finding:
    """Sandboxes see a list of commands, of which every host should have the same."""
    missing = missing_commands()
    remedy = "Install the packages that have them; what model code finds differs until then."
    fact = f"missing: {', '.join(missing)}" if missing else describe_programs()
    return Finding("commands", not missing, False, fact, remedy if missing else "")


def run(argv: list[str]) -> str:
    """Run a probe and return its complaint; empty if it succeeded."""
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, timeout=PROBE_TIMEOUT_S, cwd="/", check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else done.stderr.strip() or f"exit {done.returncode}"


CHECKS: tuple[Callable[[], Finding], ...] = (
    look_for_programs,
    look_at_bubblewrap,
    look_at_user,
    look_at_users,
    look_at_namespaces,
    look_at_second_wall,
    look_at_overlays,
    look_at_landlock,
    look_at_seccomp,
    look_at_cgroup,
    look_at_memory_budget,
    look_at_descriptors,
    look_at_shares,
    look_at_kernel_environment,
    look_at_bytecode,
    look_at_runtime_folder,
    look_at_fonts,
    *(partial(look_at_tool, tool) for tool in TOOLS),
    look_at_commands,
    look_at_service,
)


def render(findings: list[Finding]) -> str:
    lines: list[str] = []
    for finding in findings:
        word = "ok" if finding.is_fine else "MISSING" if finding.is_vital else "degraded"
        lines.append(f"{word:9}{finding.name:20}{finding.fact}")
        if finding.remedy:
            lines.append(f"{'':9}→ {finding.remedy}")
    return "\n".join(lines)
