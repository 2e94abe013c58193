"""Notices as workers send them: which are due, what each says, and how it went."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import F, Min, Q

from leaderboard.models import Notice, NoticeWishes, Run
from leaderboard.money.ceiling import use_of
from leaderboard.queue import clock
from leaderboard.scoring.figures import OVERALL
from leaderboard.storage import encryption
from runner.contract import ProblemError

log = logging.getLogger(__name__)

RESTS = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1))  # after a failed try
UNDER_WAY = timedelta(minutes=2)  # then a try's worker is dead
MOST_FAILURES = 20  # of an account's webhook in a row: it is switched off
AT_ONCE = 4  # notices under way, over all workers

State = Notice.State
WORDS = {
    "run.ended": "has ended",
    "run.stopped_at_ceiling": "stopped at its ceiling",
    "run.needs_owner": "needs you: its endpoint failed",
    "verdict.disputed": "has a verdict that somebody disputes",
    "dispute.ruled": "has a new ruling on a disputed verdict",
}


@dataclass(frozen=True)
class Delivery:
    """One notice to send now."""

    notice_id: int
    is_mail: bool
    url: str = ""
    secret: str = ""
    event: str = ""
    body: bytes = b""


def take_due() -> list[int]:
    """Take a few notices that are due: at most one under way of an account, and one to a host.

    Those with fewer tries come first.
    """
    now = clock.now()
    lost = Notice.objects.filter(state=State.SENDING, not_before__lt=now)
    lost.update(state=State.DUE)
    sending = Notice.objects.filter(state=State.SENDING).select_related("owner__notice_wishes")
    under_way = list(sending)
    hosts = {host_of(notice) for notice in under_way} - {""}
    due = Notice.objects.filter(Q(not_before=None) | Q(not_before__lte=now), state=State.DUE)
    others = due.exclude(owner__in=[notice.owner_id for notice in under_way])
    heads = others.values("owner").annotate(first=Min("pk"), least=Min("tries"))
    taken: list[int] = []
    for head in heads.order_by("least", "first"):
        if len(under_way) + len(taken) >= AT_ONCE:
            break
        notice = due.select_related("owner__notice_wishes").filter(pk=head["first"]).first()
        host = host_of(notice) if notice else ""
        if host in hosts:
            continue
        taken += [head["first"]] * due.filter(pk=head["first"]).update(
            state=State.SENDING, not_before=now + UNDER_WAY, tries=F("tries") + 1
        )
        hosts |= {host} - {""}
    return taken


def host_of(notice: Notice) -> str:
    """Host of the webhook to which a notice goes; "" for a mail."""
    wishes = getattr(notice.owner, "notice_wishes", None)
    if wishes is None or notice.channel == Notice.Channel.MAIL:
        return ""
    return urlsplit(str(wishes.webhook_url)).netloc.lower()


def delivery_of(notice_id: int) -> Delivery | None:
    """The notice with what it is sent to; None if it is not to be sent, or wanted, any more."""
    found = Notice.objects.select_related("run__entry", "run__suite", "owner__notice_wishes")
    notice = found.filter(pk=notice_id, state=State.SENDING).first()
    if notice is None:
        return None
    delivery = describe(notice)
    if delivery is None:
        notice.delete()
    return delivery


def describe(notice: Notice) -> Delivery | None:
    wishes = getattr(notice.owner, "notice_wishes", None)
    if wishes is None:
        return None
    if notice.channel == Notice.Channel.MAIL:
        return Delivery(notice.pk, True) if wishes.wants_mail else None
    if not wishes.webhook_url:
        return None
    try:
        secret = encryption.decrypt(wishes.encrypted_secret)
    except ProblemError:
        return None
    body = body_of(notice)
    return Delivery(notice.pk, False, wishes.webhook_url, secret, notice.event, body)


def mail(notice_id: int) -> None:
    """Send a notice by e-mail to its account's address."""
    notice = Notice.objects.select_related("run__entry", "run__suite", "owner__notice_wishes").get(
        pk=notice_id
    )
    subject, text = mail_of(notice)
    address = getattr(notice.owner, "email", "")
    if address:
        send_mail(subject, text, settings.DEFAULT_FROM_EMAIL, [address])


@transaction.atomic
def note_sent(notice_id: int) -> None:
    now = clock.now()
    sent = Notice.objects.filter(pk=notice_id, state=State.SENDING)
    if sent.filter(channel=Notice.Channel.WEBHOOK).exists():
        NoticeWishes.objects.filter(owner__notices=notice_id).update(failures=0)
    sent.update(state=State.SENT, sent_at=now, said="")


@transaction.atomic
def note_failed(notice_id: int, said: str) -> None:
    """Rest and try again; give up after the last rest, and an address after many failures."""
    notice = Notice.objects.filter(pk=notice_id, state=State.SENDING).first()
    if notice is None:
        return
    notice.said = said[:300]
    if notice.tries > len(RESTS):
        notice.state = State.FAILED
    else:
        notice.state = State.DUE
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
    """Leave a notice that was taken to a later round."""
    taken = Notice.objects.filter(pk=notice_id, state=State.SENDING)
    taken.update(state=State.DUE, not_before=None, tries=F("tries") - 1)


def describe_run(run: Run, site: str) -> dict[str, Any]:
    """Facts of a run, without anything secret; `site` is the site's address."""
    overall = run.summaries.filter(category=OVERALL).first()
    use = use_of(run)
    names = ("attempts", "passed", "failed", "void", "open", "rate", "low", "high")
    return {
        "id": run.pk,
        "address": f"{site}{run.get_absolute_url()}",
        "entry": run.entry.slug,
        "name": run.entry.name,
        "suite": str(run.suite),
        "status": str(run.status),
        "is_public": run.is_public,
        "figures": {name: getattr(overall, name) for name in names} if overall else None,
        "ceiling": use.words if use else None,
    }


def site_of(notice: Notice) -> str:
    wishes = getattr(notice.owner, "notice_wishes", None)
    return wishes.site if wishes else ""


def body_of(notice: Notice) -> bytes:
    """The body of a webhook's request."""
    content = {
        "event": notice.event,
        "delivery": notice.pk,
        "run": describe_run(notice.run, site_of(notice)),
    }
    return json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode()


def mail_of(notice: Notice) -> tuple[str, str]:
    """Subject and text of an e-mail."""
    facts = describe_run(notice.run, site_of(notice))
    name = " ".join(str(facts["name"]).split())[:80]
    said = WORDS.get(notice.event, "has ended")
    figures = facts["figures"] or {}
    lines = [
        f"Run {facts['id']} of {name} on {facts['suite']} {said}.",
        "",
        f"Passed {figures.get('passed', 0)}, failed {figures.get('failed', 0)}, "
        f"did not count {figures.get('void', 0)}, of {figures.get('attempts', 0)} attempts.",
    ]
    if facts["ceiling"]:
        lines.append(f"Ceiling: {facts['ceiling']}.")
    lines += ["", str(facts["address"]), "", "You can switch these e-mails off under Notices."]
    return f"PyBench: {name} {said}", "\n".join(lines)
