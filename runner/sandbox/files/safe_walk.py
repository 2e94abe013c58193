"""Looking into a folder that hostile code filled: by descriptor, never following a link."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
PIECE_BYTES = 1 << 20
JOINERS = "\u200c\u200d"
HIDDEN_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
NAME_BYTES = 200


@dataclass
class WalkCaps:
    """On a walk as a whole; `entries` counts down."""

    entries: int = 5_000
    depth: int = 8


@dataclass(frozen=True)
class FolderEntry:
    """Something in a folder. `fd` is open while the walk is at it, None when `refusal` is set."""

    path: str  # relative to where the walk began, fit for display
    name: str
    fd: int | None
    status: os.stat_result | None
    refusal: str = ""

    @property
    def is_file(self) -> bool:
        return self.status is not None and stat.S_ISREG(self.status.st_mode)


def walk(
    folder: int, caps: WalkCaps, skipped: frozenset[str] = frozenset(), prefix: str = ""
) -> Iterator[FolderEntry]:
    """Everything below `folder` but the folders themselves, sorted by name within each.

    An entry's descriptor is closed when the next one is asked for.
    """
    try:
        names = list_names(folder, caps)
    except OSError as error:
        yield FolderEntry(show(prefix), "", None, None, f"cannot be listed: {error.strerror}")
        return
    for name in names:
        path = f"{prefix}/{name}" if prefix else name
        if path in skipped:
            continue
        try:
            fd = os.open(name, OPEN, dir_fd=folder)
        except OSError as error:
            yield FolderEntry(show(path), name, None, None, explain(name, folder, error))
            continue
        try:
            yield from visit(fd, path, name, caps, skipped)
        finally:
            os.close(fd)
    if caps.entries < 0:
        yield FolderEntry(show(prefix), "", None, None, "has too many entries")


def visit(
    fd: int, path: str, name: str, caps: WalkCaps, skipped: frozenset[str]
) -> Iterator[FolderEntry]:
    status = os.fstat(fd)
    if not stat.S_ISDIR(status.st_mode):
        yield FolderEntry(show(path), name, fd, status)
    elif not is_plain_name(name):
        yield FolderEntry(show(path), name, None, status, "has a name that cannot be stored")
    elif path.count("/") >= caps.depth:
        yield FolderEntry(show(path), name, None, status, "lies too deep")
    else:
        yield from walk(fd, caps, skipped, path)


def list_names(folder: int, caps: WalkCaps) -> list[str]:
    names: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            caps.entries -= 1
            if caps.entries < 0:
                break
            names.append(entry.name)
    return sorted(names)


def explain(name: str, folder: int, error: OSError) -> str:
    """Why it cannot be opened, in words."""
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except OSError:
        return f"cannot be opened: {error.strerror}"
    if stat.S_ISLNK(mode):
        return "is a symbolic link"
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        return "is no regular file"
    return f"cannot be opened: {error.strerror}"


def is_plain_name(name: str) -> bool:
    """True if a file can be stored under this name."""
    if name in (".", "..") or "\\" in name:
        return False
    if any(is_hidden(name, at) for at in range(len(name))):
        return False  # halves of surrogate pairs among them, which have no bytes to count
    return len(os.fsencode(name)) <= NAME_BYTES


def show(path: str) -> str:
    """The path with everything invisible or undecodable escaped."""
    return "".join(
        repr(char)[1:-1] if is_hidden(path, at) else char for at, char in enumerate(path)
    )


def is_hidden(name: str, at: int) -> bool:
    """True if nobody sees the character; joiners are part of Persian words and of emoji."""
    if name[at] in JOINERS and 0 < at < len(name) - 1:
        return name[at - 1].isascii() or name[at + 1].isascii()
    return unicodedata.category(name[at]) in HIDDEN_CATEGORIES


def read_pieces(fd: int, cap_bytes: int) -> Iterator[bytes]:
    """The content from its beginning, never more than `cap_bytes`."""
    offset = 0
    while offset < cap_bytes:
        piece = os.pread(fd, min(PIECE_BYTES, cap_bytes - offset), offset)
        if not piece:
            return
        offset += len(piece)
        yield piece
