"""A real HTTP server on loopback that answers as programmed, request by request."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from conftest import served

Answer = Callable[["Handler"], None]


class MisbehavingServer(ThreadingHTTPServer):
    """Gives its answers in order, then the last one for ever; remembers every request."""

    daemon_threads = True

    def __init__(self, answers: Sequence[Answer], port: int, idle_s: float | None) -> None:
        self.answers = list(answers)
        self.idle_s = idle_s
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.connections: set[Any] = set()
        self.asked = threading.Event()
        self.let_go = threading.Event()
        self.lock = threading.Lock()
        super().__init__(("127.0.0.1", port), Handler)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def next_answer(self, handler: Handler, body: dict[str, Any]) -> Answer:
        self.asked.set()
        with self.lock:
            self.bodies.append(body)
            self.headers.append({k.lower(): v for k, v in handler.headers.items()})
            self.connections.add(handler.client_address)
            return self.answers[min(len(self.bodies), len(self.answers)) - 1]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: MisbehavingServer
    disable_nagle_algorithm = True
    body: dict[str, Any]

    def setup(self) -> None:
        super().setup()
        self.connection.settimeout(self.server.idle_s)

    def handle(self) -> None:
        with suppress(OSError):  # the client was killed
            super().handle()

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""

    def do_POST(self) -> None:
        self.body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = self.server.next_answer(self, self.body)
        try:
            answer(self)
        except OSError:
            self.close_connection = True

    def send(self, status: int, kind: str, raw: bytes, headers: Mapping[str, str] = {}) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def send_chunk(self, raw: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))
        self.wfile.flush()


@contextmanager
def misbehaving(
    *answers: Answer, port: int = 0, idle_s: float | None = 30
) -> Iterator[MisbehavingServer]:
    """The server; `port` 0 is any, and a connection is closed that idles for longer."""
    with served(MisbehavingServer(answers, port, idle_s)) as server:
        try:
            yield server
        finally:
            server.let_go.set()


def status(code: int, message: str = "", headers: Mapping[str, str] | None = None) -> Answer:
    """An OpenAI-shaped error."""
    raw = json.dumps({"error": {"message": message, "type": "error", "code": None}}).encode()
    return lambda h: h.send(code, "application/json", raw, headers or {})


def raw(code: int, kind: str, body: bytes, headers: Mapping[str, str] | None = None) -> Answer:
    return lambda h: h.send(code, kind, body, headers or {})


def octets(data: bytes) -> Answer:
    """These bytes and nothing else: HTTP or not."""

    def answer(handler: Handler) -> None:
        handler.wfile.write(data)
        handler.wfile.flush()
        handler.close_connection = True

    return answer


def completion(message: Mapping[str, Any] | str, finish: str = "stop", **more: Any) -> Answer:
    """A whole completion, not streamed."""
    if isinstance(message, str):
        message = {"role": "assistant", "content": message}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    body = {"object": "chat.completion", "choices": [choice], **more}
    return raw(200, "application/json", json.dumps(body).encode())


def chunk(delta: Mapping[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def stream(*pieces: bytes, ends: bool = True) -> Answer:
    """A stream of these pieces; `ends=False` closes the connection in the middle of it."""

    def answer(handler: Handler) -> None:
        handler.begin_stream()
        for piece in pieces:
            handler.send_chunk(piece)
        if ends:
            handler.send_chunk(b"")
        else:
            handler.close_connection = True

    return answer


def said(text: str) -> Answer:
    """A proper streamed reply, with usage as its last chunk."""
    usage = {"usage": {"prompt_tokens": 7, "completion_tokens": 3}, "choices": []}
    return stream(
        chunk({"role": "assistant", "content": ""}),
        *(chunk({"content": part}) for part in (text[:5], text[5:])),
        chunk({}, "stop"),
        b"data: " + json.dumps(usage).encode() + b"\n\n",
        DONE,
    )


def slowly(pause_s: float, answer: Answer) -> Answer:
    """`answer` after a pause."""

    def play(handler: Handler) -> None:
        handler.server.let_go.wait(pause_s)
        answer(handler)

    return play


def hang_up(handler: Handler) -> None:
    """No answer at all."""
    handler.close_connection = True


def silence(handler: Handler) -> None:
    """An answer that does not come until the test is over."""
    handler.server.let_go.wait(30)
    handler.close_connection = True


def endless(handler: Handler) -> None:
    """A stream that goes on until the reader leaves."""
    handler.begin_stream()
    piece = chunk({"content": "x" * 60_000})
    until = time.monotonic() + 20
    while time.monotonic() < until and not handler.server.let_go.is_set():
        handler.send_chunk(piece)


def dripping(handler: Handler) -> None:
    """A stream that never stops saying a little."""
    handler.begin_stream()
    while not handler.server.let_go.wait(0.05):
        handler.send_chunk(chunk({"content": "."}))
