"""Moves attempts and runs from status to status: every move is a row of the diary."""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import F, Q, Sum
from django.utils import timezone

from leaderboard.models import Attempt, Run, StatusChange, Step, Suite, clean
from leaderboard.models.querysets import AttemptQuerySet
from leaderboard.models.statements import Sql, update
from leaderboard.queue import clock
from leaderboard.scoring.summaries import note_end, summarise
from runner.contract import HOST_LACKS, Fault, Outcome, Problem, Status

log = logging.getLogger(__name__)

CEILING_REACHED = "the ceiling is reached"
VOID_RETRIES = 3  # a void attempt is tried at most so many times more
PERMANENT_WEIGHT = 3  # of an endpoint failure that a retry cannot mend
HOST_WAIT = timedelta(days=1)  # for what the host lacks; `release_waiting` ends it
LACKS_SUITE = f"{HOST_LACKS}suite"
UNCOUNTED = {"is_filed": False, "is_sealed": False}
GIVE_UP_WEIGHT = 9  # of endpoint failures in a row: the rest of the run is not tried
AWAY_AT_MOST = timedelta(days=1)  # that is waited for an endpoint to come back
ENDPOINT_IS_BACK: dict[str, Sql] = {"away_since": Sql("NULL"), "endpoint_failures": Sql("0")}

# Problems of an endpoint that nobody reaches: it is waited for, where others count as failures.
AWAY = frozenset({"endpoint_unreachable", "endpoint_unresolved"})
# Problems that meet the next try as well, as `runner.endpoint.errors` calls them.
PERMANENT = frozenset(
    {
        "endpoint_bad_url",
        "endpoint_bad_key",
        "endpoint_unauthorised",
        "endpoint_forbidden",
        "endpoint_no_quota",
        "endpoint_redirect",
        "endpoint_not_found",
        "endpoint_unknown_model",
        "endpoint_bad_request",
        "endpoint_html",
        "endpoint_not_json",
        "endpoint_compressed",
        "endpoint_encoded",
        "endpoint_redirects",
        "endpoint_switches",
        "endpoint_slow",  # it had the attempt's whole time to reply
        "address_not_public",
        "url_host",
        "url_port",
        "url_scheme",
        "key_unreadable",
    }
)
HIDDEN = "…"
# An address of the web stays; a path in quotes may have spaces, another ends at the first.
PATH = re.compile(
    r"""https?://\S+|(?<=')/[^'\n]+|(?<=")/[^"\n]+|(?<=“)/[^”\n]+|(?<![\w/.])/[^\s'"“”(),;:]+"""
)


def bump(run_id: int, columns: Mapping[str, Sql] | None = None, **where: Any) -> bool:
    """Move the run's sequence if its columns have these values, and have the run filed anew.

    Sets other `columns` of its row on the way.

    Locks its row until the transaction ends. Each change that pages count goes through here
    (`leaderboard.scoring.filing`).
    """
    moved = {"sequence": Sql("sequence + 1"), **UNCOUNTED, **(columns or {})}
    return bool(update(Run, moved, {"id": run_id, **where}))


def touch(run_id: int) -> Run:
    """Lock a run's row until the transaction ends, and read it.

    Whoever holds it must not wait for the row of an attempt: lock attempts before, or pass over
    those that somebody else has locked (`lock_queued`).
    """
    bump(run_id)
    run: Run = Run.objects.select_related("entry__endpoint", "suite").get(pk=run_id)
    return run


def is_free(run_id: int) -> bool:
    """Lock a run's row unless somebody else holds it.

    A sweep passes over what a worker that stands still holds: PostgreSQL ends that session soon.
    """
    rows = Run.objects.filter(pk=run_id).select_for_update(skip_locked=True, no_key=True)
    return rows.values_list("pk", flat=True).first() is not None


def end_void(run: Run, attempt: Attempt, outcome: Outcome, problem: Problem) -> None:
    """A try that says nothing about the model: again after a pause, or over as void."""
    is_news = not has_failed_since_claim(run, attempt)
    note_problem(attempt, problem)
    if problem.fault is Fault.US:
        log.warning("run=%s attempt=%s void: %s", run.pk, attempt.pk, problem.what)
    waits_for_host = problem.code.startswith(HOST_LACKS)
    may_help = problem.code not in PERMANENT
    is_away = outcome is Outcome.ENDPOINT_FAILED and problem.code in AWAY
    # An endpoint that is away costs no attempt its tries, but for the one that found it out.
    attempt.void_tries += not (waits_for_host or (is_away and run.away_since))
    if run.cancel_requested:
        end(attempt, Status.CANCELLED, Outcome.CANCELLED)
        count_begun(run)
    elif waits_for_host:
        attempt.not_before = clock.now() + HOST_WAIT
        put_back(attempt, problem.code)
    elif may_help and attempt.void_tries <= VOID_RETRIES:
        attempt.not_before = clock.now() + pause(attempt.void_tries)
        put_back(attempt, f"{outcome}: {problem.code}")
    else:
        end(attempt, Status.DONE, outcome)
        note_end(run, attempt)
    if outcome is Outcome.ENDPOINT_FAILED:
        count_endpoint_failure(run, problem, may_help, is_news)


