"""Stored results that wait to be judged again: workers take them while no attempt waits."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Case, Q, Value, When

from leaderboard.changes.note import note_erratum
from leaderboard.errata.begin import enqueue
from leaderboard.failures.tagging import conclude_safely
from leaderboard.handoff.dispatch import is_anyone_waiting
from leaderboard.models import Artifact, Attempt, Erratum, Rejudgement, clean, pack, unpack
from leaderboard.queue import clock
from leaderboard.queue.transitions import hide_paths, touch
from leaderboard.scoring.summaries import summarise
from leaderboard.storage import attempt_rows
from runner.contract import Assertion, Verdict

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=10)  # of a result that a worker judges
DRIVE = timedelta(minutes=2)  # then the worker that drove an erratum is dead


@dataclass(frozen=True)
class WaitingResult:
    """A stored result to judge again."""

    rejudgement_id: int
    suite: str
    task_key: str
    seed: int
    inputs: Mapping[str, str]  # {name: SHA-256} of what it was given
    files: tuple[tuple[str, str], ...]  # path below the outputs, name in the storage; "": gone
    answer: str | None


def drive(erratum_id: int) -> bool:
    """Become the one worker that judges for this erratum; False if another one does."""
    now = clock.now()
    undriven = Q(driven_until=None) | Q(driven_until__lt=now)
    mine = Erratum.objects.filter(undriven, pk=erratum_id, finished_at=None)
    return bool(mine.update(driven_until=now + DRIVE))


def leave(erratum_id: int) -> None:
    Erratum.objects.filter(pk=erratum_id).update(driven_until=None)


def take(erratum_id: int, limit: int) -> list[WaitingResult]:
    """Take up to `limit` results; none while an attempt waits. The last one ends the erratum."""
    if is_anyone_waiting():
        return []
    now = clock.now()
    Erratum.objects.filter(pk=erratum_id).update(driven_until=now + DRIVE)
    free = Q(taken_until=None) | Q(taken_until__lt=now)
    due = Rejudgement.objects.filter(free, erratum=erratum_id, state=Rejudgement.State.DUE)
    rows = list(due.select_related("attempt__run__suite", "attempt__task")[:limit])
    taken = [row for row in rows if due.filter(pk=row.pk).update(taken_until=now + LEASE)]
    if not rows:
        finish(erratum_id)
    return [describe(row) for row in taken]


def describe(row: Rejudgement) -> WaitingResult:
    attempt = row.attempt
    files = attempt.artifacts.filter(
        try_number=attempt.counted_try, role=Artifact.Role.OUTPUT
    ).select_related("blob")
    inputs = unpack(attempt.opening).get("inputs") or ()
    return WaitingResult(
        rejudgement_id=row.pk,
        suite=attempt.run.suite.name,
        task_key=attempt.task.key,
        seed=attempt.run.seed,
        inputs={str(one["path"]): str(one["sha256"]) for one in inputs},
        files=tuple((f.path, f.blob.storage_name if f.blob else "") for f in files),
        answer=unpack(attempt.closing).get("answer"),
    )


def write_outputs(result: WaitingResult, folder: Path) -> str:
    """Write the output files to `folder`; the name of the first that is gone, else ""."""
    folder.mkdir()
    for path, stored in result.files:
        target = folder / path
        if not target.resolve().is_relative_to(folder.resolve()):
            continue
        if not stored or not default_storage.exists(stored):
            return path
        target.parent.mkdir(parents=True, exist_ok=True)
        with default_storage.open(stored) as source, target.open("wb") as copy:
            shutil.copyfileobj(source, copy)
    return ""


def record(rejudgement_id: int, verdict: Verdict | None, problem: str = "") -> None:
    """Store the new verdict for the erratum's end; without one the old verdict stays.

    A verdict by a check as it was before the erratum changes nothing: the result stays due, and is
    given out again when its lease is over.
    """
    states = Rejudgement.State
    if verdict is not None and not is_corrected(rejudgement_id, verdict.check_version):
        log.warning("rejudgement=%s was judged by an old check: restart this worker, or install "
            "the corrected suite on its machine", rejudgement_id)  # fmt: skip
        return
    columns: dict[str, object] = {"state": states.KEPT, "note": clean(hide_paths(problem), 500)}
    if verdict is not None:
        is_same = When(before=verdict.passed, then=Value(False))
        columns = {
            "state": states.JUDGED,
            "now": verdict.passed,
            "differs": Case(is_same, default=Value(True)),
            "body": pack(asdict(verdict)),
        }
    due = Rejudgement.objects.filter(pk=rejudgement_id, state=states.DUE)
    due.update(judged_at=clock.now(), **columns)


def is_corrected(rejudgement_id: int, check_version: str) -> bool:
    """True if the check is that of the result's erratum, or of a later one."""
    row = Rejudgement.objects.select_related("erratum", "attempt__task").get(pk=rejudgement_id)
    later = Erratum.objects.filter(suite=row.erratum.suite_id, pk__gte=row.erratum_id)
    known = [one.tasks.get(row.attempt.task.key) for one in later.only("tasks")]
    return any(facts[-1] == check_version for facts in known if facts)


def finish(erratum_id: int) -> None:
    """Apply the verdicts run by run once none is due, and tell of the erratum."""
    erratum = Erratum.objects.select_related("suite").get(pk=erratum_id)
    due = erratum.rejudgements.filter(state=Rejudgement.State.DUE)
    if due.exists() or enqueue(erratum):  # attempts that ended by the old check meanwhile
        return
    judged = erratum.rejudgements.filter(state=Rejudgement.State.JUDGED)
    runs = judged.values_list("attempt__run", flat=True).order_by("attempt__run").distinct()
    for run_id in list(runs):
        changed = apply_to_run(erratum, run_id)
        for attempt_id in changed:
            conclude_safely(attempt_id)
    with transaction.atomic():
        unfinished = Erratum.objects.filter(pk=erratum_id, finished_at=None)
        if unfinished.update(finished_at=clock.now(), driven_until=None):
            note_erratum(erratum)


@transaction.atomic
def apply_to_run(erratum: Erratum, run_id: int) -> list[int]:
    """Add the new verdicts of one run and count it again; attempts whose outcome changed."""
    rows = list(
        erratum.rejudgements.filter(
            attempt__run=run_id, state=Rejudgement.State.JUDGED
        ).select_related("attempt")
    )
    for row in rows:
        verdict = read_verdict(row)
        number = row.attempt.counted_try
        newest = row.attempt.verdicts.filter(kind="strict", try_number=number).order_by("-pk")
        # A correction that is taken back has a version that older verdicts have too.
        if newest.values_list("check_version", flat=True).first() != verdict.check_version:
            attempt_rows.save_verdict(row.attempt_id, number, verdict)
        Attempt.objects.filter(pk=row.attempt_id).update(
            passed=verdict.passed, sentence=clean(verdict.sentence)
        )
    run = touch(run_id)
    run.summaries.all().delete()
    summarise(run)
    pks = [row.pk for row in rows]
    Rejudgement.objects.filter(pk__in=pks).update(state=Rejudgement.State.APPLIED)
    return [row.attempt_id for row in rows if row.is_changed]


def read_verdict(row: Rejudgement) -> Verdict:
    body = unpack(row.body)
    assertions = tuple(Assertion(**one) for one in body.pop("assertions"))
    return Verdict(**body, assertions=assertions)
