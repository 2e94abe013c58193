"""A sandbox leaves nothing behind when it is closed, cancelled, or its driver is killed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from runner.contract import CellStatus, KernelLost, Limits, SandboxUnavailable
from runner.sandbox.base import Sandbox, Session
from runner.sandbox.factory import open_sandbox
from runner.sandbox.host import cgroups
from runner.sandbox.host.runtime_folders import claim_site, sweep
from runner.sandbox.zygote.service_client import end_own_daemons
from runner.sandbox.zygote.session import ZygoteSession
from runner.tests.support.sandboxd_processes import find_groups, living, tree_of, users_of_sandboxes
from runner.tests.support.sessions import opened

pytestmark = pytest.mark.sandbox

REPOSITORY = Path(__file__).resolve().parents[3]
DEADLINE_S = 180.0
DAEMON = """
import subprocess
for n in range(3):
    subprocess.Popen(["sleep", "{marker}"], start_new_session=True)
print("started")
"""
DRIVER = """
import asyncio, sys
from pathlib import Path
from runner.contract import Limits
from runner.sandbox.factory import open_sandbox

async def drive():
    session = await open_sandbox().open(Path(sys.argv[1]), Limits(memory_bytes=512 << 20))
    result = await session.run(sys.argv[2], 120)
    print(result.status, *(output.text for output in result.outputs), flush=True)
    await asyncio.sleep(100)

asyncio.run(drive())
"""


@pytest.fixture(scope="module")
def runtime() -> Iterator[Path]:
    """A runtime folder of these tests' own, short enough for sockets."""
    folder = Path(f"/tmp/pb-{secrets.token_hex(3)}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYBENCH_SANDBOX_DIR", str(folder))
        patch.setenv("PYBENCH_SANDBOX_AHEAD", "2")
        patch.delenv("PYBENCH_SANDBOXD", raising=False)
        yield folder
        end_own_daemons()
        claim_site(cgroups.find()).close()  # sweeps what killed drivers left
    subprocess.run(["rm", "-rf", str(folder)], check=True)


@pytest.fixture
async def sandbox(runtime: Path) -> AsyncIterator[Sandbox]:
    opened = open_sandbox()
    yield opened
    await opened.close()


@pytest.fixture
def marker() -> str:
    """An odd number of seconds by which a sleeping process is known on the host."""
    return f"9{secrets.randbelow(10**8):08}"


def find_processes(marker: str) -> list[int]:
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if marker.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found


def is_named(name: str) -> bool:
    """True if a process on the host that has not ended calls itself so."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            _, own, rest = re.split(r"[()]", (folder / "stat").read_text())
            if own == name and not rest.startswith(" Z"):
                return True
    return False


def find_programs(runtime: Path) -> set[str]:
    """The programs of processes in whose mount table or arguments the runtime folder stands."""
    found: set[str] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().split(b"\0")
            mounts = (folder / "mountinfo").read_text()
            if str(runtime).encode() in b" ".join(words) or f"{runtime.name}/" in mounts:
                found.add(Path(words[0].decode()).name)
    return found - {""}


def count_descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def wait_for(condition: Callable[[], bool], what: str, pause_s: float = 0.02) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(pause_s)


async def start_daemons(session: Session, marker: str) -> list[int]:
    result = await session.run(DAEMON.format(marker=marker), 120)
    assert result.status is CellStatus.OK
    async with asyncio.timeout(DEADLINE_S):  # the last may still be about to become what it starts
        while len(pids := find_processes(marker)) < 3:  # noqa: ASYNC110 (of another process)
            await asyncio.sleep(0.02)
    assert len(pids) == 3
    return pids


TWO_SITES = """
import asyncio, os, sys
from pathlib import Path
from runner.contract import Limits
from runner.sandbox.factory import open_sandbox

async def drive():
    inputs = Path(sys.argv[1])
    sandbox = open_sandbox()
    print(*(f.name for f in Path(os.environ["PYBENCH_SANDBOX_DIR"]).glob("d-*")), flush=True)
    kept = await sandbox.open(inputs, Limits(memory_bytes=512 << 20))
    waiting = await sandbox.open(inputs, Limits(memory_bytes=512 << 20))
    for line in sys.stdin:
        for session in (kept, waiting) if "all" in line else (kept,):
            result = await session.run("seen = globals().get('seen', 0) + 1; print(seen)", 120)
            print(result.status, *(output.text.strip() for output in result.outputs), flush=True)
    await asyncio.sleep(100)

