"""Bundles of evidence as archive or folder, read within bounds: their writer is a stranger."""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import re
import stat
import struct
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from runner.contract import ProblemError
from runner.evidence.statement import MANIFEST
from runner.suite.reader import problem

MAX_ENTRIES = 50_000
MAX_DIRECTORY_BYTES = 16 << 20  # of an archive: so many entries with names as long as may be
ENTRY = b"PK\x01\x02"  # each of a directory begins with this
MAX_JSON_BYTES = 256 << 20  # of a trajectory or a verdict
MAX_ENVELOPE_BYTES = 96 << 20  # a statement of 64 MB in base64, and its signatures
MAX_ENVELOPE_PARTS = 100  # objects and lists
MAX_FILE_BYTES = 1 << 30
MAX_ARCHIVE_BYTES = 16 << 30  # of all files, unpacked
PIECE_BYTES = 1 << 20
ENCRYPTED = 1  # a flag of an entry
NAME = re.compile(
    r"manifest\.json|(?:trajectories|verdicts)/[\w-]{1,200}\.json|files/[0-9a-f]{64}", re.ASCII
)


class Bundle(ABC):
    """Files by name. Raises ProblemError for one that is missing, too large or unreadable."""

    def __init__(self, place: str) -> None:
        self.place = place

    @abstractmethod
    def open(self, name: str) -> IO[bytes]:
        """The file. Raises KeyError if it is not there, OSError if it cannot be read."""

    def names(self) -> frozenset[str]:
        """Names of an archive's files; none of a folder, which may hold other things."""
        return frozenset()

    def read_json(self, name: str) -> Any:
        """A JSON file."""
        return read_json(name, b"".join(self.pieces(name, MAX_JSON_BYTES)))

    def read_envelope(self) -> Any:
        """The manifest, whose writer nobody knows yet: it takes little more memory than bytes."""
        content = b"".join(self.pieces(MANIFEST, MAX_ENVELOPE_BYTES))
        if content.count(b"{") + content.count(b"[") > MAX_ENVELOPE_PARTS:
            raise bad_bundle(f"{MANIFEST} is not a DSSE envelope.")
        return read_json(MANIFEST, content)

    def digest(self, name: str) -> str:
        """SHA-256 of a file; "" if it is not there."""
        digest = hashlib.sha256()
        try:
            for piece in self.pieces(name, MAX_FILE_BYTES):
                digest.update(piece)
        except FileNotFoundError:
            return ""
        return digest.hexdigest()

    def pieces(self, name: str, most_bytes: int) -> Iterator[bytes]:
        """The file's bytes. Raises FileNotFoundError; ProblemError for more bytes than `most`."""
        size = 0
        try:
            with self.open(name) as file:
                while piece := file.read(PIECE_BYTES):
                    size += len(piece)
                    if size > most_bytes:
                        raise bad_bundle(f"{name} is larger than {most_bytes >> 20} MB.")
                    yield piece
        except KeyError:
            raise FileNotFoundError(name) from None
        except FileNotFoundError:
            raise
        except (OSError, zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
            raise bad_bundle(f"{name} cannot be read ({error}).") from None
        except (zlib.error, lzma.LZMAError, struct.error) as error:
            raise bad_bundle(f"{name} cannot be unpacked ({error}).") from None


def read_json(name: str, content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise bad_bundle(f"{name} is not JSON.") from None


def bad_bundle(what: str) -> ProblemError:
    return problem("bad_bundle", what, "Download the bundle again from the run's page.")


class ZipBundle(Bundle):
    """An archive as a site serves it. Names that a site does not write are refused."""

    def __init__(self, archive: zipfile.ZipFile, place: str) -> None:
        super().__init__(place)
        self.archive = archive
        entries = archive.infolist()
        if sum(entry.file_size for entry in entries) > MAX_ARCHIVE_BYTES:
            raise bad_bundle(f"The archive unpacks to more than {MAX_ARCHIVE_BYTES >> 30} GB.")
        self.entries: dict[str, zipfile.ZipInfo] = {}
        for entry in entries:
            if not NAME.fullmatch(entry.filename):
                shown = ascii(entry.filename[:80])
                raise bad_bundle(f"The archive has an entry {shown}, which no bundle has.")
            if stat.S_ISLNK(entry.external_attr >> 16) or entry.flag_bits & ENCRYPTED:
                raise bad_bundle(f"{entry.filename} is a link or encrypted, which no bundle has.")
            if entry.filename in self.entries:
                raise bad_bundle(f"The archive has two entries {entry.filename}.")
            self.entries[entry.filename] = entry

    def open(self, name: str) -> IO[bytes]:
        return self.archive.open(self.entries[name])

    def names(self) -> frozenset[str]:
        return frozenset(self.entries)


class FolderBundle(Bundle):
    """A folder with an unpacked bundle. Links are refused."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder))
        self.folder = folder

    def open(self, name: str) -> IO[bytes]:
        if not NAME.fullmatch(name):
            raise KeyError(name)
        path = self.folder / name
        if path.parent.is_symlink() or not stat.S_ISREG(path.lstat().st_mode):
            raise bad_bundle(f"{name} is not a plain file.")
        return path.open("rb")


@contextmanager
def open_bundle(path: Path) -> Iterator[Bundle]:
    """The bundle in a zip file, in a folder, or beside a manifest."""
    if path.is_dir():
        yield FolderBundle(path)
    elif not path.is_file():
        raise problem("no_file", f"There is no file {path}.", "Give a bundle, or its address.")
    elif zipfile.is_zipfile(path):
        with open_archive(path) as archive:
            yield ZipBundle(archive, str(path))
    elif path.name == MANIFEST:
        yield FolderBundle(path.parent)
    else:
        raise bad_bundle(f"{path} is neither a zip file nor a {MANIFEST} beside its files.")


class DirectoryReader(io.BufferedReader):
    """An archive whose directory `ZipFile` lists. Raises ProblemError before an entry is made.

    ZipFile reads a directory at once, wherever the archive's end says that it is.
    """

    is_listed = False

    def read(self, size: int | None = -1, /) -> bytes:
        if self.is_listed:
            return super().read(size)
        is_all = size is None or not 0 <= size <= MAX_DIRECTORY_BYTES
        content = super().read(MAX_DIRECTORY_BYTES + 1 if is_all else size)
        if len(content) > MAX_DIRECTORY_BYTES or content.count(ENTRY) > MAX_ENTRIES:
            raise bad_bundle(f"The archive has more than {MAX_ENTRIES:,} entries.")
        return content


@contextmanager
def open_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    with DirectoryReader(io.FileIO(path)) as file, read_directory(file, path) as archive:
        file.is_listed = True
        yield archive


def read_directory(file: DirectoryReader, path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise bad_bundle(f"{path} is not an archive ({error}).") from None
