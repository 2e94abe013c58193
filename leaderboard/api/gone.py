"""Addresses that the site has no longer (410, with a sentence), or that the API never had (404)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from rest_framework.request import Request

from leaderboard.api.base import Api
from leaderboard.api.errors import ErrorAnswer, answer_program, gone_problem, is_for_programs

NO_AUDITORS = "Auditors were removed. The owner of a private run shares it by its link instead."
NO_EXPORT = "This export was removed. PyBench jsonl, ATIF, Inspect logs and notebooks are left."


def gone(sentence: str) -> Callable[..., HttpResponse]:
    """A view that answers any request with 410 and `sentence`, as a page or as a problem."""

    @csrf_exempt
    def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if is_for_programs(request) or request.path_info.endswith((".json", ".csv")):
            return answer_program(request, ErrorAnswer(gone_problem(sentence), 410))
        return render(request, "404.html", {"gone": sentence}, status=410)

    return answer


class Unknown(Api):
    """Not found, whatever the method."""

    http_method_names = ["get", "head", "post", "put", "patch", "delete", "options"]
    schema = None

    def refuse(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404

    get = post = put = patch = delete = options = refuse  # type: ignore[assignment]
