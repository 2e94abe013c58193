"""A file of somebody without an account: shown to their session alone, bounded, and soon gone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from leaderboard.models import AccountUse, Attempt, Import, Run, RunLink, Step, Suite
from leaderboard.sharing.private_link import make_link
from leaderboard.tests.support.uploaded import chat_line, signed_in
from leaderboard.uploads import guests
from leaderboard.uploads.delete import delete_old
from leaderboard.visitors.page_limits import Allowance
from runner.contract import ProblemError

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_counters() -> None:
    guests.FILES.spent.clear()


def send(client: Client, content: str = "", name: str = "mine.jsonl") -> HttpResponse:
    file = SimpleUploadedFile(name, (content or chat_line()).encode())
    answer: HttpResponse = client.post("/view/", {"title": "", "file": file})  # type: ignore[assignment]
    return answer


def test_file_is_shown_without_an_account() -> None:
    guest = Client()
    assert "Without an account: one file at a time" in guest.get("/view/").content.decode()
    answer = send(guest)
    assert answer["Location"].startswith("/shared/")
    page = guest.get(answer["Location"])
    assert page.status_code == 200
    assert "print" in page.content.decode()
    assert page["Cache-Control"] == "private, no-store"
    run = Run.objects.get()
    assert (run.is_public, run.suite.is_private, run.entry.owner) == (False, True, None)
    assert guest.get(answer["Location"].partition("tasks/")[0]).status_code == 200
    assert f'href="{answer["Location"]}"' in guest.get("/view/").content.decode()
    assert not AccountUse.objects.exists()


def test_nobody_else_sees_it(ada: User) -> None:
    guest = Client()
    address = send(guest)["Location"]
    run = Run.objects.get()
    plain = "/" + address.split("/", 3)[3]
    for other in (Client(), signed_in(ada), signed_in(User.objects.create_superuser("root"))):
        assert other.get(address).status_code == 404
        assert other.get(plain).status_code == 404
        assert "mine" not in other.get("/failures/").content.decode()
    assert guest.get(plain).status_code == 404  # the link alone leads there
    second = Client()
    send(second)
    assert second.get(address).status_code == 404
    assert guest.get(address).status_code == 200
    guest.session.flush()
    del guest.cookies["sessionid"]
    assert guest.get(address).status_code == 404
    assert Run.objects.filter(pk=run.pk).exists()


def test_another_file_takes_its_place_and_it_can_be_deleted() -> None:
    guest = Client()
    first = send(guest)["Location"]
    second = send(guest, chat_line("8"))["Location"]
    assert guest.get(first).status_code == 404
    assert guest.get(second).status_code == 200
    assert Run.objects.count() == Import.objects.count() == 1
    assert guest.post("/view/", {"forget": "1"})["Location"] == "/view/"
    assert guest.get(second).status_code == 404
    for model in (Run, Attempt, Step, RunLink, Import, Suite):
        assert not model.objects.exists(), model


def test_sweep_deletes_it_after_a_day() -> None:
    guest = Client()
    address = send(guest)["Location"]
    delete_old()
    assert guest.get(address).status_code == 200
    Run.objects.update(created_at=timezone.now() - timedelta(hours=25))
    delete_old()
    assert not Run.objects.exists()
    assert guest.get(address).status_code == 404
    assert "Your file" not in guest.get("/view/").content.decode()


def test_sweep_deletes_what_a_deleted_account_had_under_a_link(ada: User) -> None:
    send(signed_in(ada))
    make_link(Run.objects.get())
    ada.delete()
    send(Client())
    delete_old()
    assert Run.objects.get().link.is_guests


def test_files_without_an_account_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    guest = Client()
    big = send(guest, "x" * (guests.MOST_BYTES + 1))
    assert "The file is larger than 8 MiB." in big.content.decode()
    assert "is empty" in send_empty(guest)
    monkeypatch.setattr(guests, "MOST_ATTEMPTS", 1)
    two = send(guest, f"{chat_line('1')}\n{chat_line('2')}").content.decode()
    assert "The file holds more than 1 attempts or 10,000 steps." in two
    monkeypatch.setattr(guests, "MOST_STEPS", 0)
    assert "more than 1 attempts or 0 steps." in send(guest).content.decode()
    monkeypatch.setattr(guests, "FILES_AN_HOUR", 1)
    assert "from your address within an hour" in send(guest).content.decode()
    assert not Run.objects.exists()


def test_count_of_files_fills_up_again_at_any_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 0.0
    files = Allowance(guests.FILES_AN_HOUR, 3600.0, clock=lambda: now_s)
    monkeypatch.setattr(guests, "FILES", files)
    for _ in range(guests.FILES_AN_HOUR):
        guests.count_file("a")
    with pytest.raises(ProblemError, match="within an hour"):
        guests.count_file("a")
    guests.count_file("b")
    now_s = 181.0
    guests.count_file("a")


def test_the_oldest_file_gives_way_where_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "MOST_KEPT", 2)
    visitors = [Client() for _ in range(3)]
    addresses = [send(visitor)["Location"] for visitor in visitors]
    answers = [visitor.get(address) for visitor, address in zip(visitors, addresses, strict=True)]
    assert [answer.status_code for answer in answers] == [404, 200, 200]
    assert Run.objects.count() == 2


def send_empty(guest: Client) -> str:
    file = SimpleUploadedFile("a.jsonl", b"")
    return guest.post("/view/", {"file": file}).content.decode()


def test_form_of_a_guest_needs_its_token() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert send(strict).status_code == 403
    assert strict.post("/view/", {"forget": "1"}).status_code == 403


def test_files_cannot_be_scored_without_an_account() -> None:
    guest = Client()
    file = SimpleUploadedFile("a.jsonl", chat_line().encode())
    answer = guest.post("/view/", {"suite": "starter", "file": file})
    assert answer["Location"].endswith("?next=/view/")
    assert not Run.objects.exists()
    assert "Score output files" not in guest.get("/view/").content.decode()
