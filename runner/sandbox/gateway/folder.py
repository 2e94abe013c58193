"""The working folder on the other side: inputs put there, files listed and fetched by a kernel.

What the kernel tells of them is judged as a hostile folder would be (see the package's docstring).
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import stat
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from runner.contract import FileChange, Harvest, RefusedFile
from runner.sandbox.changes import INPUTS, KEPT_PER_FILE_BYTES, KEPT_PER_STEP_BYTES, Look, Watcher
from runner.sandbox.entries import Caps, Entry, is_plain_name, show
from runner.sandbox.gateway.channel import Channel, NoAnswer
from runner.sandbox.harvest import TOTAL_BYTES, Taking
from runner.sandbox.zygote_session import find_files

PIECE_BYTES = 2 << 20
LISTED = 5_000
DEPTH = Caps().depth
HARVEST_TIMEOUT_S = 300.0  # then what is missing is refused
SHOWN_CHARS = 2_000  # more than a name that is taken can have
LARGEST = 1 << 63
UNTOLD = "cannot be opened"
TOO_SLOW = f"was not handed over within {HARVEST_TIMEOUT_S:.0f} s"
DIED_MEANWHILE = "is lost: its kernel died before it was handed over"
NAMELESS = "has a name that cannot be stored"


@dataclass(frozen=True)
class Told:
    """A file's status as a kernel tells it; named like the fields of `os.stat_result`."""

    st_mode: int
    st_nlink: int
    st_size: int
    st_ino: int
    st_mtime_ns: int
    st_ctime_ns: int


@dataclass(frozen=True)
class Listing:
    """`state` is "whole", "cut", "missing" or "no folder"."""

    state: str
    entries: tuple[Entry, ...] = ()

    @property
    def files(self) -> Iterator[Entry]:
        """The regular ones that may be asked for."""
        return (entry for entry in self.entries if entry.is_file and not entry.refusal)


@dataclass(frozen=True)
class FarFolder:
    """A working folder at `work`, reached through its kernel. Everything raises NoAnswer."""

    channel: Channel
    work: str

    @classmethod
    async def open(cls, channel: Channel, inputs: Path) -> FarFolder:
        """A new one in which `./data` holds the files of `inputs`."""
        work = (await channel.ask({"do": "open"})).get("work")
        if not isinstance(work, str) or not work.startswith("/"):
            raise NoAnswer("the kernel names no folder")
        folder = cls(channel, work)
        for path in sorted(find_files(inputs)):
            await folder.put(path, path.relative_to(inputs).as_posix())
        await channel.ask({"do": "seal", "work": work})
        return folder

    async def put(self, source: Path, path: str) -> None:
        request = {"do": "put", "work": self.work, "path": path}
        with source.open("rb") as file:
            piece = file.read(PIECE_BYTES)
            while True:
                await self.channel.ask({**request, "data": base64.b64encode(piece).decode()})
                piece = file.read(PIECE_BYTES)
                if not piece:
                    return

    async def look(self, watcher: Watcher) -> tuple[FileChange, ...]:
        """What changed since the watcher's last look; contents come as far as they are kept.

        A larger file is known by its size and times alone: it is fetched once, by the harvest.
        """
        listing = await self.list(".", skipped=INPUTS)
        look, left_bytes = Look(watcher.seen), KEPT_PER_STEP_BYTES
        for entry in listing.files:
            assert entry.status is not None
            if look.has_seen(entry) or entry.status.st_size > min(KEPT_PER_FILE_BYTES, left_bytes):
                look.take(entry)
                continue
            left_bytes -= entry.status.st_size
            with tempfile.TemporaryFile() as copy:
                look.take(await self.fetch(".", entry, copy))
        return watcher.end(look, has_all=listing.state != "cut")

    async def harvest(self, dest: Path, wanted: Collection[str] = ()) -> Harvest:
        """Like `runner.sandbox.harvest.harvest`; what the kernel does not hand over is refused."""
        dest.mkdir(parents=True, exist_ok=True)
        listing = await self.list("output", first=wanted)
        taking = Taking(dest)
        if listing.state == "no folder":
            taking.refuse("output", "is no folder")
        deadline_s = asyncio.get_running_loop().time() + HARVEST_TIMEOUT_S
        bringing = Bringing(self, taking, deadline_s)
        for entry in listing.entries:
            await bringing.take(entry)
        if listing.state == "cut":
            taking.refuse("", "has too many entries")
        return taking.harvest()

    async def list(
        self, folder: str, first: Collection[str] = (), skipped: Collection[str] = ()
    ) -> Listing:
        told = await self.channel.ask(
            {
                "do": "look",
                "work": self.work,
                "folder": folder,
                "first": sorted(first),
                "skipped": sorted(skipped),
                "most": LISTED,
                "depth": DEPTH,
            }
        )
        state, rows = told.get("state"), told.get("rows", [])
        if state in ("missing", "no folder"):
            return Listing(state)
        if not isinstance(rows, list):
            raise NoAnswer("the kernel's listing makes no sense")
        entries = {entry.path: entry for entry in map(read_row, rows[:LISTED]) if entry}
        is_whole = state == "whole" and len(rows) <= LISTED
        return Listing("whole" if is_whole else "cut", tuple(entries.values()))

    async def fetch(self, folder: str, entry: Entry, into: BinaryIO) -> Entry:
        """The entry with `into` for its descriptor, as long as what arrived."""
        assert isinstance(entry.status, Told)
        path, size_bytes, got = f"{folder}/{entry.path}", entry.status.st_size, 0
        while got < size_bytes:
            asked = min(PIECE_BYTES, size_bytes - got)
            told = await self.channel.ask(
                {"do": "read", "work": self.work, "path": path, "offset": got, "size": asked}
            )
            piece = decode(told.get("data"), asked)
            if not piece:
                break
            into.write(piece)
            got += len(piece)
        into.flush()
        return replace(entry, fd=into.fileno(), status=replace(entry.status, st_size=got))


