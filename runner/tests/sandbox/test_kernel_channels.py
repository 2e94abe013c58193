"""Messages of a kernel reach the host whole, in order, and from all that write for it."""

from __future__ import annotations

import textwrap

import pytest

from runner.contract import CellResult, CellStatus, OutputKind
from runner.sandbox.base import Session

pytestmark = pytest.mark.sandbox


def shown(result: CellResult) -> list[tuple[OutputKind, str]]:
    return [(output.kind, output.text) for output in result.outputs]


async def run(session: Session, code: str, timeout_s: float = 60) -> CellResult:
    return await session.run(textwrap.dedent(code), timeout_s)


CHILDREN = {
    "fork": """
        import os
        child = os.fork()
        if child == 0:
            print("from", "the child")
            print("half a line", end="", flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        print("; then the parent")
    """,
    "multiprocessing": """
        import multiprocessing
        def work(number):
            print("from", "the child")
            print("half a line", end="")
        child = multiprocessing.get_context("fork").Process(target=work, args=(1,))
        child.start()
        child.join()
        print("; then the parent")
    """,
    "subprocess": """
        import subprocess
        subprocess.run(["printf", "from the child\\nhalf a line"])
        print("; then the parent")
    """,
    "system": r"""
        import os
        status = os.system("printf 'from the child\nhalf a line'")
        print("; then the parent")
    """,
}


@pytest.mark.parametrize("code", CHILDREN.values(), ids=CHILDREN)
async def test_what_a_child_prints_is_shown_before_the_cell_ends(
    code: str, session: Session
) -> None:
    result = await run(session, code)
    text = "from the child\nhalf a line; then the parent\n"
    assert shown(result) == [(OutputKind.STDOUT, text)]


async def test_lines_of_children_at_once_do_not_mix(session: Session) -> None:
    result = await run(
        session,
        """
        import multiprocessing
        def work(number):
            print("number", number, "is", "done")
        with multiprocessing.get_context("fork").Pool(4) as pool:
            results = pool.map(work, range(50))
        """,
    )
    lines = "".join(text for _, text in shown(result)).splitlines()
    assert sorted(lines) == sorted(f"number {number} is done" for number in range(50))


async def test_a_child_that_comes_back_from_its_cell_takes_no_request(session: Session) -> None:
    """It would answer in the kernel's name, with variables of its own."""
    code = "import os\nmine = os.getpid()\nif os.fork() == 0: raise RuntimeError('lost')"
    assert (await run(session, code)).status is CellStatus.OK
    for _ in range(5):
        result = await run(session, "print(os.getpid() == mine)")
        assert (OutputKind.STDOUT, "True\n") in shown(result)


async def test_threads_print_and_display_beside_the_cell(session: Session) -> None:
    result = await run(
        session,
        """
        from concurrent.futures import ThreadPoolExecutor
        from IPython.display import Image, display
        import sys
        def work(number):
            print("x" * 1000)
            display({"text/plain": str(number)}, raw=True)
            print("y" * 1000, file=sys.stderr)
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(work, range(5)))
        """,
    )
    assert result.status is CellStatus.OK
    texts: dict[OutputKind, str] = {}
    for kind, text in shown(result):
        texts[kind] = texts.get(kind, "") + text
    assert texts[OutputKind.STDOUT].replace("\n", "") == "x" * 5000
    assert texts[OutputKind.STDERR].replace("\n", "") == "y" * 5000
    assert sorted(texts[OutputKind.DISPLAY]) == list("01234")


async def test_what_was_printed_before_a_kill_is_kept(session: Session) -> None:
    """It is sent while the cell goes on, not when it ends."""
    code = """
        import signal, time
        print("printed before")
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True:
            time.sleep(0.05)
    """
    result = await run(session, code, timeout_s=4)
    assert result.status is CellStatus.KILLED
    assert shown(result)[0] == (OutputKind.STDOUT, "printed before\n")


async def test_an_interrupt_while_much_is_shown_breaks_no_message(session: Session) -> None:
    """SIGINT comes at any moment; half a message would end the connection and the kernel."""
    await run(session, "kept = 1\nfrom IPython.display import display")
    code = """
        import time
        while True:
            display({"text/plain": "z" * 5000}, raw=True)
            print("p" * 100, flush=True)
            time.sleep(0.001)
    """
    for _ in range(4):
        result = await run(session, code, timeout_s=0.3)
        assert result.status is CellStatus.TIMEOUT
    assert shown(await run(session, "print(kept)")) == [(OutputKind.STDOUT, "1\n")]


@pytest.mark.parametrize("then", ["await asyncio.Future()", "while True: pass"])
async def test_a_cell_that_awaits_is_interrupted_and_loses_nothing(
    session: Session, then: str
) -> None:
    await run(session, "import asyncio; kept = 1")
    result = await run(session, f"await asyncio.sleep(0.01)\n{then}", timeout_s=0.5)
    assert result.status is CellStatus.TIMEOUT
    assert shown(await run(session, "print(kept)")) == [(OutputKind.STDOUT, "1\n")]


@pytest.mark.parametrize(
    ("step", "status"),
    [("_restore_input", CellStatus.ERROR), ("finish_metadata", CellStatus.OK)],
)
async def test_an_interrupt_as_a_cell_ends_costs_no_reply(
    session: Session, step: str, status: CellStatus
) -> None:
    """SIGINT comes between the last of the code and the reply, which would then never be sent."""
    code = f"""
        import os, signal
        kernel, kept = get_ipython().kernel, 1
        before = kernel.{step}
        def late(*args):
            kernel.{step} = before
            made = before(*args)
            os.kill(os.getpid(), signal.SIGINT)
            return made
        kernel.{step} = late
    """
    result = await run(session, code, timeout_s=120)
    assert (result.status, result.reason) == (status, "")
    assert shown(await run(session, "print(kept)")) == [(OutputKind.STDOUT, "1\n")]


async def test_a_task_of_one_cell_goes_on_in_the_next(session: Session) -> None:
    code = "import asyncio\nasync def tick():\n    global ticked\n    ticked = True\n"
    await run(session, code + "task = asyncio.create_task(tick())")
    result = await run(session, "await asyncio.sleep(0.01)\nprint(ticked)")
    assert shown(result) == [(OutputKind.STDOUT, "True\n")]


async def test_it_is_a_notebook_to_those_who_ask(session: Session) -> None:
    result = await run(
        session,
        """
        import os, sys
        shell = get_ipython()
        print(type(shell).__name__, "IPKernelApp" in shell.config, __name__, os.getcwd())
        print([str(folder) for folder in _dh], sys.argv, "" in sys.path)
        print(os.environ["MPLBACKEND"], "runner" in sys.modules)
        """,
    )
    facts = shown(result)[0][1].splitlines()
    assert facts[0] == "ZMQInteractiveShell True __main__ /work"
    assert facts[1] == "['/work'] ['ipykernel'] True"
    assert facts[2] == "module://matplotlib_inline.backend_inline False"


async def test_a_module_that_was_written_can_be_imported(session: Session) -> None:
    await run(session, "from pathlib import Path\nPath('mine.py').write_text('value = 7')")
    result = await run(session, "import mine\nprint(mine.value, mine.__file__)")
    assert shown(result) == [(OutputKind.STDOUT, "7 /work/mine.py\n")]
