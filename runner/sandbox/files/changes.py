"""Changes that a step made to the working folder: two bounded looks compared."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from runner.contract import ChangeKind, FileChange
from runner.sandbox.files.safe_walk import FolderEntry, WalkCaps, read_pieces, walk

KEPT_PER_FILE_BYTES = 2 << 20
KEPT_PER_STEP_BYTES = 16 << 20
READ_PER_FILE_BYTES = 64 << 20
READ_PER_STEP_BYTES = 256 << 20
INPUTS = frozenset({"data"})  # a read-only mount inside: it cannot change


@dataclass(frozen=True)
class Seen:
    """A file as it was. No call sets a file's change time, so the mark cannot be forged; what is
    written through a mapping that was made earlier leaves it as it is, and is seen at harvest."""

    size_bytes: int
    mark: tuple[int, int, int]  # inode, modification and change time in nanoseconds
    sha256: str


@dataclass
class ReadBudget:
    """Budget of one look: what it can still read and keep."""

    kept_bytes: int = KEPT_PER_STEP_BYTES
    read_bytes: int = READ_PER_STEP_BYTES


@dataclass
class FolderLook:
    """A look on its way, at one file after the other."""

    before: Mapping[str, Seen]
    budget: ReadBudget = field(default_factory=ReadBudget)
    now: dict[str, Seen] = field(default_factory=dict)
    changes: list[FileChange] = field(default_factory=list)

    def take(self, entry: FolderEntry) -> None:
        self.now[entry.path], change = self.compare(entry)
        self.changes += [change] if change else []

    def compare(self, entry: FolderEntry) -> tuple[Seen, FileChange | None]:
        assert entry.status is not None
        assert entry.fd is not None
        before, size_bytes = self.before.get(entry.path), entry.status.st_size
        if before and (before.size_bytes, before.mark) == (size_bytes, mark_of(entry.status)):
            return before, None
        digest, content = read_file(entry.fd, size_bytes, self.budget)
        seen = Seen(size_bytes, mark_of(entry.status), digest)
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

    def note_deletions(self) -> None:
        """Of everything that was there and was not taken now."""
        self.changes += [
            FileChange(path, ChangeKind.DELETED, size_before_bytes=seen.size_bytes)
            for path, seen in self.before.items()
            if path not in self.now
        ]


@dataclass
class Watcher:
    """Remembers the last look at a working folder."""

    seen: dict[str, Seen] = field(default_factory=dict)

    def look(self, folder: int) -> tuple[FileChange, ...]:
        """List the changes since the last look, by path. The folder may be in use meanwhile."""
        look, caps = FolderLook(self.seen), WalkCaps()
        for entry in walk(folder, caps, INPUTS):
            if entry.is_file:
                look.take(entry)
        return self.end(look, has_all=caps.entries >= 0)

    def end(self, look: FolderLook, has_all: bool) -> tuple[FileChange, ...]:
        """Return the findings of a look, from which the next one starts."""
        if has_all:  # else some files were not looked at
            look.note_deletions()
        self.seen = look.now if has_all else {**self.seen, **look.now}
        return tuple(sorted(look.changes, key=lambda change: change.path))


def mark_of(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_mtime_ns, status.st_ctime_ns


def read_file(fd: int, size_bytes: int, budget: ReadBudget) -> tuple[str, bytes | None]:
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
