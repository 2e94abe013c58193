"""What a step did to the working folder: two bounded looks compared."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field

from runner.contract import ChangeKind, FileChange
from runner.sandbox.entries import Caps, Entry, read_pieces, walk

KEPT_PER_FILE_BYTES = 2 << 20
KEPT_PER_STEP_BYTES = 16 << 20
READ_PER_FILE_BYTES = 64 << 20
READ_PER_STEP_BYTES = 256 << 20
INPUTS = frozenset({"data"})  # a read-only mount inside: it cannot change


@dataclass(frozen=True)
class Seen:
    """A file as it was. The mark cannot be forged: no call sets a file's change time."""

    size_bytes: int
    mark: tuple[int, int, int]  # inode, modification and change time in nanoseconds
    sha256: str


@dataclass
class Budget:
    """What one look may still read and keep."""

    kept_bytes: int = KEPT_PER_STEP_BYTES
    read_bytes: int = READ_PER_STEP_BYTES


@dataclass
class Watcher:
    """Remembers the last look at a working folder."""

    seen: dict[str, Seen] = field(default_factory=dict)

    def look(self, folder: int) -> tuple[FileChange, ...]:
        """What changed since the last look, by path. The folder may be in use meanwhile."""
        budget, caps = Budget(), Caps()
        now: dict[str, Seen] = {}
        changes: list[FileChange] = []
        for entry in walk(folder, caps, INPUTS):
            if entry.is_file:
                now[entry.path], change = self.compare(entry, budget)
                changes += [change] if change else []
        if caps.entries >= 0:  # else some files were not looked at
            changes += self.deletions(now)
        self.seen = now if caps.entries >= 0 else {**self.seen, **now}
        return tuple(sorted(changes, key=lambda change: change.path))

    def compare(self, entry: Entry, budget: Budget) -> tuple[Seen, FileChange | None]:
        assert entry.status is not None
        assert entry.fd is not None
        before = self.seen.get(entry.path)
        mark = (entry.status.st_ino, entry.status.st_mtime_ns, entry.status.st_ctime_ns)
        if before and before.mark == mark and before.size_bytes == entry.status.st_size:
            return before, None
        digest, content = read_file(entry.fd, entry.status.st_size, budget)
        seen = Seen(entry.status.st_size, mark, digest)
        if before and digest and before.sha256 == digest:
            return seen, None  # touched or rewritten with the same content
        return seen, FileChange(
            path=entry.path,
            kind=ChangeKind.CHANGED if before else ChangeKind.CREATED,
            size_bytes=seen.size_bytes,
            size_before_bytes=before.size_bytes if before else 0,
            sha256=digest,
            content=content,
        )

    def deletions(self, now: dict[str, Seen]) -> list[FileChange]:
        return [
            FileChange(path, ChangeKind.DELETED, size_before_bytes=seen.size_bytes)
            for path, seen in self.seen.items()
            if path not in now
        ]


def read_file(fd: int, size_bytes: int, budget: Budget) -> tuple[str, bytes | None]:
    """(SHA-256, content): empty and None when it is too large, or the step's budget is spent."""
    if size_bytes > min(READ_PER_FILE_BYTES, budget.read_bytes):
        return "", None
    budget.read_bytes -= size_bytes
    keeps = size_bytes <= min(KEPT_PER_FILE_BYTES, budget.kept_bytes)
    digest, kept = hashlib.sha256(), bytearray()
    try:
        for piece in read_pieces(fd, size_bytes):
            digest.update(piece)
            if keeps:
                kept += piece
    except OSError:
        return "", None
    if keeps:
        budget.kept_bytes -= len(kept)
    return digest.hexdigest(), bytes(kept) if keeps else None


def open_folder(path: str, parent: int) -> int:
    """A descriptor of a folder below `parent`, following nothing. Raises OSError."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.open(path, flags, dir_fd=parent)
