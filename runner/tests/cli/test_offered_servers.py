"""`.venv/bin/pybench` without options: the models of this machine's servers."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from conftest import served
from runner.cli import local_servers, offered_servers
from runner.cli.main import main
from runner.cli.offered_servers import offer_servers

NAMES = ["qwen3:8b", "-rf /", "a model"]


class Lists(BaseHTTPRequestHandler):
    """A server that lists models."""

    def do_GET(self) -> None:
        body = json.dumps({"data": [{"id": name} for name in NAMES]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


class Streams(Lists):
    """A server that answers every question with a stream that does not end."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        with contextlib.suppress(OSError):
            while True:
                self.wfile.write(b" ")
                time.sleep(0.02)


@pytest.fixture
def port() -> Iterator[int]:
    with served(ThreadingHTTPServer(("127.0.0.1", 0), Lists)) as server:
        yield server.server_port


@pytest.fixture
def played() -> list[list[str]]:
    return []


def test_models_are_listed_with_a_command_each(
    port: int, played: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    def evaluate(words: Sequence[str]) -> int:
        played.append(list(words))
        return 0

    assert offer_servers(evaluate, {"Ollama": port}, lambda _: "") == 0
    said = capsys.readouterr().out
    assert f"1  qwen3:8b (Ollama, port {port})" in said
    assert f"--base-url=http://127.0.0.1:{port}/v1 --model=qwen3:8b --out=results/qwen3-8b" in said
    assert "'--model=-rf /'" in said  # a name is never an option or a second word
    assert played == []


@pytest.mark.parametrize("typed", [["1"], ["7", "x", "0", "-1", "１", "1"]])
def test_chosen_model_is_evaluated(port: int, typed: list[str], played: list[list[str]]) -> None:
    def evaluate(words: Sequence[str]) -> int:
        played.append(list(words))
        return 3

    lines = iter(typed)
    assert offer_servers(evaluate, {"Ollama": port}, lambda _: next(lines)) == 3
    address = f"--base-url=http://127.0.0.1:{port}/v1"
    assert played == [[address, "--model=qwen3:8b", "--out=results/qwen3-8b"]]


def test_end_of_input_chooses_nothing(port: int) -> None:
    def end(_: str) -> str:
        raise EOFError

    assert offer_servers(lambda _: 99, {"Ollama": port}, end) == 0


def test_without_a_server_the_ports_and_an_example_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(offered_servers, "find_model_servers", lambda ports: [])
    assert main([]) == 2
    said = capsys.readouterr().err
    assert "Ollama at 11434" in said
    assert ".venv/bin/pybench --base-url" in said


def test_options_of_an_offer_are_options_of_the_evaluation(port: int) -> None:
    from runner.cli.evaluate_endpoint import parser

    words = offered_servers.words_for(port, "-rf /")
    options = parser().parse_args(words)
    assert (options.model, str(options.out)) == ("-rf /", "results/rf")


def test_stream_without_an_end_is_no_model_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_servers, "ASK_TIMEOUT_S", 0.3)
    with served(ThreadingHTTPServer(("127.0.0.1", 0), Streams)) as server:
        assert local_servers.list_models(server.server_port).models == ()
