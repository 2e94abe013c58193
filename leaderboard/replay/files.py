"""Files as chips that open: stored rows in, what a page shows of each file out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from django.urls import reverse

from leaderboard.models import Artifact, Blob, StepFile
from leaderboard.rendering.budget import can_afford
from leaderboard.rendering.diffs import (
    DIFF_BYTES,
    Diff,
    diff_files,
    diff_sheets,
    is_comparable,
)
from leaderboard.rendering.previews import (
    AUDIO,
    HEAD_BYTES,
    VIDEOS,
    Kind,
    Preview,
    needs_bytes,
    preview,
    preview_sheet,
    suffix_of,
)
from leaderboard.rendering.xlsx import MAX_BYTES, FirstSheet, read_sheet
from leaderboard.storage.file_contents import (
    MAX_STORED_BYTES,
    PDF,
    READ_AS,
    FileContents,
    read_contents,
)

SEEN_AT_ONCE = frozenset({Kind.IMAGE, Kind.AUDIO, Kind.TABLE})
MAX_PREVIEWS = 120  # of one page
MAX_DIFFS = 30  # of one page
MAX_WORKBOOKS = 12  # read for one page: the worst of them takes some tenths of a second
MAX_FRAME_BYTES = 4 << 20
CONTENTS_US = 2_500  # reading and checking what is stored of a file's contents
PREVIEW_US = 600  # reading and showing the beginning of a file

ReadHead = Callable[[Blob, int], bytes]  # at most so many of its first bytes


@dataclass(frozen=True)
class FileCard:
    """A file as a chip that opens: an input, an output, or what a step did to one."""

    path: str
    kind: str = ""  # of a change: created, changed or deleted
    size_bytes: int = 0
    size_before_bytes: int = 0
    address: str = ""  # of its bytes; "" when they were not kept
    before: str = ""  # address of the version before, when both are pictures, or both sounds
    page: str = ""  # address of the picture of a PDF's first page
    page_before: str = ""  # the same of the version before
    diff: Diff | None = None  # against the version before
    frame: str = ""  # address of a page that runs in a frame of its own
    frame_name: str = ""  # of that frame, once on the page
    preview: Preview | None = None
    contents: FileContents | None = None  # found in a sandbox
    poster: str = ""  # address of the picture of a video's frame
    is_playable: bool = False  # a video that browsers play
    reason: str = ""  # why the harvest refused it
    written_by: int | None = None  # the step that wrote it last

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    @property
    def is_seen_at_once(self) -> bool:
        """True for pictures, sounds, tables, pages and comparisons; text is opened by a click."""
        if self.before or self.page or self.diff or self.frame or self.contents:
            return True
        return bool(self.preview and self.preview.kind in SEEN_AT_ONCE)


class Gallery:
    """Addresses and previews of stored files, with a budget for one page."""

    def __init__(self, read_head: ReadHead) -> None:
        self.read_head = read_head
        self.left = MAX_PREVIEWS
        self.diffs_left = MAX_DIFFS
        self.frames = 0
        self.sheets: dict[str, FirstSheet | None] = {}  # by sha256: a version is before and after

    def look(self, path: str, blob: Blob) -> Preview | None:
        """The preview of `blob` under the name `path`; None when the page has enough."""
        if self.left <= 0 or not can_afford(PREVIEW_US):
            return None
        self.left -= 1
        if not is_opened(blob) and (sheet := self.sheet(path, blob)):
            return preview_sheet(sheet)
        head = self.read_head(blob, HEAD_BYTES) if needs_bytes(path, blob.mime) else b""
        return preview(path, blob.mime, blob.size_bytes, head)

    def compare(self, path: str, before: Blob, after: Blob) -> Diff | None:
        """Compare two versions of a text or table; None for others, or when the page has enough."""
        if self.diffs_left <= 0 or before.sha256 == after.sha256:
            return None
        if (old := self.sheet(path, before)) and (new := self.sheet(path, after)):
            self.diffs_left -= 1
            return diff_sheets(old, new)
        if not is_comparable(path, after.mime, before.size_bytes, after.size_bytes):
            return None
        self.diffs_left -= 1
        if not can_afford((before.size_bytes + after.size_bytes) // 20):
            return None
        versions = (self.read_head(blob, DIFF_BYTES) for blob in (before, after))
        return diff_files(path, *versions)

    def sheet(self, path: str, blob: Blob) -> FirstSheet | None:
        """The first sheet of a workbook; None for others, or when the page has enough."""
        if suffix_of(path) != "xlsx" or not 0 < blob.size_bytes <= MAX_BYTES:
            return None
        if blob.sha256 not in self.sheets:
            if len(self.sheets) >= MAX_WORKBOOKS:
                return None
            self.sheets[blob.sha256] = read_sheet(self.read_head(blob, MAX_BYTES))
        return self.sheets[blob.sha256]

    def contents(self, card: FileCard, blob: Blob) -> FileCard:
        """The card with what a sandbox found in the file; as it is, if the page has enough."""
        if not is_opened(blob) or self.left <= 0:
            return card
        stored = Blob(sha256=str(blob.preview_id))
        if not can_afford(CONTENTS_US):
            return card
        self.left -= 1
        contents = read_contents(self.read_head(stored, MAX_STORED_BYTES))
        if contents is not None and not can_afford(contents.price_us):
            contents = contents.shortened()
        if contents is None:
            return card
        poster = address_of(contents.poster, f"{card.path}.png") if contents.poster else ""
        is_playable = blob.mime in VIDEOS
        return replace(card, contents=contents, poster=poster, is_playable=is_playable)

    def frame(self, card: FileCard, blob: Blob) -> FileCard:
        """An HTML file gets a frame that can reach nothing; other files stay as they are."""
        is_page = PurePosixPath(card.path).suffix.lower() in (".html", ".htm")
        if not is_page or not 0 < blob.size_bytes <= MAX_FRAME_BYTES:
            return card
        self.frames += 1
        address = reverse("frame", args=[blob.sha256, card.name])
        return replace(card, frame=address, frame_name=f"frame-{self.frames}")


def is_opened(blob: Blob) -> bool:
    """True if a sandbox has opened the file and its contents are kept."""
    return blob.mime in READ_AS and bool(blob.preview_id)


def address_of(sha256: str, path: str) -> str:
    return reverse("file", args=[sha256, PurePosixPath(path).name or "file"])


def page_of(blob: Blob, path: str) -> str:
    """The address of the picture of a PDF's first page; "" when there is none."""
    return (
        address_of(blob.preview_id, f"{path}.png") if blob.preview_id and blob.mime == PDF else ""
    )


