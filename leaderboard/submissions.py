"""What a submitter can do: register an endpoint; start, cancel, retry, publish, withdraw a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from leaderboard import checking, handoff, keys
from leaderboard.models import Attempt, Endpoint, Entry, Run, StatusChange, Suite
from leaderboard.summaries import summarise
from leaderboard.transitions import end, move_run, put_back, settle, touch
from runner.contract import (
    ActionFormat,
    Fault,
    Limits,
    Outcome,
    Problem,
    ProblemError,
    Status,
)

MAX_ATTEMPTS_PER_TASK = 16
MAX_CONCURRENCY = 64
MAX_SEED = 2**63 - 1  # what the database can hold


def refuse(code: str, what: str, next_step: str) -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, code, what, next_step))


@transaction.atomic
def register(
    *,
    name: str,
    base_url: str,
    model: str,
    api_key: str = "",
    action_format: ActionFormat = ActionFormat.FENCED,
    sampling: Mapping[str, Any] | None = None,
    provenance: str = Entry.Provenance.RUN_HERE,
) -> Entry:
    """The entry called `name`, reached as said from now on; its key is stored encrypted."""
    if not base_url.startswith(("http://", "https://")):
        raise refuse(
            "bad_base_url",
            f"“{base_url}” is no address of an endpoint.",
            "Give one that starts with http:// or https://, such as http://127.0.0.1:8000/v1.",
        )
    slug = slugify(name)[:80] or "entry"
    entry, _ = Entry.objects.update_or_create(
        slug=slug,
        defaults={
            "name": name,
            "model_name": model,
            "action_format": action_format,
            "sampling": dict(sampling or {}),
            "provenance": provenance,
        },
    )
    Endpoint.objects.update_or_create(
        entry=entry, defaults={"base_url": base_url, "encrypted_key": keys.encrypt(api_key)}
    )
    return entry


@transaction.atomic
def start(
    entry: Entry,
    suite: Suite,
    *,
    seed: int | None = None,
    attempts_per_task: int = 1,
    concurrency: int = 2,
    limits: Limits | None = None,
    is_public: bool = True,
    tasks: Iterable[str] = (),
    is_checked: bool = True,
) -> Run:
    """Queue a run of `entry` on `suite`: one attempt per task and number, and a wake-up.

    `tasks` keeps to the tasks with these keys. One that is not checked has no attempts and is
    seen by nobody else, until its preflight passed. ProblemError when the entry has no endpoint, a
    task is unknown, or a number is out of bounds.
    """
    if not Endpoint.objects.filter(entry=entry).exists():
        raise refuse("no_endpoint", f"“{entry.name}” has no endpoint.", "Register one first.")
    bounded("attempts per task", attempts_per_task, MAX_ATTEMPTS_PER_TASK)
    bounded("concurrency", concurrency, MAX_CONCURRENCY)
    if seed is not None:
        bounded("the seed", seed, MAX_SEED, least=0)
    run = Run.objects.create(
        entry=entry,
        suite=suite,
        seed=suite.seed if seed is None else seed,
        attempts_per_task=attempts_per_task,
        concurrency=concurrency,
        limits=asdict(limits) if limits else suite.limits,
        is_public=is_public and is_checked,
        is_public_later=is_public and not is_checked,
        status=Status.QUEUED if is_checked else Status.CHECKING,
    )
    if not is_checked:
        StatusChange.objects.create(run=run, after=Status.CHECKING, reason="submitted")
        checking.ask(run.pk)
        return run
    Attempt.objects.bulk_create(attempts_of(run, set(tasks)))
    StatusChange.objects.create(run=run, after=Status.QUEUED, reason="submitted")
    summarise(run)
    handoff.enqueue(run.pk)
    return run


def bounded(what: str, value: int, most: int, least: int = 1) -> None:
    if not least <= value <= most:
        raise refuse(
            "out_of_bounds", f"{value} is out of bounds for {what}.", f"Give {least} to {most}."
        )


def attempts_of(run: Run, wanted: set[str]) -> list[Attempt]:
    """One attempt per task and number, in the order they are to be played."""
    tasks = [t for t in run.suite.tasks.all() if not wanted or t.key in wanted]
    unknown = wanted - {t.key for t in tasks}
    if unknown or not tasks:
        raise refuse(
            "unknown_task",
            f"Suite {run.suite} has no task “{', '.join(sorted(unknown))}”.",
            "Its tasks are listed on the suite's page.",
        )
    return [
        Attempt(run=run, task=task, number=number, category=task.category)
        for number in range(1, run.attempts_per_task + 1)
        for task in tasks
    ]


@transaction.atomic
def cancel(run_id: int, reason: str = "cancelled by its owner") -> Run:
    """Stop a run: queued attempts at once, running ones within seconds; results stay."""
    run = touch(run_id)
    if run.is_over or run.cancel_requested:
        return run
    run.cancel_requested = True
    run.save(update_fields=["cancel_requested"])
    StatusChange.objects.create(run=run, before=run.status, after=run.status, reason=reason)
    for attempt in run.attempts.filter(status=Status.QUEUED):
        end(attempt, Status.CANCELLED, Outcome.CANCELLED)
    settle(run)
    return run


@transaction.atomic
def retry(run_id: int, reason: str = "tried again by its owner") -> Run:
    """Queue the void attempts of a run again; what has a verdict stays as it is.

    ProblemError when the run was cancelled or no attempt is void.
    """
    run = touch(run_id)
    if run.cancel_requested:
        raise refuse(
            "run_cancelled", "This run was cancelled.", "Submit the endpoint again for a new one."
        )
    void = [a for a in run.attempts.filter(status=Status.DONE) if a.is_void]
    if not void:
        raise refuse(
            "nothing_void", "No attempt of this run is void.", "There is nothing to try again."
        )
    for attempt in void:
        attempt.outcome, attempt.finished_at = "", None
        attempt.void_tries, attempt.not_before = 0, None
        put_back(attempt, reason)
    run.endpoint_failures = 0
    run.save(update_fields=["endpoint_failures"])
    if run.is_over:
        run.finished_at = None
        move_run(run, Status.QUEUED, reason)
    summarise(run)
    handoff.enqueue(run.pk)
    return run


@transaction.atomic
def publish(run_id: int) -> Run:
    """Show the run to everybody; on the board it is ranked once it is complete.

    One that waits for its preflight is shown when that passed. ProblemError for a refused one.
    """
    run = touch(run_id)
    if run.status == Status.REFUSED:
        raise refuse(
            "run_refused", f"Its preflight refused this run. {run.refusal}", "Submit it again."
        )
    if run.status == Status.CHECKING:
        return show_later(run, True)
    if not run.is_public:
        run.is_public, run.published_at, run.withdrawn_at = True, timezone.now(), None
        show(run, "published by its owner")
    return run


@transaction.atomic
def withdraw(run_id: int) -> Run:
    """Take the run from the board and from everybody else's sight; its owner keeps it."""
    run = touch(run_id)
    if run.status == Status.CHECKING:
        return show_later(run, False)
    if run.is_public:
        run.is_public, run.withdrawn_at = False, timezone.now()
        show(run, "withdrawn by its owner")
    return run


def show_later(run: Run, is_public: bool) -> Run:
    run.is_public_later = is_public
    run.save(update_fields=["is_public_later"])
    return run


def show(run: Run, reason: str) -> None:
    run.save(update_fields=["is_public", "published_at", "withdrawn_at"])
    StatusChange.objects.create(run=run, before=run.status, after=run.status, reason=reason)
