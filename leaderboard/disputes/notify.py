"""Notices to a run's owner that a verdict was disputed, or that a dispute was ruled on."""

from __future__ import annotations

from django.utils import timezone

from leaderboard.models import Notice, NoticeWishes, Run
from leaderboard.notices.settings import is_mail_set_up

DISPUTED, RULED = "verdict.disputed", "dispute.ruled"


def note_dispute(run: Run, event: str = DISPUTED) -> None:
    """Make the notices that the owner wishes for; one query, and none without an owner."""
    owner = run.entry.owner_id
    wishes = NoticeWishes.objects.filter(owner=owner).first() if owner else None
    if wishes is None or owner is None:
        return
    channels = [Notice.Channel.WEBHOOK] if wishes.webhook_url else []
    if wishes.wants_mail and is_mail_set_up():
        channels.append(Notice.Channel.MAIL)
    Notice.objects.bulk_create(
        (
            Notice(run=run, owner_id=owner, channel=channel, event=event, at=timezone.now())
            for channel in channels
        ),
        ignore_conflicts=True,
    )
