"""Tint of the figures that moved on a live page since the last look, and none in reduced motion."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from leaderboard.models import Run
from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.rows import end_judged, make_entry, make_run, make_suite
from runner.contract import Status

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FOUND = """
    Array.from(document.querySelectorAll("main .moved"),
               (part) => [part.textContent.trim(), getComputedStyle(part).animationName])
"""


@pytest.mark.parametrize(("motion", "animation"), [("no-preference", "moved"), ("reduce", "none")])
def test_moved_figures_are_tinted_but_not_with_reduced_motion(
    motion: Literal["no-preference", "reduce"],
    animation: str,
    page: Page,
    watch: Watch,
    live_server: Any,
) -> None:
    page.emulate_media(reduced_motion=motion)
    live = make_run(make_suite(), make_entry("Live"))
    Run.objects.filter(pk=live.pk).update(status=Status.RUNNING, sequence=1)
    page.goto(live_server.url + live.get_absolute_url())
    expect(page.get_by_text("0 of 8 attempts ended")).to_be_visible()
    assert page.evaluate(FOUND) == []
    end_judged(live.attempts.all()[0], passed=True)
    Run.objects.filter(pk=live.pk).update(sequence=2)
    expect(page.get_by_text("1 of 8 attempts ended")).to_be_visible(timeout=120_000)
    expect(page.locator("main .moved").first).to_be_attached(timeout=120_000)
    found = page.evaluate(FOUND)
    assert any("1 of 8" in text for text, _ in found)
    assert {name for _, name in found} == {animation}
    assert len(found) < page.locator("main [data-moves]").count()
