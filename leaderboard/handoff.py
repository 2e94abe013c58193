"""The door between the rows and the runner: claim work, record progress, hand back results.

The database is the truth. A message only wakes a worker, so that losing it or getting it twice
changes nothing. Each claim gives an attempt a fresh token, and every later write must present it:
whoever lost the attempt in the meantime is refused with `Fenced`. Each act is one transaction that
writes the run's row first; that serialises the acts on one run, on SQLite and PostgreSQL alike.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from leaderboard import checking, clock, keys, pdf_pages, recording
from leaderboard.future_times import mend_times
from leaderboard.models import Artifact, Attempt, Run
from leaderboard.paces import paced
from leaderboard.querysets import AttemptQuerySet
from leaderboard.replied import note_models
from leaderboard.standings import refresh_changed
from leaderboard.summaries import summarise
from leaderboard.tagging import conclude_missed, conclude_safely
from leaderboard.transitions import (
    diary,
    end,
    end_void,
    give_up,
    move_run,
    note_problem,
    put_back,
    settle,
    touch,
)
from leaderboard.wake import send_draw_pages, send_wake_up
from runner.contract import (
    ActionFormat,
    AttemptResult,
    EndpointSpec,
    Fault,
    Fenced,
    Job,
    Limits,
    Opening,
    Outcome,
    Problem,
    ProblemError,
    Status,
    Step,
    Verdict,
)

__all__ = [
    "Swept",
    "ask_for_pages",
    "cancelled",
    "claim",
    "concurrency_of",
    "endpoint_of_run",
    "enqueue",
    "opened",
    "paced",
    "record_result",
    "release",
    "renew",
    "step",
    "summarise",
    "sweep",
]

log = logging.getLogger(__name__)

WORKER_LOST = Problem(
    Fault.US,
    "worker_lost",
    "The worker that played this attempt stopped without a word.",
    "It is tried again by itself, up to three times.",
)
UNEXPLAINED = Problem(
    Fault.US, "unexplained", "The attempt ended without a reason.", "Tell the maintainers."
)


@dataclass(frozen=True)
class Swept:
    """What a sweep found to do."""

    taken_back: int
    closed: int
    woken: int


def enqueue(run_id: int) -> None:
    """Wake a worker for this run once the transaction is committed."""
    Run.objects.filter(pk=run_id).update(woken_at=clock.now())
    transaction.on_commit(lambda: send_wake_up(run_id))


def concurrency_of(run_id: int) -> int:
    """How many attempts of the run may be in flight at once; 0 for a run that is over."""
    open_runs = Run.objects.open().filter(pk=run_id, cancel_requested=False)
    return open_runs.values_list("concurrency", flat=True).first() or 0


def endpoint_of_run(run_id: int) -> str:
    """Whose endpoint the run is played against, and where: what has a pace of its own."""
    run = Run.objects.select_related("entry__endpoint").get(pk=run_id)
    return f"{run.entry.owner_id} {run.entry.endpoint.base_url}"


def claim(run_id: int | None, limit: int, worker: str) -> list[Job]:
    """Take up to `limit` attempts of one run, or of any run, for `worker`."""
    jobs: list[Job] = []
    for pk in runs_with_room() if run_id is None else [run_id]:
        if len(jobs) < limit and Attempt.objects.claimable(clock.now()).filter(run=pk).exists():
            jobs += claim_of_run(pk, limit - len(jobs), worker)
    return jobs


def runs_with_room() -> list[int]:
    runs = Run.objects.with_room(clock.now()).order_by("pk")
    return list(runs.values_list("pk", flat=True))


@transaction.atomic
def claim_of_run(run_id: int, limit: int, worker: str) -> list[Job]:
    run = touch(run_id)
    if run.is_over or run.cancel_requested or not run.is_played:
        return []
    try:
        endpoint = endpoint_of(run)
    except ProblemError as error:
        give_up(run, error.problem)
        return []
    now = clock.now()
    room = min(limit, run.concurrency - run.attempts.filter(status=Status.RUNNING).count())
    ready = Attempt.objects.claimable(now).filter(run=run).order_by("pk")
    ids = list(ready.values_list("pk", flat=True)[: max(room, 0)])
    taken = [pk for pk in ids if take(pk, worker, now)]
    if taken and run.status == Status.QUEUED:
        run.started_at = run.started_at or now
        move_run(run, Status.RUNNING, "first attempt claimed")
    attempts = Attempt.objects.filter(pk__in=taken).select_related("task").order_by("pk")
    return [job_of(run, attempt, endpoint) for attempt in attempts]


def take(attempt_id: int, worker: str, now: datetime) -> bool:
    """The conditional update that decides who gets the attempt."""
    ready = Attempt.objects.claimable(now).filter(pk=attempt_id)
    taken = ready.update(
        status=Status.RUNNING,
        token=uuid.uuid4(),
        lease_until=now + lease(),
        tries=F("tries") + 1,
        worker=worker[:120],
        started_at=now,
        not_before=None,
    )
    return bool(taken)


def job_of(run: Run, attempt: Attempt, endpoint: EndpointSpec) -> Job:
    diary(attempt, Status.QUEUED, Status.RUNNING, f"try {attempt.tries} by {attempt.worker}")
    return Job(
        attempt_id=attempt.pk,
        token=str(attempt.token),
        suite=run.suite.name,
        task_key=attempt.task.key,
        seed=run.seed,
        number=attempt.number,
        endpoint=endpoint,
        limits=Limits(**run.limits),
        run_id=run.pk,
        try_number=attempt.tries,
        suite_digest=run.suite.digest,
    )


def endpoint_of(run: Run) -> EndpointSpec:
    """How the run's entry is called, with its key. ProblemError when the key cannot be read."""
    endpoint = run.entry.endpoint
    return EndpointSpec(
        base_url=endpoint.base_url,
        model=run.entry.model_name,
        api_key=keys.decrypt(endpoint.encrypted_key),
        action_format=ActionFormat(run.entry.action_format),
        extra_body=keys.decrypt_object(endpoint.encrypted_extra),
        **run.entry.sampling,
    )


