"""Claims: which attempts a worker gets, and all that it needs to play them.

The rows of the attempts are taken first, passing over those that somebody else is taking
(SKIP LOCKED, where the database has it); the run's row comes last and is held for a moment only.
Whoever holds a run's row never waits for the row of an attempt, so no two acts wait for each other.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Count, Exists, OuterRef

from leaderboard.handoff.recordings import RECITED, read_recordings
from leaderboard.models import Attempt, Endpoint, Entry, Run, StatusChange, Suite
from leaderboard.models.querysets import is_ready
from leaderboard.models.statements import Sql, count, get, insert, update
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
    Waiting,
)
from runner.endpoint.address_policy import check_url

UNASKED = (*RECITED, Entry.Provenance.HUMAN)  # in which no model may be asked
CLAIM_TRIES = 5  # while other workers take the same run's last room


@dataclass(frozen=True)
class Taken:
    """An attempt as it was before it was claimed."""

    attempt_id: int
    task_key: str
    number: int
    tries: int


class TooMany(Exception):
    """The run allows fewer attempts in flight; `room` is how many more."""

    def __init__(self, room: int) -> None:
        super().__init__(room)
        self.room = room


class Moved(Exception):
    """The run was started, cancelled or closed in the meantime."""


def claim(run_id: int | None, limit: int, worker: str) -> list[Job]:
    """Take up to `limit` attempts of one run, or of any run, for `worker`."""
    jobs: list[Job] = []
    for pk in runs_with_room() if run_id is None else [run_id]:
        if len(jobs) < limit and may_have_ready(pk):
            jobs += claim_of_run(pk, limit - len(jobs), worker)
    return jobs


def may_have_ready(run_id: int) -> bool:
    """Look first where a transaction would keep every other writer waiting."""
    if connection.features.has_select_for_update:
        return True
    return Attempt.objects.claimable(clock.now()).filter(run=run_id).exists()


def runs_with_room() -> list[int]:
    """Runs that have a claimable attempt and fewer in flight than they allow."""
    return [run.pk for run in with_room()]


def with_room() -> list[Run]:
    in_flight = dict(
        Attempt.objects.filter(status=Status.RUNNING, run__in=Run.objects.open().values("pk"))
        .values_list("run")
        .annotate(count=Count("pk"))
        .order_by()
    )
    ready = Attempt.objects.filter(is_ready(clock.now()), run=OuterRef("pk"))
    runs = (
        Run.objects.open()
        .filter(Exists(ready), cancel_requested=False)
        .select_related("entry__endpoint")
        .only("concurrency", "entry__owner", "entry__endpoint__base_url")
        .order_by("pk")
    )
    return [run for run in runs if in_flight.get(run.pk, 0) < run.concurrency]


def waiting() -> list[Waiting]:
    """The runs that a worker with free places may play."""
    return [describe(run) for run in with_room()]


def waiting_run(run_id: int) -> Waiting | None:
    """The run as a worker sees it; None if it is over."""
    runs = Run.objects.open().filter(pk=run_id, cancel_requested=False)
    run = runs.select_related("entry__endpoint").first()
    return describe(run) if run else None


def describe(run: Run) -> Waiting:
    """Runs of one owner share an account, and at one address a pace; those without an owner are
    the operator's, and share one too: however many they are, they crowd out nobody."""
    owner = run.entry.owner_id
    return Waiting(
        run_id=run.pk,
        lanes=run.concurrency,
        endpoint=name_pace(owner, run.entry.endpoint.base_url),
        account=f"account {owner or 'of the operator'}",
    )


def name_pace(owner: int | None, base_url: str) -> str:
    """Name under which requests of an account to an address share a pace."""
    return f"{owner} {base_url}"


def claim_of_run(run_id: int, limit: int, worker: str) -> list[Job]:
    for _ in range(CLAIM_TRIES):
        try:
            return try_claim(run_id, limit, worker) if limit > 0 else []
        except TooMany as too_many:
            limit = too_many.room
        except Moved:
            continue
    return []


@transaction.atomic
def try_claim(run_id: int, limit: int, worker: str) -> list[Job]:
    """One round. Raises TooMany or Moved, with nothing taken."""
    run = get(Run, id=run_id)
    if run.is_over or not run.is_played or run.is_paused:
        return []
    if run.cancel_requested:
        cancel_queued(touch(run_id))  # what was being claimed as the run was cancelled
        return []
    run.suite, run.entry = get(Suite, id=run.suite_id), get(Entry, id=run.entry_id)
    run.entry.endpoint = get(Endpoint, entry=run.entry_id)
    try:
        endpoint = endpoint_of(run)
    except ProblemError as error:
        give_up(touch(run_id), error.problem)
        return []
    taken = lock_ready(run_id, limit)
    if not taken:
        return []
    token = uuid.uuid4()
    take([attempt.attempt_id for attempt in taken], token, worker)
    if not bump(run_id, cancel_requested=False, status=run.status):
        raise Moved
    room = run.concurrency - in_flight_of(run_id)  # now that nobody else claims of this run
    if room < 0:
        raise TooMany(len(taken) + room)
    if run.status == Status.QUEUED:
        start(run)
    changes = [
        StatusChange(
            run_id=run_id,
            attempt_id=attempt.attempt_id,
            before=Status.QUEUED,
            after=Status.RUNNING,
            reason=f"try {attempt.tries + 1} by {worker[:120]}",
        )
        for attempt in taken
    ]
    insert(changes)
    recordings = read_recordings(run, [attempt.attempt_id for attempt in taken])
    return [
        job_of(run, attempt, token, endpoint, recordings.get(attempt.attempt_id))
        for attempt in taken
    ]


def in_flight_of(run_id: int) -> int:
    return count(Attempt, {"run": run_id, "status": Status.RUNNING})


def lock_ready(run_id: int, limit: int) -> list[Taken]:
    """The next claimable attempts that nobody else is taking, ours until the transaction ends."""
    ready = Attempt.objects.claimable(clock.later()).filter(run=run_id).order_by("pk")
    rows = ready.select_for_update(skip_locked=True, of=("self",)).select_related("task")
    rows = rows.only("number", "tries", "task__key")
    return [Taken(row.pk, row.task.key, row.number, row.tries) for row in rows[:limit]]


def take(ids: Sequence[int], token: uuid.UUID, worker: str) -> None:
    columns = {
        "status": Status.RUNNING,
        "token": token,
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
    update(Attempt, columns, {"id": list(ids)})


def start(run: Run) -> None:
    """The first claim starts the run."""
    run.started_at = run.started_at or clock.now()
    move_run(run, Status.RUNNING, "first attempt claimed")


def job_of(
    run: Run,
    taken: Taken,
    token: uuid.UUID,
    endpoint: EndpointSpec,
    recording: RecordedPlay | None = None,
) -> Job:
    return Job(
        attempt_id=taken.attempt_id,
        token=str(token),
        suite=run.suite.name,
        task_key=taken.task_key,
        seed=run.seed,
        number=taken.number,
        endpoint=endpoint,
        limits=Limits(**run.limits),
        run_id=run.pk,
        try_number=taken.tries + 1,
        suite_digest=run.suite.digest,
        ceiling=None if run.ceiling is None else Ceiling(**run.ceiling_prices),
        recording=recording,
        by_hand=run.entry.provenance == Entry.Provenance.HUMAN,
    )


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