asyncio.run(drive())
"""
OWN_PLACES = 'mount -t tmpfs own "$1" && mkdir "$1/in" && shift && exec "$@"'


@contextlib.contextmanager
def site_in_namespaces(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A driver in mount and pid namespaces of its own; others' folders have the same path."""
    words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--"]
    words += ["sh", "-c", OWN_PLACES, "sh", str(folder)]
    words += [sys.executable, "-c", TWO_SITES, str(folder / "in")]
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYBENCH_SANDBOX_DIR": f"{folder}/own"}
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
    ) as site:
        try:
            yield site
        finally:
            site.kill()


def play(site: subprocess.Popen[str], order: str, lines: int) -> list[str]:
    assert site.stdin
    assert site.stdout
    print(order, file=site.stdin, flush=True)
    return [site.stdout.readline().strip() for _ in range(lines)]


def read_tokens(site: subprocess.Popen[str]) -> list[str]:
    assert site.stdout
    line: str = site.stdout.readline()
    return line.split()


@pytest.mark.skipif(os.geteuid() != 0 or not cgroups.find(), reason="needs root and cgroups")
def test_sites_that_do_not_see_each_other_leave_each_others_groups_alone(runtime: Path) -> None:
    """The same paths, other mounts and process numbers, one tree of groups."""
    folder = Path(tempfile.mkdtemp(dir="/tmp", prefix="pb-"))
    try:
        with site_in_namespaces(folder) as one:
            ours = read_tokens(one)
            assert play(one, "one", 1) == ["ok 1"]
            with site_in_namespaces(folder) as other:
                theirs = read_tokens(other)
                assert play(other, "one", 1) == ["ok 1"]
                sweep(runtime)  # a third that sees neither's folder
                assert play(one, "all", 2) == ["ok 2", "ok 1"]
                assert play(other, "all", 2) == ["ok 2", "ok 1"]
                assert any(find_groups(token) for token in ours)
                assert any(find_groups(token) for token in theirs)
            wait_for(lambda: have_no_groups(runtime, theirs), "the killed site's groups are gone")
            assert play(one, "one", 1) == ["ok 3"]
        wait_for(lambda: have_no_groups(runtime, ours), "the groups are gone")
    finally:
        subprocess.run(["rm", "-rf", str(folder)], check=True)


def have_no_groups(runtime: Path, tokens: list[str]) -> bool:
    sweep(runtime)
    return not any(
        name.startswith(f"pybench-{token}-")
        for _, names, _ in os.walk("/sys/fs/cgroup")
        for name in names
        for token in tokens
    )


async def test_closing_leaves_no_process_or_descriptor(
    sandbox: Sandbox, runtime: Path, inputs: Path, marker: str
) -> None:
    await (await sandbox.open(inputs, Limits())).close()
    before = count_descriptors()
    session = await sandbox.open(inputs, Limits())
    await start_daemons(session, marker)
    await session.close()
    await session.close()
    assert find_processes(marker) == []
    assert count_descriptors() == before


async def test_nothing_runs_as_root_or_as_its_driver(
    sandbox: Sandbox, inputs: Path, marker: str
) -> None:
    async with opened(sandbox, inputs) as session:
        pids = await start_daemons(session, marker)
        owners = {Path(f"/proc/{pid}").stat().st_uid for pid in pids}
    assert len(owners) == 1
    assert owners <= users_of_sandboxes()


async def test_an_opened_session_costs_no_process_until_its_first_cell(
    sandbox: Sandbox, inputs: Path, tmp_path: Path
) -> None:
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    before = children.read_text()
    session = await sandbox.open(inputs, Limits())
    assert await session.changes() == ()
    assert (await session.harvest(tmp_path / "taken")).files == ()
    assert children.read_text() == before
    await session.close()


