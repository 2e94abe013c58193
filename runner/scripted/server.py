"""A real HTTP server that speaks the OpenAI protocol for the scripted models."""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from runner.contract import ProblemError
from runner.scripted.judges import JUDGES
from runner.scripted.replies import (
    PLAYERS,
    Catalogue,
    Message,
    Recorded,
    ScriptedConversation,
    ScriptedReply,
    text_of,
)
from runner.suite import reader
from runner.suite.reader import Suite

MAX_REQUEST_BYTES = 32 << 20
CHUNK_CHARS = 40
READ_AGAIN_S = 2.0  # at the soonest, when a query is unknown
TOKEN = re.compile(r"\w+|[^\w\s]")
MARKER = "<|execute_start|>"


class ScriptedRefusal(Exception):
    """A request that gets an OpenAI-shaped error."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


def count_tokens(text: str) -> int:
    """Words and signs: the scripted models' own measure, comparable among themselves only."""
    return len(TOKEN.findall(text))


class LiveCatalogue:
    """The suites as they are now: read again when a query is not known, though not every time.

    `load` reads them; a suite may be installed, and its material imported, while this is in use.
    """

    def __init__(
        self, load: Callable[[], Iterable[Suite]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.load = load
        self.clock = clock
        self.lock = threading.Lock()
        self.read()

    def read(self) -> None:
        self.read_at_s = self.clock()
        self.known = Catalogue(self.load())

    def recognise(self, messages: Sequence[Message]) -> ScriptedConversation | None:
        """As Catalogue does it."""
        found = self.known.recognise(messages)
        if found is None:
            with self.lock:
                if self.clock() - self.read_at_s > READ_AGAIN_S:
                    with contextlib.suppress(ProblemError):  # one that is being changed
                        self.read()
            found = self.known.recognise(messages)
        return found


class ScriptedServer(ThreadingHTTPServer):
    """Serves `/v1/models` and `/v1/chat/completions` on a loopback port."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(
        self,
        port: int = 0,
        *,
        catalogue: Catalogue | LiveCatalogue | None = None,
        recorded: Recorded | None = None,
        latency_s: float = 0.0,
    ) -> None:
        self.catalogue = catalogue or Catalogue([])
        self.recorded = recorded
        self.latency_s = latency_s
        super().__init__(("127.0.0.1", port), Handler)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def models(self) -> list[str]:
        return [*PLAYERS, *(["recorded"] if self.recorded else [])]

    def reply(self, model: str, messages: Sequence[Message]) -> ScriptedReply:
        """Next reply of `model`. Raises Refusal for an unknown model or query."""
        if judge := JUDGES.get(model):
            return ScriptedReply(judge(messages))
        if model not in self.models:
            known = ", ".join(self.models)
            raise ScriptedRefusal(
                404, "model_not_found", f"No model “{model}” here. Models: {known}."
            )
        if self.recorded and model == "recorded":
            answer = self.recorded.reply(messages)
            if answer is None:
                raise ScriptedRefusal(
                    400, "unknown_query", "No recorded conversation has this query."
                )
            return answer
        talk = self.catalogue.recognise(messages)
        if talk is None:
            raise ScriptedRefusal(
                400, "unknown_query", "Scripted models only know the suites' queries."
            )
        return PLAYERS[model](talk)


class Handler(BaseHTTPRequestHandler):
    """One connection; kept open between requests."""

    protocol_version = "HTTP/1.1"
    server: ScriptedServer
    timeout = 120
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the site's log is for the site."""

    def do_GET(self) -> None:
        if self.path.rstrip("/") != "/v1/models":
            return self.send_json(404, error_body("not_found", f"No such path: {self.path}"))
        rows = [
            {"id": model, "object": "model", "created": 0, "owned_by": "scripted baseline"}
            for model in self.server.models
        ]
        return self.send_json(200, {"object": "list", "data": rows})

    def do_POST(self) -> None:
        try:
            self.complete()
        except ScriptedRefusal as refusal:
            self.send_json(refusal.status, error_body(refusal.code, refusal.message))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def complete(self) -> None:
        request = self.read_request()
        messages = request["messages"]
        reply = self.server.reply(str(request.get("model", "")), messages)
        if self.server.latency_s:
            time.sleep(self.server.latency_s)
        message = as_message(reply, action_format(request), str(len(messages)))
        usage = {
            "prompt_tokens": sum(count_tokens(text_of(m)) for m in messages),
            "completion_tokens": count_tokens(reply.text) + count_tokens(reply.code or ""),
        }
        usage["total_tokens"] = sum(usage.values())
        if request.get("stream"):
            wants_usage = (request.get("stream_options") or {}).get("include_usage")
            self.send_stream(stream_events(request, message, usage if wants_usage else None))
        else:
            self.send_json(200, whole_body(request, message, usage))

    def read_request(self) -> dict[str, Any]:
        """The chat request. Raises Refusal when it is none."""
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > MAX_REQUEST_BYTES:
            self.close_connection = True
            raise ScriptedRefusal(413, "request_too_large", "Send a JSON body of at most 32 MiB.")
        raw = self.rfile.read(int(length))
        if self.path.rstrip("/") != "/v1/chat/completions":
            raise ScriptedRefusal(404, "not_found", f"No such path: {self.path}")
        try:
            request = json.loads(raw)
        except ValueError as error:
            raise ScriptedRefusal(400, "invalid_json", f"The body is not JSON: {error}.") from error
        messages = request.get("messages") if isinstance(request, dict) else None
        if not isinstance(messages, list) or not all(isinstance(m, dict) for m in messages):
            raise ScriptedRefusal(400, "invalid_request", "`messages` must be a list of messages.")
        return dict(request)

    def send_json(self, status: int, body: Mapping[str, Any]) -> None:
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def send_stream(self, events: Iterator[Mapping[str, Any]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events:
            self.send_chunk(f"data: {json.dumps(event)}\n\n".encode())
        self.send_chunk(b"data: [DONE]\n\n")
        self.send_chunk(b"")

    def send_chunk(self, raw: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))


def error_body(code: str, message: str) -> dict[str, Any]:
    kind = "invalid_request_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def action_format(request: Mapping[str, Any]) -> str:
    """Format in which this client wants code: it offers tools, or its instructions show the
    markers."""
    if request.get("tools"):
        return "tools"
    system = "\n".join(text_of(m) for m in request["messages"] if m.get("role") == "system")
    return "markers" if MARKER in system else "fenced"


def as_message(reply: ScriptedReply, form: str, call_id: str) -> dict[str, Any]:
    """The assistant message that carries the reply in the asked-for action format."""
    if reply.code is None:
        return {"role": "assistant", "content": reply.text}
    if form == "tools":
        arguments = json.dumps({"code": reply.code})
        function = {"name": "execute_python", "arguments": arguments}
        call = {"id": f"call_{call_id}", "type": "function", "function": function}
        return {"role": "assistant", "content": reply.text, "tool_calls": [call]}
    if form == "markers":
        block = f"<|execute_start|>\n{reply.code}\n<|execute_end|>"
    else:
        block = f"```python\n{reply.code}\n```"
    return {"role": "assistant", "content": f"{reply.text}\n\n{block}"}


def finish_reason(message: Mapping[str, Any]) -> str:
    return "tool_calls" if message.get("tool_calls") else "stop"


def whole_body(
    request: Mapping[str, Any], message: Mapping[str, Any], usage: Mapping[str, int]
) -> dict[str, Any]:
    choice = {"index": 0, "message": message, "finish_reason": finish_reason(message)}
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": request.get("model"),
        "choices": [choice],
        "usage": usage,
    }


def stream_events(
    request: Mapping[str, Any], message: Mapping[str, Any], usage: Mapping[str, int] | None
) -> Iterator[dict[str, Any]]:
    head = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": request.get("model"),
    }

    def chunk(delta: Mapping[str, Any], reason: str | None = None) -> dict[str, Any]:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}

    yield chunk({"role": "assistant", "content": ""})
    content = message["content"]
    for start in range(0, len(content), CHUNK_CHARS):
        yield chunk({"content": content[start : start + CHUNK_CHARS]})
    for index, call in enumerate(message.get("tool_calls", ())):
        yield chunk({"tool_calls": [{"index": index, **call}]})
    yield chunk({}, finish_reason(message))
    if usage is not None:
        yield {**head, "choices": [], "usage": usage}


def read_recorded(path: Path) -> Recorded:
    """The recorded conversations in a PyBench jsonl file."""
    with path.open(encoding="utf-8") as lines:
        return Recorded([json.loads(line) for line in lines if line.strip()])


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m runner.scripted.server", description=__doc__)
    parser.add_argument("--port", type=int, default=8001)
    parser.add_argument("--latency", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--recorded", type=Path, metavar="FILE.jsonl")
    options = parser.parse_args(argv)
    server = ScriptedServer(
        options.port,
        catalogue=LiveCatalogue(reader.load_available),
        recorded=read_recorded(options.recorded) if options.recorded else None,
        latency_s=options.latency,
    )
    for sign in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sign, lambda *_: threading.Thread(target=server.shutdown).start())
    print(f"scripted endpoints: {server.base_url} ({', '.join(server.models)})", flush=True)
    server.serve_forever()
    server.server_close()


if __name__ == "__main__":
    main()
