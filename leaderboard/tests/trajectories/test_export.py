"""Exports: read back, validated, and run again in the kernel environment."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path
from typing import Any

import nbformat
import pytest

from leaderboard.tests.support.recorded import recorded
from leaderboard.tests.support.trajectories import CALL, PLAYED, answered, ran, stored, trajectory
from leaderboard.trajectories.formats.notebook import write_notebook
from leaderboard.trajectories.formats.openai_chat import chat_line
from leaderboard.trajectories.formats.pybench_jsonl import pybench_line
from leaderboard.trajectories.formats.trajectory import Trajectory
from leaderboard.trajectories.readers.pybench_jsonl import read
from runner.contract import Outcome, Step, StepStatus
from runner.sandbox.host.kernel_env import find_kernel_environment

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def valid_notebook(raw: bytes) -> Any:
    """The notebook in `raw`, held against the format's schema."""
    book = nbformat.reads(raw.decode("utf-8"), as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(book)
    return book


def test_a_pybench_line_is_read_back_as_it_was() -> None:
    line = pybench_line(trajectory(*PLAYED))
    reading = read(line.encode())
    assert reading.errors == ()
    found = reading.rows[0]
    assert (found.index, found.categories) == (
        "sales-by-region",
        ("Chart analysis", "", "Sales by region"),
    )
    assert (found.outcome, found.answer, found.inputs) == (
        Outcome.FINISHED,
        "North has 30.",
        ("sales.csv",),
    )
    for step, played in zip(found.steps, PLAYED, strict=True):
        assert step.code == played.code
        assert step.thought == played.thought
        assert step.status == played.status
        assert step.usage == played.usage
        assert (step.model_s, step.cell_s) == (played.model_s, played.cell_s)
        assert step.observation == played.observation
    assert "按地区求和" in line


def test_tool_call_becomes_code_in_pybench_and_stays_in_chat() -> None:
    step = ran(
        1,
        "print(1)",
        "1\n",
        messages=(
            {"role": "assistant", "content": "Look.", "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "call_1", "content": "1\n"},
        ),
    )
    told = trajectory(step, answered(2, "Done."))
    row = json.loads(pybench_line(told))
    assert row["messages"][2:4] == [
        {"role": "assistant", "content": "Look.\n\n```python\nprint(1)\n```"},
        {"role": "user", "content": "1\n"},
    ]
    chat = json.loads(chat_line(told))
    assert chat["messages"][2]["tool_calls"] == [CALL]
    assert chat["messages"][3] == {"role": "tool", "tool_call_id": "call_1", "content": "1\n"}


def test_chat_messages_are_one_line_in_the_order_they_were_sent() -> None:
    line = chat_line(trajectory(*PLAYED))
    assert line.count("\n") == 1
    roles = [message["role"] for message in json.loads(line)["messages"]]
    assert roles == ["system", "user", *["assistant", "user"] * 5, "assistant"]


def test_own_fields_do_not_leak_into_chat_messages() -> None:
    opening = [{"role": "user", "content": "x", "api_key": "sk-leaking"}]
    assert "sk-leaking" not in chat_line(trajectory(*PLAYED, opening=opening))


RUN_NOTEBOOK = """
import json, sys
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="python3")
try:
    for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            reply = client.execute_interactive(cell["source"], timeout=60)["content"]
            may_raise = "raises-exception" in cell["metadata"].get("tags", [])
            if (reply["status"] == "error") != may_raise:
                sys.exit(f"{cell['id']}: {reply['status']} {reply.get('evalue')}")
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
"""


def test_the_notebook_runs_again_to_the_same_files(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "sales.csv").write_text("region,amount\nNorth,10\nSouth,5\nNorth,20\n")
    (tmp_path / "a.ipynb").write_bytes(write_notebook(trajectory(*PLAYED)))
    done = subprocess.run(
        [find_kernel_environment().folder / "bin" / "python", "-c", RUN_NOTEBOOK, "a.ipynb"],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Ready.")
    assert (tmp_path / "output" / "totals.csv").read_text() == "region,amount\nNorth,30\nSouth,5\n"
    assert (tmp_path / "output" / "totals.png").stat().st_size > 1000


def test_the_notebook_is_valid_and_says_what_the_replay_says() -> None:
    raw = write_notebook(trajectory(*PLAYED))
    book = valid_notebook(raw)
    assert [cell.id for cell in book.cells] == [
        "task", "prepare", "step-1", "code-1", "step-2", "code-2", "step-3", "code-3",
        "step-4", "step-5", "code-5", "step-6",
    ]  # fmt: skip
    cells = {cell.id: cell for cell in book.cells}
    assert "按地区求和" in cells["task"].source
    assert cells["code-2"].outputs[0].ename == "KeyError"
    assert cells["code-2"].metadata.tags == ["raises-exception"]
    assert cells["step-4"].cell_type == "markdown"
    assert "while True: pass" in cells["step-4"].source
    assert cells["code-5"].outputs[0].text == "30\n"
    assert cells["step-6"].source == "## Answer\n\nNorth has 30."


def test_pictures_come_from_the_store_and_nothing_that_runs_is_kept() -> None:
    outputs = [
        {"kind": "display", "data": {"image/png": {"blob": "ab"}, "text/plain": "<Figure>"}},
        {"kind": "display", "data": {"image/png": {"blob": "gone"}, "text/plain": "<Figure 2>"}},
        {"kind": "display", "data": {"image/svg+xml": {"blob": "svg"}}},
        {"kind": "display", "data": {"application/javascript": "alert(1)"}},
        {"kind": "result", "text": "3", "data": {}},
        {"kind": "display", "data": {"text/html": "<b>3</b>", "application/x": {"a": 1}}},
        {"kind": "notice", "text": "output cut"},
    ]
    step = {"index": 1, "status": "ok", "code": "show()", "outputs": outputs}
    blobs = {"ab": PIXEL, "svg": b"<svg/>"}
    raw = write_notebook(trajectory(steps=[step]), blobs.get)
    book = valid_notebook(raw)
    shown = book.cells[-1].outputs
    assert base64.b64decode(shown[0].data["image/png"]) == PIXEL
    assert dict(shown[1].data) == {"text/plain": "<Figure 2>"}
    assert shown[2].data["image/svg+xml"] == "<svg/>"
    assert [output.output_type for output in shown[3:]] == [
        "execute_result",
        "display_data",
        "stream",
    ]
    assert b"javascript" not in raw
    assert shown[5].text == "[output cut]\n"


HOSTILE = {
    "control characters": "\x00\x01\x1b[31m",
    "lone surrogates": "\ud800 and \udfff",
    "line separators": "\u2028\u2029\x85",
    "fences": "```\n``` ````python",
    "markup": "</script><script>alert(1)</script>",
    "templates": "{inputs} %s {0}",
    "long": "é" * 300_000,
    "emoji": "\U0001f9ea" * 10,
    "nothing": "",
}


def test_hostile_text_is_written_and_read_back(subtests: pytest.Subtests) -> None:
    for name, text in HOSTILE.items():
        with subtests.test(name):
            steps = (
                ran(1, f"x = 1 # {text}", text, thought=text),
                ran(2, text or "x", status=StepStatus.KILLED),
                Step(
                    3,
                    StepStatus.MALFORMED,
                    text,
                    messages=({"role": "assistant", "content": text},),
                ),
                answered(4, text),
            )
            told = trajectory(
                *steps, title=text, query=text, answer=text, inputs=[text or "a"], source=text
            )
            book = valid_notebook(write_notebook(told))
            assert len(book.cells) == 7
            reading = read(pybench_line(told).encode("utf-8"))
            assert reading.errors == ()
            assert [step.reply for step in reading.rows[0].steps] == [step.reply for step in steps]
            chat = json.loads(chat_line(told).encode("utf-8"))
            assert chat["messages"][-1]["content"] == text


def test_a_name_of_an_input_cannot_leave_its_string() -> None:
    raw = write_notebook(trajectory(inputs=["a'] + [__import__('os').system('x')] + ['b"]))
    prepare = json.loads(raw)["cells"][1]["source"]
    compile(prepare, "prepare", "exec")
    assert "\"a'] + [__import__('os').system('x')] + ['b\"" in prepare


@pytest.mark.upstream
def test_every_recorded_trajectory_goes_through_every_format() -> None:
    for row in read(recorded()).rows:
        told = Trajectory(
            task=row.index,
            title=row.categories[2],
            category=row.categories[0],
            query=row.query,
            opening=row.opening,
            steps=stored(*row.steps),
            answer=row.answer,
            inputs=row.inputs,
        )
        again = read(pybench_line(told).encode()).rows[0]
        assert again.steps == row.steps
        assert (again.outcome, again.answer, again.inputs) == (row.outcome, row.answer, row.inputs)
        assert json.loads(chat_line(told))["messages"] == json.loads(row.raw)["messages"]
        book = valid_notebook(write_notebook(told))
        codes = [cell.source for cell in book.cells if cell.cell_type == "code"]
        assert len(codes) == 1 + sum(1 for step in row.steps if step.code)


def test_a_notebook_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The format's own library checks all that is written."""
    monkeypatch.setattr(
        "leaderboard.trajectories.formats.notebook.notebook",
        lambda *_: {
            "cells": [{"cell_type": "code", "id": "a"}],
            "metadata": {},
            "nbformat": 4,
            "nbformat_minor": 5,
        },
    )
    with pytest.raises(nbformat.ValidationError):
        write_notebook(trajectory(*PLAYED))
