"""Files inside an uploaded archive, bounded in number, size and ratio; nothing is written."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO

from leaderboard.trajectories.readers.conversation import Unusable
from leaderboard.trajectories.readers.harnesses.inspect_log import is_archive
from leaderboard.trajectories.readers.zip_archive import (
    CUT,
    MAX_MEMBER_BYTES,
    MAX_MEMBERS,
    ZIP,
    Archive,
    content_of,
    leaves_folder,
    list_members,
    shown_name,
)

MAX_FILES = 2_000
MAX_TOTAL_BYTES = 512 << 20  # of all, unpacked
MAX_RATIO = 200  # of what a zip unpacks to its size on disk, beyond the first megabytes
TOO_TIGHT = f"The archive unpacks to more than {MAX_RATIO} times its size."
FREE_BYTES = 4 << 20  # that any archive may unpack to, whatever the ratio
MAX_HEADER_BYTES = 64 << 10  # of a member of a tar, with its long names
TAR_MARK, TAR_AT = b"ustar", 257
BROKEN = (OSError, EOFError, zlib.error, struct.error, tarfile.TarError, ValueError)


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
    if head_of(path, 4) in ZIP:
        return zip_members(path)
    if is_tar(path):
        return tar_members(path)
    return None


def head_of(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        return file.read(size)


def is_tar(path: Path) -> bool:
    """True for a tar file, plain or packed with gzip."""
    head = head_of(path, 1 << 16)
    if head.startswith(b"\x1f\x8b"):
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, 1024)
        except zlib.error:
            return False
    return head[TAR_AT : TAR_AT + len(TAR_MARK)] == TAR_MARK


def zip_members(path: Path) -> Iterator[Member] | None:
    """The files in a zip; None for a log of Inspect, which is a zip of its own."""
    data = path.read_bytes()
    archive = open_zip(data)
    if is_archive(archive):
        return None

    def read() -> Iterator[Member]:
        bounds = Bounds(len(data))
        for problem in archive.problems:
            yield Member("", refusal=problem)
        for member in archive.members:
            if is_aside(member.name):
                continue
            bounds.count_file()
            try:
                content = content_of(data, member)
            except Unusable as problem:
                yield Member(member.name, refusal=str(problem))
            else:
                bounds.count_bytes(len(content))
                yield Member(member.name, content)
        if archive.is_cut:
            yield Member("", refusal=CUT)

    return read()


def open_zip(data: bytes) -> Archive:
    """The members that a zip lists. Raises BadArchive for too many, or too much in them."""
    try:
        archive = list_members(data)
    except Unusable as problem:
        raise BadArchive(str(problem)) from None
    if sum(one.size_bytes or 0 for one in archive.members) > max_unpacked_bytes(len(data)):
        raise BadArchive(TOO_TIGHT)
    return archive


def max_unpacked_bytes(size_bytes: int) -> int:
    """Bytes to which an archive of this size may unpack."""
    return max(FREE_BYTES, MAX_RATIO * size_bytes)


def tar_members(path: Path) -> Iterator[Member]:
    """The regular files in a tar, which is read as a stream: nothing is looked up by name."""
    bounds, listed = Bounds(path.stat().st_size), 0
    is_packed = head_of(path, 2) == b"\x1f\x8b"
    try:
        # gzip's own reader says when the file is cut.
        with (
            gzip.open(path) if is_packed else path.open("rb") as plain,
            tarfile.open(fileobj=(stream := TarStream(plain)), mode="r|") as archive,
        ):
            for entry in archive:
                stream.left_bytes = entry.size + MAX_HEADER_BYTES
                listed += 1
                if listed > MAX_MEMBERS:
                    raise BadArchive(f"The archive has more than {MAX_MEMBERS:,} members.")
                content = archive.extractfile(entry) if entry.isreg() else None
                if content is not None and not is_aside(entry.name):
                    yield read_entry(entry, content, bounds)
    except BROKEN as error:
        if bounds.files == 0:
            raise BadArchive(f"The archive is damaged or cut off ({told(error)}).") from None
        what = f"It is damaged or cut off after {bounds.files} files ({told(error)})."
        yield Member("the archive", refusal=what)


@dataclass
class TarStream(io.RawIOBase):
    """The bytes of a tar, of which a header takes no more than MAX_HEADER_BYTES.

    The library's time grows with the square of a header's size.
    """

    plain: BinaryIO | gzip.GzipFile
    left_bytes: int = MAX_HEADER_BYTES  # until the next member

    def read(self, size: int = -1) -> bytes:
        data = self.plain.read(size)
        self.left_bytes -= len(data)
        if self.left_bytes < 0:
            raise tarfile.ReadError(f"a header is larger than {MAX_HEADER_BYTES >> 10} KiB")
        return data


def read_entry(entry: tarfile.TarInfo, content: IO[bytes], bounds: Bounds) -> Member:
    bounds.count_file()
    if leaves_folder(entry.name):
        return Member("", refusal=f"“{shown_name(entry.name)}” leaves its folder: left out.")
    if entry.size > MAX_MEMBER_BYTES:
        return Member(entry.name, refusal=f"It is larger than {MAX_MEMBER_BYTES >> 20} MiB.")
    data = content.read()
    bounds.count_bytes(len(data))
    return Member(entry.name, data)


@dataclass
class Bounds:
    """Counts what an archive of so many bytes holds. Raises BadArchive for too much."""

    size_bytes: int
    files: int = 0
    total_bytes: int = 0

    def count_file(self) -> None:
        self.files += 1
        if self.files > MAX_FILES:
            raise BadArchive(f"The archive has more than {MAX_FILES:,} trajectories' files.")

    def count_bytes(self, number: int) -> None:
        self.total_bytes += number
        if self.total_bytes > MAX_TOTAL_BYTES:
            raise BadArchive(f"The archive unpacks to more than {MAX_TOTAL_BYTES >> 20} MiB.")
        if self.total_bytes > max_unpacked_bytes(self.size_bytes):
            raise BadArchive(TOO_TIGHT)


def told(error: BaseException) -> str:
    return " ".join(str(error).split())[:100] or type(error).__name__


def is_aside(name: str) -> bool:
    """True for what systems and tools put beside the files that were meant."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return not parts or parts[0] == "__MACOSX" or parts[-1].startswith("._")
