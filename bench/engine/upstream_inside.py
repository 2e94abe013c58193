"""A script of others on our workload: runs as a whole inside one throw-away sandbox.

Reads {"command": [words], "parallel": n, "replies": {query: [texts]}} from stdin; the task list and
the inputs lie in /opt/pybench/inputs, the script in /opt/pybench/upstream. Prints {"returncode",
"wall_s", "asked", "said", "endpoint_cpu_s"} on stdout: how many replies it asked for, the end of
what it wrote to stderr, and what this process, which is the endpoint, took meanwhile.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

WORK = Path("/work")
INPUTS = Path("/opt/pybench/inputs")
CODE = "/opt/pybench/upstream"
TAIL_BYTES = 2_000


class Replaying(ThreadingHTTPServer):
    """An endpoint that gives, without delay, the reply after so many replies to a query."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, replies: dict[str, list[str]]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies = replies
        self.asked = 0
        self.lock = threading.Lock()

    def reply(self, messages: list[dict[str, Any]]) -> str | None:
        """None for a query that is not known."""
        said = sum(message["role"] == "assistant" for message in messages)
        texts = (str(m["content"]).strip() for m in messages if m["role"] == "user")
        known = next((self.replies[text] for text in texts if text in self.replies), None)
        if known is None:
            return None
        with self.lock:
            self.asked += 1
        return known[said] if said < len(known) else "Done."


class Handler(BaseHTTPRequestHandler):
    """Answers chat requests with the replies that are being replayed."""

    protocol_version = "HTTP/1.1"
    server: Replaying
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = self.server.reply(request["messages"])
        if text is None:
            return self.send(400, {"error": {"message": "no conversation has this query"}})
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": "stop",
        }
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        head = {"id": "x", "object": "chat.completion", "created": 0, "model": "recorded"}
        return self.send(200, {**head, "choices": [choice], "usage": usage})

    def send(self, status: int, body: dict[str, Any]) -> None:
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)


def run(order: dict[str, Any], server: Replaying) -> dict[str, Any]:
    """Run the command once in the working folder, and time it."""
    shutil.copytree(INPUTS / "data", WORK / "data")
    (WORK / "output").mkdir()
    told = {
        "base_url": f"http://127.0.0.1:{server.server_port}/v1",
        "tasks": str(INPUTS / "tasks.json"),
        "parallel": str(order["parallel"]),
        "code": CODE,
    }
    words = [filled(word, told) for word in order["command"]]
    with Path("/tmp/said").open("w+b") as said:
        started, cpu_s = time.monotonic(), time.process_time()
        done = subprocess.run(
            words, cwd=WORK, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said
        )
        wall_s, endpoint_cpu_s = time.monotonic() - started, time.process_time() - cpu_s
        said.seek(max(0, said.tell() - TAIL_BYTES))
        tail = said.read().decode("utf-8", "replace")
    return {
        "returncode": done.returncode,
        "wall_s": wall_s,
        "asked": server.asked,
        "said": tail,
        "endpoint_cpu_s": endpoint_cpu_s,
    }


def filled(word: str, told: dict[str, str]) -> str:
    """The word with {base_url}, {tasks}, {parallel} and {code} put in."""
    for name, value in told.items():
        word = word.replace("{" + name + "}", value)
    return word


def main() -> None:
    order = json.load(sys.stdin)
    report = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    server = Replaying(order["replies"])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    json.dump(run(order, server), report)
    report.flush()


if __name__ == "__main__":
    main()
