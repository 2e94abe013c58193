"""Exits, pagers, questions and left-out modules: cells ask for them and a kernel has none."""

from __future__ import annotations

import asyncio
import secrets
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from runner.contract import CellResult, CellStatus, Limits
from runner.model.observation import observe
from runner.sandbox.base import Sandbox, Session
from runner.sandbox.factory import open_sandbox
from runner.sandbox.inside.kernel_left_out import INSTEAD, describe_instead
from runner.sandbox.kernel.connection import EARLIER
from runner.sandbox.zygote.service_client import end_own_daemons

pytestmark = [pytest.mark.sandbox, pytest.mark.asyncio(loop_scope="module")]

KEPT = "The kernel and its variables are kept."
AFTER = "import time; time.sleep(0.4); print('x is', x)"  # longer than what is still to come
FORK = "import os, sys\nchild = os.fork()\nif child == 0:\n    print('child', flush=True)\n    {}\n"

# Each begins with x = 1. The cell's status, words of what the model reads, and a later cell
# still finds x.
KEEPING = {
    "exit": ("exit()", CellStatus.OK, KEPT),
    "exit without brackets": ("\nexit", CellStatus.OK, "exit() ends the cell"),
    "quit": ("quit()", CellStatus.OK, KEPT),
    "exit in the middle": ("\nexit()\nprint('not here')", CellStatus.OK, KEPT),
    "exit of success": ("exit(0)", CellStatus.OK, KEPT),
    "exit of failure": ("exit(3)", CellStatus.ERROR, "at its exit, a failure with the code 3."),
    "exit with a message": (
        "quit('no such file')",
        CellStatus.ERROR,
        f"ended at its exit, a failure with the message no such file. {KEPT}",
    ),
    "%quit": ("\n%quit", CellStatus.OK, KEPT),
    "%exit": ("\n%exit", CellStatus.OK, KEPT),
    "sys.exit": ("import sys; sys.exit()", CellStatus.OK, KEPT),
    "sys.exit of success": ("import sys; sys.exit(0)", CellStatus.OK, KEPT),
    "sys.exit of no failure": ("import sys; sys.exit(False)", CellStatus.OK, KEPT),
    "tests that pass": (
        "\nimport unittest\nclass T(unittest.TestCase):\n    def test(self): pass\nunittest.main()",
        CellStatus.OK,
        KEPT,
    ),
    "tests that fail": (
        "\nimport unittest\nclass T(unittest.TestCase):\n    def test(self): self.fail()\n"
        "unittest.main()",
        CellStatus.ERROR,
        "FAILED (failures=1)",
    ),
    "sys.exit of failure": ("import sys; sys.exit('bad')", CellStatus.ERROR, "SystemExit: bad"),
    "raise": ("raise SystemExit", CellStatus.OK, KEPT),
    "warnings are errors": (
        "import sys, warnings; warnings.simplefilter('error'); sys.exit()",
        CellStatus.OK,
        KEPT,
    ),
    "the shell is asked": ("get_ipython().ask_exit()", CellStatus.OK, KEPT),
    "the shell's switch": ("get_ipython().exit_now = True", CellStatus.OK, "printed nothing"),
    "the kernel is asked": ("get_ipython().kernel.do_shutdown(False);", CellStatus.OK, ""),
    "the loop is stopped": (
        "import asyncio; asyncio.get_event_loop().stop()",
        CellStatus.OK,
        "printed nothing",
    ),
    "a module": (
        "open('leaves.py', 'w').write('print(5)\\nexit()')\nimport leaves",
        CellStatus.OK,
        KEPT,
    ),
    "a script": (
        "open('leaves.py', 'w').write('print(5)\\nquit()')\n%run leaves.py",
        CellStatus.OK,
        "5",
    ),
    "a thread": (
        "import sys, threading\nfor end in (exit, sys.exit): threading.Thread(target=end).start()",
        CellStatus.OK,
        "printed nothing",
    ),
    "a callback": (
        "import asyncio, sys; asyncio.get_event_loop().call_later(0.2, sys.exit);",
        CellStatus.OK,
        "printed nothing",
    ),
    "a task": (
        "import asyncio\nasync def end(): exit()\ntask = asyncio.create_task(end())\n"
        "await asyncio.sleep(0.05); print('on')",
        CellStatus.OK,
        "on",
    ),
    "awaiting": ("import asyncio\nawait asyncio.sleep(0)\nexit()", CellStatus.OK, KEPT),
    "a hook after cells": (
        "get_ipython().events.register('post_run_cell', lambda *_: exit())",
        CellStatus.OK,
        "",
    ),
    "an exit handler": (
        "import atexit; atexit.register(exit); atexit.register(quit);",
        CellStatus.OK,
        "",
    ),
    "a value's own words": ("\nclass A:\n    def __repr__(self): exit()\nA()", CellStatus.OK, KEPT),
    "a signal to be interrupted": (
        "import os, signal; os.kill(os.getpid(), signal.SIGINT)",
        CellStatus.ERROR,
        "KeyboardInterrupt",
    ),
    "its parent": (
        "import os, signal; os.kill(os.getppid() or 2**22, signal.SIGKILL)",
        (CellStatus.OK, CellStatus.ERROR),  # behind the second wall it has none
        "",
    ),
    **{
        f"a fork that ends by {end}": (
            f"\n{FORK.format(end)}os.waitpid(child, 0); print('parent')",
            CellStatus.OK,
            "parent",
        )
        for end in ("exit()", "sys.exit(3)", "os._exit(0)", "1 / 0")
    },
    "a fork that nobody waits for": (
        "\nimport os, time\nchild = os.fork()\nif child == 0: time.sleep(0.2)\n"
        "print('fork', child == 0)",
        CellStatus.OK,
        "fork True",
    ),
    "a fork that comes back": (
        f"\n{FORK.format('pass')}else: os.waitpid(child, 0); print('parent')",
        CellStatus.OK,
        "parent",
    ),
}

