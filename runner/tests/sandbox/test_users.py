"""A user of the host for each sandbox: what is counted by user touches nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from collections import Counter
from pathlib import Path

import pytest

from runner.contract import SandboxUnavailable
from runner.sandbox import host_findings
from runner.sandbox.base import Sandbox, Session, ToolJob
from runner.sandbox.host import account
from runner.sandbox.host.users import Users
from runner.sandbox.policy import Range
from runner.tests.support.sandboxd_processes import HOLD
from runner.tests.support.sessions import opened, tell, two_sessions

HAS_USERS = account.find_range().given is not None and os.geteuid() == 0
needs_users = pytest.mark.skipif(not HAS_USERS, reason="this host gives no users to sandboxes")


async def find_user(session: Session) -> int:
    """Whom its processes run as on the host."""
    marker = f"9{secrets.randbelow(10**8):08}"
    await tell(session, f"import subprocess; p = subprocess.Popen(['sleep', '{marker}'])")
    # The parent goes on once exec has begun; the name is there a moment later.
    async with asyncio.timeout(180):
        while True:
            for folder in Path("/proc").glob("[0-9]*"):
                with contextlib.suppress(OSError):
                    if (folder / "cmdline").read_bytes() == f"sleep\0{marker}\0".encode():
                        return folder.stat().st_uid
            await asyncio.sleep(0.02)


@needs_users
@pytest.mark.sandbox
async def test_each_sandbox_runs_as_a_user_of_its_own(sandbox: Sandbox, inputs: Path) -> None:
    given = account.find_range().given
    assert given is not None
    async with two_sessions(sandbox, inputs) as (one, other):
        first, second = await find_user(one), await find_user(other)
        await one.run("import os; os._exit(1)", 120)
        again = await find_user(one)
    assert first != second
    assert again == first  # its files are there still
    for uid in (first, second):
        assert given.first_uid <= uid < given.first_uid + given.count


@needs_users
@pytest.mark.sandbox
async def test_what_one_has_on_its_way_is_not_counted_for_the_other(
    sandbox: Sandbox, inputs: Path
) -> None:
    async with two_sessions(sandbox, inputs) as (one, other):
        held = await tell(one, HOLD)
        also_held = await tell(other, HOLD)
        assert held == also_held
        assert int(held.split()[0]) >= 1000
        result = await sandbox.run_tool(ToolJob(["python", "-c", "print(42)"]))
        assert result.stdout == b"42\n"
        async with opened(sandbox, inputs) as third:
            assert await tell(third, "print(42)") == "42\n"


FILL_PIPES = """
import fcntl, os
pipes = []; pages = 0
try:
    while True:
        pipes.append(os.pipe()); pages += fcntl.fcntl(pipes[-1][0], 1032) // 4096
except OSError: pass
print(fcntl.fcntl(pipes[-1][0], 1032))
"""


@needs_users
@pytest.mark.sandbox
async def test_one_that_fills_pipes_leaves_the_others_theirs_whole(
    sandbox: Sandbox, inputs: Path
) -> None:
    """Beyond 64 MiB of pipes a user's next ones are small."""
    async with two_sessions(sandbox, inputs) as (one, other):
        fork = "import os\nfor _ in range(5):\n    if os.fork() == 0:\n"
        body = "".join(f"        {line}\n" for line in FILL_PIPES.strip().splitlines())
        await tell(one, fork + body + "        import time; time.sleep(600)")
        await asyncio.sleep(1)
        asked = "import fcntl, os; print(fcntl.fcntl(os.pipe()[0], 1032))"
        assert await tell(other, asked) == "65536\n"


CLOSED = """
import os
os.makedirs('output/closed/deep')
for path in ('output/closed/deep/a.txt', 'output/private.txt', 'output/none.txt'):
    open(path, 'w').write('kept')
os.chmod('output/private.txt', 0o600); os.chmod('output/none.txt', 0)
os.chmod('output/closed/deep/a.txt', 0o200); os.chmod('output/closed/deep', 0)
os.chmod('output/closed', 0o700); os.chmod('output', 0o700); os.chmod('.', 0o700)
"""


