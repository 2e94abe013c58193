"""From an assertion on a replay to the lines of the check that make it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from django.test import Client

from leaderboard.models import Suite, Task
from leaderboard.suites.assertion_source import MAX_NAME_CHARS, MAX_STATEMENTS, search
from leaderboard.tests.replay.test_replay import attempt_at, get
from leaderboard.tests.support.rows import finish_run, make_run, tell_failure

ROOT = Path(__file__).resolve().parents[3]
TASKS = ROOT / "suites" / "starter" / "tasks"
KEY = "quarterly-sales"

CHECK = '''"""A task."""
NAME = "rows"
REFERENCE = {"cells": ["print('rows')"]}

def check(case):
    """Look at rows."""
    for quarter in case.parameters["quarters"]:
        if case.expect(f"total of {quarter}", True):
            case.equal("rows", 1, 2)
    with open("x") as file:
        try:
            helper(case)
        except ValueError:
            case.fail(
                "readable",
                "It cannot be read.",
            )

def helper(case):
    images.require_size(case, 1, 2, 3, "a.png")
'''


def lines_of(source: str, assertion: str) -> list[tuple[int, str]]:
    return [(one.first_line, one.through) for one in search(source, assertion)]


def test_a_name_in_the_task_is_found_where_it_stands() -> None:
    assert lines_of(CHECK, "rows") == [(9, "")]
    assert lines_of(CHECK, "total of Q3") == [(8, "")]
    assert lines_of(CHECK, "readable") == [(14, "")]
    assert search(CHECK, "readable")[0].text.splitlines() == [
        "case.fail(",
        '    "readable",',
        '    "It cannot be read.",',
        ")",
    ]


def test_a_name_of_the_library_is_found_where_the_task_calls_for_it() -> None:
    assert lines_of(CHECK, "size in pixels") == [(20, "images.require_size")]


@pytest.mark.parametrize("name", ["total of ", "no such name", "\0", "x" * MAX_NAME_CHARS, ")("])
def test_other_names_are_found_nowhere(name: str) -> None:
    assert lines_of(CHECK, name) == []


def test_few_statements_are_named() -> None:
    many = "def check(case):\n" + "    case.expect('rows', True)\n" * 10
    assert len(search(many, "rows")) == MAX_STATEMENTS


@pytest.mark.django_db
def test_a_failed_assertion_leads_to_its_line(client: Client, suite: Suite) -> None:
    path = TASKS / "quarterly_sales.py"
    Task.objects.filter(key=KEY).update(digest=hashlib.sha256(path.read_bytes()).hexdigest())
    attempt = tell_failure(attempt_at(finish_run(make_run(suite), 4), KEY))
    asked = f"version={suite.version}&amp;assertion=names%20the%20best%20quarter"
    address = f"/tasks/starter/{KEY}/?{asked}#check"
    assert f'href="{address}"' in get(client, attempt)
    page = client.get(f"/tasks/starter/{KEY}/", {"assertion": "file exists"}).content.decode()
    assert "Where “file exists” is made" in page
    assert "of the task’s file, through <code>" in page


@pytest.mark.django_db
def test_a_file_that_has_changed_since_says_nothing(client: Client, suite: Suite) -> None:
    page = client.get(f"/tasks/starter/{KEY}/", {"assertion": "<script>file exists"})
    assert page.status_code == 200
    body = page.content.decode()
    assert "Where “&lt;script&gt;file exists” is made" in body
    assert "its file is not on this site" in body
    long = client.get(f"/tasks/starter/{KEY}/", {"assertion": "a" * 5_000}).content.decode()
    assert "a" * (MAX_NAME_CHARS + 1) not in long
