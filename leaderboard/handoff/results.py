"""Seals an attempt with its verdict: rows, tags, text, the run's figures and its diary, as one."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, transaction

from leaderboard.failures import tagging
from leaderboard.models import Attempt, Run, StatusChange, Task, clean
from leaderboard.models.statements import get, insert, update
from leaderboard.queue import clock
from leaderboard.queue.transitions import bump, close_if_over, note_problem, problem_columns
from leaderboard.scoring.summaries import note_end
from leaderboard.storage import attempt_rows
from leaderboard.storage.attempt_rows import KeptFile
from leaderboard.storage.run_environment import note_models
from runner.contract import AttemptResult, Fenced, Job, Status, Verdict
from runner.reading.readers import UnreadableText

log = logging.getLogger(__name__)

Conclusion = tagging.Conclusion


def seal(job: Job, result: AttemptResult, verdict: Verdict, kept: Sequence[KeptFile]) -> bool:
    """The attempt has its verdict: it is never played again. True if it left files of
    which workers make previews.

    Raises Fenced.
    """
    attempt = get(Attempt, id=job.attempt_id)
    attempt.task = get(Task, id=attempt.task_id)
    fill(attempt, result, verdict)
    conclusion = foresee_safely(attempt, verdict, kept)
    try:
        write(job, attempt, result, verdict, kept, conclusion)
    except (OperationalError, InterfaceError):
        raise  # the database is away, and patience is the caller's
    except DatabaseError:
        if conclusion is None:
            raise
        log.exception("attempt=%s could not be tagged", job.attempt_id)
        write(job, attempt, result, verdict, kept, None)
    return conclusion is not None and conclusion.has_previews


def fill(attempt: Attempt, result: AttemptResult, verdict: Verdict) -> None:
    """Say on the attempt, which is not saved, how it ended."""
    attempt_rows.copy_figures(attempt, result)
    note_problem(attempt, result.problem)
    attempt.status, attempt.outcome = Status.DONE, result.outcome
    attempt.passed = verdict.passed
    attempt.sentence = clean(verdict.sentence)


def foresee_safely(
    attempt: Attempt, verdict: Verdict, kept: Sequence[KeptFile]
) -> Conclusion | None:
    """A tag that fails never costs a result: the sweep tries it again."""
    if tagging.is_resting(attempt.run_id):
        return None
    try:
        assertions = [asdict(assertion) for assertion in verdict.assertions]
        return tagging.foresee(attempt, assertions, kept)
    except (OperationalError, InterfaceError):
        raise
    except UnreadableText as error:
        log.error("attempt=%s is left to the sweep: %s", attempt.pk, error)
        tagging.let_rest(attempt.run_id)
        return None
    except Exception:
        log.exception("attempt=%s could not be tagged", attempt.pk)
        return None


@transaction.atomic
def write(
    job: Job,
    attempt: Attempt,
    result: AttemptResult,
    verdict: Verdict,
    kept: Sequence[KeptFile],
    conclusion: Conclusion | None,
) -> None:
    held = {"id": attempt.pk, "token": job.token, "status": Status.RUNNING}
    columns = columns_of(attempt, result)
    if conclusion is not None:
        columns |= conclusion.columns
    if not update(Attempt, columns, held):
        raise Fenced(f"attempt {job.attempt_id} of run {job.run_id} belongs to somebody else now")
    attempt_rows.save_verdict(job.attempt_id, job.try_number, verdict)
    attempt_rows.save_harvest(job.attempt_id, job.try_number, kept, result.harvest)
    if conclusion is not None:
        tagging.write(job.attempt_id, conclusion)
    bump(job.run_id)
    run = get(Run, id=job.run_id)
    note_environment(run, result)
    left = note_end(run, attempt)
    change = StatusChange(
        run_id=run.pk,
        attempt_id=attempt.pk,
        before=Status.RUNNING,
        after=Status.DONE,
        reason=str(result.outcome),
    )
    insert([change])
    if not left or run.cancel_requested:
        close_if_over(run)


def columns_of(attempt: Attempt, result: AttemptResult) -> dict[str, Any]:
    """Columns to write for the attempt; its last holder's token is worthless from now on."""
    return {
        **attempt_rows.figures_of(result),
        **problem_columns(result.problem),
        "status": attempt.status,
        "outcome": attempt.outcome,
        "passed": attempt.passed,
        "sentence": attempt.sentence,
        "token": uuid.uuid4(),
        "lease_until": None,
        "finished_at": clock.later_sql(),
    }


def note_environment(run: Run, result: AttemptResult) -> None:
    """The first result says what the run is played in, and each one which models replied.

    A verdict also ends a row of endpoint failures.
    """
    changed: list[str] = []
    noted = note_models(run.environment or result.environment, result.environment)
    if noted != run.environment:
        run.environment = noted
        changed.append("environment")
    if (run.endpoint_failures or run.away_since) and result.verdict is not None:
        run.endpoint_failures, run.away_since = 0, None
        changed += ["endpoint_failures", "away_since"]
    if changed:
        run.save(update_fields=changed)
