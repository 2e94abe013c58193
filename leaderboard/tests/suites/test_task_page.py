"""The pages of tasks as a visitor gets them."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Artifact, Run, Suite, SuiteProof, Task
from leaderboard.scoring.filing import file_runs
from leaderboard.scoring.standings import (
    list_task_differences,
    refresh_changed,
    store_task_counts,
)
from leaderboard.storage.blobs import keep_bytes
from leaderboard.suites.task_source import describe
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]


def get(client: Client, path: str) -> str:
    file_runs()  # as the sweep does
    refresh_changed()
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def test_a_task_shows_what_it_asks(client: Client, suite: Suite) -> None:
    Task.objects.filter(key="news-digest").update(note="Order <b>matters</b>.", strength="partial")
    page = get(client, "/tasks/starter/news-digest/")
    for words in ("新闻摘要与关键词", "最常见的五个关键词", 'lang="zh"', "./data/news.md"):
        assert words in page
    for words in ("./output/keywords.txt", "Text analysis", "partial", "Order &lt;b&gt;"):
        assert words in page
    assert "No attempt yet" in page


def test_results_lead_to_replays_and_models_come_first(client: Client, suite: Suite) -> None:
    first = finish_run(make_run(suite, make_entry("Foo")), 8)
    second = finish_run(make_run(suite, make_entry("Bar")), 0)
    scripted = finish_run(make_run(suite, make_entry("reference", is_scripted=True)), 8)
    finish_run(make_run(suite, make_entry("Secret"), is_public=False), 8)
    page = get(client, "/tasks/starter/quarterly-sales/")
    at = [page.index(f"/runs/{r.pk}/tasks/quarterly-sales/") for r in (second, first, scripted)]
    assert at == sorted(at)
    assert "Secret" not in page
    assert "<b>50.0</b>" in page  # one of two models; baselines do not count
    assert "n 2" in page


def test_a_model_counts_once_however_many_runs_and_attempts_it_has(
    client: Client, suite: Suite
) -> None:
    many = make_entry("Many")
    for solved in (8, 8, 0):
        finish_run(make_run(suite, many), solved)
    finish_run(make_run(suite, make_entry("Once")), 0)
    finish_run(make_run(suite, make_entry("Half")), 3, void=5)
    get(client, "/tasks/starter/")
    task = suite.tasks.get(key="quarterly-sales")
    assert (task.ranked, round(task.rate, 4)) == (2, 0.3333)  # the mean of 2/3 and 0
    listed = json.loads(get(client, "/tasks/starter.json"))["tasks"][0]
    assert (listed["models"], round(listed["solve_rate"], 4)) == (2, 0.3333)
    assert list_task_differences(suite) == []
    Task.objects.filter(pk=task.pk).update(rate=0.5)
    [line] = list_task_differences(suite)
    assert "task quarterly-sales of starter" in line
    assert store_task_counts(suite) == [line]
    assert list_task_differences(suite) == []


def test_the_list_shows_every_task_with_its_solve_rate(client: Client, suite: Suite) -> None:
    finish_run(make_run(suite), 1)
    finish_run(make_run(suite, make_entry("reference", is_scripted=True)), 8)
    page = get(client, "/tasks/starter/")
    assert page.count('href="/tasks/starter/') == 8 + 1  # and the one in the header
    assert page.count("<b>100.0</b>") == 1
    assert page.count('<span class="n">n 1</span>') == 8


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/tasks/absent/", "There is no suite “absent”."),
        ("/tasks/starter/absent/", "Suite starter has no task “absent”."),
        ("/tasks/starter/quarterly-sales/?version=9", "There is no suite “starter”."),
    ],
)
def test_unknown_names_are_not_found(client: Client, suite: Suite, path: str, words: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert words in response.content.decode()


def test_the_newest_version_is_shown_and_older_ones_stay_reachable(
    client: Client, suite: Suite
) -> None:
    newer = make_suite("other")
    Suite.objects.filter(pk=newer.pk).update(name="starter", version="2")
    assert "v2" in get(client, "/tasks/starter/quarterly-sales/")
    assert "v1" in get(client, "/tasks/starter/quarterly-sales/?version=1")


@pytest.mark.parametrize(
    ("path", "most"), [("/tasks/starter/", 10), ("/tasks/starter/quarterly-sales/", 18)]
)
def test_the_number_of_queries_does_not_grow(
    client: Client, suite: Suite, path: str, most: int
) -> None:
    finish_run(make_run(suite), 3)
    counts = []
    for _ in range(2):
        get(client, path)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(path).status_code == 200
        counts.append(len(queries))
        for _ in range(5):
            finish_run(make_run(suite), 3)
    assert counts[0] == counts[1] <= most


def test_the_list_is_sorted_by_how_hard_tasks_are(client: Client, suite: Suite) -> None:
    finish_run(make_run(suite, make_entry("Foo")), 3)
    finish_run(make_run(suite, make_entry("Bar")), 1)

    def keys(query: str) -> list[str]:
        return re.findall(r'class="sub">([\w-]+)<', get(client, f"/tasks/starter/{query}"))

    in_order = list(suite.tasks.values_list("key", flat=True))
    hardest = [*in_order[3:], *in_order[1:3], in_order[0]]
    easiest = [in_order[0], *in_order[1:3], *in_order[3:]]
    assert keys("") == keys("?sort=nonsense") == hardest
    assert keys("?sort=-solved") == easiest
    assert keys("?sort=position") == in_order


def test_the_list_has_twins(client: Client, suite: Suite) -> None:
    finish_run(make_run(suite), 1)
    data = json.loads(get(client, "/tasks/starter.json"))
    first = data["tasks"][0]
    assert (first["task"], first["solve_rate"], first["decided"]) == ("quarterly-sales", 1.0, 1)
    table = get(client, "/tasks/starter.csv?version=1")
    rows = list(csv.DictReader(table.splitlines()))
    assert [row["solve_rate"] for row in rows] == ["1.0"] + ["0.0"] * 7
    assert client.get("/tasks/absent.json").status_code == 404


SOURCE = '''"""Count <the> rows of a table."""

from runner.checks import Case

QUERY = "secret query"
LIMIT = 7


def make_inputs(seed: int) -> None:
    print("generator")


def check(case: Case) -> None:
    assert "</pre><script>" != LIMIT


REFERENCE = {"answer": "the solution"}
'''


def place_source(settings: Any, tmp_path: Path, task: Task, source: str = SOURCE) -> None:
    folder = tmp_path / task.suite.name / "tasks"
    folder.mkdir(parents=True)
    (folder / (task.key.replace("-", "_") + ".py")).write_text(source, "utf-8")
    settings.SUITES = tmp_path


def test_the_check_is_shown_in_words_and_in_source(
    client: Client, suite: Suite, settings: Any, tmp_path: Path
) -> None:
    task = suite.tasks.get(key="news-digest")
    place_source(settings, tmp_path, task)
    assert "source of the check" not in get(client, task.get_absolute_url())  # another state
    suite.tasks.filter(pk=task.pk).update(digest=hashlib.sha256(SOURCE.encode()).hexdigest())
    page = get(client, task.get_absolute_url())
    assert "Count &lt;the&gt; rows of a table." in page
    shown = page[page.index("source of the check") :].partition("</details>")[0]
    assert "LIMIT" in shown
    assert "check" in shown
    assert "&lt;/pre&gt;&lt;script&gt;" in shown
    for hidden in ("secret query", "generator", "the solution", "</pre><script>"):
        assert hidden not in shown


def test_the_proof_and_its_mutants_are_shown(client: Client, suite: Suite) -> None:
    mutants = [("a", True), ("b", False), ("c", False), ("d", False)]
    played = [
        {"name": n, "kind": "mutant", "passed": p, "sentence": "", "may_pass": False}
        for n, p in mutants
    ]
    proof = {
        "task": "news-digest", "category": "text", "strength": "content", "holds": True,
        "faults": [], "degenerate": "", "stand_in": "", "played": played,
    }  # fmt: skip
    SuiteProof.objects.create(
        suite=suite, facts={"proofs": [proof], "seconds": 1}, digest=suite.digest
    )
    page = get(client, "/tasks/starter/news-digest/")
    assert "Its proof passes; it refuses 3 of 4 changed copies" in page
    assert "earlier state" not in page
    SuiteProof.objects.update(digest="00" * 32)
    assert "The proof is of an earlier state" in get(client, "/tasks/starter/news-digest/")
    assert "Its proof" not in get(client, "/tasks/starter/quarterly-sales/")


def test_equal_failures_are_one_line_with_their_count(client: Client, suite: Suite) -> None:
    for name in ("Foo", "<i>Bar", "Baz"):
        finish_run(make_run(suite, make_entry(name)), 1)
    finish_run(make_run(suite, make_entry("Secret"), is_public=False), 1)
    failed = get(client, "/tasks/starter/static-page/")
    listed = failed[failed.index('id="failed"') :].partition("</section>")[0]
    assert '<b class="num">3 ×</b>' in listed
    assert "&lt;i&gt;Bar" in listed
    assert "Secret" not in listed
    assert "median" not in failed
    passed = get(client, "/tasks/starter/quarterly-sales/")
    assert 'id="failed"' not in passed
    assert "steps of passed attempts, median" in passed


def test_every_task_of_the_suites_has_a_sentence_of_ours() -> None:
    files = [*(ROOT / "suites").glob("*/tasks/[!_]*.py")]
    assert len(files) > 150
    for path in files:
        summary = describe(path.read_text("utf-8")).summary
        assert 15 < len(summary) < 300, path.name


def test_inputs_are_shown_as_a_public_attempt_was_given_them(client: Client, suite: Suite) -> None:
    hidden = finish_run(make_run(suite, make_entry("Secret"), is_public=False), 1)
    other = finish_run(make_run(suite, make_entry("Fresh")), 1)
    Run.objects.filter(pk=other.pk).update(seed=suite.seed + 1)
    for run, name in ((hidden, "hidden.csv"), (other, "other.csv")):
        add_input(run, name, b"a,b\n9,9\n")
    page = get(client, "/tasks/starter/static-page/")
    assert 'id="inputs"' not in page
    shown = finish_run(make_run(suite, make_entry("Foo")), 1)
    add_input(shown, "given<b>.csv", b"a,b\n1,<i>\n")
    page = get(client, "/tasks/starter/static-page/")
    part = page[page.index('id="inputs"') :].partition("</section>")[0]
    assert f"As of the suite’s seed, {suite.seed}." in part
    assert "<td>&lt;i&gt;</td>" in part
    address = re.search(r'href="(/files/[^"]+)" download', part)
    assert address is not None
    assert client.get(address[1]).status_code == 200
    assert "hidden.csv" not in page
    assert "other.csv" not in page


def add_input(run: Run, name: str, content: bytes) -> None:
    attempt = run.attempts.get(task__key="static-page")
    Artifact.objects.create(
        attempt=attempt, role=Artifact.Role.INPUT, path=name, blob=keep_bytes(content, name)
    )
