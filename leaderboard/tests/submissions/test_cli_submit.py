"""`pybench submit` against a real site and a real endpoint."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django.fixtures import Settings

from conftest import served
from leaderboard.accounts.tokens import make_token
from leaderboard.models import Entry, Run, Suite
from leaderboard.storage import encryption
from leaderboard.tests.support.rows import finish_run
from runner.cli.main import main
from runner.scripted.server import ScriptedServer
from runner.worker.tasks import preflight_run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sandbox]

KEY = "sk-the-key-of-a-submitter"


@pytest.fixture
def endpoint(settings: Settings) -> Iterator[str]:
    """A scripted endpoint whose port the site may call."""
    with served(ScriptedServer()) as server:
        settings.ENDPOINT_LOOPBACK_PORTS = [str(server.server_port)]
        yield server.base_url


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


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A worker that looks at the endpoint while the command waits; how long each wait was."""
    waits: list[float] = []

    def meanwhile(pause_s: float) -> None:
        waits.append(pause_s)
        preflight_run(Run.objects.get().pk)

    monkeypatch.setattr("runner.cli.submit.sleep", meanwhile)
    return waits


def test_an_endpoint_is_checked_by_the_site_and_queued(
    words: list[str], worker: list[float], live_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    run = Run.objects.get()
    said = capsys.readouterr().out
    assert len(worker) == 1
    first, *checks, last = said.splitlines()
    assert first == f"Run {run.pk} is being checked: {live_server.url}/runs/{run.pk}/"
    assert [line.split()[:2] for line in checks[:2]] == [["ok", "Reachable"], ["ok", "Authorised"]]
    assert last == f"Run {run.pk} is queued: {live_server.url}/runs/{run.pk}/"
    assert run.attempts.count() == 8
    assert KEY not in said
    assert not run.is_public
    assert run.entry.owner == User.objects.get()
    assert run.entry.provenance == Entry.Provenance.RUN_HERE
    assert run.entry.sampling == {"temperature": 0.5, "top_p": None, "max_tokens": None}
    assert encryption.decrypt(run.entry.endpoint.encrypted_key) == KEY


def test_an_endpoint_that_cannot_work_is_not_queued(
    words: list[str], worker: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--model", "nope", "--follow"]) == 2
    said = capsys.readouterr()
    assert "FAILED" in said.out
    assert "Nothing was queued. The endpoint does not know the model “nope”" in said.err
    assert not Run.objects.get().attempts.exists()


def test_a_run_that_no_worker_looks_at_is_left_waiting(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.cli.submit.MAX_CHECK_S", 0)
    assert main(words) == 1
    said = capsys.readouterr()
    assert "is being checked" in said.out
    assert "No worker has checked the endpoint yet" in said.err
    assert Run.objects.get().status == "checking"


@pytest.mark.parametrize("is_in_file", [False, True])
def test_streaming_and_extra_body_are_passed_on(
    words: list[str], tmp_path: Path, is_in_file: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    said = '{"reasoning_effort": "low"}'
    (tmp_path / "extra.json").write_text(said)
    said = f"@{tmp_path / 'extra.json'}" if is_in_file else said
    assert main([*words, "--no-preflight", "--no-stream", "--extra-body", said]) == 0
    entry = Run.objects.get().entry
    assert entry.sampling["stream"] is False
    assert encryption.decrypt_object(entry.endpoint.encrypted_extra) == {"reasoning_effort": "low"}


def test_a_run_is_followed_to_its_end(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []

    def meanwhile(pause_s: float) -> None:
        looks.append(pause_s)
        finish_run(Run.objects.get(), 5)

    monkeypatch.setattr("runner.cli.follow.sleep", meanwhile)
    assert main([*words, "--no-preflight", "--follow"]) == 0
    assert len(looks) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:3] == [
        "queued: 0 passed, 0 failed, 0 did not count, 8 open",
        "done: 5 passed, 3 failed, 0 did not count, 0 open",
    ]
    assert lines[3].split()[:3] == ["category", "tasks", "passed"]
    assert lines[-1].split()[:3] == ["all", "8", "5/8"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (["--suite", "nope"], "suite: There is no suite"),
        (["--description", "d" * 4_001], "description"),
        (["--base-url", "http://10.0.0.1/v1"], "not called from here"),
        (["--api-key-env", "UNSET_VARIABLE"], "UNSET_VARIABLE is not set"),
        (["--extra-body", "{"], "The extra request fields are not JSON"),
        (["--extra-body", '{"tools": []}'], "cannot set “tools”"),
        (["--extra-body", "@/absent.json"], "/absent.json cannot be read"),
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
