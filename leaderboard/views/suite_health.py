"""Health of a suite itself: its proof, and the published figures next to it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from leaderboard.judge.paper_tables import human_check, quoted_tables
from leaderboard.suites.health import read_health
from leaderboard.suites.published_table import read_published
from leaderboard.views.tasks import find_suite


def health(request: HttpRequest, suite: str) -> HttpResponse:
    found = find_suite(request, suite)
    titles = {c["key"]: (i, c["title"]) for i, c in enumerate(found.categories, 1)}
    context = {"suite": found, "health": read_health(found), "titles": titles}
    return render(request, "suite/health.html", context)


def health_json(request: HttpRequest, suite: str) -> JsonResponse:
    """The same for programs."""
    found = find_suite(request, suite)
    read = read_health(found)
    tasks = [
        {
            "task": task.key,
            "category": task.category,
            "strength": task.strength,
            "holds": task.holds,
            "made_on": task.made_on,
            "degenerate": task.degenerate,
            "guessable": task.guessable,
            "stand_in": task.stand_in,
            "unavailable": task.unavailable,
            "upstream_test": task.upstream,
            "upstream_issues": list(task.issues),
            "mutants": task.mutation.total,
            "mutants_refused": task.mutation.refused,
            "left_out": dict(task.left_out),
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
            "made_on": read.made_on,
            "seeds": read.seeds,
            "mutants": read.mutation.total,
            "mutants_refused": read.mutation.refused,
            "asked_published_tests": read.is_asked,
            "tasks": tasks,
        }
    )


def published(request: HttpRequest) -> HttpResponse:
    try:
        quoted, tables = read_published(), quoted_tables()
    except FileNotFoundError:
        raise Http404("This site quotes no published figures.") from None
    context = {"published": quoted, "tables": tables, "paper": human_check()}
    return render(request, "suite/published_table.html", context)
