"""Exports that are read in again are equal, field by field, or the loss is named by the reading."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from leaderboard.tests.support.recorded import recorded
from leaderboard.tests.support.trajectories import CALL, PLAYED, answered, ran, trajectory
from leaderboard.trajectories.formats.atif import atif_document
from leaderboard.trajectories.formats.inspect_log import inspect_log
from leaderboard.trajectories.formats.notebook import write_notebook
from leaderboard.trajectories.formats.openai_chat import chat_line
from leaderboard.trajectories.formats.pybench_jsonl import pybench_line
from leaderboard.trajectories.formats.trajectory import Trajectory
from leaderboard.trajectories.readers.any_format import read_any
from leaderboard.trajectories.readers.attempt_reading import AttemptReading
from leaderboard.trajectories.readers.recognition import NO_SPANS
from runner.contract import Output, OutputKind, Step, StepStatus

TOOL = Step(
    8,
    StepStatus.OK,
    "I call.",
    thought="I call.",
    code="print(1)",
    observation="1\n",
    messages=(
        {"role": "assistant", "content": "I call.", "tool_calls": [CALL]},
        {"role": "tool", "content": "1\n", "tool_call_id": "call_1"},
    ),
)
MALFORMED = Step(
    7,
    StepStatus.MALFORMED,
    "No code here.",
    thought="No code here.",
    observation="Write a block.",
    messages=(
        {"role": "assistant", "content": "No code here."},
        {"role": "user", "content": "Write a block."},
    ),
)
FENCED = (
    *PLAYED[:5],
    ran(6, "x", notes=("2 more code blocks were not run",), finish_reason="stop"),
    MALFORMED,
    answered(8, "North has 30."),
)
CALLED = (TOOL, answered(9, "It is 1."))

TIMES = {"model_s", "cell_s", "usage", "finish_reason"}
# By format: the fields of a step that may differ, and the words of the loss that names them.
LOSSES: dict[str, tuple[set[str], tuple[str, ...]]] = {
    "jsonl": ({"outputs"}, ("no pictures", "no outputs of cells")),
    "chat": (
        {"outputs", "status", "notes", "started_at", "changes", *TIMES},
        ("no times, no tokens and no files", "what was printed"),
    ),
    "atif": ({"outputs"}, ("what was printed and what was raised",)),
    "notebook": (
        {"observation", "messages", "reply", "notes", "started_at", "changes", *TIMES},
        ("no conversation", "no times, no tokens"),
    ),
}
ROW_LOSSES = {"chat": {"index", "query", "inputs"}, "notebook": {"index", "opening"}}


def written(name: str, told: Trajectory) -> bytes:
    match name:
        case "jsonl":
            return pybench_line(told).encode()
        case "chat":
            return chat_line(told).encode()
        case "atif":
            return atif_document(told).encode()
    return write_notebook(told)


def differing(told: Trajectory, reading: AttemptReading) -> set[str]:
    """The fields of any step that are not as they were."""
    [row] = reading.rows
    assert len(row.steps) == len(told.steps)
    found: set[str] = set()
    for was, step in zip(told.steps, row.steps, strict=True):
        now: dict[str, Any] = {**asdict(step), "messages": [dict(m) for m in step.messages],
                               "notes": list(step.notes)}  # fmt: skip
        found |= {name for name in was if name != "outputs" and was[name] != plain(now[name])}
    return found


def plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", LOSSES)
def test_export_read_again_is_equal_but_for_named_losses(name: str) -> None:
    told = trajectory(*FENCED, facts={"outcome": "finished", "task": "sales-by-region"})
    reading = read_any(written(name, told))
    assert reading.errors == ()
    allowed, words = LOSSES[name]
    assert differing(told, reading) <= allowed
    assert all(any(word in loss for loss in reading.losses) for word in words)
    [row] = reading.rows
    facts = {
        "index": (row.index, told.task),
        "query": (row.query, told.query),
        "inputs": (row.inputs, tuple(told.inputs)),
        "opening": ([dict(m) for m in row.opening], list(told.opening)),
        "answer": (row.answer, told.answer),
        "outcome": (row.outcome, "finished"),
    }
    lost = {field for field, (now, was) in facts.items() if now != was}
    assert lost == ROW_LOSSES.get(name, set())


@pytest.mark.parametrize("name", ["chat", "atif"])
def test_tool_calls_are_equal_after_a_round_trip(name: str) -> None:
    told = trajectory(*CALLED)
    found = differing(told, read_any(written(name, told)))
    assert found <= (LOSSES[name][0] | {"index"}) - {"messages"} | (
        {"messages"} if name == "atif" else set()  # ids of calls are made anew
    )


def test_stopped_cells_of_a_notebook_are_read_back() -> None:
    steps = (ran(1, "while True:\n    '```'", status=StepStatus.TIMEOUT),
             ran(2, "exit()", status=StepStatus.KILLED), answered(3, "Done."))  # fmt: skip
    [row] = read_any(write_notebook(trajectory(*steps))).rows
    assert [(s.status, s.code, s.thought) for s in row.steps] == [
        ("timeout", "while True:\n    '```'", "Step 1."),
        ("killed", "exit()", "Step 2."),
        ("answer", None, "Done."),
    ]


@pytest.mark.parametrize("name", ["jsonl", "chat", "atif"])
def test_recorded_trajectories_keep_code_and_observations(name: str) -> None:
    for row in read_any(recorded()).rows[::9]:
        steps = [asdict(step) | {"messages": list(step.messages)} for step in row.steps]
        told = trajectory(opening=list(row.opening), steps=steps, answer=row.answer, facts={})
        [again] = read_any(written(name, told)).rows
        assert [s.code for s in again.steps] == [s.code for s in row.steps]
        assert [s.observation for s in again.steps] == [s.observation for s in row.steps]
        assert [s.reply for s in again.steps] == [s.reply for s in row.steps]


SHOWN = (
    {"role": "assistant", "content": "Step 1.\n\n```python\n2 + 3\n```"},
    {"role": "user", "content": "5"},
)


@pytest.mark.parametrize("name", ["jsonl", "inspect", "chat", "atif"])
def test_outputs_that_come_back_as_text_are_named(name: str) -> None:
    shown = Output(OutputKind.RESULT, text="5")
    told = trajectory(
        ran(1, "2 + 3", outputs=(shown,), observation="5", messages=SHOWN), answered(2, "It is 5.")
    )
    content = {
        "inspect": lambda: inspect_log(told).encode(),
    }.get(name, lambda: written(name, told))()
    reading = read_any(content)
    assert [(o.kind, o.text) for o in reading.rows[0].steps[0].outputs] == [("stdout", "5")]
    assert any("outputs" in loss or "printed" in loss for loss in reading.losses), reading.losses


@pytest.mark.parametrize("indent", [None, 2])
def test_spans_that_come_in_are_called_what_they_are(indent: int | None) -> None:
    spans = {"resourceSpans": [{"scopeSpans": [{"spans": [{"name": "chat", "spanId": "1"}]}]}]}
    reading = read_any(json.dumps(spans, indent=indent).encode())
    assert reading.rows == ()
    assert "OpenTelemetry spans" in reading.description
    assert [error.what for error in reading.errors] == [NO_SPANS]
