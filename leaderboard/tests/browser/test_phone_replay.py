"""A long replay on a phone: verdict, steps and code without sideways scrolling, links to hit."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page

from leaderboard.models import Attempt
from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.rows import add_step, end_judged, make_board, make_step, raised
from runner.contract import StepStatus

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = f"total = some_function_with_a_long_name(first_argument={'x' * 90!r}, second_argument=12345)"
# Places whose content is wider than they are, of those that must not scroll sideways.
WIDER = """() => [...document.querySelectorAll(
    "html, .verdict-line, .ribbon, .ribbon ol, .code, .code pre, .thought")]
    .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.className || e.tagName)"""
LOW = """() => [...document.querySelectorAll(
    ".verdict-line .why a, .tag, .walk a, .ribbon a, .gutter a, .link-copy, .copy")]
    .filter((e) => e.getClientRects().length && e.getBoundingClientRect().height < 23.9)
    .map((e) => e.outerHTML.slice(0, 80))"""


@pytest.fixture
def long_attempt() -> Attempt:
    make_board()
    attempt: Attempt = Attempt.objects.select_related("task", "run").filter(passed=True)[0]
    end_judged(attempt, passed=False)
    for index in range(1, 61):
        is_error = index % 9 == 0
        step = make_step(
            index,
            thought=f"Step {index}: I look again.",
            code=LONG,
            outputs=[raised()] if is_error else [],
            status=StepStatus.ERROR if is_error else StepStatus.OK,
        )
        add_step(attempt, step)
    return attempt


@pytest.mark.parametrize("is_long", [True, False])
def test_replay_fits_a_phone(
    page: Page, watch: Watch, live_server: Any, long_attempt: Attempt, is_long: bool
) -> None:
    told = Attempt.objects.exclude(pk=long_attempt.pk).filter(passed=False, run=long_attempt.run)
    attempt = long_attempt if is_long else told.order_by("pk")[0]
    assert Client().get(attempt.get_absolute_url()).status_code == 200
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}{attempt.get_absolute_url()}")
    assert page.evaluate(WIDER) == []
    assert page.evaluate(LOW) == []
    verdict = page.locator(".verdict-line").bounding_box()
    assert verdict is not None
    assert verdict["y"] < 400
