"""Concludes an attempt that is over: its failure tags, and the text that it is found by."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F, Q
from PIL import Image, UnidentifiedImageError

from leaderboard.failures.conclusion import conclusion_of
from leaderboard.failures.facts import FAILED_STATUSES
from leaderboard.failures.tags import TAGS_VERSION, AttemptFacts, FileFacts
from leaderboard.models import (
    Artifact,
    Attempt,
    AttemptText,
    Blob,
    FailureTag,
    Run,
    Verdict,
    clean,
    unpack,
)
from leaderboard.models.querysets import BEING_STORED, OPEN
from leaderboard.models.statements import insert, read
from leaderboard.queue import clock
from leaderboard.rendering.kinds import OPENED_IN_SANDBOX, suffix_of
from leaderboard.reviews.published_solutions import published_grams
from leaderboard.reviews.resemblance import Grams
from leaderboard.storage.blobs import read_head
from runner.contract import Outcome, Status
from runner.previews.texts import decode, read_records
from runner.reading.readers import UnreadableText, readers

log = logging.getLogger(__name__)

CPU_S = 0.5  # for the conclusion of one attempt; the most expensive known one takes 0.1 s
LET_REST_S = 60.0  # a run with an attempt that took longer: its others are left to the sweep
SWEPT_S = 10.0  # for all that one sweep concludes
LATELY = timedelta(hours=1)
LATEST_RUNS = 5_000  # looked at in one sweep: more than are open or end within the hour
MISSED_AT_ONCE = 100
MAX_ARTIFACTS = 500
MAX_PIXELS = 4_000_000  # of a picture that is looked at for being blank
MAX_TABLE_BYTES = 64 * 1024
LISTED_BYTES = 1_500  # of the names of an attempt's exceptions: an index takes no longer rows


@dataclass(frozen=True)
class Conclusion:
    """Conclusions on an attempt that is over."""

    tags: Sequence[str]
    text: str
    resemblance: float | None = None  # of its code to a published solution
    has_previews: bool = False  # of files that it left: workers are to make them
    first_failed_step: int | None = None
    exceptions: Sequence[str] = ()  # names, each once

    @property
    def columns(self) -> dict[str, Any]:
        """What the attempt's row says of it."""
        return {
            "resemblance": self.resemblance,
            "first_failed_step": self.first_failed_step,
            "tag_list": list_within(self.tags),
            "error_list": list_within(self.exceptions),
        }


def list_within(names: Iterable[str]) -> str:
    """Each of the names once between line breaks, as far as `LISTED_BYTES` reach; "" for none."""
    listed, left = [""], LISTED_BYTES
    for name in sorted({name.replace("\n", " ") for name in names}):
        left -= len(name.encode()) + 1
        if left > 0:
            listed.append(name)
    return "\n".join([*listed, ""]) if len(listed) > 1 else ""


def conclude(attempt_id: int) -> None:
    """Write the tags and the text of an attempt; nothing while it is open."""
    attempt = Attempt.objects.select_related("task").get(pk=attempt_id)
    if attempt.status != Status.DONE:
        return
    steps = attempt.steps_that_count()
    verdict = (
        Verdict.objects.filter(attempt=attempt, kind="strict").order_by("-pk").first()
        if attempt.passed is not None
        else None
    )
    assertions = (unpack(verdict.body) or ()) if verdict else None
    facts = facts_of(attempt, steps, list_artifacts(attempt), assertions)
    conclusion = read_steps(attempt)
    try:
        conclusion = read_through(facts, published_grams(attempt.task), conclusion)
    except UnreadableText:
        Attempt.objects.filter(pk=attempt_id).update(**conclusion.columns)
        raise
    with transaction.atomic():
        write(attempt_id, conclusion)
        Attempt.objects.filter(pk=attempt_id).update(**conclusion.columns)
        # Whoever keeps something of the run sees that it changed.
        Run.objects.filter(pk=attempt.run_id).update(sequence=F("sequence") + 1)


def write(attempt_id: int, conclusion: Conclusion) -> None:
    """Store a conclusion in place of the one before: an attempt can be over without a try."""
    FailureTag.objects.filter(attempt=attempt_id).delete()
    tags = [
        FailureTag(attempt_id=attempt_id, tag=tag, position=position, version=str(TAGS_VERSION))
        for position, tag in enumerate(conclusion.tags)
    ]
    insert(tags)
    insert([AttemptText(attempt_id=attempt_id, body=conclusion.text)], unique=("attempt",))


def foresee(
    attempt: Attempt, assertions: Sequence[dict[str, Any]], outputs: Sequence[tuple[str, str]]
) -> Conclusion:
    """Foresee the conclusions on an attempt whose columns say how it ended, before it is stored.

    `outputs` are the path and the digest of each file that it left.
    """
    steps = attempt.steps_that_count()
    inputs = list_artifacts(attempt) if unpack(attempt.opening).get("inputs") else []
    digests = [sha256 for _, sha256 in outputs]
    kept = {blob.pk: blob for blob in read(Blob, {"sha256": digests})} if outputs else {}
    left = [
        Artifact(role=Artifact.Role.OUTPUT, path=path, blob=kept.get(sha256))
        for path, sha256 in sorted(outputs)
    ]
    facts = facts_of(attempt, steps, [*inputs, *left][:MAX_ARTIFACTS], assertions)
    changes = (change["path"] for step in steps for change in step.get("changes") or ())
    paths = [*changes, *(path for path, _ in outputs)]
    has_previews = any(suffix_of(path) in OPENED_IN_SANDBOX for path in paths)
    conclusion = read_through(facts, published_grams(attempt.task), read_steps(attempt))
    return replace(conclusion, has_previews=has_previews)


