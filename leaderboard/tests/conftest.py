"""Fixtures for the pages: a real Chromium that reports what it was made to do."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request, sync_playwright

from conftest import wait_until
from leaderboard.board_rows import BOARDS
from leaderboard.failure_sheets import SHEETS
from leaderboard.views.data import WRITTEN
from leaderboard.views.runs import SHARED

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"


@pytest.fixture(autouse=True)
def empty_shelves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that was kept of another test's rows is found; and what changed is made at once."""
    BOARDS.clear()
    SHARED.clear()
    SHEETS.clear()
    WRITTEN.clear()
    monkeypatch.setattr(SHARED, "rest_s", 0.0)
    monkeypatch.setattr("leaderboard.board_rows.KEEP_S", 0.0)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, for the tests of one file.

    Playwright keeps an event loop running in this thread, which Django would take for its own and
    which no asynchronous test could share: so it ends with the file.
    """
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []  # its own needs an ordinary user
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
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
    try:
        yield context.new_page()
    finally:
        context.close()
        wait_until(lambda: under_way.count == 0, "every request of the page is answered")
        request_started.disconnect(under_way.begin)
        request_finished.disconnect(under_way.end)


class Requests:
    """How many requests the server is at."""

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
    """What a page did: requests to other hosts, dialogs, errors, refusals by the policy."""

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
    page.set_default_timeout(60_000)
    yield seen
    assert seen.foreign == []
    assert seen.dialogs == []
    assert seen.errors == []
