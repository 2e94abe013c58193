"""What went wrong over all runs: facets, words, and the attempts that match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from leaderboard import search
from leaderboard.failures import BY_KEY, TAGS_VERSION, Tag
from leaderboard.models import Attempt
from leaderboard.search import NOT_PASSED, STATES, Filter
from leaderboard.walking import address_in

PAGE_ROWS = 50


@dataclass(frozen=True)
class Match:
    """One attempt that was found."""

    attempt: Attempt
    tags: list[Tag]  # the primary one first
    excerpt: search.Excerpt | None
    address: str  # of its replay, which walks on through what was found


def failures(request: HttpRequest) -> HttpResponse:
    wanted = search.read_filter(request.GET)
    states = search.count_states(wanted, request.user)
    page = find_page(request, wanted, states)
    context = {
        "wanted": wanted,
        "total": page.paginator.count,
        "facets": search.count_facets(wanted, request.user),
        "states": state_options(wanted, states),
        "chosen": chosen_parts(wanted),
        "page": page,
        "matches": [match_of(attempt, wanted) for attempt in page.object_list],
        "kept": wanted.query(),
        "hidden": [(name, value) for name, value in vars(wanted).items() if value and name != "q"],
        "tag": BY_KEY.get(wanted.tag),
        "with_baselines": wanted.query(baselines="1"),
        "without_baselines": wanted.query(baselines=""),
    }
    return render(request, "failures.html", context)


def failures_json(request: HttpRequest) -> JsonResponse:
    """The same for programs."""
    wanted = search.read_filter(request.GET)
    states = search.count_states(wanted, request.user)
    page = find_page(request, wanted, states)
    matches = [match_of(attempt, wanted) for attempt in page.object_list]
    facets = search.count_facets(wanted, request.user)
    return JsonResponse(
        {
            "filter": {name: value for name, value in vars(wanted).items() if value},
            "tags_version": TAGS_VERSION,
            "total": page.paginator.count,
            "page": page.number,
            "pages": page.paginator.num_pages,
            "states": states,
            "facets": {facet.key: list_options(facet) for facet in facets},
            "attempts": [record_of(match) for match in matches],
        }
    )


def list_options(facet: search.Facet) -> list[dict[str, object]]:
    return [{"value": o.value, "title": o.title, "count": o.count} for o in facet.options]


def find_page(request: HttpRequest, wanted: Filter, states: dict[str, int]) -> Page[Attempt]:
    """One page of what was found: two queries."""
    shown = [wanted.state] if wanted.state else NOT_PASSED
    found = (
        search.in_order(search.find(wanted, request.user))
        .select_related("run__entry", "run__suite", "task")
        .defer("opening", "closing")
        .prefetch_related("tags")
    )
    found = found.select_related("text") if wanted.q else found
    paginator: Paginator[Attempt] = Paginator(found, PAGE_ROWS)
    paginator.count = sum(states[state] for state in shown)  # known already
    return paginator.get_page(request.GET.get("page"))


def match_of(attempt: Attempt, wanted: Filter) -> Match:
    tags = [BY_KEY[row.tag] for row in attempt.tags.all() if row.tag in BY_KEY]
    excerpt = search.excerpt_of(attempt.text.body, wanted.words) if wanted.q else None
    return Match(attempt, tags, excerpt, address_in(attempt, wanted))


def state_options(wanted: Filter, states: dict[str, int]) -> list[search.Option]:
    total = sum(states[state] for state in NOT_PASSED)
    everything = search.Option("", "not passed", total, wanted.query(state=""), not wanted.state)
    options = [
        search.Option(s, s, states[s], wanted.query(state=s), wanted.state == s) for s in STATES
    ]
    return [everything, *(o for o in options if o.count or o.is_chosen)]


def chosen_parts(wanted: Filter) -> list[tuple[str, str, str]]:
    """What the filter holds: its name, its value, and the address without it."""
    names = {"q": "words", "baselines": "scripted baselines"}
    return [
        (names.get(name, name), title_of(value), wanted.query(**{name: ""}))
        for name, value in vars(wanted).items()
        if value and name != "state"
    ]


def title_of(value: str) -> str:
    return BY_KEY[value].title if value in BY_KEY else value


def record_of(match: Match) -> dict[str, Any]:
    attempt = match.attempt
    return {
        "run": attempt.run_id,
        "entry": attempt.run.entry.slug,
        "suite": str(attempt.run.suite),
        "task": attempt.task.key,
        "attempt": attempt.number,
        "category": attempt.category,
        "state": attempt.state,
        "outcome": attempt.outcome or None,
        "sentence": attempt.sentence,
        "turns": attempt.turns,
        "tags": [tag.key for tag in match.tags],
        "replay": attempt.get_absolute_url(),
    }
