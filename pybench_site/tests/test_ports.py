"""Ports of a one-machine site, and the model servers found beside it."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from conftest import served
from pybench_site.local import serve
from pybench_site.local.ports import Ports, require_free, usual_ports_but
from runner.cli.local_servers import find_model_servers, read_models
from runner.scripted.server import ScriptedServer

LOOPBACK = "127.0.0.1"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site gives a model server a second; here it shares the cores with all other tests."""
    monkeypatch.setattr("runner.cli.local_servers.ASK_TIMEOUT_S", 60.0)


def test_port_in_use_is_refused_with_the_variable_that_sets_another() -> None:
    with socket.socket() as holder:
        holder.bind((LOOPBACK, 0))
        holder.listen()
        port = holder.getsockname()[1]
        with pytest.raises(SystemExit, match=f"Port {port} on .* PYBENCH_PORT={port + 80} make"):
            require_free("PYBENCH_PORT", LOOPBACK, port)
    require_free("PYBENCH_PORT", LOOPBACK, port)


def test_processes_get_the_chosen_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYBENCH_PORT", "PYBENCH_SCRIPTED_PORT", "PYBENCH_LOOPBACK_PORTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("PYBENCH_HOSTS", raising=False)
    monkeypatch.setenv("PYBENCH_SANDBOXD", "elsewhere")
    monkeypatch.setattr(serve, "PORTS", Ports(8000, 8080))
    said = serve.environment()
    assert (said["PYBENCH_PORT"], said["PYBENCH_SCRIPTED_PORT"]) == ("8000", "8080")
    assert said["PYBENCH_LOOPBACK_PORTS"] == "11434,1234"  # never its own
    commands = {service.name: service.command for service in serve.services()}
    assert "8000" in commands["web"]
    assert "8080" in commands["scripted"]
    monkeypatch.setenv("PYBENCH_HOSTS", "bench.example.org")
    assert "PYBENCH_LOOPBACK_PORTS" not in serve.environment()


def test_each_start_begins_a_new_log_and_keeps_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "log").mkdir()
    monkeypatch.setattr(serve, "VAR", tmp_path)
    monkeypatch.setenv("PYBENCH_SANDBOXD", "elsewhere")
    for word in ("first", "second", "third"):
        service = serve.Service("web", ["echo", word])
        for _ in range(2):  # started again by the same site, it goes on
            service.start()
            service.wait(time.monotonic() + 60)
    kept = {path.name: path.read_text().split() for path in (tmp_path / "log").iterdir()}
    assert kept == {"web.log": ["third"] * 2, "web.log.1": ["second"] * 2}


def test_site_that_others_reach_offers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYBENCH_HOSTS", raising=False)
    assert serve.is_for_this_machine()
    monkeypatch.setattr(serve, "HOST", "0.0.0.0")
    assert not serve.is_for_this_machine()


@contextmanager
def answering(status: int, body: bytes) -> Iterator[int]:
    """A server that gives one answer to everything; its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with served(ThreadingHTTPServer((LOOPBACK, 0), Handler)) as server:
        yield server.server_port


def listing(*names: object) -> bytes:
    return json.dumps({"object": "list", "data": [{"id": name} for name in names]}).encode()


def test_model_server_is_found_with_its_models() -> None:
    with answering(200, listing("qwen3:8b", "llama3.1:8b", "qwen3:8b", 7, "")) as port:
        assert find_model_servers({"Ollama": port}) == [
            {"name": "Ollama", "port": port, "models": ["qwen3:8b", "llama3.1:8b"]}
        ]
    assert find_model_servers({"Ollama": port}) == []  # it has ended


def test_anything_else_is_not_offered(subtests: pytest.Subtests) -> None:
    for status, body in [
        (404, b"<h1>Not found</h1>"),
        (401, listing("secret")),
        (302, listing("elsewhere")),
        (200, b"<html>a page</html>"),
        (200, b"[]"),
        (200, b'{"data": "none"}'),
        (200, b'{"data": [1, null, {"id": "\\u202eabc"}]}'),
        (200, b"[" * 100_000),
        (200, b"x" * (2 << 20)),
    ]:
        with subtests.test(status=status, body=body), answering(status, body) as port:
            assert find_model_servers({"Something": port}) == []


def test_scripted_endpoints_of_a_site_are_not_offered() -> None:
    server = ScriptedServer()
    rows = [{"id": model, "owned_by": "scripted baseline"} for model in server.models]
    assert rows
    assert read_models({"data": rows}) == []
    with served(server):
        assert find_model_servers({"PyBench": server.server_port}) == []


def test_own_ports_are_left_out() -> None:
    assert usual_ports_but([8000, 8001]) == [11434, 8080, 1234]
