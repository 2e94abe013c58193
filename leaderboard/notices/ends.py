"""Finds runs that ended and whose owners want to hear of it. Called by the queue's sweep."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from leaderboard.models import Attempt, Notice, NoticeWishes, Run
from leaderboard.models.querysets import OVER
from leaderboard.notices.settings import is_mail_set_up
from runner.contract import Outcome, Status

ENDED, CEILING, NEEDS_OWNER = "run.ended", "run.stopped_at_ceiling", "run.needs_owner"
ENDS = (ENDED, CEILING, NEEDS_OWNER)
LATEST = timedelta(days=1)  # an older end is no news
MOST_AT_ONCE = 200
MAIL, WEBHOOK = Notice.Channel.MAIL, Notice.Channel.WEBHOOK


def note_ends() -> int:
    """Make the notices of runs that ended since; how many. Two queries while there is no news."""
    return note_channel(WEBHOOK) + (note_channel(MAIL) if is_mail_set_up() else 0)


def note_channel(channel: str) -> int:
    notices = [
        Notice(
            run=run,
            owner_id=run.entry.owner_id or 0,  # it has one, and an end
            channel=channel,
            event=event_of(run),
            at=run.finished_at or timezone.now(),
        )
        for run in ended_runs(channel)[:MOST_AT_ONCE]
    ]
    Notice.objects.bulk_create(notices, ignore_conflicts=True)
    return len(notices)


def ended_runs(channel: str) -> list[Run]:
    """Runs whose end the channel has not reported; by mail, one report a run."""
    wish = Q(wants_mail=True) if channel == MAIL else ~Q(webhook_url="")
    wishing = NoticeWishes.objects.filter(wish)
    known = Notice.objects.filter(run=OuterRef("pk"), channel=channel, event__in=ENDS)
    if channel == WEBHOOK:
        known = known.filter(at=OuterRef("finished_at"))
    runs = Run.objects.filter(
        status__in=OVER,
        finished_at__gt=timezone.now() - LATEST,
        entry__owner__in=wishing.values("owner"),
        entry__owner__notice_wishes__since__lte=F("finished_at"),
    ).exclude(Exists(known))
    if channel == MAIL:  # who cancelled it knows
        runs = runs.exclude(status=Status.CANCELLED, stopped_for="")
    found: list[Run] = list(runs.select_related("entry").order_by("pk"))
    return found


def event_of(run: Run) -> str:
    if run.stopped_for:
        return CEILING
    failed = Attempt.objects.filter(run=run, status=Status.DONE, outcome=Outcome.ENDPOINT_FAILED)
    return NEEDS_OWNER if run.status == Status.REFUSED or failed.exists() else ENDED
