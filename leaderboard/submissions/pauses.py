"""Pausing a run and resuming it, with the key that it has or with another one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, Sum
from django.utils import timezone

from leaderboard.accounts import quotas
from leaderboard.models import AccountUse, Run, StatusChange, Step
from leaderboard.money.ceiling import AskedCeiling, Stored, settle_on, use_of
from leaderboard.money.lookup import find_price
from leaderboard.queue import clock
from leaderboard.queue.messages import send_preflight_run
from leaderboard.queue.pauses import forget_new_key, unpause, without_key_check
from leaderboard.queue.transitions import move_run, touch
from leaderboard.storage import encryption
from leaderboard.submissions import run_actions
from leaderboard.submissions.submission import require_sendable
from runner.contract import Ceiling, Status, refusal
from runner.submission_fields import CONCURRENCY

PAUSED_BY_OWNER = "paused by its owner"
CHANGED_BY_OWNER = "changed by its owner"
SETTINGS = {
    "concurrency": "attempts in parallel",
    "max_tokens": "max tokens per reply",
    "stream": "streaming",
}


@transaction.atomic
def pause(run_id: int, reason: str = PAUSED_BY_OWNER) -> Run:
    """Play nothing more of a run until it is resumed; doing it twice is as doing it once.

    Workers give back within seconds what they hold of it: those attempts are played again, their
    steps so far stay as evidence. ProblemError for a run that is not in the queue.
    """
    run = touch(run_id)
    if run.is_paused:
        return run
    if run.cancel_requested or run.is_over or not run.is_played:
        raise refusal(
            "not_under_way",
            "This run is not in progress, so it cannot be paused.",
            "Only a run that is queued or running can be.",
        )
    # A key that was being checked when an earlier pause was cancelled must not end this one.
    run.endpoint_failures, run.away_since = 0, None
    run.save(update_fields=["endpoint_failures", "away_since"])
    forget_new_key(run)
    move_run(run, Status.PAUSED, reason)
    return run


@transaction.atomic
def resume(
    run_id: int,
    api_key: str = "",
    ceiling_tokens: int | None = None,
    ceiling_dollars: float | None = None,
    concurrency: int | None = None,
    max_tokens: int | None = None,
    stream: bool | None = None,
) -> Run:
    """Go on with a paused or a cancelled run, or one that stopped at its ceiling.

    A new key goes to the address that the run has, and to no other; it takes the old one's place
    once a worker has found that it works.
    A new ceiling takes the place of the old one. Attempts in parallel, the longest reply and
    streaming are from now on as given; None leaves them. ProblemError where nothing can be
    resumed, the key cannot be sent, or the ceiling is not above what the run has used.
    """
    run = touch(run_id)
    change_settings(run, concurrency, {"max_tokens": max_tokens, "stream": stream})
    if asked := AskedCeiling(ceiling_tokens, ceiling_dollars):
        change_ceiling(run, asked)
    if not api_key:
        return unpause(run) if run.is_paused else run_actions.resume(run_id)
    require_sendable(api_key)
    if not run.is_paused:
        raise refusal(
            "not_paused",
            "Only a paused run takes another key.",
            "Pause it first, or submit the endpoint with the new key.",
        )
    run.is_checking_key, run.encrypted_new_key = True, encryption.encrypt(api_key)
    run.preflight = without_key_check(run.preflight)
    run.save(update_fields=["is_checking_key", "encrypted_new_key", "preflight"])
    if run.entry.owner is not None:
        quotas.use(run.entry.owner, AccountUse.Kind.CHECK)
    ask_for_key_check(run.pk)
    return run


def change_settings(run: Run, concurrency: int | None, sampling: Mapping[str, Any]) -> None:
    """Give the rest of the run other settings, with a line in its diary; None leaves one as it is.

    A limit on replies that differs among attempts makes them incomparable: such a run has no rank.
    """
    before: dict[str, Any] = {"stream": True, **run.sampling, "concurrency": run.concurrency}
    wanted = {**sampling, "concurrency": concurrency}
    changed = {
        name: value
        for name, value in wanted.items()
        if value is not None and value != before.get(name)
    }
    if not changed:
        return
    if not run.is_paused and run.status != Status.CANCELLED:
        raise refusal(
            "not_paused", "Only a run that is not in progress can be changed.", "Pause it."
        )
    run.concurrency = changed.get("concurrency", run.concurrency)
    run_actions.bounded("concurrency", run.concurrency, CONCURRENCY)
    new = {name: value for name, value in changed.items() if name in sampling}
    run.changed_sampling = {**run.changed_sampling, **new}
    begun = Q(status=Status.DONE) | Exists(Step.objects.filter(attempt=OuterRef("pk")))
    if not run.attempts.filter(begun).exists():  # nothing was played with other ones
        usual = {"stream": True, **run.entry.sampling}
        run.changed_sampling = {
            name: value for name, value in run.changed_sampling.items() if value != usual.get(name)
        }
    run.save(update_fields=["concurrency", "changed_sampling"])
    words = [f"{SETTINGS[name]} {say(before.get(name))} → {say(changed[name])}" for name in changed]
    reason = f"{CHANGED_BY_OWNER}: {', '.join(words)}"
    StatusChange.objects.create(run=run, before=run.status, after=run.status, reason=reason)


def say(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return "not set" if value is None else str(value)


def list_changes(run: Run) -> list[StatusChange]:
    """The diary's lines on settings that were changed in pauses; one query where there are any."""
    if not run.changed_sampling:
        return []
    made = run.status_changes.filter(attempt=None, reason__startswith=CHANGED_BY_OWNER)
    return list(made.order_by("pk"))


