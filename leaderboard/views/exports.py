"""Attempts and runs as files, in the formats that others read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header

from leaderboard.exporting import FORMATS, Format, raw_record
from leaderboard.models import Attempt, Run
from leaderboard.views.attempts import find_attempt

MAX_ATTEMPTS = 5000
CHUNK = 20  # attempts whose rows are read at once


def attempt_json(request: HttpRequest, run_id: int, key: str) -> JsonResponse:
    """The attempt as it is stored."""
    record = raw_record(find_attempt(request, run_id, key))
    return JsonResponse(record, json_dumps_params={"ensure_ascii": True, "indent": 1})


def attempt_file(request: HttpRequest, run_id: int, key: str, form: str) -> HttpResponseBase:
    chosen = find_format(form)
    attempt = find_attempt(request, run_id, key)
    name = f"run-{run_id}-{name_of(attempt)}.{chosen.suffix}"
    return as_file(HttpResponse(chosen.write(attempt)), chosen.mime, name)


def run_file(request: HttpRequest, run_id: int, form: str) -> HttpResponseBase:
    """Every attempt of the run that is over: lines of one file, or notebooks in an archive."""
    chosen = find_format(form)
    run = get_object_or_404(Run.objects.visible_to(request.user), pk=run_id)
    attempts = list_attempts(run)
    if chosen.suffix == "ipynb":
        stream = StreamingHttpResponse(zip_up(attempts, chosen))
        return as_file(stream, "application/zip", f"run-{run_id}-notebooks.zip")
    lines = StreamingHttpResponse(chosen.write(attempt) for attempt in attempts)
    return as_file(lines, chosen.mime, f"run-{run_id}.{chosen.suffix}")


def find_format(key: str) -> Format:
    found = next((form for form in FORMATS if form.key == key), None)
    if found is None:
        raise Http404(f"There is no format “{key}”.")
    return found


def list_attempts(run: Run) -> Iterator[Attempt]:
    chosen = run.attempts.filter(status="done").order_by("task__position", "number")
    return (
        chosen.select_related("run__entry", "run__suite", "task__suite")[:MAX_ATTEMPTS]
        .iterator(CHUNK)
    )  # fmt: skip


def name_of(attempt: Attempt) -> str:
    return attempt.task.key if attempt.number == 1 else f"{attempt.task.key}-{attempt.number}"


def as_file(response: HttpResponseBase, mime: str, name: str) -> HttpResponseBase:
    response["Content-Type"] = mime
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response["X-Content-Type-Options"] = "nosniff"
    return response


class Sink(io.RawIOBase):
    """A file that can only be written on; what was written is taken out piece by piece."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(data)  # type: ignore[call-overload]
        self.pieces.append(piece)
        return len(piece)

    def take(self) -> bytes:
        taken, self.pieces = b"".join(self.pieces), []
        return taken


def zip_up(attempts: Iterator[Attempt], form: Format) -> Iterator[bytes]:
    """An archive with one file for each attempt, made while it is sent."""
    sink = Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for attempt in attempts:
            archive.writestr(f"{name_of(attempt)}.{form.suffix}", form.write(attempt))
            yield sink.take()
    yield sink.take()
