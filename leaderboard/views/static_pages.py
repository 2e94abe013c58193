"""Pages without data of their own: the method, and what is said when something is wrong."""

from __future__ import annotations

import sys
from http import HTTPStatus

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from leaderboard.api.errors import (
    NOT_FOUND,
    UNREADABLE,
    ErrorAnswer,
    answer_program,
    failure_of,
    is_for_programs,
)
from leaderboard.failures.tag_trial import read_trial
from leaderboard.failures.tags import TAGS, TAGS_VERSION
from pybench_site.logs import current_id
from runner.suite.canary import CANARY

CLOSED_TO_ROBOTS = (
    "/runs/*/tasks/",
    "/runs/*/export/",
    "/files/",
    "/frames/",
    "/failures",
    "/tasks/*/*",
    "/api/",
    "/account/",
    "/submit/",
    "/submissions/",
    "/admin/",
)


def method(request: HttpRequest) -> HttpResponse:
    context = {"tags": TAGS, "tags_version": TAGS_VERSION, "canary": CANARY, "trial": read_trial()}
    return render(request, "method/method.html", context)


def robots(request: HttpRequest) -> HttpResponse:
    """Paths that search engines and gatherers of text are asked to leave alone."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in CLOSED_TO_ROBOTS)]
    return HttpResponse("\n".join(lines) + "\n", "text/plain; charset=utf-8")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_for_programs(request):
        return answer_program(request, ErrorAnswer(UNREADABLE, 400))
    is_large = isinstance(exception, RequestDataTooBig)
    return render(request, "400.html", {"is_large": is_large}, status=413 if is_large else 400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Says what is missing where the view said so."""
    if is_for_programs(request):
        return answer_program(request, ErrorAnswer(NOT_FOUND, 404))
    reason = exception.args[0] if exception.args and isinstance(exception.args[0], str) else ""
    # Django's own reasons name models and patterns: not words for a reader.
    reason = reason if reason.endswith(".") and not reason.startswith("No ") else ""
    return render(request, "404.html", {"reason": reason}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """The answer to an exception, which is under way."""
    failure = failure_of(sys.exception())
    if is_for_programs(request):
        return answer_program(request, failure)
    context = {"request_id": current_id(), "was_sent": request.method == "POST"}
    template = "503.html" if failure.status == HTTPStatus.SERVICE_UNAVAILABLE else "500.html"
    page = render(request, template, context, status=failure.status)
    for name, value in failure.headers.items():
        page[name] = value
    return page
