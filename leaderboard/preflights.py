"""Drafts of submissions and what their preflight says: asked of a worker, shown before queueing."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from leaderboard import keys
from leaderboard.checking import report_of
from leaderboard.models import Draft
from leaderboard.submitting import SAMPLING
from pybench_site.celery import app
from runner.contract import ActionFormat, EndpointSpec, Fault, Problem, ProblemError

log = logging.getLogger(__name__)

TASK = "runner.preflight"
MAX_DRAFTS = 20  # of one account
AGAIN_AFTER = timedelta(seconds=5)
PATIENCE = timedelta(seconds=30)  # then no worker is at work

# Of a run's attempts: replies each, and how far replies and observations grow over the tiny task's.
FEW_TURNS, MANY_TURNS = 3, 8
REPLY_TOKENS = (150, 900)
OBSERVATION_TOKENS = (100, 800)
PROMPT_TOKENS = 450  # where the endpoint does not count
LONGER_REPLY = 6.0  # a reply of a task over one of the tiny task's, at most


@dataclass(frozen=True)
class Forecast:
    """What a run will use, as ranges; time is None when nothing was measured."""

    attempts: int
    tokens: tuple[int, int]
    seconds: tuple[float, float] | None


@transaction.atomic
def save_draft(
    owner: AbstractBaseUser,
    facts: Mapping[str, Any],
    api_key: str,
    draft: Draft | None = None,
    extra_body: Mapping[str, Any] | None = None,
) -> Draft:
    """Keep what the form said; an empty key keeps the one that is stored."""
    forget_old()
    if draft is None:
        draft = Draft(owner_id=owner.pk)
        for old in Draft.objects.filter(owner_id=owner.pk)[MAX_DRAFTS - 1 :]:
            old.delete()
    elif draft.facts.get("base_url") != facts.get("base_url") and not api_key:
        draft.encrypted_key = b""  # a key is never sent to another address than it was given for
    draft.facts, draft.report, draft.asked_at = dict(facts), {}, None
    draft.encrypted_extra = keys.encrypt_object(extra_body or {})
    if api_key:
        draft.encrypted_key = keys.encrypt(api_key)
    draft.save()
    return draft


def forget_old() -> None:
    """A key is not kept for longer than its owner may come back."""
    long_ago = timezone.now() - timedelta(hours=settings.DRAFT_HOURS)
    Draft.objects.filter(created_at__lt=long_ago).delete()


def ask(draft: Draft) -> bool:
    """Ask a worker for a preflight; False while the owner waits for one, or just got one."""
    now = timezone.now()
    if draft.asked_at and now - draft.asked_at < AGAIN_AFTER:
        return False
    awaited = Draft.objects.filter(report={}, asked_at__gt=now - PATIENCE)
    if awaited.filter(owner_id=draft.owner_id).exists():
        return False
    draft.report, draft.asked_at, draft.answered_at = {}, now, None
    draft.save(update_fields=["report", "asked_at", "answered_at"])
    transaction.on_commit(lambda: send(draft.pk))
    return True


def send(draft_id: int) -> None:
    """The message holds an id only. It is not sent again: whoever waits can ask again."""
    try:
        app.send_task(TASK, [draft_id], expires=PATIENCE.total_seconds())
    except OperationalError as error:
        log.warning("draft %s: no preflight asked for: %s", draft_id, error)


def is_overdue(draft: Draft) -> bool:
    """Whether no worker took the preflight up."""
    return bool(draft.asked_at and not draft.report and timezone.now() - draft.asked_at > PATIENCE)


@dataclass(frozen=True)
class Asked:
    """What a worker is to look at, and the moment that its report must name."""

    spec: EndpointSpec
    at: datetime


def asked_of(draft_id: int) -> Asked | None:
    """What is to be looked at; None when nobody waits for it any more."""
    draft = Draft.objects.filter(pk=draft_id).first()
    if draft is None or draft.asked_at is None or draft.report or is_overdue(draft):
        return None
    facts = draft.facts
    spec = EndpointSpec(
        base_url=facts["base_url"],
        model=facts["model"],
        api_key=keys.decrypt(draft.encrypted_key),
        action_format=ActionFormat(facts["action_format"]),
        stream=facts.get("stream", True),
        extra_body=keys.decrypt_object(draft.encrypted_extra),
        **sampling_of(facts),
    )
    return Asked(spec, draft.asked_at)


def sampling_of(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The sampling parameters that were given; what is left out is not sent."""
    return {name: facts.get(name) for name in SAMPLING}


def record(draft_id: int, report: Mapping[str, Any], at: datetime | None = None) -> None:
    """Keep the worker's report, unless the draft is gone or was changed since it was asked."""
    drafts = Draft.objects.filter(pk=draft_id, asked_at__isnull=False)
    if at is not None:
        drafts = drafts.filter(asked_at=at)
    drafts.update(report=dict(report), answered_at=timezone.now())


def record_problem(draft_id: int, problem: Problem) -> None:
    """Say why there is no report."""
    record(draft_id, report_of(problem))


def forecast(measures: Mapping[str, Any], attempts: int, concurrency: int) -> Forecast:
    """What so many attempts will use, going by the tiny task."""
    prompt = measures.get("prompt_tokens") or PROMPT_TOKENS
    said = measures.get("completion_tokens") or 0
    tokens = [
        conversation_tokens(prompt, max(said, reply), seen, turns)
        for turns, reply, seen in zip(
            (FEW_TURNS, MANY_TURNS), REPLY_TOKENS, OBSERVATION_TOKENS, strict=True
        )
    ]
    reply_s = measures.get("reply_s")
    lanes = max(1, min(concurrency, attempts))
    seconds = None
    if reply_s is not None:
        rounds = attempts / lanes
        seconds = (
            rounds * FEW_TURNS * (reply_s + 0.3),
            rounds * MANY_TURNS * (reply_s * LONGER_REPLY + 2.0),
        )
    return Forecast(attempts, (attempts * tokens[0], attempts * tokens[1]), seconds)


def conversation_tokens(prompt: int, reply: int, observation: int, turns: int) -> int:
    """Prompts and replies of one attempt: each request sends the conversation again."""
    grown = (reply + observation) * turns * (turns - 1) // 2
    return turns * (prompt + reply) + grown


def require_usable(draft: Draft) -> None:
    """ProblemError unless a preflight found that a run can succeed."""
    if not draft.is_usable:
        raise ProblemError(
            Problem(
                Fault.SUBMITTER,
                "preflight_not_passed",
                "The preflight has not found this endpoint usable.",
                "Mend what it says, then check again.",
            )
        )
