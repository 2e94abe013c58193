"""The submitter's whole way in a browser, over real processes: form, preflight, run, publish."""

from __future__ import annotations

import re
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from unittest.mock import patch

import pytest
from playwright.sync_api import Page, expect

from conftest import child
from leaderboard.tests.site import CELERY, Site, make_site
from runner.scripted import Catalogue
from runner.scripted_server import ScriptedServer
from runner.suites import load_suite

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
def web(site: Site) -> Iterator[str]:
    """The site's web process, as `make run` starts it."""
    port = free_port()
    granian = [CELERY[0].replace("celery", "granian"), "--interface", "wsgi", "--host", "127.0.0.1"]
    command = [*granian, "--port", str(port), "--blocking-threads", "4", "--no-ws"]
    root = Path(__file__).resolve().parents[2]
    environment = {**site.environment, "PYTHONPATH": str(root)}
    with (
        patch.dict("os.environ", environment),
        child([*command, "pybench_site.wsgi:application"], lambda: listens(port)),
    ):
        yield f"http://127.0.0.1:{port}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def endpoint(site: Site) -> Iterator[str]:
    suite = load_suite("lines", site.folder / "suites")
    server = ScriptedServer(catalogue=Catalogue([suite]), latency_s=0.3)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.base_url
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def test_from_signing_up_to_a_published_run(
    site: Site, web: str, endpoint: str, page: Page
) -> None:
    page.set_default_timeout(20_000)
    expect.set_options(timeout=40_000)
    page.goto(f"{web}/submit/")
    page.get_by_role("link", name="sign up").click()
    page.get_by_label("Email").fill("ada@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.get_by_role("button", name="Sign Up").click()
    with site.worker(), site.sweeper():
        page.goto(f"{web}/submit/")
        page.get_by_label("Base URL").fill("http://10.0.0.1/v1")
        page.get_by_label("Model", exact=True).fill("reference")
        page.get_by_label("Name", exact=True).fill("Foo 70B")
        page.get_by_role("button", name="Check the endpoint").click()
        expect(page.get_by_text("not called from here")).to_be_visible()
        expect(page.get_by_label("Model", exact=True)).to_have_value("reference")
        page.get_by_label("Base URL").fill(endpoint)
        page.get_by_role("button", name="Check the endpoint").click()
        expect(page.get_by_text("The endpoint can be evaluated")).to_be_visible()
        expect(page.get_by_text("Solved in a real kernel")).to_be_visible()
        page.get_by_role("button", name="Queue the run").click()
        expect(page).to_have_url(re.compile(r"/runs/\d+/$"))
        expect(page.get_by_text("Private: nobody but you")).to_be_visible()
        expect(page.get_by_text("tokens so far")).to_be_visible()
        # The page follows the run to its end by itself.
        expect(page.get_by_text(f"{TASKS} of {TASKS}")).to_be_visible()
        expect(page.get_by_text("tokens so far")).to_be_hidden()
    address = page.url
    stranger = page.context.browser.new_page() if page.context.browser else page
    answer = stranger.goto(address)
    assert answer is not None
    assert answer.status == 404
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published: everybody can read this run now.")).to_be_visible()
    answer = stranger.goto(address)
    assert answer is not None
    assert answer.status == 200
    stranger.close()
