"""Choice of the sandbox's kind, and the message when there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.contract import Limits, SandboxUnavailable
from runner.sandbox import factory
from runner.sandbox.base import Sandbox
from runner.sandbox.bwrap.sandbox import BwrapSandbox
from runner.sandbox.factory import open_sandbox
from runner.sandbox.zygote.support import find_lack_of_second_wall, is_service_of_use

pytestmark = pytest.mark.sandbox


async def kind_of(sandbox: Sandbox) -> str:
    await sandbox.close()
    return sandbox.kind


@pytest.fixture
def no_second_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factory, "find_lack_of_second_wall", lambda: "unshare: refused.")


async def test_the_fast_kind_is_taken_where_it_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYBENCH_SANDBOX", raising=False)
    assert find_lack_of_second_wall() == ""
    assert await kind_of(open_sandbox()) == "zygote"


@pytest.mark.usefixtures("no_second_wall")
async def test_without_a_second_wall_the_plain_kind_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYBENCH_SANDBOX", "auto")
    assert await kind_of(open_sandbox()) == "bwrap"


@pytest.mark.usefixtures("no_second_wall")
def test_fast_kind_required_alone_reports_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYBENCH_SANDBOX", "zygote")
    with pytest.raises(SandboxUnavailable, match="unshare: refused. Allow user namespaces"):
        open_sandbox()


@pytest.mark.parametrize("kind", ["docker", "none"])
def test_an_unknown_kind_is_refused(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setenv("PYBENCH_SANDBOX", kind)
    with pytest.raises(SandboxUnavailable, match="may be auto, zygote, bwrap"):
        open_sandbox()


async def test_without_a_zygote_kernels_are_started_ahead(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One that runs already is taken, with the inputs and limits that come later."""
    monkeypatch.setenv("PYBENCH_SANDBOX", "bwrap")
    monkeypatch.setenv("PYBENCH_SANDBOX_AHEAD", "1")
    (tmp_path / "a.txt").write_text("given")
    sandbox = open_sandbox()
    assert isinstance(sandbox, BwrapSandbox)
    try:
        await (await sandbox.open(tmp_path, Limits())).close()
        assert sandbox.pool is not None
        assert sandbox.pool.filling is not None
        await sandbox.pool.filling
        (warm,) = sandbox.pool.ready
        session = await sandbox.open(tmp_path, Limits())
        assert session is warm
        code = "import sys; print(open('data/a.txt').read(), 'pandas' in sys.modules, len(In))"
        result = await session.run(code, 60)
        await session.close()
        other = await sandbox.open(tmp_path, Limits(processes=50))
        assert sandbox.pool.ready == []
        await other.close()
    finally:
        await sandbox.close()
    assert result.outputs[0].text == "given True 2\n"


def test_invalid_kernel_count_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYBENCH_SANDBOX", "bwrap")
    monkeypatch.setenv("PYBENCH_SANDBOX_AHEAD", "many")
    with pytest.raises(SandboxUnavailable, match="a number from 0 to 64"):
        open_sandbox()


@pytest.mark.parametrize(("kind", "is_of_use"), [("auto", True), ("bwrap", False), ("none", False)])
def test_the_service_runs_where_kernels_or_checks_are_forked(
    kind: str, is_of_use: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYBENCH_SANDBOX", kind)
    assert is_service_of_use() is is_of_use