# What ends the kernel: that cell says so, and the next one runs on a new kernel.
ENDING = {
    "os._exit": "import os; os._exit(0)",
    "abort": "import os; os.abort()",
    "segfault": "import ctypes; ctypes.string_at(0)",
    "exec": "import os; os.execv('/bin/sleep', ['sleep', '100'])",
    "closed descriptors": "import os; os.closerange(3, 4096)",
    "all descriptors": "import os; os.closerange(0, 4096)",
    "shut channels": (
        "import os, socket\nfor fd in range(3, 256):\n"
        "    try: socket.socket(fileno=fd).shutdown(socket.SHUT_RDWR)\n    except OSError: pass"
    ),
}

# A kernel that is the first process of its namespace is not reached by these.
SIGNALS = ["SIGKILL", "SIGTERM", "SIGABRT", "SIGHUP", "SIGALRM", "SIGQUIT"]


@pytest.fixture(scope="module")
def runtime() -> Iterator[Path]:
    folder = Path(f"/tmp/pb-{secrets.token_hex(3)}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYBENCH_SANDBOX_DIR", str(folder))
        patch.delenv("PYBENCH_SANDBOXD", raising=False)
        yield folder
        end_own_daemons()
    subprocess.run(["rm", "-rf", str(folder)], check=True)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sandbox(runtime: Path) -> AsyncIterator[Sandbox]:
    opened = open_sandbox()
    yield opened
    await opened.close()


@pytest.fixture(scope="module")
def nothing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nothing")


@pytest_asyncio.fixture(loop_scope="module")
async def session(sandbox: Sandbox, nothing: Path) -> AsyncIterator[Session]:
    opened = await sandbox.open(nothing, Limits())
    yield opened
    await opened.close()


def read(result: CellResult) -> str:
    """The text that a model reads of a cell."""
    return observe(result, Limits())


@pytest.mark.parametrize("name", KEEPING)
async def test_an_exit_ends_no_kernel(name: str, session: Session) -> None:
    code, expected, words = KEEPING[name]
    result = await session.run(f"x = 1; {code}", 20)
    statuses = expected if isinstance(expected, tuple) else (expected,)
    assert result.status in statuses, read(result)
    assert words in read(result)
    assert "not here" not in read(result)
    for _ in range(2):
        later = await session.run(AFTER, 20)
        assert (later.status, read(later).split("\n")[0]) == (CellStatus.OK, "x is 1"), read(later)


@pytest.mark.parametrize("name", ENDING)
async def test_a_cell_that_ends_its_kernel_is_told_and_no_later_one_is_lost(
    name: str, session: Session
) -> None:
    await session.run("x = 1", 20)
    result = await session.run(ENDING[name], 20)
    assert (result.status, result.reason) == (CellStatus.KILLED, "died"), read(result)
    assert "The kernel died while the cell was running" in read(result)
    assert EARLIER in read(result)
    for number in range(2):
        later = await session.run(f"print('later', {number})", 20)
        assert later.status is CellStatus.OK
        assert f"later {number}" in read(later)


@pytest.mark.parametrize("signal", SIGNALS)
async def test_a_signal_to_its_own_kernel_costs_at_most_its_own_cell(
    signal: str, session: Session
) -> None:
    code = f"import os, signal; os.kill(os.getpid(), signal.{signal}); print('on')"
    result = await session.run(code, 20)
    assert result.status in (CellStatus.OK, CellStatus.KILLED)
    survived = f"on\n[stderr]\nThe signal {signal} had no effect on this kernel. {KEPT}"
    assert (survived if result.status is CellStatus.OK else "The kernel died") in read(result)
    later = await session.run("print('later')", 20)
    assert (later.status, read(later).endswith("later")) == (CellStatus.OK, True)


