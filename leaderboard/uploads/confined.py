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
WAIT_S = 20.0  # for the upload that is being read

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
    "Another upload is being read at the moment.",
    "Send yours again in a minute.",
)

OWN_UNDER_WAY = Problem(
    Fault.SUBMITTER,
    "upload_under_way",
    "Another upload of yours is being read at the moment.",
    "Send this one when that is done; several files can come as one archive.",
)

# Of a web process: a large upload takes memory, and each one of the few threads for pages.
ONE_AT_A_TIME = threading.Semaphore(1)
ONE_WAITS = threading.Semaphore(1)
SENDERS: set[int] = set()  # accounts whose upload is read or waits
SENDERS_LOCK = threading.Lock()


@contextmanager
def one_at_a_time(account_id: int) -> Iterator[None]:
    """Hold the place of the upload that is read: one of an account, while that of another account
    may wait for it. Raises ProblemError."""
    with SENDERS_LOCK:
        if account_id in SENDERS:
            raise ProblemError(OWN_UNDER_WAY)
        SENDERS.add(account_id)
    try:
        if not ONE_AT_A_TIME.acquire(blocking=False) and not wait_for_place():
            raise ProblemError(BUSY)
        try:
            yield
        finally:
            ONE_AT_A_TIME.release()
    finally:
        SENDERS.discard(account_id)


def wait_for_place() -> bool:
    if not ONE_WAITS.acquire(blocking=False):
        return False
    try:
        return ONE_AT_A_TIME.acquire(timeout=WAIT_S)
    finally:
        ONE_WAITS.release()


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