def show_artifact(artifact: Artifact, writers: dict[str, int], gallery: Gallery) -> FileCard:
    blob = artifact.blob
    written_by = writers.get(f"output/{artifact.path}")
    if artifact.role == Artifact.Role.INPUT:
        written_by = None
    if blob is None:
        return FileCard(artifact.path, reason=artifact.reason, written_by=written_by)
    card = FileCard(
        artifact.path,
        size_bytes=blob.size_bytes,
        address=address_of(blob.sha256, artifact.path),
        page=page_of(blob, artifact.path),
        preview=gallery.look(artifact.path, blob),
        written_by=written_by,
    )
    return gallery.frame(gallery.contents(card, blob), blob)


def show_change(file: StepFile, versions: dict[str, Blob], gallery: Gallery) -> FileCard:
    before = versions.pop(file.path, None)
    card = FileCard(file.path, file.kind, file.size_bytes, file.size_before_bytes)
    if file.blob is None:
        return card
    versions[file.path] = file.blob
    is_pair = before is not None and are_alike(before, file.blob)
    card = replace(
        card,
        address=address_of(file.blob.sha256, file.path),
        before=address_of(before.sha256, file.path) if before and is_pair else "",
        page=page_of(file.blob, file.path),
        page_before=page_of(before, file.path) if before else "",
        diff=gallery.compare(file.path, before, file.blob) if before else None,
        preview=gallery.look(file.path, file.blob),
    )
    return gallery.frame(gallery.contents(card, file.blob), file.blob)


def are_alike(before: Blob, after: Blob) -> bool:
    """True if both are pictures or both sounds, to be shown next to each other."""
    are_pictures = before.mime.startswith("image/") and after.mime.startswith("image/")
    return are_pictures or (before.mime in AUDIO and after.mime in AUDIO)