def renew(jobs: Iterable[Job]) -> set[int]:
    """Renew the leases of `jobs`; the ids of the attempts that are still theirs."""
    until = clock.now() + lease()
    return {job.attempt_id for job in jobs if held(job).update(lease_until=until)}


def cancelled(run_ids: Iterable[int]) -> set[int]:
    """Which of these runs were asked to stop."""
    asked = Run.objects.filter(pk__in=set(run_ids), cancel_requested=True)
    return set(asked.values_list("pk", flat=True))


def opened(job: Job, opening: Opening) -> None:
    """Record what the try began with. Raises Fenced."""
    kept = recording.keep_inputs(opening)
    with transaction.atomic():
        touch(job.run_id)
        attempt = prove(job)
        if attempt.artifacts.filter(try_number=job.try_number).exists():
            return  # a repeat: the first one was committed, only its answer was lost
        attempt.opening = recording.opening_body(opening)
        attempt.save(update_fields=["opening"])
        recording.save_artifacts(attempt, Artifact.Role.INPUT, kept)


def step(job: Job, step: Step) -> None:
    """Record one step and renew the lease, both or neither. Raises Fenced."""
    kept, body = recording.keep_changes(step), recording.step_body(step)
    with transaction.atomic():
        touch(job.run_id)
        attempt = prove(job)
        if attempt.steps.filter(try_number=job.try_number, index=step.index).exists():
            return  # a repeat: the first one was committed, only its answer was lost
        recording.save_step(attempt, step, body, kept)
        attempt.turns = step.index
        attempt.save(update_fields=["turns"])


def record_result(job: Job, result: AttemptResult) -> None:
    """Hand back how the try ended; the attempt that finds none open closes its run.

    A verdict seals the attempt. A void try goes back to the queue after a pause, three times at
    most, unless trying again cannot help. Raises Fenced.
    """
    kept = recording.keep_outputs(result.harvest)
    with transaction.atomic():
        run = touch(job.run_id)
        attempt = prove(job)
        if result.outcome is Outcome.CANCELLED and not run.cancel_requested:
            put_back(attempt, "the worker is stopping")
            return
        note_environment(run, result)
        recording.copy_figures(attempt, result)
        recording.save_artifacts(attempt, Artifact.Role.OUTPUT, kept)
        recording.save_refused(attempt, result.harvest)
        if result.verdict is None:
            end_void(run, attempt, result.outcome, result.problem or UNEXPLAINED)
        else:
            seal(run, attempt, result, result.verdict)
        settle(run)
    conclude_safely(job.attempt_id)
    ask_safely([job.attempt_id])