CALL = "import asyncio, os, signal, sys, threading, time\n"
# What a cell leaves behind, that exits while a later cell runs.
LEFT_BEHIND = {
    "a timer": "threading.Timer(0.2, {end}, [4]).start()",
    "call_later": "asyncio.get_event_loop().call_later(0.2, {end}, 4);",
    "call_soon": "loop = asyncio.get_event_loop()\n"
    "threading.Timer(0.2, loop.call_soon_threadsafe, [{end}, 4]).start()",
    "a task": "async def end():\n    await asyncio.sleep(0.2)\n    {end}(4)\n"
    "task = asyncio.create_task(end())",
    "a signal": "signal.signal(signal.SIGALRM, lambda *_: {end}(4))\n"
    "threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGALRM)).start()",
    "a signal of the loop": "asyncio.get_event_loop().add_signal_handler(\n"
    "    signal.SIGALRM, lambda: {end}(4))\n"
    "threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGALRM)).start()",
    "a hook before cells": "get_ipython().events.register('pre_run_cell', lambda *_: {end}(4))",
    "a hook before code": "get_ipython().events.register('pre_execute', lambda *_: {end}(4))",
}
LATER = {
    "awaits": "import asyncio\nawait asyncio.sleep(0.5)\nprint('x is', x)",
    "does not": "import time\nend = time.monotonic() + 0.5\n"
    "while time.monotonic() < end: pass\nprint('x is', x)",
}


@pytest.mark.parametrize("later", LATER)
@pytest.mark.parametrize("end", ["os._exit", "sys.exit"])
@pytest.mark.parametrize("name", LEFT_BEHIND)
async def test_an_exit_of_an_earlier_cell_ends_no_later_one(
    name: str, end: str, later: str, session: Session
) -> None:
    left = await session.run(f"x = 1\n{CALL}{LEFT_BEHIND[name].format(end=end)}", 20)
    assert left.status is CellStatus.OK, read(left)
    result = await session.run(LATER[later], 20)
    assert (result.status, read(result)) == (CellStatus.OK, "x is 1")
    for _ in range(100):
        after = await session.run("print('x' in globals())", 20)
        assert after.status is CellStatus.OK, read(after)
        if "A new kernel was started" in read(after) or end == "sys.exit":
            break
        await asyncio.sleep(0.02)
    if end == "sys.exit":
        assert read(after) == "True"
    else:
        assert "A new kernel was started" in read(after)
        assert read(after).endswith("False")


# Nothing inside can hold these back: the cell that runs then is lost, as its observation says.
NOT_HELD = {
    "abort": "threading.Timer(0.3, os.abort).start()",
    "segfault": "import ctypes; threading.Timer(0.3, ctypes.string_at, [0]).start()",
    "exit of C": "import ctypes; threading.Timer(0.3, ctypes.CDLL(None)._exit, [3]).start()",
    "all descriptors": "threading.Timer(0.3, os.closerange, [0, 300]).start()",
}


@pytest.mark.parametrize("name", NOT_HELD)
async def test_a_cell_is_told_that_an_earlier_one_may_have_ended_its_kernel(
    name: str, session: Session
) -> None:
    left = await session.run(f"{CALL}{NOT_HELD[name]}", 20)
    assert (left.status, EARLIER in read(left)) == (CellStatus.OK, False), read(left)
    code = "import asyncio\nawait asyncio.sleep(1.5)\nprint('on')"
    result = await session.run(code, 20)
    assert (result.status, result.reason) == (CellStatus.KILLED, "died"), read(result)
    assert EARLIER in read(result)
    again = await session.run(code, 20)
    assert again.status is CellStatus.OK, read(again)
    assert read(again).endswith("on")


async def test_the_first_cell_of_a_kernel_ended_it_itself(session: Session) -> None:
    for _ in range(2):
        result = await session.run("import os; os._exit(0)", 20)
        assert result.reason == "died"
        assert EARLIER not in read(result)


async def test_a_kernel_that_dies_before_it_begins_a_cell_is_replaced_for_it(
    session: Session,
) -> None:
    """An earlier cell's callback ends it as soon as the next request is there."""
    await session.run(
        "import os\nkernel = get_ipython().kernel\nkernel.take = lambda frames: os._exit(1)\n"
        "import gc, asyncio\n"
        "for each in gc.get_objects():\n"
        "    if type(each).__name__ == 'Requests': each.handle = kernel.take",
        20,
    )
    result = await session.run("print('on')", 20)
    assert result.status is CellStatus.OK
    assert "A new kernel was started" in read(result)
    assert "variables are lost" in read(result)
    assert read(result).endswith("on")


