"""Reads strangers' text in processes of their own, so that no text holds up this one.

A regular expression holds the interpreter's lock until it is done. Every reader here is linear and
bounded (`runner/tests/reading/test_worst_texts.py`), but the next one may be slow by mistake:
then its process is killed after CPU_S of computing, and another one takes its place.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import functools
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from runner.contract import Fault, Problem, ProblemError
from runner.reading.process import HEADER, READY, pack
from runner.sandbox.host.async_fds import is_readable

ROOT = Path(__file__).resolve().parents[2]
PASSED_ON = ("PATH", "LANG", "LC_ALL", "PYTHONDONTWRITEBYTECODE")  # of the environment: no keys
MOST_PROCESSES = 4
CPU_S = 2.0  # for one text; the most expensive known one takes 0.2 s
WALL_S = 60.0  # on a host so busy that CPU time hardly passes
SOON_S = 0.1  # in which nearly all texts are read
END_S = 5.0

T = TypeVar("T")


class UnreadableText(Exception):
    """A text was not read within its CPU time: our own fault, on a text that brings it out."""


READER_DIED = Problem(
    Fault.US,
    "reader_died",
    "The process that reads texts died twice in a row.",
    "The attempt does not count and is played again; the host may be short of memory.",
)


class ReaderDied(ProblemError):
    """A process ended before its answer, and not because of the text: nothing is known of that."""

    def __init__(self) -> None:
        super().__init__(READER_DIED)


class ReaderProcess:
    """One process that calls functions, one after another."""

    def __init__(self) -> None:
        self.is_ready = self.is_last = False
        self.is_owing = False  # an answer, which the next caller would take for its own
        self.process = subprocess.Popen(
            [sys.executable, "-m", "runner.reading.process"],
            cwd=ROOT,
            env={name: os.environ[name] for name in PASSED_ON if name in os.environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # a Ctrl-C is for the process that asks
        )

    def call(
        self,
        cpu_s: float,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        when_slow: Callable[[], None],
    ) -> Any:
        """Call `function` there; return its result or raise its error.

        Raises UnreadableText when the text took too long, ReaderDied when the process died.
        """
        deadline_s = time.monotonic() + WALL_S
        question = pack((cpu_s, function, arguments))
        self.is_owing = True
        try:
            if not self.is_ready:
                self.is_ready = bool(self.receive(len(READY), deadline_s))
            self.send(question)
            if not self.is_soon():
                when_slow()
            size = HEADER.unpack(self.receive(HEADER.size, deadline_s))[0]
            answer = self.receive(size, deadline_s)
        except TimeoutError:
            raise UnreadableText(
                f"{function.__qualname__} was not done after {WALL_S:g} s"
            ) from None
        except (OSError, EOFError) as error:
            if self.ended_by() == signal.SIGPROF:
                message = f"{function.__qualname__} was not done after {cpu_s:g} s of CPU"
                raise UnreadableText(message) from error
            raise ReaderDied from error
        self.is_owing = False
        is_returned, value = pickle.loads(answer)
        if not is_returned:
            raise value
        return value

    def send(self, message: bytes) -> None:
        assert self.process.stdin is not None
        rest = memoryview(message)
        while rest:
            rest = rest[self.process.stdin.write(rest) or 0 :]

    def is_soon(self) -> bool:
        """Wait a moment for the answer; what takes longer gets the CPU time that nobody wants."""
        assert self.process.stdout is not None
        if is_readable(self.process.stdout.fileno(), SOON_S):
            return True
        with contextlib.suppress(OSError):  # it has ended, or the host does not let us
            os.sched_setscheduler(self.process.pid, os.SCHED_IDLE, os.sched_param(0))
        self.is_last = True  # for good: only root may take that back
        return False

    def receive(self, size: int, deadline_s: float) -> bytes:
        assert self.process.stdout is not None
        source = self.process.stdout
        data = bytearray()
        while len(data) < size:
            left_s = deadline_s - time.monotonic()
            if left_s <= 0 or not is_readable(source.fileno(), left_s):
                raise TimeoutError
            piece = source.read(min(size - len(data), 1 << 20))
            if not piece:
                raise EOFError
            data += piece
        return bytes(data)

    def ended_by(self) -> int | None:
        """The signal that ended the process, whose pipe is closed; None for any other end."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return -self.process.wait(END_S)
        return None

    def end(self) -> None:
        """Kill the process and wait for its end."""
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                if pipe:
                    pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(END_S)


class Readers:
    """The reading processes of this one: started when they are needed, and kept."""

    def __init__(self, most: int = MOST_PROCESSES) -> None:
        self.most = most
        self.lock = threading.Lock()
        self.idle: list[ReaderProcess] = []
        self.busy: set[ReaderProcess] = set()
        self.threads = ThreadPoolExecutor(most, thread_name_prefix="reading")
        self.turns: weakref.WeakValueDictionary[tuple[int, str], asyncio.Lock] = (
            weakref.WeakValueDictionary()
        )

    def start(self) -> None:
        """Have a process ready for the next text."""
        with self.lock:
            if not self.idle:
                self.idle.append(ReaderProcess())

    async def read(self, owner: str, function: Callable[..., T], *arguments: Any) -> T:
        """Apply `function` to the arguments while other tasks go on. Raises Unreadable.

        Of one `owner`, an endpoint say, one text is read at a time: its slow texts wait for each
        other and leave processes to everybody else.
        """
        loop = asyncio.get_running_loop()
        turn = self.turns.setdefault((id(loop), owner), asyncio.Lock())
        async with turn:
            call = functools.partial(self.read_now, CPU_S, function, *arguments)
            return await loop.run_in_executor(self.threads, call)

    def read_now(self, cpu_s: float, function: Callable[..., T], *arguments: Any) -> T:
        """The same for whoever may wait, with a CPU time of its own.

        Where the process dies, a new one is asked once more. Raises ReaderDied if that dies, too.
        """
        try:
            return self.ask(self.take(), cpu_s, function, *arguments)
        except ReaderDied:
            return self.ask(self.take(is_new=True), cpu_s, function, *arguments)

    def ask(
        self, reader: ReaderProcess, cpu_s: float, function: Callable[..., T], *arguments: Any
    ) -> T:
        try:
            value: T = reader.call(cpu_s, function, arguments, self.start)
            return value
        finally:
            self.give_back(reader)

    def take(self, is_new: bool = False) -> ReaderProcess:
        with self.lock:
            reader = self.idle.pop() if self.idle and not is_new else ReaderProcess()
            self.busy.add(reader)
            return reader

    def give_back(self, reader: ReaderProcess) -> None:
        with self.lock:
            self.busy.discard(reader)
            is_sound = not (reader.is_owing or reader.is_last)
            if is_sound and len(self.idle) < self.most:
                self.idle.append(reader)
                return
        reader.end()

    def close(self) -> None:
        """End every process, also one that is reading."""
        with self.lock:
            readers = [*self.idle, *self.busy]
            self.idle.clear()
        for reader in readers:
            reader.end()
        self.threads.shutdown(wait=False)


_lock = threading.Lock()
_readers: Readers | None = None


def readers() -> Readers:
    """This process's, made at first use."""
    global _readers
    with _lock:
        if _readers is None:
            _readers = Readers()
            atexit.register(_readers.close)
        return _readers


def forget() -> None:
    """A forked process has none: those that it sees are its parent's."""
    global _readers, _lock
    _readers, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=forget)