@dataclass
class Bringing:
    """A harvest on its way here. `given_up` says why nothing more is fetched."""

    folder: FarFolder
    taking: Taking
    deadline_s: float  # by the event loop's clock
    left_bytes: int = TOTAL_BYTES  # to be fetched, whether or not it can be stored
    given_up: str = ""

    async def take(self, entry: Entry) -> None:
        refusal = self.given_up or entry.refusal or self.taking.judge(entry) or self.spend(entry)
        refusal = refusal or await self.bring(entry)
        if refusal:
            self.taking.refuse(entry.path, refusal)

    def spend(self, entry: Entry) -> str:
        assert entry.status is not None
        size_bytes = entry.status.st_size
        if size_bytes > self.left_bytes:
            return f"is too large: {size_bytes} bytes"
        self.left_bytes -= size_bytes
        return ""

    async def bring(self, entry: Entry) -> str:
        """Why it could not be had; "" when it could."""
        with tempfile.TemporaryFile() as copy:
            try:
                async with asyncio.timeout_at(self.deadline_s):
                    here = await self.folder.fetch("output", entry, copy)
            except TimeoutError:
                self.given_up = TOO_SLOW
                return TOO_SLOW
            except NoAnswer as lack:
                self.given_up = DIED_MEANWHILE if self.folder.channel.lost else ""
                return self.given_up or f"cannot be copied: {lack}"
            self.taking.take(here)
        return ""


def decode(data: object, most_bytes: int) -> bytes:
    try:
        piece = base64.b64decode(data, validate=True) if isinstance(data, str) else None
    except (ValueError, binascii.Error):
        piece = None
    if piece is None or len(piece) > most_bytes:
        raise NoAnswer("the kernel's copy of it makes no sense")
    return piece


def read_row(row: object) -> Entry | None:
    """An entry of a listing, with the reason if it is not to be had; None for no row at all."""
    if not isinstance(row, list) or len(row) != 7 or not isinstance(row[0], str):
        return None
    path, numbers = row[0], row[1:]
    parts = path.split("/")
    shown, status = show(path[:SHOWN_CHARS]), read_status(numbers)
    refusal = find_refusal(parts, status)
    return Entry(shown, parts[-1], None, status, refusal)


def read_status(numbers: list[Any]) -> Told | None:
    if not all(type(number) is int and 0 <= number < LARGEST for number in numbers):
        return None
    return Told(*numbers)


def find_refusal(parts: list[str], status: Told | None) -> str:
    """Why an entry is not to be had, as `runner.sandbox.entries` would say; "" when it is."""
    if not all(part and is_plain_name(part) for part in parts):
        return NAMELESS
    if len(parts) > DEPTH + 1:
        return "lies too deep"
    if status is None:
        return UNTOLD
    if stat.S_ISLNK(status.st_mode):
        return "is a symbolic link"
    if stat.S_ISDIR(status.st_mode):
        return "lies too deep" if len(parts) > DEPTH else "cannot be listed"
    return ""


def lost_harvest(wanted: Collection[str]) -> Harvest:
    """When the kernel is gone, and its files with it."""
    lost = sorted(wanted) or ["output"]
    return Harvest(refused=tuple(RefusedFile(path, DIED_MEANWHILE) for path in lost))
