"""Previews of files that only a sandbox opens, as rows: which are missing, and keeping one.

Of a PDF it is the picture of its first page, of every other kind what the file holds, as JSON.
"""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import datetime, timedelta

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from leaderboard.models import Artifact, Attempt, Blob, StepFile
from leaderboard.models.querysets import OPEN
from leaderboard.queue.messages import send_draw_pages
from leaderboard.rendering.previews import OPENED_IN_SANDBOX, suffix_of
from leaderboard.storage.blobs import MAGIC_BYTES, OTHER, keep_bytes, kind_of, read_head
from leaderboard.storage.file_contents import PDF, READ_AS, as_json, understand
from runner.contract import Status

__all__ = [
    "PDF",
    "Blob",
    "ask_for_pages",
    "keep_contents",
    "keep_page",
    "kind_inside",
    "missing_of",
    "read_whole",
    "take",
]

PNG = "image/png"
NAME = "page.png"
CONTENTS_NAME = "contents.json"
MAX_PIXELS = 2_100_000  # of a kept page
MAX_TRIES = 2  # of one file: a broken one is not tried for ever
TRY_AGAIN = timedelta(minutes=5)
LATELY = timedelta(hours=1)
ASKED_AT_ONCE = 20
PREVIEWS_AT_ONCE = 40  # of one attempt


def is_missing(now: datetime) -> Q:
    """Files without a preview that may be tried now."""
    has_waited = Q(preview_tried_at=None) | Q(preview_tried_at__lt=now - TRY_AGAIN)
    return has_waited & Q(
        mime__in=(PDF, *READ_AS), preview=None, preview_tries__lt=MAX_TRIES, size_bytes__gt=0
    )


def ask_for_pages(attempt_id: int) -> None:
    transaction.on_commit(lambda: send_draw_pages(attempt_id))


def missing_of(attempt_id: int) -> list[Blob]:
    """The attempt's files to open; none while it is open."""
    if not Attempt.objects.filter(pk=attempt_id, status=Status.DONE).exists():
        return []
    artifacts = Artifact.objects.filter(attempt=attempt_id).values("blob")
    changes = StepFile.objects.filter(step__attempt=attempt_id).values("blob")
    of_attempt = Q(pk__in=artifacts) | Q(pk__in=changes)
    blobs = Blob.objects.filter(of_attempt, is_missing(timezone.now())).order_by("pk")
    return list(blobs[:PREVIEWS_AT_ONCE])


def attempts_missing(*, lately: bool = True) -> list[int]:
    """Ended attempts that have a file to open; `lately`: a few, of runs that are open or recent."""
    blobs = Blob.objects.filter(is_missing(timezone.now())).values("pk")
    artifacts = Artifact.objects.filter(blob__in=blobs).values("attempt")
    changes = StepFile.objects.filter(blob__in=blobs).values("step__attempt")
    has_file = Q(pk__in=artifacts) | Q(pk__in=changes)
    chosen = Attempt.objects.filter(has_file, status=Status.DONE).order_by("pk")
    if lately:
        since = timezone.now() - LATELY
        chosen = chosen.filter(Q(run__status__in=OPEN) | Q(run__finished_at__gt=since))
    ids = chosen.values_list("pk", flat=True)
    return list(ids[:ASKED_AT_ONCE] if lately else ids)


def forget_tries() -> None:
    """Let every file without a preview be tried again."""
    Blob.objects.filter(mime__in=(PDF, *READ_AS), preview=None).update(
        preview_tries=0, preview_tried_at=None
    )


def name_kinds() -> None:
    """Name the kinds of files that an earlier version stored as bytes of no kind."""
    unknown = Artifact.objects.filter(blob__mime=OTHER).select_related("blob")
    for artifact in unknown.only("path", "blob").iterator():
        if artifact.blob is None or suffix_of(artifact.path) not in OPENED_IN_SANDBOX:
            continue
        kind = kind_of(io.BytesIO(read_head(artifact.blob, MAGIC_BYTES)), artifact.path)
        if kind.mime != OTHER:
            Blob.objects.filter(pk=artifact.blob_id, mime=OTHER).update(mime=kind.mime)


def kind_inside(blob: Blob) -> str:
    """Word of the sandbox's reader for the kind of `blob`."""
    return READ_AS[blob.mime]


def take(blob: Blob) -> bool:
    """Count a try, before it is made; False when somebody else took the file."""
    now = timezone.now()
    free = Blob.objects.filter(is_missing(now), pk=blob.pk)
    return bool(free.update(preview_tries=F("preview_tries") + 1, preview_tried_at=now))


def read_whole(blob: Blob, limit_bytes: int) -> bytes | None:
    """The bytes of a file; None for one that is longer."""
    if blob.size_bytes > limit_bytes:
        return None
    with default_storage.open(blob.storage_name) as stored:
        return bytes(stored.read())


def keep_page(blob: Blob, png: bytes) -> bool:
    """Keep the picture of the PDF `blob` once it is verified as one; False when it is none."""
    page = keep_picture(png)
    if page is None:
        return False
    Blob.objects.filter(pk=blob.pk).update(preview=page)
    return True


def keep_contents(blob: Blob, report: bytes) -> bool:
    """Keep what a sandbox found in `blob`, once it is verified; False when it makes no sense."""
    understood = understand(report)
    if understood is None:
        return False
    contents, png = understood
    poster = keep_picture(png) if png else None
    stored = as_json(replace(contents, poster=poster.sha256 if poster else ""))
    preview = keep_bytes(stored, CONTENTS_NAME)
    if poster:
        Blob.objects.filter(pk=preview.pk).update(preview=poster)
    Blob.objects.filter(pk=blob.pk).update(preview=preview)
    return True


def keep_picture(png: bytes) -> Blob | None:
    """A page or a frame of a video as a file; None for what is no small picture."""
    kind = kind_of(io.BytesIO(png), NAME)
    if kind.mime != PNG or (kind.width or 0) * (kind.height or 0) > MAX_PIXELS:
        return None
    kept = keep_bytes(png, NAME)
    return kept if kept.mime == PNG else None
