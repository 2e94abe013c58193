"""Three to six runs compared: every pair by the board's rule, and the tasks that split them."""

from __future__ import annotations

import csv
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import Page, expect

from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Run, Suite
from leaderboard.scoring import inference
from leaderboard.scoring.summaries import summarise
from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.rows import LONG_NAME, finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db


def play(suite: Suite, name: str, solved: int) -> Run:
    return finish_run(make_run(suite, make_entry(name)), solved)


@pytest.fixture
def runs() -> list[Run]:
    """On 30 tasks: two strong runs that are alike, and a weak one."""
    suite = make_suite(tasks=30)
    return [play(suite, n, s) for n, s in (("Foo", 28), ("Bar", 27), ("<b>Baz", 5))]


def address(runs: list[Run], kind: str = "/") -> str:
    return f"/compare{kind}?runs={','.join(str(run.pk) for run in runs)}"


def get(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def test_matrix_shows_every_pair_once(client: Client, runs: list[Run]) -> None:
    page = get(client, address(runs))
    assert "On 30 tasks, 2 of the 3 pairs differ beyond chance by the rule of the board, " in page
    assert len(re.findall(r'<td( class="is-difference")?><a href="\?runs=\d+,\d+">', page)) == 3
    assert page.count('class="is-difference"') == 2
    assert "<b>+3.3</b>" in page
    assert f'href="?runs={runs[0].pk},{runs[2].pk}"' in page
    assert "<b>Baz" not in page
    assert "23 of 30" in page  # tasks 6 to 28
    assert f"/runs/{runs[2].pk}/tasks/task-6/" in page
    assert "task-30/" not in page  # nobody passes it


def test_first_chart_stands_in_the_page(client: Client, runs: list[Run]) -> None:
    page = get(client, address(runs))
    [place] = re.findall(r'<div class="charts-place"[^>]*>(.*?)</figure>', page)
    assert "<svg" in place
    assert "Foo" in place
    assert "Bar" in place
    assert "&lt;b&gt;Baz" in place
    assert "have a verdict on every task" not in place


def test_runs_without_every_verdict_are_left_out_of_the_drawing_and_counted(
    client: Client, runs: list[Run]
) -> None:
    void = runs[0].attempts.first()
    assert void is not None
    void.passed = None
    void.save()
    summarise(runs[0])
    page = get(client, address(runs))
    [place] = re.findall(r'<div class="charts-place"[^>]*>(.*?)</figure>', page)
    assert "2 of these 3 runs have a verdict on every task." in place
    assert "Bar" in place
    assert "Foo" not in place


def test_numbers_are_those_of_the_paired_tests(client: Client, runs: list[Run]) -> None:
    told = client.get(address(runs, ".json")).json()
    columns = [[1.0] * n + [0.0] * (30 - n) for n in (28, 27, 5)]
    found = [inference.compare(columns[a], columns[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    needed = inference.critical_value(3)
    assert [pair["p_value"] for pair in told["pairs"]] == [one.p_value for one in found]
    assert [pair["is_beyond_chance"] for pair in told["pairs"]] == [
        abs(one.z) > needed for one in found
    ]
    assert told["pairs"][1]["difference"] == pytest.approx(23 / 30)
    assert told["pairs"][1]["difference_low"] < 23 / 30 < told["pairs"][1]["difference_high"]
    assert [run["rate"] for run in told["runs"]] == [28 / 30, 27 / 30, 5 / 30]
    assert told["tasks"] == 30
    assert len(told["disagree"]) == 23


def test_table_has_a_column_per_run(client: Client, runs: list[Run]) -> None:
    text = client.get(address(runs, ".csv")).content.decode()
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == 30
    assert [rows[5][f"run_{run.pk}"] for run in runs] == ["1.0", "1.0", "0.0"]


def test_six_runs_cost_as_many_queries_as_three(client: Client, runs: list[Run]) -> None:
    suite = runs[0].suite
    more = [*runs, *(play(suite, name, 20) for name in ("D", "D", "F"))]
    counts = []
    for those in (runs, more):
        with CaptureQueriesContext(connection) as queries:
            page = get(client, address(those))
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 5
    assert f"D (run {more[3].pk})" in page  # names that do not tell them apart


def test_runs_that_pass_the_same_tasks_say_so(client: Client) -> None:
    suite = make_suite(tasks=24)
    page = get(client, address([play(suite, name, 12) for name in "ABC"]))
    assert "none of the 3 pairs differs beyond chance" in page
    assert "All of them pass the same tasks." in page
    assert "0 of 24" in page


def test_ranked_pair_beside_an_unranked_run_is_judged_as_on_the_board(client: Client) -> None:
    """6:0 is beyond chance among three models, not among eight."""
    suite = make_suite(tasks=30)
    first, second, *_ = (play(suite, f"Model {n}", 14 if n else 20) for n in range(8))
    third = finish_run(make_run(suite, make_entry("Script", is_scripted=True)), 3)
    sweep_queue()
    alone = client.get(address([first, second], ".json")).json()["result"]
    pair = client.get(address([first, second, third], ".json")).json()["pairs"][0]
    assert pair["p_value"] == alone["p_value"] < 0.025
    assert pair["is_beyond_chance"] is alone["is_beyond_chance_among_ranked"] is False


def test_few_tasks_tell_nothing_apart(client: Client) -> None:
    suite = make_suite()
    runs = [play(suite, name, solved) for name, solved in (("A", 8), ("B", 4), ("C", 0))]
    page = get(client, address(runs))
    assert "On 8 tasks, fewer than 20: too few to tell the runs apart." in page
    for word in ("p =", "p &lt;", "95&nbsp;%", "95 %", "beyond chance", "is-difference"):
        assert word not in page.partition("<main")[2], word
    for pair in client.get(address(runs, ".json")).json()["pairs"]:
        told = ("difference_low", "difference_high", "p_value", "is_beyond_chance")
        assert [pair[name] for name in told] == [None] * 4
    assert "<b>+4</b>" in page  # tasks, no points


def test_runs_without_common_verdicts_say_so(client: Client) -> None:
    suite = make_suite()
    void = finish_run(make_run(suite, make_entry("Void")), 0, void=8)
    those = [play(suite, "A", 4), play(suite, "B", 4), void]
    assert "There is no task on which all of these runs have a verdict." in get(
        client, address(those)
    )
    assert client.get(address(those, ".json")).json()["pairs"] == []


@pytest.mark.parametrize(
    ("asked", "status", "sentence"),
    [
        ("{a},{b},{c},{d},{d2},{d3},{d4}", 400, "Up to six runs can be compared"),
        ("{a},{b},{a}", 400, "is compared with itself"),
        ("{a},{b},{other}", 400, "only runs on the same version of a suite"),
        ("{a},{b},{seed}", 400, "another seed makes other instances"),
        ("{a},{b},{private}", 404, "There is no run {private}."),
        ("{a},{b},x", 400, "is not the number of a run"),
    ],
)
def test_group_that_cannot_be_compared_is_a_sentence(
    client: Client, runs: list[Run], asked: str, status: int, sentence: str
) -> None:
    suite = runs[0].suite
    more = [play(suite, f"D{n}", 3).pk for n in range(4)]
    seeded = play(suite, "Seeded", 3)
    Run.objects.filter(pk=seeded.pk).update(seed=5)
    private = finish_run(make_run(suite, make_entry("Secret"), is_public=False), 3)
    ids = {
        **dict(zip("abc", (run.pk for run in runs), strict=True)),
        **dict(zip(("d", "d2", "d3", "d4"), more, strict=True)),
        "other": play(make_suite("other"), "Other", 3).pk,
        "seed": seeded.pk,
        "private": private.pk,
    }
    path = asked.format(**ids)
    assert sentence.format(**ids) in get(client, f"/compare/?runs={path}", status)
    assert "Secret" not in get(client, f"/compare/?runs={path}", status)
    for kind in (".json", ".csv"):
        assert client.get(f"/compare{kind}?runs={path}").status_code == status


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_page_of_six_long_names_does_not_scroll_sideways(
    page: Page, watch: Watch, live_server: Any
) -> None:
    suite = make_suite()
    those = [play(suite, f"{LONG_NAME}{n}", 7 - n) for n in range(6)]
    for width, height in ((390, 844), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(live_server.url + address(those))
        assert page.evaluate("document.documentElement.scrollWidth") == width
        expect(page.get_by_role("columnheader", name=f"{LONG_NAME}5")).to_have_count(2)
    assert watch.refusals == []
