"""Evidence for a run: its signed manifest, the bundle of its files, and the site's keys."""

from __future__ import annotations

from typing import Any

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    JsonResponse,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render

from leaderboard.evidence.bundle import write_bundle
from leaderboard.evidence.keys import list_keys, record_keys
from leaderboard.evidence.manifests import read_manifest
from leaderboard.models import Run


def manifest(request: HttpRequest, run_id: int) -> JsonResponse:
    """The run's in-toto statement in a signed envelope; 404 until it is over and sealed."""
    return JsonResponse(find_manifest(request, run_id)[1])


def bundle(request: HttpRequest, run_id: int) -> HttpResponseBase:
    run, signed = find_manifest(request, run_id)
    stream = StreamingHttpResponse(write_bundle(run, signed), content_type="application/zip")
    stream["Content-Disposition"] = f'attachment; filename="run-{run.pk}-evidence.zip"'
    return stream


def find_manifest(request: HttpRequest, run_id: int) -> tuple[Run, dict[str, Any]]:
    runs = Run.objects.visible_to(request.user).select_related("entry", "suite")
    run: Run = get_object_or_404(runs, pk=run_id)
    found = read_manifest(run)
    if found is None:
        raise Http404("This run has no manifest: it is not over, or was sealed a moment ago.")
    return run, found


def keys_json(request: HttpRequest) -> JsonResponse:
    response = JsonResponse(record_keys())
    response["Cache-Control"] = "public, max-age=300"
    return response


def keys(request: HttpRequest) -> HttpResponse:
    return render(request, "method/keys.html", {"keys": list_keys()})
