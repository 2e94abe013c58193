"""Attempts from one warm parent: they share memory that is never written, and nothing else."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

from conftest import wait_until
from runner.contract import CellResult, CellStatus, KernelLost, Limits
from runner.sandbox.base import Sandbox, Session, ToolJob
from runner.sandbox.factory import ZygoteSandbox, open_sandbox
from runner.sandbox.host.kernel_env import find_kernel_environment
from runner.sandbox.inside import hugepages
from runner.sandbox.kernel.provisioner import OneKernelSpec
from runner.sandbox.policy import ENVIRONMENT
from runner.tests.support.sandboxd_processes import (
    find_services,
    living,
    tree_of,
    words_of,
)
from runner.tests.support.sessions import opened

REPOSITORY = Path(__file__).resolve().parents[3]

pytestmark = pytest.mark.sandbox

DRAW = """
import json, os, random, secrets, ssl, tempfile, uuid
import numpy as np, scipy.stats, sklearn.utils
print(json.dumps({
    "random": random.random(),
    "numpy legacy": float(np.random.rand()),
    "numpy default_rng": float(np.random.default_rng().random()),
    "numpy RandomState": float(np.random.RandomState().rand()),
    "scipy": float(scipy.stats.norm.rvs()),
    "sklearn": float(sklearn.utils.check_random_state(None).rand()),
    "secrets": secrets.token_hex(8),
    "openssl": ssl.RAND_bytes(8).hex(),
    "uuid4": str(uuid.uuid4()),
    "uuid1": str(uuid.uuid1()),
    "tempfile": tempfile.mktemp(),
    "session": get_ipython().kernel.session.session,
    "key": get_ipython().kernel.session.key.decode(),
}))
"""
LEAVE = """
import builtins, os, sys, tempfile, threading
import numpy as np, pandas as pd, matplotlib.pyplot as plt, matplotlib
builtins.left = pd.left = np.left = "left"
os.environ["LEFT"] = "left"
sys.path.insert(0, "/tmp/left")
plt.rcParams["font.size"] = 77
pd.set_option("display.max_rows", 7)
np.random.seed(1); np.set_printoptions(precision=1)
plt.figure()
for place in ("/tmp", "/dev/shm", "/work", "/work/output", "/tmp/home"):
    open(f"{place}/left", "w").write("left")
opened = open("/tmp/left")
os.umask(0o077); os.chdir("/tmp")
print("left")
"""
LOOK = """
import builtins, glob, os, sys
import numpy as np, pandas as pd, matplotlib.pyplot as plt
print([
    hasattr(builtins, "left"), hasattr(pd, "left"), hasattr(np, "left"), "LEFT" in os.environ,
    "/tmp/left" in sys.path, plt.rcParams["font.size"] == 77,
    pd.get_option("display.max_rows") == 7, np.get_printoptions()["precision"] == 1,
    plt.get_fignums() != [], "left" in dir(), len(In) > 3, os.getcwd() != "/work",
    os.umask(0o022) != 0o022, glob.glob("/tmp/left*") + glob.glob("/dev/shm/*") != [],
    os.listdir("/work") != ["data", "output"] and sorted(os.listdir("/work")) != ["data", "output"],
    os.listdir("/work/output") != [], os.path.exists("/tmp/home/left"),
    sorted(os.listdir("/proc")).count("1") != 1,
])
"""
ODDITIES = """
import sys, os, gc, threading
print([name for name in sys.modules if name.split(".")[0] in ("runner", "leaderboard")])
print([path for path in sys.path if "proc" in path or "pybench" in path])
print("LD_LIBRARY_PATH" in os.environ, gc.isenabled(), os.nice(0) >= 5)
try:
    import runner
except ImportError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[ZygoteSandbox]:
    opened = open_sandbox()
    assert isinstance(opened, ZygoteSandbox)
    yield opened
    asyncio.run(opened.close())


@asynccontextmanager
async def sessions(sandbox: Sandbox, inputs: Path, count: int) -> AsyncIterator[list[Session]]:
    opened = [await sandbox.open(inputs, Limits()) for _ in range(count)]
    try:
        yield opened
    finally:
        for session in opened:
            await session.close()


def show(result: CellResult) -> str:
    return "".join(output.text for output in result.outputs)


async def draw(session: Session) -> dict[str, Any]:
    result = await session.run(DRAW, 60)
    assert result.status is CellStatus.OK, show(result)
    drawn: dict[str, Any] = json.loads(show(result))
    return drawn


