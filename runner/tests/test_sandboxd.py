"""The sandbox service by itself: started, asked nonsense, rotated, killed, swept."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from runner.contract import Limits
from runner.sandbox import cgroups, doctor
from runner.sandbox.base import KernelLost, Session
from runner.sandbox.bwrap import BwrapSandbox
from runner.sandbox.daemon import Daemon
from runner.sandbox.descriptors import wait_readable
from runner.sandbox.factory import open_sandbox
from runner.sandbox.kernel_env import find_kernel_environment
from runner.sandbox.policy import Policy
from runner.sandbox.sandboxd import packets
from runner.sandbox.sandboxd.requests import LIMITS
from runner.sandbox.sandboxd.stock import Rotation, Stock
from runner.sandbox.slots import claim_site
from runner.sandbox.zygote_session import Line
from runner.tests.service_processes import is_zygote, living, tree_of, wait_for
from runner.tests.test_sandbox_life import find_groups

pytestmark = pytest.mark.sandbox

REPOSITORY = Path(__file__).resolve().parent.parent.parent
SMALL = {name: getattr(Limits(), name) for name in LIMITS}
SERVICE = (sys.executable, "-m", "runner.sandbox.sandboxd")
SECRET = "canary-77ab"


class Running:
    """A service that was started as an operator starts it."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.path = folder / "sandboxd.sock"
        self.log = folder / "log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*SERVICE, "--socket", str(self.path), *options],
                cwd=REPOSITORY,
                env={**os.environ, "PYBENCH_TEST_CANARY": SECRET},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def zygotes(self) -> list[int]:
        return [pid for pid in tree_of(self.process.pid) if is_zygote(pid)]

    def end(self) -> list[int]:
        """What it consisted of."""
        inside = tree_of(self.process.pid)
        self.process.terminate()
        self.process.wait(60)
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
    wait_for(lambda: not living(inside), "nothing of the service is left")


@asynccontextmanager
async def line_to(service: Running) -> AsyncIterator[Line]:
    line = Line(await Daemon(service.path).connect())
    try:
        yield line
    finally:
        line.peer.close()


@asynccontextmanager
async def session_of(
    service: Running, inputs: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Session]:
    monkeypatch.setenv("PYBENCH_SANDBOXD", str(service.path))
    sandbox = open_sandbox("zygote")
    session = await sandbox.open(inputs, Limits())
    try:
        yield session
    finally:
        await session.close()
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
    found = doctor.look_at_service()
    assert found.fact.endswith(f"memory by {memory}")
    assert found.is_fine is (granted is not None)


