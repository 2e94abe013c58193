"""Fixtures for the pages: a real Chromium that reports what it was made to do."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.core.signals import request_finished, request_started
from django.db import transaction
from django.test import Client
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Dialog,
    Page,
    Request,
    expect,
    sync_playwright,
)
from pytest_django.fixtures import Settings
from pytest_django.plugin import DjangoDbBlocker
from whitenoise.middleware import WhiteNoiseMiddleware

from conftest import wait_until
from leaderboard.board.queries import BEST, BOARDS
from leaderboard.judge.trial import TRIALS
from leaderboard.models import Suite
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.rows import make_suite
from leaderboard.views.charts import WRITTEN
from leaderboard.views.replay import KEPT
from leaderboard.views.runs import SHARED
from leaderboard.visitors.page_limits import ALLOWANCE

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
PATIENCE_MS = 120_000  # of a browser on a busy machine; Playwright's own expects take five seconds


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure beside a site's own processes shows what those were at."""
    report = yield
    for fixture in getattr(item, "funcargs", {}).values() if report.failed else ():
        site = getattr(fixture, "site", fixture)
        if type(site).__name__ == "Site":
            report.sections.append(("the site at that moment", site.describe()))
    return report


@pytest.fixture(autouse=True)
def empty_shelves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that was kept of another test's rows is found; and what changed is made at once."""
    caches["counts"].clear()
    BOARDS.clear()
    BEST.clear()
    SHARED.clear()
    TRIALS.clear()
    WRITTEN.clear()
    KEPT.clear()
    ALLOWANCE.spent.clear()
    monkeypatch.setattr(SHARED, "rest_s", 0.0)
    monkeypatch.setattr(TRIALS, "rest_s", 0.0)
    monkeypatch.setattr("leaderboard.replay.drawing.UNFINISHED_S", 0.0)
    monkeypatch.setattr("leaderboard.board.queries.KEEP_S", 0.0)


@pytest.fixture(scope="session", autouse=True)
def static_files_found_once() -> Iterator[None]:
    """Each test client has middleware of its own, which would look at every static file again."""
    found: dict[str, Any] = {}
    find = WhiteNoiseMiddleware.add_files_from_finders

    def add(middleware: WhiteNoiseMiddleware) -> None:
        if not found:
            find(middleware)
            found.update(middleware.files)
        middleware.files.update(found)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add)
        yield


@pytest.fixture(scope="class")
def kept_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Rows that fixtures of a class make after this are there for all of its tests.

    What a test does to them is undone with it.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def admitted_endpoint(settings: Settings) -> None:
    """The operator admits an endpoint on port 8001 beside the site; the scripted one is another."""
    settings.ENDPOINT_LOOPBACK_PORTS, settings.SCRIPTED_PORT = ["8001"], 8009


@pytest.fixture
def suite() -> Suite:
    return make_suite()


@pytest.fixture
def ada() -> User:
    return make_user("ada")


@pytest.fixture
def owner() -> User:
    return make_user()


@pytest.fixture
def signed_in(owner: User, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Messages to workers are left out, since nobody listens here."""
    monkeypatch.setattr(
        "leaderboard.submissions.drafts.send_preflight_draft", lambda draft_id: None
    )
    client = Client()
    client.force_login(owner)
    return client


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, for the tests of one file.

    Playwright keeps an event loop running in this thread, which Django would take for its own and
    which no asynchronous test could share: so it ends with the file.
    """
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []  # its own needs an ordinary user
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        expect.set_options(timeout=PATIENCE_MS)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a context of its own, without storage or cookies of others.

    What it asked for last is answered before the test's rows are removed.
    """
    under_way = Requests()
    request_started.connect(under_way.begin)
    request_finished.connect(under_way.end)
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    try:
        yield context.new_page()
    finally:
        context.close()
        wait_until(lambda: under_way.count == 0, "every request of the page is answered")
        request_started.disconnect(under_way.begin)
        request_finished.disconnect(under_way.end)


class Requests:
    """Counts the requests that the server is working on."""

    def __init__(self) -> None:
        self.count = 0
        self.lock = threading.Lock()

    def begin(self, **kwargs: object) -> None:
        with self.lock:
            self.count += 1

    def end(self, **kwargs: object) -> None:
        with self.lock:
            self.count -= 1


@dataclass
class Watch:
    """Record of a page's doings: requests to other hosts, dialogs, errors, refusals by the
    policy."""

    host: str
    foreign: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    def note_request(self, request: Request) -> None:
        if not request.url.startswith((self.host, "data:", "about:")):
            self.foreign.append(request.url)

    def note_dialog(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def note_console(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.refusals.append(message.text)
        elif message.type == "error":
            self.errors.append(message.text)


@pytest.fixture
def watch(page: Page, live_server: Any) -> Iterator[Watch]:
    """A watched page. Nothing it is made to do may reach another host or raise a dialog."""
    seen = Watch(live_server.url)
    page.on("request", seen.note_request)
    page.on("console", seen.note_console)
    page.on("pageerror", lambda error: seen.errors.append(str(error)))
    page.on("dialog", seen.note_dialog)
    yield seen
    assert seen.foreign == []
    assert seen.dialogs == []
    assert seen.errors == []
