"""Stored files by content, served so that nothing in them can act."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.core.files.storage import default_storage
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header

from leaderboard.models import Artifact, Blob, Run, Step, StepFile, unpack
from leaderboard.rendering.previews import AUDIO, IMAGES
from leaderboard.views.caching import has_copy

# Shown in <img> and <audio>; everything else is handed over as bytes to be saved.
INLINE = IMAGES | AUDIO
INERT = "application/octet-stream"
POLICY = "sandbox; default-src 'none'"
RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")
CHUNK_BYTES = 64 * 1024


def file(request: HttpRequest, sha256: str, name: str) -> HttpResponseBase:
    blob = get_object_or_404(Blob, pk=sha256)
    if not is_visible(request.user, blob, request.GET.get("step", "")):
        raise Http404("No public run has this file.")
    tag = f'"{blob.sha256}"'
    if has_copy(request, tag):
        return label(HttpResponseNotModified(), blob, name)
    span = read_range(request.headers.get("Range", ""), blob.size_bytes)
    if span is None:
        refusal = HttpResponse(status=416)
        refusal["Content-Range"] = f"bytes */{blob.size_bytes}"
        return label(refusal, blob, name)
    if not default_storage.exists(blob.storage_name):
        raise Http404("The storage no longer has the bytes of this file.")
    return label(send(blob, *span), blob, name)


def is_visible(user: Any, blob: Blob, step_id: str) -> bool:
    """Whether a run that `user` may read has the file, or the PDF it shows, or displayed it."""
    runs = Run.objects.visible_to(user).values("pk")
    blobs = [blob.pk, *blob.drawn_from.values_list("pk", flat=True)]
    if Artifact.objects.filter(attempt__run__in=runs, blob__in=blobs).exists():
        return True
    if StepFile.objects.filter(blob__in=blobs, step__attempt__run__in=runs).exists():
        return True
    if not (step_id.isascii() and step_id.isdigit() and len(step_id) < 16):
        return False
    step = Step.objects.filter(attempt__run__in=runs, pk=int(step_id)).first()
    return step is not None and blob.sha256 in shown_blobs(unpack(step.body))


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


def send(blob: Blob, start: int, end: int, is_part: bool) -> HttpResponseBase:
    response = StreamingHttpResponse(read_chunks(blob, start, end), status=206 if is_part else 200)
    response["Content-Length"] = str(end - start)
    if is_part:
        response["Content-Range"] = f"bytes {start}-{end - 1}/{blob.size_bytes}"
    return response


def read_chunks(blob: Blob, start: int, end: int) -> Iterator[bytes]:
    with default_storage.open(blob.storage_name) as stored:
        stored.seek(start)
        left = end - start
        while left > 0 and (chunk := stored.read(min(CHUNK_BYTES, left))):
            left -= len(chunk)
            yield chunk


def label(response: HttpResponseBase, blob: Blob, name: str) -> HttpResponseBase:
    """The headers that keep a hostile file inert, and let a browser keep a good one."""
    is_inline = blob.mime in INLINE
    is_drawing = (
        blob.mime == "image/svg+xml"
    )  # an <img> needs its type; opened, it is an attachment
    response["Content-Type"] = blob.mime if is_inline or is_drawing else INERT
    response["Content-Disposition"] = (
        content_disposition_header(not is_inline, name) or "attachment"
    )
    response["Content-Security-Policy"] = POLICY
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["Referrer-Policy"] = "no-referrer"
    response["Accept-Ranges"] = "bytes"
    response["Content-Encoding"] = "identity"  # or compression would break ranges and lengths
    response["ETag"] = f'"{blob.sha256}"'
    # Private: a withdrawn run's files must not live on in a shared cache.
    response["Cache-Control"] = "private, max-age=31536000, immutable"
    return response
