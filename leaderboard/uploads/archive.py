"""Files inside an uploaded archive, bounded in number, size and ratio; nothing is written."""

from __future__ import annotations

import gzip
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

MAX_FILES = 2_000
MAX_LISTED = 20_000  # entries of an archive, folders and what is left aside included
MAX_FILE_BYTES = 64 << 20  # of one file inside
MAX_TOTAL_BYTES = 512 << 20  # of all, unpacked
MAX_RATIO = 200  # of what a zip unpacks to its size on disk, beyond the first megabytes
FREE_BYTES = 4 << 20  # that any archive may unpack to, whatever the ratio
INSPECT = ("header.json", "_journal/")  # in a log of Inspect, which is a zip of its own
TAR_MARK, TAR_AT = b"ustar", 257
BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, struct.error, tarfile.TarError,
          zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError)  # fmt: skip


class BadArchive(Exception):
    """An archive that is refused whole; the message is a sentence."""


@dataclass(frozen=True)
class Member:
    """A file inside, with the reason it is left aside if it was."""

    name: str
    content: bytes = field(repr=False, default=b"")
    refusal: str = ""  # a sentence


def read_members(path: Path) -> Iterator[Member] | None:
    """The files in an archive, in its order; None for a file that is no archive of files.

    Raises BadArchive, also while it is iterated.
    """
    if head_of(path, 2) == b"PK" and zipfile.is_zipfile(path):
        return None if is_inspect_log(path) else Bounds(path).guard(zip_members(path))
    if is_tar(path):
        return Bounds(path).guard(tar_members(path))
    return None


def head_of(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        return file.read(size)


def is_inspect_log(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.startswith(INSPECT) for name in archive.namelist()[:MAX_LISTED])
    except BROKEN:
        return False


def is_tar(path: Path) -> bool:
    """True for a tar file, plain or packed with gzip."""
    head = head_of(path, 1 << 16)
    if head.startswith(b"\x1f\x8b"):
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, 1024)
        except zlib.error:
            return False
    return head[TAR_AT : TAR_AT + len(TAR_MARK)] == TAR_MARK


Opened = tuple[str, int, IO[bytes] | None]  # name, size as the archive claims, content


def zip_members(path: Path) -> Iterator[Opened]:
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            if entry.is_dir():
                continue
            if entry.flag_bits & 1:
                raise BadArchive("The archive is encrypted: send it without a password.")
            if entry.file_size > MAX_FILE_BYTES:
                yield entry.filename, entry.file_size, None
                continue
            with archive.open(entry) as content:
                yield entry.filename, entry.file_size, content


def tar_members(path: Path) -> Iterator[Opened]:
    is_packed = head_of(path, 2) == b"\x1f\x8b"
    # A stream: nothing is looked up by name. gzip's own reader says when the file is cut.
    with (
        gzip.open(path) if is_packed else path.open("rb") as plain,
        tarfile.open(fileobj=plain, mode="r|") as archive,
    ):
        for entry in archive:
            content = archive.extractfile(entry) if entry.isreg() else None
            if content is not None:
                yield entry.name, entry.size, content


class Bounds:
    """Reads the members of one archive until a bound is met."""

    def __init__(self, path: Path) -> None:
        self.size = path.stat().st_size
        self.listed = self.files = self.total = 0

    def guard(self, opened: Iterator[Opened]) -> Iterator[Member]:
        try:
            for name, size, content in opened:
                self.listed += 1
                if self.listed > MAX_LISTED:
                    raise BadArchive(f"The archive has more than {MAX_LISTED:,} files.")
                if not is_aside(name):
                    yield self.read(name, size, content)
        except BROKEN as error:
            if self.files == 0:
                raise BadArchive(f"The archive is damaged or cut off ({told(error)}).") from None
            yield Member(
                "the archive",
                refusal=f"It is damaged or cut off after {self.files} files ({told(error)}).",
            )

    def read(self, name: str, size: int, content: IO[bytes] | None) -> Member:
        self.files += 1
        if self.files > MAX_FILES:
            raise BadArchive(f"The archive has more than {MAX_FILES:,} trajectories' files.")
        if content is None or size > MAX_FILE_BYTES:
            return Member(name, refusal=f"It is larger than {MAX_FILE_BYTES >> 20} MiB.")
        data = content.read(MAX_FILE_BYTES + 1)  # whatever size the archive claims
        if len(data) > MAX_FILE_BYTES:
            return Member(name, refusal=f"It is larger than {MAX_FILE_BYTES >> 20} MiB.")
        self.total += len(data)
        if self.total > MAX_TOTAL_BYTES:
            raise BadArchive(f"The archive unpacks to more than {MAX_TOTAL_BYTES >> 20} MiB.")
        if self.total > FREE_BYTES and self.total > MAX_RATIO * self.size:
            raise BadArchive(f"The archive unpacks to more than {MAX_RATIO} times its size.")
        return Member(name, data)


def told(error: BaseException) -> str:
    return " ".join(str(error).split())[:100] or type(error).__name__


def is_aside(name: str) -> bool:
    """True for what systems and tools put beside the files that were meant."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return not parts or parts[0] == "__MACOSX" or parts[-1].startswith("._")
