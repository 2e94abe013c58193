"""HTML that a model made, running where it can reach nothing.

The page embeds this address in an iframe with sandbox="allow-scripts" and loads it on a click.
The response's policy repeats this: an origin of its own, no request to anywhere. No policy stops
WebRTC and preconnects; Connection-Allowlist does (https://wicg.github.io/connection-allowlists),
in browsers that know it. The replay names what remains in others before the click.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.clickjacking import xframe_options_sameorigin

from leaderboard.models import Blob
from leaderboard.storage.blobs import read_head
from leaderboard.views.files import is_visible
from runner.previews.texts import decode

MAX_BYTES = 8 << 20
SUFFIXES = frozenset({".html", ".htm"})
POLICY = "; ".join(
    (
        "sandbox allow-scripts",
        "default-src 'none'",
        "script-src 'unsafe-inline'",
        "style-src 'unsafe-inline'",
        "img-src data: blob:",
        "media-src data: blob:",
        "font-src data:",
        "connect-src 'none'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
    )
)


@xframe_options_sameorigin
def frame(request: HttpRequest, sha256: str, name: str) -> HttpResponse:
    """The file as a page, to an iframe alone: opened by itself it could lead its reader away."""
    if PurePosixPath(name).suffix.lower() not in SUFFIXES:
        raise Http404("Only HTML is shown in a frame.")
    if not is_visible(request.user, sha256, ""):
        raise Http404("No public run has this file.")
    blob = get_object_or_404(Blob, pk=sha256)
    if blob.size_bytes > MAX_BYTES:
        raise Http404("The file is too long to be shown in a frame.")
    if request.headers.get("Sec-Fetch-Dest") != "iframe":
        return harden(HttpResponse("This address only works inside a replay.", status=403))
    decoded = decode(read_head(blob, MAX_BYTES))
    if decoded is None:
        raise Http404("The file is no text.")
    page = load_plotly(decoded[0])
    return harden(HttpResponse(page, content_type="text/html; charset=utf-8"))


def load_plotly(page: str) -> str:
    """The page with plotly inside where it asks for it by network, as charts do by default."""
    start, parts = 0, []
    while (tag := page.find("<script", start)) >= 0 and (end := page.find(">", tag)) >= 0:
        asked = page[tag:end]
        is_asked = "src=" in asked and "plotly" in asked and ".js" in asked
        parts.append(page[start:tag] + (f"<script>{plotly()}" if is_asked else page[tag : end + 1]))
        start = end + 1
    return "".join([*parts, page[start:]])


@cache
def plotly() -> str:
    """Plotly's own script, as its Python package carries it."""
    return files("plotly").joinpath("package_data/plotly.min.js").read_text("utf-8")


def harden(response: HttpResponse) -> HttpResponse:
    response["Content-Security-Policy"] = POLICY
    response["X-Content-Type-Options"] = "nosniff"
    response["Referrer-Policy"] = "no-referrer"
    response["X-DNS-Prefetch-Control"] = "off"
    response["Connection-Allowlist"] = "()"  # no address at all
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["Cache-Control"] = "private, no-store"
    return response
