"""The board's charts: the page of all of them, and each one's figure and numbers."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import content_disposition_header

from leaderboard.board import BoardRow
from leaderboard.board_charts import DRAWINGS, choose_drawn, say_drawn
from leaderboard.models import Suite
from leaderboard.plots.chart import Chart
from leaderboard.views.board import Asked, require_board
from leaderboard.views.caching import has_copy


@dataclass(frozen=True)
class Placed:
    """A chart and the addresses of its twins."""

    chart: Chart
    json: str
    csv: str


def charts(request: HttpRequest) -> HttpResponse:
    """Every chart of the runs that the board lists under the same address."""
    return render(request, "charts.html", describe_charts(request))


def chart_list(request: HttpRequest) -> HttpResponse:
    """The same without the page around it: what the board takes in when it is scrolled to."""
    return render(request, "charts/_charts.html", describe_charts(request))


def chart_json(request: HttpRequest, key: str) -> HttpResponse:
    """A chart's figure and the rows of its table; 304 to who has them."""
    content = json.dumps(draw_one(request, key).as_json(), separators=(",", ":")).encode()
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if has_copy(request, tag):
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(content, content_type="application/json", headers=headers)


def chart_csv(request: HttpRequest, key: str) -> HttpResponse:
    response = HttpResponse(draw_one(request, key).as_csv(), "text/csv; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{key}.csv")
    return response


def describe_charts(request: HttpRequest) -> dict[str, object]:
    """Nine queries."""
    asked = require_board(request)
    rows = choose_drawn(asked.rows)
    return {
        "suite": asked.suite,
        "address": asked.address,
        "sentence": say_drawn(asked.rows, rows),
        "charts": [place(asked, key, rows) for key in DRAWINGS],
    }


def place(asked: Asked, key: str, rows: list[BoardRow]) -> Placed:
    query = data_query(asked)
    return Placed(
        DRAWINGS[key](rows, asked.suite),
        f"{reverse('chart-json', args=[key])}?{query}",
        f"{reverse('chart-csv', args=[key])}?{query}",
    )


def data_query(asked: Asked) -> str:
    """What chooses the runs of a chart: always with the suite, never with order or columns."""
    suite: Suite = asked.suite
    chosen = {key: value for key, value in asked.address.chosen.items() if key != "category"}
    return asked.address.link(
        suite=f"{suite.name}@{suite.version}", chosen=chosen, sort="", columns=()
    )


def draw_one(request: HttpRequest, key: str) -> Chart:
    if key not in DRAWINGS:
        raise Http404(f"There is no chart “{key}”.")
    asked = require_board(request)
    return DRAWINGS[key](choose_drawn(asked.rows), asked.suite)
