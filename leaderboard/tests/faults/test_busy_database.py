"""A write that finds SQLite's file locked for long is answered with 503, and can be sent again."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email.message import Message
from pathlib import Path

import psycopg
import pytest
from django.db import InterfaceError, OperationalError
from playwright.sync_api import Page, expect

from leaderboard.tests.support.site import Site, migrate
from leaderboard.tests.support.web_process import web
from pybench_site.database import is_unavailable

LONGER_THAN_A_WRITE_WAITS_MS = 18_000
EMAIL, PASSWORD = "grace@example.org", "a long enough passphrase"
MAKE_TOKEN = """
from django.contrib.auth.models import User
from leaderboard.accounts.tokens import make_token
print(make_token(User.objects.create_user("ada"), "t")[1])
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("busy")
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "pybench_site.settings",
        "DATABASE_URL": f"sqlite:///{folder}/site.sqlite3",
        "PYBENCH_VAR": str(folder / "var"),
        "PYBENCH_BROKER_URL": f"redis+socket://{folder}/none.sock",
    }
    site = Site(folder, environment)
    migrate(site)
    return site


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.execute("BEGIN IMMEDIATE")
        yield


@pytest.mark.browser
def test_a_write_while_the_database_is_locked_is_503_and_can_be_sent_again(
    site: Site, page: Page
) -> None:
    token = site.manage("shell", "-c", MAKE_TOKEN).split()[-1]
    with web(site) as (url, _), ThreadPoolExecutor(1) as threads:
        page.goto(f"{url}/account/signup/")
        page.fill("[name=email]", EMAIL)
        page.fill("[name=password1]", PASSWORD)
        page.fill("[name=password2]", PASSWORD)
        with locked(site.folder / "site.sqlite3"):
            sent = threads.submit(send_upload, f"{url}/api/v1/uploads/", token)
            with page.expect_navigation(timeout=LONGER_THAN_A_WRITE_WAITS_MS) as navigation:
                page.click("main form [type=submit]", no_wait_after=True)
            answer = navigation.value
            assert (answer.status, answer.headers["retry-after"]) == (503, "10")
            expect(page.locator("h1")).to_have_text("The database is busy")
            expect(page.locator("main")).to_contain_text("reload this page in a few seconds")
            status, headers, body = sent.result()
            problem = json.loads(body)
            assert (status, problem["code"]) == (503, "database_busy")
            assert headers["Retry-After"] == "10"
            assert page.request.get(f"{url}/").status == 200  # who only reads waits for nobody
        page.reload()
        expect(page).to_have_url(f"{url}/submissions/")
        assert send_upload(f"{url}/api/v1/uploads/", token)[0] == 422  # read, and refused
    assert site.one(f"SELECT count(*) FROM auth_user WHERE email = '{EMAIL}'") == 1
    assert "database is locked" in (site.folder / "web-log").read_text()


def send_upload(url: str, token: str) -> tuple[int, Message, bytes]:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/octet-stream"}
    request = urllib.request.Request(url, b"no attempt", headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def of_sqlite(path: Path, statement: str) -> sqlite3.Error:
    with contextlib.closing(sqlite3.connect(path, timeout=0)) as file:
        try:
            file.execute(statement)
        except sqlite3.Error as error:
            return error
    raise AssertionError(statement)


def of_sqlite_away(folder: Path) -> sqlite3.Error:
    try:
        sqlite3.connect(folder / "gone" / "a.sqlite3")
    except sqlite3.Error as error:
        return error
    raise AssertionError


def test_errors_of_a_database_that_is_away_are_told_from_wrong_statements(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    with locked(path):
        busy = of_sqlite(path, "BEGIN IMMEDIATE")
    away = of_sqlite_away(tmp_path)
    wrong = of_sqlite(path, "SELECT 1 FROM nothing")
    for cause, expected in (
        (busy, True),
        (away, True),
        (wrong, False),
        (psycopg.errors.LockNotAvailable(), True),
        (psycopg.errors.QueryCanceled(), True),
    ):
        error = OperationalError(str(cause))
        error.__cause__ = cause
        assert is_unavailable(error) is expected, cause
    assert is_unavailable(InterfaceError("connection already closed"))
    assert not is_unavailable(ValueError())
    assert not is_unavailable(None)
