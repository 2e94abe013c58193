"""Claims: an attempt that was sent to a worker becomes its own, with all that it needs to play it.

The attempt's row is locked first, and the run's row last and for a moment only. Whoever holds a
run's row never waits for the row of an attempt, so no two acts wait for each other.
"""

from __future__ import annotations

from django.db import transaction

from leaderboard.handoff.recordings import RECITED, read_recordings
from leaderboard.models import Attempt, Endpoint, Entry, Run, StatusChange, Suite
from leaderboard.models.querysets import OPEN, is_sent
from leaderboard.models.statements import Sql, get, insert, update
from leaderboard.queue import clock
from leaderboard.queue.transitions import bump, cancel_queued, give_up, move_run, touch
from leaderboard.storage import encryption
from leaderboard.submissions.endpoint_policy import submission_policy
from runner.contract import (
    ActionFormat,
    Ceiling,
    EndpointSpec,
    Job,
    Limits,
    ProblemError,
    RecordedPlay,
    Status,
)
from runner.endpoint.address_policy import check_url

UNASKED = (*RECITED, Entry.Provenance.HUMAN)  # in which no model may be asked


@transaction.atomic
def claim(attempt_id: int, token: str, worker: str) -> Job | None:
    """Take the attempt that was sent with this token; None if that was taken back meanwhile.

    A message that comes twice, or late, finds nothing.
    """
    sent = Attempt.objects.filter(is_sent(clock.later()), pk=attempt_id, token=token)
    attempt = sent.select_for_update(of=("self",)).select_related("task").first()
    if attempt is None:
        return None
    run = get(Run, id=attempt.run_id)
    if run.cancel_requested:
        cancel_queued(touch(run.pk))  # what was on its way as the run was cancelled
        return None
    run.suite, run.entry = get(Suite, id=run.suite_id), get(Entry, id=run.entry_id)
    run.entry.endpoint = get(Endpoint, entry=run.entry_id)
    try:
        endpoint = endpoint_of(run)
    except ProblemError as error:
        unsend(attempt_id, token)
        give_up(touch(run.pk), error.problem)
        return None
    if not bump(run.pk, cancel_requested=False, status=list(OPEN)):  # paused, or cancelled by now
        unsend(attempt_id, token)
        return None
    take(attempt, worker)
    if run.status == Status.QUEUED:
        start_if_first(run.pk)
    insert([diary_of(attempt, worker)])
    recordings = read_recordings(run, [attempt_id])
    return job_of(run, attempt, endpoint, recordings.get(attempt_id))


def unsend(attempt_id: int, token: str) -> None:
    """Leave an attempt that was sent to others: it is ready again."""
    where = {"id": attempt_id, "token": token, "status": Status.QUEUED}
    update(Attempt, {"lease_until": None}, where)


def take(attempt: Attempt, worker: str) -> None:
    columns = {
        "status": Status.RUNNING,
        "lease_until": clock.later_sql(clock.lease()),
        "tries": Sql("tries + 1"),
        "reply_chars": 0,
        "request_failures": 0,
        "request_failed": "",
        "turns": 0,  # of this try: recognises a step that is reported again
        "worker": worker[:120],
        "started_at": clock.later_sql(),
        "not_before": None,
    }
    update(Attempt, columns, {"id": attempt.pk})


def diary_of(attempt: Attempt, worker: str) -> StatusChange:
    return StatusChange(
        run_id=attempt.run_id,
        attempt_id=attempt.pk,
        before=Status.QUEUED,
        after=Status.RUNNING,
        reason=f"try {attempt.tries + 1} by {worker[:120]}",
    )


def start_if_first(run_id: int) -> None:
    """The first claim starts the run, whose row is ours by now."""
    run = get(Run, id=run_id)
    if run.status == Status.QUEUED:
        run.started_at = run.started_at or clock.now()
        move_run(run, Status.RUNNING, "first attempt claimed")


def job_of(
    run: Run, attempt: Attempt, endpoint: EndpointSpec, recording: RecordedPlay | None
) -> Job:
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
        try_number=attempt.tries + 1,
        suite_digest=run.suite.digest,
        ceiling=None if run.ceiling is None else Ceiling(**run.ceiling_prices),
        recording=recording,
        by_hand=run.entry.provenance == Entry.Provenance.HUMAN,
        lanes=run.concurrency,
        pace=name_pace(run.entry.owner_id, run.entry.endpoint.base_url),
    )


def name_pace(owner: int | None, base_url: str) -> str:
    """Name under which requests of an account to an address share a pace."""
    return f"{owner} {base_url}"


def endpoint_of(run: Run) -> EndpointSpec:
    """Endpoint settings of the run's entry, with its key.

    ProblemError when the key cannot be read, or the address could not be submitted any more: a row
    may be older than the rule, and its owner may have it played again at any time.
    """
    endpoint = run.entry.endpoint
    if run.entry.provenance in UNASKED and endpoint.is_nobody:
        return EndpointSpec(
            base_url=endpoint.base_url,
            model=run.entry.model_name,
            action_format=ActionFormat(run.entry.action_format),
        )
    if run.entry.owner_id:
        check_url(endpoint.base_url, submission_policy())
    return EndpointSpec(
        base_url=endpoint.base_url,
        model=run.entry.model_name,
        api_key=encryption.decrypt(endpoint.encrypted_key),
        action_format=ActionFormat(run.entry.action_format),
        extra_body=encryption.decrypt_object(endpoint.encrypted_extra),
        extra_headers=encryption.decrypt_headers(endpoint.encrypted_headers),
        # Of `start_run` before it took a temperature: 0 was sent, and no sampling was kept.
        **{"temperature": 0.0, **run.sampling},
    )
