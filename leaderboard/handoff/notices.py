"""Notices as workers send them: which are due, at most one per account, and how each went."""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.db import connection, transaction
from django.db.models import F, Min, Q

from leaderboard.models import Notice, NoticeWishes
from leaderboard.notices import words
from leaderboard.queue import clock
from leaderboard.storage import encryption
from runner.contract import ProblemError

log = logging.getLogger(__name__)

RESTS = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1))  # after a failed try
UNDER_WAY = timedelta(minutes=2)  # then a try's worker is dead
MOST_FAILURES = 20  # of an account's webhook in a row: it is switched off
HOST_BUSY = timedelta(seconds=5)  # until a host that is being asked may be free


@dataclass(frozen=True)
class Delivery:
    """One notice to send now."""

    notice_id: int
    owner_id: int
    is_mail: bool
    url: str = ""
    secret: str = ""
    event: str = ""
    body: bytes = b""


def take_due(places: int, owners: Collection[int]) -> list[int]:
    """Take up to `places` notices that are due: of each account one, those with fewer tries first,
    and none of the accounts that are being served."""
    if places <= 0:
        return []
    now = clock.now()
    due = Notice.objects.filter(Q(not_before=None) | Q(not_before__lte=now), state="due")
    rows = due.exclude(owner__in=owners).values("owner")
    heads = rows.annotate(first=Min("pk"), least=Min("tries")).order_by("least", "first")
    taken = []
    for head in heads[:places]:
        claimed = due.filter(pk=head["first"]).update(
            not_before=now + UNDER_WAY, tries=F("tries") + 1
        )
        taken += [head["first"]] * claimed
    return taken


def delivery_of(notice_id: int) -> Delivery | None:
    """The notice with what it is sent to; None where nobody wants it any more."""
    found = Notice.objects.select_related("run__entry", "run__suite", "owner__notice_wishes")
    notice = found.filter(pk=notice_id, state="due").first()
    wishes = getattr(notice.owner, "notice_wishes", None) if notice else None
    if notice is None or wishes is None:
        return None
    if notice.channel == Notice.Channel.MAIL:
        return Delivery(notice.pk, notice.owner_id, True) if wishes.wants_mail else None
    if not wishes.webhook_url:
        return None
    try:
        secret = encryption.decrypt(wishes.encrypted_secret)
    except ProblemError:
        return None
    return Delivery(
        notice.pk,
        notice.owner_id,
        False,
        wishes.webhook_url,
        secret,
        notice.event,
        words.body_of(notice),
    )


def mail(notice_id: int) -> None:
    """Send a notice by e-mail to its account's address."""
    notice = Notice.objects.select_related("run__entry", "run__suite", "owner__notice_wishes").get(
        pk=notice_id
    )
    subject, text = words.mail_of(notice)
    address = getattr(notice.owner, "email", "")
    if address:
        send_mail(subject, text, settings.DEFAULT_FROM_EMAIL, [address])


@transaction.atomic
def note_sent(notice_id: int) -> None:
    now = clock.now()
    sent = Notice.objects.filter(pk=notice_id, state="due")
    if sent.filter(channel=Notice.Channel.WEBHOOK).exists():
        NoticeWishes.objects.filter(owner__notices=notice_id).update(failures=0)
    sent.update(state="sent", sent_at=now, said="")


@transaction.atomic
def note_failed(notice_id: int, said: str) -> None:
    """Rest and try again; give up after the last rest, and an address after many failures."""
    notice = Notice.objects.filter(pk=notice_id, state="due").first()
    if notice is None:
        return
    notice.said = said[:300]
    if notice.tries > len(RESTS):
        notice.state = Notice.State.FAILED
    else:
        notice.not_before = clock.now() + RESTS[notice.tries - 1]
    notice.save(update_fields=["said", "state", "not_before"])
    if notice.channel == Notice.Channel.WEBHOOK:
        count_failure(notice.owner_id)


def count_failure(owner_id: int) -> None:
    wishes = NoticeWishes.objects.filter(owner=owner_id)
    wishes.update(failures=F("failures") + 1)
    if wishes.filter(failures__gte=MOST_FAILURES).update(webhook_url="", encrypted_secret=b""):
        log.warning("account=%s its webhook failed %s times: switched off", owner_id, MOST_FAILURES)


def give_back(notice_id: int) -> None:
    """Leave a notice to a later round: its host is being asked by another one."""
    Notice.objects.filter(pk=notice_id).update(
        not_before=clock.now() + HOST_BUSY, tries=F("tries") - 1
    )


def drop(notice_id: int) -> None:
    """Forget a notice that nobody wants any more."""
    Notice.objects.filter(pk=notice_id).delete()


def close_connection() -> None:
    """End this thread's connection to the database."""
    connection.close()
