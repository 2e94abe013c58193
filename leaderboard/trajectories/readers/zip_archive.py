"""Reads zip archives that strangers made: bounded in members, sizes and ratio, whole or cut.

Names decide nothing but which member is which: nothing is ever written under them.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import zstandard

from leaderboard.trajectories.readers.conversation import Unusable

CUT = "The archive is cut off; what comes before was read."
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
CENTRAL, LOCAL, END = b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"
MAX_MEMBERS = 20_000
MAX_MEMBER_BYTES = 64 << 20
MAX_RATIO = 500  # of a member of more than a MiB
RATIO_BYTES = 1 << 20
STORED, DEFLATED, ZSTD = 0, 8, 93
ENCRYPTED, STREAMED, UTF8 = 1, 8, 1 << 11
MAX_NAME_CHARS = 120  # of a name in a sentence


@dataclass(frozen=True)
class ZipMember:
    """A file in an archive, where its bytes lie."""

    name: str
    method: int
    flags: int
    start: int
    packed_bytes: int  # as far as they are there
    size_bytes: int | None = None  # as the archive says
    is_cut: bool = False

    @property
    def shown(self) -> str:
        return self.name[:MAX_NAME_CHARS].encode("ascii", "backslashreplace").decode()

    @property
    def is_safe(self) -> bool:
        """True if the name stays below its folder."""
        parts = self.name.replace("\\", "/").split("/")
        is_absolute = self.name.startswith(("/", "\\")) or ":" in parts[0]
        return not is_absolute and ".." not in parts and "\x00" not in self.name


@dataclass(frozen=True)
class Archive:
    """The members of an archive, each name once, and sentences on those left out."""

    members: tuple[ZipMember, ...]
    problems: tuple[str, ...]
    is_cut: bool


def list_members(data: bytes) -> Archive:
    """The members that may be read. Raises Unusable if there are too many of them."""
    if data.count(CENTRAL) > MAX_MEMBERS or data.count(LOCAL) > 4 * MAX_MEMBERS:
        raise Unusable(f"The archive has more than {MAX_MEMBERS:,} members.")
    listed = list(central_members(data))
    is_cut = not listed and END not in data[-65_600:]
    found: dict[str, ZipMember] = {}
    problems: list[str] = []
    for member in listed if listed else local_members(data):
        if member.name.endswith("/"):
            continue
        problem = problem_of(member, found)
        if problem:
            problems.append(problem)
        else:
            found[member.name] = member
    return Archive(tuple(found.values()), tuple(problems), is_cut)


def problem_of(member: ZipMember, found: dict[str, ZipMember]) -> str:
    """A sentence on why a member is left out; "" if it is taken."""
    if not member.is_safe:
        return f"“{member.shown}” leaves its folder: left out."
    if member.name in found:
        return f"“{member.shown}” is in the archive twice: the second one is left out."
    if member.flags & ENCRYPTED:
        return f"“{member.shown}” is encrypted: left out."
    if member.method not in (STORED, DEFLATED, ZSTD):
        return f"“{member.shown}” is compressed with method {member.method}, which is not read."
    return ""


def central_members(data: bytes) -> Iterator[ZipMember]:
    """The members that the directory at the archive's end lists."""
    end = data.rfind(END, max(0, len(data) - 65_600))
    if end < 0 or len(data) - end < 22:
        return
    place = struct.unpack_from("<I", data, end + 16)[0]
    if data[place : place + 4] != CENTRAL:  # beyond 4 GiB, or bytes before the archive
        place = data.find(CENTRAL)
    while place >= 0 and data[place : place + 4] == CENTRAL and place + 46 <= len(data):
        fields = struct.unpack_from("<4s6H3I5H2I", data, place)
        flags, method, packed, size = fields[3], fields[4], fields[8], fields[9]
        names, extra, comment, offset = fields[10], fields[11], fields[12], fields[16]
        name = decoded(data[place + 46 : place + 46 + names], flags)
        yield at_local(data, name, method, flags, offset, packed, size)
        place += 46 + names + extra + comment


def at_local(
    data: bytes, name: str, method: int, flags: int, offset: int, packed: int, size: int
) -> ZipMember:
    """The member of a directory entry. One that points elsewhere than at a member is empty."""
    if data[offset : offset + 4] != LOCAL or offset + 30 > len(data):
        return ZipMember(name, method, flags, len(data), 0, size, is_cut=True)
    names, extra = struct.unpack_from("<2H", data, offset + 26)
    start = offset + 30 + names + extra
    there = max(0, min(packed, len(data) - start))
    return ZipMember(name, method, flags, start, there, size, is_cut=there < packed)


def local_members(data: bytes) -> Iterator[ZipMember]:
    """The members of an archive that lost its directory, one behind the other."""
    place = 0
    while data[place : place + 4] == LOCAL and place + 30 <= len(data):
        flags, method = struct.unpack_from("<2H", data, place + 6)
        packed, size, names, extra = struct.unpack_from("<2I2H", data, place + 18)
        name = decoded(data[place + 30 : place + 30 + names], flags)
        start = place + 30 + names + extra
        if flags & STREAMED and not packed:  # its size comes behind it
            following = data.find(LOCAL, start)
            packed = (following if following >= 0 else len(data)) - start
            size = -1
        there = max(0, min(packed, len(data) - start))
        is_last = start + packed >= len(data)
        yield ZipMember(name, method, flags, start, there, size if size >= 0 else None, is_last)
        place = start + packed
        if flags & STREAMED and data[place : place + 4] == b"PK\x07\x08":
            place += 16


def decoded(name: bytes, flags: int) -> str:
    return name.decode("utf-8" if flags & UTF8 else "cp437", "replace")


def content_of(data: bytes, member: ZipMember, room: int = MAX_MEMBER_BYTES) -> bytes:
    """A member's bytes, as far as they are there. Raises Unusable beyond the limits."""
    if member.is_cut and not member.packed_bytes:
        raise Unusable(f"“{member.shown}” is not in the archive, or not where its directory says.")
    packed = data[member.start : member.start + member.packed_bytes]
    most = min(MAX_MEMBER_BYTES, room)
    ratio_most = max(RATIO_BYTES, MAX_RATIO * len(packed))
    try:
        content = unpacked(packed, member.method, min(most, ratio_most) + 1)
    except (zlib.error, zstandard.ZstdError):
        raise Unusable(f"“{member.shown}” is damaged: it cannot be unpacked.") from None
    if len(content) > ratio_most:
        raise Unusable(f"“{member.shown}” unpacks to more than {MAX_RATIO} times its size.")
    if len(content) > most:
        raise Unusable(f"“{member.shown}” unpacks to more than {most >> 20} MiB.")
    return content


def unpacked(packed: bytes, method: int, most: int) -> bytes:
    """At most so many bytes; fewer where the data ends early."""
    if method == STORED:
        return packed[:most]
    if method == DEFLATED:
        return zlib.decompressobj(wbits=-15).decompress(packed, most)
    parts: list[bytes] = []
    size = 0
    reader = zstandard.ZstdDecompressor(max_window_size=128 << 20).stream_reader(
        packed, read_across_frames=True
    )
    while size < most:
        try:
            part = reader.read(min(1 << 20, most - size))
        except zstandard.ZstdError:
            if not parts:
                raise
            break  # what follows the last frame, or a frame that is cut
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)
