"""Whether a browser already has what it asks for."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import parse_etags


def has_copy(request: HttpRequest, tag: str) -> bool:
    """Weak comparison (RFC 9110 §8.8.3.2): compression on the way makes a strong tag weak."""
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return any(candidate.removeprefix("W/") == tag for candidate in known)
