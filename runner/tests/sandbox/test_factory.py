"""A sandbox is opened, or a sentence says what the host lacks and what to change."""

from __future__ import annotations

import pytest

from runner.contract import SandboxUnavailable
from runner.sandbox import doctor, factory, host_findings
from runner.sandbox.factory import open_sandbox
from runner.sandbox.host_findings import find_lacks, is_safe
from runner.sandbox.sandboxd.launch import kernels_ahead
from runner.sandbox.zygote.support import find_lack_of_second_wall

pytestmark = pytest.mark.sandbox

LACK = "unshare: unshare failed: Operation not permitted"


def test_this_host_grants_a_second_wall() -> None:
    assert find_lack_of_second_wall() == ""


@pytest.fixture
def no_second_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host where plain kernels behind bubblewrap were the only ones."""
    for module in (factory, host_findings):
        monkeypatch.setattr(module, "find_lack_of_second_wall", lambda: LACK)


@pytest.mark.usefixtures("no_second_wall")
def test_a_host_without_a_second_wall_has_no_sandbox() -> None:
    with pytest.raises(SandboxUnavailable, match=f"{LACK} Kernels are forked .* AppArmor"):
        open_sandbox()


@pytest.mark.usefixtures("no_second_wall")
def test_doctor_and_worker_name_what_to_change_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.main() == 1
    [line] = [line for line in capsys.readouterr().out.splitlines() if "second wall  " in line]
    assert line.split()[0] == "MISSING"
    assert line.endswith(LACK)
    [finding] = [one for one in find_lacks() if one.name == "second wall"]
    assert not is_safe([finding])
    for words in ("deploy/apparmor", "deploy/seccomp-sandbox.json", "user.max_user_namespaces"):
        assert words in finding.remedy


def test_invalid_kernel_count_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYBENCH_SANDBOX_AHEAD", "many")
    with pytest.raises(SandboxUnavailable, match="a number from 0 to 64"):
        kernels_ahead()
