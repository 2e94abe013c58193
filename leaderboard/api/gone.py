"""Addresses of features that were removed: 410, with a sentence on what there is instead."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt

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
