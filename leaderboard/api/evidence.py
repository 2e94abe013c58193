"""Evidence for a run: the archive that `pybench verify --private` fetches."""

from __future__ import annotations

from typing import Any

from django.http import Http404, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from leaderboard.api.base import Api
from leaderboard.evidence.bundle import write_bundle
from leaderboard.evidence.manifests import read_manifest
from leaderboard.models import Run

ZIP = "application/zip"


class BundleOfRun(Api):
    """A run's evidence."""

    @extend_schema(
        tags=["Runs"],
        operation_id="runs_bundle",
        responses={(200, ZIP): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, run_id: int) -> HttpResponseBase:
        """The signed manifest of a public run or one of yours, with every file that it names."""
        run = find_run(request.user, run_id)
        signed = read_manifest(run)
        if signed is None:
            raise Http404
        stream = StreamingHttpResponse(write_bundle(run, signed), content_type=ZIP)
        stream["Content-Disposition"] = f'attachment; filename="run-{run.pk}-evidence.zip"'
        return stream


def find_run(user: Any, run_id: int) -> Run:
    """The run if the caller may read it. Http404."""
    runs = Run.objects.visible_to(user).select_related("entry", "suite")
    run: Run = get_object_or_404(runs, pk=run_id)
    return run
