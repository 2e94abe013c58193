"""Files as chips that open: stored rows in, what a page shows of each file out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from django.urls import reverse

from leaderboard.handoff.file_previews import MAX_TRIES
from leaderboard.models import Artifact, Blob, StepFile
from leaderboard.rendering.budget import can_afford
from leaderboard.rendering.diffs import (
    DIFF_BYTES,
    Diff,
    diff_contents,
    diff_files,
    is_comparable,
)
from leaderboard.rendering.file_contents import MAX_STORED_BYTES, FileContents, read_contents
from leaderboard.rendering.kinds import AUDIO, READ_AS
from leaderboard.rendering.previews import HEAD_BYTES, Kind, Preview, needs_bytes, preview

SEEN_AT_ONCE = frozenset({Kind.IMAGE, Kind.AUDIO, Kind.TABLE})
MAX_PREVIEWS = 120  # of one page
MAX_DIFFS = 30  # of one page
MAX_FRAME_BYTES = 8 << 20  # a page that holds all of plotly has 5 MB
CONTENTS_US = 500  # reading and checking what is stored of a file's contents
PREVIEW_US = 600  # reading and showing the beginning of a file
NAMED_US = 50  # saying what a file is

GIVEN_UP = (
    "It could not be opened: it is longer than 32 MiB, or takes over 30 s or 1 GiB of memory."
)

TOO_LONG = Diff(f"versions of more than {DIFF_BYTES >> 10} KiB are not compared")

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
    diffs: tuple[Diff, ...] = ()  # against the version before
    frame: str = ""  # address of a page that runs in a frame of its own
    frame_name: str = ""  # of that frame, once on the page
    preview: Preview | None = None
    contents: FileContents | None = None  # found in a sandbox
    poster: str = ""  # address of a picture of it: a first page, a frame of a film
    poster_before: str = ""  # the same of the version before
    player: str = ""  # address of what plays: the file itself, or a copy of its beginning
    reason: str = ""  # why the harvest refused it
    written_by: int | None = None  # the step that wrote it last

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    @property
    def is_seen_at_once(self) -> bool:
        """True for pictures, sounds, tables, pages and comparisons; text is opened by a click."""
        if self.before or self.diffs or self.frame or self.contents:
            return True
        return bool(self.preview and self.preview.kind in SEEN_AT_ONCE)


class Gallery:
    """Addresses and previews of stored files, with a budget for one page."""

    def __init__(self, read_head: ReadHead) -> None:
        self.read_head = read_head
        self.left = MAX_PREVIEWS
        self.diffs_left = MAX_DIFFS
        self.frames = 0
        self.opened: dict[str, FileContents | None] = {}  # by the preview's sha256

    def look(self, path: str, blob: Blob) -> Preview | None:
        """The preview of `blob` under the name `path`; None when the page has enough."""
        is_read = needs_bytes(path, blob.mime)
        if self.left <= 0 or not can_afford(PREVIEW_US if is_read else NAMED_US):
            return None
        self.left -= 1
        head = self.read_head(blob, HEAD_BYTES) if is_read else b""
        found = preview(path, blob.mime, blob.size_bytes, head)
        is_given_up = (
            blob.mime in READ_AS and not blob.preview_id and blob.preview_tries >= MAX_TRIES
        )
        return replace(found, note=GIVEN_UP) if is_given_up and not found.note else found

    def compare(self, path: str, before: Blob, after: Blob) -> tuple[Diff, ...]:
        """Compare two versions that are read; () for others, and when the page has enough."""
        if self.diffs_left <= 0 or before.sha256 == after.sha256:
            return ()
        old, new = self.contents_of(before), self.contents_of(after)
        if old and new:
            self.diffs_left -= 1
            return tuple(diff_contents(old, new))
        if not is_comparable(path, after.mime, before.size_bytes, after.size_bytes):
            longest = max(before.size_bytes, after.size_bytes)
            is_long = needs_bytes(path, after.mime) and longest > DIFF_BYTES
            return (TOO_LONG,) if is_long else ()
        self.diffs_left -= 1
        if not can_afford((before.size_bytes + after.size_bytes) // 20):
            return ()
        versions = (self.read_head(blob, DIFF_BYTES) for blob in (before, after))
        found = diff_files(path, *versions)
        return (found,) if found else ()

    def contents_of(self, blob: Blob) -> FileContents | None:
        """What a sandbox found in the file; None where none did, or when the page has enough."""
        stored = str(blob.preview_id or "")
        if blob.mime not in READ_AS or not stored:
            return None
        if stored not in self.opened:
            if not can_afford(CONTENTS_US):
                return None
            data = self.read_head(Blob(sha256=stored), MAX_STORED_BYTES)
            self.opened[stored] = read_contents(data, stored)
        return self.opened[stored]

    def contents(self, card: FileCard, blob: Blob, before: Blob | None = None) -> FileCard:
        """The card with what a sandbox found in the file; as it is, if the page has enough."""
        found = self.contents_of(blob) if self.left > 0 else None
        if found is None:
            return card
        self.left -= 1
        if not can_afford(found.price_us):
            found = found.shortened()
        old = self.contents_of(before) if before else None
        player = f"{card.path}.{'webm' if found.plays == 'video' else 'ogg'}"
        return replace(
            card,
            contents=found,
            poster=address_of(found.poster, f"{card.path}.png") if found.poster else "",
            poster_before=address_of(old.poster, f"{card.path}.png") if old and old.poster else "",
            player=address_of(found.player, player) if found.player else card.address,
        )

    def frame(self, card: FileCard, blob: Blob) -> FileCard:
        """An HTML file or a notebook gets a frame that can reach nothing."""
        sha256, name = blob.sha256, card.name
        if card.contents and card.contents.page:
            sha256, name = card.contents.page, f"{card.name}.html"
        elif PurePosixPath(name).suffix.lower() not in (".html", ".htm"):
            return card
        elif blob.size_bytes > MAX_FRAME_BYTES and card.preview:
            said = f"The page is longer than {MAX_FRAME_BYTES >> 20} MiB and is not run here."
            note = f"{card.preview.note} {said}".strip()
            return replace(card, preview=replace(card.preview, note=note))
        elif not 0 < blob.size_bytes <= MAX_FRAME_BYTES:
            return card
        self.frames += 1
        address = reverse("frame", args=[sha256, name])
        return replace(card, frame=address, frame_name=f"frame-{self.frames}")


def address_of(sha256: str, path: str) -> str:
    return reverse("file", args=[sha256, PurePosixPath(path).name or "file"])


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
        diffs=gallery.compare(file.path, before, file.blob) if before else (),
        preview=gallery.look(file.path, file.blob),
    )
    return gallery.frame(gallery.contents(card, file.blob, before), file.blob)


def are_alike(before: Blob, after: Blob) -> bool:
    """True if both are pictures or both sounds, to be shown next to each other."""
    are_pictures = before.mime.startswith("image/") and after.mime.startswith("image/")
    return are_pictures or (before.mime in AUDIO and after.mime in AUDIO)
