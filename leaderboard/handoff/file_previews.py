"""Previews of files that only a sandbox opens: which are missing, and keeping one as JSON."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from leaderboard.models import Artifact, Attempt, Blob, StepFile
from leaderboard.models.querysets import OPEN
from leaderboard.queue.messages import send_draw_pages
from leaderboard.rendering.file_contents import as_json, understand
from leaderboard.rendering.kinds import HEAD_BYTES, OPENED_IN_SANDBOX, OTHER, READ_AS, suffix_of
from leaderboard.storage.blobs import keep_bytes, kind_of, read_head
from runner.contract import Status

__all__ = [
    "Blob",
    "ask_for_pages",
    "keep_contents",
    "kind_inside",
    "missing_of",
    "name_of",
    "read_whole",
    "take",
]

# Name and type of what may stand beside the contents.
ATTACHED = {
    "page": ("page.htm", {"text/plain"}),
    "player": ("player.webm", {"video/webm", "audio/ogg"}),
    "poster": ("poster.png", {"image/png"}),
}
CONTENTS_NAME = "contents.json"
MAX_PIXELS = 2_100_000  # of a kept picture
MAX_TRIES = 2  # of one file: a broken one is not tried for ever
TRY_AGAIN = timedelta(minutes=5)
LATELY = timedelta(hours=1)
ASKED_AT_ONCE = 20
PREVIEWS_AT_ONCE = 40  # of one attempt


def is_missing(now: datetime) -> Q:
    """Files without a preview that may be tried now."""
    has_waited = Q(preview_tried_at=None) | Q(preview_tried_at__lt=now - TRY_AGAIN)
    return has_waited & Q(
        mime__in=[*READ_AS], preview=None, preview_tries__lt=MAX_TRIES, size_bytes__gt=0
    )


def ask_for_pages(attempt_id: int) -> None:
    transaction.on_commit(lambda: send_draw_pages(attempt_id))


def missing_of(attempt_id: int) -> list[Blob]:
    """The attempt's files to open, also while it goes on."""
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
    Blob.objects.filter(mime__in=[*READ_AS], preview=None).update(
        preview_tries=0, preview_tried_at=None
    )


def name_kinds() -> None:
    """Name the kinds of files that an earlier version stored as bytes of no kind."""
    unknown = Artifact.objects.filter(blob__mime=OTHER).select_related("blob")
    for artifact in unknown.only("path", "blob").iterator():
        if artifact.blob is None or suffix_of(artifact.path) not in OPENED_IN_SANDBOX:
            continue
        kind = kind_of(io.BytesIO(read_head(artifact.blob, HEAD_BYTES)), artifact.path)
        if kind.mime != OTHER:
            Blob.objects.filter(pk=artifact.blob_id, mime=OTHER).update(mime=kind.mime)


def kind_inside(blob: Blob) -> str:
    """Word of the sandbox's reader for the kind of `blob`."""
    return READ_AS[blob.mime]


def name_of(blob: Blob) -> str:
    """A name that the file goes by in an attempt."""
    left = Artifact.objects.filter(blob=blob).values_list("path", flat=True)
    changed = StepFile.objects.filter(blob=blob).values_list("path", flat=True)
    return str(left.first() or changed.first() or "")


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


def keep_contents(blob: Blob, report: bytes) -> bool:
    """Keep what a sandbox found in `blob`, once it is verified; False when it makes no sense."""
    understood = understand(report)
    if understood is None:
        return False
    contents, attached = understood
    kept = {name: keep_attached(name, data) for name, data in attached.items()}
    page, player, poster = (one.sha256 if (one := kept.get(name)) else "" for name in ATTACHED)
    named = replace(contents, poster=poster, player=player, page=page)
    stored = keep_bytes(as_json(named), CONTENTS_NAME)
    # Each names the next, so that none is garbage while the file is there.
    chain = [blob, stored, *(one for name in ATTACHED if (one := kept.get(name)))]
    for holder, held in reversed([*pairwise(chain)]):
        Blob.objects.filter(pk=holder.pk).update(preview=held)
    return True


def keep_attached(name: str, data: bytes) -> Blob | None:
    """A picture, a player or a page as a file; None if it is something else."""
    file_name, mimes = ATTACHED[name]
    kind = kind_of(io.BytesIO(data), file_name)
    if kind.mime not in mimes or (kind.width or 0) * (kind.height or 0) > MAX_PIXELS:
        return None
    kept = keep_bytes(data, file_name)
    return kept if kept.mime in mimes else None
