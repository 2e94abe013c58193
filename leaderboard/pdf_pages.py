"""Pictures of the first pages of PDF files as rows: which are missing, and keeping one."""

from __future__ import annotations

import hashlib
import io
from datetime import datetime, timedelta

from django.core.files.storage import default_storage
from django.db.models import F, Q
from django.utils import timezone

from leaderboard.blobs import keep, kind_of
from leaderboard.models import Artifact, Attempt, Blob, StepFile
from leaderboard.querysets import OPEN
from runner.contract import Status

PDF = "application/pdf"
PNG = "image/png"
NAME = "page.png"
MAX_PIXELS = 2_100_000  # of a kept page
MAX_TRIES = 2  # of one PDF: a broken one is not tried for ever
TRY_AGAIN = timedelta(minutes=5)
LATELY = timedelta(hours=1)
ASKED_AT_ONCE = 20
PAGES_AT_ONCE = 40  # of one attempt


def is_missing(now: datetime) -> Q:
    """PDFs without a picture that may be tried now."""
    has_waited = Q(preview_tried_at=None) | Q(preview_tried_at__lt=now - TRY_AGAIN)
    return has_waited & Q(mime=PDF, preview=None, preview_tries__lt=MAX_TRIES)


def missing_of(attempt_id: int) -> list[Blob]:
    """The attempt's PDFs to draw; none while it is open."""
    if not Attempt.objects.filter(pk=attempt_id, status=Status.DONE).exists():
        return []
    artifacts = Artifact.objects.filter(attempt=attempt_id).values("blob")
    changes = StepFile.objects.filter(step__attempt=attempt_id).values("blob")
    of_attempt = Q(pk__in=artifacts) | Q(pk__in=changes)
    blobs = Blob.objects.filter(of_attempt, is_missing(timezone.now())).order_by("pk")
    return list(blobs[:PAGES_AT_ONCE])


def attempts_missing(*, lately: bool = True) -> list[int]:
    """Ended attempts that have a PDF to draw; `lately`: a few, of runs that are open or recent."""
    blobs = Blob.objects.filter(is_missing(timezone.now())).values("pk")
    artifacts = Artifact.objects.filter(blob__in=blobs).values("attempt")
    changes = StepFile.objects.filter(blob__in=blobs).values("step__attempt")
    has_pdf = Q(pk__in=artifacts) | Q(pk__in=changes)
    chosen = Attempt.objects.filter(has_pdf, status=Status.DONE).order_by("pk")
    if lately:
        since = timezone.now() - LATELY
        chosen = chosen.filter(Q(run__status__in=OPEN) | Q(run__finished_at__gt=since))
    ids = chosen.values_list("pk", flat=True)
    return list(ids[:ASKED_AT_ONCE] if lately else ids)


def forget_tries() -> None:
    """Let every PDF without a picture be tried again."""
    Blob.objects.filter(mime=PDF, preview=None).update(preview_tries=0, preview_tried_at=None)


def take(blob: Blob) -> bool:
    """Count a try, before it is made; False when somebody else took the PDF."""
    now = timezone.now()
    free = Blob.objects.filter(is_missing(now), pk=blob.pk)
    return bool(free.update(preview_tries=F("preview_tries") + 1, preview_tried_at=now))


def read_pdf(blob: Blob, limit_bytes: int) -> bytes | None:
    """The bytes of a PDF; None for one that is longer."""
    if blob.size_bytes > limit_bytes:
        return None
    with default_storage.open(blob.storage_name) as stored:
        return bytes(stored.read())


def keep_page(blob: Blob, png: bytes) -> bool:
    """Keep the picture of the PDF `blob` once it is verified as one; False when it is none."""
    kind = kind_of(io.BytesIO(png), NAME)
    if kind.mime != PNG or (kind.width or 0) * (kind.height or 0) > MAX_PIXELS:
        return False
    page = keep(io.BytesIO(png), NAME, hashlib.sha256(png).hexdigest(), len(png))
    if page.mime != PNG:
        return False
    Blob.objects.filter(pk=blob.pk).update(preview=page)
    return True
