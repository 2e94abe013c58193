"""What is known of a suite itself: its proof, and the published figures beside it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from leaderboard.health import read_health
from leaderboard.published import read_published
from leaderboard.views.tasks import find_suite


def health(request: HttpRequest, suite: str) -> HttpResponse:
    found = find_suite(suite, request.GET.get("version", ""))
    titles = {c["key"]: (i, c["title"]) for i, c in enumerate(found.categories, 1)}
    context = {"suite": found, "health": read_health(found), "titles": titles}
    return render(request, "health.html", context)


def health_json(request: HttpRequest, suite: str) -> JsonResponse:
    """The same for programs."""
    found = find_suite(suite, request.GET.get("version", ""))
    read = read_health(found)
    tasks = [
        {
            "task": task.key,
            "category": task.category,
            "strength": task.strength,
            "holds": task.holds,
            "degenerate": task.degenerate,
            "stand_in": task.stand_in,
            "unavailable": task.unavailable,
            "upstream_test": task.upstream,
            "upstream_issues": list(task.issues),
            "played": [
                {
                    "name": one.name,
                    "kind": one.kind,
                    "passed": one.passed,
                    "sentence": one.sentence,
                    "passes_upstream": one.passes_upstream,
                }
                for one in task.played
            ],
        }
        for task in read.tasks
    ]
    suite_facts = {"name": found.name, "version": found.version, "digest": found.digest}
    return JsonResponse(
        {
            "suite": suite_facts,
            "is_current": read.is_current,
            "holds": read.held,
            "asked_published_tests": read.is_asked,
            "tasks": tasks,
        }
    )


def published(request: HttpRequest) -> HttpResponse:
    try:
        quoted = read_published()
    except FileNotFoundError:
        raise Http404("This site quotes no published figures.") from None
    return render(request, "published.html", {"published": quoted})
