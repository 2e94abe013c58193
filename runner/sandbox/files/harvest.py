"""Taking files out of a sandbox when everything in it is dead, so that nothing can race it."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from runner.contract import Harvest, RefusedFile, StoredFile
from runner.sandbox.files.changes import open_folder
from runner.sandbox.files.safe_walk import FolderEntry, WalkCaps, is_plain_name, read_pieces, walk

FILES = 500
ENTRIES = 25_000  # more than a working folder may hold
FILE_BYTES = 64 << 20
TOTAL_BYTES = 256 << 20
REFUSALS = 200


@dataclass
class Taking:
    """A harvest on its way."""

    dest: Path
    files: list[StoredFile] = field(default_factory=list)
    refused: list[RefusedFile] = field(default_factory=list)
    left_bytes: int = TOTAL_BYTES

    def take(self, entry: FolderEntry) -> None:
        reason = entry.refusal or self.judge(entry)
        if not reason:
            try:
                self.files.append(self.copy(entry))
                return
            except OSError as error:
                if error.errno in (errno.ENOSPC, errno.EDQUOT):
                    raise  # our disk is full: no fault of whoever wrote the file
                reason = f"cannot be copied: {error.strerror}"
        self.refuse(entry.path, reason)

    def refuse(self, path: str, reason: str) -> None:
        if len(self.refused) < REFUSALS:
            self.refused.append(RefusedFile(path, reason))

    def harvest(self) -> Harvest:
        return Harvest(tuple(self.files), tuple(self.refused))

    def judge(self, entry: FolderEntry) -> str:
        """Why it is not taken; empty when it is."""
        assert entry.status is not None
        if not entry.is_file:
            return "is no regular file"
        if entry.status.st_nlink != 1:
            return "is a hard link: it has another name elsewhere"
        if not is_plain_name(entry.name):
            return "has a name that cannot be stored"
        if entry.status.st_size > min(FILE_BYTES, self.left_bytes):
            return f"is too large: {entry.status.st_size} bytes"
        if len(self.files) >= FILES:
            return f"is one file too many: {FILES} are taken"
        return ""

    def copy(self, entry: FolderEntry) -> StoredFile:
        assert entry.fd is not None
        target = self.dest / entry.path
        target.parent.mkdir(parents=True, exist_ok=True)
        digest, size = hashlib.sha256(), 0
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(target, flags, 0o644), "wb") as file:
            for piece in read_pieces(entry.fd, FILE_BYTES):
                digest.update(piece)
                size += len(piece)
                file.write(piece)
        self.left_bytes -= size
        return StoredFile(entry.path, size, digest.hexdigest(), target)


def harvest(work: int, folder: str, dest: Path, wanted: Collection[str] = ()) -> Harvest:
    """The regular files of `folder` in the working folder, copied below `dest`.

    A link, a special file, a hostile name or too large a file is refused, with the reason. The
    `wanted` paths are taken first: nothing beside them uses up their room. Raises OSError when
    the disk under `dest` is full.
    """
    dest.mkdir(parents=True, exist_ok=True)
    try:
        top = os.dup(work) if folder == "." else open_folder(folder, work)
    except FileNotFoundError:
        return Harvest()
    except OSError:
        return Harvest(refused=(RefusedFile(folder, "is no folder"),))
    taking = Taking(dest)
    try:
        for is_turn_of_wanted in (True, False) if wanted else (False,):
            for entry in walk(top, WalkCaps(entries=ENTRIES)):
                if (entry.path in wanted) == is_turn_of_wanted:
                    taking.take(entry)
    finally:
        os.close(top)
    return taking.harvest()
