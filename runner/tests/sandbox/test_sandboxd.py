"""The sandbox service by itself: started, asked nonsense, rotated, killed, swept."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from conftest import wait_until
from runner.contract import KernelLost, Limits
from runner.sandbox import host_findings, host_tools, packets
from runner.sandbox.base import Session, ToolJob
from runner.sandbox.factory import ZygoteSandbox, open_sandbox
from runner.sandbox.host import cgroups, commands
from runner.sandbox.host.account import find_range, sandbox_uid
from runner.sandbox.host.kernel_env import find_kernel_environment
from runner.sandbox.host.runtime_folders import claim_site
from runner.sandbox.host_tools import HostTool
from runner.sandbox.policy import LIMITS
from runner.sandbox.zygote.forked_kernel import ServiceLine
from runner.sandbox.zygote.service_client import Daemon
from runner.task_code import needed_tools
from runner.tests.support.sandboxd_processes import (
    HOLD,
    find_groups,
    is_zygote,
    living,
    tree_of,
    users_of_sandboxes,
)
from runner.tests.support.sessions import opened
from runner.tests.support.small_suite import DOUBLE, small_suite

pytestmark = pytest.mark.sandbox

REPOSITORY = Path(__file__).resolve().parents[3]
SMALL = {name: getattr(Limits(), name) for name in LIMITS}
SERVICE = (sys.executable, "-m", "runner.sandbox.sandboxd")
SECRET = "canary-77ab"


class Running:
    """A service that was started as an operator starts it."""

    def __init__(self, folder: Path, *options: str, prefix: Sequence[str] = ()) -> None:
        self.path = folder / "sandboxd.sock"
        self.log = folder / "log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*prefix, *SERVICE, "--socket", str(self.path), *options],
                cwd=REPOSITORY,
                env={**os.environ, "PYBENCH_TEST_CANARY": SECRET},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def zygotes(self) -> list[int]:
        return [pid for pid in tree_of(self.process.pid) if is_zygote(pid)]

    def end(self) -> list[int]:
        """End the service and return the processes that it consisted of."""
        inside = tree_of(self.process.pid)
        self.process.terminate()
        self.process.wait(180)
        return inside


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A runtime folder of these tests' own, short enough for sockets."""
    made = Path(f"/tmp/pb-{secrets.token_hex(3)}")
    made.mkdir(mode=0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYBENCH_SANDBOX_DIR", str(made / "run"))
        yield made
        claim_site(cgroups.find()).close()
    subprocess.run(["rm", "-rf", str(made)], check=True)


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Running]:
    running = Running(folder, "--ahead", "1")
    yield running
    inside = running.end()
    wait_until(lambda: not living(inside), "nothing of the service is left")


@asynccontextmanager
async def line_to(service: Running) -> AsyncIterator[ServiceLine]:
    line = ServiceLine(await Daemon(service.path).connect())
    try:
        yield line
    finally:
        line.peer.close()


@asynccontextmanager
async def session_of(
    service: Running, inputs: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Session]:
    monkeypatch.setenv("PYBENCH_SANDBOXD", str(service.path))
    sandbox = open_sandbox()
    async with opened(sandbox, inputs) as session:
        yield session
        await sandbox.close()


async def say_42(session: Session) -> None:
    result = await session.run("print(6 * 7)", 120)
    assert [output.text for output in result.outputs] == ["42\n"]


async def ask_facts(service: Running) -> dict[str, Any]:
    async with line_to(service) as line:
        return (await line.ask({"do": "facts"})).body


async def test_it_says_what_it_is(service: Running) -> None:
    facts = await ask_facts(service)
    assert facts["threads"] == 1
    assert facts["missing"] == []
    assert facts["memory"] == "watchdog" or facts["memory"].startswith("cgroup v")


