"""Control groups of version 2 as the kernel has them: who may be where, what is left behind."""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pybench_site.local.install import ROOT
from runner.contract import Limits
from runner.sandbox.host import cgroups
from runner.sandbox.host.account import sandbox_uid
from runner.sandbox.host.kernel_env import find_kernel_environment
from runner.sandbox.policy import SandboxPolicy
from runner.sandbox.sandboxd.launch import delegate

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may make groups anywhere"),
]

FIND = "from runner.sandbox.host import cgroups; print(cgroups.find())"
DEVOUR = "x = bytearray(b'x') * (1 << 29)"  # half a GiB


def find_mount() -> Path:
    for place in (cgroups.MOUNT, cgroups.MOUNT / "unified"):
        if (place / "cgroup.controllers").exists():
            return place
    pytest.skip("this host has no cgroup version 2")


def remove(base: Path) -> None:
    for folder, _, _ in os.walk(base, topdown=False):
        with contextlib.suppress(OSError):
            Path(folder).rmdir()


def control(folder: Path, sign: str, controllers: set[str]) -> None:
    for controller in controllers:
        with contextlib.suppress(OSError):
            (folder / "cgroup.subtree_control").write_text(f"{sign}{controller}")


@pytest.fixture
def base() -> Iterator[Path]:
    """A group of version 2 with a controller that groups below it can be given."""
    mount = find_mount()
    words = cgroups.read_lines(mount / "cgroup.controllers")[0].split()
    added = set(words) - set(cgroups.limited_by(mount))
    control(mount, "+", added)
    made = mount / f"test-{secrets.token_hex(4)}"
    made.mkdir()
    yield made
    remove(made)
    control(mount, "-", added)


@pytest.fixture
def controller(base: Path) -> str:
    """One that `base` may hand on; the rules are the same for all of them."""
    words = cgroups.read_lines(base / "cgroup.controllers")[0].split()
    if not words:
        pytest.skip("this host's cgroup version 2 has no controllers")
    return words[-1]


@pytest.fixture
def base_of_memory(base: Path) -> Path:
    """Delegated to the sandbox's user, as systemd does it."""
    if "memory" not in (base / "cgroup.controllers").read_text().split():
        pytest.skip("this host's cgroup version 2 does not have the memory controller")
    for path in (base, base / "cgroup.procs", base / "cgroup.subtree_control"):
        os.chown(path, sandbox_uid(), sandbox_uid())
    return base


@pytest.fixture
def sleeper(base: Path) -> Iterator[int]:
    """A process in the group itself."""
    with subprocess.Popen(["/bin/sleep", "900"]) as process:
        (base / "cgroup.procs").write_text(str(process.pid))
        yield process.pid
        process.kill()


