"""List of what changed on the boards: a page, an Atom feed for readers, and JSON for programs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

from leaderboard.changes.tell import ToldChange, tell_changes
from leaderboard.models import PublicChange
from leaderboard.views.conditional import has_copy
from leaderboard.visitors.client_address import client_address
from leaderboard.visitors.page_limits import THIS_MACHINE, Allowance, too_many

ATOM_TYPE = "application/atom+xml; charset=utf-8"
PAGE_ROWS = 50
FEED_ROWS = 50

Make = Callable[[HttpRequest, Sequence[ToldChange]], HttpResponse]

# Feeds that one visitor can take at once and within ten minutes; no news costs a fiftieth.
FEEDS = Allowance(burst_s=20.0, refill_s=600.0)
NO_NEWS = 0.02


def changes(request: HttpRequest) -> HttpResponse:
    page = Paginator(PublicChange.objects.folded(), PAGE_ROWS).get_page(request.GET.get("page"))
    told = tell_changes(list(page.object_list))
    newest = told[0] if told and page.number == 1 else None
    context = {"page": page, "listed": told, "newest": newest}
    return render(request, "changes/changes.html", context)


def changes_json(request: HttpRequest) -> HttpResponseBase:
    """The newest changes, or with `?before=NUMBER` those before one."""
    before = request.GET.get("before", "")
    found = PublicChange.objects.folded()
    if before.isascii() and before.isdigit() and len(before) < 16:
        found = found.filter(pk__lt=int(before))
    return answer(request, found, make_json)


def feed(request: HttpRequest) -> HttpResponseBase:
    """The newest changes as Atom (RFC 4287)."""
    return answer(request, PublicChange.objects.folded(), make_feed)


def answer(request: HttpRequest, found: QuerySet[PublicChange], make: Make) -> HttpResponseBase:
    """Answer with the newest of `found`: 304 without news, 429 for who asks too often."""
    visitor = client_address(request.META)
    wait_s = 0.0 if visitor in THIS_MACHINE else FEEDS.wait_s(visitor)
    if wait_s:
        return too_many(request, wait_s)
    told = tell_changes(list(found[:FEED_ROWS]))
    shown = repr((request.build_absolute_uri("/"), told)).encode()
    headers = {
        "ETag": f'"{hashlib.sha256(shown).hexdigest()[:32]}"',
        "Cache-Control": "public, max-age=60",
    }
    if has_copy(request, headers["ETag"]):
        FEEDS.charge(visitor, NO_NEWS)
        return HttpResponseNotModified(headers=headers)
    FEEDS.charge(visitor, 1.0)
    response = make(request, told)
    for name, value in headers.items():
        response[name] = value
    return response


def make_json(request: HttpRequest, told: Sequence[ToldChange]) -> HttpResponse:
    more = told[-1].number if len(told) == FEED_ROWS else None
    return JsonResponse({"changes": [record(one) for one in told], "before": more})


def record(told: ToldChange) -> dict[str, Any]:
    return {
        "number": told.number,
        "at": told.at.isoformat(timespec="seconds"),
        "kind": told.kind,
        "suite": told.suite,
        "run": told.run,
        "address": told.url,
        "sentence": told.sentence,
        "reason": told.reason,
    }


def make_feed(request: HttpRequest, told: Sequence[ToldChange]) -> HttpResponse:
    page = request.build_absolute_uri(reverse("changes"))
    atom = Atom1Feed(
        title="PyBench: what changed",
        link=page,
        description="Rows added, withdrawn and re-scored; suites and prices changed.",
        language="en",
        author_name="PyBench",
        feed_url=request.build_absolute_uri(),
        feed_guid=page,
    )
    for one in told:
        here = f"{page}#change-{one.number}"
        atom.add_item(
            title=one.sentence,
            link=request.build_absolute_uri(one.url) if one.url else here,
            description=escape(one.sentence),  # which Django declares to be HTML
            unique_id=here,
            pubdate=one.at,
            updateddate=one.at,
            categories=[one.kind],
        )
    return HttpResponse(atom.writeString("utf-8"), content_type=ATOM_TYPE)
