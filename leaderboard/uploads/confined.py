"""Has an upload read by a process of its own, which is killed when it takes too much."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeVar

from runner.contract import Fault, Problem, ProblemError

READ_PROCESS = "leaderboard.uploads.read_process"
ROOT = Path(__file__).resolve().parents[2]
PASSED_ON = ("PATH", "LANG", "LC_ALL", "PYTHONDONTWRITEBYTECODE")  # of the environment: no keys
WALL_S = 240.0
MOST_UNDER_WAY = 10  # uploads of accounts that are read, wait or are stored
MOST_OF_GUESTS = 4  # the same of visitors without an account
WAIT_S = 150.0  # for those that came before: two that take all the CPU time they may
SMALL_BYTES = 1 << 20

Whose = TypeVar("Whose", int, str)

TOO_MUCH = Problem(
    Fault.SUBMITTER,
    "upload_unreadable",
    "The file takes more time or memory to read than an upload may.",
    "Send it in several parts.",
)
GONE = Problem(
    Fault.US,
    "upload_reader_died",
    "The process that reads uploads died twice, which is no fault of the file.",
    "Send it again in a minute; this machine may be short of memory.",
)
BUSY = Problem(
    Fault.US,
    "uploads_busy",
    "Other uploads are being read at the moment.",
    "Send yours again in a few minutes.",
)

OWN_UNDER_WAY = Problem(
    Fault.SUBMITTER,
    "upload_under_way",
    "Another upload of yours is being read at the moment.",
    "Send this one when that is done; several files can come as one archive.",
)

OF_ADDRESS_UNDER_WAY = Problem(
    Fault.SUBMITTER,
    "upload_under_way",
    "Another file from your network address is being read at the moment.",
    "Send this one when that is done, or sign in.",
)

# Of a web process: accounts, and addresses of others, with an upload under way.
ACCOUNTS: set[int] = set()
ADDRESSES: set[str] = set()
CHANGE = threading.Lock()


def one_at_a_time(account_id: int) -> AbstractContextManager[None]:
    """Keep other uploads of the account out. Raises ProblemError for the second, or too many."""
    return only_one_of(account_id, ACCOUNTS, MOST_UNDER_WAY, OWN_UNDER_WAY)


def one_of_address(visitor: str) -> AbstractContextManager[None]:
    """The same for somebody without an account."""
    return only_one_of(visitor, ADDRESSES, MOST_OF_GUESTS, OF_ADDRESS_UNDER_WAY)


@contextmanager
def only_one_of(who: Whose, under_way: set[Whose], most: int, second: Problem) -> Iterator[None]:
    with CHANGE:
        if who in under_way:
            raise ProblemError(second)
        if len(under_way) >= most:
            raise ProblemError(BUSY)
        under_way.add(who)
    try:
        yield
    finally:
        with CHANGE:
            under_way.remove(who)


@dataclass
class ReadingLine:
    """Uploads that are read one after another, within limits of their process."""

    cpu_s: int
    memory_bytes: int
    waiting: list[object] = field(default_factory=list)  # the first is read
    moved: threading.Condition = field(default_factory=threading.Condition, repr=False)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until the uploads that came before are read. Raises ProblemError after WAIT_S."""
        own = object()
        with self.moved:
            self.waiting.append(own)
        try:
            with self.moved:
                if not self.moved.wait_for(lambda: self.waiting[0] is own, WAIT_S):
                    raise ProblemError(BUSY)
            yield
        finally:
            with self.moved:
                self.waiting.remove(own)
                self.moved.notify_all()


# A small file waits for no large one. One that takes too much for its size waits with those.
SMALL = ReadingLine(cpu_s=4, memory_bytes=1 << 30)
LARGE = ReadingLine(cpu_s=60, memory_bytes=3 << 30)
GUESTS = ReadingLine(cpu_s=10, memory_bytes=1 << 30)  # no account waits for them


class BeyondLimits(Exception):
    """The file took more than the limits of its line."""


class ReaderKilled(Exception):
    """Somebody else ended the process: nothing is known of the file."""


def read_confined(
    read: Callable[..., Iterable[Any]],
    path: Path,
    name: str,
    *more: object,
    lines: Sequence[ReadingLine] = (),
) -> Iterator[Any]:
    """Parts of `read(path, name, *more)`, called in a process of its own that has no secrets.

    It waits for its turn in one of the lines after another; by default in those of accounts. One
    part is in memory at a time. Raises ProblemError without an answer.
    """
    arguments = (path, name.replace("\0", "")[:200], *more)
    is_small = path.stat().st_size <= SMALL_BYTES
    for line in lines or ((SMALL, LARGE) if is_small else (LARGE,)):
        with suppress(BeyondLimits), line.turn():
            return read_within(line, read, arguments)
    raise ProblemError(TOO_MUCH)


def read_within(
    line: ReadingLine, read: Callable[..., Iterable[Any]], arguments: tuple[object, ...]
) -> Iterator[Any]:
    """The same, once more where its process was killed.

    Raises BeyondLimits, or ProblemError for our fault.
    """
    try:
        return read_once(line, read, arguments)
    except ReaderKilled:
        try:
            return read_once(line, read, arguments)
        except ReaderKilled:
            raise ProblemError(GONE) from None


def read_once(
    line: ReadingLine, read: Callable[..., Iterable[Any]], arguments: tuple[object, ...]
) -> Iterator[Any]:
    with tempfile.TemporaryDirectory(prefix="upload-") as folder:
        task, answer = Path(folder) / "task", Path(folder) / "answer"
        task.write_bytes(pickle.dumps((read, arguments)))
        limits = (str(line.cpu_s), str(line.memory_bytes))
        child = subprocess.Popen(
            [sys.executable, "-m", READ_PROCESS, str(task), str(answer), *limits],
            cwd=ROOT,
            env={key: os.environ[key] for key in PASSED_ON if key in os.environ},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            status: int | None = child.wait(WALL_S)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            child.kill()
            child.wait()
        if status in (-signal.SIGKILL, -signal.SIGTERM):
            raise ReaderKilled
        if status != 0 or not answer.exists():
            raise BeyondLimits
        return load_parts(answer.open("rb"))


def load_parts(file: IO[bytes]) -> Iterator[Any]:
    """The pickles in a file, which may have no name any more."""
    with file, suppress(EOFError):
        while True:
            yield pickle.load(file)
