"""Conditional responses, for a browser or program that already has a copy."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags

# What programs, and pages that take a part in, ask for again and again.
DATA_FOLDERS = ("/api/v1/", "/charts/list/")
DATA_ENDINGS = (".json", ".csv", ".atom", ".svg", ".bib", ".yaml")
KEPT_HEADERS = ("Cache-Control", "Vary")

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def tag_data(get_response: GetResponse) -> GetResponse:
    """Middleware: data have an ETag of their content; 304 to who has them.

    The digest is of what this reader is allowed to see, so no tag of one reader lets another read.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not is_data(request) or not is_taggable(request, response):
            return response
        assert isinstance(response, HttpResponse)
        tag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
        response["ETag"] = tag
        response.setdefault("Cache-Control", "no-cache")
        if not has_copy(request, tag):
            return response
        kept = {name: response[name] for name in KEPT_HEADERS if name in response}
        unchanged = HttpResponseNotModified(headers={"ETag": tag, **kept})
        patch_vary_headers(unchanged, ["Accept-Encoding"])  # what compression adds to the whole
        return unchanged

    return respond


def is_data(request: HttpRequest) -> bool:
    return request.path.startswith(DATA_FOLDERS) or request.path.endswith(DATA_ENDINGS)


def is_taggable(request: HttpRequest, response: HttpResponseBase) -> bool:
    is_whole = response.status_code == 200 and not response.streaming
    return is_whole and request.method in ("GET", "HEAD") and "ETag" not in response


def has_copy(request: HttpRequest, tag: str) -> bool:
    """Weak comparison (RFC 9110 §8.8.3.2): compression on the way makes a strong tag weak."""
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return any(candidate.removeprefix("W/") in (tag, "*") for candidate in known)
