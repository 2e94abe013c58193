"""The page of a visitor who is asked to wait, behind proxies and in a real browser."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from playwright.sync_api import Browser, expect
from pytest_django.fixtures import Settings

from leaderboard.visitors.page_limits import ALLOWANCE

pytestmark = pytest.mark.django_db(transaction=True)

VISITOR, OTHER = "198.51.100.7", "198.51.100.8"
FORGED = ["127.0.0.1", "::1", "203.0.113.9", "x" * 3000, "", ",,,", "127.0.0.1, ::1"]


@pytest.fixture(autouse=True)
def one_proxy(settings: Settings) -> None:
    settings.PROXIES = 1
    ALLOWANCE.spent.clear()


@pytest.mark.parametrize("forged", FORGED)
def test_words_before_the_proxys_own_free_nobody(forged: str) -> None:
    """A proxy adds the address it saw behind whatever the visitor wrote."""
    ALLOWANCE.charge(VISITOR, 30.0)
    sent = f"{forged}, {VISITOR}" if forged else VISITOR
    answer = Client(REMOTE_ADDR="127.0.0.1").get("/", headers={"X-Forwarded-For": sent})
    assert answer.status_code == 429
    assert 100 <= int(answer["Retry-After"]) <= 120
    assert answer["Cache-Control"] == "no-store"
    other = {"X-Forwarded-For": f"{VISITOR}, {OTHER}"}
    assert Client(REMOTE_ADDR="127.0.0.1").get("/", headers=other).status_code == 200


@pytest.mark.parametrize("spelling", [f"{VISITOR}:5123", f" {VISITOR} ", f"::ffff:{VISITOR}"])
def test_spellings_of_an_address_share_its_limit(spelling: str) -> None:
    ALLOWANCE.charge(VISITOR, 30.0)
    answer = Client(REMOTE_ADDR="10.0.0.1").get("/", headers={"X-Forwarded-For": spelling})
    assert answer.status_code == 429


@pytest.mark.parametrize("path", ["/account/signup/", "/account/password/reset/"])
def test_forms_sent_too_often_say_how_long_to_wait(path: str) -> None:
    cache.clear()
    for number in range(25):
        client = Client(REMOTE_ADDR=VISITOR)
        answer = client.post(path, {"email": f"a{number}@example.org"})
    assert answer.status_code == 429
    assert answer["Retry-After"] == "60"
    assert answer["Cache-Control"] == "no-store"
    assert "Please wait 60 seconds" in answer.content.decode()
    assert "This form was sent too often" in answer.content.decode()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_page_that_asks_to_wait_reads_well(
    browser: Browser, live_server: Any, scheme: Any, width: int
) -> None:
    ALLOWANCE.charge(VISITOR, 30.0)
    context = browser.new_context(
        color_scheme=scheme,
        viewport={"width": width, "height": 800},
        extra_http_headers={"X-Forwarded-For": VISITOR},
    )
    try:
        page = context.new_page()
        answer = page.goto(live_server.url)
        assert answer is not None
        assert answer.status == 429
        expect(page.get_by_role("heading", level=1)).to_have_text("Please wait 2 minutes")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width
        assert page.evaluate("document.styleSheets.length") > 0
    finally:
        context.close()
