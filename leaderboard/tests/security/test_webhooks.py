"""Notices at the end of a run: signed webhooks through the guard, and e-mail if it is set up."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from conftest import served
from leaderboard.handoff import attempts, notices
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Endpoint, Notice, NoticeWishes, Run
from leaderboard.notices.ends import note_ends
from leaderboard.notices.settings import save_wishes
from leaderboard.submissions import run_actions
from leaderboard.submissions.endpoint_policy import submission_policy, webhook_policy
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.jobs import UNAUTHORISED, claim_one, void
from leaderboard.tests.support.own_runs import play_out
from leaderboard.tests.support.rows import start_run
from runner.contract import ProblemError
from runner.endpoint import guarded_transport
from runner.endpoint.address_policy import AddressPolicy
from runner.webhooks.post import headers_of, post_in_time, sign
from runner.worker import tasks

pytestmark = pytest.mark.django_db


class Receiver(ThreadingHTTPServer):
    """A receiver of webhooks with a set answer that keeps what it got."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.status, self.location = 200, ""
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.release = threading.Event()
        self.is_silent = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"


class Answer(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers), body))
        if self.server.is_silent:
            self.server.release.wait(60)
        self.send_response(self.server.status)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None: ...


@contextlib.contextmanager
def receiving() -> Iterator[Receiver]:
    with served(Receiver()) as server:
        try:
            yield server
        finally:
            server.release.set()


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    with receiving() as server:
        settings.ENDPOINT_LOOPBACK_PORTS = [str(server.server_port)]
        yield server


def wish(owner: User, receiver: Receiver, site: str = "") -> str:
    return save_wishes(owner, receiver.url, False, site, submission_policy())


def own_run(owner: User) -> Run:
    run = start_run(1)
    run.entry.owner = owner
    run.entry.save()
    Endpoint.objects.update(base_url="https://api.example.com/v1")
    return run


def ended_run(owner: User) -> Run:
    run = own_run(owner)
    play_out(run)
    run.refresh_from_db()
    return run


def deliver_all() -> None:
    for notice_id in notices.take_due():
        tasks.deliver(notice_id, submission_policy())


def make_due() -> None:
    Notice.objects.filter(state="due").update(not_before=None)


def test_end_of_a_run_is_sent_once_and_signed(owner: User, receiver: Receiver) -> None:
    secret = wish(owner, receiver, "https://board.example.org")
    run = ended_run(owner)
    sweep_queue()
    sweep_queue()
    deliver_all()
    deliver_all()
    [(headers, body)] = receiver.got
    sent = json.loads(body)
    assert (sent["event"], sent["run"]["id"]) == ("run.ended", run.pk)
    assert sent["run"]["address"] == f"https://board.example.org/runs/{run.pk}/"
    assert sent["run"]["figures"]["passed"] == 1
    signed = f"{headers['X-PyBench-Timestamp']}.".encode() + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    assert headers["X-PyBench-Signature"] == f"sha256={expected}"
    assert Notice.objects.get().state == "sent"


def test_signature_covers_time_and_body() -> None:
    assert sign("s", 1, b"a") != sign("s", 2, b"a")
    assert sign("s", 1, b"a") != sign("s", 1, b"b")
    assert sign("s", 1, b"a") != sign("t", 1, b"a")


@pytest.mark.parametrize("what", ["ceiling", "endpoint"])
def test_owner_hears_what_needs_doing(owner: User, receiver: Receiver, what: str) -> None:
    wish(owner, receiver)
    run = own_run(owner)
    if what == "ceiling":
        Run.objects.filter(pk=run.pk).update(ceiling=1_000)
        job = claim_one(run)
        assert attempts.reserve(job, 2_000, 60.0) == "stop"
        attempts.record_result(job, void())
    else:
        attempts.record_result(claim_one(run), void(problem=UNAUTHORISED))
    note_ends()
    deliver_all()
    [(_, body)] = receiver.got
    events = {"ceiling": "run.stopped_at_ceiling", "endpoint": "run.needs_owner"}
    assert json.loads(body)["event"] == events[what]


def test_run_that_ended_before_the_webhook_was_set_is_no_news(
    owner: User, receiver: Receiver
) -> None:
    run = ended_run(owner)
    Run.objects.filter(pk=run.pk).update(finished_at=timezone.now() - timedelta(minutes=5))
    wish(owner, receiver)
    assert note_ends() == 0


