"""Answers with a stored file's bytes, so that nothing in them can act."""

from __future__ import annotations

from collections.abc import Iterator

from django.core.files.storage import default_storage
from django.http import Http404, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header

from leaderboard.models import Blob
from leaderboard.rendering.kinds import AUDIO, IMAGES, VIDEOS

# Shown in <img>, <audio> and <video>; everything else is handed over as bytes to be saved.
INLINE = IMAGES | AUDIO | VIDEOS
INERT = "application/octet-stream"
INERT_POLICY = "sandbox; default-src 'none'"
CHUNK_BYTES = 64 * 1024


def send_blob(blob: Blob, start: int, end: int, is_part: bool) -> HttpResponseBase:
    response = StreamingHttpResponse(read_chunks(blob, start, end), status=206 if is_part else 200)
    response["Content-Length"] = str(end - start)
    if is_part:
        response["Content-Range"] = f"bytes {start}-{end - 1}/{blob.size_bytes}"
    return response


def send_attachment(blob: Blob | None, name: str) -> HttpResponseBase:
    """The whole file as bytes of no type to be saved, kept by no cache. Http404 without bytes."""
    if blob is None or not default_storage.exists(blob.storage_name):
        raise Http404("The bytes of this file are missing from storage: that is our fault.")
    response = label(send_blob(blob, 0, blob.size_bytes, is_part=False), blob, name)
    response["Content-Type"] = INERT
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response["Cache-Control"] = "private, no-store"
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
    # An <img> needs the type of a drawing; opened, it is an attachment.
    is_drawing = blob.mime == "image/svg+xml"
    response["Content-Type"] = blob.mime if is_inline or is_drawing else INERT
    response["Content-Disposition"] = (
        content_disposition_header(not is_inline, name) or "attachment"
    )
    response["Content-Security-Policy"] = INERT_POLICY
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["Referrer-Policy"] = "no-referrer"
    response["Accept-Ranges"] = "bytes"
    response["Content-Encoding"] = "identity"  # or compression would break ranges and lengths
    response["ETag"] = f'"{blob.sha256}"'
    # Private: a withdrawn run's files must not live on in a shared cache.
    response["Cache-Control"] = "private, max-age=31536000, immutable"
    return response
