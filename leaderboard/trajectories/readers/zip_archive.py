"""Reads zip archives that strangers made: bounded in members, sizes and ratio, whole or cut.

The members are counted before they are listed. Names decide nothing but which member is which.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import IO

import zstandard

from leaderboard.trajectories.readers.conversation import Unusable

CUT = "The archive is cut off; what comes before was read."
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
CENTRAL, LOCAL, END = b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"
LOCATOR, END64 = b"PK\x06\x07", b"PK\x06\x06"
MAX_MEMBERS = 20_000
MAX_MEMBER_BYTES = 64 << 20
MAX_RATIO = 500  # of a member of more than a MiB
RATIO_BYTES = 1 << 20
STORED, DEFLATED, ZSTD = 0, 8, 93
ENCRYPTED, STREAMED, UTF8 = 1, 8, 1 << 11
MAX_NAME_CHARS = 120  # of a name in a sentence
ZIP64, TOO_LARGE = 1, 0xFFFFFFFF  # the extra field for numbers that four bytes cannot hold
LINK = 0xA  # file type of a symbolic link
PIECE_BYTES = 1 << 18


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
    crc: int | None = None  # None where no directory gives it
    is_link: bool = False

    @property
    def shown(self) -> str:
        return shown_name(self.name)


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
        problem = problem_of(member)
        if member.name in found and not problem:  # the last one is what every program unpacks
            problems.append(f"“{member.shown}” is in the archive twice: the first is left out.")
        if problem:
            problems.append(problem)
        else:
            found[member.name] = member
    return Archive(tuple(found.values()), tuple(problems), is_cut)


def problem_of(member: ZipMember) -> str:
    """A sentence on why a member is left out; "" if it is taken."""
    if leaves_folder(member.name):
        return f"“{member.shown}” leaves its folder: left out."
    if member.is_link:
        return f"“{member.shown}” is a link: left out."
    if member.flags & ENCRYPTED:
        return f"“{member.shown}” is encrypted: left out."
    if member.method not in (STORED, DEFLATED, ZSTD):
        return f"“{member.shown}” is compressed with method {member.method}, which is not read."
    return ""


def leaves_folder(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    is_absolute = name.startswith(("/", "\\")) or ":" in parts[0]
    return is_absolute or ".." in parts or "\x00" in name


def shown_name(name: str) -> str:
    """A name as it stands in a sentence."""
    return name[:MAX_NAME_CHARS].encode("ascii", "backslashreplace").decode()


def central_members(data: bytes) -> Iterator[ZipMember]:
    """The members that the directory at the archive's end lists."""
    end = data.rfind(END, max(0, len(data) - 65_600))
    if end < 0 or len(data) - end < 22:
        return
    place = struct.unpack_from("<I", data, end + 16)[0]
    if place == TOO_LARGE and data[max(0, end - 20) : end - 16] == LOCATOR:
        record = struct.unpack_from("<Q", data, end - 12)[0]
        if data[record : record + 4] == END64 and record + 56 <= len(data):
            place = struct.unpack_from("<Q", data, record + 48)[0]
    if data[place : place + 4] != CENTRAL:  # beyond 4 GiB, or bytes before the archive
        place = data.find(CENTRAL)
    while place >= 0 and data[place : place + 4] == CENTRAL and place + 46 <= len(data):
        fields = struct.unpack_from("<4s6H3I5H2I", data, place)
        names, extra, comment = fields[10:13]
        extras = data[place + 46 + names : place + 46 + names + extra]
        size, packed, offset = large_numbers(extras, fields[9], fields[8], fields[16])
        member = ZipMember(
            decoded(data[place + 46 : place + 46 + names], fields[3]),
            method=fields[4],
            flags=fields[3],
            start=len(data),
            packed_bytes=0,
            size_bytes=size,
            is_cut=True,
            crc=fields[7],
            is_link=fields[15] >> 28 == LINK,
        )
        yield at_local(data, member, offset, packed)
        place += 46 + names + extra + comment


def large_numbers(extras: bytes, *numbers: int) -> list[int]:
    """A directory entry's numbers, those that are too large for it from its zip64 field."""
    found, place = list(numbers), 0
    while place + 4 <= len(extras):
        kind, size = struct.unpack_from("<2H", extras, place)
        if kind == ZIP64:
            wide = struct.iter_unpack("<Q", extras[place + 4 : place + 4 + size // 8 * 8])
            with suppress(StopIteration, struct.error):
                found = [next(wide)[0] if n == TOO_LARGE else n for n in numbers]
            break
        place += 4 + size
    return found


def at_local(data: bytes, member: ZipMember, offset: int, packed: int) -> ZipMember:
    """The member of a directory entry. One that points elsewhere than at a member is empty."""
    if data[offset : offset + 4] != LOCAL or offset + 30 > len(data):
        return member
    names, extra = struct.unpack_from("<2H", data, offset + 26)
    start = offset + 30 + names + extra
    there = max(0, min(packed, len(data) - start))
    return replace(member, start=start, packed_bytes=there, is_cut=there < packed)


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
    stated = most if member.is_cut or member.size_bytes is None else member.size_bytes
    try:
        content = unpacked(packed, member.method, min(most, ratio_most, stated) + 1)
    except (zlib.error, zstandard.ZstdError):
        raise Unusable(f"“{member.shown}” is damaged: it cannot be unpacked.") from None
    if len(content) > ratio_most:
        raise Unusable(f"“{member.shown}” unpacks to more than {MAX_RATIO} times its size.")
    if len(content) > most:
        raise Unusable(f"“{member.shown}” unpacks to more than {most >> 20} MiB.")
    is_whole = (len(content), zlib.crc32(content)) == (stated, member.crc)
    if member.crc is not None and not member.is_cut and not is_whole:
        raise Unusable(f"“{member.shown}” is damaged: its size or checksum differs.")
    return content


def copy_member(source: IO[bytes], member: ZipMember, target: IO[bytes]) -> None:
    """Write a stored or deflated member, never more bytes than its entry says. Raises Unusable."""
    inflater = zlib.decompressobj(wbits=-15) if member.method == DEFLATED else None
    packed_left, left, crc, piece = member.packed_bytes, member.size_bytes or 0, 0, b""
    source.seek(member.start)
    while left > 0 and not (inflater and inflater.eof):
        if not piece and packed_left > 0:
            piece = source.read(min(PIECE_BYTES, packed_left))
            packed_left = packed_left - len(piece) if piece else 0
        try:
            part = inflater.decompress(piece, min(PIECE_BYTES, left)) if inflater else piece[:left]
        except zlib.error:
            break
        if not part and not piece:
            break
        piece = inflater.unconsumed_tail if inflater else b""
        target.write(part)
        left, crc = left - len(part), zlib.crc32(part, crc)
    if left or crc != member.crc:
        raise Unusable(f"“{member.shown}” is damaged.")


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
