"""`python -m runner submit` against a real site and a real endpoint."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django.fixtures import Settings

from leaderboard import keys
from leaderboard.models import Entry, Run, Suite
from leaderboard.tests.factories import finish_run, make_suite
from leaderboard.tokens import make_token
from runner.cli import main
from runner.scripted_server import ScriptedServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sandbox]

KEY = "sk-the-key-of-a-submitter"


@pytest.fixture
def endpoint(settings: Settings) -> Iterator[str]:
    """A scripted endpoint whose port the site may call."""
    server = ScriptedServer()
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    settings.ENDPOINT_LOOPBACK_PORTS = [str(server.server_port)]
    try:
        yield server.base_url
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


@pytest.fixture
def suite() -> Suite:
    return make_suite()


@pytest.fixture
def words(
    suite: Suite, endpoint: str, live_server: Any, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """The command that submits the reference model as Ada."""
    owner = User.objects.create_user("ada")
    monkeypatch.setenv("PYBENCH_TOKEN", make_token(owner, "laptop")[1])
    monkeypatch.setenv("FOO_KEY", KEY)
    command = ["submit", "--site", live_server.url, "--base-url", endpoint, "--model", "reference"]
    return [*command, "--name", "Foo 70B", "--api-key-env", "FOO_KEY", "--temperature", "0.5"]


def test_an_endpoint_is_checked_and_submitted(
    words: list[str], live_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    run = Run.objects.get()
    said = capsys.readouterr().out
    assert "Solved in a real kernel" in said
    assert f"Run {run.pk} is queued: {live_server.url}/runs/{run.pk}/" in said
    assert KEY not in said
    assert not run.is_public
    assert run.entry.owner == User.objects.get()
    assert run.entry.provenance == Entry.Provenance.SCRIPTED
    assert run.entry.sampling == {"temperature": 0.5, "top_p": None, "max_tokens": None}
    assert keys.decrypt(run.entry.endpoint.encrypted_key) == KEY


def test_an_endpoint_that_cannot_work_is_not_submitted(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--model", "nope"]) == 2
    said = capsys.readouterr()
    assert "does not know the model “nope”" in said.out
    assert "Nothing was submitted." in said.err
    assert not Run.objects.exists()


def test_a_run_is_followed_to_its_end(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []

    def meanwhile(pause_s: float) -> None:
        looks.append(pause_s)
        finish_run(Run.objects.get(), 5)

    monkeypatch.setattr("runner.submit.time.sleep", meanwhile)
    assert main([*words, "--no-preflight", "--follow"]) == 0
    assert len(looks) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == [
        "queued: 0 passed, 0 failed, 0 void, 8 open",
        "done: 5 passed, 3 failed, 0 void, 0 open",
    ]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (["--suite", "nope"], "suite: There is no suite"),
        (["--attempts", "99"], "attempts_per_task"),
        (["--base-url", "http://10.0.0.1/v1"], "not called from here"),
        (["--api-key-env", "UNSET_VARIABLE"], "UNSET_VARIABLE is not set"),
        (["--site", "http://board.example.org"], "must begin with https://"),
        (["--site", "http://127.0.0.1:9"], "The site did not answer"),
    ],
)
def test_what_the_site_refuses_is_said_in_its_words(
    words: list[str], changes: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--no-preflight", *changes]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert KEY not in error
    assert not Run.objects.exists()


def test_a_wrong_token_is_said(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYBENCH_TOKEN", "pyb_wrong")
    assert main([*words, "--no-preflight"]) == 2
    assert "This token is unknown" in capsys.readouterr().err
