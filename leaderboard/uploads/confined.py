"""Has an upload read by a process of its own, which is killed when it takes too much."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from runner.contract import Fault, Problem, ProblemError

ROOT = Path(__file__).resolve().parents[2]
PASSED_ON = ("PATH", "LANG", "LC_ALL", "PYTHONDONTWRITEBYTECODE")  # of the environment: no keys
WALL_S = 240.0
MOST_IN_LINE = 10  # uploads that are read or wait
WAIT_S = 150.0  # for those that came before: two that take all the CPU time they may

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

# Of a web process, as a large upload takes memory: accounts whose upload is read or waits. That of
# the first is read; the others follow in the order they came.
LINE: list[int] = []
LINE_MOVED = threading.Condition()


@contextmanager
def one_at_a_time(account_id: int) -> Iterator[None]:
    """Wait until the uploads that came before are read, and keep later ones waiting.

    Raises ProblemError for an account's second upload, and where the line is too long or slow.
    """
    with LINE_MOVED:
        if account_id in LINE:
            raise ProblemError(OWN_UNDER_WAY)
        if len(LINE) >= MOST_IN_LINE:
            raise ProblemError(BUSY)
        LINE.append(account_id)
    try:
        with LINE_MOVED:
            if not LINE_MOVED.wait_for(lambda: LINE[0] == account_id, WAIT_S):
                raise ProblemError(BUSY)
        yield
    finally:
        with LINE_MOVED:
            LINE.remove(account_id)
            LINE_MOVED.notify_all()


class ReaderKilled(Exception):
    """Somebody else ended the process: nothing is known of the file."""


def read_confined(
    read: Callable[..., Iterable[Any]], path: Path, name: str, *more: object
) -> Iterator[Any]:
    """Parts of `read(path, name, *more)`, called in a process of its own that has no secrets.

    One part is in memory at a time. It is called once more where its process was killed. Raises
    ProblemError without an answer: our fault where it was killed again, else the file's.
    """
    arguments = (path, name.replace("\0", "")[:200], *more)
    try:
        return read_once(read, arguments)
    except ReaderKilled:
        try:
            return read_once(read, arguments)
        except ReaderKilled:
            raise ProblemError(GONE) from None


def read_once(read: Callable[..., Iterable[Any]], arguments: tuple[object, ...]) -> Iterator[Any]:
    with tempfile.TemporaryDirectory(prefix="upload-") as folder:
        task, answer = Path(folder) / "task", Path(folder) / "answer"
        task.write_bytes(pickle.dumps((read, arguments)))
        child = subprocess.Popen(
            [sys.executable, "-m", "leaderboard.uploads.read_process", str(task), str(answer)],
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
            raise ProblemError(TOO_MUCH)
        return load_parts(answer.open("rb"))


def load_parts(file: IO[bytes]) -> Iterator[Any]:
    """The pickles in a file, which may have no name any more."""
    with file, suppress(EOFError):
        while True:
            yield pickle.load(file)
