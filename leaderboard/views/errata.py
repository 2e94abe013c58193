"""Errata: the list, and one of them with what was judged again."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from leaderboard.errata.tell import MAX_RUNS, list_corrected, measure_progress, visible_results
from leaderboard.models import Dispute, Erratum, unpack
from leaderboard.snapshots.serve import read_kept

PAGE_ROWS = 50
BOARD_ROWS = 100


@require_safe
def errata(request: HttpRequest) -> HttpResponse:
    counted = Erratum.objects.select_related("suite").annotate(
        total=Count("rejudgements"),
        due=Count("rejudgements", Q(rejudgements__state="due")),
    )
    page = Paginator(counted.order_by("-pk"), PAGE_ROWS).get_page(request.GET.get("page"))
    return render(request, "errata/errata.html", {"page": page})


@require_safe
def erratum(request: HttpRequest, erratum_id: int) -> HttpResponse:
    found = find(erratum_id)
    dispute = Dispute.objects.visible_to(request.user).filter(rulings__errata=found).first()
    results = visible_results(found, request.user)
    runs = list_corrected(found)
    context = {
        "erratum": found,
        "dispute": dispute,
        "progress": measure_progress(found),
        "runs": runs[:MAX_RUNS],
        "more_runs": len(runs[MAX_RUNS:]),
        "page": Paginator(results, PAGE_ROWS).get_page(request.GET.get("page")),
    }
    return render(request, "errata/erratum.html", context)


@require_safe
def old_board(request: HttpRequest, erratum_id: int) -> HttpResponse:
    """The same board as a page."""
    found = find(erratum_id)
    stored = bytes(found.board_before)
    rows = read_kept(stored)
    context = {
        "erratum": found,
        "page": Paginator(rows, BOARD_ROWS).get_page(request.GET.get("page")),
        "left": len(unpack(stored) or ()) - len(rows),
    }
    return render(request, "errata/old_board.html", context)


@require_safe
def board_before(request: HttpRequest, erratum_id: int) -> HttpResponse:
    """The board as it was before the erratum, of runs that everybody can still read."""
    found = find(erratum_id)
    rows = read_kept(bytes(found.board_before))
    moment = found.began_at.isoformat(timespec="seconds")
    facts = {"erratum": found.pk, "suite": found.suite.reference, "at": moment}
    return JsonResponse({**facts, "digest": found.digest_before, "rows": rows})


def find(erratum_id: int) -> Erratum:
    found: Erratum = get_object_or_404(Erratum.objects.select_related("suite"), pk=erratum_id)
    return found
