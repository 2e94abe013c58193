"""Middleware of a viewer: its own host name, reading alone, and none of the site's other pages."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

GetResponse = Callable[[HttpRequest], HttpResponse]

# Names of the addresses that are about results. All others belong to a site with accounts.
SHOWN = frozenset(
    {
        "attempt-file", "attempt-json", "board", "board-csv", "board-json", "chart-csv",
        "chart-json", "chart-list", "charts", "compare", "compare-csv", "compare-json", "entry",
        "entry-json", "failures", "failures-csv", "failures-json", "file", "first-page",
        "frame", "method",
        "first-tasks", "rates-svg", "replay", "run", "run-file", "run-json", "run-progress",
        "self-contained", "side-by-side", "step-json", "task", "task-json", "tasks", "tasks-csv",
        "tasks-json",
    }
)  # fmt: skip
# Requests that other sites' pages cause are answered only if they follow a link.
FROM_ELSEWHERE = ("cross-site", "same-site")


def guard(get_response: GetResponse) -> GetResponse:
    """Middleware: refuses other hosts' names (DNS rebinding), other methods and other pages."""

    def respond(request: HttpRequest) -> HttpResponse:
        refused = why_refused(request)
        if refused:
            return HttpResponse(refused, status=403, content_type="text/plain; charset=utf-8")
        request.user = AnonymousUser()
        request.session = {}  # type: ignore[assignment]
        response = get_response(request)
        response["Cross-Origin-Resource-Policy"] = "same-origin"
        response["Cross-Origin-Opener-Policy"] = "same-origin"
        return response

    return respond


def hosts_of_viewer() -> list[str]:
    """The viewer's own address as browsers name it, with its port."""
    hosts: list[str] = getattr(settings, "VIEWER_HOSTS", [])
    return hosts


def why_refused(request: HttpRequest) -> str:
    """The sentence with which a request is refused; "" for one that is answered."""
    if request.META.get("HTTP_HOST", "") not in hosts_of_viewer():
        return "This viewer answers to its own address only."
    if request.method not in ("GET", "HEAD"):
        return "Results are only read here."
    is_followed = request.META.get("HTTP_SEC_FETCH_MODE") == "navigate"
    if request.META.get("HTTP_SEC_FETCH_SITE") in FROM_ELSEWHERE and not is_followed:
        return "Other sites cannot read these results."
    if request.path_info.startswith(settings.STATIC_URL):
        return ""
    try:
        name = resolve(urlsplit(request.path_info).path).url_name
    except Resolver404:
        return ""  # answered as not found
    is_shown = name in SHOWN and not request.path_info.startswith("/api/")
    return "" if is_shown else "This page belongs to a site with accounts."
