"""Attempts as rows of PyBench jsonl."""

from __future__ import annotations

import json
from pathlib import Path

from runner.cli.results_folder import line_of, read_rows
from runner.contract import (
    AttemptResult,
    ChangeKind,
    FileChange,
    Opening,
    Outcome,
    Step,
    StepStatus,
    Usage,
)
from runner.pybench_jsonl import OURS, plain, row_of
from runner.tests.support.small_suite import small_suite

VOID = AttemptResult(
    outcome=Outcome.ENDPOINT_FAILED,
    verdict=None,
    answer=None,
    turns=0,
    usage=Usage(),
    model_s=1.0,
    cell_s=0.0,
    wall_s=1.5,
)


def test_an_attempt_that_never_began_is_a_row_too(tmp_path: Path) -> None:
    suite = small_suite(tmp_path)
    row = row_of(suite, suite.task("greet"), 2, None, [], VOID)
    assert (row["messages"], row["category1"], row["category3"]) == ([], "Text", "Greet")
    assert row["file_paths"] == []
    ours = row[OURS]
    assert (ours["attempt"], ours["outcome"], ours["passed"]) == (2, "endpoint_failed", None)
    assert ours["usage"]["prompt_tokens"] is None


def test_a_row_survives_its_file_whatever_a_model_says(tmp_path: Path) -> None:
    suite = small_suite(tmp_path)
    said = "half \ud800, nul \x00, 你好\u2028"
    opening = Opening(({"role": "user", "content": "Q"},), "Q", 7, {"name": "x"})
    step = Step(
        index=1,
        status=StepStatus.ANSWER,
        reply=said,
        messages=({"role": "assistant", "content": said},),
        changes=(FileChange("output/a", ChangeKind.CREATED, 3, content=b"abc"),),
    )
    row = row_of(suite, suite.task("double"), 1, opening, [step], VOID)
    path = tmp_path / "rows.jsonl"
    path.write_text(line_of(row) + '{"half": ', "utf-8")
    (read,) = read_rows(path)
    assert read == json.loads(json.dumps(row))
    assert read["messages"][1]["content"] == said
    assert read["file_paths"] == ["./data/number.txt"]
    (change,) = read[OURS]["steps"][0]["changes"]
    assert (change["path"], change["kind"], change["size_bytes"]) == ("output/a", "created", 3)


def test_tool_calls_become_blocks_and_their_results_user_messages() -> None:
    call = {"id": "a", "function": {"name": "execute_python", "arguments": '{"code": "1 + 1\\n"}'}}
    unread = {"id": "b", "function": {"name": "execute_python", "arguments": "{}"}}
    message = {"role": "assistant", "content": "I add.", "tool_calls": [call, unread]}
    assert plain(message) == {
        "role": "assistant",
        "content": "I add.\n\n```python\n1 + 1\n```",
    }
    result = {"role": "tool", "tool_call_id": "a", "content": "2"}
    assert plain(result) == {"role": "user", "content": "2"}
    assert plain({"role": "assistant", "content": None}) == {"role": "assistant", "content": ""}
