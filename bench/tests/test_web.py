"""The benches of the pages: their addresses, and the rows that they seed."""

from __future__ import annotations

import pytest
from django.test import Client

from bench.measuring.spread import spread
from bench.pages.requests import Page, PageError, expect_status, list_pages
from bench.pages.seed_rows import CATEGORIES, Scale, category_at, seed_rows
from leaderboard.models import Attempt, Run, Step
from leaderboard.scoring.summaries import figures_of, stored_figures

SMALL = Scale(entries=4, runs_per_entry=2, tasks=12, text_chars=120)


def test_a_figure_shows_its_spread() -> None:
    assert spread([12.04, 11.0, 14.2]) == "12.0 [11.0–14.2]"
    assert spread([0.5]) == "0.50 [0.50–0.50]"
    assert spread([812.2, 800.0]) == "806 [800–812]"


def test_tasks_are_shared_out_over_all_categories_in_order() -> None:
    keys = [category_at(position, 143) for position in range(1, 144)]
    assert list(dict.fromkeys(keys)) == [key for key, _, _ in CATEGORIES]
    assert keys.count("maths") < keys.count("text") < keys.count("chart")


def test_an_unexpected_answer_ends_the_measurement_with_its_address() -> None:
    expect_status(Page("run", "/runs/1/"), 200)
    with pytest.raises(PageError, match="/runs/1/ answered 500"):
        expect_status(Page("run", "/runs/1/"), 500)
    with pytest.raises(PageError, match="instead of 304"):
        expect_status(Page("run", "/runs/1/", is_unchanged=True), 200)


@pytest.mark.django_db
def test_the_seeded_rows_agree_with_each_other_and_with_the_pages() -> None:
    run = seed_rows(SMALL)
    assert Run.objects.count() == 8
    assert Attempt.objects.count() == 8 * 12
    for seeded in Run.objects.all():
        assert stored_figures(seeded) == figures_of(seeded)
    assert Step.objects.filter(attempt__run=run).count() == 6 * 12
    client = Client()
    for page in list_pages(run):
        tag = client.get(page.path)["ETag"] if page.is_unchanged else ""
        expect_status(page, client.get(page.path, headers={"If-None-Match": tag}).status_code)
