"""Receives an upload's bytes onto disk, and none beyond the size of the largest that is taken."""

from __future__ import annotations

import hashlib
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.core.files.uploadhandler import SkipFile, TemporaryFileUploadHandler
from django.http import HttpRequest

from leaderboard.models import clean
from leaderboard.uploads import quotas
from runner.contract import Fault, Problem, ProblemError

KIND = "upload.bin"  # served as bytes, whatever it is
CHUNK_BYTES = 1 << 18
HEAD_BYTES = 1 << 20  # of a form's other fields and boundaries
MAX_NAME_CHARS = 200
MAX_DIGITS = 19  # of an announced size

BROKEN_OFF = Problem(
    Fault.SUBMITTER,
    "upload_broken_off",
    "The upload broke off: fewer bytes came than were announced.",
    "Send the file again.",
)


def too_large(most_bytes: int | None = None) -> Problem:
    """`most_bytes` is the size of the largest that is taken; by default that of an upload."""
    return Problem(
        Fault.SUBMITTER,
        "upload_too_large",
        f"The file is larger than {(most_bytes or quotas.most_bytes()) >> 20} MiB.",
        "Send it in several parts.",
    )


@dataclass(frozen=True)
class ReceivedFile:
    """A file that arrived whole, on disk for as long as the request lasts."""

    path: Path
    name: str  # as its sender calls it; never used as a path
    size_bytes: int
    sha256: str


def received(path: Path, name: str) -> ReceivedFile:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return ReceivedFile(path, shown_file(name), path.stat().st_size, digest)


def shown_file(name: str) -> str:
    """The last part of a name, as text that goes into a page."""
    last = PurePosixPath(name.replace("\\", "/")).name
    return clean(last, MAX_NAME_CHARS) or "upload"


class BoundedUploadHandler(TemporaryFileUploadHandler):
    """Keeps the first file of a form on disk; of one that is too large nothing but that fact.

    `most_bytes` is the size of the largest that is taken; by default that of an upload.
    """

    def __init__(self, request: HttpRequest, most_bytes: int | None = None) -> None:
        super().__init__(request)
        self.files, self.is_too_large = 0, False
        self.most_bytes = quotas.most_bytes() if most_bytes is None else most_bytes

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        self.files += 1
        if self.files > 1:
            raise SkipFile
        super().new_file(*args, **kwargs)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        if start + len(raw_data) > self.most_bytes:
            self.is_too_large = True
            self.file.close()
            raise SkipFile
        super().receive_data_chunk(raw_data, start)

    def file_complete(self, file_size: int) -> UploadedFile[Any] | None:
        if self.files > 1:
            return None
        complete = super().file_complete(file_size)
        del self.file  # or the parser closes it with the next one that is skipped
        return complete


def is_hopeless(length: str, most_bytes: int | None = None) -> bool:
    """True for a body that need not be read to know that it is too large."""
    most = quotas.most_bytes() if most_bytes is None else most_bytes
    return announced(length) > 2 * most + HEAD_BYTES


def announced(length: str) -> int:
    """The size that a body announces; 0 where it announces none."""
    is_number = length.isascii() and length.isdigit() and len(length) < MAX_DIGITS
    return int(length) if is_number else 0


def on_disk(file: UploadedFile[Any]) -> ReceivedFile:
    """The file of a form that `BoundedUploadHandler` received."""
    assert isinstance(file, TemporaryUploadedFile)
    file.flush()
    return received(Path(file.temporary_file_path()), str(file.name or ""))


EMPTY = Problem(Fault.SUBMITTER, "upload_empty", "The file is empty.", "Send the bytes of a file.")


class ReceivedBody(dict[str, Any]):
    """The body of a request as a file on disk, which is deleted with this; as JSON its digest."""

    def __init__(self, file: ReceivedFile) -> None:
        super().__init__(sha256=file.sha256, size_bytes=file.size_bytes)
        self.file = file
        weakref.finalize(self, file.path.unlink, missing_ok=True)


@dataclass(frozen=True)
class MostBytes:
    """The size of the largest body that an address takes, and what is said of a larger one."""

    size_bytes: int
    problem: Problem


def receive_body(
    read: Callable[[int], bytes], length: str, name: str, most: MostBytes | None = None
) -> ReceivedBody:
    """Keep a body on disk for as long as the request lasts. Raises ProblemError."""
    most = most or MostBytes(quotas.most_bytes(), too_large())
    if announced(length) > most.size_bytes:
        raise ProblemError(most.problem)
    with tempfile.NamedTemporaryFile(prefix="upload-", delete=False) as file:
        path = Path(file.name)
        try:
            size = copy_within(read, file.write, most)
            if announced(length) and size != announced(length):
                raise ProblemError(BROKEN_OFF)
        except OSError:  # of the connection
            path.unlink()
            raise ProblemError(BROKEN_OFF) from None
        except BaseException:
            path.unlink()
            raise
    return ReceivedBody(received(path, name))


def copy_within(
    read: Callable[[int], bytes], write: Callable[[bytes], Any], most: MostBytes
) -> int:
    """Copy a body; its size. Raises ProblemError for one that is too large."""
    size = 0
    while piece := read(CHUNK_BYTES):
        size += len(piece)
        if size > most.size_bytes:
            raise ProblemError(most.problem)
        write(piece)
    return size
