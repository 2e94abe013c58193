"""Collects files that no row names any longer: marks them, and removes them a day later."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.files.storage import default_storage
from django.core.management.base import CommandError
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from leaderboard.models import Artifact, Blob, Dispute, Import, StepFile
from leaderboard.rendering.kinds import OTHER
from leaderboard.upkeep.named_images import list_named_images

GRACE = timedelta(hours=24)  # longer than any attempt and any backup takes
MARKED_AT_ONCE = 500
SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass
class CollectedGarbage:
    """Result of one collection, real or dry."""

    marked: int = 0  # files that nothing names, from now on
    kept: int = 0  # named again since they were marked
    removed: int = 0
    removed_bytes: int = 0
    strays: int = 0  # stored files without a row


def collect(now: datetime, grace: timedelta = GRACE, is_dry: bool = False) -> CollectedGarbage:
    """Mark what nothing names, and remove what has been marked for longer than `grace`.

    Safe beside running workers: whoever stores the same bytes again takes the mark off
    (`leaderboard.storage.blobs.keep`), and a file goes only while its row is locked.
    """
    found = CollectedGarbage()
    adopt_strays(found, now, grace, is_dry)
    unnamed = list_unnamed()
    marked = Blob.objects.filter(unreferenced_since__isnull=False)
    named_again = [pk for pk in marked.values_list("pk", flat=True) if pk not in unnamed]
    found.kept = len(named_again)
    old = list(marked.filter(unreferenced_since__lte=now - grace).values_list("pk", flat=True))
    new = Blob.objects.filter(unreferenced_since=None).values_list("pk", flat=True)
    to_mark = unnamed.intersection(new)
    found.marked = len(to_mark)
    for batch in batches_of(named_again):
        if not is_dry:
            Blob.objects.filter(pk__in=batch).update(unreferenced_since=None)
    for sha256 in old:
        if sha256 in unnamed:
            remove(sha256, now - grace, found, is_dry)
    for batch in batches_of(sorted(to_mark)):
        if not is_dry:
            Blob.objects.filter(pk__in=batch).update(unreferenced_since=now)
    return found


def list_unnamed() -> set[str]:
    """SHA-256 of the files that neither a column nor a step's body names."""
    unnamed = set(without_column().values_list("pk", flat=True))
    if unnamed:
        for images in list_named_images():
            unnamed -= images
    return unnamed


def without_column() -> QuerySet[Blob]:
    """Blobs that no foreign key names."""
    rows = Blob.objects.all()
    for model in (Artifact, StepFile, Import, Dispute):
        rows = rows.exclude(Exists(model.objects.filter(blob=OuterRef("pk"))))
    return rows.exclude(Exists(Blob.objects.filter(preview=OuterRef("pk"))))


def remove(sha256: str, before: datetime, found: CollectedGarbage, is_dry: bool) -> None:
    """Remove a file's bytes, then its row, while writers of the same bytes wait for its lock."""
    with transaction.atomic():
        rows = Blob.objects.filter(pk=sha256, unreferenced_since__lte=before)
        blob = rows.select_for_update().first()
        if blob is None:
            return
        found.removed += 1
        found.removed_bytes += blob.size_bytes
        if not is_dry:
            delete_bytes(blob)
            blob.delete()


def delete_bytes(blob: Blob) -> None:
    try:
        default_storage.delete(blob.storage_name)
    except Exception as error:  # Django names no class for what a storage may raise
        raise CommandError(
            f"The store of artifacts did not remove {blob.storage_name}: {error}. Nothing that is "
            "named was touched; the next collection goes on from here."
        ) from error


def adopt_strays(found: CollectedGarbage, now: datetime, grace: timedelta, is_dry: bool) -> None:
    """Give old files without a row one that is marked, so that they go the way of all others.

    A writer stores bytes before their row, so young ones are left alone. Leftovers of interrupted
    writers, whose names are no SHA-256, are removed at once.
    """
    for folder in list_folders():
        names = default_storage.listdir(folder)[1]
        known = set(Blob.objects.filter(pk__in=names).values_list("pk", flat=True))
        for name in names:
            path = f"{folder}/{name}"
            if name in known or not is_older(path, now - grace):
                continue
            found.strays += 1
            if is_dry:
                continue
            if SHA256.fullmatch(name):
                adopt(name, default_storage.size(path), now)
            else:
                default_storage.delete(path)


def adopt(sha256: str, size_bytes: int, now: datetime) -> None:
    facts = {"size_bytes": size_bytes, "mime": OTHER, "unreferenced_since": now}
    Blob.objects.get_or_create(sha256=sha256, defaults=facts)


def list_folders() -> list[str]:
    try:
        return [f"blobs/{name}" for name in sorted(default_storage.listdir("blobs")[0])]
    except FileNotFoundError:  # nothing was stored yet
        return []


def is_older(path: str, moment: datetime) -> bool:
    try:
        return default_storage.get_modified_time(path) < moment
    except FileNotFoundError:  # removed meanwhile
        return False


def batches_of(names: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(names), MARKED_AT_ONCE):
        yield names[start : start + MARKED_AT_ONCE]
