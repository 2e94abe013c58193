"""The benchmark of the pages: what it computes itself, and the rows that it seeds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.measuring.spread import spread
from bench.pages.budgets import (
    BOARD,
    MAX_BOARD_BYTES,
    MAX_QUERIES,
    MAX_REPLAY_BYTES,
    REPLAY,
    check_budgets,
)
from bench.pages.gradio_server import write_table
from bench.pages.requests import (
    Page,
    PageError,
    Sizes,
    expect_status,
    is_there,
    list_pages,
    measure_sizes,
    percentile,
)
from bench.pages.seed_rows import CATEGORIES, Scale, category_at, seed_rows
from leaderboard.models import Attempt, Run, Step
from leaderboard.scoring.summaries import figures_of, stored_figures

SMALL = Scale(entries=4, runs_per_entry=2, tasks=12, text_chars=120)


def test_a_percentile_is_the_nearest_rank() -> None:
    values = [float(n) for n in range(20, 0, -1)]
    assert percentile(values, 0.95) == 19
    assert percentile(values, 1.0) == 20
    assert percentile([7.0], 0.95) == 7


def test_a_figure_shows_its_spread() -> None:
    assert spread([12.04, 11.0, 14.2]) == "12.0 [11.0–14.2]"
    assert spread([0.5]) == "0.50 [0.50–0.50]"
    assert spread([812.2, 800.0]) == "806 [800–812]"


def test_tasks_are_shared_out_over_all_categories_in_order() -> None:
    keys = [category_at(position, 143) for position in range(1, 144)]
    assert list(dict.fromkeys(keys)) == [key for key, _, _ in CATEGORIES]
    assert keys.count("maths") < keys.count("text") < keys.count("chart")


def test_a_budget_is_broken_by_one_query_or_one_byte_too_many() -> None:
    small = Sizes(1, 1, 1)
    kept = {
        BOARD: Sizes(MAX_QUERIES, MAX_BOARD_BYTES, 1),
        REPLAY: Sizes(1, 500_000, MAX_REPLAY_BYTES),
    }
    assert [budget.is_kept for budget in check_budgets(kept)] == [True, True, True]
    broken = {
        BOARD: Sizes(1, MAX_BOARD_BYTES + 1, 1),
        REPLAY: Sizes(1, 1, MAX_REPLAY_BYTES + 1),
        "run": Sizes(MAX_QUERIES + 1, 1, 1),
    }
    budgets = check_budgets(broken)
    assert [budget.is_kept for budget in budgets] == [False, False, False]
    assert "run" in budgets[0].sentence
    assert budgets[0].sentence.startswith("OVER")
    assert [budget.seen for budget in check_budgets({"run": small})] == [1]


def test_the_peer_is_given_the_ranked_rows_alone(tmp_path: Path) -> None:
    row = {
        "group": "ranked", "rank": 1, "entry": "Foo", "organisation": "", "ut_strict": 0.5,
        "ut_strict_low": 0.4, "ut_strict_high": 0.6, "turns": 3.0, "tokens": 900.0,
        "time_s": 8.0, "provenance": "run here", "date": "2026-11-20", "chart": None,
    }  # fmt: skip
    path = tmp_path / "table.json"
    assert write_table([row, {**row, "group": "unranked"}], ["chart"], path) == 1
    table = json.loads(path.read_text("utf-8"))
    assert table["rows"] == [[1, "Foo", "", 0.5, 0.4, 0.6, 3.0, 900.0, 8.0, "run here",
                              "2026-11-20", None]]  # fmt: skip
    kinds = dict(zip(table["headers"], table["types"], strict=True))
    assert (kinds["UT strict"], kinds["Entry"], kinds["chart"]) == ("number", "str", "str")


def test_an_unexpected_answer_ends_the_measurement_with_its_address() -> None:
    expect_status(Page("run", "/runs/1/"), 200)
    with pytest.raises(PageError, match="/runs/1/ answered 500"):
        expect_status(Page("run", "/runs/1/"), 500)
    with pytest.raises(PageError, match="instead of 304"):
        expect_status(Page("run", "/runs/1/", is_unchanged=True), 200)


def test_pages_of_other_versions_differ() -> None:
    assert is_there("/?sort=turns")
    assert not is_there("/no-such-page/?a=b")


@pytest.mark.django_db
def test_the_seeded_rows_agree_with_each_other_and_with_the_pages() -> None:
    run = seed_rows(SMALL)
    assert Run.objects.count() == 8
    assert Attempt.objects.count() == 8 * 12
    for seeded in Run.objects.all():
        assert stored_figures(seeded) == figures_of(seeded)
    assert Step.objects.filter(attempt__run=run).count() == 6 * 12
    pages = [page for page in list_pages(run) if is_there(page.path)]
    sizes = {page.name: measure_sizes(page) for page in pages}
    assert sizes["board"].raw_bytes > sizes["board"].sent_bytes > 0
    assert sizes["run"].queries > 0
    assert sizes["run, unchanged"].raw_bytes == 0
