"""Actions of a submitter: register an endpoint; start, cancel, retry, publish, withdraw a run."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.text import slugify

from leaderboard.changes.note import note_withdrawn
from leaderboard.ledger.acts import enter_shown, enter_start
from leaderboard.models import (
    NO_ENDPOINT,
    Attempt,
    Endpoint,
    Entry,
    Run,
    RunLink,
    StatusChange,
    Suite,
    Task,
    clean,
)
from leaderboard.money.ceiling import Stored, use_of
from leaderboard.money.providers import provider_of
from leaderboard.queue.messages import ask_for_dispatch
from leaderboard.queue.transitions import (
    CEILING_REACHED,
    cancel_queued,
    move_many,
    move_run,
    problem_columns,
    touch,
)
from leaderboard.scoring.summaries import summarise
from leaderboard.storage import encryption
from leaderboard.submissions.endpoint_policy import is_scripted_address
from runner.contract import (
    ActionFormat,
    Limits,
    Status,
    refusal,
)
from runner.submission_fields import ATTEMPTS_PER_TASK, CONCURRENCY, NumberRange

BY_OWNER = "withdrawn by its owner"
PUBLISHED_BY_OWNER = "published by its owner"
NOTHING_USED: dict[str, Any] = {  # of an attempt that is played from its beginning
    **dict.fromkeys(("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens")),
    **dict.fromkeys(("model_s", "cell_s", "wall_s"), 0.0),
    "turns": 0,
}
CANCELLED_BY_OWNER = "cancelled by its owner"
MAX_PUBLICATIONS = 3  # of a run within a day: each stays in the ledger for ever
MAX_SEED = 2**63 - 1  # what the database can hold


@transaction.atomic
def register(
    *,
    name: str,
    base_url: str,
    model: str,
    api_key: str = "",
    action_format: ActionFormat = ActionFormat.FENCED,
    sampling: Mapping[str, Any] | None = None,
    provenance: str = "",
) -> Entry:
    """The entry called `name`, with `base_url` and its key (encrypted) from now on.

    Without a provenance it is scripted on the site's own scripted port, and run here elsewhere.
    """
    if not provenance:
        is_scripted = is_scripted_address(base_url)
        provenance = Entry.Provenance.SCRIPTED if is_scripted else Entry.Provenance.RUN_HERE
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
        entry=entry, defaults={"base_url": base_url, "encrypted_key": encryption.encrypt(api_key)}
    )
    return entry


def brought_entry(
    owner: AbstractBaseUser | None,
    provenance: Entry.Provenance,
    name: str,
    model: str,
    description: str,
) -> Entry:
    """An entry without an endpoint that is ever asked, under a name that nobody guesses."""
    entry = Entry.objects.create(
        slug=f"{provenance}-{secrets.token_hex(12)}",
        name=clean(f"{clean(name, 180)} ({provenance})", 200),
        model_name=clean(model, 300),
        provenance=provenance,
        description=description,
        owner_id=owner.pk if owner else None,
    )
    Endpoint.objects.create(entry=entry, base_url=NO_ENDPOINT)
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
    ceiling: Stored | None = None,
) -> Run:
    """Queue a run of `entry` on `suite`: one attempt per task and number, and a wake-up.

    `tasks` keeps to the tasks with these keys. One that is not checked has no attempts and is
    seen by nobody else until its preflight passed, for which the caller asks. ProblemError when
    the entry has no endpoint, a task is unknown, or a number is out of bounds.
    """
    endpoint = Endpoint.objects.filter(entry=entry).first()
    if endpoint is None:
        raise refusal("no_endpoint", f"“{entry.name}” has no endpoint.", "Register one first.")
    bounded("attempts per task", attempts_per_task, ATTEMPTS_PER_TASK)
    bounded("concurrency", concurrency, CONCURRENCY)
    if seed is not None:
        bounded("the seed", seed, NumberRange(0, MAX_SEED))
    run = Run.objects.create(
        entry=entry,
        suite=suite,
        provider=provider_of(endpoint.base_url),
        seed=suite.seed if seed is None else seed,
        attempts_per_task=attempts_per_task,
        concurrency=concurrency,
        limits=asdict(limits) if limits else suite.limits,
        is_public=is_public and is_checked,
        is_public_later=is_public and not is_checked,
        status=Status.QUEUED if is_checked else Status.CHECKING,
        **(ceiling or Stored()).columns,
    )
    enter_start(run, is_first=not Run.objects.filter(entry=entry).exclude(pk=run.pk).exists())
    if not is_checked:
        StatusChange.objects.create(run=run, after=Status.CHECKING, reason="submitted")
        return run
    Attempt.objects.bulk_create(attempts_of(run, set(tasks)))
    StatusChange.objects.create(run=run, after=Status.QUEUED, reason="submitted")
    summarise(run)
    ask_for_dispatch()
    return run


@transaction.atomic
def add_task(run_id: int, task: Task, reason: str = "another task") -> Attempt:
    """Queue an attempt at one more task of the run's suite; a run that is over goes on."""
    run = touch(run_id)
    attempt: Attempt = Attempt.objects.create(run=run, task=task, category=task.category)
    if run.is_over:
        reopen(run, reason)
    summarise(run)
    ask_for_dispatch()
    return attempt


