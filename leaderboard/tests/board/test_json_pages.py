"""The twins of run and task pages, as a program gets them."""

from __future__ import annotations

import pytest
from django.test import Client

from leaderboard.handoff.sweep import sweep_queue
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db


def test_a_run_lists_its_attempts(client: Client) -> None:
    suite = make_suite()
    run = finish_run(make_run(suite, make_entry("Foo")), 3, void=1)
    data = client.get(f"/runs/{run.pk}.json").json()
    assert (data["suite"], data["entry"], data["passed"], data["void"]) == (
        "starter@1",
        "Foo",
        3,
        1,
    )
    states = [attempt["state"] for attempt in data["attempts"]]
    assert states == ["passed"] * 3 + ["failed"] * 4 + ["void"]
    assert data["attempts"][0]["address"] == f"/runs/{run.pk}/tasks/quarterly-sales/"
    assert data["why_unranked"] == "incomplete"
    secret = finish_run(make_run(suite, make_entry("Secret"), is_public=False), 3)
    assert client.get(f"/runs/{secret.pk}.json").status_code == 404


def test_a_task_lists_what_came_of_it(client: Client) -> None:
    suite = make_suite()
    finish_run(make_run(suite, make_entry("Foo")), 8)
    finish_run(make_run(suite, make_entry("Secret"), is_public=False), 8)
    sweep_queue()
    data = client.get("/tasks/starter/quarterly-sales.json").json()
    assert (data["task"], data["solved"], data["decided"]) == ("quarterly-sales", 1, 1)
    assert [attempt["entry"] for attempt in data["attempts"]] == ["Foo"]
    assert client.get("/tasks/starter/absent.json").status_code == 404