async def test_every_source_of_randomness_differs_between_siblings(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    async with sessions(sandbox, tmp_path, 3) as opened:
        drawn = [await draw(session) for session in opened]
    for source in drawn[0]:
        values = [found[source] for found in drawn]
        assert len(set(values)) == len(values), f"{source}: {values}"


async def test_a_second_kernel_of_one_session_draws_anew(sandbox: Sandbox, tmp_path: Path) -> None:
    async with sessions(sandbox, tmp_path, 1) as (session,):
        first = await draw(session)
        await session.run("import os; os._exit(1)", 120)
        result = await session.run(DRAW, 60)
    second = json.loads(result.outputs[-1].text)
    assert [source for source in first if first[source] == second[source]] == []


async def test_what_one_attempt_leaves_no_sibling_finds(sandbox: Sandbox, tmp_path: Path) -> None:
    """Neither one that runs beside it, nor one that starts when it is over."""
    async with sessions(sandbox, tmp_path, 2) as (one, other):
        await other.run("1", 60)
        assert show(await one.run(LEAVE, 60)).startswith("left\n")
        beside = await other.run(LOOK, 60)
        await one.close()
        async with opened(sandbox, tmp_path) as after:
            later = await after.run(LOOK, 60)
    for result in (beside, later):
        assert result.status is CellStatus.OK, show(result)
        assert "True" not in show(result), show(result)


async def test_kernel_learns_nothing_of_its_origin(sandbox: Sandbox, tmp_path: Path) -> None:
    async with sessions(sandbox, tmp_path, 1) as (session,):
        shown = show(await session.run(ODDITIES, 60))
    assert shown == "[]\n[]\nFalse True True\nNo module named 'runner'\n"


async def test_string_hashes_are_the_same_in_all_children_of_a_zygote(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    """As documented: the seed is the zygote's, and changes with it."""
    async with sessions(sandbox, tmp_path, 2) as opened:
        shown = [show(await session.run("print(hash('a word'))", 60)) for session in opened]
    assert shown[0] == shown[1]


async def test_inputs_are_there_in_folders_with_their_times_and_cannot_be_changed(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    inputs = tmp_path / "inputs"
    (inputs / "more" / "deep").mkdir(parents=True)
    for number in range(70):
        (inputs / "more" / f"{number}.txt").write_text(str(number))
    secret = inputs / "more" / "deep" / "表.csv"
    secret.write_bytes(b"x" * (3 << 20))
    secret.chmod(0o600)
    os.utime(secret, (1_000_000_000, 1_000_000_000))
    (inputs / "link").symlink_to("/etc/passwd")
    code = (
        "import os\nprint(sum(len(f) for _, _, f in os.walk('data')), os.listdir('data'))\n"
        "s = os.stat('data/more/deep/表.csv'); print(s.st_size, int(s.st_mtime))\n"
        "for f in (lambda: open('data/more/1.txt', 'w'), lambda: os.remove('data/more/1.txt'),"
        " lambda: os.chmod('data/more/1.txt', 0o777), lambda: os.mkdir('data/new')):\n"
        "    try: f(); print('SUCCEEDED')\n    except OSError as e: print(e.errno)\n"
    )
    async with sessions(sandbox, inputs, 1) as (session,):
        shown = show(await session.run(code, 60))
    assert shown == "71 ['more']\n3145728 1000000000\n30\n30\n30\n30\n"


async def test_a_killed_zygote_voids_what_it_forked_and_the_next_attempt_works(
    sandbox: ZygoteSandbox, tmp_path: Path
) -> None:
    """Its kernels die with it through no fault of their code: the attempt is no fail."""
    async with sessions(sandbox, tmp_path, 2) as (lost, later):
        await lost.run("x = 1", 60)
        zygote = find_services(sandbox).zygote
        inside = tree_of(zygote)
        assert len(inside) >= 2
        cell = asyncio.create_task(lost.run("while True: pass", 60))
        await asyncio.sleep(0.5)
        os.kill(zygote, signal.SIGKILL)
        with pytest.raises(KernelLost, match="forked from was lost"):
            await cell
        with pytest.raises(KernelLost, match="zygote was lost"):
            await lost.run("x", 60)
        wait_until(lambda: not living(inside), "everything behind the first wall is gone")
        assert show(await later.run("print(6 * 7)", 120)) == "42\n"
    assert find_services(sandbox).zygote != zygote


async def test_a_killed_service_leaves_nothing_and_the_next_attempt_works(
    sandbox: ZygoteSandbox, tmp_path: Path
) -> None:
    async with sessions(sandbox, tmp_path, 2) as (lost, later):
        await lost.run("open('output/kept', 'w').write('kept')", 60)
        services = find_services(sandbox)
        inside = [*tree_of(services.zygote), *tree_of(services.service)]
        os.kill(services.service, signal.SIGKILL)
        wait_until(lambda: not living(inside), "everything of the service is gone")
        with pytest.raises(KernelLost, match="service was lost"):
            await lost.run("1", 60)
        taken = await lost.harvest(tmp_path / "taken")  # its descriptor is ours
        assert [stored.path for stored in taken.files] == ["kept"]
        assert show(await later.run("print(6 * 7)", 120)) == "42\n"


TOOL = """
import json, os, sys
from pathlib import Path
import matplotlib
shown = {str(p.relative_to("/opt/pybench")): p.is_dir() for p in Path("/opt/pybench").rglob("*")}
Path("made.txt").write_text(sys.stdin.read())
try:
    Path("/opt/pybench/data/a.txt").write_text("x")
except OSError as error:
    print(error.errno)
print(json.dumps([shown, matplotlib.get_backend(), __name__, sys.argv, os.getpid()]))
os.system("sleep 1000 &")
"""


async def test_a_forked_tool_sees_what_it_is_shown_and_is_ended_whole(
    sandbox: ZygoteSandbox, tmp_path: Path
) -> None:
    data, empty, made = (tmp_path / name for name in ("data", "empty", "made"))
    for folder in (data, empty, made):
        folder.mkdir()
    (data / "a.txt").write_text("given")
    binds = {data: "/opt/pybench/data", empty: "/opt/pybench/empty"}
    job = ToolJob(["python", "-I", "-B", "-c", TOOL, "word"], binds, made, b"said")
    zygote = find_services(sandbox).zygote
    result = await sandbox.run_tool(job)
    assert result.returncode == 0, result.stderr
    first, second = result.stdout.decode().splitlines()
    assert first == "30"
    shown, backend, name, argv, number = json.loads(second)
    assert shown == {"data": True, "data/a.txt": False, "empty": True}
    assert (backend.lower(), name, argv) == ("agg", "__main__", ["-c", "word"])
    assert number == 1  # all that it starts ends with it
    assert (made / "made.txt").read_text() == "said"
    assert result.cpu_s > 0
    wait_until(lambda: not any("sleep" in words_of(p) for p in tree_of(zygote)), "it has ended")


@pytest.mark.parametrize(
    ("code", "returncode"),
    [
        ("import sys; sys.exit(3)", 3),
        ("raise ValueError('of its own')", 1),
        ("import ctypes; ctypes.string_at(0)", -11),
        ("import os; os.abort()", -11),
        ("import os; os.kill(os.getpid(), 9)", 0),  # the first of its world, so in vain
        ("import os, time\nif os.fork() == 0: time.sleep(1000)", 0),
        ("import os\nfor fd in range(3, 200):\n try: os.close(fd)\n except OSError: pass", 0),
    ],
)
async def test_end_of_a_forked_tool_is_reported(
    sandbox: Sandbox, code: str, returncode: int
) -> None:
    result = await sandbox.run_tool(ToolJob(["python", "-c", code]))
    assert result.returncode == returncode, result.stderr
    assert ("of its own" in result.stderr) is ("of its own" in code)


async def test_many_tools_end_each_with_its_own_word(sandbox: Sandbox) -> None:
    burn = "import time\nwhile time.process_time() < {}: pass\nraise SystemExit({})"
    jobs = [ToolJob(["python", "-c", burn.format(n / 20, n)]) for n in range(8)]
    results = await asyncio.gather(*(sandbox.run_tool(job) for job in jobs))
    assert [result.returncode for result in results] == list(range(8))
    assert all(result.cpu_s >= n / 20 for n, result in enumerate(results))


@pytest.mark.parametrize("has_browser", [False, True])
async def test_a_forked_tool_with_a_browser_has_no_cap_on_addresses(
    sandbox: Sandbox, has_browser: bool
) -> None:
    code = "from resource import *; print(*map(getrlimit, (RLIMIT_AS, RLIMIT_NPROC)))"
    job = ToolJob(["python", "-c", code], limits=Limits(processes=40), has_browser=has_browser)
    said = (await sandbox.run_tool(job)).stdout.decode()
    addresses, _, processes, _ = map(int, re.findall(r"\d+", said))
    assert (processes > 40) is has_browser
    assert (addresses > 1 << 60) is has_browser


def test_large_pages_are_made_of_whole_private_ranges_alone() -> None:
    maps = """00300000-00a00000 rw-p 00000000 00:00 0                          [heap]
7f0000000000-7f0000400000 rw-p 00000000 00:00 0 
7f0000500000-7f0000600000 rw-p 00000000 00:00 0 
7f0001000000-7f0001400000 rw-s 00000000 00:01 7                          /memfd:x (deleted)
7f0002000000-7f0002400000 rw-p 00200000 fe:00 99                         /usr/lib/libc.so.6
7f0003000000-7f0003400000 r--p 00000000 00:00 0 
7ffc00000000-7ffc00400000 rw-p 00000000 00:00 0                          [stack]
"""  # noqa: W291 (as the system writes it)
    found = list(hugepages.find_ranges(maps))
    assert found == [(0x400000, 0xA00000), (0x7F0000000000, 0x7F0000400000)]


def test_gathering_memory_in_large_pages_changes_nothing_in_it() -> None:
    """In a process of its own; how much the system gathers is its affair."""
    code = (
        "from runner.sandbox.inside import hugepages\n"
        "kept = [bytes([n % 256]) * 5000 for n in range(5000)]\n"
        "done = hugepages.collapse()\n"
        "assert done >= 0 and done % hugepages.SIZE_BYTES == 0\n"
        "assert all(value == bytes([n % 256]) * 5000 for n, value in enumerate(kept))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=240)


SETTINGS = """
import matplotlib.pyplot as plt, pandas as pd, os, decimal, locale, logging, zlib
print(plt.get_fignums(), os.listdir("output"))
print(pd.options.display.max_rows, decimal.getcontext(), locale.getlocale())
print(logging.getLogger().handlers, logging.getLogger("matplotlib").level)
plt.plot([1, 2]); plt.title("drawn"); plt.savefig("output/a.png")
print(plt.gcf().number, zlib.crc32(plt.imread("output/a.png").tobytes()))
print(sorted(map(str, plt.rcParams.items())))  # the backend is chosen with the first figure
"""


async def test_a_kernel_that_began_cold_finds_the_same_settings(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    """The rehearsal before the fork shows in no figure, setting, folder or picture."""
    async with sessions(sandbox, tmp_path, 1) as (session,):
        warm = await session.run(SETTINGS, 60)
    assert warm.status is CellStatus.OK, warm.outputs
    assert warm.outputs[0].text == await settings_of_cold_kernel(tmp_path)


async def settings_of_cold_kernel(folder: Path) -> str:
    """What SETTINGS print in an ordinary kernel of the kernels' environment."""
    (folder / "output").mkdir()
    bin_folder = find_kernel_environment().folder / "bin"
    argv = [str(bin_folder / "python"), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    manager = AsyncKernelManager(kernel_spec_manager=OneKernelSpec(spec=KernelSpec(argv=argv)))
    own = {"PATH": f"{bin_folder}:/usr/bin:/bin", "HOME": str(folder), "TMPDIR": str(folder)}
    kept = {name: text for name, text in ENVIRONMENT.items() if not text.startswith("/tmp")}
    await manager.start_kernel(cwd=str(folder), env={**kept, **own})
    client, printed = manager.client(), list[str]()
    client.start_channels()
    try:
        await client.wait_for_ready(timeout=120)
        await client.execute_interactive(
            SETTINGS,
            timeout=120,
            output_hook=lambda said: printed.append(said["content"].get("text", "")),
        )
    finally:
        client.stop_channels()
        await manager.shutdown_kernel(now=True)
    return "".join(printed)


def test_every_act_of_the_rehearsal_works_in_the_kernels_environment() -> None:
    program = "from runner.sandbox.inside import warm_up as rehearsal; print(rehearsal.rehearse())"
    python = find_kernel_environment().folder / "bin" / "python"
    done = subprocess.run(
        [str(python), "-c", program],
        cwd=REPOSITORY,
        env={**os.environ, "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout == "[]\n", done.stderr


async def test_kernels_have_the_same_umask_wherever_they_are_started(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        opened = open_sandbox()
        async with sessions(opened, tmp_path, 1) as (session,):
            result = await session.run("import os; print(oct(os.umask(0o22)))", 60)
        await opened.close()
    finally:
        os.umask(before)
    assert show(result) == "0o22\n"
