"""The benches of the runner: servers, peers' scripts and the meter, on tiny orders."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from itertools import product
from pathlib import Path

import pytest

from bench.engine.pipeline import measure_pipeline, serving
from bench.engine.recorded import Trajectory
from bench.engine.throwaway_sandbox import run_inside
from bench.engine.upstream import COMMAND, measure_upstream
from bench.measuring.postgres import postgres
from bench.measuring.process_tree import TreeMeter
from bench.queue.part import KINDS
from bench.queue.part import measure as measure_queue


def ask(base_url: str, said: int) -> str:
    """The reply after so many replies."""
    messages = [{"role": "user", "content": "?"}, *[{"role": "assistant", "content": "x"}] * said]
    body = json.dumps({"model": "m", "messages": messages}).encode()
    with urllib.request.urlopen(f"{base_url}/chat/completions", body, timeout=30) as response:
        return str(json.load(response)["choices"][0]["message"]["content"])


def test_the_slow_server_gives_cells_and_then_the_answer() -> None:
    with serving("bench.engine.slow_server", "0", "3", "cells") as base_url:
        replies = [ask(base_url, said) for said in range(3)]
    assert replies == ["```python\nprint(0)\n```", "```python\nprint(1)\n```", "Done."]


def test_the_slow_server_can_do_without_code() -> None:
    with serving("bench.engine.slow_server", "0", "2", "words") as base_url:
        assert [ask(base_url, said) for said in range(2)] == ["", "Done."]


def test_the_meter_counts_children_and_not_itself() -> None:
    burn = "import time\nwhile time.process_time() < 0.5: pass"
    with TreeMeter() as meter:
        subprocess.run([sys.executable, "-c", burn], check=True, timeout=120)
    seen_s = sum(cpu_s - meter.before.get(key, 0.0) for key, cpu_s in meter.seen.items())
    assert meter.looking_s > 0
    assert meter.cpu_s == pytest.approx(seen_s - meter.looking_s)
    assert len(meter.seen) > 1


@pytest.mark.sandbox
def test_the_harness_workload_plays_its_cells() -> None:
    tasks = [Trajectory(str(n), "Count.", (), ("print(0)", "print(1)"), {}) for n in range(2)]
    figures = measure_pipeline(
        tasks, lambda: serving("bench.engine.slow_server", "0", "3", "cells"), 2
    )
    assert (figures.attempts, figures.cells) == (2, 4)
    assert figures.cpu_s > 0
    assert figures.cell_s > 0


@pytest.mark.sandbox
def test_plain_kernels_are_timed() -> None:
    told = run_inside("plain_start.py", {"rounds": 1, "first": "1", "trivial": "1", "times": 3})
    assert len(told["first_ms"]) == len(told["trivial_ms"]) == 1
    assert told["first_ms"][0] > told["trivial_ms"][0] > 0


STAND_IN = """
import argparse, json, pathlib, urllib.request
parser = argparse.ArgumentParser()
for name in ("--base-url", "--tasks", "--parallel"):
    parser.add_argument(name)
given = parser.parse_args()
assert given.parallel == "3"
for task in json.load(open(given.tasks)):
    for path in task["file_paths"]:
        pathlib.Path("output", task["index"]).write_text(open(path).read())
    messages, text = [{"role": "user", "content": task["user"]}], ""
    while "Bye" not in text and len(messages) < LIMIT:
        body = json.dumps({"model": "m", "messages": messages}).encode()
        with urllib.request.urlopen(given.base_url + "/chat/completions", body) as response:
            text = json.load(response)["choices"][0]["message"]["content"]
        messages.append({"role": "assistant", "content": text})
assert sorted(path.name for path in pathlib.Path("output").iterdir()) == ["1", "2"]
"""


@pytest.fixture
def conversations(tmp_path: Path) -> list[Trajectory]:
    """Two of two replies each, over one input."""
    given = tmp_path / "a.txt"
    given.write_text("5")
    said = ("```python\n1\n```", "Bye")
    row = {"messages": [{"role": "assistant", "content": text} for text in said]}
    return [Trajectory(n, f"What is {n}?", (given,), ("1",), row) for n in "12"]


@pytest.mark.sandbox
def test_a_script_of_others_plays_the_workload(
    conversations: list[Trajectory], tmp_path: Path
) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "main.py").write_text(STAND_IN.replace("LIMIT", "9"))
    figures = measure_upstream(conversations, code, COMMAND, 3)
    assert (figures.attempts, figures.cells) == (2, 2)
    assert figures.wall_s > 0
    assert figures.cpu_s > 0


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("source", "says"),
    [
        (STAND_IN.replace("LIMIT", "2"), "asked for 2 of 4 replies only"),
        ("raise OSError('no such thing')", r"(?s)no such thing.*ended with 1"),
    ],
)
def test_a_script_that_did_not_do_the_work_is_not_timed(
    source: str, says: str, conversations: list[Trajectory], tmp_path: Path
) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "main.py").write_text(source)
    with pytest.raises(SystemExit, match=says):
        measure_upstream(conversations, code, COMMAND, 3)


@pytest.mark.sandbox
@pytest.mark.services
@pytest.mark.peers
@pytest.mark.parametrize(
    ("kind", "is_streamed"),
    [
        pytest.param(*row, marks=pytest.mark.one_of("benches of the queue", str(row)))
        for row in product(KINDS, (False, True))
    ],
)
def test_attempts_through_the_queue_are_all_played_and_counted(
    kind: str, is_streamed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.queue.part.PER_TASK", 1)
    with postgres() as server:
        figures = measure_queue(kind, is_streamed, server, "bench")
    assert figures.worker_ms > 0
    has_server = kind == "PostgreSQL"
    assert (figures.commits is not None) == (figures.database_ms is not None) == has_server
    assert (figures.commits or 6) >= 6


@pytest.mark.parametrize("how", [(), ("streamed",)])
def test_the_slow_server_gives_cells_that_write(how: tuple[str, ...]) -> None:
    with serving("bench.engine.slow_server", "0", "2", "lines", *how) as base_url:
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "?"}]})
        with urllib.request.urlopen(
            f"{base_url}/chat/completions", body.encode(), timeout=30
        ) as response:
            said = response.read().decode()
    assert ("chat.completion.chunk" in said) == bool(how)
    assert said.count("data: ") == (0 if not how else said.count("\n\n"))
