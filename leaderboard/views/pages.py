"""Pages without data of their own: the method, and what is said when something is wrong."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from leaderboard.failures import TAGS, TAGS_VERSION


def method(request: HttpRequest) -> HttpResponse:
    return render(request, "method.html", {"tags": TAGS, "tags_version": TAGS_VERSION})


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Says what is missing where the view said so."""
    reason = exception.args[0] if exception.args and isinstance(exception.args[0], str) else ""
    # Django's own reasons name models and patterns: not words for a reader.
    reason = reason if reason.endswith(".") and not reason.startswith("No ") else ""
    return render(request, "404.html", {"reason": reason}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    return render(request, "500.html", status=500)