# What a cell breaks is put back: it ends with its own error, if any, and its kernel is kept.
MENDED = {
    "no stderr": ("import sys; sys.stderr = None; 1 / 0", "ZeroDivisionError"),
    "no stdout": ("import sys; sys.stdout = None; 1 / 0", "ZeroDivisionError"),
    "neither": ("import sys; sys.stdout = sys.stderr = None", ""),
    "deleted": ("import sys; del sys.stdout, sys.stderr; 1 / 0", "ZeroDivisionError"),
    "closed stdout": ("import sys; sys.stdout.close(); print('still'); 1 / 0", "still"),
    "closed stderr": ("import sys; sys.stderr.close(); 1 / 0", "ZeroDivisionError"),
    "a closed file": (
        "import sys; sys.stdout = open('log.txt', 'w'); sys.stdout.close(); print(1)",
        "ValueError",
    ),
    "a stream without flush": (
        "import sys\nclass Tee:\n    def write(self, text): pass\nsys.stdout = Tee(); 1 / 0",
        "ZeroDivisionError",
    ),
    "a stream that fails": (
        "import sys\nclass Tee:\n    def write(self, text): 1 / 0\n    flush = write\n"
        "sys.stderr = Tee()",
        "",
    ),
    "displayhook": ("import sys; sys.displayhook = None\n5", ""),
    "excepthook": ("import sys; sys.excepthook = None; 1 / 0", "ZeroDivisionError"),
    "path": ("import sys; sys.path = sys.meta_path = None", ""),
    "print": ("import builtins; builtins.print = None; 1 / 0", "ZeroDivisionError"),
    "builtins": (
        "import builtins\nbuiltins.print = builtins.exec = builtins.compile = builtins.open = None",
        "",
    ),
    "len": ("import builtins; builtins.len = builtins.isinstance = 5; 1 / 0", "Error"),
    "import": ("import builtins; builtins.__import__ = None; import csv", "Error"),
    "deleted builtins": ("import builtins; del builtins.print, builtins.len", ""),
    "signal": ("import signal; signal.signal = None", ""),
    "json": ("import json; json.dumps = json.loads = None", ""),
    "a stream's methods": ("import sys; sys.stdout.flush = sys.stdout._flush = None; 1 / 0", ""),
    "a stream's thread": ("import sys; sys.stdout.pub_thread = None", ""),
    "the names of built-in functions": ("__builtins__ = None", ""),
    "recursion": ("import sys; sys.setrecursionlimit(60)", ""),
    "a trace function": ("import sys; sys.settrace(lambda *_: 1 / 0)", ""),
    "clock": ("import time; time.monotonic = time.time = None; 1 / 0", "Error"),
    "threads": ("import threading, os; threading.Thread = os._exit = os.getpid = None", ""),
    **{
        f"{name} = {value}": (f"get_ipython().{name} = {value}", "")
        for name in ("run_cell", "run_cell_async", "run_code", "transform_cell", "showtraceback")
        for value in ("None", "lambda *args, **kwargs: 1 / 0")
    },
    **{
        name: (f"get_ipython().{name} = None", "")
        for name in (
            *("kernel", "events", "user_ns", "displayhook", "display_formatter", "compile"),
            *("kernel.do_execute", "kernel.execute_request", "kernel.shell_main", "kernel.take"),
            *("kernel.shell", "kernel.shell_handlers", "_showtraceback", "var_expand"),
            *("events.trigger", "events.callbacks", "display_trap.hook", "displayhook.flush"),
            *("kernel.session.send", "builtin_trap", "execution_count", "display_pub.publish"),
        )
    },
}


@pytest.mark.parametrize("name", MENDED)
async def test_what_a_cell_breaks_is_put_back(name: str, session: Session) -> None:
    code, words = MENDED[name]
    result = await session.run(f"x = 1; {code}", 20)
    assert result.status in (CellStatus.OK, CellStatus.ERROR), read(result)
    assert words in read(result)
    for _ in range(2):
        later = await session.run("print('x is', len([x]))\n1 / 0", 20)
        assert (later.status, read(later).split("\n")[0]) == (CellStatus.ERROR, "x is 1")
        assert "ZeroDivisionError" in read(later)


async def test_a_replacement_that_works_is_kept(session: Session) -> None:
    await session.run("import io, sys; was = sys.stdout; sys.stdout = held = io.StringIO()", 20)
    assert read(await session.run("print('at once', file=was)", 20)) == "at once"
    await session.run("print('held')", 20)
    result = await session.run("sys.stdout = was; print('was', held.getvalue())", 20)
    assert read(result) == "was held"


