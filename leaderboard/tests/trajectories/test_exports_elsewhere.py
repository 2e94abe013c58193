"""Exports for other tools: by their words, read back, and run again with their inputs."""

from __future__ import annotations

import io
import json
import subprocess
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from leaderboard.tests.trajectories.test_export import CALL, PLAYED, answered, ran, trajectory
from leaderboard.trajectories.formats.inspect_log import inspect_log
from leaderboard.trajectories.formats.otel_spans import otel_spans
from leaderboard.trajectories.formats.runnable_notebook import write_archive
from leaderboard.trajectories.formats.session_trace import session_trace
from leaderboard.trajectories.formats.trajectory import Trajectory
from leaderboard.trajectories.readers.any_format import read_any
from runner.sandbox.host.kernel_env import find_kernel_environment
from runner.suite.canary import CANARY

FACTS = {
    "run": 7, "attempt": 1, "entry": "Foo-70B", "suite": "starter", "suite_version": "1",
    "outcome": "finished", "passed": True, "wall_s": 9.0,
    "usage": {"prompt_tokens": 60, "completion_tokens": 30, "cached_tokens": None},
    "verdict": {"sentence": "All right.", "assertions": [{"name": "a", "passed": True}]},
}  # fmt: skip
WRITERS = {"inspect": inspect_log, "session": session_trace, "otel": otel_spans}
CALLED = ran(
    1,
    "print(1)",
    "1\n",
    reply="Look.",
    messages=(
        {"role": "assistant", "content": "Look.", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": "1\n"},
    ),
)


@pytest.mark.parametrize("name", ["inspect", "session"])
@pytest.mark.parametrize("steps", [PLAYED, (CALLED, answered(2, "One."))], ids=["text", "calls"])
def test_what_goes_out_comes_in_again_but_for_outputs(name: str, steps: Any) -> None:
    told = trajectory(*steps, facts=FACTS, answer=steps[-1].reply)
    reading = read_any(WRITERS[name](told).encode())
    assert reading.errors == ()
    [row] = reading.rows
    assert (row.index, row.query, row.inputs) == (told.task, told.query, tuple(told.inputs))
    assert (row.answer, row.outcome, row.model) == (told.answer, "finished", "Foo-70B")
    for was, step in zip(told.steps, row.steps, strict=True):
        now = asdict(step)
        for field in ("code", "reply", "observation", "status", "model_s", "cell_s", "usage"):
            assert now[field] == was[field], (field, was["index"])


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize(
    "text", ["\x00\x1b[31m", "\ud800", "</script>", "é" * 100_000, "", "{0} %s", "\u2028"]
)
def test_hostile_text_goes_out_as_json(write: Any, text: str) -> None:
    steps = (ran(1, text, text, thought=text), answered(2, text))
    told = trajectory(*steps, title=text, query=text, answer=text, facts={**FACTS, "entry": text})
    for line in write(told).encode("utf-8").splitlines():
        json.loads(line)


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_an_attempt_without_steps_or_facts_goes_out(write: Any) -> None:
    text = write(trajectory(facts={}, answer=None))
    assert CANARY in text


def flat(attributes: list[dict[str, Any]]) -> dict[str, Any]:
    return {a["key"]: next(iter(a["value"].values())) for a in attributes}


def test_spans_are_a_tree_with_the_names_of_the_conventions() -> None:
    steps = (ran(1, "x = 1", "1\n", started_at=1_790_000_000.5), PLAYED[1], answered(3, "Done."))
    document = json.loads(otel_spans(trajectory(*steps, facts=FACTS)))
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    root, *children = spans
    assert "parentSpanId" not in root
    assert {child["parentSpanId"] for child in children} == {root["spanId"]}
    assert len({span["spanId"] for span in spans}) == len(spans)
    assert all(len(span["spanId"]) == 16 and len(span["traceId"]) == 32 for span in spans)
    operations = [flat(span["attributes"])["gen_ai.operation.name"] for span in spans]
    assert operations == ["invoke_agent", "chat", "execute_tool", "chat", "execute_tool", "chat"]
    for span in spans:
        assert int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"])
        assert int(root["startTimeUnixNano"]) <= int(span["startTimeUnixNano"])
        assert int(span["endTimeUnixNano"]) <= int(root["endTimeUnixNano"])
    first, cell = flat(children[0]["attributes"]), flat(children[1]["attributes"])
    assert first["gen_ai.usage.input_tokens"] == "10"
    assert json.loads(first["gen_ai.input.messages"])[1]["parts"][0]["content"] == "Sum `amount`."
    assert json.loads(cell["gen_ai.tool.call.arguments"]) == {"code": "x = 1"}
    assert children[3]["status"] == {"code": 2}
    [event] = root["events"]
    assert flat(event["attributes"])["gen_ai.evaluation.score.label"] == "pass"


RUN_AND_PRINT = """
import json, sys
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="python3")
printed = {}
def keep(cell):
    def hook(message):
        if message["header"]["msg_type"] == "stream":
            printed[cell] = printed.get(cell, "") + message["content"]["text"]
    return hook
try:
    for cell in json.load(open("notebook.ipynb", encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            client.execute_interactive(cell["source"], timeout=300, output_hook=keep(cell["id"]))
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
print(json.dumps(printed))
"""


def test_the_archive_runs_to_the_same_outputs_where_it_is_unpacked(tmp_path: Path) -> None:
    table = b"region,amount\nNorth,10\nSouth,5\nNorth,20\n"
    told = trajectory(*PLAYED)
    packed = write_archive(told, [("sales.csv", len(table), lambda: table)], lambda sha256: None)
    zipfile.ZipFile(io.BytesIO(packed)).extractall(tmp_path)
    done = subprocess.run(
        [find_kernel_environment().folder / "bin" / "python", "-c", RUN_AND_PRINT],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout.splitlines()[-1])
    assert printed.pop("prepare") == "Ready.\n"
    book = json.loads((tmp_path / "notebook.ipynb").read_text("utf-8"))
    shown = {
        cell["id"]: "".join(o["text"] for o in cell["outputs"] if o["output_type"] == "stream")
        for cell in book["cells"]
        if cell["cell_type"] == "code"
    }
    assert printed["code-5"] == shown["code-5"] == "30\n"
    assert (tmp_path / "output" / "totals.csv").read_text() == "region,amount\nNorth,30\nSouth,5\n"


def test_inputs_that_lead_elsewhere_or_are_gone_are_named() -> None:
    inputs = [("../up.txt", 1, lambda: b"x"), ("/etc/x", 1, lambda: b"x"),
              ("gone.csv", 1, lambda: None), ("big.bin", 1 << 40, lambda: b"x"),
              ("a/b.csv", 1, lambda: b"x")]  # fmt: skip
    packed = write_archive(trajectory(*PLAYED), inputs, lambda sha256: None)
    archive = zipfile.ZipFile(io.BytesIO(packed))
    assert archive.namelist() == ["notebook.ipynb", "data/a/b.csv", "MISSING.txt"]
    assert archive.read("MISSING.txt").split() == [b"../up.txt", b"/etc/x", b"gone.csv", b"big.bin"]


def told_to_inspect() -> Trajectory:
    return trajectory(CALLED, *PLAYED[1:5], answered(6, "North has 30."), facts=FACTS)
