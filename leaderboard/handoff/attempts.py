"""The door between the rows and the runner: claim work, record progress, hand back results.

The database is the truth. A message only says that an attempt was sent, with the token of that: to
lose it, or to get it twice, changes nothing. Every later write must present the token: whoever lost
the attempt in the meantime is refused with `Fenced`. Each act is one transaction. It locks the
attempt's row first and the run's row last, so that the acts on one run wait for each other for a
moment only; see `leaderboard.handoff.claims` for why none waits for ever.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Case, F, Field, PositiveIntegerField, Q, TextField, Value, When

from leaderboard.failures.tagging import conclude_in_passing
from leaderboard.handoff import file_previews, results
from leaderboard.handoff.ceilings import reserve, settle, spent_columns
from leaderboard.handoff.claims import claim, endpoint_of, unsend
from leaderboard.handoff.dispatch import dispatch, forget_worker, note_worker
from leaderboard.models import Artifact, Attempt, Run, TypedText, clean
from leaderboard.models.statements import insert, update
from leaderboard.queue import clock
from leaderboard.queue.concurrency import paced
from leaderboard.queue.transitions import (
    ENDPOINT_IS_BACK,
    bump,
    cancel_queued,
    close_if_over,
    end_void,
    list_suites_waited_for,
    put_back,
    release_waiting,
    release_waiting_for_suite,
    touch,
)
from leaderboard.rendering.kinds import OPENED_IN_SANDBOX, suffix_of
from leaderboard.scoring.summaries import summarise
from leaderboard.storage import attempt_rows
from runner.contract import (
    AttemptResult,
    Fault,
    Fenced,
    Job,
    Opening,
    Outcome,
    Problem,
    ReplyProgress,
    Status,
    Step,
    TypedReply,
)

__all__ = [
    "claim",
    "dispatch",
    "endpoint_of",
    "forget_worker",
    "heard",
    "list_suites_waited_for",
    "look",
    "note_worker",
    "opened",
    "paced",
    "record_result",
    "release",
    "release_of_dead",
    "release_waiting",
    "release_waiting_for_suite",
    "renew",
    "reserve",
    "settle",
    "step",
    "summarise",
    "typed_reply",
    "unsend",
]

log = logging.getLogger(__name__)

STOPPING = "the worker is stopping"
PAUSED = "the run is paused"
MOST_CHARS = 2**31 - 1  # that a column holds
PROGRESS_FIELDS: dict[str, Field[Any, Any]] = {
    "reply_chars": PositiveIntegerField(),
    "request_failures": PositiveIntegerField(),
    "request_failed": TextField(),
}
MOST_WORDS = 1_000  # characters kept of how a request failed
UNEXPLAINED = Problem(
    Fault.US, "unexplained", "The attempt ended without a reason.", "Tell the maintainers."
)


def renew(jobs: Iterable[Job]) -> set[tuple[int, str]]:
    """Renew the leases of `jobs`; the claims that are still good."""
    claims = {job.claim for job in jobs}
    ids, tokens = {pk for pk, _ in claims}, {token for _, token in claims}
    held = Attempt.objects.filter(pk__in=ids, token__in=tokens, status=Status.RUNNING)
    ours = {(pk, str(token)) for pk, token in held.values_list("pk", "token")} & claims
    held.filter(pk__in=[pk for pk, _ in ours]).update(lease_until=clock.later(clock.lease()))
    return ours


def look(run_ids: Iterable[int]) -> set[int]:
    """Those of these runs whose attempts are called off."""
    called_off = Q(cancel_requested=True) | Q(status=Status.PAUSED)
    runs = Run.objects.filter(called_off, pk__in=set(run_ids))
    return set(runs.values_list("pk", flat=True))


def release_of_dead(workers: Collection[str]) -> None:
    """Let the sweep take back at once what these workers held, which are known to be dead."""
    held = Attempt.objects.filter(status=Status.RUNNING, worker__in=workers)
    held.update(lease_until=clock.now() - timedelta(seconds=1))
    for name in workers:
        forget_worker(name)


def heard(progress: Mapping[tuple[int, str], ReplyProgress]) -> None:
    """Record how far the reply of each of these claims has come; one statement.

    Pages show it while they are looked at: it moves no run and is in no figure.
    """
    ids, tokens = {pk for pk, _ in progress}, {token for _, token in progress}
    held = Attempt.objects.filter(pk__in=ids, token__in=tokens, status=Status.RUNNING)
    columns = {pk: progress_columns(one) for (pk, _), one in progress.items()}
    held.update(
        **{
            name: Case(
                *(When(pk=pk, then=Value(own[name])) for pk, own in columns.items()),
                default=F(name),
                output_field=field,
            )
            for name, field in PROGRESS_FIELDS.items()
        }
    )


def progress_columns(progress: ReplyProgress) -> dict[str, Any]:
    """The columns of an attempt that say how far the reply under way has come."""
    return {
        "reply_chars": min(progress.chars, MOST_CHARS),
        "request_failures": progress.failures,
        "request_failed": clean(progress.failed, MOST_WORDS),
    }


def opened(job: Job, opening: Opening) -> None:
    """Record what the try began with. Raises Fenced."""
    kept = attempt_rows.keep_inputs(opening)
    body = attempt_rows.opening_body(opening)
    if not kept:
        prove(job, opening=body)
        return
    with transaction.atomic():
        prove(job, opening=body)
        if not has_inputs(job):  # else a repeat: only the answer of its commit was lost
            inputs = Artifact.Role.INPUT
            files = attempt_rows.kept_files(job.attempt_id, job.try_number, inputs, kept)
            insert(list(files))


def has_inputs(job: Job) -> bool:
    inputs = Artifact.objects.filter(attempt=job.attempt_id, role=Artifact.Role.INPUT)
    return inputs.filter(try_number=job.try_number).exists()


def step(job: Job, step: Step, charge: int = 0, reserved: int = 0) -> None:
    """Record one step and renew the lease, both or neither. Raises Fenced.

    `charge` is what its reply took of the run's ceiling, of which `reserved` was held for it.
    """
    kept, body = attempt_rows.keep_changes(step), attempt_rows.step_body(step)
    row = attempt_rows.step_row(job.attempt_id, job.try_number, step, body)
    with transaction.atomic():
        begun = {"turns": step.index, **progress_columns(ReplyProgress())}
        if not hold(job, begun, {"turns": step.index}):
            prove(job)
            return  # a repeat: it was committed, only the answer was lost
        attempt_rows.insert_step(row, step, kept)
        spent = spent_columns(charge, reserved) if reserved else {}
        bump(job.run_id, {**ENDPOINT_IS_BACK, **spent})
    if any(suffix_of(path) in OPENED_IN_SANDBOX for path in kept):
        file_previews.ask_for_pages(job.attempt_id)


def record_result(job: Job, result: AttemptResult) -> None:
    """Hand back how the try ended; the attempt that finds none open closes its run.

    A verdict seals the attempt. A void try goes back to the queue after a pause, three times at
    most, unless trying again cannot help. Raises Fenced.
    """
    kept = attempt_rows.keep_outputs(result.harvest)
    if result.verdict is None:
        record_void(job, result, kept)
        conclude_in_passing(job.run_id, job.attempt_id)
    else:
        has_previews = results.seal(job, result, result.verdict, kept)
        if has_previews:
            file_previews.ask_for_pages(job.attempt_id)


@transaction.atomic
def record_void(job: Job, result: AttemptResult, kept: Sequence[attempt_rows.KeptFile]) -> None:
    prove(job)
    attempt = Attempt.objects.get(pk=job.attempt_id)
    run = touch(job.run_id)
    if result.outcome is Outcome.CANCELLED and not run.cancel_requested:
        put_back(attempt, result.problem.code if result.problem else why_given_back(run))
        return
    results.note_environment(run, result)
    if result.turns >= attempt.turns:  # else the result knows nothing of the steps that were made
        attempt_rows.copy_figures(attempt, result)
    attempt_rows.save_harvest(job.attempt_id, job.try_number, kept, result.harvest)
    end_void(run, attempt, result.outcome, result.problem or UNEXPLAINED)
    close_if_over(run)


@transaction.atomic
def release(job: Job) -> None:
    """Give the attempt back: its worker is stopping. This is no void try."""
    try:
        prove(job)
    except Fenced:
        log.info("run=%s attempt=%s was taken over", job.run_id, job.attempt_id)
        return
    run = touch(job.run_id)
    put_back(Attempt.objects.get(pk=job.attempt_id), why_given_back(run))
    if run.cancel_requested:
        cancel_queued(run)


def why_given_back(run: Run) -> str:
    return PAUSED if run.is_paused else STOPPING


def hold(
    job: Job, columns: Mapping[str, object], below: Mapping[str, object] | None = None
) -> bool:
    """Lock the attempt, set columns and renew its lease; False if the job's token is good no longer
    or a column is not below its bound."""
    where = {"id": job.attempt_id, "token": job.token, "status": Status.RUNNING}
    lease = {"lease_until": clock.later_sql(clock.lease())}
    return bool(update(Attempt, {**lease, **columns}, where, below))


def prove(job: Job, **columns: object) -> None:
    """Lock the attempt and renew its lease if the job's token is still good. Raises Fenced."""
    if not hold(job, columns):
        raise Fenced(f"attempt {job.attempt_id} of run {job.run_id} belongs to somebody else now")


def typed_reply(job: Job, index: int) -> TypedReply | None:
    """Reply number `index` of the attempt, from 1; None until it is typed. One query."""
    row = TypedText.objects.filter(attempt=job.attempt_id, index=index).first()
    return TypedReply(row.text, row.is_answer) if row else None