@pytest.mark.parametrize("end", ["\n1 / 0", ""])
@pytest.mark.parametrize(
    "timer",
    ["signal.alarm(1)", *(
        f"signal.setitimer(signal.ITIMER_{name}, 0.2, 0.2)" for name in ("REAL", "VIRTUAL", "PROF")
    )],
)  # fmt: skip
async def test_a_timer_ends_with_its_cell(timer: str, end: str, session: Session) -> None:
    code = (
        "x = 1\nimport signal\ndef late(*_): raise TimeoutError\n"
        "for name in ('ALRM', 'VTALRM', 'PROF'): signal.signal(getattr(signal, f'SIG{name}'), late)"
    )
    result = await session.run(f"{code}\n{timer};{end}", 20)
    assert result.status is (CellStatus.ERROR if end else CellStatus.OK)
    assert "had not run out when the cell ended. It was cancelled." in read(result)
    await asyncio.sleep(1.2)
    later = await session.run(f"{AFTER}\nprint(sum(range(10**7)))", 20)
    assert (later.status, read(later).split("\n")[0]) == (CellStatus.OK, "x is 1"), read(later)


@pytest.mark.parametrize(
    "error", ["ValueError", "TimeoutError", "KeyboardInterrupt", "GeneratorExit"]
)
async def test_a_handler_that_raises_between_cells_ends_no_kernel(
    error: str, session: Session
) -> None:
    code = (
        f"x = 1\n{CALL}def late(*_): raise {error}\nsignal.signal(signal.SIGUSR1, late)\n"
        "for each in (0.2, 0.3): "
        "threading.Timer(each, os.kill, (os.getpid(), signal.SIGUSR1)).start()"
    )
    assert (await session.run(code, 20)).status is CellStatus.OK
    await asyncio.sleep(0.6)
    later = await session.run("print('x is', x)", 20)
    assert (later.status, read(later)) == (CellStatus.OK, "x is 1")


@pytest.mark.parametrize("name", ["stdout", "stderr"])
async def test_a_stream_that_an_error_leaves_replaced_is_put_back(
    name: str, session: Session
) -> None:
    code = f"import io, sys; sys.{name} = io.StringIO()\nprint('in it', file=sys.{name})\n1 / 0"
    for _ in range(2):
        result = await session.run(code, 20)
        said = f"sys.{name} was still replaced when an error ended the cell. It was put back."
        assert (result.status, said in read(result)) == (CellStatus.ERROR, True), read(result)
        assert "on" in read(await session.run(f"print('on', file=sys.{name})", 20))


WRAPPED = "import io, sys; sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8')"
# Ways to change sys.stdout, and whether the cell says that what is printed may not be shown.
CHANGED = {
    "a file": ("import sys; sys.stdout = open('log.txt', 'w')", True),
    "its own bytes": (WRAPPED, False),
    "its encoding": ("import sys; sys.stdout.reconfigure(encoding='utf-8')", False),
    "for a while": (
        "import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()): print(1)", False
    ),
}  # fmt: skip


@pytest.mark.parametrize(("code", "is_said"), CHANGED.values(), ids=CHANGED)
async def test_a_cell_that_sends_its_prints_elsewhere_says_so(
    code: str, is_said: bool, session: Session
) -> None:
    result = await session.run(code, 20)
    assert result.status is CellStatus.OK, read(result)
    assert ("sys.stdout is another stream since this cell" in read(result)) == is_said
    later = read(await session.run("print('on')", 20))
    assert later == ("[The cell ran and printed nothing.]" if is_said else "on")


async def test_commands_that_wait_for_a_key_print_all_at_once(session: Session) -> None:
    for pager in ("more", "less"):
        result = await session.run(f"!seq 1 200 | {pager}", 20)
        assert (result.status, read(result).split()[-1]) == (CellStatus.OK, "200"), read(result)


async def test_bars_for_notebooks_name_those_that_are_there(session: Session) -> None:
    result = await session.run("from tqdm.notebook import tqdm\ntqdm([1])", 20)
    assert "there are tqdm's own bars (from tqdm import tqdm)" in read(result)


KILLS = ("import subprocess; subprocess.run('kill -9 $PPID', shell=True)", "!kill -9 $PPID",
         "%%bash\nkill -TERM $PPID", "import os; os.system(f'kill -9 {os.getpid()}')")  # fmt: skip


@pytest.mark.parametrize("code", KILLS)
async def test_a_command_that_kills_its_kernel_is_told_what_came_of_it(
    code: str, session: Session
) -> None:
    result = await session.run(code, 20)
    if result.status is not CellStatus.KILLED:
        assert f"had no effect. {KEPT}" in read(result)


