"""Has an upload read by a process of its own, which is killed when it takes too much."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from leaderboard.uploads.reading import Brought
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

# Of a web process: a large upload takes memory, and each one of the few threads for pages.
ONE_AT_A_TIME = threading.Semaphore(1)
ONE_WAITS = threading.Semaphore(1)


class ReaderKilled(Exception):
    """Somebody else ended the process: nothing is known of the file."""


def read_confined(path: Path, name: str) -> Brought:
    """Read the file, once more where its process was killed. Raises ProblemError when it ends
    without an answer: our fault where it was killed again, else the file's."""
    try:
        return read_once(path, name)
    except ReaderKilled:
        try:
            return read_once(path, name)
        except ReaderKilled:
            raise ProblemError(GONE) from None


def read_once(path: Path, name: str) -> Brought:
    with tempfile.TemporaryDirectory(prefix="upload-") as folder:
        answer = Path(folder) / "answer"
        command = [sys.executable, "-m", "leaderboard.uploads.read_process"]
        child = subprocess.Popen(
            [*command, str(path), name.replace("\0", "")[:200], str(answer)],
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
        with answer.open("rb") as file:
            brought = pickle.load(file)
    assert isinstance(brought, Brought)
    return brought