def release(job: Job) -> None:
    """Give the attempt back: its worker is stopping. This is no void try."""
    with transaction.atomic():
        touch(job.run_id)
        try:
            put_back(prove(job), "the worker is stopping")
        except Fenced:
            log.info("run=%s attempt=%s was taken over", job.run_id, job.attempt_id)


def seal(run: Run, attempt: Attempt, result: AttemptResult, verdict: Verdict) -> None:
    """The attempt has its verdict: it is never played again."""
    recording.save_verdict(attempt, verdict)
    attempt.passed = verdict.passed
    attempt.sentence = recording.clean(verdict.sentence)
    note_problem(attempt, result.problem)
    end(attempt, Status.DONE, result.outcome)
    if run.endpoint_failures:
        run.endpoint_failures = 0
        run.save(update_fields=["endpoint_failures"])


def note_environment(run: Run, result: AttemptResult) -> None:
    """The first result says what the run is played in, and each one which models replied."""
    noted = note_models(run.environment or result.environment, result.environment)
    if noted != run.environment:
        run.environment = noted
        run.save(update_fields=["environment"])


def sweep() -> Swept:
    """Take back what dead workers held, close what is over, wake workers for what is ready.

    Boards whose runs changed are placed again, last of all: that may take seconds.
    """
    mend_times(clock.now())
    expired = Attempt.objects.expired(clock.now()).values_list("pk", "run_id")
    taken_back = sum(take_back(pk, run_id) for pk, run_id in list(expired))
    unclosed = list(Run.objects.without_open_attempt().values_list("pk", flat=True))
    for pk in unclosed:
        with transaction.atomic():
            settle(touch(pk))
    woken = sum(wake(pk) for pk in runs_with_room())
    checking.ask_again()
    conclude_missed()
    ask_safely()
    refresh_changed()
    return Swept(taken_back, len(unclosed), woken)


def ask_safely(attempt_ids: Iterable[int] | None = None) -> None:
    """Ask for pages that are to be drawn, of recent attempts if none are named.

    A picture that fails never costs a result.
    """
    try:
        for pk in pdf_pages.attempts_missing() if attempt_ids is None else attempt_ids:
            if pdf_pages.missing_of(pk):
                ask_for_pages(pk)
    except Exception:
        log.exception("pages of PDF files could not be asked for")


def ask_for_pages(attempt_id: int) -> None:
    transaction.on_commit(lambda: send_draw_pages(attempt_id))


@transaction.atomic
def take_back(attempt_id: int, run_id: int) -> bool:
    """Take an attempt from a worker that let its lease expire; False when it did not after all."""
    run = touch(run_id)
    attempt = Attempt.objects.expired(clock.now()).filter(pk=attempt_id).first()
    if attempt is None:
        return False
    end_void(run, attempt, Outcome.WORKER_LOST, WORKER_LOST)
    settle(run)
    Run.objects.filter(pk=run_id).update(woken_at=None)
    return True


def wake(run_id: int) -> bool:
    """Send a wake-up unless one was sent a moment ago; two sweepers send it once."""
    long_ago = clock.now() - timedelta(seconds=settings.QUEUE_WAKE_AGAIN_S)
    is_due = Q(woken_at=None) | Q(woken_at__lt=long_ago)
    due = Run.objects.filter(is_due, pk=run_id).update(woken_at=clock.now())
    if due:
        transaction.on_commit(lambda: send_wake_up(run_id))
    return bool(due)


def lease() -> timedelta:
    return timedelta(seconds=settings.QUEUE_LEASE_S)


def held(job: Job) -> AttemptQuerySet:
    return Attempt.objects.filter(pk=job.attempt_id, token=job.token, status=Status.RUNNING)


def prove(job: Job) -> Attempt:
    """The attempt, with its lease renewed, if the job's token is still good. Raises Fenced."""
    if not held(job).update(lease_until=clock.now() + lease()):
        raise Fenced(f"attempt {job.attempt_id} of run {job.run_id} belongs to somebody else now")
    return Attempt.objects.get(pk=job.attempt_id)