async def test_bytes_are_printed(session: Session) -> None:
    code = "import sys; sys.stdout.buffer.write('ä€\\n'.encode()); sys.stderr.buffer.write(b'e');"
    result = await session.run(code, 20)
    assert (result.status, read(result)) == (CellStatus.OK, "ä€\n[stderr]\ne")


NO_READERS = ("!python3 -c 'input()'", "said = !python3 -c 'input()'\nprint(said)", "!cat; echo on",
              "%%bash\npython3 -c 'input()'", "%system cat",
              "import subprocess; subprocess.run(['python3', '-c', 'input()'])")  # fmt: skip


@pytest.mark.parametrize("code", NO_READERS)
async def test_a_shell_command_finds_nothing_to_read(code: str, session: Session) -> None:
    result = await session.run(code, 20)
    assert result.status in (CellStatus.OK, CellStatus.ERROR), read(result)
    assert "EOFError" in read(result) or "input" not in code
    assert read(await session.run("print('on')", 20)) == "on"


LONG = {
    "a value": "'head' + 'x' * 10_000_000 + 'tail'",
    "a display": "display({'text/plain': 'head' + 'x' * 15_000_000 + 'tail'}, raw=True)",
    "an error": "raise ValueError('head' + 'x' * 15_000_000 + 'tail')",
    "a print": "print('head' + 'x' * 10_000_000)",
}


@pytest.mark.parametrize("name", LONG)
async def test_a_very_long_text_keeps_its_head_and_tail(name: str, session: Session) -> None:
    result = await session.run(LONG[name], 20)
    assert result.status in (CellStatus.OK, CellStatus.ERROR)
    assert "headxxx" in read(result)
    assert "xxxtail" in read(result) or name == "a print"
    assert "left out" in read(result) or "is dropped" in read(result) or "cut" in read(result)


OWN_FRAMES = ("import os, signal; os.kill(os.getpid(), signal.SIGINT)", "%pdb on\n1 / 0",
              "import os, signal\nasync def f(): os.kill(os.getpid(), signal.SIGINT)\nawait f()",
              "import pdb\npdb.set_trace()", "exit(3)", "import sys\nsys.exit(2)",
              "class A:\n    def __del__(self): exit(3)\na = A()\ndel a",
              "import threading, signal\n"
              "t = threading.Thread(target=signal.signal, args=(2, print)); t.start(); t.join()",
)  # fmt: skip


@pytest.mark.parametrize("code", OWN_FRAMES)
async def test_a_traceback_shows_no_frames_of_the_runner(code: str, session: Session) -> None:
    result = await session.run(code, 20)
    assert "kernel_overrides" not in read(result)
    assert "/runner/" not in read(result)


DEEP = {
    "a function": "def f(n): return f(n + 1)\nf(0)",
    "two functions": "def f(n): return g(n)\ndef g(n): return f(n)\nf(0)",
    "a value's own words": "class A:\n    def __repr__(self): return repr(self)\nA()",
    "a higher limit": (
        "import sys\nsys.setrecursionlimit(20_000)\ndef f(n): return f(n + 1)\nf(0)"
    ),
    "causes": (
        "def f(n):\n    try: raise KeyError(n)\n    except KeyError:\n"
        "        if n == 300: raise RecursionError('maximum recursion depth exceeded')\n"
        "        f(n + 1)\nf(0)"
    ),
}


@pytest.mark.parametrize("name", DEEP)
async def test_a_long_traceback_is_shown_by_its_ends(name: str, session: Session) -> None:
    """To show all of one takes longer than a cell may."""
    result = await session.run(DEEP[name], 20)
    assert result.status is CellStatus.ERROR
    assert "maximum recursion depth exceeded" in read(result)
    assert sum(len(output.text.splitlines()) for output in result.outputs) < 1_000
    assert "frames in the middle are left out" in read(result) or name == "causes"


SPOILING = {
    "transformers": "import sys\nend = lambda lines: sys.exit(1)\n"
    "get_ipython().input_transformers_cleanup.append(end)",
    "transformers that fail": "end = lambda lines: 1 / 0\n"
    "get_ipython().input_transformers_cleanup.append(end)",
    "a class": "type(get_ipython()).run_cell = None",
    "a base class": "import IPython\n"
    "IPython.core.interactiveshell.InteractiveShell.run_ast_nodes = None",
}


@pytest.mark.parametrize("name", SPOILING)
async def test_a_kernel_that_can_run_no_cell_is_replaced(name: str, session: Session) -> None:
    await session.run(SPOILING[name], 20)
    for _ in range(100):
        result = await session.run("print('on')", 20)
        if result.status is CellStatus.OK:
            break
        await asyncio.sleep(0.02)
    assert "A new kernel was started" in read(result)
    assert read(result).endswith("on")


