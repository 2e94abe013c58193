"""Preflights as workers see them: one of a draft, or of a run on its way into the queue."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from leaderboard.handoff.claims import endpoint_of
from leaderboard.ledger.acts import enter_shown
from leaderboard.models import Attempt, Draft, Run
from leaderboard.queue import clock, pauses
from leaderboard.queue.messages import ask_for_dispatch
from leaderboard.queue.preflights import awaiting_preflight, is_overdue, refuse, report_of
from leaderboard.queue.transitions import move_run, touch
from leaderboard.scoring.summaries import summarise
from leaderboard.storage import encryption
from leaderboard.submissions.endpoint_policy import (
    run_policy,
    submission_policy,
    webhook_policy,
)
from leaderboard.submissions.run_actions import attempts_of
from leaderboard.submissions.submission import sampling_of
from leaderboard.submissions.submit import settle_slug
from runner.contract import ActionFormat, EndpointSpec, Problem, Status

__all__ = [
    "DraftPreflight",
    "Preflight",
    "RunPreflight",
    "run_policy",
    "submission_policy",
    "webhook_policy",
]


class Preflight(ABC):
    """A look at an endpoint that a draft or a run waits for."""

    @abstractmethod
    def endpoint(self) -> EndpointSpec | None:
        """The endpoint to look at; None when nobody waits for that any more.

        ProblemError when its key cannot be read, or its address is no longer admitted.
        """

    @abstractmethod
    def record(self, report: Mapping[str, Any]) -> None:
        """Keep the report, unless nobody waits for it any more."""

    def record_problem(self, problem: Problem) -> None:
        """Say why there is no report."""
        self.record(report_of(problem))


@dataclass
class RunPreflight(Preflight):
    """Its report queues the run, or ends it; a paused run's new key resumes it, or does not."""

    run_id: int

    def __str__(self) -> str:
        return f"run={self.run_id}"

    def endpoint(self) -> EndpointSpec | None:
        waiting = awaiting_preflight(Run.objects.select_related("entry__endpoint"))
        run = waiting.filter(pk=self.run_id).first()
        if run is None:
            return None
        spec = endpoint_of(run)
        if not run.encrypted_new_key:
            return spec
        return replace(spec, api_key=encryption.decrypt(run.encrypted_new_key))

    def record(self, report: Mapping[str, Any]) -> None:
        if Run.objects.filter(pk=self.run_id, status=Status.PAUSED).exists():
            pauses.note_key_check(self.run_id, report)
        elif report.get("is_usable"):
            admit(self.run_id, report)
        else:
            refuse(self.run_id, report)


@transaction.atomic
def admit(run_id: int, report: Mapping[str, Any]) -> None:
    run = touch(run_id)
    if run.status != Status.CHECKING:
        return
    run.preflight = dict(report)
    if run.is_public_later:
        run.is_public, run.published_at = True, clock.now()
        settle_slug(run)
    run.save(update_fields=["preflight", "is_public", "published_at"])
    if run.is_public:
        enter_shown(run, "its preflight passed")
    Attempt.objects.bulk_create(attempts_of(run, set()))
    move_run(run, Status.QUEUED, "the preflight passed")
    summarise(run)
    ask_for_dispatch()


@dataclass
class DraftPreflight(Preflight):
    """Its report is shown to the draft's owner, who decides."""

    draft_id: int
    asked_at: datetime | None = None  # of the draft that was read

    def __str__(self) -> str:
        return f"draft={self.draft_id}"

    def endpoint(self) -> EndpointSpec | None:
        draft = Draft.objects.filter(pk=self.draft_id).first()
        if draft is None or draft.asked_at is None or draft.report or is_overdue(draft):
            return None
        self.asked_at = draft.asked_at
        facts = draft.facts
        if not draft.is_complete:
            key = encryption.decrypt(draft.encrypted_key)
            headers = encryption.decrypt_headers(draft.encrypted_headers)
            return EndpointSpec(facts["base_url"], "", api_key=key, extra_headers=headers)
        return EndpointSpec(
            base_url=facts["base_url"],
            model=facts["model"],
            api_key=encryption.decrypt(draft.encrypted_key),
            action_format=ActionFormat(facts["action_format"]),
            stream=facts.get("stream", True),
            extra_body=encryption.decrypt_object(draft.encrypted_extra),
            extra_headers=encryption.decrypt_headers(draft.encrypted_headers),
            **sampling_of(facts),
        )

    def record(self, report: Mapping[str, Any]) -> None:
        """Keep it, unless the draft is gone or was changed since it was asked."""
        drafts = Draft.objects.filter(pk=self.draft_id, asked_at=self.asked_at)
        drafts.exclude(asked_at=None).update(report=dict(report), answered_at=clock.now())
