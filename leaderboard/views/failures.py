"""What went wrong over all runs: facets, words, and the attempts that match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from leaderboard import search
from leaderboard.facets import Facet, Found, Option, list_facets, look
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
    found = look(wanted, request.user)
    page = find_page(request, found)
    context = {
        "wanted": wanted,
        "total": found.total,
        "notes": found.notes,
        "facets": list_facets(found),
        "states": state_options(wanted, found.states),
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
    found = look(wanted, request.user)
    page = find_page(request, found)
    return JsonResponse(
        {
            "filter": {name: value for name, value in vars(wanted).items() if value},
            "tags_version": TAGS_VERSION,
            "total": found.total,
            "page": page.number,
            "pages": page.paginator.num_pages,
            "notes": list(found.notes),
            "states": found.states,
            "facets": {facet.key: list_options(facet) for facet in list_facets(found)},
            "attempts": [record_of(match_of(a, wanted)) for a in page.object_list],
        }
    )


def list_options(facet: Facet) -> list[dict[str, object]]:
    return [{"value": o.value, "title": o.title, "count": o.count} for o in facet.options]


class Listed:
    """What was found as a list that is read a page at a time: two queries a page."""

    def __init__(self, found: Found) -> None:
        self.found = found

    def __len__(self) -> int:
        return self.found.total

    def __getitem__(self, part: slice) -> list[Attempt]:
        ids = self.found.list_ids(part.start, part.stop)
        rows = (
            Attempt.objects.filter(pk__in=ids)
            .select_related("run__entry", "run__suite", "task")
            .defer("opening", "closing")
            .prefetch_related("tags")
        )
        rows = rows.select_related("text") if self.found.wanted.q else rows
        by_id = {attempt.pk: attempt for attempt in rows}
        return [by_id[pk] for pk in ids if pk in by_id]  # a run may be deleted meanwhile


def find_page(request: HttpRequest, found: Found) -> Page[Attempt]:
    rows = cast("Sequence[Attempt]", Listed(found))  # a page is all that is asked of it
    paginator: Paginator[Attempt] = Paginator(rows, PAGE_ROWS)
    return paginator.get_page(request.GET.get("page"))


def match_of(attempt: Attempt, wanted: Filter) -> Match:
    tags = [BY_KEY[row.tag] for row in attempt.tags.all() if row.tag in BY_KEY]
    excerpt = search.excerpt_of(attempt.text.body, wanted.words) if wanted.q else None
    return Match(attempt, tags, excerpt, address_in(attempt, wanted))


def state_options(wanted: Filter, states: dict[str, int]) -> list[Option]:
    total = sum(states[state] for state in NOT_PASSED)
    everything = Option("", "not passed", total, wanted.query(state=""), not wanted.state)
    options = [Option(s, s, states[s], wanted.query(state=s), wanted.state == s) for s in STATES]
    return [everything, *(o for o in options if o.count or o.is_chosen)]


def chosen_parts(wanted: Filter) -> list[tuple[str, str, str]]:
    """What the filter holds: its name, its value, and the address without it."""
    names = {"q": "words", "baselines": "scripted baselines"}
    return [
        (
            names.get(name, name),
            "too" if name == "baselines" else title_of(value),
            wanted.query(**{name: ""}),
        )
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
