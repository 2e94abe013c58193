"""A notebook in an archive with the files that its cells read, ready to be run."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from leaderboard.trajectories.formats.notebook import ReadBlob, write_notebook
from leaderboard.trajectories.formats.trajectory import Trajectory

MAX_BYTES = 128 << 20  # of all inputs
MAX_FILES = 500
DATED = (2020, 1, 1, 0, 0, 0)  # of each file: equal attempts are equal archives

Input = tuple[str, int, Callable[[], bytes | None]]  # path, size, and how to read it


def write_archive(trajectory: Trajectory, inputs: Iterable[Input], read_blob: ReadBlob) -> bytes:
    """The archive. Files that are too large or not stored are named in MISSING.txt."""
    packed, left, missing = io.BytesIO(), MAX_BYTES, []
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        add(archive, "notebook.ipynb", write_notebook(trajectory, read_blob))
        for number, (path, size_bytes, read) in enumerate(inputs):
            fits = number < MAX_FILES and size_bytes <= left and is_inside(path)
            content = read() if fits else None
            if content is None:
                missing.append(path)
                continue
            left -= len(content)
            add(archive, f"data/{path}", content)
        if missing:
            add(archive, "MISSING.txt", "\n".join(missing).encode("utf-8", "replace") + b"\n")
    return packed.getvalue()


def add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, DATED), content, zipfile.ZIP_DEFLATED)


def is_inside(path: str) -> bool:
    """True for a path that stays below its folder."""
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and "\0" not in path
