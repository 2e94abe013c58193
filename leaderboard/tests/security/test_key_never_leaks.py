"""A key is write-only: hunted through every place where it could come out again."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from conftest import served, wait_until
from leaderboard.models import unpack
from leaderboard.tests.support.site import Site, make_site

pytestmark = [pytest.mark.services, pytest.mark.sandbox]

CANARY = "sk-canary-7f3a9d51c2e84b60"
HEADER = "header-canary-55c1d90e7b"  # the value of an extra header
CODE = "```python\nopen('output/lines.txt', 'w').write('line 1\\nline 2\\n')\n```"

# What an endpoint that betrays its callers does with the key it was sent, request by request.
FAILURES = ("401", "403", "404", "429", "500", "html", "not json", "redirect", "cut", "json error")


class Betrayer(BaseHTTPRequestHandler):
    """Quotes the key wherever an answer has room for it; the model's name says which way."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        key = f"{self.headers.get('Authorization')} {self.headers.get('X-Canary')}"
        self.send(404, "application/json", json.dumps({"error": {"message": key}}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = self.headers["Authorization"].removeprefix("Bearer ")
        key = f"{key} {self.headers['X-Canary']}"
        way = body["model"]
        if way == "works":
            return self.reply(body, key)
        if way == "html":
            return self.send(200, "text/html", f"<h1>{key}</h1>")
        if way == "not json":
            return self.send(200, "application/json", f"key {key}")
        if way == "redirect":
            return self.send(302, "text/plain", key, {"Location": f"https://elsewhere/{key}"})
        if way == "cut":
            self.close_connection = True
            return self.send(200, "application/json", key, {"Content-Length": "9999"})
        code = 400 if way == "json error" else key
        detail = {"message": f"bad key {key}", "code": code, "type": key}
        error = json.dumps({"error": detail, "key": key})
        later = {"Retry-After": "3600"}  # or each try would take half a minute
        return self.send(200 if way == "json error" else int(way), "application/json", error, later)

    def reply(self, body: dict[str, Any], key: str) -> None:
        """A model that repeats the key in its reasoning, its code and its answer."""
        turn = sum(message["role"] == "assistant" for message in body["messages"])
        text = f"Key {key}. {CODE}\n" if turn == 0 else f"Done with {key}."
        message = {"role": "assistant", "content": text, "reasoning_content": f"It is {key}."}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        answer = {"id": key, "object": "chat.completion", "created": 0, "model": key}
        self.send(
            200, "application/json", json.dumps({**answer, "choices": [choice], "usage": usage})
        )

    def send(self, status: int, kind: str, text: str, headers: Mapping[str, str] = {}) -> None:
        raw = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in {"Content-Length": str(len(raw)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)


@contextmanager
def betraying() -> Iterator[str]:
    with served(ThreadingHTTPServer(("127.0.0.1", 0), Betrayer)) as server:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"


@pytest.fixture
def site(redis_url: str) -> Iterator[Site]:
    folder = Path(tempfile.mkdtemp(prefix="pb-canary-"))
    try:
        made = make_site(folder, "", redis_url, tasks=1)
        yield Site(folder, {**made.environment, "PYBENCH_BACKOFF_S": "0.1"})
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_a_key_comes_out_nowhere(site: Site) -> None:
    with betraying() as base_url:
        said = site.manage("shell", "-c", submit_all(base_url))
        queues = ("attempts", "jobs")
        messages = repr([site.broker().lrange(queue, 0, -1) for queue in queues])
        with site.worker(), site.sweeper():
            wait_until(lambda: not open_work(site), "every run and preflight is over", 300)
        pages = site.manage("shell", "-c", BROWSING)
    assert site.one("SELECT count(*) FROM leaderboard_run WHERE status = 'done'") == 11
    assert site.one("SELECT count(*) FROM leaderboard_attempt WHERE passed = 1") == 1
    assert site.one("SELECT count(*) FROM leaderboard_draft WHERE report != '{}'") == 11
    looked_at = int(re.findall(r"pages looked at: (\d+)", pages)[-1])
    assert looked_at > 60
    for secret in (CANARY, HEADER):
        assert secret not in said + pages + site.log()
        assert secret not in messages
        assert secret not in dump(site)
    assert "runner.preflight" in messages
    kept = [path for path in site.folder.rglob("*") if path.is_file()]
    secrets = (CANARY.encode(), HEADER.encode())
    assert [path for path in kept if any(s in path.read_bytes() for s in secrets)] == []


def open_work(site: Site) -> int:
    runs = site.one("SELECT count(*) FROM leaderboard_run WHERE finished_at IS NULL")
    asked = "report = '{}' AND asked_at IS NOT NULL"  # the others hold the keys of refused forms
    return int(runs) + int(site.one(f"SELECT count(*) FROM leaderboard_draft WHERE {asked}"))


def submit_all(base_url: str) -> str:
    """Code that submits one endpoint per way to fail, and one that works, as the form does."""
    ways = [*FAILURES, "works"]
    return f"""
from django.contrib.auth.models import User
from django.test import Client
from leaderboard.queue.messages import send_preflight_draft
from leaderboard.submissions.forms import submission_of
from leaderboard.models import Draft, Suite
from leaderboard.submissions.submit import submit
from django.conf import settings
from django.utils import timezone
settings.SUBMISSIONS_PER_DAY = 100
owner = User.objects.create_user("ada", "ada@example.org")
client = Client(); client.force_login(owner)
for way in {ways!r}:
    form = {{"base_url": {base_url!r}, "model": way, "api_key": {CANARY!r}, "name": way,
            "extra_headers": "X-Canary: {HEADER}", "action_format": "fenced",
            "suite": Suite.objects.get().pk, "attempts_per_task": 1,
            "concurrency": 1, "weights": "unknown", "visibility": "private"}}
    wrong = client.post("/submit/", {{**form, "concurrency": "x"}})
    assert wrong.status_code == 422
    print(wrong.content.decode())
    kept = Draft.objects.latest("pk")  # holds the refused form's key
    assert bytes(kept.encrypted_key)
    answer = client.post(f"/submit/?draft={{kept.pk}}", form)
    assert answer.status_code == 302, answer.content
    draft = Draft.objects.latest("pk")
    if not draft.asked_at:  # one account has one check at a time; here all are asked for at once
        Draft.objects.filter(pk=draft.pk).update(asked_at=timezone.now())
        send_preflight_draft(draft.pk)
    submit(owner, submission_of(draft.facts, {CANARY!r}, None, {{"X-Canary": {HEADER!r}}}),
           draft.report)
"""


BROWSING = """
import re
from django.contrib.auth.models import User
from django.test import Client
from leaderboard.models import Attempt, Draft, Run
owner, root = User.objects.get(username="ada"), User.objects.create_superuser("root", "", "")
start = ["/", "/submissions/", "/submit/", "/account/", "/admin/leaderboard/endpoint/"]
start += [r.get_absolute_url() for r in Run.objects.all()]
start += [f"/runs/{r.pk}/progress/" for r in Run.objects.all()]
start += [f"/api/v1/runs/{r.pk}/" for r in Run.objects.all()]
start += [a.get_absolute_url() for a in Attempt.objects.all()]
start += [d.get_absolute_url() for d in Draft.objects.all()]
start += [f"/submit/?draft={d.pk}" for d in Draft.objects.all()]
start += [f"/admin/leaderboard/endpoint/{n}/change/" for n in range(1, 15)]
seen = set()
for user in (owner, root):
    client = Client(); client.force_login(user)
    waiting = list(start)
    while waiting and len(seen) < 1500:
        path = waiting.pop()
        if (user.pk, path) in seen or "logout" in path:
            continue
        seen.add((user.pk, path))
        answer = client.get(path)
        assert answer.status_code < 500, (path, answer.status_code)
        raw = b"".join(answer.streaming_content) if answer.streaming else answer.content
        text = raw.decode("utf-8", "replace")
        print(text)
        links = re.findall(r'(?:href|src|data-live)="(/[^"#]*)', text)
        if not path.startswith("/admin/"):
            ours = [link for link in links if not link.startswith(("/static/", "/admin/"))]
            waiting += [link.replace("&amp;", "&") for link in ours]
print("pages looked at:", len(seen))
"""


def dump(site: Site) -> str:
    """The whole database as SQL, blobs opened where they are compressed."""
    path = site.folder / "site.sqlite3"
    connection = sqlite3.connect(path, timeout=20)
    try:
        words = list(connection.iterdump())
        for table, column in (("step", "body"), ("attempt", "opening"), ("attempt", "closing"),
                              ("verdict", "body")):  # fmt: skip
            for (body,) in connection.execute(f"SELECT {column} FROM leaderboard_{table}"):
                words.append(json.dumps(unpack(body)))
    finally:
        connection.close()
    return "\n".join(words)
