"""The public ledger: a page of its entries, and the whole of it as lines of JSON."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from leaderboard.ledger.kinds import KINDS
from leaderboard.ledger.public_entries import (
    count_waiting,
    list_lines,
    read_page,
)
from leaderboard.ledger.tell import tell_entry
from leaderboard.views.access import read_number

LINES_TYPE = "application/jsonl; charset=utf-8"


def ledger(request: HttpRequest) -> HttpResponse:
    """The newest entries, or with `?before=NUMBER` those before one; `?kind=` keeps one kind."""
    kind = request.GET.get("kind", "")
    kind = kind if kind in KINDS else ""
    page = read_page(kind, read_number(request, "before", 0))
    told = [tell_entry(one) for one in page.entries]
    context: dict[str, Any] = {
        "kinds": KINDS,
        "kind": kind,
        "page": page,
        "entries": told,
        "waiting": count_waiting(),
        "is_newest": "before" not in request.GET,
    }
    return render(request, "changes/ledger.html", context)


def ledger_lines(request: HttpRequest) -> HttpResponseBase:
    """Every entry after `?after=NUMBER`, from the first on by default, a line of JSON each."""
    lines = list_lines(read_number(request, "after", 0))
    stream = StreamingHttpResponse(lines, content_type=LINES_TYPE)
    stream["Content-Disposition"] = 'attachment; filename="ledger.jsonl"'
    return stream
