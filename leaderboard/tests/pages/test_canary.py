"""Text of the benchmark can be recognised and left out; search engines are asked to stay away."""

from __future__ import annotations

import json
import urllib.robotparser
from pathlib import Path

import pytest
from django.test import Client

from leaderboard.models import Attempt
from leaderboard.tests.support.rows import finish_run, make_run, make_suite
from runner.model import prompts
from runner.suite.canary import CANARY

SUITES = Path(__file__).resolve().parents[3] / "suites"
TASK_FILES = sorted(SUITES.glob("*/tasks/[!_]*.py"))


def test_every_task_file_begins_with_the_canary(subtests: pytest.Subtests) -> None:
    for path in TASK_FILES:
        with subtests.test(path=path):
            assert path.read_text("utf-8").splitlines()[0] == f"# {CANARY}"


def test_no_prompt_holds_it() -> None:
    assert CANARY not in Path(prompts.__file__).read_text("utf-8")


@pytest.mark.django_db
def test_pages_and_exports_of_a_trajectory_hold_it_and_its_messages_do_not(client: Client) -> None:
    run = finish_run(make_run(make_suite(tasks=1)), 1)
    attempt = Attempt.objects.get(run=run)
    page = client.get(attempt.get_absolute_url())
    assert f'<meta name="canary" content="{CANARY}">' in page.content.decode()
    assert '<meta name="robots" content="noindex, noarchive">' in page.content.decode()
    assert page["X-Robots-Tag"] == "noindex, noarchive"
    for form in ("pybench", "chat", "notebook"):
        answer = client.get(f"{attempt.get_absolute_url()}export/{form}")
        assert answer.status_code == 200, form
        body = b"".join(answer) if answer.streaming else answer.content
        assert CANARY in body.decode(), form
        assert answer["X-Robots-Tag"] == "noindex, noarchive"
        if form != "notebook":
            assert CANARY not in json.dumps(json.loads(body)["messages"])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "is_open"),
    [
        ("/", True),
        ("/about/method/", True),
        ("/models/foo/", True),
        ("/files/abc/a.csv", False),
        ("/failures/", False),
        ("/api/v1/runs/", False),
        ("/account/login/", False),
    ],
)
def test_robots_are_told_what_to_leave_alone(path: str, is_open: bool, client: Client) -> None:
    answer = client.get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    rules = urllib.robotparser.RobotFileParser()
    rules.parse(answer.content.decode().splitlines())
    assert rules.can_fetch("AnyBot", path) is is_open
    assert "Disallow: /runs/*/tasks/" in answer.content.decode()
