"""The board's charts: the page of all of them, and each one's figure and numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.safestring import mark_safe

from leaderboard.board.charts import DRAWINGS, RENAMED, choose_drawn, draw, say_drawn, stamp_of
from leaderboard.board.filters import READINGS
from leaderboard.charts.chart import Chart
from leaderboard.charts.template import template_json
from leaderboard.models import Suite
from leaderboard.process_cache import Shelf
from leaderboard.rendering.csv_response import CSV_TYPE
from leaderboard.views.board import Asked, require_board


@dataclass(frozen=True)
class Placed:
    """A chart, the addresses of its twins, and what an exported picture says of it."""

    chart: Chart
    json: str
    csv: str
    about: str  # suite, tasks and runs
    address: str  # where it stands


# Each answer is made once for all who ask, until one of the runs that it draws has changed.
WRITTEN: Shelf[bytes] = Shelf(size=100, measure=len, most=8_000_000)


def charts(request: HttpRequest) -> HttpResponse:
    """Every chart of the runs that the board lists under the same address."""
    asked = require_board(request)
    drawn = mark_safe(write_list(asked).decode())  # a template's own answer
    context = {"suite": asked.suite, "address": asked.address, "drawn": drawn}
    return render(request, "charts/charts.html", context)


def chart_list(request: HttpRequest) -> HttpResponse:
    """The same without the page around it: what the board takes in when it is scrolled to."""
    return HttpResponse(write_list(require_board(request)))


def chart_json(request: HttpRequest, key: str) -> HttpResponse:
    """A chart's figure and the rows of its table."""
    written = write_one(request, key, "json", encode_json)
    return HttpResponse(written, content_type="application/json")


def chart_csv(request: HttpRequest, key: str) -> HttpResponse:
    written = write_one(request, key, "csv", lambda chart: chart.as_csv().encode())
    response = HttpResponse(written, content_type=CSV_TYPE)
    response["Content-Disposition"] = content_disposition_header(True, f"{key}.csv")
    return response


def write(key: tuple[object, ...], make: Callable[[], bytes]) -> bytes:
    """Return what `make` writes, or wrote for the same `key`, which names all that it is written
    from."""
    return WRITTEN.get(key, make, lambda known: True)


def write_list(asked: Asked) -> bytes:
    """Three queries beyond the board's where it is not on the shelf."""
    rows = choose_drawn(asked.rows, with_baselines=asked.address.draws_baselines)
    query = data_query(asked)
    sentence = say_drawn(asked.rows, rows)

    def make() -> bytes:
        suite = asked.suite
        tasks = max((row.tasks for row in rows), default=0)
        about = f"{asked.name}, n {tasks}. {sentence}"
        placed = [place(key, draw(key, rows, suite), query, about) for key in DRAWINGS]
        context = {
            "past": asked.past,
            "day": asked.address.as_of,
            "sentence": sentence,
            "baselines": sum(row.is_rated for row in asked.rows.scripted),
            "scripted": asked.address.scripted,
            "draws_baselines": asked.address.draws_baselines,
            "toggled": data_query(asked, scripted="" if asked.address.scripted else "show"),
            "is_filtered": asked.address.is_filtered,
            "unfiltered": data_query(asked, since=None, text="", runs=()),
            "charts": placed,
            "is_empty": all(each.chart.is_empty for each in placed),
            "template": template_json(),
        }
        return render_to_string("charts/_charts.html", context).encode()

    words = (asked.past, asked.name, sentence)
    return write(("list", *words, query, *stamp_of(asked.suite, asked.rows, rows)), make)


def write_one(request: HttpRequest, key: str, kind: str, encode: Callable[[Chart], bytes]) -> bytes:
    key = RENAMED.get(key, key)
    if key not in DRAWINGS:
        raise Http404(f"There is no chart “{key}”.")
    asked = require_board(request)
    rows = choose_drawn(asked.rows, with_baselines=asked.address.draws_baselines)
    stamp = stamp_of(asked.suite, asked.rows, rows)
    return write((kind, key, *stamp), lambda: encode(draw(key, rows, asked.suite)))


def encode_json(chart: Chart) -> bytes:
    return json.dumps(chart.as_json(), separators=(",", ":")).encode()


def place(key: str, chart: Chart, query: str, about: str) -> Placed:
    return Placed(
        chart,
        f"{reverse('chart-json', args=[key])}?{query}",
        f"{reverse('chart-csv', args=[key])}?{query}",
        about,
        f"{reverse('charts')}?{query}#chart-{key}",
    )


WHOLE = ("category", *READINGS)  # choices of columns: charts draw whole runs


def data_query(asked: Asked, **changes: object) -> str:
    """Query that chooses the runs of a chart: always with the suite, never with order or
    columns."""
    suite: Suite = asked.suite
    chosen = {key: value for key, value in asked.address.chosen.items() if key not in WHOLE}
    kept = {"suite": suite.reference, "chosen": chosen, "sort": "", "columns": ()}
    return asked.address.link(**kept, **changes)