def find_as_ordinary_user(named: Path, member_of: Path | None = None) -> str:
    """Find groups as an ordinary user who is given this group, from within it or from outside."""
    python = find_kernel_environment().folder / "bin" / "python"
    group = cgroups.ControlGroup((member_of,) if member_of else ())
    uid = sandbox_uid()
    user = ["/usr/bin/setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--"]
    done = subprocess.run(
        [*group.enter(), *user, str(python), "-c", FIND],
        env={"PATH": "/usr/bin:/bin", "PYBENCH_CGROUP": str(named), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_group_limits_its_children_once_its_processes_are_moved_below_it(
    base: Path, controller: str, sleeper: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroups, "WANTED", (controller,))
    assert cgroups.enable_controllers(base) == []  # the rule that makes the moving necessary
    cgroups.vacate(base)
    assert cgroups.enable_controllers(base) == [controller]
    assert cgroups.read_lines(base / "cgroup.procs") == []
    assert cgroups.read_lines(base / cgroups.OWN_LEAF / "cgroup.procs") == [str(sleeper)]


@pytest.mark.usefixtures("sleeper")
def test_no_process_is_moved_out_of_root_or_foreign_groups(base: Path) -> None:
    assert not cgroups.is_in_the_way(base)
    assert not cgroups.is_in_the_way(find_mount())


def test_a_group_without_processes_is_left_as_it_is(base: Path) -> None:
    cgroups.vacate(base)
    assert not (base / cgroups.OWN_LEAF).exists()


def test_a_controller_that_is_refused_does_not_cost_the_others(
    base: Path, controller: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroups, "WANTED", ("unheard-of", controller))
    assert cgroups.enable_controllers(base) == [controller]


def test_what_lies_within_a_group_that_was_left_behind_goes_with_it(base: Path) -> None:
    found = cgroups.Cgroups("v2", (("", base),))
    one, other = (found.hold(f"pybench-d-{number:012}-") for number in (1, 2))
    for number in (1, 2):
        (base / f"pybench-d-{number:012}-d" / cgroups.OWN_LEAF).mkdir(parents=True)
    one.release()
    left = sorted(path.name for path in base.glob("pybench-*"))
    assert left == ["pybench-d-000000000002-d", "pybench-d-000000000002-owner"]
    other.release()
    assert list(base.glob("pybench-*")) == []


def test_groups_go_when_their_owner_is_dead_and_not_before(base: Path) -> None:
    found = cgroups.Cgroups("v2", (("", base),))
    prefix = "pybench-w-00000000000a-"
    hold = found.hold(prefix)
    (base / f"{prefix}1").mkdir()
    (base / "pybench-w-00000000000b-1").mkdir()  # nothing tells whether its owner is dead
    cgroups.sweep_abandoned()
    assert (base / f"{prefix}1").exists()
    os.close(hold.fd)
    cgroups.sweep_abandoned()
    assert [path.name for path in base.glob("pybench-*")] == ["pybench-w-00000000000b-1"]
    (base / "pybench-w-00000000000b-1").rmdir()


def test_a_lock_stays_until_the_last_group_of_its_owner_is_removed(
    base: Path, sleeper: int
) -> None:
    found = cgroups.Cgroups("v2", (("", base),))
    prefix = "pybench-w-00000000000c-"
    hold = found.hold(prefix)
    (base / f"{prefix}1").mkdir()
    (base / f"{prefix}1" / "cgroup.procs").write_text(str(sleeper))
    hold.release()
    assert not cgroups.sweep_abandoned()
    (base / "cgroup.procs").write_text(str(sleeper))
    assert cgroups.sweep_abandoned()
    assert list(base.glob(f"{prefix}*")) == []


def remove_looked_at(folder: Path, fd: int) -> None:
    folder.rmdir()
    os.close(fd)


def test_a_group_that_a_sweep_looks_at_is_had_when_it_is_done(base: Path) -> None:
    found = cgroups.Cgroups("v2", (("", base),))
    folder = base / "pybench-w-00000000000d-owner"
    folder.mkdir()
    fd = cgroups.lock_folder(folder)
    assert fd is not None
    looked = threading.Timer(0.5, remove_looked_at, (folder, fd))
    looked.start()
    hold = found.hold("pybench-w-00000000000d-")
    looked.join()
    assert hold.folder.exists()
    hold.release()
    assert not folder.exists()


def test_a_service_that_root_delegates_to_leaves_nothing(base_of_memory: Path) -> None:
    cgroups.enable_controllers(base_of_memory)
    found = cgroups.Cgroups("v2", (("", base_of_memory),))
    hold = found.hold("pybench-d-000000000001-")
    delegated = delegate(found, "d-000000000001")
    assert delegated is not None
    assert "memory" in delegated.controllers()
    hold.release()
    assert list(base_of_memory.glob("pybench-*")) == []


def test_who_starts_in_the_group_itself_makes_room_and_uses_it(base_of_memory: Path) -> None:
    """A unit of a systemd that does not know `DelegateSubgroup=` starts there."""
    found = find_as_ordinary_user(base_of_memory, member_of=base_of_memory)
    assert "version='v2'" in found
    assert str(base_of_memory) in found
    assert list(base_of_memory.glob("pybench-*")) == []


def test_a_group_that_cannot_be_entered_from_outside_is_not_used(base_of_memory: Path) -> None:
    """Groups could be made there, but no process moved in."""
    assert "v2" not in find_as_ordinary_user(base_of_memory)


def test_memory_without_the_other_controllers_is_used(
    base_of_memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroups, "WANTED", ("memory",))
    monkeypatch.setenv("PYBENCH_CGROUP", str(base_of_memory))
    found = cgroups.find()
    assert found is not None
    assert found.controllers() == ["memory"]


def test_all_of_a_group_that_wants_too_much_is_killed_and_counted(base_of_memory: Path) -> None:
    cgroups.enable_controllers(base_of_memory)
    found = cgroups.Cgroups("v2", (("", base_of_memory),))
    group = found.create("pybench-test", SandboxPolicy.of(Limits(memory_bytes=1 << 27)))
    try:
        argv = ["/usr/bin/python3", "-c", DEVOUR]
        done = subprocess.run([*group.enter(), *argv], timeout=120, check=False)
        assert done.returncode == -9
        assert group.kills() > 0
    finally:
        assert group.remove()
