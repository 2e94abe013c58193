"""The command line and a site that goes away, restarts, or is behind a proxy that says so."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from conftest import served
from runner.cli import site_client
from runner.cli.main import main
from runner.contract import ProblemError

FIGURES = {
    "tasks": 2, "attempts": 2, "passed": 2, "failed": 0, "void": 0, "open": 0, "rate": 1.0,
    "low": 0.3, "high": 1.0, "turns": 2.0, "turns_solved": 2.0, "prompt_tokens": 10,
    "completion_tokens": 5, "model_s": 1.0, "cell_s": 1.0, "wall_s": 2.0,
}  # fmt: skip


def told(status: str = "done", **changes: Any) -> dict[str, Any]:
    figures = {"category": "", **FIGURES, **changes}
    parts = [{**figures, "category": "text"}]
    return {"id": 7, "status": status, "address": "/runs/7/", "figures": figures,
            "categories": parts, "refusal": ""}  # fmt: skip


Answer = tuple[int, Any] | None  # None: the connection ends without an answer


class FakeSite(ThreadingHTTPServer):
    """Gives its answers in turn, the last one for ever."""

    daemon_threads = True

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, str, Mapping[str, str]]] = []
        super().__init__(("127.0.0.1", 0), FakeHandler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class FakeHandler(BaseHTTPRequestHandler):
    server: FakeSite

    def answer(self) -> None:
        site = self.server
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        site.asked.append((self.command, self.path, dict(self.headers)))
        given = site.answers.pop(0) if len(site.answers) > 1 else site.answers[0]
        if given is None:
            self.close_connection = True
            return
        status, content = given
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


Start = Callable[..., FakeSite]


@pytest.fixture
def start() -> Iterator[Start]:
    with ExitStack() as running:
        yield lambda *answers: running.enter_context(served(FakeSite(*answers)))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """No pause is waited for; how long each would have been."""
    pauses: list[float] = []
    for name in ("site_client", "follow", "submit"):
        monkeypatch.setattr(f"runner.cli.{name}.sleep", pauses.append)
    monkeypatch.setenv("PYBENCH_TOKEN", "pyb_test")
    return pauses


def follow(site: FakeSite) -> int:
    return main(["follow", "--site", site.url, "--run", "7"])


def submit(site: FakeSite, *more: str) -> int:
    words = ["submit", "--site", site.url, "--base-url", "http://127.0.0.1:9/v1", "--model", "m"]
    return main([*words, *more])


def test_site_that_restarts_costs_the_follower_nothing(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    proxy = (502, b"<h1>Bad Gateway</h1>")
    site = start((200, told("running", open=1)), None, proxy, (503, b""), None, (200, told()))
    assert follow(site) == 0
    said = capsys.readouterr()
    assert said.err.count("Trying again.") == 1
    assert "done: 2 passed, 0 failed, 0 did not count, 0 open" in said.out
    assert said.out.splitlines()[-1].split()[:3] == ["all", "2", "2/2"]


def test_submission_whose_answer_was_lost_is_sent_again_under_the_same_key(start: Start) -> None:
    under_way = {"code": "idempotency_key_under_way", "what": "w", "next_step": "n", "fields": {}}
    site = start(None, (409, under_way), (201, told("queued")), (200, told()))
    assert submit(site, "--follow") == 0
    posts = [headers["Idempotency-Key"] for method, _, headers in site.asked if method == "POST"]
    assert len(posts) == 3
    assert len(set(posts)) == 1
    assert posts[0]


def test_two_submissions_have_two_keys(start: Start) -> None:
    site = start((201, told("queued")))
    submit(site)
    submit(site)
    assert len({headers["Idempotency-Key"] for _, _, headers in site.asked}) == 2


def test_site_that_is_away_during_the_preflight_is_asked_again(start: Start) -> None:
    site = start((201, told("checking")), None, (502, b""), (200, told("queued")))
    assert submit(site) == 0


def test_site_that_stays_away_ends_with_its_own_code_and_the_command(
    start: Start, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(site_client, "MAX_SILENCE_S", -1)
    site = start((200, told("running", open=1)), None)
    assert follow(site) == 3
    said = capsys.readouterr().err
    assert "The run is the site's and goes on." in said
    assert f".venv/bin/pybench follow --site {site.url} --run 7" in said


def test_site_that_was_never_there_is_given_up_at_once(
    quick: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["follow", "--site", "http://127.0.0.1:9", "--run", "7"]) == 2
    assert "The site did not answer" in capsys.readouterr().err
    assert quick == []


def test_refusal_is_told_at_once_in_either_shape(
    start: Start, quick: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    problem = {"fault": "submitter", "code": "not_found", "what": "Nothing.", "next_step": "Look.",
               "fields": {}}  # fmt: skip
    for content in (problem, {"error": problem}, {**problem, "error": problem}):
        assert follow(start((404, content))) == 2
        assert "Nothing. Look." in capsys.readouterr().err
    assert quick == []


def test_throttled_command_waits_as_long_as_it_is_told(start: Start, quick: list[float]) -> None:
    busy = {"code": "too_many_requests", "what": "w", "next_step": "n", "fields": {}}
    assert follow(start((429, busy), (200, told()))) == 0
    assert quick == [1.0]
    assert site_client.read_wait("17") == 17.0
    assert site_client.read_wait("99999") == 60.0
    assert site_client.read_wait("Wed, 21 Oct 2026") == 0.0


def test_void_attempts_and_refused_runs_have_codes_of_their_own(start: Start) -> None:
    assert follow(start((200, told(void=1)))) == 1
    assert follow(start((200, {**told("refused"), "figures": None, "categories": []}))) == 2


def test_interrupted_follower_names_the_command(
    start: Start, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(pause_s: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("runner.cli.follow.sleep", interrupt)
    assert follow(start((200, told("running", open=1)))) == 130
    assert "follow --site" in capsys.readouterr().err


def test_answer_of_another_program_is_no_site(start: Start) -> None:
    site = start((200, b"<html>"))
    with (
        site_client.open_site(site.url, "pyb_test") as http,
        pytest.raises(ProblemError, match="not one of the PyBench API"),
    ):
        site_client.ask(http, "GET", "/api/v1/runs/7/")


def test_request_that_cannot_be_sent_is_not_repeated(start: Start, quick: list[float]) -> None:
    with (
        site_client.open_site(start((200, told())).url, "") as http,  # no header ends in a blank
        pytest.raises(ProblemError, match="cannot be sent"),
    ):
        site_client.ask(http, "GET", "/api/v1/runs/7/")
    assert quick == []


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"id": 7, "address": "/runs/7/"},
        b"[" * 200_000,
    ],
    ids=["nothing", "no status", "deep"],
)
@pytest.mark.parametrize("act", [follow, submit])
def test_answer_that_is_no_run_is_no_site(
    act: Callable[[FakeSite], int],
    content: object,
    start: Start,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert act(start((200, content))) == 2
    assert "not one of the PyBench API" in capsys.readouterr().err


@pytest.mark.parametrize("fields", [[1], {"a": 5}, {"a": ["x", 1]}, None])
def test_refusal_of_another_shape_is_told_without_acting_on_the_terminal(
    fields: object, start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = {"code": "x", "what": "\x1b[2JNo.\x9b", "next_step": "Look.", "fields": fields}
    assert follow(start((400, problem))) == 2
    said = capsys.readouterr().err
    assert "error: \ufffd[2JNo.\ufffd" in said
    assert "Look." in said


def test_wait_in_other_digits_is_no_wait() -> None:
    assert site_client.read_wait("²") == 0.0
    assert site_client.read_wait("9" * 5000) == 60.0


def test_site_that_fails_for_a_moment_is_asked_again(start: Start) -> None:
    assert follow(start((200, told("running", open=1)), (500, b""), (200, told()))) == 0


@pytest.mark.parametrize("last", [None, (500, b"")], ids=["gone", "failing"])
def test_submission_whose_check_is_not_seen_to_its_end_names_the_command(
    last: Answer,
    start: Start,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(site_client, "MAX_SILENCE_S", -1)
    site = start((201, told("checking")), last)
    assert submit(site) == 3
    assert f".venv/bin/pybench follow --site {site.url} --run 7" in capsys.readouterr().err


def test_interrupted_submission_names_the_command(
    start: Start, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(pause_s: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("runner.cli.submit.sleep", interrupt)
    assert submit(start((201, told("checking")))) == 130
    assert "follow --site" in capsys.readouterr().err


def test_follower_that_is_refused_later_names_the_command(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = {"code": "not_authenticated", "what": "This token is unknown.", "next_step": "Make one."}
    assert follow(start((200, told("running", open=1)), (200, told("running")), (401, gone))) == 2
    said = capsys.readouterr().err
    assert "This token is unknown." in said
    assert "follow --site" in said


def test_site_that_stays_away_before_the_submission_was_answered_has_its_own_code(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_client, "MAX_SILENCE_S", -1)
    assert submit(start(None)) == 3
