"""Own rules on the page of failures: counted over what the reader sees, within bounds."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.failures import rule_matches
from leaderboard.failures.own_rules import MAX_RULE_CHARS
from leaderboard.models import Entry, Run
from leaderboard.tests.support.rows import (
    add_step,
    end_judged,
    make_entry,
    make_run,
    make_step,
    make_suite,
    printed,
    raised,
)
from runner.contract import StepStatus

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return fill(make_run(make_suite(), make_entry("Foo 70B")))


def fill(run: Run) -> Run:
    """Two failed attempts with steps, of which the second raised in its second step."""
    first, second = run.attempts.select_related("task", "run").order_by("pk")[:2]
    add_step(end_judged(first, passed=False), make_step(1, outputs=[printed("SECRET 频谱")]))
    end_judged(second, passed=False)
    add_step(second, make_step(1, outputs=[printed("rows: 4")]))
    add_step(second, make_step(2, code="t['x']", outputs=[raised()], status=StepStatus.ERROR))
    return run


def ask(client: Client, rule: str, more: str = "") -> dict[str, Any]:
    """The page's twin, after making sure that the page says the same number."""
    query = f"?rule={quote(rule)}{more}"
    page = client.get(f"/failures/{query}")
    answer: dict[str, Any] = client.get(f"/failures.json{query}").json()
    assert page.status_code == 200
    total = answer["total"]
    assert f"{total} attempt{'' if total == 1 else 's'}</h2>" in page.content.decode()
    return answer


def test_a_rule_finds_the_attempts_that_fulfil_it(client: Client, run: Run) -> None:
    second = run.attempts.order_by("pk")[1]
    for rule in (
        'error.type == "KeyError" and step > 1',
        'code contains "T[" and step == 2',
        'error.message contains "quarter"',
        'any(output contains "rows") and all(step < 3)',
    ):
        answer = ask(client, rule)
        assert [a["replay"] for a in answer["attempts"]] == [second.get_absolute_url()], rule
        assert answer["filter"]["rule"] == rule
        assert answer["is_exact"] is True
    assert ask(client, 'not any(output contains "频谱")')["total"] == 1
    assert ask(client, "step == 1")["total"] == 2
    assert ask(client, "step == 1", "&exception=KeyError")["total"] == 1
    assert ask(client, "step == 1", "&state=passed")["total"] == 0
    rows = client.get("/failures.csv", {"rule": "step == 2"}).getvalue().decode().splitlines()
    assert len(rows) == 2


def test_a_private_run_is_tried_for_nobody_but_its_owner(
    client: Client, run: Run, django_user_model: Any
) -> None:
    owner = django_user_model.objects.create_user("owner")
    entry = make_entry("Hidden 7B")
    Entry.objects.filter(pk=entry.pk).update(owner=owner)
    hidden = fill(make_run(run.suite, entry, is_public=False))
    rule = 'output contains "SECRET"'
    answer = ask(client, rule)
    assert [a["run"] for a in answer["attempts"]] == [run.pk]
    assert answer["notes"] == []
    assert ask(client, rule, f"&run={hidden.pk}")["total"] == 0
    client.force_login(owner)
    assert ask(client, rule, f"&run={hidden.pk}")["total"] == 1


@pytest.mark.parametrize(
    "rule",
    [
        "step >",
        "(" * 200,
        "__import__('os')",
        "x" * 301,
        '"><script>alert(1)</script>',
        "step > 1 \u202e",
    ],
)
def test_a_rule_that_cannot_be_read_is_refused(client: Client, run: Run, rule: str) -> None:
    page = client.get("/failures/", {"rule": rule})
    text = page.content.decode()
    assert page.status_code == 400
    assert "The rule cannot be read." in text
    assert "at character " in text
    assert "<script>alert" not in text
    assert "<h2>0 attempts</h2>" in text
    assert "was tried on" not in text
    for twin in ("/failures.json", "/failures.csv"):
        answer = client.get(twin, {"rule": rule})
        assert answer.status_code == 400
        assert "at character " in answer.content.decode()


def test_a_rule_too_long_is_not_cut(client: Client, run: Run) -> None:
    page = client.get("/failures/", {"rule": "step == 1" + " " * 300 + "and step == 2"})
    assert page.status_code == 400
    assert f"at most {MAX_RULE_CHARS} characters" in page.content.decode()


def test_the_rule_stays_in_the_links_of_filters_and_can_be_taken_away(
    client: Client, run: Run
) -> None:
    page = client.get("/failures/", {"rule": "step == 1"}).content.decode()
    assert "rule=step+%3D%3D+1&amp;tag=" in page or "&amp;rule=step+%3D%3D+1" in page
    assert '<span class="faint">rule</span> step == 1' in page
    assert "rule%3D" not in page  # of replays' addresses: they walk through what it was tried on


def test_what_is_too_large_and_what_is_beyond_the_bounds_is_said(
    client: Client, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule_matches, "MAX_STEPS_OF_ONE", 1)
    answer = ask(client, "step == 1")
    assert (answer["total"], answer["is_exact"]) == (1, False)
    assert "tried on 1 of 2 attempts" in answer["notes"][0]
    assert "1 too large for it" in answer["notes"][0]
    monkeypatch.undo()
    for name in ("MAX_STEPS", "MAX_PACKED_BYTES", "MAX_UNPACKED_BYTES"):
        monkeypatch.setattr(rule_matches, name, 1)
        answer = ask(client, 'code contains "p"')
        assert answer["is_exact"] is False
        assert answer["total"] <= 1
        monkeypatch.undo()
    monkeypatch.setattr(rule_matches, "MAX_UNPACKED_BYTES_OF_ONE", 1)
    assert "0 of 2 attempts" in ask(client, 'code contains "p"')["notes"][0]
    monkeypatch.undo()
    monkeypatch.setattr(rule_matches, "MAX_TRIED", 1)
    assert "tried on 1 of 2" in ask(client, "step > 0")["notes"][0]


def test_a_rule_costs_two_queries_more_whatever_it_says(client: Client, run: Run) -> None:
    def queries(rule: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert client.get("/failures/", {"rule": rule}).status_code == 200
        return len(asked)

    client.get("/failures/")
    base = queries("")
    assert queries("step > 0") <= base + 2
    assert queries('step > 0 and any(code contains "a") or all(reply contains "b")') <= base + 2