def test_other_accounts_runs_are_reported_to_nobody(owner: User, receiver: Receiver) -> None:
    wish(owner, receiver)
    ended_run(make_user("eve"))
    assert note_ends() == 0


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1/hook",
        "https://127.0.0.1/hook",
        "https://169.254.169.254/latest",
        "https://[::1]/hook",
        "https://localhost/hook",
        "file:///etc/passwd",
        "https://user:pw@hooks.example.com/",
        "https://hooks.example.com:22/",
    ],
)
def test_private_address_is_refused_when_it_is_set(owner: User, url: str) -> None:
    with pytest.raises(ProblemError):
        save_wishes(owner, url, False)
    client = Client()
    client.force_login(owner)
    answer = client.post("/account/notices/", {"webhook_url": url})
    assert answer.status_code == 422
    assert not NoticeWishes.objects.exclude(webhook_url="").exists()


def test_private_address_is_refused_when_it_is_called(receiver: Receiver) -> None:
    """A name can lead elsewhere by then, and rows can be older than the rule.

    A port of this machine that endpoints may have is no receiver's.
    """
    headers = headers_of("s", "e", 1, b"{}", 1)
    said = asyncio.run(post_in_time(receiver.url, headers, b"{}", webhook_policy()))
    assert said
    assert receiver.got == []


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], ["127.0.0.2"], ["::1"], ["0.0.0.0"], ["10.0.0.1"], ["192.168.0.1"],
     ["169.254.169.254"], ["::ffff:127.0.0.1"], ["64:ff9b::7f00:1"], ["fd00::1"],
     ["8.8.8.8", "127.0.0.1"], []],
)  # fmt: skip
def test_name_that_leads_here_is_refused_when_it_is_called(
    owner: User, receiver: Receiver, settings: Settings, monkeypatch: pytest.MonkeyPatch,
    addresses: list[str],
) -> None:  # fmt: skip
    """Nothing resolves it when it is set. The receiver listens, and every port may be called."""
    settings.ENDPOINT_HTTP, settings.ENDPOINT_PORTS = True, [receiver.server_port]
    asked = []

    class Names:
        async def resolve(self, host: str, port: int) -> list[str]:
            asked.append((host, port))
            return addresses

    monkeypatch.setattr(guarded_transport, "resolver", Names)
    save_wishes(owner, f"http://hooks.example.net:{receiver.server_port}/hook", False)
    assert asked == []
    ended_run(owner)
    note_ends()
    [notice_id] = notices.take_due()
    tasks.deliver(notice_id, webhook_policy())
    assert asked == [("hooks.example.net", receiver.server_port)]
    assert receiver.got == []
    assert Notice.objects.get().state == "due"
    assert ("not on the public internet" in Notice.objects.get().said) == bool(addresses)


def test_workers_call_webhooks_by_their_own_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[AddressPolicy] = []
    monkeypatch.setattr(tasks, "deliver", lambda notice_id, policy: asked.append(policy))
    tasks.send_notice(1)
    assert asked == [webhook_policy()]


def test_admitted_endpoint_of_this_machine_is_no_webhook(owner: User, receiver: Receiver) -> None:
    with pytest.raises(ProblemError, match="public"):
        save_wishes(owner, receiver.url, False)


def test_redirect_is_not_followed(owner: User, receiver: Receiver) -> None:
    with receiving() as elsewhere:
        wish(owner, receiver)
        receiver.status, receiver.location = 307, elsewhere.url
        ended_run(owner)
        note_ends()
        deliver_all()
        assert elsewhere.got == []
    notice = Notice.objects.get()
    assert notice.state == "due"
    assert notice.said


def test_failure_is_tried_again_with_rests_and_then_given_up(
    owner: User, receiver: Receiver
) -> None:
    wish(owner, receiver)
    receiver.status = 500
    ended_run(owner)
    note_ends()
    rests = []
    for _ in range(10):
        deliver_all()
        notice = Notice.objects.get()
        if notice.state == "due":
            assert notice.not_before is not None
            rests.append((notice.not_before - timezone.now()).total_seconds())
        make_due()
    assert len(receiver.got) == 4
    assert [round(rest / 60) for rest in rests] == [1, 10, 60]
    notice = Notice.objects.get()
    assert (notice.state, notice.said) == ("failed", "It answered 500.")


def test_success_after_a_failure_is_enough(owner: User, receiver: Receiver) -> None:
    wish(owner, receiver)
    receiver.status = 503
    ended_run(owner)
    note_ends()
    deliver_all()
    receiver.status = 204
    make_due()
    deliver_all()
    assert Notice.objects.get().state == "sent"
    assert NoticeWishes.objects.get().failures == 0


def test_address_that_always_fails_is_switched_off(owner: User, receiver: Receiver) -> None:
    wish(owner, receiver)
    ended_run(owner)
    note_ends()
    NoticeWishes.objects.update(failures=notices.MOST_FAILURES - 1)
    receiver.status = 500
    deliver_all()
    assert NoticeWishes.objects.get().webhook_url == ""
    make_due()
    deliver_all()
    assert not Notice.objects.filter(state="due").exists()
    assert len(receiver.got) == 1


