"""Side by side in a real Chromium: keys, links into other windows, a stack on a phone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.rows import (
    add_step,
    finish_run,
    make_entry,
    make_run,
    make_step,
    make_suite,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def address(live_server: Any) -> str:
    """Two attempts of 45 and 43 steps, which differ in rows 3 and 30."""
    suite, asked = make_suite(), []
    for name, gone in (("A", []), ("B", [3, 30])):
        run = finish_run(make_run(suite, make_entry(name)), 3)
        attempt = run.attempts.select_related("task", "run").get(task__key="rotate-photo")
        attempt.steps.all().delete()
        left = [n for n in range(1, 46) if n not in gone]
        for index, number in enumerate(left, 1):
            code = f"number_{number} = compute_{number}({number})"
            add_step(attempt, make_step(index, code=code))
        asked.append(f"a={run.pk}")
    return f"{live_server.url}/tasks/{suite.name}/rotate-photo/side-by-side/?{'&'.join(asked)}"


def test_d_walks_the_differences_over_windows(page: Page, watch: Watch, address: str) -> None:
    page.goto(address)
    page.keyboard.press("d")
    expect(page).to_have_url(re.compile("#row-3$"))
    page.keyboard.press("d")
    expect(page).to_have_url(re.compile("from=30#row-30$"))
    expect(page.locator("#row-30")).to_have_class(re.compile("is-current"))
    page.keyboard.press("d")
    expect(page.get_by_role("status")).to_have_text("That was the last one.")
    page.keyboard.press("Shift+D")
    expect(page).to_have_url(re.compile("from=3#row-3$"))
    page.keyboard.press("j")
    expect(page).to_have_url(re.compile("#row-4$"))
    page.keyboard.press("k")
    expect(page).to_have_url(re.compile("#row-3$"))


def test_a_link_to_a_row_of_another_window_lands(page: Page, watch: Watch, address: str) -> None:
    page.goto(f"{address}#row-45")
    expect(page.locator("#row-45")).to_have_class(re.compile("is-current"))
    expect(page.locator("#row-45")).to_be_in_viewport()


def test_a_phone_shows_a_stack(page: Page, watch: Watch, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address)
    first, second = (page.locator("#row-1 .place").nth(n).bounding_box() for n in (0, 1))
    assert first is not None
    assert second is not None
    assert second["y"] >= first["y"] + first["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
