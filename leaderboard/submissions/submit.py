"""Taking a submission from a person or a program: whose entry it is, and its run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.text import slugify

from leaderboard.accounts import quotas
from leaderboard.models import AccountUse, Endpoint, Entry, Run, Suite
from leaderboard.money.ceiling import settle_on
from leaderboard.money.lookup import find_price
from leaderboard.money.providers import provider_of
from leaderboard.queue import preflights
from leaderboard.storage import encryption
from leaderboard.submissions import run_actions
from leaderboard.submissions.endpoint_policy import submission_policy
from leaderboard.submissions.submission import Submission, require_sendable
from leaderboard.suites import seasons
from runner.contract import Fault, Problem, ProblemError, Status, refusal
from runner.endpoint.address_policy import check_url

MAX_SLUG_CHARS = 60
MAX_WAITING = 3  # for their preflight, of one account
UNDER_WAY = Problem(
    Fault.SUBMITTER,
    "checks_under_way",
    f"{MAX_WAITING} of your runs are waiting for their preflight.",
    "Submit this one when those are checked, about ten seconds each.",
)


@transaction.atomic
def submit(
    owner: AbstractBaseUser,
    submission: Submission,
    preflight: Mapping[str, Any] | None = None,
    *,
    is_checked: bool = True,
) -> Run:
    """Queue a run of what `owner` submits. ProblemError when address, key or quota refuse it.

    `preflight` is the report on it; one that is not checked waits for its report first.
    """
    base_url = check_url(submission.base_url, submission_policy())
    require_sendable(submission.api_key)
    require_runnable(submission.suite)
    ceiling = settle_on(
        submission.ceiling,
        find_price(provider_of(base_url), submission.model, timezone.now().date()),
        submission.sampling.get("max_tokens"),
    )
    use = quotas.use(owner, AccountUse.Kind.SUBMISSION)
    if not is_checked:
        require_room(owner)
        quotas.use(owner, AccountUse.Kind.CHECK)
    entry = find_entry(owner, submission, base_url) or Entry(owner_id=owner.pk, slug="")
    for name, value in (submission.call | submission.facts).items():
        setattr(entry, name, value)
    entry.slug = entry.slug or unguessable_slug(submission.name)
    entry.save()
    Endpoint.objects.update_or_create(
        entry=entry,
        defaults={
            "base_url": base_url,
            "encrypted_key": encryption.encrypt(submission.api_key),
            "encrypted_extra": encryption.encrypt_object(submission.extra_body),
            "encrypted_headers": encryption.encrypt_headers(submission.extra_headers),
        },
    )
    run = run_actions.start(
        entry,
        submission.suite,
        seed=seasons.draw_seed(submission.suite) if submission.fresh_seed else None,
        attempts_per_task=submission.attempts_per_task,
        concurrency=submission.concurrency,
        is_public=submission.is_public,
        is_checked=is_checked,
        ceiling=ceiling,
    )
    quotas.note_run(use, run)
    note_origin(run, preflight or {})
    if run.is_public:
        settle_slug(run)
    if not is_checked:
        preflights.ask_for_run(run.pk)
    return run


def require_room(owner: AbstractBaseUser) -> None:
    """ProblemError while as many runs of `owner` wait for their preflight as may."""
    waiting = Run.objects.filter(entry__owner_id=owner.pk, status=Status.CHECKING)
    quotas.require_fewer(owner, waiting, MAX_WAITING, UNDER_WAY)


def require_runnable(suite: Suite) -> None:
    if suite.is_recorded:
        raise refusal(
            "recorded_suite",
            f"Suite {suite} was made from recordings and cannot be played.",
            "Choose another suite.",
        )


def note_origin(run: Run, preflight: Mapping[str, Any]) -> None:
    run.preflight = dict(preflight)
    run.published_at = run.created_at if run.is_public else None
    run.save(update_fields=["preflight", "published_at"])


def find_entry(owner: AbstractBaseUser, submission: Submission, base_url: str) -> Entry | None:
    """The owner's entry that is called in exactly this way: anything else is another entry."""
    call = submission.call
    stored = {name: call.pop(name) for name in ("sampling", "extra_fields", "extra_headers")}
    entries = Entry.objects.filter(owner_id=owner.pk, endpoint__base_url=base_url, **call)
    by_hand = (Entry.Provenance.FORKED, Entry.Provenance.HUMAN)
    entries = entries.exclude(provenance__in=by_hand)
    return next(
        (
            entry
            for entry in entries.select_related("endpoint").order_by("-pk")[:100]
            if all(getattr(entry, name) == value for name, value in stored.items())
            and has_extra(entry.endpoint, submission)
        ),
        None,
    )


def has_extra(endpoint: Endpoint, submission: Submission) -> bool:
    """True if the endpoint's requests carry the same extra body and headers; False if those
    stored are unreadable."""
    try:
        body = encryption.decrypt_object(endpoint.encrypted_extra)
        headers = encryption.decrypt_headers(endpoint.encrypted_headers)
        return body == submission.extra_body and headers == submission.extra_headers
    except ProblemError:
        return False


def plain_slug(name: str) -> str:
    return slugify(name)[:MAX_SLUG_CHARS].strip("-") or "entry"


def unguessable_slug(name: str) -> str:
    """An address nobody has, the same for every name: it tells nothing of other entries."""
    return f"{plain_slug(name)}-{get_random_string(6, 'abcdefghjkmnpqrstuvwxyz23456789')}"


def settle_slug(run: Run) -> None:
    """Give an entry whose first run is public from the start its plain address, if that is free.

    Entries that nobody else sees never have one, so a refusal tells nothing of them.
    """
    slug = plain_slug(run.entry.name)
    is_first = not Run.objects.filter(entry=run.entry_id).exclude(pk=run.pk).exists()
    if is_first and not Entry.objects.filter(slug=slug).exists():
        Entry.objects.filter(pk=run.entry_id).update(slug=slug)
        run.entry.slug = slug
