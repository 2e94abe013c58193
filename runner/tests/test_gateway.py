"""Cells, files and deaths of kernels behind a real Jupyter gateway on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import signal
import time
import urllib.error
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from runner.contract import CellResult, CellStatus, FileChange, Limits
from runner.sandbox.base import KernelLost, Sandbox, SandboxUnavailable, Session, ToolJob
from runner.sandbox.factory import open_sandbox
from runner.sandbox.gateway.session import GatewaySession
from runner.sandbox.harvest import FILES
from runner.tests.attacks.surroundings import show
from runner.tests.real_gateway import KERNEL, RealGateway, gateway_in_force, real_gateway, wait_for

pytestmark = [pytest.mark.sandbox, pytest.mark.services]

DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
SLEEP = "import time; print('on', flush=True); time.sleep(100)"
BYTES = bytes(range(256)) * (20 << 10)  # more than one piece


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealGateway]:
    with gateway_in_force(tmp_path_factory.mktemp("gateway")) as running:
        yield running


@pytest.fixture
async def sandbox(gateway: RealGateway) -> AsyncIterator[Sandbox]:
    opened = open_sandbox()
    yield opened
    await opened.close()
    wait_for(lambda: not gateway.kernels(), "every kernel is deleted")


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = tmp_path / "inputs"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.csv").write_text("x,y\n1,2\n")
    (folder / "empty").touch()
    (folder / "sub" / "b.bin").write_bytes(BYTES)
    return folder


@pytest.fixture
async def session(sandbox: Sandbox, inputs: Path) -> AsyncIterator[Session]:
    opened = await sandbox.open(inputs, Limits())
    yield opened
    await opened.close()


def kinds(changes: tuple[FileChange, ...]) -> list[tuple[str, str]]:
    return [(change.path, change.kind.value) for change in changes]


async def run(session: Session, code: str, timeout_s: float = 60.0) -> CellResult:
    return await session.run(code, timeout_s)


async def heard_from(session: Session) -> None:
    """Wait until the running cell has shown something."""
    assert isinstance(session, GatewaySession)
    await until(
        lambda: bool(session.wire and session.wire.cell and session.wire.cell.outputs.items)
    )


async def until(is_so: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + 60
    while True:
        if is_so():
            return
        assert time.monotonic() < deadline_s
        await asyncio.sleep(0.05)


async def test_a_cell_finds_its_inputs_and_shows_what_it_does(session: Session) -> None:
    code = (
        "import hashlib, os\n"
        "print(sorted(os.listdir()), os.listdir('output'), open('data/a.csv').read())\n"
        "print(hashlib.sha256(open('data/sub/b.bin', 'rb').read()).hexdigest())\n"
        "for path in ('data', 'data/sub', 'data/a.csv', '.'):\n"
        "    print(oct(os.stat(path).st_mode & 0o777))\nos.path.getsize('data/empty')"
    )
    result = await run(session, code)
    assert result.status is CellStatus.OK
    assert show(result).splitlines() == [
        "['data', 'output'] [] x,y",
        "1,2",
        "",
        hashlib.sha256(BYTES).hexdigest(),
        *("0o555", "0o555", "0o444", "0o700", "0"),
    ]


async def test_an_error_is_told_with_its_traceback(session: Session) -> None:
    result = await run(session, "print('before'); 1 / 0")
    assert result.status is CellStatus.ERROR
    assert [output.error_name for output in result.outputs] == ["", "ZeroDivisionError"]


async def test_a_picture_is_shown(session: Session) -> None:
    result = await run(session, "import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.show()")
    assert any("image/png" in output.data for output in result.outputs)


async def test_steps_tell_what_changed_in_the_folder(session: Session) -> None:
    assert await session.changes() == ()
    await run(session, "open('output/a.txt', 'w').write('one'); open('note', 'w').write('n')")
    first = await session.changes()
    code = "import os; open('output/a.txt', 'w').write('three'); os.remove('note'); os.chdir('/')"
    await run(session, code)
    second = await session.changes()
    assert kinds(first) == [("note", "created"), ("output/a.txt", "created")]
    assert first[1].content == b"one"
    assert kinds(second) == [("note", "deleted"), ("output/a.txt", "changed")]
    assert (second[1].size_before_bytes, second[1].content) == (3, b"three")
    assert await session.changes() == ()


async def test_a_large_file_is_told_by_its_size_and_comes_with_the_harvest(
    session: Session, tmp_path: Path
) -> None:
    await run(session, "open('output/large', 'wb').write(open('data/sub/b.bin', 'rb').read())")
    (change,) = await session.changes()
    harvest = await session.harvest(tmp_path / "taken")
    assert (change.size_bytes, change.sha256, change.content) == (len(BYTES), "", None)
    (stored,) = harvest.files
    assert stored.location.read_bytes() == BYTES
    assert (stored.size_bytes, stored.sha256) == (len(BYTES), hashlib.sha256(BYTES).hexdigest())


async def test_what_the_harvest_refuses_is_named(session: Session, tmp_path: Path) -> None:
    code = (
        "import os\nos.chdir('output')\n"
        "os.symlink('/etc/passwd', 'soft'); os.symlink('/', 'folder')\n"
        "open('one', 'w').close(); os.link('one', 'two'); os.mkfifo('pipe')\n"
        "open('bad\\nname', 'w').close(); open('huge', 'w').truncate(1 << 40)\n"
        "os.makedirs('d/' * 12); open('d/' * 12 + 'deep', 'w').close()\n"
        "os.mkdir('sub'); open('sub/good 中.txt', 'w').write('good')"
    )
    await run(session, code)
    harvest = await session.harvest(tmp_path / "taken")
    assert [stored.path for stored in harvest.files] == ["sub/good 中.txt"]
    assert harvest.files[0].location.read_text() == "good"
    reasons = {refused.path: refused.reason for refused in harvest.refused}
    assert reasons.pop("huge") == f"is too large: {1 << 40} bytes"
    assert reasons == {
        "soft": "is a symbolic link",
        "folder": "is a symbolic link",
        "one": "is a hard link: it has another name elsewhere",
        "two": "is a hard link: it has another name elsewhere",
        "pipe": "is no regular file",
        "bad\\nname": "has a name that cannot be stored",
        "/".join("d" * 9): "lies too deep",
    }


async def test_what_was_asked_for_is_taken_before_all_else(
    session: Session, tmp_path: Path
) -> None:
    code = (
        f"for n in range({FILES + 20}): open(f'output/{{n:04}}', 'w').close()\n"
        "open('output/zoo.csv', 'w').write('asked for')"
    )
    await run(session, code)
    harvest = await session.harvest(tmp_path / "taken", ["zoo.csv", "never.csv"])
    assert harvest.files[0].location.read_text() == "asked for"
    assert len(harvest.files) == FILES
    assert len(harvest.refused) == 21


async def test_model_code_that_breaks_names_does_not_break_the_harvest(
    session: Session, tmp_path: Path
) -> None:
    code = (
        "open('output/a.txt', 'w').write('kept')\nimport os\nos.chdir('/')\n"
        "open = os = json = base64 = Path = exec = names = str = None"
    )
    await run(session, code)
    harvest = await session.harvest(tmp_path / "taken")
    assert [stored.location.read_text() for stored in harvest.files] == ["kept"]


async def test_a_cell_past_its_deadline_is_interrupted_and_its_kernel_lives(
    session: Session,
) -> None:
    await run(session, "kept = 5")
    interrupted = await run(session, "while True: pass", 1.0)
    after = await run(session, "print(kept)")
    assert interrupted.status is CellStatus.TIMEOUT
    assert interrupted.outputs[0].error_name == "KeyboardInterrupt"
    assert show(after) == "5\n"


async def test_a_cell_can_be_interrupted_from_outside(session: Session) -> None:
    await run(session, "kept = 5")
    task = asyncio.create_task(run(session, "print('on', flush=True)\nwhile True: pass"))
    await heard_from(session)
    await session.interrupt()
    interrupted = await task
    assert interrupted.status is CellStatus.ERROR
    assert "KeyboardInterrupt" in show(interrupted)


async def test_a_cell_that_ignores_its_interrupt_is_killed_and_its_files_are_gone(
    session: Session, gateway: RealGateway, tmp_path: Path
) -> None:
    await run(session, "open('output/a.txt', 'w').write('x')")
    await session.changes()
    killed = await run(session, DEAF, 1.0)
    assert (killed.status, killed.reason) == (CellStatus.KILLED, "timeout")
    assert "all files that it made" in killed.outputs[-1].text
    assert gateway.kernels() == []
    assert kinds(await session.changes()) == [("output/a.txt", "deleted")]
    harvest = await session.harvest(tmp_path / "taken", ["a.txt"])
    assert [(r.path, r.reason) for r in harvest.refused] == [
        ("a.txt", "is lost: its kernel died before it was handed over")
    ]
    assert show(await run(session, "print(open('data/a.csv').read())")) == "x,y\n1,2\n\n"


async def test_a_kernel_that_ends_itself_is_a_typed_end(
    session: Session, gateway: RealGateway
) -> None:
    await run(session, "x = 1; open('output/a.txt', 'w').write('x')")
    died = await run(session, "import os; os._exit(3)")
    after = await run(session, "import os; print(os.listdir('output'), 'x' in dir())")
    assert (died.status, died.reason) == (CellStatus.KILLED, "died")
    assert show(after) == "[] False\n"
    assert len(gateway.kernels()) == 1


async def test_a_kernel_killed_between_cells_is_replaced_and_said_so(
    session: Session, gateway: RealGateway
) -> None:
    await run(session, "open('output/a.txt', 'w').write('x')")
    await session.changes()
    (pid,) = gateway.processes()
    os.kill(pid, signal.SIGKILL)
    assert isinstance(session, GatewaySession)
    await until(session.has_lost_kernel)  # the gateway looks every few seconds
    assert kinds(await session.changes()) == [("output/a.txt", "deleted")]
    after = await run(session, "print(1)")
    assert show(after) == "1\n"


async def test_a_kernel_killed_in_mid_cell_is_a_typed_end(
    session: Session, gateway: RealGateway
) -> None:
    await run(session, "1")
    (pid,) = gateway.processes()
    task = asyncio.create_task(run(session, SLEEP))
    await heard_from(session)
    os.kill(pid, signal.SIGKILL)
    died = await task
    assert (died.status, died.reason) == (CellStatus.KILLED, "died")


async def test_a_kernel_that_the_gateway_forgets_is_not_the_models_doing(
    session: Session, gateway: RealGateway
) -> None:
    await run(session, "1")
    (kernel,) = gateway.kernels()
    gateway.ask("DELETE", f"/api/kernels/{kernel}")
    with pytest.raises(KernelLost, match="no longer knows the kernel"):
        await run(session, "print(1)")


async def test_an_endless_print_is_muted_and_its_kernel_lives(session: Session) -> None:
    result = await run(session, "while True: print('y' * 1000)", 3.0)
    assert result.status is CellStatus.TIMEOUT
    assert "characters of stdout are cut here" in show(result)
    assert show(await run(session, "print('on')")) == "on\n"


async def test_a_flood_of_displays_is_stopped(session: Session) -> None:
    code = "from IPython.display import display\nwhile True: display('y' * 100_000)"
    result = await run(session, code)
    assert result.status in (CellStatus.ERROR, CellStatus.KILLED)
    assert result.reason == "flood"
    assert show(await run(session, "print('on')")) == "on\n"


async def test_sessions_see_neither_variables_nor_folders_of_each_other(
    sandbox: Sandbox, inputs: Path, gateway: RealGateway
) -> None:
    sessions = [await sandbox.open(inputs, Limits()) for _ in range(2)]
    try:
        code = "import os; own = {}; open('output/{}', 'w').close(); print(os.getcwd())"
        places = await asyncio.gather(
            *(run(one, code.format(n, n)) for n, one in enumerate(sessions))
        )
        seen = [show(await run(one, "print(own, os.listdir('output'))")) for one in sessions]
        assert len(gateway.kernels()) == 2
    finally:
        for one in sessions:
            await one.close()
    assert seen == ["0 ['0']\n", "1 ['1']\n"]
    assert show(places[0]) != show(places[1])


async def test_nothing_is_asked_of_the_gateway_before_the_first_cell(
    session: Session, gateway: RealGateway, tmp_path: Path
) -> None:
    assert await session.changes() == ()
    assert (await session.harvest(tmp_path / "taken")).files == ()
    assert gateway.kernels() == []


async def test_the_kernel_is_deleted_with_the_harvest(
    session: Session, gateway: RealGateway, tmp_path: Path
) -> None:
    place = await run(session, "import os; open('output/a', 'w').close(); print(os.getcwd())")
    assert len(gateway.kernels()) == 1
    await session.harvest(tmp_path / "taken")
    assert gateway.kernels() == []
    folder = Path(show(place).strip())
    assert folder.is_relative_to(gateway.folder)
    wait_for(lambda: not folder.exists(), "its folder is gone")


@pytest.mark.parametrize("delay_s", [0.0, 0.05, 0.3, 1.0, 3.0])
async def test_a_cancelled_cell_leaves_no_kernel_once_closed(
    sandbox: Sandbox, inputs: Path, gateway: RealGateway, delay_s: float
) -> None:
    """Cancelled while the kernel is asked for, starts, is given its inputs, or runs the cell."""
    session = await sandbox.open(inputs, Limits())
    task = asyncio.create_task(run(session, "while True: pass"))
    await asyncio.sleep(delay_s)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await session.close()
    assert gateway.kernels() == []


@pytest.mark.parametrize("delay_s", [0.05, 1.0, 3.0])
async def test_closing_from_elsewhere_ends_a_cell_on_its_way(
    sandbox: Sandbox, inputs: Path, gateway: RealGateway, delay_s: float
) -> None:
    session = await sandbox.open(inputs, Limits())
    task = asyncio.create_task(run(session, "while True: pass"))
    await asyncio.sleep(delay_s)
    await session.close()
    with contextlib.suppress(KernelLost):
        assert (await task).status is CellStatus.KILLED
    assert gateway.kernels() == []
    with pytest.raises(KernelLost, match="closed"):
        await run(session, "1")


async def test_tools_run_in_this_hosts_own_sandbox(sandbox: Sandbox, gateway: RealGateway) -> None:
    result = await sandbox.run_tool(ToolJob(["python", "-c", "import os; print(os.getcwd())"]))
    assert result.stdout == b"/work\n"
    assert gateway.kernels() == []


def test_a_run_is_told_whose_walls_these_are(gateway: RealGateway, sandbox: Sandbox) -> None:
    facts = sandbox.environment()
    assert facts["sandbox"] == "gateway"
    assert facts["layers"].startswith("the gateway's own: ")
    assert gateway.url in facts["gateway"]
    assert facts["checks_sandbox"] in ("zygote", "bwrap")
    assert gateway.token not in str(facts) + repr(sandbox)


async def test_a_wrong_token_is_said_to_be_one(
    gateway: RealGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYBENCH_GATEWAY_TOKEN", "wrong")
    with pytest.raises(SandboxUnavailable, match=r"refuses us \(40[13]\).*PYBENCH_GATEWAY_TOKEN"):
        open_sandbox()


async def test_a_kernel_that_the_gateway_does_not_have_is_named(
    gateway: RealGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYBENCH_GATEWAY_KERNEL", "julia")
    with pytest.raises(SandboxUnavailable, match=f"no kernel “julia”; it has: .*{KERNEL}"):
        open_sandbox()


async def test_a_gateway_that_is_killed_makes_void_and_the_worker_lives(
    gateway: RealGateway, inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with real_gateway(tmp_path / "other") as other:
        for name, value in other.settings().items():
            monkeypatch.setenv(name, value)
        sandbox = open_sandbox()
        sessions = [await sandbox.open(inputs, Limits()) for _ in range(3)]
        running, idle, unused = sessions
        await asyncio.gather(run(running, "1"), run(idle, "1"))
        task = asyncio.create_task(run(running, SLEEP))
        await heard_from(running)
        other.kill()
        with pytest.raises(KernelLost, match="cannot be reached"):
            await task
        with pytest.raises(KernelLost, match="cannot be reached"):
            await run(idle, "1")
        with pytest.raises(KernelLost, match="cannot be reached"):
            await run(unused, "1")
        for session in sessions:
            await session.close()
        await sandbox.close()
        with pytest.raises(SandboxUnavailable, match="cannot be reached"):
            open_sandbox()
    for name, value in gateway.settings().items():
        monkeypatch.setenv(name, value)
    sandbox = open_sandbox()
    session = await sandbox.open(inputs, Limits())
    assert show(await run(session, "print(6 * 7)")) == "42\n"
    await session.close()
    await sandbox.close()


async def test_a_gateway_killed_before_the_harvest_makes_void(
    gateway: RealGateway, inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with real_gateway(tmp_path / "other") as other:
        for name, value in other.settings().items():
            monkeypatch.setenv(name, value)
        sandbox = open_sandbox()
        session = await sandbox.open(inputs, Limits())
        await run(session, "open('output/a.txt', 'w').write('x')")
        other.kill()
        with pytest.raises(KernelLost, match="cannot be reached"):
            await session.harvest(tmp_path / "taken")
        await session.close()
        await sandbox.close()


def test_an_unknown_kernel_id_is_a_404(gateway: RealGateway) -> None:
    """What `FORGOTTEN` rests on."""
    with pytest.raises(urllib.error.HTTPError, match="404"):
        gateway.ask("DELETE", "/api/kernels/00000000-0000-4000-8000-000000000000")
