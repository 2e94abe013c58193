"""Every key that the replay's help lists, pressed in a real Chromium."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from leaderboard.models import Run, Suite
from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.rows import (
    end_judged,
    finish_run,
    make_entry,
    make_run,
    make_suite,
    tell_failure,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

REFUSE_COPYING = """Object.defineProperty(navigator, "clipboard", {
  value: { writeText: () => Promise.reject(new DOMException("no", "NotAllowedError")) } })"""
NO_CLIPBOARD = 'Object.defineProperty(navigator, "clipboard", { value: undefined })'


@pytest.fixture
def address(live_server: Any) -> str:
    """A failed attempt of six steps, the second of which is the first to fail."""
    run = finish_run(make_run(make_suite()), 5)
    end_judged(run.attempts.get(task__key="rotate-photo"), passed=False)
    tell_failure(run.attempts.select_related("task", "run").get(task__key="rotate-photo"))
    return f"{live_server.url}/runs/{run.pk}/tasks/rotate-photo/"


def press(page: Page, address: str, *keys: str) -> None:
    page.goto(address)
    for key in keys:
        page.keyboard.press(key)


def leads_to(*keys: str, address: str) -> Callable[[Page, str], None]:
    def check(page: Page, start: str) -> None:
        press(page, start, *keys)
        expect(page).to_have_url(re.compile(address))

    return check


def visits_the_next_model(page: Page, start: str) -> None:
    other = finish_run(make_run(Suite.objects.get(), make_entry("Other")), 5)
    press(page, start, "m")
    expect(page).to_have_url(re.compile(f"/runs/{other.pk}/tasks/rotate-photo/$"))


def plays_by_itself(page: Page, start: str) -> None:
    page.clock.install()
    press(page, start, "s")
    expect(page.get_by_role("button", name="stop")).to_be_visible()
    page.clock.run_for(7_000)
    expect(page).to_have_url(re.compile(r"#step-[2-6]$"))
    page.clock.run_for(60_000)
    expect(page).to_have_url(re.compile("#step-6$"))
    expect(page.get_by_role("button", name="play")).to_be_visible()


def searches_the_steps(page: Page, start: str) -> None:
    press(page, start, "/")
    page.keyboard.type("derive it")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"\?find=derive\+it#found$"))
    found = page.get_by_role("region", name="Found")
    expect(found.get_by_role("status")).to_contain_text("1 hit in 1 step")
    expect(found).to_be_in_viewport()
    found.get_by_role("link", name="step 4").click()
    expect(page).to_have_url(re.compile("find=derive.it&?#step-4$"))
    assert page.evaluate("CSS.highlights.get('found').size") == 1


def lays_it_beside_the_next_model(page: Page, start: str) -> None:
    other = finish_run(make_run(Suite.objects.get(), make_entry("Other")), 5)
    press(page, start, "b")
    expect(page).to_have_url(re.compile(rf"/rotate-photo/side-by-side/.*&a=\d+&a={other.pk}$"))


def leads_back(key: str) -> Callable[[Page, str], None]:
    def check(page: Page, start: str) -> None:
        press(page, start, "n")
        expect(page).to_have_url(re.compile("trim-silence/$"))
        page.wait_for_load_state()
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile("rotate-photo/$"))

    return check


def hides_what_ran(page: Page, start: str) -> None:
    press(page, start, "f")
    expect(page.locator("#step-1")).to_be_hidden()
    expect(page.locator("#step-2")).to_be_visible()


def copies_the_link(page: Page, start: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press(page, start, "j", "j", "j", "c")
    expect(page.get_by_role("status")).to_have_text("Link to step 3 copied.")
    assert page.evaluate("navigator.clipboard.readText()") == f"{start}#step-3"


def turns_the_theme(page: Page, start: str) -> None:
    page.emulate_media(color_scheme="light")
    press(page, start, "t")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def opens_and_closes_the_help(page: Page, start: str) -> None:
    press(page, start, "?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_hidden()


CHECKS: dict[str, Callable[[Page, str], None]] = {
    "→": leads_to("ArrowRight", "ArrowRight", address="#step-2$"),
    "←": leads_to("ArrowRight", "ArrowRight", "ArrowLeft", address="#step-1$"),
    "j": leads_to("j", "j", "j", address="#step-3$"),
    "k": leads_to("j", "j", "k", address="#step-1$"),
    "n": leads_to("n", address="trim-silence/$"),
    "p": leads_back("p"),
    "N": leads_to("N", address="trim-silence/$"),
    "P": leads_back("P"),
    "m": visits_the_next_model,
    "s": plays_by_itself,
    "/": searches_the_steps,
    "b": lays_it_beside_the_next_model,
    "e": leads_to("e", address="#step-2$"),
    "f": hides_what_ran,
    "c": copies_the_link,
    "t": turns_the_theme,
    "?": opens_and_closes_the_help,
}


def test_the_help_lists_every_key_and_no_other(page: Page, watch: Watch, address: str) -> None:
    page.goto(address)
    listed = page.locator("dialog.help kbd").all_text_contents()
    assert sorted(listed) == sorted(CHECKS)


@pytest.mark.parametrize("key", CHECKS)
def test_a_listed_key_does_what_it_says(page: Page, watch: Watch, address: str, key: str) -> None:
    CHECKS[key](page, address)


@pytest.mark.parametrize("broken", [REFUSE_COPYING, NO_CLIPBOARD], ids=["refused", "absent"])
def test_a_refused_clipboard_is_said_and_breaks_nothing(
    page: Page, watch: Watch, address: str, broken: str
) -> None:
    page.add_init_script(broken)
    press(page, address, "j", "c")
    status = page.get_by_role("status")
    expect(status).to_contain_text("The browser did not allow copying.")
    expect(status).to_contain_text(f"{address}#step-1")
    page.locator("#step-2 .code").hover()
    page.locator("#step-2 .copy").click()
    expect(page.locator("#step-2 .copy")).to_have_text("not allowed")


def test_without_a_step_the_attempts_link_is_copied(page: Page, watch: Watch, address: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press(page, address, "c")
    expect(page.get_by_role("status")).to_have_text("Link to this attempt copied.")
    assert page.evaluate("navigator.clipboard.readText()") == address


def test_it_is_said_when_no_other_model_tried(page: Page, watch: Watch, address: str) -> None:
    press(page, address, "m")
    expect(page.get_by_role("status")).to_have_text("No other model has tried this task.")


def test_the_first_error_is_brought_into_view_or_said_to_be_none(
    page: Page, watch: Watch, address: str
) -> None:
    press(page, address, "e")
    expect(page.locator("#step-2")).to_be_in_viewport()
    expect(page.locator("#step-2")).to_have_class(re.compile("is-current"))
    run = Run.objects.get()
    page.goto(address.replace("rotate-photo", run.attempts.all()[0].task.key))
    page.keyboard.press("e")
    expect(page.get_by_role("status")).to_have_text("No step failed.")