def release_waiting(tools: Iterable[str]) -> int:
    """Let attempts go on that wait for one of these tools; how many."""
    codes = [f"{HOST_LACKS}{tool}" for tool in tools]
    return (
        Attempt.objects.waiting_for_host()
        .filter(problem_code__in=codes)
        .update(not_before=None, **problem_columns(None))
    )


def list_suites_waited_for() -> list[tuple[str, str]]:
    """Names and digests of suites that attempts wait for."""
    waiting = Attempt.objects.waiting_for_host().filter(problem_code=LACKS_SUITE).order_by()
    return list(waiting.values_list("run__suite__name", "run__suite__digest").distinct())


def release_waiting_for_suite(digest: str) -> int:
    """Let attempts go on that wait for the suite with this digest; how many."""
    return (
        Attempt.objects.waiting_for_host()
        .filter(problem_code=LACKS_SUITE, run__suite__digest=digest)
        .update(not_before=None, **problem_columns(None))
    )


def has_failed_since_claim(run: Run, attempt: Attempt) -> bool:
    """True if the endpoint failed another attempt while this one was under way.

    The diary tells it: the acts on one run follow each other, so its ids are in their order.
    """
    claims = run.status_changes.filter(attempt=attempt, after=Status.RUNNING)
    since = claims.order_by("-pk").values_list("pk", flat=True).first() or 0
    failures = run.status_changes.filter(pk__gt=since, reason__startswith=Outcome.ENDPOINT_FAILED)
    return failures.exists()


def pause(failures: int) -> timedelta:
    """Pause after so many failures in a row."""
    pauses_s = settings.QUEUE_BACKOFF_S
    return timedelta(seconds=pauses_s[min(failures, len(pauses_s)) - 1])


def count_endpoint_failure(run: Run, problem: Problem, may_help: bool, is_news: bool) -> None:
    """Let the endpoint rest; give it up after enough failures in a row, or a day away.

    `may_help` says that trying again may: a refused key needs no rest, and is soon given up.
    However many attempts were under way when an endpoint went away, it went away once: of those
    only the first `is_news`.
    """
    now = clock.now()
    if problem.code in AWAY:
        run.away_since = run.away_since or now
        most = len(settings.QUEUE_BACKOFF_S)
        run.endpoint_failures = min(run.endpoint_failures + is_news, max(most, 1))
        is_hopeless = now - run.away_since > AWAY_AT_MOST
    else:
        run.away_since = None
        run.endpoint_failures += int(is_news) if may_help else PERMANENT_WEIGHT
        is_hopeless = run.endpoint_failures >= GIVE_UP_WEIGHT
    run.save(update_fields=["endpoint_failures", "away_since"])
    if is_hopeless:
        give_up(run, problem)
    elif may_help:
        until = now + pause(run.endpoint_failures)
        earlier = Q(not_before=None) | Q(not_before__lt=until)
        lock_queued(run).filter(earlier).update(not_before=until)


def give_up(run: Run, problem: Problem) -> None:
    """End what is still queued as void, with the sentence that says why."""
    move_many(
        run,
        lock_queued(run),
        (Status.QUEUED, Status.DONE, str(Outcome.ENDPOINT_FAILED)),
        outcome=Outcome.ENDPOINT_FAILED,
        finished_at=clock.now(),
        **problem_columns(problem),
    )
    settle(run)


def cancel_queued(run: Run) -> None:
    """End what is still queued of a cancelled run."""
    move_many(
        run,
        lock_queued(run),
        (Status.QUEUED, Status.CANCELLED, str(Outcome.CANCELLED)),
        outcome=Outcome.CANCELLED,
        finished_at=clock.now(),
    )
    count_begun(run)
    settle(run)


def count_begun(run: Run) -> None:
    """Give each cancelled attempt that was begun the tokens and times of its steps."""
    steps = Step.objects.filter(
        attempt__run=run,
        attempt__status=Status.CANCELLED,
        attempt__turns__gt=0,
        attempt__wall_s=0.0,
        try_number=F("attempt__tries"),
    )
    sums = (
        steps.order_by()
        .values("attempt")
        .annotate(
            prompt_tokens=Sum("prompt_tokens"),
            completion_tokens=Sum("completion_tokens"),
            model_s=Sum("model_s"),
            cell_s=Sum("cell_s"),
        )
    )
    for columns in sums:
        columns["wall_s"] = columns["model_s"] + columns["cell_s"]
        Attempt.objects.filter(pk=columns.pop("attempt")).update(**columns)


