"""Answers the machines that watch a web process, before anything else looks at their request."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from leaderboard.operations import metrics
from pybench_site.monitoring import readiness
from pybench_site.monitoring.probes import Probes, asked_of

GetResponse = Callable[[HttpRequest], HttpResponse]


def answer_probes(get_response: GetResponse) -> GetResponse:
    """Middleware: a probe names this machine by its address, which is no host name of the site."""
    checks = {**readiness.CHECKS, "sandbox": readiness.check_sandbox}
    probes = Probes(checks, metrics.render, settings.METRICS_TOKEN)

    def respond(request: HttpRequest) -> HttpResponse:
        answer = probes.answer(asked_of(request.META))
        if answer is None:
            return get_response(request)
        response = HttpResponse(answer.body, answer.content_type, answer.status)
        response["Cache-Control"] = "no-store"
        response["X-Content-Type-Options"] = "nosniff"
        return response

    return respond
