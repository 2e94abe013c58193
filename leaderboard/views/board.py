"""The rank table of one suite version, and its twins for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone

from leaderboard.board.columns import PART, Column, columns_of, sort_rows
from leaderboard.board.filters import (
    READINGS,
    Address,
    Choice,
    choices_of,
    choose_columns,
    choose_order,
    is_shown,
    read_address,
    read_as_of,
    read_choices,
)
from leaderboard.board.finding import say_baselines, say_finding, say_part
from leaderboard.board.first_chart import draw_first
from leaderboard.board.queries import choose_suite, list_suites, load_board
from leaderboard.board.records import list_records
from leaderboard.board.rows import Board, BoardRow
from leaderboard.board.table import BoardLine, make_lines
from leaderboard.board.task_parts import read_by
from leaderboard.models import Standing, Suite
from leaderboard.queue.host_waits import list_waits_of_site
from leaderboard.rendering.csv_response import answer_csv
from leaderboard.submissions.endpoint_policy import is_for_this_machine
from leaderboard.suites.seasons import Season, choose_season, list_seasons
from runner.run_figures import LEAST_TASKS

if TYPE_CHECKING:
    from leaderboard.snapshots.past import PastBoard

PAGE_ROWS = 36


@dataclass(frozen=True)
class Heading:
    """A column's head: where a click leads and how it is sorted now."""

    column: Column
    query: str  # of the link
    direction: str  # "ascending", "descending" or ""


@dataclass(frozen=True)
class Asked:
    """A suite's board as an address asks for it."""

    suite: Suite
    suites: list[Suite]
    seasons: list[Season]  # of the suite, the newest first
    season: Season
    address: Address
    columns: list[Column]  # all there are
    choices: list[Choice]
    all_rows: Board  # of the suite
    rows: Board  # that the filters let through, in order
    past: str = ""  # of a board as of a past day: where its ranks are from
    has_older_ranges: bool = False  # of a past day: by a method whose ranges were too narrow

    @property
    def day(self) -> date:
        """The day that the board is of."""
        return self.address.as_of or timezone.now().date()

    @property
    def name(self) -> str:
        """As in "Starter suite v1, season 2"; the season where there are several."""
        season = f", season {self.season.number}" if len(self.seasons) > 1 else ""
        return f"{self.suite.title} v{self.suite.version}{season}"

    @property
    def shown(self) -> list[Column]:
        return choose_columns(self.address, self.columns)


def board(request: HttpRequest) -> HttpResponse:
    asked = ask_board(request)
    if asked is None:
        return render(request, "board/board.html", {"suites": []})
    column, is_descending = choose_order(asked.address, asked.columns)
    is_by_rank = column.key == "rate" and is_descending
    page = Paginator(asked.rows.ranked, PAGE_ROWS).get_page(request.GET.get("page"))
    shown = slice(max(0, page.start_index() - 1), page.end_index())
    has_brackets = is_by_rank and not asked.has_older_ranges
    lines = make_lines(asked.rows.ranked, asked.shown, has_brackets=has_brackets, shown=shown)
    is_first = page.number == 1
    is_whole = not (asked.address.is_filtered or asked.past)
    finding = []
    if is_whole and asked.address.part:
        finding = say_part(asked.all_rows, asked.address.part)
    elif is_whole:
        finding = say_finding(asked.all_rows, asked.suite)
    context = {
        "suites": [suite for suite in asked.suites if not suite.is_recorded],
        "part_tasks": count_part_tasks(asked),
        "part_query": urlencode(
            {"version": asked.suite.version}
            | {key: v for key, v in asked.address.chosen.items() if key in READINGS}
        ),
        "readings": list_readings(asked),
        "starting": start_page(request, asked),
        "host_waits": [] if asked.past else list_waits_of_site(),
        "recordings": [suite for suite in asked.suites if suite.is_recorded],
        "suite": asked.suite,
        "finding": finding,
        "card_words": "".join(part.text for part in finding),
        "baselines": say_baselines(asked.all_rows) if is_first else "",
        "task_count": task_count_of(asked.suite),
        "address": asked.address,
        "asked": asked,
        "headings": head(asked, column, is_descending),
        "page": page,
        "kept": asked.address.query,
        "now": asked.address.link(as_of=None, season=""),
        "lines": lines,
        "has_brackets": any(line.bracket for line in lines),
        "has_whiskers": any(column.key == "rate" for column in asked.shown),
        "scripted": make_lines(asked.rows.scripted, asked.shown) if is_first else [],
        "people": make_lines(asked.rows.people, asked.shown) if is_first else [],
        "unplaced": group_unranked(asked) if is_first else [],
        "choices": list_choices(asked),
        "column_choices": list_column_choices(asked),
        "first_chart": draw_first(
            asked.suite, asked.rows, with_baselines=asked.address.draws_baselines
        ),
    }
    return render(request, "board/board.html", context)