UNTOLD = "class W(Exception):\n    def __str__(self): {}\n"
# Text that UTF-8 has no bytes for, and exceptions that have no text: the status, and words of it.
TEXTS = {
    "print": ("print('\\ud800 surrogate')", CellStatus.OK, "\ufffd surrogate"),
    "print, each half": ("print('a\\udc80b\\udfffc')", CellStatus.OK, "a\ufffdb\ufffdc"),
    "print, a pair": ("print('\\ud83d\\ude00')", CellStatus.OK, "\U0001f600"),
    "stderr": ("import sys; print('\\ud800 e', file=sys.stderr)", CellStatus.OK, "\ufffd e"),
    "a value's own words": (
        "class A:\n    def __repr__(self): return '\\ud800 r'\nA()",
        CellStatus.OK,
        "\ufffd r",
    ),
    "display": ("display({'text/plain': '\\ud800 d'}, raw=True)", CellStatus.OK, "\ufffd d"),
    "a type of display": ("display({'\\ud800/x': '1'}, raw=True)", CellStatus.OK, ""),
    "a display's metadata": (
        "display({'text/plain': 'm'}, raw=True, metadata={'\\ud800': '\\ud801'})",
        CellStatus.OK,
        "m",
    ),
    "an error": ("raise ValueError('\\ud800 v')", CellStatus.ERROR, "\ufffd v"),
    "an error's name": (
        "class M(type):\n    __name__ = '\\ud800 n'\n"
        "class E(Exception, metaclass=M): pass\nraise E('v')",
        CellStatus.ERROR,
        "",
    ),
    "a thread": (
        "import threading\nt = threading.Thread(target=print, args=('\\ud800 t',))\n"
        "t.start(); t.join()",
        CellStatus.OK,
        "\ufffd t",
    ),
    "a fork": (
        f"{FORK.format('print(chr(0xd800)); os._exit(0)')}os.waitpid(child, 0)",
        CellStatus.OK,
        "child",
    ),
    "the code itself": ("print('\ud800')", CellStatus.ERROR, "UnicodeEncodeError"),
    "no text, an exit": (f"{UNTOLD.format('raise SystemExit')}raise W()", CellStatus.ERROR, "W:"),
    "no text, an error": (f"{UNTOLD.format('1 / 0')}raise W()", CellStatus.ERROR, "W"),
    "no text, no string": (f"{UNTOLD.format('return 5')}raise W()", CellStatus.ERROR, "W"),
}


@pytest.mark.parametrize("name", TEXTS)
async def test_any_text_comes_out(name: str, session: Session) -> None:
    code, expected, words = TEXTS[name]
    result = await session.run(f"x = 1\n{code}", 20)
    assert (result.status, result.reason) == (expected, ""), read(result)
    assert words in read(result)
    later = await session.run("print('on')", 20)
    assert (later.status, read(later)) == (CellStatus.OK, "on")


PAGED = {
    "a question mark": ("str.upper?", "converted to uppercase"),
    "two question marks": ("import textwrap\ntextwrap.dedent??", "def dedent(text)"),
    "help": ("help(str.upper)", "converted to uppercase"),
    "%pdoc": ("%pdoc str.upper", "converted to uppercase"),
    "%pinfo": ("%pinfo str.upper", "converted to uppercase"),
    "%psource": ("import textwrap\n%psource textwrap.dedent", "def dedent(text)"),
    "%pycat": ("open('a.py', 'w').write('number = 41')\n%pycat a.py", "number = 41"),
    "%load": ("open('a.py', 'w').write('number = 41')\n%load a.py", "number = 41"),
    "%page": ("number = 41\n%page number", "41"),
    "%quickref": ("%quickref", "IPython"),
    "the pager itself": (
        "from IPython.core import page\npage.page('first words')\npage.page('second words')",
        "first words\nsecond words",
    ),
    "wildcards": ("str.up*?", "str.upper"),
}


@pytest.mark.parametrize("name", PAGED)
async def test_what_goes_to_a_pager_is_output(name: str, session: Session) -> None:
    code, words = PAGED[name]
    result = await session.run(code, 20)
    assert result.status is CellStatus.OK, read(result)
    assert words in read(result)


ASKING = {
    "input": "input('Your name: ')",
    "input in a function": "def ask():\n    return int(input())\nask()",
    "getpass": "import getpass; getpass.getpass()",
    "breakpoint": "total = 1\nbreakpoint()\nprint(total)",
    "pdb": "import pdb; pdb.set_trace()",
    "%debug": "%debug",
    "%%debug": "%%debug\nx = 1\nx / 0",
    "%edit": "%edit",
    "%ed": "%ed a.py",
    "pdb at an error": "%pdb on\n1 / 0",
    "help without a name": "help()",
}


