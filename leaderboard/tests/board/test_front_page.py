"""The front page's first screen: the suite it opens on, its sentence, its key, rows to choose."""

from __future__ import annotations

import csv
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, ViewportSize, expect

from leaderboard.models import Entry, Run, Suite, Task
from leaderboard.rendering.numbers import show_whole_percent
from leaderboard.scoring.filing import file_runs
from leaderboard.scoring.standings import refresh_changed
from leaderboard.scoring.summaries import summarise
from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.rows import (
    LONG_NAME,
    finish_run,
    make_entry,
    make_run,
    make_suite,
)
from runner.contract import Status

pytestmark = pytest.mark.django_db

PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1440, "height": 900}


def get(client: Client, path: str = "/") -> str:
    file_runs()
    refresh_changed()
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def sentence_of(page: str) -> str:
    found = re.search(r'<p class="answer">(.*?)</p>', page)
    return unescape(re.sub(r"<[^>]+>", "", found[1])) if found else ""


def play(suite: Suite, name: str, solved: int) -> Run:
    return finish_run(make_run(suite, make_entry(name)), solved)


def cancel(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(status=Status.CANCELLED)
    run.attempts.update(status=Status.CANCELLED)
    summarise(run)


def test_page_opens_on_the_suite_with_ranked_models(client: Client) -> None:
    play(make_suite("older"), "Veteran", 3)
    make_suite("newer")
    recorded = make_suite("tape")
    Suite.objects.filter(pk=recorded.pk).update(is_recorded=True)
    page = get(client)
    assert "<h1>Older suite</h1>" in page
    picker = re.search(r'<nav aria-label="Suite">(.*?)</nav>', page)
    assert picker is not None
    assert "older v1 · 8 tasks · 1 model<" in picker[1]
    assert "newer v1 · 8 tasks · no model yet" in picker[1]
    assert "tape v1" not in picker[1]
    assert "tape v1" in page[page.index('id="recordings"') :]
    assert client.get("/board.json").json()["suite"]["name"] == "older"
    assert client.get("/api/v1/board/").json()["suite"] == "older@1"


def test_page_without_ranks_opens_where_something_is_seen(client: Client) -> None:
    finished, running = make_suite("finished"), make_suite("running")
    make_suite("newest")
    recorded = make_suite("tape")
    Suite.objects.filter(pk=recorded.pk).update(is_recorded=True)
    finish_run(make_run(recorded, make_entry("Old")), 3)
    hidden = finish_run(make_run(finished, make_entry("Hidden"), is_public=False), 3)
    assert "<h1>Newest suite</h1>" in get(client)
    make_run(running, make_entry("Waits"))
    assert "<h1>Running suite</h1>" in get(client)
    Run.objects.filter(pk=hidden.pk).update(is_public=True)
    Entry.objects.update(provenance=Entry.Provenance.SCRIPTED)  # as the baselines, never ranked
    assert "<h1>Finished suite</h1>" in get(client)
    assert client.get("/tasks/")["Location"] == "/tasks/finished/"


def test_runs_of_an_ended_season_open_no_suite(client: Client) -> None:
    run = play(make_suite("older"), "Veteran", 3)
    refresh_changed()
    Suite.objects.filter(pk=run.suite_id).update(seed=run.seed + 1)
    make_suite("newer")
    assert "<h1>Newer suite</h1>" in get(client)


def test_sentence_without_a_ranked_model_is_absent(client: Client) -> None:
    finish_run(make_run(make_suite(), make_entry("silent", is_scripted=True)), 0)
    assert sentence_of(get(client)) == ""


def test_sentence_on_one_model_gives_its_interval(client: Client) -> None:
    play(make_suite(), "Foo", 4)
    assert sentence_of(get(client)) == "Foo is the only model: it passes 4 of 8 tasks."
    play(make_suite("larger", tasks=24), "Foo", 12)
    assert sentence_of(get(client, "/?suite=larger")) == (
        "Foo is the only ranked model: it passes 50.0 % of 24 tasks (95 % interval 31.4 to 68.6)."
    )


def test_sentence_on_few_tasks_counts_alone(client: Client) -> None:
    suite = make_suite()
    for name, solved in (("Best", 7), ("Next", 6), ("Last", 5)):
        play(suite, name, solved)
    page = get(client)
    assert sentence_of(page) == (
        "Best passes 7 of 8 tasks, the most of three models."
        " Fewer than 20 tasks are too few to tell models apart. Compare two of them."
    )
    shown = page.partition("<main")[2]
    for word in (
        "95 %",
        "95&nbsp;%",
        "may be the best",
        "beyond chance",
        "leaves open",
        "tie-",
        "anked",
    ):
        at = shown.find(word)
        assert at < 0, shown[at - 60 : at + 60]
    for rate in ("87.5", "75.0", "62.5", 'class="bar', 'class="whisker"'):
        assert rate not in shown, rate
    assert "<b>7 of 8</b>" in shown


def test_sentence_on_ties_names_the_tasks_that_split_them(client: Client) -> None:
    suite = make_suite(tasks=24)
    first, second = play(suite, "Best", 21), play(suite, "Next", 20)
    play(suite, "Last", 19)
    page = get(client)
    assert sentence_of(page) == (
        "Best leads with 87.5 % of 24 tasks. These tasks cannot settle it: any of these three may"
        " be the best (95 %). They disagree most on Task 20 and Task 21. Compare the first two."
    )
    assert f'href="/compare/?runs={first.pk},{second.pk}"' in page
    assert 'href="/tasks/starter/task-20/?version=1"' in page


def test_sentence_on_equal_leaders_names_both(client: Client) -> None:
    few, suite = make_suite("few"), make_suite(tasks=24)
    for name in ("One", "Two"):
        play(suite, name, 18)
        play(few, name, 6)
    assert sentence_of(get(client, "/?suite=few")).startswith(
        "Two of two models each pass 6 of 8 tasks. Fewer than 20 tasks"
    )
    assert sentence_of(get(client)) == (
        "One and Two lead with 75.0 % of 24 tasks each."
        " These tasks cannot settle it: either may be the best (95 %)."
        " Compare the first two."
    )
    for name in ("Three", "Four"):
        play(suite, name, 18)
    assert sentence_of(get(client)).startswith(
        "Four models lead with 75.0 % of 24 tasks each. These tasks cannot settle it: any of these"
    )


def test_sentence_on_a_clear_leader_says_the_gap(client: Client) -> None:
    suite = make_suite(tasks=30)
    play(suite, "Strong", 28)
    play(suite, "Weak", 4)
    assert sentence_of(get(client)) == (
        "Strong is the best of two models beyond chance (95 %): it passes 93.3 % of 30 tasks,"
        " the next one 13.3 %."
        " Compare the first two."
    )


def test_sentence_counts_models_that_may_be_the_best(client: Client) -> None:
    suite = make_suite(tasks=30)
    for name, solved in (("A", 29), ("B", 28), ("C", 3), ("D", 2)):
        play(suite, name, solved)
    assert sentence_of(get(client)).startswith(
        "A leads with 96.7 % of 30 tasks. A gap below 13 to 21 points could be chance:"
        " two of four models may be the best (95 %)."
    )


def test_sentence_gives_way_to_a_filter(client: Client) -> None:
    suite = make_suite()
    play(suite, "Foo", 4)
    page = get(client, "/?weights=closed")
    assert sentence_of(page) == ""
    assert "0 of 1 models match" in page


def test_sentence_escapes_names(client: Client) -> None:
    play(make_suite(), "<b>bold</b>\u202e", 4)
    page = get(client)
    assert "<b>bold" not in page
    assert "\u202e" not in page
    assert "&lt;b&gt;bold" in page


def test_baselines_fold_into_a_line(client: Client) -> None:
    suite = make_suite()
    for name, solved in (("silent", 0), ("empty-file", 1), ("reference", 8), ("clumsy", 4)):
        finish_run(make_run(suite, make_entry(name, is_scripted=True)), solved)
    line = "<b>Scripted baselines</b>: 2 do-nothing agents, best 1 of 8 · reference 8 of 8 · clumsy 4 of 8<"  # noqa: E501
    page = get(client)
    assert line in page
    assert 'id="baselines" open>' in page  # nothing else is there to be seen
    play(suite, "Foo", 4)
    page = get(client)
    assert line in page
    assert 'id="baselines">' in page


def test_cancelled_baselines_are_counted_and_not_listed(client: Client) -> None:
    suite = make_suite()
    cancel(make_run(suite, make_entry("silent", is_scripted=True)))
    page = get(client)
    assert "1 cancelled before the end, not listed" in page
    assert "0 of 8 attempts" not in page
    assert client.get("/board.json").json()["rows"] == []
    entry = Entry.objects.get(name="silent")
    kept = finish_run(make_run(suite, entry), 1)
    cancel(make_run(suite, entry))
    page = get(client)
    assert "cancelled" not in page
    assert kept.get_absolute_url() in page


def test_cancelled_run_of_a_model_says_so(client: Client) -> None:
    cancel(make_run(make_suite(), make_entry("Foo")))
    assert "· cancelled</span>" in get(client)


def test_key_explains_only_what_is_drawn(client: Client) -> None:
    suite = make_suite(tasks=24)
    play(suite, "Foo", 4)
    page = get(client)
    assert "the ranks a model may" in page
    assert "of fewer than 20 there are counts alone" in page
    assert "any of these may be the best" not in page
    play(suite, "Bar", 5)
    assert "any of these may be the best" in get(client)
    assert "key-whisker" in get(client)
    assert "key-whisker" not in get(client, "/?columns=turns")


def test_head_of_a_category_counts_its_tasks_and_cells_are_whole(client: Client) -> None:
    suite = make_suite(tasks=60)  # 20 in each of three categories
    play(suite, "Foo", 30)
    page = get(client)
    assert re.search(r'<span>Chart</span>.*?</a> <small class="head-n">n 20</small>', page)
    row = page[page.index('<th scope="row"') :].partition("</tr>")[0]
    cells = re.findall(r'<span class="v"><span>(\d+)</span>(.*?)</span>', row)
    assert cells == [("50", "")] * 3
    assert [show_whole_percent(share) for share in (0, 0.001, 0.629, 0.999, 1, None)] == [
        "0", "1", "63", "99", "100", "–",
    ]  # fmt: skip


def test_chosen_rows_stand_alone_in_every_twin(client: Client) -> None:
    suite = make_suite()
    runs = [play(suite, name, solved) for name, solved in (("A", 7), ("B", 6), ("C", 5))]
    floor = finish_run(make_run(suite, make_entry("silent", is_scripted=True)), 0)
    chosen = f"runs={runs[0].pk}&runs={runs[2].pk}"
    page = get(client, f"/?{chosen}")
    assert page.count(" checked>") >= 2
    assert "2 of 3 models match" in page
    assert f"runs={runs[0].pk}%2C{runs[2].pk}" in page or f"runs={runs[0].pk},{runs[2].pk}" in page
    told = client.get(f"/board.json?runs={runs[0].pk},{runs[2].pk}").json()["rows"]
    assert [row["entry"] for row in told] == ["A", "C"]
    table = client.get(f"/board.csv?{chosen}").content.decode()
    assert [row["entry"] for row in csv.DictReader(table.splitlines())] == ["A", "C"]
    told = client.get(f"/board.json?runs={floor.pk}").json()["rows"]
    assert [row["entry"] for row in told] == ["silent"]


@pytest.mark.parametrize("asked", ["x", "9" * 400, "-1", "1,,2", "1;2"])
def test_odd_choices_of_rows_give_the_board(client: Client, asked: str) -> None:
    play(make_suite(), "Foo", 4)
    get(client, f"/?runs={asked}")
    assert client.get(f"/board.json?runs={asked}").status_code == 200


def fill(rows: int = 6) -> list[Run]:
    suite = make_suite()
    make_suite("second")
    names = [LONG_NAME, *(f"Model {n} of a Maker" for n in range(rows - 1))]
    runs = [play(suite, name, 7 - n % 4) for n, name in enumerate(names)]
    finish_run(make_run(suite, make_entry("silent", is_scripted=True)), 0)
    refresh_changed()
    return runs


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("size", "most"), [(DESK, 220), (PHONE, 340)], ids=["desk", "phone"])
def test_table_begins_on_the_first_screen(
    page: Page, watch: Watch, live_server: Any, size: ViewportSize, most: int
) -> None:
    fill()
    page.set_viewport_size(size)
    page.goto(live_server.url)
    box = page.get_by_role("region", name="Rank table").bounding_box()
    assert box is not None
    assert box["y"] <= most
    Suite.objects.filter(name="starter").update(
        past_seasons=[{"seed": 1, "ended_on": "2026-11-20"}], title="A suite of everyday file tasks"
    )
    Task.objects.update(title=LONG_NAME)
    Entry.objects.update(name=LONG_NAME)
    page.goto(live_server.url)
    box = page.get_by_role("region", name="Rank table").bounding_box()
    assert box is not None
    assert box["y"] <= most, page.locator(".answer").inner_text()
    expect(page.locator(".answer")).to_contain_text("each pass 7 of 8 tasks.")
    expect(page.locator("summary", has_text="season 2")).to_be_visible()
    for summary in ("change suite", "Filter"):
        page.locator("summary", has_text=summary).click()
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        page.keyboard.press("Escape")
        expect(page.locator("details[data-pick][open]")).to_have_count(0)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_ticked_rows_are_compared_copied_and_kept(
    page: Page, watch: Watch, live_server: Any
) -> None:
    runs = fill()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(live_server.url)
    bar = page.locator("#chosen")
    expect(bar.get_by_text("Tick rows to compare them.")).to_be_visible()
    expect(bar.get_by_role("button", name="Copy link")).to_be_hidden()
    for name in (LONG_NAME, "Model 0 of a Maker"):
        page.get_by_role("checkbox", name=name, exact=True).check()
    expect(bar.get_by_text("2 chosen")).to_be_visible()
    bar.get_by_role("button", name="Copy link").click()
    expect(bar.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{live_server.url}/?runs={runs[0].pk}%2C{runs[1].pk}"
    page.goto(copied)
    expect(page.get_by_text("2 of 6 models match")).to_be_visible()
    expect(bar.get_by_text("2 chosen")).to_be_visible()
    bar.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("and Model 0 of a Maker")
    assert watch.refusals == []


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_rows_are_compared_without_script(browser: Browser, live_server: Any) -> None:
    fill()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    try:
        page.goto(live_server.url)
        for name in (LONG_NAME, "Model 0 of a Maker"):
            page.get_by_role("checkbox", name=name, exact=True).check()
        page.locator("#chosen").get_by_role("button", name="Compare").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("and Model 0 of a Maker")
        page.goto(live_server.url)
        page.locator("summary", has_text="Scripted baselines").click()
        expect(page.get_by_role("link", name="silent")).to_be_visible()
    finally:
        context.close()