def group_unranked(asked: Asked) -> list[tuple[str, str, list[BoardLine]]]:
    """Rows without a rank under their headings, with what each heading says of them."""
    rows = asked.rows.unranked
    has_rates_alone = asked.past and not asked.all_rows.ranked
    is_few = 0 < task_count_of(asked.suite) < LEAST_TASKS
    unranked = "Not complete" if is_few else "Unranked"
    said = "rates only" if has_rates_alone else "in progress or incomplete"
    groups = (
        ("Rank withheld", "under review, or after one", [r for r in rows if r.is_withheld]),
        (unranked, said, [r for r in rows if not r.is_withheld]),
    )
    return [(title, words, make_lines(g, asked.shown)) for title, words, g in groups if g]


def start_page(request: HttpRequest, asked: Asked) -> dict[str, object] | None:
    """The ways to add a first model; None where a model has a row."""
    has_models = bool(asked.all_rows.ranked or asked.all_rows.unranked)
    if has_models or asked.past or asked.suite.is_recorded or asked.season.ended_on:
        return None
    return {
        "is_local": is_for_this_machine(),
        "site": f"{request.scheme}://{request.get_host()}",
        "reference": asked.suite.reference,
    }


def board_json(request: HttpRequest) -> JsonResponse:
    """Serve the board at the same address as JSON, for programs; all pages at once."""
    asked = require_board(request)
    suite = asked.suite
    facts = {
        "name": suite.name,
        "version": suite.version,
        "digest": suite.digest,
        "season": asked.season.number,
        "seed": asked.season.seed,
    }
    notes = [*asked.all_rows.notes, *asked.address.notes, *([asked.past] if asked.past else [])]
    answer = {"suite": facts, "rows": list_records(asked.rows), "notes": notes}
    return JsonResponse(answer)


def board_csv(request: HttpRequest) -> HttpResponse:
    """The same as a table."""
    asked = require_board(request)
    records = list_records(asked.rows)
    heading = records[0] if records else ["group"]
    name = f"{asked.suite.name}-{asked.suite.version}.csv"
    return answer_csv(name, heading, (record.values() for record in records))


def require_board(request: HttpRequest) -> Asked:
    asked = ask_board(request)
    if asked is None:
        raise Http404("There is no suite yet.")
    return asked


def ask_board(request: HttpRequest) -> Asked | None:
    """The board that the address asks for; None without a suite. Six queries."""
    suites = list_suites()
    suite = choose_suite(suites, request.GET.get("suite", ""))
    if suite is None:
        return None
    seasons = list_seasons(suite)
    as_of = read_as_of(request.GET.get("as_of", ""), timezone.now().date(), [])
    season = choose_season(seasons, request.GET.get("season", ""), as_of)
    past = load_past(suite, season, as_of)
    whole = past.board if past else load_board(suite, task_count_of(suite), season.seed)
    choices = choices_of(suite.categories, suite.facets)
    part = Address(chosen=read_choices(request.GET, choices, [])).part
    columns = columns_of(
        suite.categories,
        has_paper=whole.has_paper,
        guessable=int(getattr(suite, "guessable_count", 0)),
        has_cost=whole.has_cost,
        least_k=whole.least_k,
        part=part,
        tasks=whole.category_tasks,
    )
    name = suite.reference if len(suites) > 1 else ""
    ended = str(season.number) if season.ended_on else ""
    address = read_address(request.GET, name, columns, choices, season=ended)
    past_words = past.sentence if past else ""
    if address.part:
        places = load_places(suite, season, address.chosen, past)
        whole = read_by(whole, suite, address.chosen, address.part, places)
        if past and not places:
            past_words += " No ranks on these tasks alone are stored for that day."
    rows = arrange(whole, address, columns)
    is_older = past is not None and past.has_older_ranges
    facts = (suite, suites, seasons, season, address, columns, choices)
    return Asked(*facts, whole, rows, past_words, is_older)


