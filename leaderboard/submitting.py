"""Taking a submission from a person or a program: whose entry it is, and its run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils.crypto import get_random_string
from django.utils.text import slugify

from leaderboard import checking, keys, quotas, submissions
from leaderboard.models import Endpoint, Entry, Run, Suite
from leaderboard.outgoing import is_ours, open_policy
from runner.addresses import check_url
from runner.contract import ActionFormat, ProblemError

MAX_SLUG_CHARS = 60
SAMPLING = ("temperature", "top_p", "max_tokens")
SENDABLE_KEY = re.compile(r"[\x21-\x7e]*")  # what a header can carry


@dataclass(frozen=True)
class Submission:
    """What is submitted: how the model is called, what is known of it, and what is to be run."""

    base_url: str
    model: str
    name: str
    suite: Suite
    api_key: str = field(default="", repr=False)
    action_format: ActionFormat = ActionFormat.FENCED
    sampling: Mapping[str, Any] = field(default_factory=dict)  # temperature, top_p, max_tokens
    stream: bool = True
    extra_body: Mapping[str, Any] = field(default_factory=dict, repr=False)
    attempts_per_task: int = 1
    concurrency: int = 2
    organisation: str = ""
    parameters_b: float | None = None
    weights: str = Entry.Weights.UNKNOWN
    description: str = ""
    is_public: bool = False

    @property
    def facts(self) -> dict[str, Any]:
        """What is only said of the model, without changing how it is called."""
        return {
            "organisation": self.organisation,
            "parameters_b": self.parameters_b,
            "weights": self.weights,
            "description": self.description,
        }

    @property
    def call(self) -> dict[str, Any]:
        """What makes it this entry and no other."""
        return {
            "name": self.name,
            "model_name": self.model,
            "action_format": self.action_format,
            "sampling": self.spoken,
            "extra_fields": sorted(self.extra_body),
        }

    @property
    def spoken(self) -> dict[str, Any]:
        """Sampling, where None was not said and is not sent; streaming is said when it is off."""
        said = {name: self.sampling.get(name) for name in SAMPLING}
        return said if self.stream else {**said, "stream": False}


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
    base_url = check_url(submission.base_url, open_policy())
    require_sendable(submission.api_key)
    require_runnable(submission.suite)
    quotas.require(owner)
    if not is_checked:
        checking.require_room(owner)
    entry = find_entry(owner, submission, base_url) or Entry(owner_id=owner.pk, slug="")
    for name, value in (submission.call | submission.facts).items():
        setattr(entry, name, value)
    entry.slug = entry.slug or free_slug(submission.name)
    # What answers on our own port is one of our scripts, whatever it is called.
    scripted, run_here = Entry.Provenance.SCRIPTED, Entry.Provenance.RUN_HERE
    entry.provenance = scripted if is_ours(base_url) else run_here
    entry.save()
    Endpoint.objects.update_or_create(
        entry=entry,
        defaults={
            "base_url": base_url,
            "encrypted_key": keys.encrypt(submission.api_key),
            "encrypted_extra": keys.encrypt_object(submission.extra_body),
        },
    )
    run = submissions.start(
        entry,
        submission.suite,
        attempts_per_task=submission.attempts_per_task,
        concurrency=submission.concurrency,
        is_public=submission.is_public,
        is_checked=is_checked,
    )
    note_origin(run, preflight or {})
    return run


def require_runnable(suite: Suite) -> None:
    if suite.is_recorded:
        raise submissions.refuse(
            "recorded_suite",
            f"Suite {suite} was made from recordings and cannot be played.",
            "Choose another suite.",
        )


def require_sendable(api_key: str) -> None:
    if not SENDABLE_KEY.fullmatch(api_key):
        raise submissions.refuse(
            "bad_key",
            "The API key holds blanks, line breaks or letters outside ASCII.",
            "Copy the key again, without anything around it.",
        )


def note_origin(run: Run, preflight: Mapping[str, Any]) -> None:
    run.preflight = dict(preflight)
    run.published_at = run.created_at if run.is_public else None
    run.save(update_fields=["preflight", "published_at"])


def find_entry(owner: AbstractBaseUser, submission: Submission, base_url: str) -> Entry | None:
    """The owner's entry that is called in exactly this way: anything else is another entry."""
    call = submission.call
    stored = {name: call.pop(name) for name in ("sampling", "extra_fields")}
    entries = Entry.objects.filter(owner_id=owner.pk, endpoint__base_url=base_url, **call)
    return next(
        (
            entry
            for entry in entries.select_related("endpoint").order_by("-pk")[:100]
            if all(getattr(entry, name) == value for name, value in stored.items())
            and has_extra(entry.endpoint, submission.extra_body)
        ),
        None,
    )


def has_extra(endpoint: Endpoint, extra_body: Mapping[str, Any]) -> bool:
    """Whether the endpoint is asked with this extra body; not when it cannot be read any more."""
    try:
        return keys.decrypt_object(endpoint.encrypted_extra) == extra_body
    except ProblemError:
        return False


def free_slug(name: str) -> str:
    """An address nobody has; what is random in it tells nothing of other people's entries."""
    base = slugify(name)[:MAX_SLUG_CHARS].strip("-") or "entry"
    if not Entry.objects.filter(slug=base).exists():
        return base
    return f"{base}-{get_random_string(6, 'abcdefghjkmnpqrstuvwxyz23456789')}"
