"""Badge and citation of a public run, and a board as a picture, for other sites to show."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header

from leaderboard.board.charts import choose_drawn
from leaderboard.board.rows import BoardRow
from leaderboard.sharing.badge import draw_badge
from leaderboard.sharing.bibtex import cite
from leaderboard.sharing.every_eval_ever import write_record
from leaderboard.sharing.hub_results import write_hub_results
from leaderboard.sharing.public_rows import load_public
from leaderboard.sharing.rates_svg import draw_rates
from leaderboard.suites.seasons import find_season
from leaderboard.views.board import require_board

SVG_TYPE = "image/svg+xml; charset=utf-8"
YAML_TYPE = "application/yaml; charset=utf-8"
BIBTEX_TYPE = "application/x-bibtex; charset=utf-8"


def badge(request: HttpRequest, run_id: int) -> HttpResponse:
    return send(draw_badge(load_public(run_id)), SVG_TYPE)


def citation(request: HttpRequest, run_id: int) -> HttpResponse:
    """BibTeX of the run, its row and the paper."""
    return send(cite_here(request, load_public(run_id)), BIBTEX_TYPE)


def every_eval_ever(request: HttpRequest, run_id: int) -> JsonResponse:
    """The run's results in the schema of Every Eval Ever."""
    row = load_of_model(run_id)
    run_url = request.build_absolute_uri(row.run.get_absolute_url())
    suite_url = request.build_absolute_uri(reverse("tasks", args=[row.run.suite.name]))
    return JsonResponse(write_record(row, run_url, suite_url))


def hub_results(request: HttpRequest, run_id: int) -> HttpResponse:
    """The run's results for the folder `.eval_results` of the model's repository on the Hub."""
    row = load_of_model(run_id)
    suite = row.run.suite
    run_url = request.build_absolute_uri(row.run.get_absolute_url())
    text = write_hub_results(row, run_url, settings.HUB_DATASETS.get(suite.name, ""))
    response = send(text, YAML_TYPE)
    name = f"pybench-{suite.name}.yaml"
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response


def load_of_model(run_id: int) -> BoardRow:
    """The row of a public run; 404 for one that a person played, of which no model has results."""
    row = load_public(run_id)
    if row.run.entry.is_human:
        raise Http404("A person played this run.")
    return row


def cite_here(request: HttpRequest, row: BoardRow) -> str:
    """BibTeX whose row leads to its season's board as of today."""
    suite, today = row.run.suite, timezone.now().date()
    season = find_season(suite, row.run.seed)
    number = season.number if season else ""
    board = f"suite={suite.reference}&season={number}&as_of={today}"
    return cite(
        row,
        request.build_absolute_uri(row.run.get_absolute_url()),
        request.build_absolute_uri(f"{reverse('board')}?{board}"),
        today,
    )


def rates(request: HttpRequest) -> HttpResponse:
    """The board that the address asks for, as a picture that other pages can show."""
    asked = require_board(request)
    whole = asked.address.link(suite=asked.suite.reference, sort="", columns=())
    address = request.build_absolute_uri(f"{reverse('board')}?{whole}")
    rows = choose_drawn(asked.rows)
    return send(draw_rates(rows, asked.name, asked.day, address), SVG_TYPE)


def send(text: str, content_type: str) -> HttpResponse:
    """The text, which pages of other sites can show too."""
    headers = {
        "Cache-Control": "public, max-age=300",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return HttpResponse(text, content_type=content_type, headers=headers)
