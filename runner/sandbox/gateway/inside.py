"""Runs in a kernel behind a gateway, sent there as text: makes its folder and reads from it.

Every request brings the whole of it along and runs it in a namespace of its own, so that nothing
depends on what model code left of the interpreter's names. Standard library only.
"""

from __future__ import annotations

import atexit
import base64
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

FOLDERS = ("data", "output")
LISTED_CHARS = 4 << 20


class Said:
    """An answer: what a kernel shows of it is the text itself."""

    def __init__(self, content: dict[str, Any]) -> None:
        self.text = json.dumps(content)

    def __repr__(self) -> str:
        return self.text


def answer(request: str) -> Said:
    """Do what a request asks for. An OSError is an answer, too."""
    job = json.loads(request)
    try:
        return Said(JOBS[job.pop("do")](**job))
    except OSError as error:
        return Said({"error": error.strerror or str(error)})


def open_folder() -> dict[str, Any]:
    """A private working folder, which an orderly end of the kernel removes."""
    work = Path(tempfile.mkdtemp(prefix="pybench-")).resolve()
    for name in FOLDERS:
        (work / name).mkdir()
    os.chdir(work)
    atexit.register(remove, str(work), os.getpid())
    return {"work": str(work)}


def remove(work: str, pid: int) -> None:
    if os.getpid() != pid:
        return  # a fork of the kernel
    os.chdir("/")
    for folder, _, _ in os.walk(work):
        Path(folder).chmod(0o700)
    shutil.rmtree(work, ignore_errors=True)


def put(work: str, path: str, data: str) -> dict[str, Any]:
    """Append to an input."""
    target = Path(work, "data", path)
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("ab") as file:
        file.write(base64.b64decode(data))
    return {}


def seal(work: str) -> dict[str, Any]:
    """Make the inputs read-only, as far as modes do."""
    for folder, _, names in os.walk(Path(work, "data")):
        for name in names:
            Path(folder, name).chmod(0o444)
        Path(folder).chmod(0o555)
    return {}


def look(
    work: str, folder: str, first: list[str], skipped: list[str], most: int, depth: int
) -> dict[str, Any]:
    """Rows about everything below a folder but the folders themselves; `first` comes first."""
    top = Path(work, folder)
    try:
        if not stat.S_ISDIR(top.lstat().st_mode):
            return {"state": "no folder"}
    except FileNotFoundError:
        return {"state": "missing"}
    rows: list[list[Any]] = []
    chars = 0
    for path in (*first, *walk(top, "", {*first, *skipped}, depth)):
        row = describe(top, path)
        if row[1] is None and path in first:
            continue  # wanted, and not there
        chars += len(json.dumps(row))
        if len(rows) >= most or chars > LISTED_CHARS:
            return {"state": "cut", "rows": rows}
        rows.append(row)
    return {"state": "whole", "rows": rows}


def walk(top: Path, prefix: str, skipped: set[str], depth: int) -> Iterator[str]:
    try:
        with os.scandir(top / prefix) as found:
            entries = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in found)
    except OSError:
        yield prefix
        return
    for name, is_folder in entries:
        path = f"{prefix}/{name}" if prefix else name
        if path in skipped:
            continue
        if is_folder and path.count("/") < depth:
            yield from walk(top, path, skipped, depth)
        else:
            yield path


def describe(top: Path, path: str) -> list[Any]:
    """[path, mode, links, bytes, inode, modified and changed in ns]; None for what is not told."""
    try:
        found = (top / path).lstat()
    except OSError:
        return [path, *[None] * 6]
    return [
        path,
        found.st_mode,
        found.st_nlink,
        found.st_size,
        found.st_ino,
        found.st_mtime_ns,
        found.st_ctime_ns,
    ]


def read(work: str, path: str, offset: int, size: int) -> dict[str, Any]:
    """A piece of a file."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    fd = os.open(Path(work, path), flags)
    try:
        return {"data": base64.b64encode(os.pread(fd, size, offset)).decode()}
    finally:
        os.close(fd)


JOBS: dict[str, Callable[..., dict[str, Any]]] = {
    "open": open_folder,
    "put": put,
    "seal": seal,
    "look": look,
    "read": read,
}
