"""A replay as one page: every step and file in it, and nothing loaded from anywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser

from conftest import wait_until
from leaderboard.models import Attempt, Blob, Entry
from leaderboard.replay import drawing
from leaderboard.tests.support.rows import (
    add_step,
    finish_run,
    make_entry,
    make_run,
    make_step,
    make_suite,
    tell_failure,
)
from leaderboard.views import self_contained

pytestmark = pytest.mark.django_db

KEY = "rotate-photo"


def failed_attempt(name: str = "Foo 70B", *, is_public: bool = True) -> Attempt:
    run = finish_run(make_run(make_suite(), make_entry(name), is_public=is_public), 3)
    attempt: Attempt = run.attempts.select_related("task", "run").get(task__key=KEY)
    tell_failure(attempt)
    return attempt


def save(client: Client, attempt: Attempt) -> str:
    answer = client.get(f"/runs/{attempt.run_id}/tasks/{KEY}/replay.html")
    assert answer.status_code == 200
    assert "attachment" in answer["Content-Disposition"]
    return answer.content.decode()


def sources(page: str) -> list[str]:
    return re.findall(r'\ssrc="([^"]*)"', page)


def test_the_page_has_every_step_its_verdict_and_its_files(client: Client) -> None:
    attempt = failed_attempt()
    page = save(client, attempt)
    assert re.findall(r'id="step-(\d+)"', page) == [str(n) for n in range(1, 7)]
    assert "quarters.csv has 5 rows, the query asks for 4." in page
    assert sources(page)
    assert all(source.startswith("data:") for source in sources(page))
    assert "@font-face" not in page
    link = f'href="http://testserver{attempt.get_absolute_url()}"'
    assert link in page


def test_a_file_is_in_it_once(client: Client) -> None:
    attempt = failed_attempt()
    page = save(client, attempt)
    ids = re.findall(r'\sid="(file-[0-9a-f]{16})"', page)
    assert len(ids) == len(set(ids)) > 0
    assert set(re.findall(r'data-same="([^"]*)"', page)) <= set(ids)
    files = sum(Blob.objects.values_list("size_bytes", flat=True))
    replay = len(client.get(attempt.get_absolute_url()).content)
    assert len(page) <= 1.4 * files + replay + 150_000


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_browser_shows_it_and_asks_nobody(
    client: Client, browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "replay.html"
    file.write_text(save(client, failed_attempt()), "utf-8")
    page = browser.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(file.as_uri())
    page.wait_for_load_state("networkidle")
    assert [url for url in asked if not url.startswith("data:")] == [file.as_uri()]
    assert said == []
    # Every picture is drawn, also those that are in the page once and shown twice.
    empty = "[...document.images].filter(i => i.checkVisibility() && !i.naturalWidth).length"
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    wait_until(lambda: page.evaluate(empty) == 0, "every picture is drawn", 60)
    assert page.evaluate("document.images.length") > 2
    page.close()


def test_a_long_attempt_is_one_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    attempt = failed_attempt()
    attempt.steps.all().delete()
    for n in range(1, 46):
        add_step(attempt, make_step(n, code=f"step_{n}()"))
    page = save(client, attempt)
    assert len(re.findall(r'id="step-\d+"', page)) == 45
    assert page.count('id="opening"') == 1
    assert "from=" not in "".join(re.findall(r'href="[^"]*#step', page))
    monkeypatch.setattr(drawing, "MAX_WINDOWS", 2)
    page = save(client, attempt)
    assert len(re.findall(r'id="step-\d+"', page)) == 40
    assert "The last 5 steps are not on this page" in page


def test_what_is_too_large_is_said(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_contained, "MAX_FILE_BYTES", 10)
    page = save(client, failed_attempt())
    assert sources(page) == []
    assert "too large for this page" in page


def test_a_private_replay_is_its_owners(client: Client) -> None:
    owner = User.objects.create_user("ada")
    attempt = failed_attempt("Zaphod", is_public=False)
    Entry.objects.filter(pk=attempt.run.entry_id).update(owner=owner)
    assert client.get(f"/runs/{attempt.run_id}/tasks/{KEY}/replay.html").status_code == 404
    client.force_login(owner)
    assert "Zaphod" in save(client, attempt)


def test_hostile_words_name_no_file_and_run_nothing(client: Client) -> None:
    attempt = failed_attempt('Evil "><script>alert(1)</script>')
    sha256 = Blob.objects.values_list("pk", flat=True)[0]
    evil = f'<img src="/files/{sha256}/x.png"> <script>alert(1)</script> href="/x" </style>'
    add_step(attempt, make_step(7, code=evil, thought=evil))
    page = save(client, attempt)
    assert "<script>alert" not in page
    assert page.count("<script>") == 1
    assert page.count("</style>") == 1
    assert f"/files/{sha256}/x.png" in page  # as words
