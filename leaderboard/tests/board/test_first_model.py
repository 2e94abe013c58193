"""A site without a ranked model says how to add one."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from leaderboard.models import Endpoint, Suite
from leaderboard.scoring.filing import file_runs
from leaderboard.scoring.standings import refresh_changed
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db

HOW = "No model here yet. Add one:"


@pytest.fixture
def suite() -> Suite:
    suite = make_suite()
    finish_run(make_run(suite, make_entry("silent", is_scripted=True)), 0)
    return suite


def get(client: Client, path: str = "/") -> str:
    file_runs()
    refresh_changed()
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_fresh_site_says_how_to_add_a_model(client: Client, suite: Suite) -> None:
    page = get(client)
    assert HOW in page
    shell = re.sub(r"</?span[^>]*>", "", page)
    assert ".venv/bin/pybench submit --site http://testserver --suite starter" in shell
    assert 'href="/submit/?suite=starter%401"' in page
    assert "manage.py start_run --suite starter" in shell
    assert 'id="baselines" open>' in page
    with CaptureQueriesContext(connection) as queries:
        client.get("/")
    assert len(queries) <= 8


def test_suite_without_any_run_says_it_too(client: Client) -> None:
    make_suite()
    assert HOW in get(client)


@pytest.mark.parametrize("is_finished", [True, False])
def test_site_with_a_model_says_nothing_of_it(
    client: Client, suite: Suite, is_finished: bool
) -> None:
    run = make_run(suite, make_entry("Foo"))
    if is_finished:
        finish_run(run, 3)
    assert HOW not in get(client)


@pytest.mark.parametrize(
    ("hosts", "is_local"),
    [
        (["127.0.0.1", "localhost"], True),
        (["bench.example.org"], False),
        (["127.0.0.1", "*"], False),
    ],
)
def test_only_a_site_for_this_machine_names_its_servers(
    suite: Suite, settings: Settings, hosts: list[str], is_local: bool
) -> None:
    settings.ALLOWED_HOSTS = hosts
    page = get(Client(SERVER_NAME=hosts[0]))
    assert HOW in page
    assert ("the form finds it" in page) is is_local
    assert ("manage.py start_run" in page) is is_local


def test_failures_open_on_labelled_baselines(client: Client, suite: Suite) -> None:
    page = get(client, "/failures/")
    assert "<b>Scripted baselines.</b> No model has played yet" in page
    assert "8 attempts</h2>" in page
    assert "/tasks/quarterly-sales/" in page
    assert client.get("/failures.json").json()["total"] == 0
    finish_run(make_run(suite, make_entry("Foo")), 7)
    page = get(client, "/failures/")
    assert "No model has played yet" not in page
    assert "1 attempt</h2>" in page


def test_failures_without_any_attempt_stay_empty(client: Client) -> None:
    make_suite()
    page = get(client, "/failures/")
    assert "No failure yet" in page
    assert "No model has played yet" not in page
    filtered = get(client, "/failures/?state=passed")
    assert "No attempt matches" in filtered


def test_baselines_in_flight_move_with_the_port_at_a_start(suite: Suite) -> None:
    call_command("start_baselines", "starter", port=8001, verbosity=0)
    call_command("start_baselines", "starter", port=8055, verbosity=0)
    reference = Endpoint.objects.get(entry__model_name="reference", entry__slug__startswith="sc")
    assert reference.base_url == "http://127.0.0.1:8001/v1"  # a worker may be playing it
    call_command("start_baselines", "starter", port=8055, move=True, verbosity=0)
    reference.refresh_from_db()
    assert reference.base_url == "http://127.0.0.1:8055/v1"
