"""An endpoint on loopback that writes one line per turn, takes its time, and counts its calls."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CELLS = 2  # turns with code, before the final answer
LONGEST_WAIT_S = 150.0


@dataclass
class Behaviour:
    """How the endpoint behaves from now on, and whom it was asked by."""

    delay_s: float = 0.0
    status: int = 200
    epilogue: str = ""  # what each cell does besides
    calls: list[str] = field(default_factory=list)  # the bearer of each
    is_ending: threading.Event = field(default_factory=threading.Event)
    hold_after: int | None = None  # calls; later ones wait for `may_go_on`
    may_go_on: threading.Event = field(default_factory=threading.Event)


def reply_to(messages: list[dict[str, Any]], epilogue: str = "") -> str:
    """Append a line to the output in each of the first turns, then say that it is done."""
    turn = sum(message["role"] == "assistant" for message in messages)
    if turn >= CELLS:
        return "The lines are in ./output/lines.txt."
    code = f"open('output/lines.txt', 'a').write('line {turn + 1}\\n')\n{epilogue}"
    return f"Line {turn + 1} is next.\n```python\n{code}\n```"


def completion(body: dict[str, Any], epilogue: str = "") -> dict[str, Any]:
    message = {"role": "assistant", "content": reply_to(body["messages"], epilogue)}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


@contextlib.contextmanager
def slow_endpoint(port: int = 0) -> Iterator[tuple[str, Behaviour]]:
    """The base URL, and the behaviour to be changed while it serves; `port` 0 is any."""
    behaviour = Behaviour()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            if behaviour.is_ending.is_set():  # gone for those too that are connected already
                self.close_connection = True
                return
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            behaviour.calls.append(self.headers.get("authorization", "").removeprefix("Bearer "))
            behaviour.is_ending.wait(behaviour.delay_s)
            if behaviour.hold_after is not None and len(behaviour.calls) > behaviour.hold_after:
                behaviour.may_go_on.wait(LONGEST_WAIT_S)
            is_fine = behaviour.status == 200
            answer = (
                completion(body, behaviour.epilogue) if is_fine else {"error": {"message": "no"}}
            )
            self.answer(behaviour.status, json.dumps(answer).encode())

        def answer(self, status: int, content: bytes) -> None:
            with contextlib.suppress(OSError):  # the client was killed
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

        def handle(self) -> None:
            with contextlib.suppress(OSError):
                super().handle()

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", behaviour
    finally:
        behaviour.is_ending.set()
        behaviour.may_go_on.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
