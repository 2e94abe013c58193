"""Failures over all runs: facets, words, and the attempts that match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from leaderboard.api.gone import gone
from leaderboard.failures.tags import BY_KEY, TAGS_VERSION, Tag
from leaderboard.models import Attempt
from leaderboard.rendering.csv_response import answer_csv
from leaderboard.rendering.text import in_words
from leaderboard.replay.neighbours import address_in
from leaderboard.search import filters
from leaderboard.search.facets import Facet, Option, list_facets
from leaderboard.search.filters import (
    FIRST_STEPS,
    NOT_PASSED,
    OUTCOMES,
    STATES,
    TURNS,
    UNLESS_SAID,
    Filter,
    states_of,
)
from leaderboard.search.results import Found, look
from leaderboard.search.same_sentences import (
    MAX_GROUPED,
    SentenceGroup,
    group_by_sentence,
    with_attempts,
)

PAGE_ROWS = 50
MAX_CSV = 10_000  # rows
CSV_CHUNK = 500
CSV_COLUMNS = (
    "run", "entry", "suite", "task", "attempt", "category", "state", "outcome", "sentence", "turns",
    "first_failed_step", "tags", "replay",
)  # fmt: skip
OWN_RULES = gone("Own rules over steps were removed. Use the filters and the words instead.")
TITLES_OF = {"outcome": OUTCOMES, "step": FIRST_STEPS, "turns": TURNS}


@dataclass(frozen=True)
class Match:
    """One attempt that was found."""

    attempt: Attempt
    tags: list[Tag]  # the primary one first
    excerpt: filters.Excerpt | None
    address: str  # of its replay, which walks on through what was found


def failures(request: HttpRequest) -> HttpResponse:
    if request.GET.get("rule"):
        return OWN_RULES(request)
    wanted = filters.read_filter(request.GET)
    found = look(wanted, request.user)
    has_only_baselines = wanted == Filter() and not any(found.states.values())
    if has_only_baselines:
        shown = look(Filter(baselines="1"), request.user)
        has_only_baselines = shown.total > 0
        wanted, found = (shown.wanted, shown) if has_only_baselines else (wanted, found)
    is_grouped = request.GET.get("by") == "sentence"
    page: Page[Any] = find_groups(request, found) if is_grouped else find_page(request, found)
    kept = wanted.query()
    context = {
        "is_grouped": is_grouped,
        "cut": MAX_GROUPED if is_grouped and found.total > MAX_GROUPED else 0,
        "groups": groups_of([*page], wanted) if is_grouped else [],
        "has_only_baselines": has_only_baselines,
        "wanted": wanted,
        "total": found.total,
        "is_exact": found.is_exact,
        "notes": found.notes,
        "facets": list_facets(found),
        "states": state_options(wanted, found.states),
        "chosen": [] if has_only_baselines else chosen_parts(wanted),
        "page": page,
        "matches": []
        if is_grouped
        else [match_of(attempt, wanted) for attempt in page.object_list],
        "asked": kept,
        "kept": "&".join(filter(None, (kept, "by=sentence" if is_grouped else ""))),
        "elsewhere": sum(found.states.values()) - found.states[UNLESS_SAID],
        "hidden": [(name, value) for name, value in vars(wanted).items() if value],
        "tag": BY_KEY.get(wanted.tag),
        "with_baselines": wanted.query(baselines="1"),
        "without_baselines": wanted.query(baselines=""),
    }
    return render(request, "failures/failures.html", context)


def failures_json(request: HttpRequest) -> HttpResponse:
    """The same for programs."""
    if request.GET.get("rule"):
        return OWN_RULES(request)
    wanted = filters.read_filter(request.GET)
    found = look(wanted, request.user)
    page = find_page(request, found)
    return JsonResponse(
        {
            "filter": {name: value for name, value in vars(wanted).items() if value},
            "tags_version": TAGS_VERSION,
            "total": found.total,
            "is_exact": found.is_exact,
            "page": page.number,
            "pages": page.paginator.num_pages,
            "notes": found.notes,
            "states": found.states,
            "facets": {facet.key: list_options(facet) for facet in list_facets(found)},
            "attempts": [record_of(match_of(a, wanted)) for a in page.object_list],
        }
    )


def failures_csv(request: HttpRequest) -> HttpResponse:
    """The newest `MAX_CSV` of them as a table."""
    if request.GET.get("rule"):
        return OWN_RULES(request)
    wanted = filters.read_filter(request.GET)
    listed = Listed(look(wanted, request.user))
    records = (
        record_of(match_of(attempt, wanted))
        for start in range(0, min(len(listed), MAX_CSV), CSV_CHUNK)
        for attempt in listed[start : start + CSV_CHUNK]
    )
    rows = ([*map(cell_of, record.values())] for record in records)
    return answer_csv("failures.csv", CSV_COLUMNS, rows)


def cell_of(value: Any) -> str | int | None:
    return " ".join(value) if isinstance(value, list) else value


def list_options(facet: Facet) -> list[dict[str, object]]:
    return [{"value": o.value, "title": o.title, "count": o.count} for o in facet.options]


class Listed:
    """Search results as a list that is read a page at a time: two queries a page."""

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
    rows = cast("Sequence[Attempt]", Listed(found))  # it only has to serve one page
    paginator: Paginator[Attempt] = Paginator(rows, PAGE_ROWS)
    return paginator.get_page(request.GET.get("page"))


def find_groups(request: HttpRequest, found: Found) -> Page[Any]:
    return Paginator(group_by_sentence(found), PAGE_ROWS).get_page(request.GET.get("page"))


def groups_of(groups: Sequence[SentenceGroup], wanted: Filter) -> list[dict[str, Any]]:
    """Rows of the table of groups: what is alike, how many, and the first of them."""
    return [
        {
            "group": group,
            "matches": [match_of(attempt, wanted) for attempt in group.attempts],
        }
        for group in with_attempts(groups)
        if group.attempts
    ]


def match_of(attempt: Attempt, wanted: Filter) -> Match:
    tags = [BY_KEY[row.tag] for row in attempt.tags.all() if row.tag in BY_KEY]
    excerpt = filters.excerpt_of(attempt.text.body, wanted.words) if wanted.q else None
    return Match(attempt, tags, excerpt, address_in(attempt, wanted))


def state_options(wanted: Filter, states: dict[str, int]) -> list[Option]:
    counts = {NOT_PASSED: sum(states[state] for state in states_of(NOT_PASSED)), **states}
    chosen = wanted.state or UNLESS_SAID
    options = [
        Option(
            state,
            in_words(state).replace("-", " "),
            counts[state],
            wanted.query(state=state),
            state == chosen,
        )
        for state in (*STATES, NOT_PASSED)
    ]
    return [o for o in options if o.count or o.is_chosen]


def chosen_parts(wanted: Filter) -> list[tuple[str, str, str]]:
    """Parts of the filter: name, value, and the address without each."""
    names = {"q": "words", "baselines": "scripted baselines", "step": "first failed"}
    return [
        (
            names.get(name, name),
            "too" if name == "baselines" else title_of(name, value),
            wanted.query(**{name: ""}),
        )
        for name, value in vars(wanted).items()
        if value and name != "state"
    ]


def title_of(name: str, value: str) -> str:
    if name == "tag":
        return BY_KEY[value].title if value in BY_KEY else value
    return TITLES_OF.get(name, {}).get(value, value)


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
        "first_failed_step": attempt.first_failed_step,
        "tags": [tag.key for tag in match.tags],
        "replay": attempt.get_absolute_url(),
    }
