"""Logs that Inspect itself writes are read as its own reader reads them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest

from leaderboard.tests.support.page_tools import find_peer
from leaderboard.trajectories.readers.any_format import read_any
from runner.contract import Usage

pytestmark = pytest.mark.peers
# Run by Inspect's Python: writes a log in each format, and prints what its own reader finds.
SCRIPT = '''
import contextlib
import io
import json
import sys
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import tool

QUERY = "What is 6 times 7? " + "Think hard. " * 40  # long texts become attachments


@tool
def python():
    async def execute(code: str) -> str:
        """Run Python code.

        Args:
            code: the code to run
        """
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, {})
        return printed.getvalue()

    return execute


def replies(count: int):
    for _ in range(count):
        call = ModelOutput.for_tool_call("mockllm/model", "python", {"code": "print(6 * 7)"})
        answer = ModelOutput.from_content("mockllm/model", "It is 42.")
        for output in (call, answer):  # without it, Inspect fetches a tokenizer
            output.usage = ModelUsage(input_tokens=20, output_tokens=5, total_tokens=25)
            yield output


def messages_of(path: str) -> dict[str, object]:
    log = read_eval_log(path, resolve_attachments=True)
    samples = [
        {
            "id": str(sample.id),
            "messages": [[message.role, message.text] for message in sample.messages],
        }
        for sample in log.samples
    ]
    return {"path": path, "version": log.version, "samples": samples}


found = []
for kind in ("json", "eval"):
    samples = [Sample(id=f"s{number}", input=QUERY, target="42") for number in range(4)]
    task = Task(dataset=MemoryDataset(samples), solver=[use_tools(python()), generate()],
                scorer=includes(), name="sums")  # fmt: skip
    model = get_model("mockllm/model", custom_outputs=list(replies(4)))
    folder = str(Path(sys.argv[1]) / kind)
    logs = eval(task, model=model, log_dir=folder, log_format=kind, display="none", max_samples=1)
    found.append(messages_of(logs[0].location))
print(json.dumps(found))
'''


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """A log in each format: its path, its version, and the messages of its samples."""
    folder = tmp_path_factory.mktemp("logs")
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "INSPECT_LOG_LEVEL": "error"}
    made = subprocess.run(
        [str(find_peer("inspect-ai", "python")), "-c", SCRIPT, str(folder)],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    found: list[dict[str, Any]] = json.loads(made.stdout.strip().splitlines()[-1])
    return found


def bytes_of(log: dict[str, Any]) -> bytes:
    return Path(unquote(urlparse(log["path"]).path)).read_bytes()


def test_both_formats_are_read_as_inspect_reads_them(logs: list[dict[str, Any]]) -> None:
    assert [Path(log["path"]).suffix for log in logs] == [".json", ".eval"]
    for log in logs:
        reading = read_any(bytes_of(log))
        assert reading.errors == ()
        assert reading.description == f"an Inspect log of version {log['version']}"
        found = [
            {
                "id": row.index,
                "messages": [
                    [message["role"], message["content"]]
                    for part in (row.opening, *(step.messages for step in row.steps))
                    for message in part
                ],
            }
            for row in reading.rows
        ]
        assert found == log["samples"]
        for row in reading.rows:
            cell, last = row.steps
            assert (cell.code, cell.observation, last.reply) == (
                "print(6 * 7)",
                "42\n",
                "It is 42.",
            )
            assert cell.usage == Usage(20, 5)
            assert cell.started_at > 1.6e9
            assert row.model == "mockllm/model"


def test_log_of_inspect_that_is_cut_is_read_as_far_as_it_goes(logs: list[dict[str, Any]]) -> None:
    for log, mark in zip(logs, (b'"id": "s2"', b"samples/s2_"), strict=True):
        data = bytes_of(log)
        reading = read_any(data[: data.index(mark) + 200])
        assert "cut at sample 3" in reading.description
        assert [row.index for row in reading.rows][:2] == ["s0", "s1"]
