"""Texts are read in processes of their own: a slow one is killed, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.contract import ActionFormat, StepStatus
from runner.model.prompts import said, told
from runner.model.reply import UNREAD, ModelReply, ToolCall, read, unread
from runner.reading import readers
from runner.reading.readers import ReaderDied, Readers, UnreadableText
from runner.sandbox.host import async_fds

SLOW: tuple[Any, ...] = (re.match, "(a+)+$", "a" * 60 + "b")  # no engine that backtracks ends this
GOOD: tuple[Any, ...] = (read, ModelReply("```python\n1\n```"), ActionFormat.FENCED)


@pytest.fixture
def pool() -> Iterator[Readers]:
    made = Readers()
    yield made
    made.close()


async def test_text_is_read_elsewhere(pool: Readers) -> None:
    assert await pool.read("a", os.getpid) != os.getpid()
    assert (await pool.read("a", *GOOD)).code == "1"
    assert len(pool.idle) == 1


async def test_text_is_read_with_more_than_a_thousand_files_open(pool: Readers) -> None:
    """Of a worker whose places are all taken; `select` takes no number beyond 1023."""
    async_fds.raise_limit()
    with contextlib.ExitStack() as stack:
        for _ in range(1_100):
            stack.callback(os.close, os.dup(0))
        assert await pool.read("a", int, "7") == 7


async def test_error_of_the_function_is_passed_on(pool: Readers) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        await pool.read("a", int, "x")
    assert len(pool.idle) == 1


async def test_slow_text_is_given_up_and_its_process_ended(pool: Readers) -> None:
    pool.start()
    process = pool.idle[0].process
    with pytest.raises(UnreadableText):
        await asyncio.to_thread(pool.read_now, 0.1, *SLOW)
    assert process.poll() is not None
    assert process not in [reader.process for reader in pool.idle]
    assert (await pool.read("a", *GOOD)).code == "1"


def die_once(mark: str, sign: int) -> str:
    """Die, but for the second time."""
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), sign)
    return "read"


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
async def test_a_process_that_dies_is_no_unreadable_text(
    pool: Readers, tmp_path: Path, sign: int
) -> None:
    assert await pool.read("a", die_once, str(tmp_path / "mark"), sign) == "read"
    with pytest.raises(ReaderDied):
        await pool.read("a", os.kill, 0, sign)  # its whole group: itself alone
    assert (await pool.read("a", *GOOD)).code == "1"


async def test_processes_that_were_killed_while_they_were_idle_are_replaced(pool: Readers) -> None:
    for _ in range(3):
        pool.idle.append(readers.ReaderProcess())
    await asyncio.gather(*(pool.read(str(n), os.getpid) for n in range(3)))
    for reader in pool.idle:
        reader.process.kill()
    assert (await pool.read("a", *GOOD)).code == "1"


async def test_others_are_read_while_a_slow_text_is(
    pool: Readers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "CPU_S", 1.0)
    slow = [asyncio.create_task(pool.read("attacker", *SLOW)) for _ in range(6)]
    await asyncio.sleep(0.2)
    for _ in range(20):
        assert (await pool.read("victim", *GOOD)).code == "1"
    assert not slow[-1].done()
    assert len(pool.busy) == 1  # one at a time of one owner
    for task in slow:
        task.cancel()
    await asyncio.gather(*slow, return_exceptions=True)


async def test_loop_goes_on_while_a_slow_text_is_read(
    pool: Readers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "CPU_S", 0.5)
    work = asyncio.create_task(pool.read("a", *SLOW))
    turns = 0
    while not work.done():
        await asyncio.sleep(0.01)
        turns += 1
    with pytest.raises(UnreadableText):
        await work
    assert turns >= 10


def test_process_ends_with_the_one_that_asked() -> None:
    code = (
        "import os, re, threading, time; from runner.reading.readers import readers; "
        "r = readers(); "
        "r.start(); print(r.idle[0].process.pid, flush=True); "
        "threading.Thread(target=r.read_now, args=(1.0, re.match, '(a+)+$', 'a' * 60 + 'b'),"
        "daemon=True).start(); time.sleep(0.3); r.start(); "
        "print(r.idle[0].process.pid, flush=True); os.kill(os.getpid(), 9)"
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=240
    )
    pids = [int(word) for word in done.stdout.split()]
    assert len(pids) == 2
    until_s = time.monotonic() + 180
    while any(is_alive(pid) for pid in pids) and time.monotonic() < until_s:
        time.sleep(0.05)
    assert not any(is_alive(pid) for pid in pids)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_process_knows_no_secret_of_the_environment(
    pool: Readers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYBENCH_SECRET_KEY", "hidden")
    assert pool.read_now(1.0, os.getenv, "PYBENCH_SECRET_KEY") is None


def test_forked_process_takes_none_of_its_parents(monkeypatch: pytest.MonkeyPatch) -> None:
    before = readers.readers()
    pid = os.fork()
    if pid == 0:
        os._exit(0 if readers._readers is None else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert readers.readers() is before


@pytest.mark.parametrize("action_format", list(ActionFormat))
def test_unread_reply_leaves_the_conversation_valid(action_format: ActionFormat) -> None:
    reply = ModelReply("x" * 100, tool_calls=(ToolCall("c1", "execute_python", "{"),))
    action = unread(reply, action_format)
    assert (action.status, action.notes) == (StepStatus.MALFORMED, (UNREAD,))
    message = said(reply, action)
    assert "x" * 100 not in str(message)
    assert len(told(reply, action, action.complaint)) == 1