@pytest.mark.parametrize("delay_s", [0.0, 0.02, 0.1, 0.3, 1.5])
async def test_a_cancelled_cell_leaves_nothing_once_closed(
    sandbox: Sandbox, runtime: Path, inputs: Path, marker: str, delay_s: float
) -> None:
    """Cancelled while the folder is made, the kernel starts, or the cell runs."""
    session = await sandbox.open(inputs, Limits())
    code = DAEMON.format(marker=marker) + "\nwhile True: pass"
    task = asyncio.create_task(session.run(code, 60))
    await asyncio.sleep(delay_s)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await session.close()
    wait_for(lambda: not find_processes(marker), "daemons are gone")


@pytest.mark.parametrize("delay_s", [0.0, 0.02, 0.1, 0.3, 1.5])
async def test_closing_from_elsewhere_ends_a_cell_on_its_way(
    sandbox: Sandbox, runtime: Path, inputs: Path, marker: str, delay_s: float
) -> None:
    session = await sandbox.open(inputs, Limits())
    code = DAEMON.format(marker=marker) + "\nwhile True: pass"
    task = asyncio.create_task(session.run(code, 60))
    await asyncio.sleep(delay_s)
    await session.close()
    with contextlib.suppress(KernelLost):
        assert (await task).status is CellStatus.KILLED
    wait_for(lambda: not find_processes(marker), "daemons are gone")


async def test_a_cell_can_be_interrupted_from_outside(
    sandbox: Sandbox, inputs: Path, marker: str
) -> None:
    async with opened(sandbox, inputs) as session:
        await session.run("kept = 5", 120)
        begins = f"import subprocess; begun = subprocess.Popen(['sleep', '{marker}'])"
        task = asyncio.create_task(session.run(f"{begins}\nwhile True: pass", 60))
        await asyncio.to_thread(wait_for, lambda: find_processes(marker) != [], "it has begun")
        await session.interrupt()
        interrupted = await task
        after = await session.run("print(kept)", 120)
    assert interrupted.outputs[0].error_name == "KeyboardInterrupt"
    assert after.outputs[0].text == "5\n"


async def test_files_outlive_a_kernel_and_variables_do_not(
    sandbox: Sandbox, inputs: Path, tmp_path: Path
) -> None:
    async with opened(sandbox, inputs) as session:
        await session.run("x = 1; open('output/a.txt', 'w').write('kept')", 120)
        killed = await session.run("import os; os._exit(1)", 120)
        after = await session.run("print(open('output/a.txt').read(), 'x' in dir())", 120)
        harvest = await session.harvest(tmp_path / "taken")
    assert (killed.status, killed.reason) == (CellStatus.KILLED, "died")
    assert "files in the working folder are kept" in killed.outputs[0].text
    assert after.outputs[-1].text == "kept False\n"
    assert [stored.location.read_text() for stored in harvest.files] == ["kept"]


async def test_a_kernel_that_dies_between_cells_is_replaced_and_said_so(
    sandbox: Sandbox, inputs: Path, marker: str
) -> None:
    async with opened(sandbox, inputs) as session:
        named = f"open('/proc/self/comm', 'w').write('{marker}')"
        code = f"{named}; import threading, os; threading.Timer(1.0, os.abort).start()"
        await session.run(code, 120)
        await asyncio.to_thread(wait_for, lambda: not is_named(marker), "the kernel has died")
        assert isinstance(session, ZygoteSession)
        await asyncio.to_thread(wait_for, session.has_lost_kernel, "the session has heard of it")
        after = await session.run("print(1)", 120)
    assert "new kernel was started" in after.outputs[0].text
    assert after.outputs[1].text == "1\n"


def test_many_sessions_share_a_loop_that_is_not_in_the_main_thread(
    runtime: Path, inputs: Path
) -> None:
    async def one(sandbox: Sandbox, number: int) -> str:
        async with opened(sandbox, inputs) as session:
            await session.run(f"n = {number}; open('output/n', 'w').write(str(n))", 60)
            result = await session.run("print(n, open('output/n').read())", 60)
            return result.outputs[0].text

    async def drive() -> list[str]:
        sandbox = open_sandbox()
        try:
            return await asyncio.gather(*(one(sandbox, number) for number in range(6)))
        finally:
            await sandbox.close()

    results: list[str] = []
    thread = threading.Thread(target=lambda: results.extend(asyncio.run(drive())))
    thread.start()
    thread.join(DEADLINE_S)
    assert results == [f"{number} {number}\n" for number in range(6)]


