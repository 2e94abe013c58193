"""From an assertion on a replay to the source line that has its name."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from django.test import Client

from leaderboard.models import Suite, Task
from leaderboard.suites.task_source import CheckSource
from leaderboard.tests.support.replay_pages import attempt_at, get
from leaderboard.tests.support.rows import finish_run, make_run, tell_failure
from leaderboard.views.tasks import MAX_NAME_CHARS

TASKS = Path(__file__).resolve().parents[3] / "suites" / "starter" / "tasks"
KEY = "quarterly-sales"
CHECK = CheckSource("", 'case.expect("other", 1)\n    case.equal("rows", 1, 2)\ncase.fail(\'x\')\n')


@pytest.mark.parametrize(
    ("name", "line"),
    [("rows", 'case.equal("rows", 1, 2)'), ("x", "case.fail('x')"), ("row", ""), ("\0", "")],
)
def test_the_first_line_with_the_name_is_found(name: str, line: str) -> None:
    assert CHECK.line_of(name) == line


@pytest.mark.django_db
def test_a_failed_assertion_leads_to_its_line(client: Client, suite: Suite) -> None:
    path = TASKS / "quarterly_sales.py"
    Task.objects.filter(key=KEY).update(digest=hashlib.sha256(path.read_bytes()).hexdigest())
    attempt = tell_failure(attempt_at(finish_run(make_run(suite), 4), KEY))
    asked = f"version={suite.version}&amp;assertion=names%20the%20best%20quarter"
    address = f"/tasks/starter/{KEY}/?{asked}#check"
    assert f'href="{address}"' in get(client, attempt)
    page = client.get(f"/tasks/starter/{KEY}/", {"assertion": "file exists"}).content.decode()
    assert "No line of this check has that very name" in page


@pytest.mark.django_db
def test_a_file_that_has_changed_since_says_nothing(client: Client, suite: Suite) -> None:
    page = client.get(f"/tasks/starter/{KEY}/", {"assertion": "<script>file exists"})
    assert page.status_code == 200
    body = page.content.decode()
    assert "Where “&lt;script&gt;file exists” is made" in body
    assert "Its file is not on this site" in body
    long = client.get(f"/tasks/starter/{KEY}/", {"assertion": "a" * 5_000}).content.decode()
    assert "a" * (MAX_NAME_CHARS + 1) not in long