def lock_queued(run: Run) -> AttemptQuerySet:
    """The run's queued attempts without those that a worker is claiming at this moment."""
    queued = Attempt.objects.filter(run=run, status=Status.QUEUED)
    free = queued.select_for_update(skip_locked=True).values("pk")
    return Attempt.objects.filter(pk__in=free)


def move_many(
    run: Run, attempts: AttemptQuerySet, move: tuple[Status, Status, str], **columns: Any
) -> int:
    """Change the status of many attempts and write their diary: two statements whatever the size.

    `move` is (before, after, reason). The token that they share from now on tells which they were.
    """
    before, after, reason = move
    token = uuid.uuid4()
    moved = attempts.update(status=after, token=token, lease_until=None, **columns)
    if moved:
        write_diary(run, token, before, after, reason)
    return moved


def write_diary(run: Run, token: uuid.UUID, before: Status, after: Status, reason: str) -> None:
    """A row for each of the run's attempts that have this token."""
    quote = connection.ops.quote_name
    diary_table, attempts = quote(StatusChange._meta.db_table), quote(Attempt._meta.db_table)
    names = ", ".join(map(quote, ("run_id", "attempt_id", "before", "after", "reason", "at")))
    at = connection.ops.adapt_datetimefield_value(timezone.now())
    stored = [before.value, after.value, clean(reason, 300), at]
    shown = Attempt.token.field.get_db_prep_value(token, connection)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {diary_table} ({names}) SELECT run_id, id, %s, %s, %s, %s "
            f"FROM {attempts} WHERE run_id = %s AND token = %s ORDER BY id",
            [*stored, run.pk, shown],
        )


def settle(run: Run) -> None:
    """Rebuild the run's figures, and close it when no attempt is open."""
    summarise(run)
    close_if_over(run)


def close_if_over(run: Run) -> None:
    """Close the run when no attempt is open."""
    if run.is_over or run.attempts.open().exists():
        return
    run.finished_at = clock.now()
    was_cancelled = run.attempts.filter(status=Status.CANCELLED).exists()
    was_cancelled = was_cancelled or run.status == Status.CHECKING  # it has no attempts yet
    move_run(run, Status.CANCELLED if was_cancelled else Status.DONE, "no attempt is open")


def end(attempt: Attempt, status: Status, outcome: Outcome) -> None:
    attempt.outcome = outcome
    attempt.finished_at = clock.now()
    move_attempt(attempt, status, str(outcome))


def put_back(attempt: Attempt, reason: str) -> None:
    """Back to the queue; what its tries left behind stays as evidence."""
    move_attempt(attempt, Status.QUEUED, reason)


def move_attempt(attempt: Attempt, status: Status, reason: str) -> None:
    """Change the status; the token of whoever held it is worthless from now on."""
    diary(attempt, Status(attempt.status), status, reason)
    attempt.status = status
    attempt.token = uuid.uuid4()
    attempt.lease_until = None
    attempt.save()


def move_run(run: Run, status: Status, reason: str) -> None:
    StatusChange.objects.create(run=run, before=run.status, after=status, reason=reason)
    if Status.PAUSED in (run.status, status):  # it counts beside its model's rank while it pauses
        Suite.objects.filter(pk=run.suite_id).update(changes=F("changes") + 1)
    run.status = status
    run.save(update_fields=["status", "started_at", "finished_at"])


def diary(attempt: Attempt, before: Status, after: Status, reason: str) -> None:
    StatusChange.objects.create(
        run_id=attempt.run_id,
        attempt=attempt,
        before=before,
        after=after,
        reason=clean(reason, 300),
    )


def note_problem(attempt: Attempt, problem: Problem | None) -> None:
    for name, value in problem_columns(problem).items():
        setattr(attempt, name, value)


def problem_columns(problem: Problem | None) -> dict[str, str]:
    """The columns of an attempt that say what went wrong."""
    if problem and problem.fault is Fault.US:  # in the words of the system, with its paths
        problem = replace(problem, what=hide_paths(problem.what))
    return {
        "fault": problem.fault if problem else "",
        "problem_code": problem.code if problem else "",
        "problem": clean(problem.what) if problem else "",
        "next_step": clean(problem.next_step) if problem else "",
    }


def hide_paths(text: str) -> str:
    """The text with an ellipsis in place of each absolute path."""
    return PATH.sub(lambda found: found[0] if found[0].startswith("http") else HIDDEN, text)