@contextlib.contextmanager
def driver(
    inputs: Path, code: str, prefix: tuple[str, ...] = ()
) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*prefix, sys.executable, "-c", DRIVER, str(inputs), code],
        stdout=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"},
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def test_a_killed_driver_leaves_nothing_alive_and_the_next_service_sweeps(
    runtime: Path, inputs: Path, marker: str
) -> None:
    before = {folder.name for folder in runtime.glob("d-*")}
    with driver(inputs, DAEMON.format(marker=marker)) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("ok started")
        token = next(folder.name for folder in runtime.glob("d-*") if folder.name not in before)
        wait_for(lambda: len(find_processes(marker)) == 3, "all three are seen by their arguments")
        process.send_signal(signal.SIGKILL)
        process.wait(DEADLINE_S)
        wait_for(lambda: not find_processes(marker), "processes inside are gone")
    assert (runtime / token).exists()
    swept = runtime / token
    wait_for(lambda: sweep(runtime) and not swept.exists(), "its folder and groups are gone")
    assert find_groups(token) == []


def test_a_living_driver_is_not_swept(runtime: Path, inputs: Path, marker: str) -> None:
    with driver(inputs, DAEMON.format(marker=marker)) as process:
        assert process.stdout is not None
        process.stdout.readline()
        folders = sorted(runtime.glob("d-*"))
        sweep(runtime)
        assert sorted(runtime.glob("d-*")) == folders
        wait_for(lambda: len(find_processes(marker)) == 3, "all three are seen by their arguments")


@pytest.mark.parametrize("after_s", [0.02, 0.2, 0.6, 1.5])
def test_a_driver_killed_while_its_service_starts_leaves_nothing(
    runtime: Path, inputs: Path, after_s: float
) -> None:
    """So long after the service was first seen; it takes some three seconds to be up."""
    with driver(inputs, "1") as process:
        wait_for(lambda: len(tree_of(process.pid)) > 1, "the service is seen", pause_s=0)
        time.sleep(after_s)
        begun = tree_of(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait(DEADLINE_S)
        wait_for(lambda: not living(begun), "everything is gone")
        wait_for(lambda: not find_programs(runtime), "nothing of its folder is in use")


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user is what the other tests run as")
def test_an_ordinary_user_gets_the_same_without_a_cgroup() -> None:
    """Memory is watched there: a hoarder is killed and said to be."""
    uid = 64123
    folder = Path(f"/tmp/pb-{secrets.token_hex(3)}")
    folder.mkdir()
    inputs = folder / "inputs"
    inputs.mkdir()
    os.chown(folder, uid, uid)
    prefix = ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--")
    code = "hoard = []\nwhile True: hoard.append(bytearray(b'x') * (8 << 20))"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYBENCH_SANDBOX_DIR", str(folder / "run"))
        patch.delenv("PYBENCH_SANDBOXD", raising=False)
        with driver(inputs, code, prefix) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
    subprocess.run(["rm", "-rf", str(folder)], check=True)
    assert line.startswith("killed")
    assert "more memory than it may" in line


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has a choice")
def test_a_setting_that_means_root_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYBENCH_SANDBOX_UID", "0")
    with pytest.raises(SandboxUnavailable, match="never runs as root"):
        open_sandbox()


def test_an_unreadable_kernel_environment_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    closed = tmp_path / "closed"
    (closed / "env" / "bin").mkdir(parents=True)
    (closed / "env" / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.2\n")
    (closed / "env" / "bin" / "python").symlink_to("/usr/bin/python3")
    monkeypatch.setenv("PYBENCH_KERNEL_ENV", str(closed / "env"))
    tmp_path.chmod(0o700)
    closed.chmod(0o700 if os.geteuid() == 0 else 0o600)
    with pytest.raises(SandboxUnavailable, match=r"chmod o\+x /"):
        open_sandbox()


def test_a_missing_kernel_environment_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PYBENCH_KERNEL_ENV", str(tmp_path / "none"))
    with pytest.raises(SandboxUnavailable, match=r"no kernel environment at .*none"):
        open_sandbox()
