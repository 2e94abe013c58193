"""Stored runs judged again by the checks as they are now: no model is asked, no code is run.

A verdict is sealed, and a suite's version never changes under its runs. So the attempts become a
new run of the same entry on the suite's newest version, with the files and answers as they were.
"""

from __future__ import annotations

import shutil
import tempfile
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Model

from leaderboard.changes.note import note_rescored
from leaderboard.failures.tagging import conclude_safely
from leaderboard.models import Artifact, Attempt, Run, Step, StepFile, Suite, Task, clean, unpack
from leaderboard.queue.host_paths import hide_paths
from leaderboard.scoring.summaries import summarise
from leaderboard.storage import attempt_rows
from leaderboard.suites.install import install
from runner.contract import Fault, Outcome, Problem, ProblemError, Status
from runner.recorded_attempt import Rejudged, StoredResult, judge_stored
from runner.suite.reader import SuiteTask, load_suite

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Rescored:
    """An attempt, and what the check says of it now."""

    before: Attempt
    now: Rejudged

    @property
    def is_changed(self) -> bool:
        return self.now.verdict is None or self.now.verdict.passed != self.before.passed

    @property
    def line(self) -> str:
        """As a list of changes has it."""
        was = "passed" if self.before.passed else "failed"
        if self.now.verdict is None:
            return f"{self.before.task.key}: {was}, now void. {self.now.problem}"
        now = "passed" if self.now.verdict.passed else "failed"
        return f"{self.before.task.key}: {was}, now {now}. {self.now.verdict.sentence}"


def rescore(run: Run) -> tuple[Run, list[Rescored]]:
    """The new run, and each attempt that had a verdict. Nothing is half-written.

    ProblemError when the run is not over, was judged by these very checks, or has no attempt
    whose task is still in the suite.
    """
    folder = load_suite(run.suite.name, settings.SUITES)
    if not run.is_over:
        raise refusal(f"Run {run.pk} is not over.", "Wait for its end, or cancel it.")
    if folder.digest == run.suite.digest:
        raise refusal(
            f"Run {run.pk} was already judged by the current checks.", "There is nothing to do."
        )
    tasks = {task.spec.key: task for task in folder.tasks}
    judged = run.attempts.filter(status=Status.DONE, passed__isnull=False).select_related("task")
    attempts = [a for a in judged.order_by("task__position", "number") if a.task.key in tasks]
    if not attempts:
        raise refusal(
            f"No task of run {run.pk} is in {folder.name} any more.", "Play the suite again."
        )
    with tempfile.TemporaryDirectory(prefix="rescore-") as scratch:
        rooms = Path(scratch)
        stored = [
            take_out(attempt, tasks[attempt.task.key], run.seed, rooms / f"outputs-{attempt.pk}")
            for attempt in attempts
        ]
        found = judge_stored(folder, stored, rooms)
    rescored = [Rescored(a, now) for a, now in zip(attempts, found, strict=True)]
    with transaction.atomic():
        again = write_run(run, install(folder).suite, rescored)
    for pk in again.attempts.values_list("pk", flat=True):
        conclude_safely(pk)
    return again, rescored


def refusal(what: str, next_step: str) -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, "not_rescored", what, next_step))


def take_out(attempt: Attempt, task: SuiteTask, seed: int, folder: Path) -> StoredResult:
    """Its output files, written to `folder`, with what else its check is given."""
    folder.mkdir()
    files = attempt.artifacts.filter(try_number=attempt.counted_try).select_related("blob")
    for file in files.filter(role=Artifact.Role.OUTPUT):
        target = folder / file.path
        if file.blob is None or not target.resolve().is_relative_to(folder.resolve()):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        with default_storage.open(file.blob.storage_name) as source, target.open("wb") as copy:
            shutil.copyfileobj(source, copy)
    inputs = unpack(attempt.opening).get("inputs") or ()
    given = {str(one["path"]): str(one["sha256"]) for one in inputs}
    return StoredResult(task, seed, given, folder, unpack(attempt.closing).get("answer"))


def write_run(run: Run, suite: Suite, rescored: Sequence[Rescored]) -> Run:
    again = Run.objects.create(
        entry=run.entry,
        suite=suite,
        provider=run.provider,
        seed=run.seed,
        attempts_per_task=run.attempts_per_task,
        concurrency=run.concurrency,
        limits=run.limits,
        environment={**run.environment, "re-scored from run": str(run.pk)},
        status=Status.DONE,
        is_public=run.is_public,
        published_at=run.published_at,
        started_at=run.started_at,
        finished_at=run.finished_at,
    )
    tasks = {task.key: task for task in suite.tasks.all()}
    for one in rescored:
        write_attempt(again, tasks, one)
    summarise(again)
    note_rescored(again, run, sum(one.is_changed for one in rescored), len(rescored))
    return again


def write_attempt(run: Run, tasks: Mapping[str, Task], rescored: Rescored) -> None:
    """A copy of the attempt under the new run, with its steps and files and the new verdict."""
    before, verdict = rescored.before, rescored.now.verdict
    fresh = {"tries": 1, "void_tries": 0, "worker": "", "token": uuid.uuid4(), "lease_until": None}
    attempt = copy_of(before, run=run, task=tasks[before.task.key], **fresh)
    attempt.passed = verdict.passed if verdict else None
    attempt.sentence = clean(verdict.sentence) if verdict else ""
    if verdict is None:
        attempt.outcome, attempt.fault = Outcome.CHECK_CRASHED, Fault.US
        attempt.problem = clean(hide_paths(rescored.now.problem), 2000)
    attempt.save()
    copy_steps(before, attempt)
    files = before.artifacts.filter(try_number=before.counted_try)
    Artifact.objects.bulk_create(copy_of(f, attempt=attempt, try_number=1) for f in files)
    if verdict:
        attempt_rows.save_verdict(attempt.pk, 1, verdict)


def copy_steps(before: Attempt, attempt: Attempt) -> None:
    steps = Step.objects.filter(attempt=before, try_number=before.counted_try)
    for step in steps.prefetch_related("files"):
        copied = copy_of(step, attempt=attempt, try_number=1)
        copied.save()
        StepFile.objects.bulk_create(copy_of(file, step=copied) for file in step.files.all())


def copy_of(row: M, **changes: Any) -> M:
    """Another row with the same values but for its key and `changes`; not saved."""
    fields = row._meta.concrete_fields
    values = {f.attname: getattr(row, f.attname) for f in fields if not f.primary_key}
    kept = {name: v for name, v in values.items() if name.removesuffix("_id") not in changes}
    return type(row)(**kept, **changes)
