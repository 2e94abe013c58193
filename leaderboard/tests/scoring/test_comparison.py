"""Two runs compared, as a visitor and a program get it."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Entry, Run, Suite
from leaderboard.scoring import standings
from leaderboard.scoring.inference import compare
from leaderboard.tests.support.rows import end_judged, finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db


def play(suite: Suite, name: str, passes: Sequence[bool]) -> Run:
    run = finish_run(make_run(suite, make_entry(name)), 0)
    for attempt, passed in zip(run.attempts.order_by("task__position"), passes, strict=True):
        end_judged(attempt, passed=passed)
    return run


def get(client: Client, path: str, status: int = 200) -> str:
    response = client.get(path)
    assert response.status_code == status
    return " ".join(response.content.decode().split())


A = (True, True, True, True, True, False, False, True)
B = (True, False, False, False, False, True, False, True)


def test_two_runs_are_tested_and_their_tasks_listed(client: Client, suite: Suite) -> None:
    one, other = play(suite, "Foo", A), play(suite, "Bar", B)
    page = get(client, f"/compare/?runs={one.pk},{other.pk}")
    assert (
        "Foo alone passed 4 tasks, Bar alone passed 1 task:"
        " fewer than 20 tasks are too few to tell if this is chance." in page
    )
    assert page.partition("<main")[2].count("ewer than 20") == 1
    for word in ("p =", "p &lt;", "95&nbsp;%", "95 %", "paired test", "beforehand"):
        assert word not in page.partition("<main")[2].partition('id="charts"')[0], word
    only_a = page.partition('id="only-a"')[2].partition('id="only-b"')[0]
    assert re.findall(r'class="sub">([\w-]+)<', only_a) == [
        "station-temperatures",
        "word-frequency",
        "news-digest",
        "rotate-photo",
    ]
    assert f'href="/runs/{one.pk}/tasks/rotate-photo/"' in only_a
    assert f'href="/runs/{other.pk}/tasks/rotate-photo/"' in only_a
    neither = page.partition('id="neither"')[2]
    assert re.findall(r'class="sub">([\w-]+)<', neither) == ["shortest-route"]


def test_twenty_tasks_and_more_are_tested(client: Client) -> None:
    suite = make_suite(tasks=24)
    one, other = play(suite, "Foo", A * 3), play(suite, "Bar", B * 3)
    page = get(client, f"/compare/?runs={one.pk},{other.pk}")
    z = 9 / sqrt(15 + 2 - 81 / 26)
    p_value = 2 * NormalDist().cdf(-z)
    assert (
        f"Foo alone passed 12 tasks, Bar alone passed 3 tasks: this is unlikely to be chance"
        f" (p = {p_value:.3f})" in page
    )
    assert f"p = {p_value:.3f}, two-sided, over 24 tasks" in page
    assert "+37.5" in page
    result = client.get(f"/compare.json?runs={one.pk},{other.pk}").json()["result"]
    right = compare([float(x) for x in A * 3], [float(x) for x in B * 3])
    assert result["p_value"] == right.p_value == pytest.approx(p_value)
    assert result["difference_low"] == right.difference.low
    assert result["minimum_detectable_difference"] == right.detectable


@pytest.mark.parametrize(("tasks", "is_said"), [(59, False), (60, True)])
def test_several_intervals_by_category_are_each_alone(
    client: Client, tasks: int, is_said: bool
) -> None:
    """Of two equal runs with three categories some interval leaves 0 out in 12 of 100."""
    categories = ["chart" if n % 3 else "text" for n in range(1, tasks + 1)]
    suite = make_suite(tasks=[(f"t-{n}", "", c, "en", [], []) for n, c in enumerate(categories)])
    runs = [finish_run(make_run(suite, make_entry(name)), 30) for name in "AB"]
    page = get(client, f"/compare/?runs={runs[0].pk},{runs[1].pk}")
    assert ("Each interval is of its category alone" in page) is is_said


def test_the_twins_say_the_same(client: Client, suite: Suite) -> None:
    one, other = play(suite, "Foo", A), play(suite, "Bar", B)
    data = client.get(f"/compare.json?runs={one.pk},{other.pk}").json()
    assert data["suite"] == "starter@1"
    assert (data["a"]["entry"], data["b"]["run"]) == ("Foo", other.pk)
    result = data["result"]
    assert (result["rate_a"], result["rate_b"]) == (0.75, 0.375)
    assert result["win_tie_lose"] == [4, 3, 1]
    told = ("p_value", "difference_low", "difference_high", "minimum_detectable_difference")
    assert [result[name] for name in told] == [None] * 4  # of 8 tasks
    assert [gap["tasks"] for gap in result["categories"]] == [2, 2, 2, 1, 1]
    assert result["both_failed"] == ["shortest-route"]
    table = client.get(f"/compare.csv?runs={one.pk},{other.pk}").content.decode()
    rows = list(csv.DictReader(table.splitlines()))
    assert rows[1] == {
        "task": "station-temperatures",
        "category": "chart",
        f"run_{one.pk}": "1.0",
        f"run_{other.pk}": "0.0",
    }


def test_turning_round_turns_the_sign(client: Client, suite: Suite) -> None:
    one, other = play(suite, "Foo", A), play(suite, "Bar", B)
    forth = client.get(f"/compare.json?runs={one.pk},{other.pk}").json()["result"]
    back = client.get(f"/compare.json?runs={other.pk},{one.pk}").json()["result"]
    assert forth["difference"] == -back["difference"] == 0.375
    assert forth["p_value"] == back["p_value"]


def test_tasks_without_a_verdict_are_left_out_and_named(client: Client, suite: Suite) -> None:
    one = finish_run(make_run(suite, make_entry("Foo")), 8)
    other = finish_run(make_run(suite, make_entry("Bar")), 2, void=3)
    page = get(client, f"/compare/?runs={one.pk},{other.pk}")
    assert "fewer than 20 tasks are too few" in page
    assert "3 tasks without a verdict in one of the runs" in page
    left = page.partition('id="left-out"')[2]
    assert "static-page" in left


def test_several_attempts_per_task_count_as_shares(client: Client, suite: Suite) -> None:
    one, other = play(suite, "Foo", A), play(suite, "Bar", A)
    again = one.attempts.get(task__key="quarterly-sales")
    again.pk, again.number, again.passed = None, 2, False
    again.save()
    page = get(client, f"/compare/?runs={one.pk},{other.pk}")
    assert "Foo did better on 0 tasks, Bar did better on 1 task" in page
    assert "1 of 2 passed" in page


def test_the_same_verdicts_are_no_difference(client: Client) -> None:
    suite = make_suite(tasks=24)
    one, other = play(suite, "Foo", A * 3), play(suite, "Foo", A * 3)
    page = get(client, f"/compare/?runs={one.pk},{other.pk}")
    assert f"Foo (run {one.pk}) and Foo (run {other.pk}) did equally well on every task." in page
    assert "none: the runs differ on too few tasks" in page


def test_the_form_sends_what_links_say(client: Client, suite: Suite) -> None:
    one, other = play(suite, "Foo", A), play(suite, "Bar", B)
    page = get(client, "/compare/")
    assert page.count(f'name="runs" form="ticked" value="{one.pk}"') == 1
    assert "alone passed" in get(client, f"/compare/?runs={one.pk}&runs={other.pk}")
    chosen = get(client, f"/compare/?runs={one.pk}&runs=")
    assert f'value="{one.pk}" checked' in chosen


def test_with_nothing_to_compare_the_page_says_so(client: Client, suite: Suite) -> None:
    assert "Nothing to compare yet" in get(client, "/compare/")
    empty = finish_run(make_run(suite, make_entry("Foo")), 0, void=8)
    other = finish_run(make_run(suite, make_entry("Bar")), 0, void=8)
    page = get(client, f"/compare/?runs={empty.pk},{other.pk}")
    assert "The runs have no task yet on which both have a verdict." in page
    assert client.get(f"/compare.json?runs={empty.pk},{other.pk}").json()["result"] is None


@pytest.mark.parametrize(
    ("runs", "status", "sentence"),
    [
        ("{a},{a}", 400, "Run {a} is compared with itself"),
        ("{a},{other}", 400, "only runs on the same version of a suite"),
        ("{a},{private}", 404, "There is no run {private}."),
        ("{a},999999", 404, "There is no run 999999."),
        ("{a},99999999999999999999999", 400, "is not the number of a run."),
        ("{a},-1", 400, "is not the number of a run."),
        ("{a},٣", 400, "is not the number of a run."),
        ("{a},<b>x", 400, "&lt;b&gt;x” is not the number of a run."),
    ],
)
def test_what_cannot_be_compared_is_a_sentence(
    client: Client, suite: Suite, runs: str, status: int, sentence: str
) -> None:
    ids = {
        "a": play(suite, "Foo", A).pk,
        "b": play(suite, "Bar", B).pk,
        "private": finish_run(make_run(suite, make_entry("Secret"), is_public=False), 4).pk,
        "other": finish_run(make_run(make_suite("other"), make_entry("Baz")), 4).pk,
    }
    page = get(client, f"/compare/?runs={runs.format(**ids)}", status)
    assert sentence.format(**ids) in page
    assert "Secret" not in page
    twin = client.get(f"/compare.json?runs={runs.format(**ids)}")
    assert twin.status_code == status
    assert client.get(f"/compare.csv?runs={runs.format(**ids)}").status_code == status


def test_an_owner_compares_a_private_run(client: Client, suite: Suite) -> None:
    owner = User.objects.create_user("owner")
    one = play(suite, "Foo", A)
    mine = finish_run(make_run(suite, make_entry("Mine"), is_public=False), 4)
    Entry.objects.filter(pk=mine.entry_id).update(owner=owner)
    path = f"/compare/?runs={one.pk},{mine.pk}"
    assert client.get(path).status_code == 404
    client.force_login(owner)
    assert "Mine alone passed" in get(client, path)
    client.force_login(User.objects.create_user("other"))
    assert client.get(path).status_code == 404


def test_hostile_names_are_escaped(client: Client, suite: Suite) -> None:
    one = play(suite, "<script>alert(1)</script>\u202e", A)
    other = play(suite, "x" * 200, B)
    page = get(client, f"/compare/?runs={one.pk},{other.pk}")
    assert "<script>alert" not in page
    assert "\u202e" not in page


def test_the_number_of_queries_does_not_grow(client: Client, suite: Suite) -> None:
    one, other = play(suite, "Foo", A), play(suite, "Bar", B)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            get(client, f"/compare/?runs={one.pk},{other.pk}")
        counts.append(len(queries))
        for number in range(5):
            play(suite, f"More {number}", B)
    assert counts[0] == counts[1] <= 6


def test_pair_has_charts_and_no_interval_over_a_handful_of_tasks(
    client: Client, suite: Suite
) -> None:
    a, b = (
        finish_run(make_run(suite, make_entry(name)), n) for name, n in (("Foo", 6), ("Bar", 3))
    )
    standings.refresh(suite)
    page = client.get(f"/compare/?runs={a.pk},{b.pk}").content.decode()
    assert f'data-charts="/charts/list/?suite=starter@1&amp;runs={a.pk},{b.pk}"' in page
    assert '<div class="chart-plain"' in page
    assert "fewer than 20 tasks are greyed" not in page  # the sentence says it of all
    Run.objects.filter(pk=b.pk).update(is_public=False)
    Entry.objects.filter(pk=b.entry_id).update(owner=(owner := User.objects.create_user("ada")))
    client.force_login(owner)
    page = client.get(f"/compare/?runs={a.pk},{b.pk}").content.decode()
    assert '<div class="chart-plain"' in page
    assert "data-charts" not in page  # no board has both


@pytest.mark.parametrize("count", [2, 3])
def test_foreign_titles_stand_with_their_english_ones(
    client: Client, suite: Suite, count: int
) -> None:
    suite.tasks.filter(key="news-digest").update(english="Digest of the news")
    runs = [finish_run(make_run(suite, make_entry(f"نموذج {n}B")), n) for n in range(3, 3 + count)]
    page = client.get("/compare/", {"runs": ",".join(str(run.pk) for run in runs)}).content.decode()
    assert "新闻摘要与关键词" in page
    assert "Digest of the news" in page
    for path in (runs[0].get_absolute_url(), "/failures/"):
        assert "Digest of the news" in client.get(path).content.decode()
    if count == 2:
        assert "\u2068نموذج 3B\u2069 alone passed 0 tasks" in page
        assert "<bdi>نموذج 3B</bdi>" in page
