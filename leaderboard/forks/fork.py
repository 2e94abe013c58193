"""Forks: private runs of one attempt, which play kept steps again before anything new."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from leaderboard.accounts import quotas
from leaderboard.forks.plan import (
    ForkPlan,
    compose,
    read_steps,
    require_forkable,
    require_replies_left,
)
from leaderboard.models import (
    NO_ENDPOINT,
    AccountUse,
    Attempt,
    Endpoint,
    Entry,
    RecordedAttempt,
    clean,
    pack,
    unpack,
)
from leaderboard.storage import encryption
from leaderboard.submissions.endpoint_policy import submission_policy
from leaderboard.submissions.run_actions import start
from leaderboard.submissions.submission import require_sendable
from runner.contract import Limits, refusal
from runner.endpoint.address_policy import check_url

WHAT = (
    "Steps of another attempt were played again here, and it was carried on from there by hand. "
    "It is never ranked and counts in no rate."
)


@transaction.atomic
def fork_attempt(owner: AbstractBaseUser, attempt: Attempt, plan: ForkPlan) -> Attempt:
    """Queue the fork of `attempt`; it counts as a submission of `owner`. Raises ProblemError."""
    use = quotas.use(owner, AccountUse.Kind.SUBMISSION)
    require_forkable(attempt)
    require_replies_left(plan, Limits(**attempt.run.limits))
    opening, closing = unpack(attempt.opening), unpack(attempt.closing)
    body = compose(plan, read_steps(attempt), closing.get("answer"))
    body["messages"] = opening.get("messages") or []
    entry = write_entry(owner, attempt, plan)
    write_endpoint(entry, attempt, plan)
    run = start(
        entry,
        attempt.run.suite,
        seed=attempt.run.seed,
        concurrency=1,
        limits=Limits(**attempt.run.limits),
        is_public=False,
        tasks={attempt.task.key},
    )
    quotas.note_run(use, run)
    if not plan.asks:
        run.provider = ""
        run.save(update_fields=["provider"])
    fork: Attempt = run.attempts.select_related("run__entry", "task__suite").get()
    RecordedAttempt.objects.create(
        attempt=fork, body=pack(body), parent=attempt, after_step=plan.step, then=plan.after
    )
    return fork


def write_entry(owner: AbstractBaseUser, attempt: Attempt, plan: ForkPlan) -> Entry:
    parent = attempt.run.entry
    entry: Entry = Entry.objects.create(
        slug=f"fork-{secrets.token_hex(12)}",
        name=clean(f"{parent.name[:160]} (carried on from step {plan.step})", 200),
        model_name=plan.model if plan.asks else parent.model_name,
        action_format=parent.action_format,
        sampling=parent.sampling,
        provenance=Entry.Provenance.FORKED,
        description=WHAT,
        owner_id=owner.pk,
    )
    return entry


def write_endpoint(entry: Entry, attempt: Attempt, plan: ForkPlan) -> None:
    """The endpoint that is asked; key, extra fields and headers are never another address's."""
    if not plan.asks:
        Endpoint.objects.create(entry=entry, base_url=NO_ENDPOINT)
        return
    if not plan.base_url or not plan.model:
        raise refusal("no_endpoint", "No endpoint and model were named.", "Name both.")
    base_url = check_url(plan.base_url, submission_policy())
    require_sendable(plan.api_key)
    columns: dict[str, Any] = {"encrypted_key": encryption.encrypt(plan.api_key)}
    known = Endpoint.objects.filter(entry=attempt.run.entry_id, base_url=base_url).first()
    if known is not None:
        columns = {
            "encrypted_key": columns["encrypted_key"] if plan.api_key else known.encrypted_key,
            "encrypted_extra": known.encrypted_extra,
            "encrypted_headers": known.encrypted_headers,
        }
        entry.extra_fields = attempt.run.entry.extra_fields
        entry.extra_headers = attempt.run.entry.extra_headers
        entry.save(update_fields=["extra_fields", "extra_headers"])
    Endpoint.objects.create(entry=entry, base_url=base_url, **columns)