def read_steps(attempt: Attempt) -> Conclusion:
    """What the rows of the steps of the try that counts say by themselves. One query."""
    steps = list(
        attempt.steps.filter(try_number=attempt.tries)
        .order_by("index")
        .values_list("index", "status", "error_name")
    )
    failed = (index for index, status, _ in steps if status in FAILED_STATUSES)
    return Conclusion(
        (), "", first_failed_step=next(failed, None), exceptions=[e for _, _, e in steps if e]
    )


def read_through(
    facts: AttemptFacts, published: Collection[Grams], of_steps: Conclusion
) -> Conclusion:
    """The tags, the text and the likeness, read by a process of their own, beside what is said
    `of_steps`. Raises Unreadable."""
    tags, text, alike = readers().read_now(CPU_S, conclusion_of, facts, published)
    return replace(of_steps, tags=tags, text=clean(text), resemblance=alike)


def conclude_safely(attempt_id: int) -> bool:
    """The same at the edge of the queue: a tag that fails never costs a result. True when done."""
    try:
        conclude(attempt_id)
    except UnreadableText as error:
        log.error("attempt=%s is left without tags: %s", attempt_id, error)
        return False
    except Exception:
        log.exception("attempt=%s could not be tagged", attempt_id)
        return False
    return True


_resting: dict[int, float] = {}  # runs that are left to the sweep, and until when


def is_resting(run_id: int) -> bool:
    """True if the run's texts delayed the thread that writes all rows a moment ago."""
    return _resting.get(run_id, 0.0) > time.monotonic()


def let_rest(run_id: int) -> None:
    now_s = time.monotonic()
    for run in [run for run, until_s in _resting.items() if until_s < now_s]:
        del _resting[run]
    _resting[run_id] = now_s + LET_REST_S


def conclude_in_passing(run_id: int, attempt_id: int) -> None:
    """Conclude in the thread that writes all rows, unless the run's texts are slow to read."""
    if not is_resting(run_id) and not conclude_safely(attempt_id):
        let_rest(run_id)


def conclude_missed() -> int:
    """Tag what ended without its worker's last word: given up, taken back, or interrupted.

    Only runs that are open or ended a short while ago are looked at; `manage.py retag` does all.
    """
    lately = Q(status__in=OPEN) | Q(finished_at__gt=clock.now() - LATELY)
    known = Run.objects.filter(lately).exclude(BEING_STORED)
    runs = list(known.values_list("pk", flat=True)[:LATEST_RUNS])
    # By their numbers: SQLite would else look at every attempt that there is.
    missed = Attempt.objects.filter(run__in=runs, status=Status.DONE, text=None).order_by("pk")
    ids = list(missed.values_list("pk", flat=True)[:MISSED_AT_ONCE])
    done = 0
    until_s = time.monotonic() + SWEPT_S
    for pk in ids:
        if time.monotonic() > until_s:
            break
        if conclude_safely(pk):
            done += 1
        else:  # an empty text, so that it is not tried for ever
            AttemptText.objects.get_or_create(attempt_id=pk)
    return done


def list_artifacts(attempt: Attempt) -> list[Artifact]:
    """The files of the try that counts."""
    artifacts = attempt.artifacts.filter(try_number=attempt.counted_try)
    return list(artifacts.select_related("blob")[:MAX_ARTIFACTS])


def facts_of(
    attempt: Attempt,
    steps: Sequence[dict[str, Any]],
    artifacts: Sequence[Artifact],
    assertions: Sequence[dict[str, Any]] | None,
) -> AttemptFacts:
    """Facts from which the tags are derived; `assertions` are those of its check, None without
    one."""
    opening, closing = unpack(attempt.opening), unpack(attempt.closing)
    was_checked = assertions is not None
    are_inputs_known = bool(opening) and "line" not in opening  # a line names no files
    return AttemptFacts(
        # A recording that breaks off has no outcome: none of the tags that need one applies.
        outcome=attempt.outcome or Outcome.FINISHED,
        steps=steps,
        passed=attempt.passed,
        answer=closing.get("answer"),
        query=str(opening.get("query") or attempt.task.query),
        assertions=assertions or (),
        inputs=tuple(attempt.task.inputs),
        given=given_files(artifacts) if are_inputs_known and was_checked else None,
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
    """True if a file is a picture of one colour or a table of one value; None if unknown."""
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
    if blob.size_bytes > MAX_TABLE_BYTES:
        return None
    decoded = decode(read_head(blob, MAX_TABLE_BYTES))
    if decoded is None:
        return None
    rows = read_records(decoded[0], "," if blob.mime == "text/csv" else "\t")[1:]
    cells = [cell.strip() for row in rows for cell in row]
    return len(cells) > 1 and len(set(cells)) == 1
