"""Refuses addresses that no database could look up, before any view sees them."""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from leaderboard.api.errors import NOT_FOUND, UNREADABLE, body_of
from runner.contract import Problem

MAX_QUERY_CHARS = 8000

API = "/api/"
# No row has such a number, and no column could hold it; 64 digits may be those of a SHA-256.
ENDLESS_NUMBER = re.compile(r"/(?:\d{19,63}|\d{65,})(?=/|$)")

Answer = Callable[[HttpRequest], HttpResponseBase]


def refuse_unreadable(answer: Answer) -> Answer:
    """A middleware. PostgreSQL takes a NUL nowhere, whatever it was meant for."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        query = request.META.get("QUERY_STRING", "")
        if "\0" in request.path_info or "%00" in query or "\0" in query:
            return refuse(request, UNREADABLE)
        if len(query) > MAX_QUERY_CHARS:
            return refuse(request, UNREADABLE)
        if ENDLESS_NUMBER.search(request.path_info):
            return refuse(request, NOT_FOUND)
        return answer(request)

    return middleware


def refuse(request: HttpRequest, problem: Problem) -> HttpResponse:
    """In the words of whoever was asked."""
    is_missing = problem is NOT_FOUND
    if request.path_info.startswith(API):
        status = HTTPStatus.NOT_FOUND if is_missing else HTTPStatus.BAD_REQUEST
        return JsonResponse(body_of(problem), status=status)
    raise Http404 if is_missing else BadRequest("an address with a NUL, or without an end")
