"""What of the sandbox this host grants, and what to do about the rest.

`manage.py sandbox_doctor` and `python -m runner.sandbox.doctor` print it.
"""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from runner.contract import CellStatus, Limits
from runner.sandbox import cgroups, seccomp
from runner.sandbox.account import drop_privileges, sandbox_uid
from runner.sandbox.base import KernelLost, SandboxUnavailable
from runner.sandbox.factory import NEEDED, open_sandbox, read_bwrap_version
from runner.sandbox.gateway.sandbox import find_gateway
from runner.sandbox.kernel_env import find_kernel_environment
from runner.sandbox.sandboxd import landlock, packets
from runner.sandbox.second_wall import REMEDY, find_lack_of_second_wall, wanted_kind
from runner.sandbox.slots import runtime_folder

PROBE_TIMEOUT_S = 20.0
SERVICE_TIMEOUT_S = 150.0  # its zygote may be starting
OLDEST_BWRAP = (0, 8)
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


def diagnose() -> list[Finding]:
    """Every part in turn, then a real session as the proof."""
    return [check() for check in CHECKS]


def look_for_programs() -> Finding:
    missing = [name for name in NEEDED if not shutil.which(name)]
    remedy = "Run `apt-get install bubblewrap util-linux mount coreutils`." if missing else ""
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


def look_at_namespaces() -> Finding:
    probe = ["/usr/bin/unshare", "--user", "--map-root-user", "--mount", "--pid", "--net", "--fork"]
    mount = ["/bin/sh", "-c", "mount -t tmpfs -o size=1m,nr_inodes=9 room /mnt"]
    words = run([*drop_privileges(), *probe, "--", *mount])
    remedy = (
        "Set kernel.unprivileged_userns_clone=1 and user.max_user_namespaces above 0; on Ubuntu "
        "24.04 or later allow `userns` to bwrap, unshare and nsenter in an AppArmor profile, or "
        "set kernel.apparmor_restrict_unprivileged_userns=0."
    )
    return Finding("user namespaces", not words, True, words or "granted", words and remedy)


def look_at_second_wall() -> Finding:
    try:
        lack = find_lack_of_second_wall()
    except SandboxUnavailable as error:
        lack = str(error)
    remedy = f"Degraded: every kernel starts cold, behind one wall. {REMEDY}" if lack else ""
    return Finding("second wall", not lack, False, lack or "granted", remedy)


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
            memory = ask_for_memory(probe)
        except (OSError, packets.Malformed) as error:
            remedy = f"Start `python -m runner.sandbox.sandboxd --socket {named}`."
            return Finding("sandbox service", False, True, f"{named}: {error}", remedy)
    is_fine = memory != "watchdog"
    remedy = "" if is_fine else f"Degraded: its kernels' memory is only watched. {DELEGATE}"
    return Finding("sandbox service", is_fine, False, f"at {named}, memory by {memory}", remedy)


def ask_for_memory(service: socket.socket) -> str:
    """What caps the memory of its kernels. Raises OSError when it does not say."""
    packets.send(service, {"do": "facts"})
    packet = packets.receive_now(service)
    if packet is None:
        raise OSError("it hung up")
    packet.close()
    if "memory" not in packet.body:
        raise OSError(str(packet.body.get("error", "it does not answer"))[:300])
    return str(packet.body["memory"])


def look_at_gateway() -> Finding:
    """Where cells run behind a gateway; the rest of the table is then about checks."""
    if wanted_kind() != "gateway":
        return Finding("kernel gateway", True, False, "not asked for")
    try:
        gateway, version = find_gateway()
    except SandboxUnavailable as error:
        return Finding("kernel gateway", False, True, "not usable", str(error))
    address = gateway.address
    fact = f"{address.url}, version {version}, has the kernel “{address.kernel}”"
    return Finding("kernel gateway", True, True, fact)


def look_at_kind() -> Finding:
    """What PYBENCH_SANDBOX and this host come to, and its layers."""
    try:
        facts = asyncio.run(describe_sandbox())
    except (SandboxUnavailable, OSError) as error:
        return Finding("kind in force", False, True, "none can be had", str(error))
    fact = f"{facts['sandbox']}: {facts['layers']}; memory by {facts['memory']}"
    is_safe = facts["sandbox"] != "none"
    remedy = "" if is_safe else "NOT A SANDBOX. Unset PYBENCH_SANDBOX before strangers' models run."
    return Finding("kind in force", is_safe, True, fact, remedy)