def bounded(what: str, value: int, allowed: NumberRange[int]) -> None:
    if not allowed.least <= value <= allowed.most:
        raise refusal(
            "out_of_bounds",
            f"{value} is out of bounds for {what}.",
            f"Give {allowed.least} to {allowed.most}.",
        )


def attempts_of(run: Run, wanted: set[str]) -> list[Attempt]:
    """One attempt per task and number, in the order they are to be played."""
    tasks = [t for t in run.suite.tasks.all() if not wanted or t.key in wanted]
    unknown = wanted - {t.key for t in tasks}
    if unknown or not tasks:
        raise refusal(
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
def cancel(run_id: int, reason: str = CANCELLED_BY_OWNER) -> Run:
    """Stop a run: queued attempts at once, running ones within seconds; results stay."""
    run = touch(run_id)
    if run.is_over or run.cancel_requested:
        return run
    run.cancel_requested = True
    run.save(update_fields=["cancel_requested"])
    StatusChange.objects.create(run=run, before=run.status, after=run.status, reason=reason)
    cancel_queued(run)
    return run


def reopen(run: Run, reason: str) -> None:
    """Queue a run that is over: its suite is counted without it, until it is over again."""
    run.finished_at = None
    Suite.objects.filter(pk=run.suite_id).update(changes=F("changes") + 1)
    move_run(run, Status.QUEUED, reason)


@transaction.atomic
def retry(run_id: int, reason: str = "tried again by its owner") -> Run:
    """Queue the void attempts of a run again; what has a verdict stays as it is.

    ProblemError when the run was cancelled or no attempt is void.
    """
    run = touch(run_id)
    if run.cancel_requested:
        require_raised(run)
        raise refusal(
            "run_cancelled", "This run was cancelled.", "Submit the endpoint again for a new one."
        )
    moved = move_many(
        run,
        Attempt.objects.filter(run=run).void(),
        (Status.DONE, Status.QUEUED, reason),
        outcome="",
        finished_at=None,
        void_tries=0,
        not_before=None,
        **NOTHING_USED,
    )
    if not moved:
        raise refusal(
            "nothing_void", "Every attempt of this run counted.", "Nothing needs to be tried again."
        )
    run.endpoint_failures, run.away_since = 0, None
    run.save(update_fields=["endpoint_failures", "away_since"])
    if run.is_over:
        reopen(run, reason)
    summarise(run)
    ask_for_dispatch()
    return run


@transaction.atomic
def resume(run_id: int, reason: str = "resumed by its owner") -> Run:
    """Queue what a cancelled run left unplayed; what has a verdict stays as it is.

    A run that goes on is left alone. ProblemError for one that is still stopping, was neither
    cancelled by its owner nor stopped at a ceiling that is higher now, or has nothing left to play.
    """
    run = touch(run_id)
    if not run.is_over and not run.cancel_requested:
        return run
    if not run.is_over:
        raise refusal(
            "still_stopping", "This run is still stopping.", "Try again in a few seconds."
        )
    require_raised(run)
    if run.status != Status.CANCELLED or not was_stopped_by_owner(run):
        raise refusal(
            "not_cancelled", "You did not cancel this run.", "Submit the endpoint for a new one."
        )
    moved = move_many(
        run,
        Attempt.objects.filter(run=run, status=Status.CANCELLED),
        (Status.CANCELLED, Status.QUEUED, reason),
        outcome="",
        finished_at=None,
        not_before=None,
        void_tries=0,
        **NOTHING_USED,
        **problem_columns(None),
    )
    if not moved:
        raise refusal(
            "nothing_open", "Nothing of this run is left to play.", "Submit it for a new one."
        )
    run.cancel_requested, run.endpoint_failures = False, 0
    run.save(update_fields=["cancel_requested", "endpoint_failures"])
    reopen(run, reason)
    summarise(run)
    ask_for_dispatch()
    return run


def was_stopped_by_owner(run: Run) -> bool:
    """True unless the run's last stop was an operator's."""
    is_stop = Q(reason__startswith="cancelled") | Q(reason=CEILING_REACHED)
    acts = run.status_changes.filter(is_stop, attempt=None).order_by("-pk")
    last = acts.values_list("reason", flat=True).first()
    return last in (CANCELLED_BY_OWNER, CEILING_REACHED)


def require_raised(run: Run) -> None:
    """ProblemError for a run that would stop at its ceiling again."""
    use = use_of(run)
    if use is not None and use.is_reached:
        raise refusal(
            "ceiling_reached",
            f"This run stopped at its ceiling: {use.words}.",
            "Resume it with a higher ceiling.",
        )


@transaction.atomic
def publish(run_id: int, reason: str = PUBLISHED_BY_OWNER, actor: str = "") -> Run:
    """Show the run to everybody; on the board it is ranked once it is complete.

    One that waits for its preflight is shown when that passed. `actor` is the public name of
    whoever does it, if that is not its owner. ProblemError for a refused one.
    """
    run = touch(run_id)
    if run.suite.is_private:
        raise refusal(
            "run_uploaded",
            "An upload stays private: nobody has checked its content.",
            "Share it by link, or execute it again here and publish that run.",
        )
    if run.entry.provenance == Entry.Provenance.FORKED:
        raise refusal(
            "run_forked",
            "A fork stays private: part of it was done by hand.",
            "Share it by link, or publish the run that it carries on.",
        )
    if run.status == Status.REFUSED:
        raise refusal(
            "run_refused", f"Its preflight refused this run. {run.refusal}", "Submit it again."
        )
    if run.status == Status.CHECKING:
        return show_later(run, True)
    if not run.is_public:
        if not actor:
            require_publications_left(run)
        run.is_public, run.published_at, run.withdrawn_at = True, timezone.now(), None
        RunLink.objects.filter(run=run).delete()  # it is for a private run
        show(run, reason, actor)
    return run


def require_publications_left(run: Run) -> None:
    within_a_day = run.status_changes.filter(
        reason=PUBLISHED_BY_OWNER, at__gt=timezone.now() - timedelta(days=1)
    )
    if within_a_day.count() >= MAX_PUBLICATIONS:
        raise refusal(
            "published_too_often",
            f"You published this run {MAX_PUBLICATIONS} times within a day.",
            "It stays private. Publish it again tomorrow, or share it by link.",
        )


@transaction.atomic
def withdraw(run_id: int, reason: str = BY_OWNER, actor: str = "") -> Run:
    """Take the run from the board and from everybody else's sight; its owner keeps it."""
    run = touch(run_id)
    if run.status == Status.CHECKING:
        return show_later(run, False)
    if run.is_public:
        run.is_public, run.withdrawn_at = False, timezone.now()
        show(run, reason, actor)
        note_withdrawn(run, is_by_owner=reason == BY_OWNER)
    return run


def show_later(run: Run, is_public: bool) -> Run:
    run.is_public_later = is_public
    run.save(update_fields=["is_public_later"])
    return run


def show(run: Run, reason: str, actor: str) -> None:
    run.save(update_fields=["is_public", "published_at", "withdrawn_at"])
    enter_shown(run, reason if not actor else f"by {actor}", actor)
    StatusChange.objects.create(run=run, before=run.status, after=run.status, reason=reason)
