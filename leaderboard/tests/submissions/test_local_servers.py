"""Model servers on this machine: looked for on request alone, and never where a run is at work."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings

from conftest import served
from leaderboard.models import Attempt, Draft, Endpoint, Judge, Judging, Run, Suite
from leaderboard.submissions import local_servers
from leaderboard.tests.conftest import Watch
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.rows import make_entry, make_run, make_suite
from runner.contract import JudgingState, Status

pytestmark = pytest.mark.django_db

BUTTON = "Look for model servers on this machine"


class ModelServer(ThreadingHTTPServer):
    """Lists two models, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.status = 200
        self.counting = threading.Lock()
        super().__init__(("127.0.0.1", 0), ModelList)


class ModelList(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        server = self.server
        assert isinstance(server, ModelServer)
        with server.counting:
            server.asked += 1
        body = json.dumps({"data": [{"id": "qwen3:8b"}, {"id": "<b>llama</b>"}]}).encode()
        self.send_response(server.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """A server at a usual port of a site for this machine alone."""
    settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost", "testserver"]
    with served(ModelServer()) as server:
        settings.ENDPOINT_LOOPBACK_PORTS = [str(server.server_port)]
        monkeypatch.setattr(local_servers, "USUAL_PORTS", {"Ollama": server.server_port})
        yield server


@pytest.fixture
def owner() -> Client:
    client = Client()
    client.force_login(make_user())
    return client


def look(client: Client, **typed: Any) -> str:
    answer = client.post("/submit/", {"search": "1", **typed})
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_form_does_not_ask_by_itself(owner: Client, server: ModelServer) -> None:
    suite = make_suite()
    for path in ("/", "/submit/", f"/submit/?suite={suite.name}@{suite.version}", "/submissions/"):
        owner.get(path)
    assert BUTTON in owner.get("/submit/").content.decode()
    assert server.asked == 0


def test_button_offers_what_it_finds_and_keeps_what_was_typed(
    owner: Client, server: ModelServer
) -> None:
    suite = make_suite()
    typed = {"name": "My <i>name</i>", "suite": str(suite.pk), "temperature": "0.7", "top_p": "abc"}
    page = look(owner, **typed)
    assert server.asked == 1
    assert f"<b>Ollama</b> on port {server.server_port} offers" in page
    assert "&lt;b&gt;llama&lt;/b&gt;</button>" in page
    for value in ('value="My &lt;i&gt;name&lt;/i&gt;"', 'value="0.7"', 'value="abc"'):
        assert value in page
    assert 'name="stream" id="id_stream" checked' not in page  # unchecked, and stays so
    assert f'<option value="{suite.pk}" selected>' in page
    answer = owner.post("/submit/", {**typed, "offer": f"{server.server_port} qwen3:8b"})
    page = answer.content.decode()
    assert f'value="http://127.0.0.1:{server.server_port}/v1"' in page
    assert 'value="qwen3:8b"' in page
    assert 'value="0.7"' in page
    assert server.asked == 1


def test_typed_key_is_kept_for_its_address_and_never_shown(
    owner: Client, server: ModelServer
) -> None:
    make_suite()
    page = look(owner, api_key="sk-very-secret", base_url="https://api.host-of-models.com/v1")
    assert "sk-very-secret" not in page
    assert "A key is kept, encrypted, for https://api.host-of-models.com/v1" in page
    assert Draft.objects.get().encrypted_key


def test_nothing_found_is_said_with_the_ports(owner: Client, server: ModelServer) -> None:
    make_suite()
    server.shutdown()
    server.server_close()
    page = look(owner)
    assert "No model server was found." in page
    assert f"No models at {server.server_port} (Ollama)." in page


def test_server_that_wants_a_key_is_named_with_its_address(
    owner: Client, server: ModelServer
) -> None:
    make_suite()
    server.status = 401
    page = look(owner)
    assert f"The server on port {server.server_port} (Ollama) wants an API key" in page
    assert f"http://127.0.0.1:{server.server_port}/v1</span> and the key below" in page
    assert "No model" not in page


def run_at(port: int, status: Status) -> Run:
    entry = make_entry("Busy")
    Endpoint.objects.create(entry=entry, base_url=f"http://localhost:{port}/v1")
    run = make_run(Suite.objects.first() or make_suite(), entry)
    Run.objects.filter(pk=run.pk).update(status=status)
    run.refresh_from_db()
    return run


def keep_draft(port: int, **columns: Any) -> None:
    other = make_user("other")
    facts = {"base_url": f"http://127.0.0.1:{port}/v1"}
    Draft.objects.create(owner=other, facts=facts, **columns)


def start_judging(port: int) -> None:
    run = run_at(1, Status.DONE)
    judge = Judge.objects.create(name="j", base_url=f"http://127.0.0.1:{port}/v1", model_name="j")
    Judging.objects.create(judge=judge, run=run, state=JudgingState.RUNNING)


def call_off(port: int) -> None:
    run = run_at(port, Status.CANCELLED)
    Attempt.objects.filter(run=run).update(status=Status.RUNNING)


@pytest.mark.parametrize(
    ("begin", "is_busy"),
    [
        (lambda port: run_at(port, Status.QUEUED), True),
        (lambda port: run_at(port, Status.RUNNING), True),
        (lambda port: run_at(port, Status.CHECKING), True),
        (call_off, True),
        (start_judging, True),
        (lambda port: keep_draft(port, asked_at=timezone.now()), True),
        (lambda port: keep_draft(port, asked_at=timezone.now() - timedelta(hours=1)), False),
        (lambda port: keep_draft(port), False),
        (lambda port: run_at(port, Status.DONE), False),
        (lambda port: run_at(port, Status.PAUSED), False),
        (lambda port: run_at(port + 1, Status.RUNNING), False),
    ],
    ids=["queued", "running", "checking", "called off", "judged", "draft", "old draft",
         "idle draft", "done", "paused", "elsewhere"],
)  # fmt: skip
def test_port_at_work_is_left_alone(
    owner: Client, server: ModelServer, begin: Any, is_busy: bool
) -> None:
    make_suite()
    begin(server.server_port)
    page = look(owner)
    assert server.asked == (0 if is_busy else 1)
    said = f"Not tried, because a run or a check is using it: {server.server_port} (Ollama)."
    assert (said in page) is is_busy


def test_models_are_not_listed_while_a_run_is_at_work_there(
    owner: Client, server: ModelServer
) -> None:
    run_at(server.server_port, Status.RUNNING)
    answer = owner.post(
        "/submit/models/", {"base_url": f"http://127.0.0.1:{server.server_port}/v1"}
    )
    assert answer.status_code == 422
    assert "A run or a check is using this server" in answer.json()["said"]


@pytest.mark.parametrize(
    "change",
    [{"ALLOWED_HOSTS": ["bench.example.org"]}, {"ALLOWED_HOSTS": ["127.0.0.1", "*"]}],
)
def test_site_for_others_has_no_button(
    server: ModelServer, settings: Settings, change: dict[str, Any]
) -> None:
    make_suite()
    for name, value in change.items():
        setattr(settings, name, value)
    client = Client(SERVER_NAME=settings.ALLOWED_HOSTS[0])
    client.force_login(make_user())
    assert BUTTON not in client.get("/submit/").content.decode()
    assert client.post("/submit/", {"search": "1"}).status_code == 404
    assert server.asked == 0


def test_port_that_runs_cannot_call_is_not_asked(
    owner: Client, server: ModelServer, settings: Settings
) -> None:
    make_suite()
    settings.ENDPOINT_LOOPBACK_PORTS = []
    look(owner)
    assert server.asked == 0


def test_stranger_is_led_to_sign_in(client: Client, server: ModelServer) -> None:
    make_suite()
    assert client.post("/submit/", {"search": "1"}).status_code == 302
    assert server.asked == 0


@pytest.mark.parametrize(
    "offer",
    ["8080", "22 m", "x m", "https://evil.example/v1 m", "-1 m", "", " ", "9" * 5000 + " m"],
)
def test_no_other_address_is_filled_in(owner: Client, server: ModelServer, offer: str) -> None:
    make_suite()
    answer = owner.post("/submit/", {"offer": offer})
    assert answer.status_code == 200
    assert 'value="http' not in answer.content.decode()


@pytest.mark.parametrize(
    "query",
    ["server=11434&model=m", "base_url=https://evil.example/v1&model=m", "suite=" + 900 * "x"],
)
def test_link_fills_in_no_address(owner: Client, server: ModelServer, query: str) -> None:
    make_suite()
    page = owner.get(f"/submit/?{query}").content.decode()
    assert "evil.example" not in page
    assert 'value="http' not in page


@pytest.mark.browser
@pytest.mark.parametrize("has_scripts", [True, False])
@pytest.mark.django_db(transaction=True)
def test_found_model_is_chosen_with_and_without_javascript(
    page: Page, watch: Watch, live_server: Any, server: ModelServer, has_scripts: bool
) -> None:
    make_suite()
    client = Client()
    client.force_login(make_user())
    session = client.cookies["sessionid"].value
    browser = page.context.browser
    assert browser is not None
    context = page.context if has_scripts else browser.new_context(java_script_enabled=False)
    tab = page if has_scripts else context.new_page()
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(f"{live_server.url}/submit/")
    tab.get_by_label("Name").fill("Kept")
    tab.get_by_role("button", name=BUTTON).click()
    tab.get_by_role("button", name="qwen3:8b").click()
    expect(tab.get_by_label("Base URL")).to_have_value(f"http://127.0.0.1:{server.server_port}/v1")
    expect(tab.get_by_label("Model", exact=True)).to_have_value("qwen3:8b")
    expect(tab.get_by_label("Name")).to_have_value("Kept")
    assert watch.refusals == []
    if not has_scripts:
        context.close()