def load_past(suite: Suite, season: Season, as_of: date | None) -> PastBoard | None:
    """The season's board as of a past day; None if none is asked for."""
    if as_of is None:
        return None
    from leaderboard.snapshots import past  # seldom asked for

    return past.load_past(suite, task_count_of(suite), season, as_of)


def load_places(
    suite: Suite, season: Season, chosen: Mapping[str, str], past: PastBoard | None = None
) -> dict[int, Standing]:
    """By run its kept place on the tasks of the chosen facet. At most one query."""
    from leaderboard.snapshots.facet_ranks import find_current, read_facet_ranks

    is_ended = bool(season.ended_on)
    kept = past.kept if past else find_current(suite, season.number, is_ended)
    return read_facet_ranks(kept, chosen)


def task_count_of(suite: Suite) -> int:
    return int(getattr(suite, "task_count", 0))


def arrange(whole: Board, address: Address, columns: list[Column]) -> Board:
    """The rows that the filters let through, in order. Baselines only hide altogether."""
    column, is_descending = choose_order(address, columns)
    if address.is_filtered or column.key == PART:
        return order(whole, address, column, is_descending)
    known = whole.orders
    key = column.key, is_descending, address.scripted
    if key not in known:
        known[key] = order(whole, address, column, is_descending)
    return known[key]


def order(whole: Board, address: Address, column: Column, is_descending: bool) -> Board:
    ranked = keep(whole.ranked, address)
    scripted = [] if address.scripted == "hide" else whole.scripted
    if address.runs:
        scripted = [row for row in scripted if row.run.pk in address.runs]
    return replace(
        whole,
        ranked=sort_rows(ranked, column, is_descending),
        scripted=sort_rows(scripted, column, is_descending),
        unranked=keep(whole.unranked, address),
        people=keep(whole.people, address),
    )


def keep(rows: list[BoardRow], address: Address) -> list[BoardRow]:
    return [row for row in rows if address.fits(row)] if address.is_filtered else rows


def head(asked: Asked, current: Column, is_descending: bool) -> list[Heading]:
    headings = []
    for column in asked.shown:
        is_current = column.key == current.key
        # A second click on the column turns the order round.
        turned = is_current and is_descending == column.is_descending
        query = asked.address.link(sort=f"{'-' if turned else ''}{column.key}")
        direction = ("descending" if is_descending else "ascending") if is_current else ""
        headings.append(Heading(column, f"?{query}", direction))
    return headings


def list_choices(asked: Asked) -> list[tuple[Choice, list[tuple[str, str, bool]]]]:
    """Each filter with its options: value, words, whether it is the one chosen."""
    chosen = asked.address.chosen
    return [
        (choice, [(v, words, chosen.get(choice.key) == v) for v, words in choice.options.items()])
        for choice in asked.choices
    ]


def count_part_tasks(asked: Asked) -> int:
    """Tasks of the part that the board is read by; 0 for all of it."""
    rows = asked.all_rows.ranked if asked.address.part else []
    return max((row.part.tasks for row in rows if row.part), default=0)


def list_readings(asked: Asked) -> list[tuple[str, int, str, bool]]:
    """The skills that the board can be read by, the chosen one first: words, tasks, query and if
    it is chosen."""
    chosen = asked.address.chosen
    others = {key: value for key, value in chosen.items() if key not in ("skill", "category")}

    def link(**skill: str) -> str:
        return asked.address.link(chosen={**others, **skill}, sort="")

    counts = asked.suite.facets.get("skill", {})
    every = ("all tasks", task_count_of(asked.suite), link(), "skill" not in chosen)
    skills = [
        (value.replace("-", " "), count, link(skill=value), chosen.get("skill") == value)
        for value, count in counts.items()
    ]
    return [every] * bool(counts) + sorted(skills, key=lambda skill: not skill[-1])


def list_column_choices(asked: Asked) -> list[tuple[Column, bool]]:
    return [(c, is_shown(asked.address, c)) for c in asked.columns if not c.is_fixed]