@pytest.mark.parametrize("name", ASKING)
async def test_who_asks_for_input_is_refused_in_a_sentence(name: str, session: Session) -> None:
    await session.run("1 / 0", 20)  # for %debug to look at
    result = await session.run(ASKING[name], 20)
    assert "Nobody can type here" in read(result)
    assert "Write the value into the code" in read(result)
    assert "kernelbase" not in read(result)
    assert "raw_input" not in read(result)
    assert read(result).count("\n") < 15  # a debugger shows where it stands
    in_one_line = ("input", "getpass", "help without a name", "%debug", "%%debug", "%edit", "%ed")
    assert "\n" not in read(result) or name not in in_one_line
    later = await session.run("print('on')", 20)
    assert (later.status, read(later)) == (CellStatus.OK, "on")


async def test_a_module_that_is_left_out_is_named_with_what_there_is(session: Session) -> None:
    for code in ("import torch.nn as nn", "from tensorflow import keras", "import spacy"):
        name = code.split()[1].split(".")[0]
        result = await session.run(code, 20)
        assert result.status is CellStatus.ERROR
        assert f"No module named '{name}'{describe_instead(name)}" in read(result)
        assert "there are " in read(result)
    plain = await session.run("import no_such_thing", 20)
    assert read(plain).endswith("No module named 'no_such_thing'")
    sentence = f"No module named 'torch'{describe_instead('torch')}"
    imports = (
        "import torch",
        "from torch import nn",
        "__import__('importlib').import_module('torch')",
    )
    for code in imports:
        caught = await session.run(f"try:\n    {code}\nexcept ImportError as e: print(e)", 20)
        assert read(caught) == sentence
    shown = await session.run("import torch", 20)
    assert read(shown).count("there are xgboost") == 1
    assert "kernel_left_out" not in read(shown)
    assert "importlib" not in read(shown)
    silent = {
        "try:\n    import {}\nexcept ImportError: pass": "",
        "try:\n    import {}\nexcept ImportError: print('no')": "no",
        "import importlib.util\nprint(importlib.util.find_spec('{}'))": "None",
        "def has():\n    try:\n        import {0}, {0}.nn\n    except Exception: return False\n"
        "print(has(), has())": "False False",
    }
    for code, printed in silent.items():
        for name in ("torch", "tensorflow", "transformers", "easyocr", "altair", "xarray"):
            unseen = await session.run(code.format(name), 20)
            said = f"[stderr]\nNo module named '{name}'{describe_instead(name)}"
            assert (unseen.status, read(unseen)) == (CellStatus.OK, f"{printed}\n{said}".strip())
    for code in ("print(1)", "import sklearn, xgboost, nltk, plotly", "import no_such_thing"):
        assert "there are " not in read(await session.run(code, 60))
    missing = "from os import nothing"
    assert "cannot import name 'nothing'" in read(await session.run(missing, 20))


NEEDED = {
    "plotly": (
        "import plotly.express as px\npx.line(x=[1], y=[2]).write_image('a.png')",
        "kaleido",
    ),
    "pandas": ("import pandas as pd\npd.DataFrame({'a': [1]}).to_hdf('a.h5', key='a')", "pytables"),
    "an error of its own": ("raise ImportError('run pip install -U pytest')", "pytest"),
}


@pytest.mark.parametrize("name", NEEDED)
async def test_what_an_error_asks_for_is_named_with_what_there_is(
    name: str, session: Session
) -> None:
    code, module = NEEDED[name]
    result = await session.run(code, 60)
    assert result.status is CellStatus.ERROR
    assert read(result).count(f"No module named '{module}'{describe_instead(module)}") == 1


async def test_modules_called_left_out_are_not_there(session: Session) -> None:
    names = [name for left_out in INSTEAD.values() for name in left_out]
    code = f"import importlib.util as u\nprint([n for n in {names} if u.find_spec(n)])"
    assert read(await session.run(code, 60)).startswith("[]\n[stderr]\n")


async def test_figures_and_tables_of_html_are_results(session: Session) -> None:
    figure = "import plotly.express as px\nfigure = px.line(x=[1, 2], y=[3, 4])\n"
    for code in (f"{figure}figure.show()", "figure"):
        result = await session.run(code, 60)
        assert result.status is CellStatus.OK, read(result)
        (output,) = result.outputs
        assert "application/vnd.plotly.v1+json" in output.data
        assert (
            read(result)
            == "[Something was shown to the user, such as a figure; you cannot see it.]"
        )
    styled = "import pandas as pd\npd.DataFrame({'a': [1]}).style.format('{:.2f}')"
    result = await session.run(styled, 60)
    assert "1.00" in result.outputs[0].data["text/html"]
