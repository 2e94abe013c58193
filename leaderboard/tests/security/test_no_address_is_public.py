"""Nothing of an e-mail address is public, whatever its account does on the site."""

from __future__ import annotations

import io
import re
import zipfile
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from leaderboard.evidence.manifests import read_statement
from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Attempt, Dispute, Entry, Run, RunReview
from leaderboard.tests.support.accounts import PASSWORD
from leaderboard.tests.support.callers import Caller
from leaderboard.tests.support.jobs import judged
from leaderboard.tests.support.rows import (
    finish_run,
    make_entry,
    make_run,
    make_suite,
    tell_failure,
)
from leaderboard.tests.support.sessions_by_hand import begin, send, take
from leaderboard.views.changes import FEEDS
from runner.evidence.chain import digest_of

pytestmark = pytest.mark.django_db

READER = "zaphod.reader.beeblebrox@secret-employer.example"
READER = "zaphod.reader.beeblebrox@secret-employer.example"
TELLING = re.compile(r"zaphod|beeblebrox|secret-employer", re.IGNORECASE)
LINK = re.compile(r"""(?:href|src|content)="(/[^"#]*|http://testserver/[^"#]*)""")
STARTS = (
    "/", "/ledger/", "/ledger.jsonl", "/changes/", "/changes.json", "/changes.atom", "/board.json",
    "/board.csv", "/disputes/", "/failures/", "/failures.json", "/failures.csv", "/errata/",
    "/api/v1/board/", "/api/v1/runs/", "/api/v1/entries/", "/api/v1/ledger/", "/api/v1/disputes/",
)  # fmt: skip
MOST_PAGES = 400


def sign_up(name: str) -> User:
    email = f"zaphod.{name}.beeblebrox@secret-employer.example"
    form = {"email": email, "password1": PASSWORD, "password2": PASSWORD}
    assert Client().post("/account/signup/", form).status_code == 302
    EmailAddress.objects.update(verified=True)
    return User.objects.get(email=email)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def own(user: User, attempt: Attempt) -> Run:
    Entry.objects.filter(pk=attempt.run.entry_id).update(owner=user)
    run = attempt.run
    run.entry.refresh_from_db()
    return run


def use_everything(owner: User, maintainer: User) -> None:
    """Play by hand, publish, doubt, answer, note, verify, withdraw, rule: by the site's doors."""
    suite = make_suite()
    failed = finish_run(make_run(suite, make_entry("Foo 70B")), 3).attempts.order_by("-pk")[0]
    attempt = tell_failure(Attempt.objects.select_related("task", "run__entry").get(pk=failed.pk))
    run, client, staff = own(owner, attempt), signed_in(owner), signed_in(maintainer)
    by_hand = begin(owner, suite.tasks.earliest("position"))
    job = take(by_hand)
    send(owner, by_hand, 1, "It is 1.", "answer")
    attempts.record_result(job, judged(True))
    for number in (by_hand.run_id, run.pk):
        for act in ("withdraw", "publish"):
            client.post(f"/runs/{number}/{act}/")
        assert Run.objects.get(pk=number).is_public
    page = f"/runs/{run.pk}/tasks/{attempt.task.key}/"
    client.post(f"{page}dispute/", {"assertion": 2, "words": "The query allows 5."})
    client.post(f"{page}notes/", {"step": 1, "words": "Here it goes wrong."})
    doubt = Dispute.objects.get()
    ruling = {"kind": "verdict stands", "words": "The query says 4.", "seen": 0}
    assert staff.post(f"/disputes/{doubt.pk}/rule/", ruling).status_code == 302
    sweep_queue()
    statement = read_statement(run)
    assert statement is not None
    report = {
        "manifest_sha256": digest_of(statement),
        "equal": True,
        "attempts": 8,
        "report_sha256": "a" * 64,
    }
    Caller(maintainer).send(f"runs/{run.pk}/verifications/", report)
    RunReview.objects.create(run=run, ruling=RunReview.Ruling.OPEN, reasons=[])
    rule = {"action": "clear", "_selected_action": [run.pk]}
    staff.post("/admin/leaderboard/runreview/", rule)
    for is_public in ("", "on"):
        staff.post(f"/admin/leaderboard/run/{run.pk}/change/", {"is_public": is_public})
    sweep_queue()


def read_all(client: Client) -> dict[str, str]:
    """Every page that links lead to, and what they give out, as text by its address."""
    waiting = list(STARTS)
    seen: dict[str, str] = {}
    while waiting and len(seen) < MOST_PAGES:
        address = waiting.pop(0)
        if address in seen or address.startswith(("/static/", "/account/", "/admin/")):
            continue
        cache.clear()  # it is one visitor
        FEEDS.spent.clear()
        answer = client.get(address)
        body = b"".join(answer) if answer.streaming else answer.content
        seen[address] = text_of(body)
        found = [*LINK.findall(seen[address]), *re.findall(r'"(/[\w/.-]+)"', seen[address])]
        for link in found:
            parts = urlsplit(link.replace("&amp;", "&"))
            waiting.append(parts.path + (f"?{parts.query}" if parts.query else ""))
    return seen


def text_of(body: bytes) -> str:
    if not body.startswith(b"PK"):
        return body.decode("utf-8", "replace")
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return "\n".join(
            archive.read(name).decode("utf-8", "replace") for name in archive.namelist()
        )


def test_nothing_of_an_address_is_public() -> None:
    owner, maintainer = sign_up("owner"), sign_up("maintainer")
    User.objects.filter(pk=maintainer.pk).update(is_staff=True, is_superuser=True)
    maintainer.refresh_from_db()
    use_everything(owner, maintainer)
    for reader in (Client(), signed_in(sign_up("reader"))):
        seen = read_all(reader)
        text = "\n".join(seen.values())
        assert f"Account {owner.pk} (by hand)" in text
        assert f"account {maintainer.pk}" in text
        assert "The query says 4." in text
        assert any(address.endswith("bundle.zip") for address in seen)
        assert [address for address, text in seen.items() if tells(text)] == []


def tells(text: str) -> bool:
    """True if it holds anything of an address but the reader's own, which pages show to them."""
    return bool(TELLING.search(text.replace(READER, "")))
