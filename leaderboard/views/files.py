"""Stored files by content, served so that nothing in them can act."""

from __future__ import annotations

import re
from typing import Any

from django.core.files.storage import default_storage
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404

from leaderboard.models import Artifact, Blob, Run, Step, StepFile, unpack
from leaderboard.storage.file_response import label, send_blob
from leaderboard.views.conditional import has_copy

MAX_RECORD_BYTES = 8 << 20  # unpacked, of a step that is looked into
MOST_PREVIEWS = 3  # in a row: a file, its contents, and two files beside these
RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")


def file(request: HttpRequest, sha256: str, name: str) -> HttpResponseBase:
    # Asked before the file is looked for: a private one takes as long as one that is not here.
    if not is_visible(request.user, sha256, request.GET.get("step", "")):
        raise Http404("No public run has this file.")
    blob = get_object_or_404(Blob, pk=sha256)
    tag = f'"{blob.sha256}"'
    if has_copy(request, tag):
        return label(HttpResponseNotModified(), blob, name)
    span = read_range(request.headers.get("Range", ""), blob.size_bytes)
    if span is None:
        refusal = HttpResponse(status=416)
        refusal["Content-Range"] = f"bytes */{blob.size_bytes}"
        return label(refusal, blob, name)
    if not default_storage.exists(blob.storage_name):
        raise Http404("The bytes of this file are missing from storage: that is our fault.")
    return label(send_blob(blob, *span), blob, name)


def is_visible(user: Any, sha256: str, step_id: str) -> bool:
    """True if a run that `user` can read has the file, or what it previews, or displayed it."""
    runs = Run.objects.visible_to(user).values("pk")
    blobs = [sha256, *list_shown(sha256)]
    if Artifact.objects.filter(attempt__run__in=runs, blob__in=blobs).exists():
        return True
    if StepFile.objects.filter(blob__in=blobs, step__attempt__run__in=runs).exists():
        return True
    if not (step_id.isascii() and step_id.isdigit() and len(step_id) < 16):
        return False
    found = Step.objects.filter(attempt__run__in=runs, pk=int(step_id))
    steps, _ = found.load_within(MAX_RECORD_BYTES)
    return any(sha256 in shown_blobs(unpack(step.body)) for step in steps)


def list_shown(sha256: str) -> list[str]:
    """The files that a file is a preview of, or is attached to the preview of. Three queries."""
    found: list[str] = []
    level = [sha256]
    for _ in range(MOST_PREVIEWS):
        level = [*Blob.objects.filter(preview__in=level).values_list("pk", flat=True)]
        found += level
    return found


def shown_blobs(body: dict[str, Any]) -> set[str]:
    """The pictures that a step's outputs refer to."""
    bundles = [output.get("data") or {} for output in body.get("outputs") or ()]
    values = [value for bundle in bundles for value in bundle.values()]
    return {str(value["blob"]) for value in values if isinstance(value, dict) and "blob" in value}


def read_range(header: str, size_bytes: int) -> tuple[int, int, bool] | None:
    """First byte, end (exclusive) and whether it is a part; None when it cannot be satisfied.

    One range only (RFC 9110 §14); several, or another unit, are answered with the whole file.
    """
    match = RANGE.fullmatch(header)
    if match is None or match[0] == "bytes=-":
        return 0, size_bytes, False
    if not match[1]:
        start, end = max(0, size_bytes - int(match[2])), size_bytes
    else:
        start = int(match[1])
        end = min(int(match[2]) + 1, size_bytes) if match[2] else size_bytes
    return (start, end, True) if start < end else None
