"""Dated snapshots of the boards: their list, and the files of each."""

from __future__ import annotations

from datetime import date
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from leaderboard.models import BoardSnapshot
from leaderboard.rendering.csv_response import CSV_TYPE
from leaderboard.snapshots.serve import (
    FILES,
    read_rows,
    write_file,
    write_manifest,
    write_statement,
)

PAGE_ROWS = 50
MANIFEST = "manifest.json"
STATEMENT = "statement.json"  # signed
JSON_TYPE = "application/json; charset=utf-8"


def snapshots(request: HttpRequest) -> HttpResponse:
    kept = BoardSnapshot.objects.filter(rows__gt=0).select_related("suite").defer("body")
    page = Paginator(kept, PAGE_ROWS).get_page(request.GET.get("page"))
    return render(request, "changes/snapshots.html", {"page": page})


def snapshot(request: HttpRequest, suite: str, season: int, day: str) -> HttpResponse:
    """Redirect the address that a manifest cites to the board of that day."""
    found = find(suite, season, day)
    asked = {"suite": suite, "season": season, "as_of": found.day.isoformat()}
    return redirect(f"{reverse('board')}?{urlencode(asked, safe='@')}")


def snapshot_file(
    request: HttpRequest, suite: str, season: int, day: str, name: str
) -> HttpResponse:
    """A file of the snapshot of `suite` (name@version) on `day`; 404 for a day without one."""
    rows = read_rows(find(suite, season, day))
    if name == MANIFEST:
        folder = reverse("snapshot-file", args=[suite, season, day, MANIFEST])
        address = request.build_absolute_uri(folder.removesuffix(MANIFEST))
        content = write_manifest(rows, address)
    elif name == STATEMENT:
        content = write_statement(rows)
    elif name in FILES:
        content = write_file(rows, name)
    else:
        raise Http404(f"A snapshot has no file “{name[:40]}”.")
    content_type = CSV_TYPE if name.endswith(".csv") else JSON_TYPE
    return HttpResponse(content, content_type=content_type)


def find(suite: str, season: int, day: str) -> BoardSnapshot:
    name, _, version = suite.partition("@")
    try:
        on = date.fromisoformat(day)
    except ValueError as error:
        raise Http404(f"“{day[:20]}” is not a date such as 2026-01-31.") from error
    kept = BoardSnapshot.objects.select_related("suite")
    found: BoardSnapshot = get_object_or_404(
        kept, suite__name=name, suite__version=version, season=season, day=on
    )
    return found
