"""Our Inspect logs in Inspect's own hands: its reader, and its viewer in a browser."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from conftest import free_port
from leaderboard.tests.support.page_tools import find_peer
from leaderboard.tests.support.trajectories import told_to_inspect
from leaderboard.trajectories.formats.inspect_log import inspect_log

DEADLINE_S = 300.0
READ = """
import json, sys
from inspect_ai.log import read_eval_log, read_eval_log_sample
log = read_eval_log(sys.argv[1])
sample = log.samples[0]
print(json.dumps({
    "status": log.status, "model": log.eval.model, "id": sample.id,
    "messages": [[m.role, m.text] for m in sample.messages],
    "calls": [c.arguments for m in sample.messages for c in getattr(m, "tool_calls", None) or ()],
    "scores": {name: score.value for name, score in sample.scores.items()},
    "events": [e.event for e in sample.events],
    "tokens": log.stats.model_usage["Foo-70B"].input_tokens,
}))
"""

pytestmark = pytest.mark.peers


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log among nothing else, as a person would download it."""
    (tmp_path / "logs").mkdir()
    path = tmp_path / "logs" / "2026-11-23T10-00-00+00-00_starter_sales.json"
    path.write_text(inspect_log(told_to_inspect()), "utf-8")
    return path


def test_inspects_own_reader_finds_everything(log: Path) -> None:
    command = [str(find_peer("inspect-ai", "python")), "-c", READ, str(log)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=DEADLINE_S, check=False, env=quiet(log)
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    told = told_to_inspect()
    sent = [[m["role"], m["content"]] for m in told.messages()]
    assert [text for _, text in found["messages"]] == [text for _, text in sent]
    assert (found["status"], found["model"], found["id"]) == ("success", "Foo-70B", told.task)
    assert found["calls"] == [{"code": "print(1)"}]
    assert found["scores"] == {"strict": "C"}
    assert found["events"].count("model") == len(told.steps)
    assert found["tokens"] == 60


def quiet(log: Path) -> dict[str, str]:
    """An environment in which nothing is asked for elsewhere, with a home of its own."""
    return {**os.environ, "HOME": str(log.parents[1]), "XDG_DATA_HOME": str(log.parents[1])}


@contextmanager
def viewer(log: Path) -> Iterator[str]:
    port = free_port()
    words = ["view", "--log-dir", str(log.parent), "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(
        [find_peer("inspect-ai", "inspect"), *words],
        env=quiet(log),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    address = f"http://127.0.0.1:{port}/"
    try:
        until_s = time.monotonic() + DEADLINE_S
        while not answers(address):
            assert process.poll() is None
            assert time.monotonic() < until_s
            time.sleep(0.3)
        yield address
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(DEADLINE_S)


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as response:
            return int(response.status) == 200
    except (urllib.error.URLError, OSError):
        return False


def test_a_real_inspect_view_shows_the_log(log: Path, page: Page) -> None:
    with viewer(log) as address:
        page.goto(f"{address}#/logs/{log.name}/samples/sample/sales-by-region/1/messages")
        expect(page.get_by_text("North has 30.").first).to_be_visible(timeout=DEADLINE_S * 1000)
        expect(page.get_by_text("Sum ", exact=False).first).to_be_visible()
