"""Attempts and runs as files, in the formats that others read."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from itertools import accumulate, chain, takewhile
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models.functions import Substr
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header

from leaderboard.models import (
    FRAME_HEAD_BYTES,
    Attempt,
    Run,
    unpack,
    unpack_bytes,
    unpacked_size,
)
from leaderboard.replay.notes import record_notes, visible_notes
from leaderboard.storage.pieces import Pieces
from leaderboard.trajectories.export import FORMATS, Format, raw_record
from leaderboard.views.access import find_attempt, read_number

MAX_ATTEMPTS = 5000
MAX_REQUEST_BYTES = 4 << 20  # unpacked of the steps before one, whose messages were sent
LONG_BYTES = 1 << 20  # unpacked, of an attempt


def attempt_json(request: HttpRequest, run_id: int, key: str) -> HttpResponseBase:
    """The attempt as it is stored."""
    attempt = find_attempt(request, run_id, key)

    def make() -> bytes:
        record = raw_record(attempt) | {"notes": notes_for(request, attempt)}
        return json.dumps(record, cls=DjangoJSONEncoder, indent=1).encode()

    response = make_soon(is_long(attempt), make)
    response["Content-Type"] = "application/json"
    return response


def step_json(request: HttpRequest, run_id: int, key: str, index: int) -> HttpResponseBase:
    """All that is stored of one step: the messages that were sent, the raw reply, what came of it.

    Of a step whose messages are too many to be sent again, the last of them.
    """
    attempt = find_attempt(request, run_id, key)
    of_try = attempt.steps.filter(try_number=read_number(request, "try", attempt.counted_try))
    step = of_try.filter(index=index).first()
    if step is None:
        raise Http404(f"This try has no step {index}.")
    opening = unpack(attempt.opening).get("messages") or []
    before: list[object] = []
    earlier, left_out = (
        of_try.filter(index__lt=index).order_by("-index").load_within(MAX_REQUEST_BYTES)
    )
    for one in takewhile(lambda one: one.pk not in left_out, earlier):
        before = [*(unpack(one.body).get("messages") or []), *before]
    sent = {"request": [*opening, *before], "request_is_whole": not left_out}

    def make() -> bytes:
        """The record is not read, which would take several times its size in memory."""
        return json.dumps(sent).encode()[:-1] + b", " + unpack_bytes(step.body)[1:]

    response = make_soon(unpacked_size(step.body) > LONG_BYTES, make)
    response["Content-Type"] = "application/json"
    return response


def attempt_file(request: HttpRequest, run_id: int, key: str, form: str) -> HttpResponseBase:
    chosen = find_format(form)
    attempt = find_attempt(request, run_id, key)
    name = f"run-{run_id}-{name_of(attempt)}.{chosen.suffix}"

    def make() -> bytes:
        return write(request, attempt, chosen)

    return as_file(make_soon(is_long(attempt), make), chosen.mime, name)


def run_file(request: HttpRequest, run_id: int, form: str) -> HttpResponseBase:
    """Every attempt of the run that is over: lines of one file, or documents in an archive."""
    chosen = find_format(form)
    run = get_object_or_404(Run.objects.visible_to(request.user), pk=run_id)
    attempts = list_attempts(run)
    if not chosen.has_lines:
        stream = StreamingHttpResponse(zip_up(request, attempts, chosen))
        return as_file(stream, "application/zip", f"run-{run_id}-{chosen.key}.zip")
    lines = StreamingHttpResponse(write(request, one, chosen) for one in attempts)
    return as_file(lines, chosen.mime, f"run-{run_id}.{chosen.suffix}")


def make_soon(is_long: bool, make: Callable[[], bytes]) -> HttpResponseBase:
    """What is made of stored rows; of long ones when it is its turn, so that no page waits."""
    if not is_long:
        return HttpResponse(make())
    return StreamingHttpResponse(make() for _ in range(1))


def is_long(attempt: Attempt) -> bool:
    rows = attempt.steps.annotate(head=Substr("body", 1, FRAME_HEAD_BYTES))
    heads: Iterator[Any] = rows.values_list("head", flat=True).iterator()
    sizes = accumulate(map(unpacked_size, chain([attempt.opening], heads)))
    return any(size > LONG_BYTES for size in sizes)


def find_format(key: str) -> Format:
    found = next((form for form in FORMATS if form.key == key), None)
    if found is None:
        raise Http404(f"There is no format “{key}”.")
    return found


def list_attempts(run: Run) -> Iterator[Attempt]:
    done = run.attempts.filter(status="done").order_by("task__position", "number")
    rows = done.select_related("run__entry", "run__suite", "task__suite")
    return rows[:MAX_ATTEMPTS].iterator(1)  # each may be large


def name_of(attempt: Attempt) -> str:
    return attempt.task.key if attempt.number == 1 else f"{attempt.task.key}-{attempt.number}"


def as_file(response: HttpResponseBase, mime: str, name: str) -> HttpResponseBase:
    response["Content-Type"] = mime
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response["X-Content-Type-Options"] = "nosniff"
    return response


def write(request: HttpRequest, attempt: Attempt, form: Format) -> bytes:
    return form.write(attempt, notes_for(request, attempt))


def notes_for(request: HttpRequest, attempt: Attempt) -> list[dict[str, Any]]:
    """Notes on the attempt that who asks may see; no query for visitors."""
    return record_notes(visible_notes(attempt, request.user))


def zip_up(request: HttpRequest, attempts: Iterator[Attempt], form: Format) -> Iterator[bytes]:
    """An archive with one file for each attempt, made while it is sent."""
    sink = Pieces()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for attempt in attempts:
            archive.writestr(f"{name_of(attempt)}.{form.suffix}", write(request, attempt, form))
            yield sink.take()
    yield sink.take()