async def describe_sandbox() -> dict[str, str]:
    sandbox = open_sandbox()
    try:
        return sandbox.environment()
    finally:
        await sandbox.close()


def look_at_seccomp() -> Finding:
    machine = platform.machine()
    if machine not in seccomp.ARCHITECTURES:
        remedy = f"Run it on {' or '.join(seccomp.ARCHITECTURES)}."
        return Finding("seccomp", False, True, f"no filter for {machine}", remedy)
    fact = f"{len(seccomp.build()) // 8} instructions for {machine}"
    return Finding("seccomp", True, True, fact)


def look_at_cgroup() -> Finding:
    found = cgroups.find()
    if found:
        return Finding("cgroup", True, False, f"{found.version}: {', '.join(found.controllers())}")
    remedy = (
        "Degraded: memory is only watched and may overshoot to twice the limit. "
        f"{DELEGATE} A shell is outside of that unit."
    )
    return Finding("cgroup", False, False, "none that we may use", remedy)


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


def look_at_ffmpeg() -> Finding:
    path = shutil.which("ffmpeg", path="/usr/bin")
    remedy = "" if path else "Run `apt-get install ffmpeg`."
    return Finding("ffmpeg", bool(path), False, path or "missing", remedy)


def look_at_browser() -> Finding:
    """Checks open the web pages that agents write in one."""
    names = ("chromium-headless-shell", "chromium", "google-chrome")
    path = next(filter(None, (shutil.which(name, path="/usr/bin") for name in names)), None)
    is_fine = bool(path) and str(path).endswith(names[0])
    cost = "This one costs five times the CPU." if path else "Without one they end void."
    remedy = "" if is_fine else f"{cost} Run `apt-get install {names[0]}`."
    return Finding("browser", is_fine, False, path or "missing", remedy)


def try_a_session() -> Finding:
    """A real kernel in the real sandbox, asked for a sum."""
    try:
        answer = asyncio.run(ask_for_a_sum())
    except (SandboxUnavailable, KernelLost, OSError) as error:
        return Finding("a session", False, True, "failed", str(error))
    remedy = "" if answer == "42" else "The kernel started, but did not answer as it should."
    return Finding("a session", answer == "42", True, f"6 × 7 = {answer}", remedy)


async def ask_for_a_sum() -> str:
    sandbox = open_sandbox()
    try:
        with tempfile.TemporaryDirectory() as folder:
            session = await sandbox.open(Path(folder), Limits())
            try:
                result = await session.run("6 * 7", PROBE_TIMEOUT_S)
            finally:
                await session.close()
    finally:
        await sandbox.close()
    return result.outputs[0].text if result.status is CellStatus.OK else result.status


def run(argv: list[str]) -> str:
    """What a probe complained of; empty when it succeeded."""
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
    look_at_namespaces,
    look_at_second_wall,
    look_at_landlock,
    look_at_seccomp,
    look_at_cgroup,
    look_at_kernel_environment,
    look_at_bytecode,
    look_at_runtime_folder,
    look_at_fonts,
    look_at_ffmpeg,
    look_at_browser,
    look_at_service,
    look_at_gateway,
    look_at_kind,
    try_a_session,
)


def render(findings: list[Finding]) -> str:
    lines: list[str] = []
    for finding in findings:
        word = "ok" if finding.is_fine else "MISSING" if finding.is_vital else "degraded"
        lines.append(f"{word:9}{finding.name:20}{finding.fact}")
        if finding.remedy:
            lines.append(f"{'':9}→ {finding.remedy}")
    return "\n".join(lines)


def main() -> int:
    """Print the table; 1 when this host cannot give the promise."""
    findings = diagnose()
    print(render(findings))
    return 0 if is_safe(findings) else 1


def is_safe(findings: list[Finding]) -> bool:
    """Whether nothing vital is missing."""
    return all(finding.is_fine or not finding.is_vital for finding in findings)


if __name__ == "__main__":
    sys.exit(main())
