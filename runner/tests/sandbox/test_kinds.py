"""Choice of the sandbox's kind, and the message when there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.contract import CellStatus, Limits, SandboxUnavailable
from runner.sandbox import factory
from runner.sandbox.base import Sandbox, ToolJob
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


def test_an_unknown_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYBENCH_SANDBOX", "docker")
    with pytest.raises(SandboxUnavailable, match="may be auto, zygote, bwrap, none"):
        open_sandbox()


@pytest.mark.parametrize("debug", [None, "", "0", "off"])
def test_none_is_refused_without_debug(monkeypatch: pytest.MonkeyPatch, debug: str | None) -> None:
    monkeypatch.delenv("PYBENCH_DEBUG", raising=False)
    if debug is not None:
        monkeypatch.setenv("PYBENCH_DEBUG", debug)
    with pytest.raises(SandboxUnavailable, match="without any protection"):
        open_sandbox("none")


async def test_none_does_the_work_and_says_loudly_what_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PYBENCH_DEBUG", "1")
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    (inputs / "a.txt").write_text("given")
    sandbox = open_sandbox("none")
    assert "NO SANDBOX" in caplog.text
    assert sandbox.environment()["layers"].startswith("NONE")
    session = await sandbox.open(inputs, Limits())
    try:
        code = "open('output/b.txt', 'w').write(open('data/a.txt').read()); print(6 * 7)"
        result = await session.run(code, 60)
        killed = await session.run("import os; os._exit(1)", 60)
        harvest = await session.harvest(tmp_path / "taken")
        job = ToolJob(["python", "-c", "print(open('/opt/pybench/x').read())"],
                      {inputs / "a.txt": "/opt/pybench/x"})  # fmt: skip
        tool = await sandbox.run_tool(job)
    finally:
        await session.close()
        await sandbox.close()
    assert result.outputs[0].text == "42\n"
    assert killed.status is CellStatus.KILLED
    assert [stored.location.read_text() for stored in harvest.files] == ["given"]
    assert tool.stdout == b"given\n"


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