async def test_a_run_s_record_says_what_caps_its_kernels_memory(
    service: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not what would cap that of the worker, which may stand in another group."""
    memory = (await ask_facts(service))["memory"]
    monkeypatch.setenv("PYBENCH_SANDBOXD", str(service.path))
    monkeypatch.setattr(BwrapSandbox, "environment", lambda self: {"memory": "the worker's"})
    sandbox = open_sandbox("zygote")
    session = await sandbox.open(tmp_path, Limits())
    try:
        await say_42(session)
        assert sandbox.environment()["memory"] == memory
    finally:
        await session.close()
        await sandbox.close()


async def test_it_has_no_secret_no_network_and_is_not_root(service: Running) -> None:
    await ask_facts(service)
    for pid in tree_of(service.process.pid):
        environment = Path(f"/proc/{pid}/environ").read_bytes()
        assert SECRET.encode() not in environment
        devices = Path(f"/proc/{pid}/net/dev").read_text().splitlines()[2:]
        assert [line.split(":")[0].strip() for line in devices] == ["lo"]
        assert Path(f"/proc/{pid}").stat().st_uid == (64917 if os.geteuid() == 0 else os.geteuid())


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
    "negative": (json.dumps({"do": "open", "limits": {**SMALL, "processes": -1}}).encode(), 0),
    "a-truth": (json.dumps({"do": "open", "limits": {**SMALL, "processes": True}}).encode(), 0),
    "huge": (json.dumps({"do": "open", "limits": {**SMALL, "work_bytes": 1 << 60}}).encode(), 0),
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
    wait_for(
        lambda: len(list(Path(f"/proc/{service.process.pid}/fd").iterdir())) <= before,
        "its descriptors are closed",
    )


BAD_FILES: dict[str, list[Any]] = {
    "outside": [{"path": "../../etc/x", "mtime_ns": 0}],
    "absolute": [{"path": "/tmp/x", "mtime_ns": 0}],
    "empty": [{"path": "", "mtime_ns": 0}],
    "long": [{"path": "x" * 2_000, "mtime_ns": 0}],
    "deep": [{"path": "/".join("x" * 30), "mtime_ns": 0}],
    "no-time": [{"path": "x", "mtime_ns": "yesterday"}],
    "no-object": ["x"],
    "one-too-many": [{"path": "x", "mtime_ns": 0}, {"path": "y", "mtime_ns": 0}],
}


@pytest.mark.parametrize("name", BAD_FILES)
async def test_a_bad_file_ends_its_session(service: Running, name: str) -> None:
    async with line_to(service) as line:
        await line.ask({"do": "open", "limits": SMALL})
        with line.peer.dup() as any_file, pytest.raises(KernelLost):
            await line.ask({"do": "put", "files": BAD_FILES[name]}, [any_file.fileno()])
    assert (await ask_facts(service))["ok"] is True


async def test_a_worker_that_goes_away_takes_its_session_along(service: Running) -> None:
    async with line_to(service) as line:
        await line.ask({"do": "open", "limits": {**SMALL, "processes": 33}})
        wait_for(lambda: len(tree_of(service.process.pid)) > 3, "a kernel is there")
        inside = set(tree_of(service.process.pid))
        mine = {pid for pid in inside if is_limited_to(pid, 33)}
        assert mine
    async with line_to(service) as line:  # so that none is kept ahead with those limits
        await line.ask({"do": "open", "limits": SMALL})
        wait_for(lambda: not living(mine), "its kernel is gone")


def is_limited_to(pid: int, processes: int) -> bool:
    with contextlib.suppress(OSError):
        for row in Path(f"/proc/{pid}/limits").read_text().splitlines():
            if row.startswith("Max processes"):
                return row.split()[2] == str(processes)
    return False


async def test_a_zygote_is_replaced_after_its_forks_and_its_kernels_live_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "r").mkdir()
    service = Running(folder / "r", "--ahead", "0", "--rotate-forks", "1")
    try:
        async with session_of(service, tmp_path, monkeypatch) as session:
            await say_42(session)
            await session.run("kept = 5", 60)
            wait_for(lambda: len(service.zygotes()) == 2, "a second zygote is up beside the first")
            result = await session.run("print(kept)", 60)
            assert result.outputs[0].text == "5\n"
            old = min(service.zygotes())
        wait_for(lambda: not living([old]), "the first is gone with its last kernel")
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
        wait_for(lambda: service.zygotes() not in ([], first), "another one is up")
    finally:
        service.end()


async def test_what_a_killed_service_left_its_successor_sweeps(folder: Path) -> None:
    (folder / "k").mkdir()
    service = Running(folder / "k", "--ahead", "1")
    await ask_facts(service)
    inside = tree_of(service.process.pid)
    wait_for(lambda: len(tree_of(service.process.pid)) > 3, "a kernel is kept ahead")
    inside = tree_of(service.process.pid)
    sites = {path.name for path in (folder / "run").glob("d-*")}
    service.process.send_signal(signal.SIGKILL)
    service.process.wait(60)
    wait_for(lambda: not living(inside), "nothing of it is alive")
    successor = Running(folder / "k")
    try:
        assert (await ask_facts(successor))["ok"] is True
        left = {path.name for path in (folder / "run").glob("d-*")} & sites
        assert len(left) <= 1  # that of the service which the other tests use
        for token in sites - left:
            assert find_groups(token) == []
    finally:
        successor.end()


async def test_a_packet_of_a_dead_peer_is_the_end() -> None:
    ours, theirs = packets.pair()
    with ours:
        theirs.close()
        assert packets.receive_now(ours) is None


async def test_a_service_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.sandbox.daemon.CONNECT_TIMEOUT_S", 0.2)
    with pytest.raises(KernelLost, match="does not listen at /nowhere/d.sock"):
        async with asyncio.timeout(30):
            await Daemon(Path("/nowhere/d.sock")).connect()


async def test_a_wait_that_is_cancelled_as_it_ends_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What `asyncio.wait_for` of Python 3.11 loses: a cell that was called off went on."""
    tell: list[Callable[[], None]] = []
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(loop, "add_reader", lambda fd, callback: tell.append(callback))
    task = asyncio.create_task(wait_readable(0, 30))
    await asyncio.sleep(0)
    tell[0]()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_a_service_is_not_in_the_way_of_its_successor_of_the_same_token() -> None:
    """One that was killed leaves the groups of its kernels behind, until they are swept."""
    found = cgroups.find()
    if found is None:
        pytest.skip("this host grants no cgroups")
    env, token = find_kernel_environment(), f"pybench-test-{secrets.token_hex(4)}-k"
    policy = Policy.of(Limits())
    groups = []
    try:
        for _ in range(2):
            stock = Stock(env, b"", found, token, 0, Rotation())
            groups += [stock.make_group(policy), stock.make_group(policy)]
        assert len({group.folders for group in groups if group}) == 4
    finally:
        for group in groups:
            if group:
                group.remove()