@pytest.mark.sandbox
async def test_what_a_sandbox_closed_to_others_is_harvested(
    sandbox: Sandbox, inputs: Path, tmp_path: Path
) -> None:
    async with opened(sandbox, inputs) as session:
        await tell(session, CLOSED)
        changed = {change.path for change in await session.changes()}
        taken = await session.harvest(tmp_path / "taken")
    expected = ["output/closed/deep/a.txt", "output/none.txt", "output/private.txt"]
    if os.geteuid() == 0:
        assert sorted(changed) == expected
    assert sorted(f"output/{stored.path}" for stored in taken.files) == expected
    assert taken.refused == ()
    assert {stored.location.read_text() for stored in taken.files} == {"kept"}


@pytest.mark.sandbox
async def test_a_working_folder_that_was_closed_lets_the_next_kernel_in(
    sandbox: Sandbox, inputs: Path
) -> None:
    (inputs / "deep").mkdir()
    (inputs / "deep" / "a.txt").write_text("given")
    async with opened(sandbox, inputs) as session:
        await tell(session, "import os; open('b.txt', 'w').write('own'); os.chmod('.', 0)")
        await session.run("os._exit(1)", 120)
        code = "print(open('b.txt').read(), open('data/deep/a.txt').read())"
        assert (await tell(session, code)).endswith("own given\n")


@pytest.mark.sandbox
async def test_tool_changes_its_files_and_closed_ones_come_back(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    made = tmp_path / "made"
    made.mkdir()
    (made / "a.txt").write_text("old")
    code = (
        "import os\nopen('a.txt', 'a').write(' and new')\nos.mkdir('b')\n"
        "open('b/c.txt', 'w').write('own')\nos.chmod('b/c.txt', 0o600); os.chmod('b', 0o700)"
    )
    result = await sandbox.run_tool(ToolJob(["python", "-c", code], writable=made))
    assert result.returncode == 0, result.stderr
    assert (made / "a.txt").read_text() == "old and new"
    assert (made / "b" / "c.txt").read_text() == "own"


def test_users_are_lent_one_at_a_time_until_too_few_remain() -> None:
    users = Users(Range(1, 1, 100, 200, 5))
    loans = [users.lend() for _ in range(5)]
    assert sorted(loan.owner for loan in loans) == [(100 + n, 200 + n) for n in range(5)]
    beyond = users.lend()
    assert beyond.owner in {loan.owner for loan in loans}
    loans[0].end()
    loans[0].end()
    beyond.end()
    for loan in loans[1:]:
        loan.end()
    again = Counter(users.lend().number for _ in range(5))
    assert again == Counter(range(5))


@pytest.mark.parametrize(
    "setting", ["5", "9-3", "0-10", "1-x", "64900-64999", "1-4294967295", "-5-7", "٣-٩"]
)
def test_invalid_range_is_named(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account, "sandbox_uid", lambda: 64917)
    monkeypatch.setenv("PYBENCH_SANDBOX_UIDS", setting)
    with pytest.raises(SandboxUnavailable, match="PYBENCH_SANDBOX_UIDS"):
        account.read_range()


def test_the_range_is_one_that_containers_have_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYBENCH_SANDBOX_UIDS", "")
    first, last = account.read_range()
    assert first <= last < 1 << 16


SUBUID = "# a comment\nother:100000:65536\nbad:x:y\npybench:300000:70000\n1234:400000:10\n"


@pytest.mark.parametrize(
    ("names", "found"),
    [(("pybench", "77"), (300000, 70000)), (("nobody", "1234"), (400000, 10))],
)
def test_subordinate_ranges_are_read(
    names: tuple[str, str], found: tuple[int, int], tmp_path: Path
) -> None:
    (tmp_path / "subuid").write_text(SUBUID)
    assert account.read_subordinate(tmp_path / "subuid", names) == found


def test_user_without_a_subordinate_range_is_reported(tmp_path: Path) -> None:
    for name in ("bad", "stranger"):
        (tmp_path / "subuid").write_text(SUBUID)
        with pytest.raises(LookupError, match=f"no line for {name}"):
            account.read_subordinate(tmp_path / "subuid", (name, "5"))


def test_the_doctor_says_where_all_share_one_user(monkeypatch: pytest.MonkeyPatch) -> None:
    lack = account.FoundAccount(None, "newuidmap is missing")
    monkeypatch.setattr(host_findings, "find_range", lambda: lack)
    fact, remedy = host_findings.look_at_users()
    assert fact == "one: newuidmap is missing"
    assert "/etc/subuid" in remedy
