"""Work of passing and failing attempts, on a task's page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Attempt, Run, Task
from leaderboard.submissions.run_actions import withdraw
from leaderboard.suites import task_work
from leaderboard.suites.task_work import Library, Work, describe_work, imported
from leaderboard.tests.support.rows import (
    add_step,
    finish_run,
    make_entry,
    make_run,
    make_step,
    make_suite,
)
from runner.contract import StepStatus

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    task_work.WORK.clear()
    yield
    task_work.WORK.clear()


@pytest.fixture
def task() -> Task:
    """Two runs pass it with pandas, one fails it after an error, a baseline passes it too."""
    suite = make_suite()
    task = suite.tasks.get(key="quarterly-sales")
    for name, solved, code, status in (
        ("Foo", 1, "import pandas as pd, numpy\nimport os", StepStatus.OK),
        ("Bar", 1, "from pandas.core import frame\n", StepStatus.OK),
        ("Baz", 0, "    import openpyxl;", StepStatus.ERROR),
    ):
        run = finish_run(make_run(suite, make_entry(name)), solved)
        play(run, code, status)
    play(finish_run(make_run(suite, make_entry("x", is_scripted=True)), 1), "import scripted")
    return task


def play(run: Run, code: str, status: StepStatus = StepStatus.OK) -> None:
    attempt = run.attempts.select_related("task", "run").get(task__key="quarterly-sales")
    add_step(attempt, make_step(1, code=code, status=status))
    add_step(attempt, make_step(2, code="print(1)"))


def models_of(task: Task) -> tuple[Work, Work]:
    attempts = Attempt.objects.filter(task=task, run__entry__provenance="run here")
    return describe_work(task, attempts.order_by("-run_id"))


def test_work_counts_steps_errors_and_libraries_apart(task: Task) -> None:
    passed, failed = models_of(task)
    assert passed == Work(2, 2, 0, (Library("pandas", 2), Library("numpy", 1)))
    assert failed == Work(1, 2, 1, (Library("openpyxl", 1),))


def test_page_shows_both_and_no_baseline(task: Task) -> None:
    page = Client().get("/tasks/starter/quarterly-sales/").content.decode()
    part = page[page.index('id="work"') :]
    part = part[: part.index("</section>")]
    assert '<span class="mono">pandas</span> <span class="faint">2</span>' in part
    assert "openpyxl" in part
    assert "scripted" not in part
    assert 'id="work"' not in Client().get("/tasks/starter/news-digest/").content.decode()


def test_withdrawn_run_is_no_longer_counted(task: Task) -> None:
    Client().get("/tasks/starter/quarterly-sales/")
    withdraw(Run.objects.get(entry__name="Baz").pk)
    page = Client().get("/tasks/starter/quarterly-sales/").content.decode()
    assert "openpyxl" not in page


def test_known_work_costs_two_queries_and_huge_steps_are_not_read(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    models_of(task)
    with CaptureQueriesContext(connection) as queries:
        models_of(task)
    assert len(queries) == 2
    task_work.WORK.clear()
    monkeypatch.setattr(task_work, "MAX_BODY_BYTES", 1)
    assert models_of(task)[0] == Work(2, 2, 0, ())


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import a.b as c, d", ["a", "d"]),
        ("from e import (f,\n g)", ["e"]),
        ("from . import x\nfrom .y import z", []),
        ("import <script>, os, " + "w" * 60, []),
        ("importx y\nprint('import z')", []),
        ("import", []),
        ("from", []),
        ("import ,,,", []),
    ],
)
def test_imports_are_read_line_by_line(code: str, names: list[str]) -> None:
    assert list(imported(code)) == names
