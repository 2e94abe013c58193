"""A replay of more than ten thousand steps: any step is reached by link, key and page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from leaderboard.models import Attempt, Step
from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.rows import (
    add_step,
    finish_run,
    make_run,
    make_step,
    make_suite,
    printed,
)

STEPS = 10_050
KEY = "quarterly-sales"


@pytest.fixture
def attempt(transactional_db: None) -> Attempt:
    run = finish_run(make_run(make_suite()), 3)
    found: Attempt = run.attempts.select_related("task", "run").get(task__key=KEY)
    found.steps.all().delete()
    add_step(found, make_step(1, outputs=[printed("seen\n")]))
    one = found.steps.get()
    Step.objects.bulk_create(
        Step(attempt=found, try_number=one.try_number, index=n, status=one.status, body=one.body)
        for n in range(2, STEPS + 1)
    )
    return found


def test_every_window_is_reached_by_links_alone(attempt: Attempt) -> None:
    client, url = Client(), attempt.get_absolute_url()
    for asked, first in ((9000, 8981), (9999, 9981), (10_000, 9981), (10_001, 10_001)):
        answer = client.get(f"{url}?from={asked}")
        assert answer.status_code == 200, asked
        assert f'id="step-{first}"' in answer.content.decode()
    page = client.get(f"{url}?from=9981").content.decode()
    [later] = re.findall(r'rel="next" href="(\?from[^"#]*)', page)
    assert 'id="step-10001"' in client.get(url + later).content.decode()
    [last] = re.findall(r'href="([^"#]*)#step-10050"', page)
    assert 'id="step-10050"' in client.get(url + last).content.decode()


def test_step_that_is_not_there_is_not_found(attempt: Attempt) -> None:
    for asked in ("10061", "999999999", "9" * 10, "9" * 4000, "٣", "-0", "1e3"):
        answer = Client().get(f"{attempt.get_absolute_url()}?from={asked}")
        assert answer.status_code == 404, asked


@pytest.mark.browser
def test_link_to_a_step_deep_inside_leads_there(
    attempt: Attempt, page: Page, watch: Watch, live_server: Any
) -> None:
    for index in (9000, 10_000, 10_050):
        page.goto("about:blank")  # a change of the fragment alone loads nothing
        page.goto(f"{live_server.url}{attempt.get_absolute_url()}#step-{index}")
        expect(page).to_have_url(re.compile(f"from={index}#step-{index}$"))
        expect(page.locator(f"#step-{index}")).to_be_in_viewport()
        expect(page.locator(f"#step-{index}")).to_have_class(re.compile("is-current"))


@pytest.mark.browser
def test_link_beyond_the_last_step_stays_on_the_page(
    attempt: Attempt, page: Page, watch: Watch, live_server: Any
) -> None:
    for index in ("0", "10051", "99999999999999999999"):
        page.goto(f"{live_server.url}{attempt.get_absolute_url()}#step-{index}")
        expect(page.locator("#step-1")).to_be_visible()


@pytest.mark.browser
def test_keys_walk_over_the_edges_of_windows(
    attempt: Attempt, page: Page, watch: Watch, live_server: Any
) -> None:
    page.goto(f"{live_server.url}{attempt.get_absolute_url()}?from=9981#step-10000")
    expect(page.locator("#step-10000")).to_have_class(re.compile("is-current"))
    page.keyboard.press("j")
    expect(page).to_have_url(re.compile("from=10001#step-10001$"))
    expect(page.locator("#step-10001")).to_have_class(re.compile("is-current"))
    page.keyboard.press("k")
    expect(page).to_have_url(re.compile("from=9981#step-10000$"))
    expect(page.locator("#step-10000")).to_have_class(re.compile("is-current"))
    expect(page.locator("#step-10000")).to_be_in_viewport()
