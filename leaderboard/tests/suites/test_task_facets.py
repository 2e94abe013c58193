"""Facets of tasks: stored with the suite, on the tasks' pages, and the board read by them."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import Page
from pytest_django.fixtures import Settings

from leaderboard.models import Suite, Task
from leaderboard.scoring.standings import refresh_changed
from leaderboard.submissions.run_actions import start
from leaderboard.suites.install import install
from leaderboard.suites.task_facets import (
    Described,
    count_facets,
    file_types_of,
    read_described,
    skills_of,
    store_facets,
)
from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.rows import (
    TASKS,
    TaskFacts,
    finish_run,
    make_entry,
    make_run,
    make_suite,
    register_entry,
)
from leaderboard.tests.support.site import write_suite
from runner.contract import ProblemError
from runner.suite.reader import load_suite

pytestmark = pytest.mark.django_db

DESCRIBED = Described(
    {"quarterly-sales": ["time-series"], "shortest-route": ["optimisation"]},
    {"news-digest": "Summary and keywords of the news"},
    {"news-digest": "Sum up the news.\nFind <keywords>."},
)


@pytest.fixture
def suite() -> Suite:
    """Eight tasks with facets; Foo solves the first five, Bar the first one."""
    suite = make_suite()
    store_facets(suite, DESCRIBED)
    finish_run(make_run(suite, make_entry("Foo")), 5)
    finish_run(make_run(suite, make_entry("Bar")), 1)
    finish_run(make_run(suite, make_entry("silent", is_scripted=True)), 0)
    make_run(suite, make_entry("Waiting"))
    refresh_changed()
    return suite


def get(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def names_of(page: str) -> list[str]:
    return re.findall(r'<th scope="row"[^>]*><a [^>]*><bdi>(.*?)</bdi>', page)


def test_file_types_and_skills_come_from_files_and_declarations() -> None:
    task = Task(inputs=["a.CSV", "no_ending"], outputs=["b.png"], skills=["charts", "tables"])
    assert file_types_of(task) == ["csv", "png"]
    assert skills_of(task) == ["tables", "pictures", "charts"]
    counts = count_facets([task, Task(inputs=["x.csv"])])
    assert counts["skill"] == {"tables": 2, "charts": 1, "pictures": 1}
    assert counts["file"] == {"csv": 2, "png": 1}


def write_described(root: Path, text: str) -> None:
    (root / "lines" / "facets.toml").write_text(text)


def test_installing_stores_facets_and_again_what_changed(
    tmp_path: Path, settings: Settings
) -> None:
    settings.SUITES = tmp_path / "suites"
    write_suite(settings.SUITES, tasks=2)
    write_described(
        settings.SUITES, '[skills]\nlines-1 = ["writing"]\n[english]\nlines-2 = "Two lines"\n'
    )
    folder = load_suite("lines", settings.SUITES)
    suite = install(folder).suite
    assert suite.facets == {"skill": {"writing": 1}, "file": {"txt": 2}}
    assert [task.english for task in suite.tasks.all()] == ["", "Two lines"]
    start(register_entry(), suite)
    write_described(settings.SUITES, "")
    again = install(load_suite("lines", settings.SUITES))
    assert (again.suite.pk, again.what) == (suite.pk, "is up to date")  # no part of its digest
    assert again.suite.facets["skill"] == {}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[skills\n", "not valid TOML"),
        ("skills = 1", "are tables of task keys"),
        ('[skills]\nabsent = ["x"]', "there is no task “absent”"),
        ('[skills]\nlines-1 = "writing"', "the skills of lines-1 are a list"),
        ('[skills]\nlines-1 = ["<b>"]', "the skills of lines-1 are a list"),
        ("[english]\nlines-1 = 7", "the English title of lines-1"),
        ("[query]\nlines-1 = ' '", "the English query of lines-1"),
    ],
)
def test_malformed_declarations_are_refused(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "facets.toml").write_text(text)
    with pytest.raises(ProblemError, match=sentence):
        read_described(tmp_path, ["lines-1", "lines-2"])


def test_papers_suite_has_an_english_title_for_each_in_another_language() -> None:
    folder = site_settings.BASE_DIR / "suites" / "pybench"
    titles = {
        path.stem.replace("_", "-"): re.search(
            r'^TITLE = "(.*)"$', path.read_text("utf-8"), re.MULTILINE
        )
        for path in (folder / "tasks").glob("*.py")
    }
    foreign = {key for key, title in titles.items() if title and max(title[1]) > "\u2e80"}
    described = read_described(folder, titles)
    assert len(foreign) > 50
    assert foreign == described.english.keys()


def test_starter_suite_glosses_every_title_in_another_language() -> None:
    folder = load_suite("starter", site_settings.BASE_DIR / "suites")
    keys = [task.spec.key for task in folder.tasks]
    described = read_described(folder.folder, keys)
    foreign = {task.spec.key for task in folder.tasks if task.spec.language != "en"}
    assert foreign == described.english.keys()
    assert all(title.isascii() for title in described.english.values())
    unskilled = [
        task.spec.key
        for task in folder.tasks
        if not skills_of(
            Task(
                inputs=list(task.spec.inputs),
                outputs=list(task.spec.outputs),
                skills=described.skills.get(task.spec.key, []),
            )
        )
    ]
    assert unskilled == []


def test_board_is_read_by_a_skill(client: Client, suite: Suite) -> None:
    page = get(client, "/?skill=tables")
    assert names_of(page)[:2] == ["Foo", "Bar"]
    assert "<span>Tables</span>" in page
    assert "<b>2 of 3</b></span>" in page
    assert "<b>1 of 3</b></span>" in page
    assert "3 tasks: too few to tell models apart" in page
    answer = re.search(r'<p class="answer">(.*?)</p>', page)
    assert answer is not None
    said = re.sub(r"<[^>]+>", "", answer[1])
    assert said == "Tables: Foo passes 2 of 3 tasks, the most of two models."
    assert 'class="whisker-cell is-small"' in page
    assert "<span>Chart</span>" not in page  # the categories give way
    assert 'href="/tasks/starter/?version=1&amp;skill=tables"' in page
    foo, bar, waiting, silent = client.get("/board.json?skill=tables").json()["rows"]
    assert (foo["part_tasks"], foo["part_passed"], foo["part_rate"]) == (3, 2, None)
    assert [row["part_passed"] for row in (bar, silent, waiting)] == [1, 0, None]
    assert (foo["rank"], foo["ut_strict"]) == (None, 5 / 8)  # of 8 tasks
    table = client.get("/board.csv?skill=tables").content.decode().splitlines()
    assert [row["part_tasks"] for row in csv.DictReader(table)] == ["3"] * 4


def test_facets_are_combined_and_order_the_rows(client: Client, suite: Suite) -> None:
    foo, *_ = client.get("/board.json?skill=tables&file=xlsx").json()["rows"]
    assert foo["part_tasks"] == 1
    (nothing, *_) = client.get("/board.json?skill=sound&file=xlsx").json()["rows"]
    assert (nothing["part_tasks"], nothing["part_passed"]) == (0, None)
    finish_run(make_run(suite, make_entry("Routes")), 0)
    run = suite.runs.latest("pk")
    run.attempts.filter(task__key="shortest-route").update(passed=True)
    refresh_changed()
    page = get(client, "/?skill=optimisation&sort=-part")
    strip = page[page.index('class="readings"') :].partition("</nav>")[0]
    assert strip.index("all tasks") < strip.index("optimisation") < strip.index("tables")
    assert "<span>Optimisation</span>" in page


def test_several_attempts_are_counted_per_task(client: Client, suite: Suite) -> None:
    run = make_run(suite, make_entry("Twice"))
    run.attempts_per_task = 2
    run.save()
    for attempt in list(run.attempts.all()):
        attempt.pk, attempt.number = None, 2
        attempt.save()
    finish_run(run, 3)  # both attempts at the first of the three, one at the second
    refresh_changed()
    rows = {row["entry"]: row for row in client.get("/board.json?skill=tables").json()["rows"]}
    assert (rows["Twice"]["part_tasks"], rows["Twice"]["part_passed"]) == (3, 1.5)


def test_odd_facets_are_left_out_with_a_sentence(client: Client, suite: Suite) -> None:
    page = get(client, "/?skill=cooking&file=%3Cb%3E")
    assert "The filter “skill” has no “cooking”" in page
    assert "The filter “file type” has no “&lt;b&gt;”" in page
    assert get(client, "/charts/?skill=tables")
    plain = make_suite("plain")
    finish_run(make_run(plain, make_entry("Plain")), 1)
    refresh_changed()
    page = get(client, "/?suite=plain&skill=tables")
    assert "The filter “skill”" not in page
    assert 'aria-label="Skill"' not in page


def test_reading_by_a_facet_costs_three_queries(client: Client, suite: Suite) -> None:
    counts = []
    for path in ("/", "/?skill=tables"):
        with CaptureQueriesContext(connection) as queries:
            client.get(path)
        counts.append(len(queries))
    assert counts[1] == counts[0] + 3


def test_tasks_are_chosen_by_facet_and_lead_to_the_board(client: Client, suite: Suite) -> None:
    page = get(client, "/tasks/starter/")
    assert 'href="?skill=tables">tables <small>3</small>' in page
    assert "Summary and keywords of the news" in page
    chosen = get(client, "/tasks/starter/?skill=tables&file=xlsx")
    assert "1 task. " in chosen
    assert "station-temperatures" in chosen
    assert "quarterly-sales" not in chosen
    assert 'href="/?suite=starter@1&amp;skill=tables&amp;file=xlsx"' in chosen
    assert "quarterly-sales" in get(client, "/tasks/starter/?skill=nonsense")
    rows = client.get("/tasks/starter.json").json()["tasks"]
    assert (rows[0]["skills"], rows[0]["file_types"]) == ("tables time-series", "csv")
    assert rows[3]["english"] == "Summary and keywords of the news"
    told = client.get("/api/v1/tasks/?suite=starter").json()["results"]
    assert told[0]["skills"] == ["tables", "time-series"]


def test_task_page_shows_english_title_and_skills(client: Client, suite: Suite) -> None:
    page = get(client, "/tasks/starter/news-digest/")
    assert '<h1 lang="zh">新闻摘要与关键词</h1>' in page
    assert "Summary and keywords of the news" in page
    assert "Sum up the news. Find &lt;keywords&gt;." in page
    assert "In English, for readers" not in get(client, "/tasks/starter/quarterly-sales/")
    told = client.get("/api/v1/tasks/?suite=starter").json()["results"]
    queries = {task["key"]: task["english_query"] for task in told}
    assert queries["news-digest"].startswith("Sum up")
    assert queries["quarterly-sales"] == ""
    page = get(client, "/tasks/starter/quarterly-sales/")
    assert 'skill=time-series">time series</a>' in page
    told = client.get("/tasks/starter/quarterly-sales.json").json()
    assert (told["skills"], told["file_types"]) == (["tables", "time-series"], ["csv"])


def test_replay_shows_the_query_in_english(client: Client, suite: Suite) -> None:
    run = suite.runs.order_by("pk")[0]
    assert "Find &lt;keywords&gt;." in get(client, f"/runs/{run.pk}/tasks/news-digest/")
    assert "In English" not in get(client, f"/runs/{run.pk}/tasks/quarterly-sales/")


def test_english_queries_name_the_same_files_and_blanks() -> None:
    folder = load_suite("starter", site_settings.BASE_DIR / "suites")
    own = {task.spec.key: task.spec.query for task in folder.tasks}
    described = read_described(folder.folder, own)
    assert described.query.keys() == described.english.keys()
    for key, text in described.query.items():
        for pattern in (r"«\w+»", r"\./[a-z]+/[\w.]+"):
            assert set(re.findall(pattern, text)) == set(re.findall(pattern, own[key])), key


def test_finding_names_tasks_in_english(client: Client) -> None:
    more: list[TaskFacts] = [(f"more-{n}", f"More {n}", "chart", "en", [], []) for n in range(12)]
    suite = make_suite(tasks=[*TASKS, *more])
    store_facets(suite, DESCRIBED)
    for name, solved in (("Foo", 4), ("Bar", 3)):
        finish_run(make_run(suite, make_entry(name)), solved)
    refresh_changed()
    assert "disagree most on <a" in get(client, "/")
    assert "Summary and keywords of the news" in get(client, "/")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_skill_is_one_click_away(suite: Suite, page: Page, watch: Watch, live_server: Any) -> None:
    for width, height in ((390, 844), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(live_server.url)
        box = page.get_by_role("region", name="Rank table").bounding_box()
        assert box is not None
        assert box["y"] <= (300 if width == 390 else 220)
        page.get_by_role("navigation", name="Skill").get_by_role("link", name="tables").click()
        page.wait_for_url("**/?skill=tables")
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert watch.refusals == []


def test_api_lists_tasks_by_skill_and_file_type(client: Client, suite: Suite) -> None:
    def keys(query: str) -> set[str]:
        results = client.get(f"/api/v1/tasks/?{query}").json()["results"]
        return {task["key"] for task in results}

    every = suite.tasks.all()
    assert keys("skill=tables") == {t.key for t in every if "tables" in skills_of(t)} != set()
    assert keys("file=csv") == {t.key for t in every if "csv" in file_types_of(t)} != set()
    assert keys("skill=tables&file=xlsx&suite=starter") == {"station-temperatures"}
    assert keys("file=docx") == set()


def test_api_board_adds_rates_on_the_tasks_of_a_facet(client: Client, suite: Suite) -> None:
    def rows(path: str) -> list[tuple[Any, ...]]:
        return [
            tuple(row[key] for key in ("run", "part_tasks", "part_passed", "part_low", "part_high"))
            for row in client.get(path).json()["rows"]
        ]

    asked = "skill=tables&file=csv"
    assert rows(f"/api/v1/board/?{asked}") == rows(f"/board.json?{asked}")
    assert [row[1] for row in rows("/api/v1/board/?skill=tables")] == [3, 3, 3, 3]
    assert "part_rate" not in client.get("/api/v1/board/").json()["rows"][0]


def test_api_board_refuses_a_facet_value_that_no_task_has(client: Client, suite: Suite) -> None:
    answer = client.get("/api/v1/board/?skill=juggling&file=%3Cb%3E")
    assert answer.status_code == 400
    assert answer.json()["error"]["fields"] == {
        "skill": ["No task of starter@1 has this skill."],
        "file": ["No task of starter@1 has this file type."],
    }
