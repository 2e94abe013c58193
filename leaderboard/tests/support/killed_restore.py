"""Restores a backup and is killed at a given place, as by a power cut.

`python -m leaderboard.tests.support.killed_restore FOLDER PLACE`
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django


def die(*_: Any, **__: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(folder: Path, place: str) -> None:
    django.setup()
    from leaderboard.upkeep import restore

    prepare(restore, place)
    restore.restore(folder)


def prepare(restore: Any, place: str) -> None:
    """Replace what is about to happen at `place` by the end of this process."""
    owner, name, end = {
        "a file": (restore, "put_file", after(3, restore.put_file)),
        "half a file": (restore, "put_file", put_half),
        "the dump": (restore.database_dump, "load", die),
        "in the dump": (restore.database_dump, "load", load_half),
        "the mark": (restore.database_dump, "unmark", die),
    }.get(place, (restore, "call_command", die))
    setattr(owner, name, end)


def after(count: int, call: Callable[..., None]) -> Callable[..., None]:
    calls = iter(range(count))

    def counted(*arguments: Any) -> None:
        if next(calls, None) is None:
            die()
        call(*arguments)

    return counted


def put_half(folder: Path, sha256: str) -> None:
    from django.core.files.base import ContentFile
    from django.core.files.storage import default_storage

    from leaderboard.upkeep.stored_bytes import name_of

    content = (folder / "files" / sha256[:2] / sha256).read_bytes()
    default_storage.save(name_of(sha256), ContentFile(content[: len(content) // 2]))
    die()


def load_half(path: Path) -> None:
    """Die after a few pages of a SQLite dump are written."""
    import sqlite3

    from django.db import connection

    connection.ensure_connection()
    source = sqlite3.connect(path)
    source.backup(connection.connection, pages=40, progress=die)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
