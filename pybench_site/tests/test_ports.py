"""Ports of a one-machine site, and the model servers found beside it."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from conftest import served
from pybench_site.local import ports, serve
from pybench_site.local.ports import Ports, choose_ports, usual_ports_but
from runner.cli.local_servers import find_model_servers, read_models
from runner.scripted.server import ScriptedServer

LOOPBACK = "127.0.0.1"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site gives a model server a second; here it shares the cores with all other tests."""
    monkeypatch.setattr("runner.cli.local_servers.ASK_TIMEOUT_S", 60.0)


def unusable(*taken: int) -> Callable[[str, int], str]:
    return lambda host, port: "Address already in use" if port in taken else ""


def test_free_usual_ports_are_taken_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "why_unusable", unusable())
    assert choose_ports(LOOPBACK, {}) == (Ports(8000, 8001), [])


@pytest.mark.parametrize(
    ("taken", "chosen"),
    [
        ([8000], Ports(8001, 8002)),
        ([8001], Ports(8000, 8002)),
        ([8000, 8001], Ports(8002, 8003)),
        ([*range(8000, 8080)], Ports(8081, 8082)),  # 8080 is llama.cpp's
    ],
)
def test_next_free_port_is_used_and_named(
    monkeypatch: pytest.MonkeyPatch, taken: list[int], chosen: Ports
) -> None:
    monkeypatch.setattr(ports, "why_unusable", unusable(*taken))
    found, sentences = choose_ports(LOOPBACK, {})
    assert found == chosen
    named = " ".join(sentences)
    assert ("PYBENCH_PORT=" in named) is (chosen.site != 8000)
    assert f"PYBENCH_SCRIPTED_PORT={chosen.scripted}" in named


def test_named_port_in_use_is_refused() -> None:
    with socket.socket() as holder:
        holder.bind((LOOPBACK, 0))
        holder.listen()
        port = str(holder.getsockname()[1])
        with pytest.raises(SystemExit, match=f"Port {port} on 127.0.0.1 cannot be used"):
            choose_ports(LOOPBACK, {"PYBENCH_PORT": port})


def test_processes_get_the_chosen_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYBENCH_PORT", "PYBENCH_SCRIPTED_PORT", "PYBENCH_LOOPBACK_PORTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("PYBENCH_HOSTS", raising=False)
    monkeypatch.setenv("PYBENCH_SANDBOXD", "elsewhere")
    monkeypatch.setattr(serve.HERE, "ports", Ports(8000, 8080))
    said = serve.environment()
    assert (said["PYBENCH_PORT"], said["PYBENCH_SCRIPTED_PORT"]) == ("8000", "8080")
    assert said["PYBENCH_LOOPBACK_PORTS"] == "11434,1234"  # never its own
    commands = {service.name: service.command for service in serve.services()}
    assert "8000" in commands["web"]
    assert "8080" in commands["scripted"]
    monkeypatch.setenv("PYBENCH_HOSTS", "bench.example.org")
    assert "PYBENCH_LOOPBACK_PORTS" not in serve.environment()


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


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, b"<h1>Not found</h1>"),
        (401, listing("secret")),
        (302, listing("elsewhere")),
        (200, b"<html>a page</html>"),
        (200, b"[]"),
        (200, b'{"data": "none"}'),
        (200, b'{"data": [1, null, {"id": "\\u202eabc"}]}'),
        (200, b"[" * 100_000),
        (200, b"x" * (2 << 20)),
    ],
)
def test_anything_else_is_not_offered(status: int, body: bytes) -> None:
    with answering(status, body) as port:
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
