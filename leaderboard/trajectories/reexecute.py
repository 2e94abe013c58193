"""Recorded trajectories played again: their code in our sandbox, their outputs judged strictly."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from leaderboard.failures.tagging import conclude_safely
from leaderboard.models import Artifact, Attempt, Entry, Import, Run, Suite, Task, clean, pack
from leaderboard.queue.host_paths import hide_paths
from leaderboard.scoring.summaries import summarise
from leaderboard.storage import attempt_rows
from leaderboard.suites.install import install
from leaderboard.trajectories.import_file import free_slug
from leaderboard.trajectories.readers.any_format import read_any
from leaderboard.trajectories.readers.attempt_reading import Row
from runner.contract import (
    AS_RECORDED,
    Fault,
    Opening,
    Outcome,
    Problem,
    ProblemError,
    Status,
    Usage,
)
from runner.recorded_attempt import Recording, Replayed, replay_all
from runner.suite.placeholders import fixed_parts, is_filled_in
from runner.suite.reader import Suite as SuiteFolder
from runner.suite.reader import SuiteTask, load_suite


@dataclass(frozen=True)
class Matched:
    """The rows of a file that a suite has the task and inputs for, and why not the others."""

    rows: tuple[tuple[Row, Recording], ...]
    refused: tuple[str, ...]


def re_execute(
    imported: Import,
    suite_name: str,
    report: Callable[[Replayed], None] = lambda replayed: None,
) -> tuple[Run, Matched]:
    """A run of the suite `suite_name` from an imported file's code. Nothing is half-written.

    Raises ProblemError when the suite is not here, or has none of the file's tasks.
    """
    folder = load_suite(suite_name, settings.SUITES)
    with default_storage.open(imported.blob.storage_name) as stored:
        rows = read_any(stored.read()).rows
    matched = match(rows, folder)
    if not matched.rows:
        first = f" {matched.refused[0]}" if matched.refused else ""
        raise ProblemError(
            Problem(
                Fault.SUBMITTER,
                "nothing_to_replay",
                f"Suite {suite_name} has no task of the file that can be played here.{first}",
                "Import the checkout that the file was recorded on, then try again.",
            )
        )
    with tempfile.TemporaryDirectory(prefix="replay-") as scratch:
        recordings = [found for _, found in matched.rows]
        replayed = replay_all(folder, recordings, Path(scratch), report=report)
        with transaction.atomic():
            suite = install(folder).suite
            run = write_run(imported, suite, folder, replayed)
            for (row, _), one in zip(matched.rows, replayed, strict=True):
                write_attempt(run, row, one)
            summarise(run)
    for pk in run.attempts.values_list("pk", flat=True):
        conclude_safely(pk)
    return run, matched


def match(rows: Sequence[Row], folder: SuiteFolder) -> Matched:
    """Each row with the task of its index, where query and inputs are those it was recorded on."""
    tasks = {index_of(task): task for task in (*folder.tasks, *folder.unavailable)}
    found: list[tuple[Row, Recording]] = []
    refused: list[str] = []
    seen: set[str] = set()
    for row in rows:
        task = tasks.get(row.index)
        why = why_not(row, task, seen)
        if why or task is None:
            refused.append(f"line {row.line}: {why}")
            continue
        seen.add(row.index)
        found.append((row, Recording(task, row.steps, row.answer)))
    return Matched(tuple(found), tuple(refused))


def index_of(task: SuiteTask) -> str:
    """Name of the task in a file: upstream's index, or the key of a suite of our own."""
    return task.material.index if task.material else task.spec.key


def why_not(row: Row, task: SuiteTask | None, seen: set[str]) -> str:
    if task is None:
        return f"The suite has no task {row.index[:40]}."
    if task.unavailable:
        return task.unavailable
    if row.index in seen:
        return f"Another attempt at task {row.index[:40]} comes earlier in the file."
    if not is_filled_in(fixed_parts(task.spec.query), row.query.strip()):
        return f"The query of task {row.index[:40]} is not the one it was recorded with."
    return ""


def write_run(
    imported: Import, suite: Suite, folder: SuiteFolder, replayed: Sequence[Replayed]
) -> Run:
    same, played = sum(r.same for r in replayed), sum(r.played for r in replayed)
    name = f"{Path(imported.name).stem} (re-executed)"
    entry = Entry.objects.create(
        slug=free_slug(name),
        name=clean(name, 200),
        model_name="unknown",
        provenance=Entry.Provenance.RE_EXECUTED,
        description=(
            f"The code of recorded conversations (run {imported.run_id}), run again here on the "
            f"same inputs: {same} of {played} observations came out as recorded. The model did "
            "not see the others, so its next replies may not fit them."
        ),
    )
    now = timezone.now()
    return Run.objects.create(
        entry=entry,
        suite=suite,
        seed=folder.seed,
        limits=suite.limits,
        environment={
            "replayed from run": str(imported.run_id),
            AS_RECORDED: f"{same} of {played}",
        },
        status=Status.DONE,
        is_public=imported.run.is_public if imported.run else False,
        published_at=now if imported.run and imported.run.is_public else None,
        started_at=now,
        finished_at=now,
    )


def write_attempt(run: Run, row: Row, replayed: Replayed) -> None:
    """The attempt with its steps as they came out, its new outputs, and its strict verdict."""
    usage = sum((step.usage for step in row.steps), Usage())
    task = Task.objects.get(suite=run.suite, key=replayed.recording.task.spec.key)
    verdict = replayed.verdict
    outcome = row.outcome or Outcome.OUT_OF_TURNS
    attempt = Attempt.objects.create(
        run=run,
        task=task,
        category=task.category,
        status=Status.DONE,
        tries=1,
        outcome=outcome if verdict else Outcome.KERNEL_LOST,
        passed=verdict.passed if verdict else None,
        sentence=clean(verdict.sentence) if verdict else "",
        problem=clean(hide_paths(replayed.problem), 2000),
        fault=Fault.US if replayed.problem else "",
        turns=len(row.steps),
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cell_s=replayed.cell_s,
        wall_s=replayed.cell_s,
        finished_at=run.finished_at,
        closing=pack({"answer": row.answer, "environment": {}}),
    )
    opening = Opening(row.opening, row.query, run.seed, {}, replayed.inputs)
    attempt.opening = attempt_rows.opening_body(opening)
    attempt.save(update_fields=["opening"])
    attempt_rows.save_artifacts(attempt, Artifact.Role.INPUT, attempt_rows.keep_inputs(opening))
    for step in replayed.steps:
        kept = attempt_rows.keep_changes(step)
        attempt_rows.save_step(attempt, step, attempt_rows.step_body(step), kept)
    outputs = attempt_rows.keep_outputs(replayed.harvest)
    attempt_rows.save_artifacts(attempt, Artifact.Role.OUTPUT, outputs)
    attempt_rows.save_refused(attempt, replayed.harvest)
    if verdict:
        attempt_rows.save_verdict(attempt.pk, attempt.tries, verdict)