def test_ten_thousand_silent_webhooks_stand_before_nobody(owner: User) -> None:
    run = ended_run(owner)
    now = timezone.now()
    crowd = make_user("crowd")
    Notice.objects.bulk_create(
        Notice(run=run, owner=crowd, channel="webhook", event="run.ended",
               at=now + timedelta(microseconds=n), tries=1)
        for n in range(10_000)
    )  # fmt: skip
    mine = Notice.objects.create(run=run, owner=owner, channel="webhook", event="e",
                                 at=now - timedelta(seconds=1))  # fmt: skip
    taken = notices.take_due()
    assert taken[0] == mine.pk
    assert len(taken) == 2  # one of each account, however many wait
    assert notices.take_due() == []  # both are being served


def test_silent_receiver_holds_one_place_and_ends_by_itself(
    owner: User, receiver: Receiver
) -> None:
    receiver.is_silent = True
    wish(owner, receiver)
    run = ended_run(owner)
    note_ends()
    Notice.objects.create(run=run, owner=owner, channel="webhook", event="e", at=timezone.now())
    [first] = notices.take_due()
    assert notices.take_due() == []  # the account's other notice waits
    tasks.deliver(first, submission_policy())
    assert len(receiver.got) == 1
    assert Notice.objects.filter(said="It did not answer within 5 s.").count() == 1


def test_host_of_two_accounts_is_asked_once_at_a_time(owner: User, receiver: Receiver) -> None:
    other = make_user("other")
    for each in (owner, other):
        wish(each, receiver)
    run = ended_run(owner)
    note_ends()
    Notice.objects.create(run=run, owner=other, channel="webhook", event="e", at=timezone.now())
    assert len(notices.take_due()) == 1
    assert notices.take_due() == []


def test_notice_whose_worker_died_is_sent_again(owner: User, receiver: Receiver) -> None:
    wish(owner, receiver)
    ended_run(owner)
    note_ends()
    assert len(notices.take_due()) == 1
    Notice.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    deliver_all()
    assert Notice.objects.get().state == "sent"


def test_mail_is_off_by_default_and_one_per_run(owner: User, settings: Settings) -> None:
    settings.IS_MAIL_SET_UP = True
    run = ended_run(owner)
    assert note_ends() == 0
    save_wishes(owner, "", True, "https://board.example.org")
    NoticeWishes.objects.update(since=run.finished_at)
    note_ends()
    deliver_all()
    Run.objects.filter(pk=run.pk).update(finished_at=timezone.now())
    note_ends()
    deliver_all()
    [sent] = mail.outbox
    assert sent.to == [owner.email]
    assert "has ended" in sent.subject
    assert f"https://board.example.org/runs/{run.pk}/" in sent.body


def test_name_of_an_entry_cannot_write_headers_of_a_mail(owner: User, settings: Settings) -> None:
    settings.IS_MAIL_SET_UP = True
    save_wishes(owner, "", True)
    run = ended_run(owner)
    run.entry.name = "Foo\r\nBcc: all@example.org"
    run.entry.save()
    note_ends()
    deliver_all()
    [sent] = mail.outbox
    assert "\n" not in sent.subject
    assert sent.recipients() == [owner.email]


def test_no_mail_where_none_is_set_up_or_who_cancelled(owner: User, settings: Settings) -> None:
    settings.IS_MAIL_SET_UP = False
    save_wishes(owner, "", True)
    run = ended_run(owner)
    assert note_ends() == 0
    client = Client()
    client.force_login(owner)
    assert "E-mail me" not in client.get("/account/notices/").content.decode()
    settings.IS_MAIL_SET_UP = True
    assert "E-mail me" in client.get("/account/notices/").content.decode()
    Run.objects.filter(pk=run.pk).delete()
    other = run_actions.start(run.entry, run.suite)
    run_actions.cancel(other.pk)
    assert note_ends() == 0


def test_secret_is_shown_once_and_changes_with_the_address(owner: User) -> None:
    choices = {"webhook_url": "https://hooks.example.com/pybench"}
    client = Client()
    client.force_login(owner)
    made = client.post("/account/notices/", choices)
    stored = NoticeWishes.objects.get()
    page = made.content.decode()
    assert "whsec_" in page
    assert "no-store" in made["Cache-Control"]
    assert b"whsec_" not in bytes(stored.encrypted_secret)
    assert "whsec_" not in client.get("/account/notices/").content.decode()
    again = client.post("/account/notices/", choices, follow=True)
    assert "whsec_" not in again.content.decode()
    assert bytes(NoticeWishes.objects.get().encrypted_secret) == bytes(stored.encrypted_secret)
    client.post("/account/notices/", {"webhook_url": ""})
    assert bytes(NoticeWishes.objects.get().encrypted_secret) == b""