async def test_the_doctor_asks_it_what_caps_memory(
    service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ask_facts(service)  # it listens
    monkeypatch.setenv("PYBENCH_SANDBOXD", str(service.path))
    granted = cgroups.find()
    memory = f"cgroup {granted.version}" if granted else "watchdog"
    found = host_findings.SERVICE.look()
    assert found.fact.endswith(f"memory by {memory}")
    assert found.is_fine is (granted is not None)


async def test_a_run_s_record_says_what_caps_its_kernels_memory(
    service: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not what would cap that of the worker, which may stand in another group."""
    memory = (await ask_facts(service))["memory"]
    monkeypatch.setenv("PYBENCH_SANDBOXD", str(service.path))
    sandbox = open_sandbox()
    assert isinstance(sandbox, ZygoteSandbox)
    sandbox.groups = cgroups.Cgroups("of the worker", ())
    async with opened(sandbox, tmp_path) as session:
        await say_42(session)
        assert sandbox.environment()["memory"] == memory
        await sandbox.close()


async def test_it_has_no_secret_no_network_and_is_not_root(service: Running) -> None:
    await ask_facts(service)
    for pid in tree_of(service.process.pid):
        environment = Path(f"/proc/{pid}/environ").read_bytes()
        assert SECRET.encode() not in environment
        devices = Path(f"/proc/{pid}/net/dev").read_text().splitlines()[2:]
        assert [line.split(":")[0].strip() for line in devices] == ["lo"]
        assert Path(f"/proc/{pid}").stat().st_uid in users_of_sandboxes()


def read_limit(pid: int, name: str) -> list[str]:
    """The soft and the hard limit of a process; nothing of one that has ended."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/limits").read_text().splitlines():
            if line.startswith(name):
                return line.removeprefix(name).split()[:2]
    return []


@pytest.mark.parametrize("hard", ["4096", "1024"])
async def test_descriptors_on_their_way_in_one_kernel_keep_no_other_from_starting(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hard: str
) -> None:
    """With the soft limit that Linux and systemd give; it is raised to the hard one."""
    if hard == "1024" and find_range().given is None:
        pytest.skip("this host gives no users to sandboxes")
    (folder / hard).mkdir()
    running = Running(folder / hard, prefix=("/usr/bin/prlimit", f"--nofile=1024:{hard}"))
    try:
        await ask_facts(running)
        for pid in (running.process.pid, *running.zygotes()):
            assert read_limit(pid, "Max open files") == [hard, hard]
        async with session_of(running, tmp_path, monkeypatch) as holder:
            shown = (await holder.run(HOLD, 60)).outputs[0].text
            assert re.fullmatch(r"1\d{3} 109\n", shown), shown
            async with session_of(running, tmp_path, monkeypatch) as other:
                await say_42(other)
            sandbox = open_sandbox()
            result = await sandbox.run_tool(ToolJob(["python", "-c", "print(42)"]))
            assert result.stdout == b"42\n"
            await sandbox.close()
    finally:
        running.end()


async def test_where_the_host_gives_no_users_all_kernels_have_the_service_s(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYBENCH_SANDBOX_UIDS", "none")
    (folder / "one").mkdir()
    running = Running(folder / "one", "--ahead", "1")
    try:
        assert (await ask_facts(running))["users"] == 0
        owners = {Path(f"/proc/{pid}").stat().st_uid for pid in tree_of(running.process.pid)}
        assert owners == {sandbox_uid()}
        async with session_of(running, tmp_path, monkeypatch) as session:
            await session.run("import os; open('output/a', 'w').write('x'); os.chmod('.', 0)", 60)
            await session.run("os.chmod('output/a', 0); os._exit(1)", 60)
            result = await session.run("print(6 * 7)", 60)
            assert result.outputs[-1].text == "42\n"
            taken = await session.harvest(tmp_path / "taken")
            assert [stored.path for stored in taken.files] == ["a"]
    finally:
        running.end()


async def test_workers_find_it_by_its_socket(
    service: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with session_of(service, tmp_path, monkeypatch) as session:
        await say_42(session)


MALFORMED: dict[str, tuple[bytes, int]] = {
    "no-json": (b"\xff\x00nonsense", 0),
    "no-object": (b"[1, 2]", 0),
    "deep": (b"[" * 20_000, 0),
    "no-request": (b'{"do": "everything"}', 0),
    "no-word": (b'{"do": ["open"]}', 0),
    "no-limits": (b'{"do": "open"}', 0),
    "odd-limits": (json.dumps({"do": "open", "limits": {**SMALL, "cores": 9}}).encode(), 0),
    "put-too-early": (b'{"do": "put", "files": []}', 0),
    "start-too-early": (b'{"do": "start", "key": "k"}', 5),
    "descriptors-nobody-asked-for": (b'{"do": "nothing"}', 60),
    "too-large": (b'{"do": "' + b"x" * 60_000 + b'"}', 0),
}


@pytest.mark.parametrize("name", MALFORMED)
async def test_nonsense_ends_its_connection_and_nothing_else(service: Running, name: str) -> None:
    data, count = MALFORMED[name]
    await ask_facts(service)
    before = len(list(Path(f"/proc/{service.process.pid}/fd").iterdir()))
    null = os.open("/dev/null", os.O_RDONLY)
    try:
        async with line_to(service) as line:
            socket.send_fds(line.peer, [data], [null] * count)
            with pytest.raises(KernelLost):
                await line.ask({"do": "facts"})
    finally:
        os.close(null)
    assert (await ask_facts(service))["ok"] is True
    wait_until(
        lambda: len(list(Path(f"/proc/{service.process.pid}/fd").iterdir())) <= before,
        "its descriptors are closed",
    )


@pytest.mark.parametrize("request_", [{"do": "facts"}, {"do": "open", "limits": SMALL}])
async def test_a_worker_that_is_gone_when_it_is_answered_leaves_no_error(
    service: Running, request_: dict[str, Any]
) -> None:
    await ask_facts(service)
    for _ in range(5):
        peer = await Daemon(service.path).connect()
        packets.send(peer, request_)
        peer.close()
    async with line_to(service) as line:  # answered after those before it
        (await line.ask({"do": "open", "limits": SMALL})).close()
        await line.close()
    log = service.log.read_text()
    assert "never retrieved" not in log, log
    assert "error" not in log, log


async def test_a_worker_that_goes_away_takes_its_session_along(service: Running) -> None:
    async with line_to(service) as line:
        await line.ask({"do": "open", "limits": {**SMALL, "processes": 33}})
        wait_until(lambda: len(tree_of(service.process.pid)) > 3, "a kernel is there")
        inside = set(tree_of(service.process.pid))
        mine = {pid for pid in inside if "33" in read_limit(pid, "Max processes")}
        assert mine
    async with line_to(service) as line:  # so that none is kept ahead with those limits
        await line.ask({"do": "open", "limits": SMALL})
        wait_until(lambda: not living(mine), "its kernel is gone")


async def test_a_zygote_is_replaced_after_its_forks_and_its_kernels_live_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "r").mkdir()
    service = Running(folder / "r", "--ahead", "0", "--rotate-forks", "1")
    try:
        async with session_of(service, tmp_path, monkeypatch) as session:
            await say_42(session)
            await session.run("kept = 5", 60)
            wait_until(
                lambda: len(service.zygotes()) == 2, "a second zygote is up beside the first"
            )
            result = await session.run("print(kept)", 60)
            assert result.outputs[0].text == "5\n"
            old = min(service.zygotes())
        wait_until(lambda: not living([old]), "the first is gone with its last kernel")
        async with session_of(service, tmp_path, monkeypatch) as session:
            await say_42(session)
    finally:
        service.end()


async def test_a_zygote_is_replaced_when_its_time_is_over(folder: Path) -> None:
    (folder / "t").mkdir()
    service = Running(folder / "t", "--ahead", "1", "--rotate-s", "1")
    try:
        await ask_facts(service)
        first = service.zygotes()
        wait_until(lambda: service.zygotes() not in ([], first), "another one is up")
    finally:
        service.end()


@pytest.fixture
def own_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel environment whose commands may change."""
    given, own = find_kernel_environment().folder, folder / "env"
    subprocess.run(f"cp -al {given} {own} || cp -a {given} {own}", shell=True, check=True)
    monkeypatch.setenv("PYBENCH_KERNEL_ENV", str(own))


@pytest.mark.usefixtures("own_environment")
async def test_a_program_that_is_installed_while_it_runs_is_there_in_the_next_session(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check is said to have its tool only when sandboxes have it too."""
    programs = tmp_path / "programs"
    programs.mkdir()
    tool = HostTool("newcomer", "Newcomer", "newcomer", frozenset({"newcomer"}), ("newcomer",))
    monkeypatch.setattr(commands, "NAMES", (*commands.NAMES, "newcomer"))
    monkeypatch.setattr(commands, "SEARCHED", f"{commands.SEARCHED}:{programs}")
    monkeypatch.setattr(host_tools, "USR", programs)
    monkeypatch.setattr(needed_tools, "TOOLS", (tool,))
    needing = "def check(case):\n    'newcomer'"
    task = small_suite(tmp_path / "suite", double=DOUBLE.replace("def check(case):", needing)).task(
        "double"
    )
    (folder / "i").mkdir()
    service = Running(folder / "i", "--ahead", "1")
    try:
        async with session_of(service, tmp_path, monkeypatch) as session:
            await say_42(session)
            assert needed_tools.find_lack(task) is not None
            (programs / "newcomer").write_text("#!/bin/sh\necho here\n")
            (programs / "newcomer").chmod(0o755)
            assert needed_tools.find_lack(task) is None
            async with session_of(service, tmp_path, monkeypatch) as later:
                said = await later.run("!newcomer", 60)
                assert "here" in said.outputs[0].text
            said = await session.run("!date > f; cat f", 60)  # the one before has what it had
            assert "not found" not in said.outputs[0].text
    finally:
        service.end()


async def test_what_a_killed_service_left_its_successor_sweeps(folder: Path) -> None:
    (folder / "k").mkdir()
    service = Running(folder / "k", "--ahead", "1")
    await ask_facts(service)
    inside = tree_of(service.process.pid)
    wait_until(lambda: len(tree_of(service.process.pid)) > 3, "a kernel is kept ahead")
    inside = tree_of(service.process.pid)
    sites = {path.name for path in (folder / "run").glob("d-*")}
    service.process.send_signal(signal.SIGKILL)
    service.process.wait(180)
    wait_until(lambda: not living(inside), "nothing of it is alive")
    successor = Running(folder / "k")
    try:
        assert (await ask_facts(successor))["ok"] is True
        left = {path.name for path in (folder / "run").glob("d-*")} & sites
        assert len(left) <= 1  # that of the service which the other tests use
        for token in sites - left:
            assert find_groups(token) == []
    finally:
        successor.end()
