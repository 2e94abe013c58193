"""A site without a ranked model says how to add one, and offers servers found on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings

from leaderboard.models import Endpoint, Suite
from leaderboard.scoring.standings import refresh_changed
from leaderboard.search.filing import file_runs
from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db

OLLAMA = {"name": "Ollama", "port": 11434, "models": ["qwen3:8b", "<b>llama</b>"]}
HOW = "No model is ranked yet. Add one:"


@pytest.fixture
def found(tmp_path: Path, settings: Settings) -> Path:
    """Ollama runs beside a site for this machine alone."""
    path = tmp_path / "model-servers.json"
    path.write_text(json.dumps([OLLAMA]))
    settings.MODEL_SERVERS = str(path)
    settings.ENDPOINT_LOOPBACK_PORTS = ["11434", "8080"]
    settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost", "testserver"]
    return path


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
    assert "python -m runner submit --site http://testserver --suite starter" in page
    assert 'href="/submit/?suite=starter%401"' in page
    assert "manage.py start_run --suite starter" in page
    assert 'id="baselines" open>' in page
    with CaptureQueriesContext(connection) as queries:
        client.get("/")
    assert len(queries) <= 8


def test_suite_without_any_run_says_it_too(client: Client) -> None:
    make_suite()
    assert HOW in get(client)


@pytest.mark.parametrize("is_finished", [True, False])
def test_site_with_a_model_says_nothing_of_it(
    client: Client, suite: Suite, found: Path, is_finished: bool
) -> None:
    run = make_run(suite, make_entry("Foo"))
    if is_finished:
        finish_run(run, 3)
    page = get(client)
    assert HOW not in page
    assert "Ollama" not in page


def test_server_on_this_machine_is_offered_with_its_models(
    client: Client, suite: Suite, found: Path
) -> None:
    page = get(client)
    assert "Found on this machine: <b>Ollama</b> on port 11434" in page
    assert "<option>qwen3:8b</option><option>&lt;b&gt;llama&lt;/b&gt;</option>" in page
    assert 'name="server" value="11434"' in page


@pytest.mark.parametrize(
    "change",
    [
        {"ALLOWED_HOSTS": ["bench.example.org"]},
        {"ALLOWED_HOSTS": ["127.0.0.1", "testserver", "*"]},
        {"ENDPOINT_LOOPBACK_PORTS": []},
        {"SCRIPTED_PORT": 11434},
        {"MODEL_SERVERS": ""},
    ],
)
def test_server_is_offered_on_a_site_for_this_machine_alone(
    suite: Suite, found: Path, settings: Settings, change: dict[str, Any]
) -> None:
    for name, value in change.items():
        setattr(settings, name, value)
    page = get(Client(SERVER_NAME=settings.ALLOWED_HOSTS[0]))
    assert HOW in page
    assert "Ollama</b>" not in page
    is_for_others = "ALLOWED_HOSTS" in change
    assert ("manage.py start_run" in page) is not is_for_others


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "{}", "[1]", '[{"name": "x"}]', '[{"name": "x", "port": "y", "models": []}]',
     '[{"name": "x", "port": 11434, "models": []}]'],
)  # fmt: skip
def test_odd_file_offers_nothing(client: Client, suite: Suite, found: Path, text: str) -> None:
    found.write_text(text)
    assert "Found on this machine" not in get(client)
    found.unlink()
    assert "Found on this machine" not in get(client)


@pytest.fixture
def signed_in() -> Client:
    client = Client()
    client.force_login(make_user())
    return client


def test_form_is_filled_in_from_an_offer(signed_in: Client, suite: Suite, found: Path) -> None:
    make_suite("newer")
    page = get(signed_in, "/submit/?server=11434&model=qwen3:8b&suite=starter@1")
    assert 'value="http://127.0.0.1:11434/v1"' in page
    assert page.count('value="qwen3:8b"') == 2  # the model and its name
    assert f'<option value="{suite.pk}" selected>' in page


@pytest.mark.parametrize(
    "query",
    [
        "server=8080&model=qwen3:8b",
        "server=11434&model=another",
        "server=https://evil.example/v1&model=qwen3:8b",
        "base_url=https://evil.example/v1&model=m",
        "server=&model=",
        "suite=" + 900 * "x",
    ],
)
def test_link_fills_in_no_other_address(
    signed_in: Client, suite: Suite, found: Path, query: str
) -> None:
    page = get(signed_in, f"/submit/?{query}")
    assert "evil.example" not in page
    assert 'value="http' not in page


def test_stranger_is_led_through_sign_in_to_the_form(
    client: Client, suite: Suite, found: Path
) -> None:
    answer = client.get("/submit/?server=11434&model=qwen3:8b")
    assert answer.status_code == 302
    assert "next=/submit/%3Fserver%3D11434%26model%3Dqwen3%3A8b" in answer["Location"]


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


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_one_button_leads_to_the_form(
    page: Page, watch: Watch, live_server: Any, found: Path
) -> None:
    suite = make_suite()
    finish_run(make_run(suite, make_entry("silent", is_scripted=True)), 0)
    client = Client()
    client.force_login(User.objects.create_user("reader", "reader@example.org"))
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(live_server.url)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_label("Model of Ollama").select_option("qwen3:8b")
    page.get_by_role("button", name="Evaluate").click()
    expect(page.get_by_label("Base URL")).to_have_value("http://127.0.0.1:11434/v1")
    expect(page.get_by_label("Model", exact=True)).to_have_value("qwen3:8b")
    assert watch.refusals == []
