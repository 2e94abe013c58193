"""The submitter's whole way in a browser, over real processes: form, preflight, run, publish."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import Page, expect

from conftest import served
from leaderboard.tests.support.site import Site, make_site
from leaderboard.tests.support.web_process import web
from runner.scripted.replies import Catalogue, Message, ScriptedReply
from runner.scripted.server import ScriptedServer
from runner.suite.reader import load_suite

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.sandbox]

TASKS = 3
PASSWORD = "a long enough passphrase"


@pytest.fixture
def site(redis_url: str) -> Iterator[Site]:
    folder = Path(tempfile.mkdtemp(prefix="pb-journey-"))
    try:
        yield make_site(folder, "", redis_url, TASKS)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    """Of the site's web process, as `make run` starts it."""
    with web(site) as (address, _):
        yield address


class WaitingServer(ScriptedServer):
    """Scripted endpoints that answer while they may."""

    may_answer: Event

    def reply(self, model: str, messages: Sequence[Message]) -> ScriptedReply:
        self.may_answer.wait(240)
        return super().reply(model, messages)


@pytest.fixture
def endpoint(site: Site) -> Iterator[WaitingServer]:
    suite = load_suite("lines", site.folder / "suites")
    server = WaitingServer(catalogue=Catalogue([suite]))
    server.may_answer = Event()
    server.may_answer.set()
    with served(server):
        yield server
        server.may_answer.set()


def test_from_signing_up_to_a_published_run(
    site: Site, address: str, endpoint: WaitingServer, page: Page
) -> None:
    page.set_default_timeout(120_000)
    expect.set_options(timeout=240_000)
    page.goto(f"{address}/submit/")
    page.get_by_role("link", name="sign up").click()
    page.get_by_label("Email").fill("ada@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    with site.worker(), site.sweeper():
        page.goto(f"{address}/submit/")
        page.get_by_label("Base URL").fill("http://10.0.0.1/v1")
        page.get_by_label("Model", exact=True).fill("reference")
        page.get_by_label(re.compile("^Name")).fill("Foo 70B")
        page.get_by_role("button", name="Check the endpoint").click()
        expect(page.get_by_text("not called from here")).to_be_visible()
        expect(page.get_by_label("Model", exact=True)).to_have_value("reference")
        page.get_by_label("Base URL").fill(endpoint.base_url)
        page.get_by_role("button", name="Check the endpoint").click()
        expect(page.get_by_text("Ready to run")).to_be_visible()
        expect(page.get_by_text("Passed all 3 in real kernels")).to_be_visible()
        endpoint.may_answer.clear()  # the run goes on until the page has shown it
        page.get_by_role("button", name=f"Queue {TASKS} attempts").click()
        expect(page).to_have_url(re.compile(r"/runs/\d+/$"))
        expect(page.get_by_text("Private: only you")).to_be_visible()
        expect(page.get_by_text("since submitted")).to_be_visible()
        endpoint.may_answer.set()
        # The page follows the run to its end by itself.
        expect(page.locator(".v", has_text=f"{TASKS} of {TASKS} attempts ended")).to_be_visible()
        expect(page.get_by_text("since submitted")).to_be_hidden()
    address = page.url
    stranger = page.context.browser.new_page() if page.context.browser else page
    answer = stranger.goto(address)
    assert answer is not None
    assert answer.status == 404
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published: everybody can see this run now.")).to_be_visible()
    answer = stranger.goto(address)
    assert answer is not None
    assert answer.status == 200
    stranger.close()
