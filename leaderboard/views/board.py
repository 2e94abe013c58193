"""The rank table of one suite version, and its twins for programs."""

from __future__ import annotations

import csv
from dataclasses import dataclass, replace

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header

from leaderboard.board import Board
from leaderboard.board_address import (
    Address,
    Choice,
    choices_of,
    choose_columns,
    choose_order,
    is_shown,
    read_address,
)
from leaderboard.board_columns import Column, columns_of, sort_rows
from leaderboard.board_lines import make_lines
from leaderboard.board_records import guard_formulas, list_records
from leaderboard.board_rows import choose_suite, list_suites, load_board
from leaderboard.models import Suite

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
    address: Address
    columns: list[Column]  # all there are
    choices: list[Choice]
    all_rows: Board  # of the suite
    rows: Board  # that the filters let through, in order

    @property
    def shown(self) -> list[Column]:
        return choose_columns(self.address, self.columns)


def board(request: HttpRequest) -> HttpResponse:
    asked = ask_board(request)
    if asked is None:
        return render(request, "board.html", {"suites": []})
    column, is_descending = choose_order(asked.address, asked.columns)
    is_by_rank = column.key == "rate" and is_descending
    page = Paginator(asked.rows.ranked, PAGE_ROWS).get_page(request.GET.get("page"))
    lines = make_lines(asked.rows.ranked, asked.shown, has_brackets=is_by_rank)
    is_first = page.number == 1
    context = {
        "suites": asked.suites,
        "suite": asked.suite,
        "task_count": task_count_of(asked.suite),
        "address": asked.address,
        "asked": asked,
        "headings": head(asked, column, is_descending),
        "page": page,
        "kept": asked.address.query,
        "lines": lines[page.start_index() - 1 : page.end_index()] if lines else [],
        "scripted": make_lines(asked.rows.scripted, asked.shown) if is_first else [],
        "unranked": make_lines(asked.rows.unranked, asked.shown) if is_first else [],
        "choices": list_choices(asked),
        "column_choices": list_column_choices(asked),
    }
    return render(request, "board.html", context)


def board_json(request: HttpRequest) -> JsonResponse:
    """What the board shows under the same address, for programs; all pages at once."""
    asked = require_board(request)
    suite = asked.suite
    facts = {"name": suite.name, "version": suite.version, "digest": suite.digest}
    answer = {"suite": facts, "rows": list_records(asked.rows), "notes": asked.address.notes}
    return JsonResponse(answer)


def board_csv(request: HttpRequest) -> HttpResponse:
    """The same as a table."""
    asked = require_board(request)
    records = guard_formulas(list_records(asked.rows))
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    name = f"{asked.suite.name}-{asked.suite.version}.csv"
    response["Content-Disposition"] = content_disposition_header(True, name)
    writer = csv.DictWriter(response, fieldnames=list(records[0]) if records else ["group"])
    writer.writeheader()
    writer.writerows(records)
    return response


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
    whole = load_board(suite, task_count_of(suite))
    has_paper = any(row.run.paper for row in (*whole.ranked, *whole.scripted, *whole.unranked))
    columns = columns_of(suite.categories, has_paper=has_paper)
    choices = choices_of(suite.categories)
    name = f"{suite.name}@{suite.version}" if len(suites) > 1 else ""
    address = read_address(request.GET, name, columns, choices)
    rows = arrange(whole, address, columns)
    return Asked(suite, suites, address, columns, choices, whole, rows)


def task_count_of(suite: Suite) -> int:
    return int(getattr(suite, "task_count", 0))


def arrange(whole: Board, address: Address, columns: list[Column]) -> Board:
    """The rows that the filters let through, in order. Baselines only hide altogether."""
    column, is_descending = choose_order(address, columns)
    ranked = [row for row in whole.ranked if address.fits(row)]
    scripted = [] if address.hides_scripted else whole.scripted
    return replace(
        whole,
        ranked=sort_rows(ranked, column, is_descending),
        scripted=sort_rows(scripted, column, is_descending),
        unranked=[row for row in whole.unranked if address.fits(row)],
    )


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


def list_column_choices(asked: Asked) -> list[tuple[Column, bool]]:
    return [(c, is_shown(asked.address, c)) for c in asked.columns if not c.is_fixed]
