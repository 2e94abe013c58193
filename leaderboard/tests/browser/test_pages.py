"""The pages in a real Chromium: the main path, the keys, and content that wants to do harm."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from leaderboard.models import Attempt, Run
from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.rows import (
    LONG_NAME,
    add_step,
    end_judged,
    finish_run,
    make_entry,
    make_run,
    make_step,
    make_suite,
    tell_failure,
)
from runner.contract import Status

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}


@pytest.fixture
def run() -> Run:
    suite = make_suite()
    finish_run(make_run(suite, make_entry("reference", is_scripted=True)), 8)
    finish_run(make_run(suite, make_entry(LONG_NAME)), 7)
    run = finish_run(make_run(suite, make_entry("Foo 70B")), 5)
    end_judged(run.attempts.get(task__key="rotate-photo"), passed=False)
    tell_failure(run.attempts.select_related("task", "run").get(task__key="rotate-photo"))
    return run


def test_from_the_board_to_the_failing_step(
    run: Run, page: Page, watch: Watch, live_server: Any
) -> None:
    page.goto(live_server.url)
    page.get_by_role("link", name="Foo 70B").click()
    page.get_by_role("link", name=re.compile(r"^failed \d")).click()
    expect(page).to_have_url(re.compile("show=failed"))
    page.get_by_role("rowheader", name="Turn a photograph upright").get_by_role("link").click()
    expect(page.get_by_text("Failed: quarters.csv has 5 rows")).to_be_visible()
    page.get_by_role("link", name="(step 5 wrote it)").click()
    expect(page).to_have_url(re.compile("#step-5$"))
    expect(page.locator("#step-5")).to_be_in_viewport()
    page.get_by_role("link", name="first error").click()
    expect(page.locator("#step-2 .error-line")).to_have_text("KeyError: 'quarter'")
    expect(page.locator("#step-2 .error-line")).to_be_in_viewport()
    assert watch.refusals == []


def test_keys_walk_steps_and_tasks(run: Run, page: Page, watch: Watch, live_server: Any) -> None:
    base = f"{live_server.url}/runs/{run.pk}/tasks"
    page.goto(f"{base}/rotate-photo/")
    page.keyboard.press("j")
    expect(page).to_have_url(re.compile("#step-1$"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("#step-3$"))
    expect(page.locator("#step-3")).to_be_in_viewport()
    page.keyboard.press("k")
    expect(page.locator("#step-2")).to_have_class(re.compile("is-current"))
    page.keyboard.press("f")
    expect(page.locator("#step-1")).to_be_hidden()
    expect(page.locator("#step-2")).to_be_visible()
    page.keyboard.press("f")
    expect(page.locator("#step-1")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_hidden()
    for key, other in (("N", "trim-silence"), ("p", "rotate-photo"), ("n", "trim-silence"),
                       ("P", "rotate-photo")):  # fmt: skip
        page.keyboard.press(key)
        expect(page).to_have_url(f"{base}/{other}/")
        page.wait_for_load_state()  # before it, a page hears no key
    assert watch.refusals == []


def test_the_theme_turns_and_is_remembered(
    run: Run, page: Page, watch: Watch, live_server: Any
) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(live_server.url)
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.keyboard.press("t")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.goto(f"{live_server.url}/about/method/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_running_page_follows_the_run(
    run: Run, page: Page, watch: Watch, live_server: Any
) -> None:
    live = make_run(run.suite, make_entry("Live"))
    Run.objects.filter(pk=live.pk).update(status=Status.RUNNING, sequence=1)
    page.goto(live_server.url + live.get_absolute_url())
    expect(page.get_by_text("0 of 8 attempts ended")).to_be_visible()
    end_judged(live.attempts.all()[0], passed=True)
    Run.objects.filter(pk=live.pk).update(sequence=2)
    expect(page.get_by_text("1 of 8 attempts ended")).to_be_visible()
    finish_run(live, 8)
    Run.objects.filter(pk=live.pk).update(sequence=3)
    expect(page.locator("[data-live]")).to_have_count(0)  # loaded once more, and at rest
    expect(page.locator(".rate.large b")).to_have_text("8 of 8")


def test_a_running_attempt_is_watched_live(
    run: Run, page: Page, watch: Watch, live_server: Any
) -> None:
    live = make_run(run.suite, make_entry("Live"))
    attempt = live.attempts.select_related("task", "run").all()[0]
    Attempt.objects.filter(pk=attempt.pk).update(status=Status.RUNNING)
    attempt.refresh_from_db()
    add_step(attempt, make_step(1, code="first = 1"))
    page.goto(live_server.url + attempt.get_absolute_url())
    page.keyboard.press("j")
    add_step(attempt, make_step(2, code="second = 2"))
    expect(page.locator("#step-2 .code")).to_contain_text("second = 2")
    expect(page.locator("#step-1")).to_have_class(re.compile("is-current"))
    page.keyboard.press("j")
    expect(page).to_have_url(re.compile("#step-2$"))
    end_judged(attempt, passed=True)
    expect(page.locator(".verdict-line")).to_contain_text("Passed: all 4 checks passed.")
    expect(page.locator("[data-live]")).to_have_count(0)


def test_copying_says_that_it_did(run: Run, page: Page, watch: Watch, live_server: Any) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{live_server.url}/runs/{run.pk}/tasks/rotate-photo/")
    page.locator("#step-2 .code").hover()
    page.locator("#step-2 .copy").click()
    expect(page.locator("#step-2 .copy")).to_have_text("copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "sales['amount'] = clean(sales)\ntotals = sales['quarter'].value_counts()"


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_no_page_scrolls_sideways(
    run: Run, page: Page, watch: Watch, live_server: Any, size: Any
) -> None:
    page.set_viewport_size(size)
    for path in (
        "/",
        run.get_absolute_url(),
        f"/runs/{run.pk}/tasks/rotate-photo/",
        "/tasks/starter/",
        "/tasks/starter/rotate-photo/",
        "/about/method/",
        "/absent/",
    ):
        page.goto(live_server.url + path)
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"], path
    watch.errors.clear()  # the browser reports the 404 itself


def test_failures_come_first_on_a_phone_and_filters_unfold(
    run: Run, page: Page, watch: Watch, live_server: Any
) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"{live_server.url}/failures/")
    expect(page.get_by_role("heading", level=2)).to_be_in_viewport()
    expect(page.locator(".facets")).to_be_hidden()
    page.get_by_role("link", name="Filter", exact=True).click()
    expect(page.locator(".facets")).to_be_visible()
    page.get_by_role("link", name="Hide filters").click()
    expect(page.locator(".facets")).to_be_hidden()
    page.get_by_role("link", name="Filter", exact=True).click()
    page.locator(".facets li a").first.click()
    expect(page).to_have_url(re.compile(r"/failures/\?"))
    expect(page.locator(".facets")).to_be_hidden()
    page.set_viewport_size(DESK)
    expect(page.locator(".facets")).to_be_visible()
    expect(page.get_by_role("link", name="Filter", exact=True)).to_be_hidden()


def test_the_name_column_stays_while_a_table_scrolls(
    run: Run, page: Page, watch: Watch, live_server: Any
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(live_server.url)
    box = page.get_by_role("region", name="Rank table")
    before = page.get_by_role("link", name="Foo 70B").bounding_box()
    box.evaluate("box => { box.scrollLeft = 400; }")
    after = page.get_by_role("link", name="Foo 70B").bounding_box()
    assert before is not None
    assert after is not None
    assert 0 <= after["x"] <= before["x"]


def test_everything_is_readable_without_script(run: Run, browser: Any, live_server: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    try:
        page.goto(f"{live_server.url}/?sort=entry")
        page.get_by_role("link", name="Foo 70B").click()
        page.get_by_role("rowheader", name="Turn a photograph").get_by_role("link").click()
        expect(page.locator("#step-5 .out img")).to_be_visible()
        cell = page.locator("#step-5").get_by_role("cell", name="58826.45")
        expect(cell).to_be_visible()
        page.locator("#step-5 summary", has_text="quarters.csv").click()
        expect(cell).to_be_hidden()
        # What needs script is not offered; a form's own button works without.
        assert page.locator("button[type='button']:visible").count() == 0
    finally:
        context.close()


def test_what_is_shown_of_steps_is_chosen_and_remembered(
    run: Run, page: Page, watch: Watch, live_server: Any
) -> None:
    page.goto(f"{live_server.url}/runs/{run.pk}/tasks/rotate-photo/")
    page.get_by_role("checkbox", name="code").uncheck()
    expect(page.locator("#step-2 .code")).to_be_hidden()
    expect(page.locator("#step-2 .error-line")).to_be_visible()
    page.keyboard.press("e")
    expect(page).to_have_url(re.compile("#step-2$"))
    page.keyboard.press("N")
    expect(page).to_have_url(re.compile("trim-silence/$"))
    page.go_back()
    expect(page.get_by_role("checkbox", name="code")).not_to_be_checked()
    expect(page.locator("#step-2 .code")).to_be_hidden()
    assert watch.refusals == []