def change_ceiling(run: Run, asked: AskedCeiling) -> None:
    """Give the run another ceiling, also in the other unit: what it has used is counted anew."""
    if not run.is_paused and run.status != Status.CANCELLED:
        raise refusal(
            "not_paused", "Only a run that is not in progress takes another ceiling.", "Pause it."
        )
    if run.attempts.filter(status=Status.RUNNING).exists():
        raise refusal(
            "still_stopping", "This run is still stopping.", "Try again in a few seconds."
        )
    price = find_price(run.provider, run.entry.model_name, timezone.now().date())
    stored = settle_on(asked, price, run.sampling.get("max_tokens"))
    assert stored.ceiling is not None
    if run.ceiling is None or bool(stored.prices) != bool(run.ceiling_prices):
        run.spent = count_spent(run, stored)
    elif stored.ceiling <= run.ceiling:
        run_actions.require_raised(run)
    run.ceiling, run.ceiling_prices = stored.ceiling, stored.prices or {}
    use = use_of(run)
    assert use is not None
    if use.spent >= use.ceiling:
        raise refusal(
            "ceiling_too_small", f"The run has used {use.words}.", "Give a ceiling above that."
        )
    run.reserved, run.reserved_until, run.stopped_for = 0, None, ""
    run.save(
        update_fields=["ceiling", "ceiling_prices", "spent", "reserved", "reserved_until",
                       "stopped_for"]
    )  # fmt: skip


def count_spent(run: Run, ceiling: Stored) -> int:
    """Use of every recorded reply, in the unit of the ceiling."""
    sums = Step.objects.filter(attempt__run=run).aggregate(
        sent=Sum("prompt_tokens"), said=Sum("completion_tokens")
    )
    prices = Ceiling(**(ceiling.prices or {}))
    return prices.price(sums["sent"] or 0, sums["said"] or 0)


def ask_for_key_check(run_id: int) -> None:
    """Ask a worker to check the new key once the transaction is committed."""
    Run.objects.filter(pk=run_id).update(woken_at=clock.now())
    transaction.on_commit(lambda: send_preflight_run(run_id))
