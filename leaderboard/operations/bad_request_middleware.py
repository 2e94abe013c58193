"""Refuses addresses that no database could look up, and words wrong methods as pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import render

from leaderboard.api.errors import (
    NOT_ALLOWED,
    NOT_FOUND,
    UNREADABLE,
    ErrorAnswer,
    answer_program,
    is_for_programs,
)
from runner.contract import Problem

MAX_QUERY_CHARS = 8000

# No row has such a number, and no column could hold it; 64 digits may be those of a SHA-256.
ENDLESS_NUMBER = re.compile(r"/(?:\d{19,63}|\d{65,})(?=/|$)")

Answer = Callable[[HttpRequest], HttpResponseBase]


def refuse_unreadable(answer: Answer) -> Answer:
    """Middleware. PostgreSQL takes a NUL nowhere, whatever it was meant for."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        query = request.META.get("QUERY_STRING", "")
        if "\0" in request.path_info or "%00" in query or "\0" in query:
            return refuse(request, UNREADABLE)
        if len(query) > MAX_QUERY_CHARS:
            return refuse(request, UNREADABLE)
        if ENDLESS_NUMBER.search(request.path_info):
            return refuse(request, NOT_FOUND)
        answered = answer(request)
        is_empty = isinstance(answered, HttpResponseNotAllowed)  # the API's answers have a body
        return say_method(request, answered) if is_empty else answered

    return middleware


def say_method(request: HttpRequest, refused: HttpResponseBase) -> HttpResponse:
    """A page in the place of the empty answer that a browser shows as an error of its own."""
    status = HTTPStatus.METHOD_NOT_ALLOWED
    if is_for_programs(request):
        page = answer_program(request, ErrorAnswer(NOT_ALLOWED, status))
    else:
        page = render(request, "405.html", status=status)
    page["Allow"] = refused["Allow"]
    return page


def refuse(request: HttpRequest, problem: Problem) -> HttpResponse:
    """In the words of whoever was asked."""
    is_missing = problem is NOT_FOUND
    if is_for_programs(request):
        status = HTTPStatus.NOT_FOUND if is_missing else HTTPStatus.BAD_REQUEST
        return answer_program(request, ErrorAnswer(problem, status))
    raise Http404 if is_missing else BadRequest("an address with a NUL, or without an end")
