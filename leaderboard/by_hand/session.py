"""Sessions: a task is opened, replies are typed one at a time, and the check follows.

The kernel lives on a worker, which waits for the next reply as it would for a model's. Replies are
rows: a worker that takes the attempt over gets them again from the first, and so has the same
state. To rebuild that state for each reply instead would run every cell again each time.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from leaderboard.accounts import quotas
from leaderboard.ledger.public_names import public_name
from leaderboard.models import (
    NO_ENDPOINT,
    AccountUse,
    Attempt,
    Endpoint,
    Entry,
    Run,
    Suite,
    Task,
    TypedText,
    clean,
)
from leaderboard.models.querysets import OPEN
from leaderboard.submissions.run_actions import add_task, start
from runner.contract import ActionFormat, Fault, Limits, Problem, Status, refusal

SESSION_OPEN = Problem(
    Fault.SUBMITTER, "session_open", "You have an open session.", "End it before another one."
)


@dataclass(frozen=True)
class HandSession:
    """An open session as its page shows it."""

    index: int  # of the next reply, from 1
    most: int  # replies of an attempt
    is_waiting: bool  # for a worker, or for the cell that was typed last
    ends_at: datetime | None  # None until a worker has it

    @property
    def is_last(self) -> bool:
        return self.index == self.most


def sessions_of(owner: AbstractBaseUser) -> Any:
    human = Entry.Provenance.HUMAN
    return Attempt.objects.filter(run__entry__owner_id=owner.pk, run__entry__provenance=human)


@transaction.atomic
def open_session(owner: AbstractBaseUser, task: Task) -> Attempt:
    """Queue an attempt at the task for its owner to play. ProblemError when it cannot be.

    It joins the owner's latest run on the suite if that has no attempt at the task, so that a run
    may grow to the whole suite.
    """
    require_room(owner)
    require_playable(task.suite)
    quotas.use(owner, AccountUse.Kind.HAND_SESSION)
    run = find_run(owner, task)
    if run is not None:
        return add_task(run.pk, task)
    entry = find_entry(owner)
    limit_s = 60.0 * settings.HAND_MINUTES
    limits = Limits(**task.suite.limits)
    run = start(
        entry,
        task.suite,
        concurrency=1,
        limits=replace(limits, attempt_timeout_s=limit_s, reply_timeout_s=limit_s),
        is_public=False,
        tasks={task.key},
    )
    run.provider = ""
    run.save(update_fields=["provider"])
    made: Attempt = run.attempts.select_related("task").get()
    return made


def require_room(owner: AbstractBaseUser) -> None:
    """ProblemError for a second session at once, or while as many people play as may."""
    quotas.require_fewer(owner, sessions_of(owner).open(), 1, SESSION_OPEN)
    # Whoever opens a session waits here for the others: a row that all of them share is locked.
    Suite.objects.select_for_update(no_key=True).earliest("pk")
    everybody = Attempt.objects.open().filter(run__entry__provenance=Entry.Provenance.HUMAN)
    if everybody.count() >= settings.HAND_SESSIONS:
        raise refusal(
            "no_session_free",
            f"{settings.HAND_SESSIONS} people play now, as many as may at once.",
            "Try again in a few minutes.",
        )


def require_playable(suite: Suite) -> None:
    newest = Suite.objects.shown().filter(name=suite.name).order_by("-pk").first()
    if suite.is_recorded or suite.is_private or newest != suite:
        raise refusal(
            "suite_not_playable",
            f"Suite {suite} cannot be played here.",
            "Choose a task of a suite that is installed.",
        )


def find_run(owner: AbstractBaseUser, task: Task) -> Run | None:
    """The owner's latest run by hand, if it can take the task."""
    rows = Run.objects.filter(
        entry__owner_id=owner.pk,
        entry__provenance=Entry.Provenance.HUMAN,
        suite=task.suite,
        seed=task.suite.seed,
        status=Status.DONE,
        cancel_requested=False,
    )
    run: Run | None = rows.order_by("-pk").first()
    return None if run is None or run.attempts.filter(task=task).exists() else run


def find_entry(user: Any) -> Entry:
    """The entry of a person: one of an account."""
    human = Entry.Provenance.HUMAN
    known: Entry | None = Entry.objects.filter(owner_id=user.pk, provenance=human).first()
    if known is not None:
        return known
    entry: Entry = Entry.objects.create(
        slug=f"by-hand-{secrets.token_hex(8)}",
        name=clean(f"{public_name(user).capitalize()} (by hand)", 200),
        model_name="a person",
        action_format=ActionFormat.TOOLS,
        provenance=human,
        description="A person typed the cells, in the same kernel and limits but for the time.",
        owner_id=user.pk,
    )
    Endpoint.objects.create(entry=entry, base_url=NO_ENDPOINT)
    return entry


@transaction.atomic
def type_reply(attempt_id: int, index: int, text: str, is_answer: bool) -> None:
    """Keep reply number `index` of an open session. ProblemError where it is not awaited."""
    attempt = (
        Attempt.objects.select_for_update(of=("self",))
        .select_related("run__entry")
        .get(pk=attempt_id)
    )
    session = session_of(attempt)
    if session is None:
        raise refusal("session_over", "This session is over.", "Its verdict is above.")
    if index != session.index:
        raise refusal(
            "typed_meanwhile",
            "Another reply was typed meanwhile, in another window or by another click.",
            "Look at what came of it, then send this one again.",
        )
    if session.is_waiting:
        raise refusal(
            "still_running", "The cell before this one is still running.", "Wait for its end."
        )
    TypedText.objects.create(attempt=attempt, index=index, text=clean(text), is_answer=is_answer)


def session_of(attempt: Attempt) -> HandSession | None:
    """The session of an attempt that a person plays; None if it is over, or a model's."""
    if attempt.run.entry.provenance != Entry.Provenance.HUMAN or attempt.status not in OPEN:
        return None
    typed = attempt.typed.count()
    is_running = attempt.status == Status.RUNNING
    done = attempt.steps.filter(try_number=attempt.tries).count() if is_running else 0
    limits = Limits(**attempt.run.limits)
    ends_at = None
    if is_running and attempt.started_at:
        ends_at = attempt.started_at + timedelta(seconds=limits.attempt_timeout_s)
    return HandSession(typed + 1, limits.max_turns, typed > done, ends_at)
