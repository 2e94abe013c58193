"""How attempts and runs move from status to status: every move is a row of the diary."""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.conf import settings
from django.db.models import F, Q

from leaderboard import clock
from leaderboard.models import Attempt, Run, StatusChange
from leaderboard.recording import clean
from leaderboard.summaries import summarise
from runner.contract import Outcome, Problem, Status

VOID_RETRIES = 3  # a void attempt is tried at most so many times more
PERMANENT_WEIGHT = 3  # of an endpoint failure that a retry cannot mend; another one weighs 1
GIVE_UP_WEIGHT = 9  # of endpoint failures in a row: the rest of the run is not tried

# Problems that meet the next try as well, as `runner.refusals` calls them.
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
        "address_not_public",
        "url_host",
        "url_port",
        "url_scheme",
        "key_unreadable",
        "suite_changed",
    }
)


def touch(run_id: int) -> Run:
    """The run, whose row is ours until the transaction ends. Every act on a run starts here."""
    Run.objects.filter(pk=run_id).update(sequence=F("sequence") + 1)
    run: Run = Run.objects.select_related("entry__endpoint", "suite").get(pk=run_id)
    return run


def end_void(run: Run, attempt: Attempt, outcome: Outcome, problem: Problem) -> None:
    """A try that says nothing about the model: again after a pause, or over as void."""
    is_news = not has_failed_since_claim(run, attempt)
    note_problem(attempt, problem)
    attempt.void_tries += 1
    may_help = problem.code not in PERMANENT
    if run.cancel_requested:
        end(attempt, Status.CANCELLED, Outcome.CANCELLED)
    elif may_help and attempt.void_tries <= VOID_RETRIES:
        attempt.not_before = clock.now() + pause(attempt.void_tries)
        put_back(attempt, f"{outcome}: {problem.code}")
    else:
        end(attempt, Status.DONE, outcome)
    if outcome is Outcome.ENDPOINT_FAILED:
        count_endpoint_failure(run, problem, may_help, is_news)


def has_failed_since_claim(run: Run, attempt: Attempt) -> bool:
    """Whether the endpoint failed another attempt while this one was under way.

    The diary tells it: the acts on one run follow each other, so its ids are in their order.
    """
    claims = run.status_changes.filter(attempt=attempt, after=Status.RUNNING)
    since = claims.order_by("-pk").values_list("pk", flat=True).first() or 0
    failures = run.status_changes.filter(pk__gt=since, reason__startswith=Outcome.ENDPOINT_FAILED)
    return failures.exists()


def pause(failures: int) -> timedelta:
    """How long to wait after so many failures in a row."""
    pauses_s = settings.QUEUE_BACKOFF_S
    return timedelta(seconds=pauses_s[min(failures, len(pauses_s)) - 1])


def count_endpoint_failure(run: Run, problem: Problem, may_help: bool, is_news: bool) -> None:
    """After enough failures in a row leave the endpoint alone; until then let it rest.

    `may_help` says that trying again may: a refused key needs no rest, and is soon given up.
    However many attempts were under way when an endpoint went away, it went away once: of those
    only the first `is_news`.
    """
    run.endpoint_failures += int(is_news) if may_help else PERMANENT_WEIGHT
    run.save(update_fields=["endpoint_failures"])
    if run.endpoint_failures >= GIVE_UP_WEIGHT:
        give_up(run, problem)
    elif may_help:
        until = clock.now() + pause(run.endpoint_failures)
        earlier = Q(not_before=None) | Q(not_before__lt=until)
        run.attempts.filter(earlier, status=Status.QUEUED).update(not_before=until)


def give_up(run: Run, problem: Problem) -> None:
    """End what is still queued as void, with the sentence that says why."""
    for attempt in run.attempts.filter(status=Status.QUEUED):
        note_problem(attempt, problem)
        end(attempt, Status.DONE, Outcome.ENDPOINT_FAILED)
    settle(run)


def settle(run: Run) -> None:
    """Rebuild the run's figures, and close it when no attempt is open."""
    summarise(run)
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
    attempt.fault = problem.fault if problem else ""
    attempt.problem_code = problem.code if problem else ""
    attempt.problem = clean(problem.what) if problem else ""
    attempt.next_step = clean(problem.next_step) if problem else ""
