"""Cells and files behind a real Jupyter gateway on loopback, and what is said of it."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import pytest

from runner.contract import CellStatus, Limits
from runner.sandbox.base import Sandbox, SandboxUnavailable, Session, ToolJob
from runner.sandbox.factory import open_sandbox
from runner.sandbox.harvest import FILES
from runner.tests.attacks.surroundings import show
from runner.tests.gateways.real import KERNEL, RealGateway
from runner.tests.gateways.talk import BYTES, heard_from, kinds, run

pytestmark = [pytest.mark.sandbox, pytest.mark.services]


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
