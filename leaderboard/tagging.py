"""Concludes an attempt that is over: its failure tags, and the text that it is found by."""

from __future__ import annotations

import csv
import io
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from PIL import Image, UnidentifiedImageError

from leaderboard.failures import TAGS_VERSION, AttemptFacts, FileFacts, tags_of
from leaderboard.models import (
    Artifact,
    Attempt,
    AttemptText,
    Blob,
    FailureTag,
    Run,
    Step,
    Verdict,
    unpack,
)
from leaderboard.querysets import OPEN
from leaderboard.recording import clean
from leaderboard.rendering.previews import decode
from leaderboard.stored import read_head
from runner.contract import Outcome, Status

log = logging.getLogger(__name__)

TEXT_CHARS = 64_000  # kept of one attempt for searching
PART_CHARS = 8_000  # of one code, output or answer: its head and its end
MAX_STEPS = 200
LATELY = timedelta(hours=1)
MISSED_AT_ONCE = 100
MAX_ARTIFACTS = 500
MAX_PIXELS = 4_000_000  # of a picture that is looked at for being blank
MAX_TABLE_BYTES = 64 * 1024
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)")


def conclude(attempt_id: int) -> None:
    """Write the tags and the text of an attempt; nothing while it is open."""
    attempt = Attempt.objects.select_related("task").get(pk=attempt_id)
    if attempt.status != Status.DONE:
        return
    steps = last_steps(attempt)
    tags = tags_of(facts_of(attempt, steps))
    text = text_of(attempt, steps)
    with transaction.atomic():
        # One writer at a time; and whoever keeps something of the run sees that it changed.
        Run.objects.filter(pk=attempt.run_id).update(sequence=F("sequence") + 1)
        attempt.tags.all().delete()
        FailureTag.objects.bulk_create(
            FailureTag(attempt=attempt, tag=tag, position=position, version=str(TAGS_VERSION))
            for position, tag in enumerate(tags)
        )
        AttemptText.objects.update_or_create(attempt=attempt, defaults={"body": text})


def conclude_safely(attempt_id: int) -> bool:
    """The same at the edge of the queue: a tag that fails never costs a result. True when done."""
    try:
        conclude(attempt_id)
    except Exception:
        log.exception("attempt=%s could not be tagged", attempt_id)
        return False
    return True


def conclude_missed() -> int:
    """Tag what ended without its worker's last word: given up, taken back, or interrupted.

    Only runs that are open or ended a short while ago are looked at; `manage.py retag` does all.
    """
    lately = Q(run__status__in=OPEN) | Q(run__finished_at__gt=timezone.now() - LATELY)
    missed = Attempt.objects.filter(lately, status=Status.DONE, text=None).order_by("pk")
    ids = list(missed.values_list("pk", flat=True)[:MISSED_AT_ONCE])
    done = [pk for pk in ids if conclude_safely(pk)]
    for pk in set(ids) - set(done):  # an empty text, so that it is not tried for ever
        AttemptText.objects.get_or_create(attempt_id=pk)
    return len(done)


def last_steps(attempt: Attempt) -> list[dict[str, Any]]:
    """The steps of the try that counts, as runner.contract.Step's dicts."""
    rows = Step.objects.filter(attempt=attempt, try_number=max(1, attempt.tries))
    return [unpack(row.body) for row in rows.order_by("index")[:MAX_STEPS]]


def facts_of(attempt: Attempt, steps: Sequence[dict[str, Any]]) -> AttemptFacts:
    """What the tags are told from, out of the attempt's rows."""
    opening, closing = unpack(attempt.opening), unpack(attempt.closing)
    artifacts = list(
        attempt.artifacts.filter(try_number=max(1, attempt.tries)).select_related("blob")[
            :MAX_ARTIFACTS
        ]
    )
    verdict = (
        Verdict.objects.filter(attempt=attempt, kind="strict").order_by("-pk").first()
        if attempt.passed is not None
        else None
    )
    was_checked = verdict is not None
    return AttemptFacts(
        # A recording that breaks off has no outcome: none of the tags that need one applies.
        outcome=attempt.outcome or Outcome.FINISHED,
        steps=steps,
        passed=attempt.passed,
        answer=closing.get("answer"),
        query=str(opening.get("query") or attempt.task.query),
        assertions=unpack(verdict.body) or () if verdict else (),
        inputs=tuple(attempt.task.inputs),
        given=given_files(artifacts) if opening and was_checked else None,
        expected=tuple(attempt.task.outputs),
        files=left_files(artifacts, attempt) if was_checked else None,
    )


def given_files(artifacts: Iterable[Artifact]) -> dict[str, str]:
    inputs = (a for a in artifacts if a.role == Artifact.Role.INPUT)
    return {a.path: a.blob_id or "" for a in inputs}


def left_files(artifacts: Iterable[Artifact], attempt: Attempt) -> list[FileFacts]:
    """The files of the finished output folder; the expected ones are looked at for content."""
    expected = set(attempt.task.outputs)
    return [
        FileFacts(
            a.path,
            a.blob.size_bytes,
            a.blob.sha256,
            is_placeholder(a.blob) if a.path in expected and attempt.passed is False else None,
        )
        for a in artifacts
        if a.role == Artifact.Role.OUTPUT and a.blob
    ]


def is_placeholder(blob: Blob) -> bool | None:
    """Whether a file is a picture of one colour or a table of one value; None when unknown."""
    if blob.mime.startswith("image/") and blob.width and blob.height:
        return is_blank(blob) if blob.width * blob.height <= MAX_PIXELS else None
    if blob.mime in ("text/csv", "text/tab-separated-values"):
        return is_constant(blob)
    return None


def is_blank(blob: Blob) -> bool | None:
    try:
        with default_storage.open(blob.storage_name) as file, Image.open(file) as image:
            extremes: Any = image.convert("RGBA").getextrema()
    except (FileNotFoundError, UnidentifiedImageError, OSError, ValueError, SyntaxError):
        return None
    return all(low == high for low, high in extremes)


def is_constant(blob: Blob) -> bool | None:
    """Below its heading, a table whose several cells all hold the same."""
    text = decode(read_head(blob, MAX_TABLE_BYTES)) if blob.size_bytes <= MAX_TABLE_BYTES else None
    if text is None:
        return None
    delimiter = "," if blob.mime == "text/csv" else "\t"
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))[1:]
    except csv.Error:
        return None
    cells = [cell.strip() for row in rows for cell in row]
    return len(cells) > 1 and len(set(cells)) == 1


def text_of(attempt: Attempt, steps: Iterable[dict[str, Any]]) -> str:
    """What the attempt is found by: code, what cells showed, the answer; bounded."""
    kept: list[str] = []
    left = TEXT_CHARS
    for part in parts_of(attempt, steps):
        text = clean(ends_of(ESCAPES.sub("", part)), left)
        kept.append(text)
        left -= len(text) + 1
        if left <= 0:
            break
    return "\n".join(kept)


def parts_of(attempt: Attempt, steps: Iterable[dict[str, Any]]) -> Iterator[str]:
    yield str(unpack(attempt.closing).get("answer") or "")
    for step in steps:
        yield str(step.get("code") or step.get("reply") or "")
        for output in step.get("outputs") or ():
            name, value = output.get("error_name"), output.get("error_value")
            if name:
                yield f"{name}: {value}"
            yield str(output.get("text") or "")


def ends_of(text: str) -> str:
    half = PART_CHARS // 2
    return text if len(text) <= PART_CHARS else f"{text[:half]}\n…\n{text[-half:]}"
