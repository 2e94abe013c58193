"""Files of other harnesses and APIs become the steps that they tell of."""

from __future__ import annotations

import json
from typing import Any

import pytest

from leaderboard.models import pack, unpack
from leaderboard.storage.attempt_rows import step_body
from leaderboard.tests.support import foreign_files
from leaderboard.tests.support.foreign_files import (
    ANSWER,
    CODE,
    QUERY,
    chat_call,
    chat_messages,
    dumped,
    every_format,
    lines_of,
)
from leaderboard.tests.support.jobs import PIXEL
from leaderboard.trajectories.readers.any_format import read_any
from leaderboard.trajectories.readers.attempt_reading import AttemptReading, Row
from runner.contract import Outcome, StepStatus, Usage

FILES = every_format()
SHELL = [name for name in FILES if "SWE-agent" in name]  # their actions are no Python code
INTERPRETED = [name for name in FILES if name not in SHELL]


def only(data: bytes | object) -> Row:
    reading = read_any(data if isinstance(data, bytes) else dumped(data))
    assert [error.what for error in reading.errors] == []
    [row] = reading.rows
    return row


def test_format_is_recognised_by_content(subtests: pytest.Subtests) -> None:
    for name in FILES:
        with subtests.test(name=name):
            for file in ("", "a.jsonl", "a.eval", "a.ipynb", "a.traj", "a.png"):
                reading = read_any(FILES[name], file)
                assert (reading.description, reading.errors) == (name.strip(), ())
                assert len(reading.rows) == 1
                assert reading.losses


def test_code_output_and_answer_are_read(subtests: pytest.Subtests) -> None:
    for name in INTERPRETED:
        with subtests.test(name=name):
            found = only(FILES[name])
            cell, last = found.steps
            assert (cell.code, cell.status, cell.thought.rpartition("\n")[2]) == (
                CODE,
                "ok",
                "I compute.",
            )
            assert [o.text for o in cell.outputs if o.kind == "stdout"] == ["42\n"]
            assert cell.observation.startswith("42")
            assert (last.status, last.code) == (StepStatus.ANSWER, None)
            assert (found.query, found.answer, found.outcome) == (QUERY, ANSWER, Outcome.FINISHED)
            assert [step.index for step in found.steps] == [1, 2]
            assert found.notes == ()


@pytest.mark.parametrize("name", SHELL)
def test_commands_of_a_shell_are_shown_as_text(name: str) -> None:
    reading = read_any(FILES[name])
    [row] = reading.rows
    step = row.steps[0]
    assert (step.code, step.status, step.observation) == (None, "ok", "42\n")
    assert "python -c 'print(6 * 7)'" in step.thought
    assert "is no Python code" in step.notes[0]
    assert any("shown as text" in loss for loss in reading.losses)
    assert (row.query, row.outcome) == (QUERY, Outcome.FINISHED)


@pytest.mark.django_db
@pytest.mark.parametrize("name", FILES)
def test_attempt_can_be_stored(name: str) -> None:
    for row in read_any(FILES[name]).rows:
        for step in row.steps:
            assert unpack(step_body(step))["reply"] == step.reply
        assert unpack(pack([row.index, row.opening, dict(row.ours), row.categories]))


def test_atif_gives_thought_tokens_time_and_model() -> None:
    found = only(foreign_files.atif())
    cell = found.steps[0]
    assert (found.index, found.model) == ("s1", "some/model")
    assert cell.thought == "Six sevens.\n\nI compute."
    assert (cell.usage, cell.started_at) == (Usage(20, 5), 1767323045.0)
    assert [m["role"] for m in found.opening] == ["system", "user"]


def test_each_version_of_atif_is_named(subtests: pytest.Subtests) -> None:
    for minor in range(9):
        with subtests.test(minor=minor):
            reading = read_any(dumped(foreign_files.atif(f"ATIF-v1.{minor}")))
            assert reading.description == f"ATIF 1.{minor}"
            assert len(reading.rows) == 1


def test_unknown_version_of_atif_is_read_as_the_last() -> None:
    reading = read_any(dumped(foreign_files.atif("ATIF-v9.1")))
    assert (reading.description, len(reading.rows)) == ("ATIF 9.1 (read as 1.8)", 1)


def test_subagents_of_atif_are_a_named_loss() -> None:
    reading = read_any(dumped(foreign_files.atif(subagent_trajectories=[foreign_files.atif()])))
    assert len(reading.rows) == 1
    assert "Trajectories of subagents inside the document are left out." in reading.losses


@pytest.mark.parametrize("version", [1, 2])
def test_inspect_log_gives_tokens_times_and_attachments(version: int) -> None:
    data = dumped(foreign_files.inspect_log(2, version=version))
    reading = read_any(data)
    assert (reading.description, reading.unit) == (f"an Inspect log of version {version}", "sample")
    first, second = reading.rows
    assert (first.index, second.index, first.model) == ("s1", "s2", "some/model")
    assert first.categories == ("sums", "", "")
    cell = first.steps[0]
    assert (cell.usage, cell.model_s, cell.cell_s) == (Usage(20, 5), 1.5, 0.25)
    assert (cell.started_at, cell.finish_reason) == (1767323045.0, "tool_calls")
    assert first.opening[0]["content"] == QUERY
    assert first.ours == {"scores": {"includes": "C"}}


def test_archive_of_inspect_is_read_like_its_document() -> None:
    archive = read_any(foreign_files.inspect_archive(3))
    document = read_any(dumped(foreign_files.inspect_log(3)))
    assert archive == document


def test_unfinished_archive_of_inspect_is_read_and_named() -> None:
    reading = read_any(foreign_files.inspect_archive(2, is_finished=False))
    assert len(reading.rows) == 2
    assert [error.what for error in reading.errors] == [
        "The evaluation was not finished when this was written."
    ]


@pytest.mark.parametrize(
    ("limit", "outcome"),
    [("message", "out_of_turns"), ("time", "out_of_time"), ("context", "context_full")],
)
def test_limit_of_inspect_becomes_the_outcome(limit: str, outcome: str) -> None:
    sample = foreign_files.inspect_sample(limit={"type": limit})
    sample["messages"] = sample["messages"][:3]
    found = only(foreign_files.inspect_log() | {"samples": [sample]})
    assert (found.outcome, found.answer) == (outcome, None)


def test_error_of_a_tool_becomes_an_error_output() -> None:
    sample = foreign_files.inspect_sample()
    sample["messages"][2]["error"] = {"type": "timeout", "message": "Too slow."}
    cell = only(foreign_files.inspect_log() | {"samples": [sample]}).steps[0]
    assert cell.status == StepStatus.ERROR
    assert [(o.error_name, o.error_value) for o in cell.outputs if o.error_name] == [
        ("timeout", "Too slow.")
    ]


def test_sample_without_messages_is_read_from_its_events() -> None:
    sample = foreign_files.inspect_sample()
    asked = sample["messages"][:3]
    choices = [{"message": {"role": "assistant", "content": ANSWER}}]
    sample |= {"messages": [], "events": [
        {"event": "model", "input": asked, "output": {"choices": choices}}]}  # fmt: skip
    found = only(foreign_files.inspect_log() | {"samples": [sample]})
    assert (found.steps[0].code, found.answer) == (CODE, ANSWER)


def test_demonstrations_of_swe_agent_are_left_out() -> None:
    found = only(foreign_files.document("swe_agent"))
    assert [m["content"] for m in found.opening] == ["You compute.", QUERY]
    assert (found.steps[0].cell_s, found.index) == (0.5, "swe_main")


def test_swe_agent_history_alone_is_read() -> None:
    value = foreign_files.document("swe_agent")
    found = only({"history": value["history"]})
    assert [step.reply for step in found.steps] == ["I compute."]


def test_mini_swe_agent_gives_tokens_and_model() -> None:
    found = only(foreign_files.document("mini_swe_agent"))
    assert (found.model, found.steps[0].usage) == ("some/model", Usage(20, 5))


OPENHANDS = {
    "a stream": dumped(foreign_files.document("openhands_events")),
    "an event a line": lines_of(*foreign_files.document("openhands_events")),
    "pairs": dumped({"history": [foreign_files.document("openhands_events")]}),
    "a row": dumped(foreign_files.openhands_row()),
    "events of the SDK": dumped(foreign_files.document("openhands_sdk")),
    "events of the SDK a line": lines_of(*foreign_files.document("openhands_sdk")),
}


def test_each_shape_of_openhands_is_read(subtests: pytest.Subtests) -> None:
    for name in OPENHANDS:
        with subtests.test(name=name):
            reading = read_any(OPENHANDS[name])
            [row] = reading.rows
            assert reading.description == "OpenHands events"
            assert (row.steps[0].code, row.steps[0].observation, row.answer) == (
                CODE,
                "42\n",
                ANSWER,
            )
            assert [m["content"] for m in row.opening] == ["You compute.", QUERY]


def test_editor_calls_of_openhands_are_no_code() -> None:
    events = foreign_files.document("openhands_events")
    events[3]["tool_call_metadata"]["function_name"] = "str_replace_editor"
    [row] = read_any(dumped(events)).rows
    assert row.steps[0].code is None
    assert "“str_replace_editor”" in row.steps[0].notes[0]


SHAPES = {
    "a line": lines_of({"messages": chat_messages()}),
    "an object over several lines": json.dumps({"messages": chat_messages()}, indent=1).encode(),
    "a list of messages": dumped(chat_messages()),
    "a list of messages over several lines": json.dumps(chat_messages(), indent=1).encode(),
    "a list of conversations": dumped([{"messages": chat_messages()}]),
    "a list of lists": dumped([chat_messages()]),
    "a message a line": lines_of(*chat_messages()),
}


def test_each_shape_of_chat_messages_is_read(subtests: pytest.Subtests) -> None:
    for name in SHAPES:
        with subtests.test(name=name):
            reading = read_any(SHAPES[name])
            assert (reading.description, reading.errors) == ("OpenAI chat messages", ())
            assert [row.steps[0].code for row in reading.rows] == [CODE]


def test_request_and_response_hold_the_same_items() -> None:
    items = foreign_files.response_items()
    whole = {"object": "response", "id": "r", "model": "some/model",
             "input": items[:1], "output": items[1:]}  # fmt: skip
    for data in (dumped(whole), dumped(items), lines_of(*items)):
        reading = read_any(data)
        assert reading.description == "OpenAI Responses items"
        assert [row.steps[0].code for row in reading.rows] == [CODE]
        assert reading.rows[0].steps[0].thought == "Six sevens.\n\nI compute."


def test_openais_own_interpreter_becomes_a_cell() -> None:
    shown = [{"type": "logs", "logs": "42\n"},
             {"type": "image", "url": f"data:image/png;base64,{PIXEL}"}]  # fmt: skip
    items = [
        {"type": "message", "role": "user", "content": QUERY},
        {"type": "code_interpreter_call", "id": "ci", "code": CODE, "outputs": shown},
        {"type": "message", "role": "assistant", "content": ANSWER},
    ]
    cell = only(items).steps[0]
    assert (cell.code, cell.observation) == (CODE, "42\n")
    assert [dict(output.data) for output in cell.outputs] == [{}, {"image/png": PIXEL}]


def test_each_call_of_a_reply_is_a_step_with_its_own_result() -> None:
    calls = [chat_call(id="a"), chat_call("bash", {"command": "ls"}, "b"), chat_call(id="c")]
    messages = [
        {"role": "user", "content": QUERY},
        {"role": "assistant", "content": "Three.", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "c", "content": "third"},
        {"role": "tool", "tool_call_id": "a", "content": "first"},
        {"role": "tool", "tool_call_id": "b", "content": "second"},
        {"role": "assistant", "content": ANSWER},
    ]
    found = only({"messages": messages})
    assert [step.observation for step in found.steps] == ["first", "second", "third", ""]
    assert [step.code for step in found.steps] == [CODE, None, CODE, None]
    assert found.steps[1].reply == "[bash] ls"
    assert "the same reply made this call too" in found.steps[2].notes


def test_code_is_found_in_calls_of_python_tools(subtests: pytest.Subtests) -> None:
    for name, arguments, code in [
        ("python", {"code": "x"}, "x"),
        ("execute_python", {"code": "x"}, "x"),
        ("ipython", "x = 1\ny", "x = 1\ny"),
        ("python_interpreter", '"x = 1"', "x = 1"),
        ("run_code", {"language": "python", "source": "x"}, "x"),
        ("run_code", {"language": "bash", "source": "x"}, None),
        ("python", {"other": "x"}, None),
        ("bash", {"code": "x"}, None),
    ]:
        with subtests.test(name=name, arguments=arguments, code=code):
            reply = {"role": "assistant", "content": "", "tool_calls": [chat_call(name, arguments)]}
            result = {"role": "tool", "content": "1", "tool_call_id": "c1"}
            found = only({"messages": [reply, result]})
            assert found.steps[0].code == code


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ("```bash\nls\n```\n```python\nx\n```", "x"),
        ("```json\n{}\n```\nNo code.", None),
        ("I run <execute_ipython>\nx\n</execute_ipython> now", "x"),
        ("<execute_bash>ls</execute_bash>", None),
    ],
)
def test_code_is_found_in_replies_without_calls(reply: str, code: str | None) -> None:
    messages = [{"role": "assistant", "content": reply}, {"role": "user", "content": "1"}]
    assert only({"messages": messages}).steps[0].code == code


def test_fences_are_text_in_a_conversation_with_calls() -> None:
    last = {"role": "assistant", "content": "See:\n```python\nx\n```"}
    found = only({"messages": chat_messages(last)})
    assert (found.steps[1].code, found.steps[1].status) == (None, StepStatus.ANSWER)


def test_pictures_in_results_are_kept() -> None:
    part = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}}
    source = {"type": "image", "source": {"media_type": "image/png", "data": PIXEL}}
    bad = {"type": "image_url", "image_url": {"url": "data:image/png;base64,é"}}
    away = {"type": "image_url", "image_url": {"url": "https://example.org/x.png"}}
    result = {"role": "tool", "tool_call_id": "c1",
              "content": [{"type": "text", "text": "42"}, part, source, bad, away]}  # fmt: skip
    messages = [*chat_messages()[:3], result]
    outputs = only({"messages": messages}).steps[0].outputs
    assert [dict(output.data) for output in outputs] == [{}] + [{"image/png": PIXEL}] * 2


def test_notebook_keeps_pictures_and_nothing_that_runs() -> None:
    found = only(foreign_files.notebook())
    cell = found.steps[0]
    assert dict(cell.outputs[1].data) == {"image/png": PIXEL}
    assert found.categories == ("", "", "Sums")


def test_notebook_of_another_language_is_refused() -> None:
    book = foreign_files.notebook(metadata={"kernelspec": {"language": "R"}})
    [error] = read_any(dumped(book)).errors
    assert error.what == "The notebook's language is R, not Python."


def test_notebook_of_version_3_is_read() -> None:
    cell = {"cell_type": "code", "input": ["x"], "outputs": [
        {"output_type": "pyout", "text": ["1"]},
        {"output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": []}]}  # fmt: skip
    found = only({"nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": [cell]}]})
    assert [(o.kind, o.text) for o in found.steps[0].outputs] == [
        ("result", "1"),
        ("error", "E: v"),
    ]


def test_archive_is_read_file_by_file_and_others_are_left_out() -> None:
    archive = foreign_files.zipped(
        {
            "run/a.ipynb": dumped(foreign_files.notebook()),
            "run/data/a.csv": b"x\n1\n",
            "b.json": dumped(foreign_files.atif()),
        }
    )
    reading = read_any(archive)
    words = "a zip archive of a Jupyter notebook (nbformat 4.5), ATIF 1.8"
    assert (reading.description, reading.unit, reading.errors) == (words, "file", ())
    assert [row.line for row in reading.rows] == [1, 3]


def test_reading_describes_itself_with_where_it_is_cut() -> None:
    assert AttemptReading((), (), "ATIF 1.8", "cut at step 3").description == (
        "ATIF 1.8, cut at step 3"
    )


def test_message_that_answers_several_calls_is_dealt_to_them() -> None:
    parts = [{"type": "tool_use", "id": name, "name": "python", "input": {"code": name}}
             for name in ("a", "b")]  # fmt: skip
    results = [{"type": "tool_result", "tool_use_id": "b", "content": [{"text": "second"}]},
               {"type": "tool_result", "tool_use_id": "a", "content": "first"},
               {"type": "text", "text": "Go on."}]  # fmt: skip
    messages = [{"role": "assistant", "content": parts}, {"role": "user", "content": results}]
    found = only({"messages": messages})
    assert [(s.code, s.observation) for s in found.steps] == [
        ("a", "first"),
        ("b", "second\nGo on."),
    ]


def test_function_calls_of_the_old_protocol_are_read() -> None:
    call = {"name": "python", "arguments": json.dumps({"code": CODE})}
    messages = [
        {"role": "user", "content": QUERY},
        {"role": "assistant", "content": None, "function_call": call},
        {"role": "function", "name": "python", "content": "42"},
        {"role": "assistant", "content": ANSWER},
    ]
    found = only({"messages": messages, "functions": []})
    assert (found.steps[0].code, found.steps[0].observation, found.answer) == (CODE, "42", ANSWER)


def test_session_of_pi_is_read() -> None:
    call = {"type": "toolCall", "id": "c1", "name": "python", "arguments": {"code": CODE}}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": QUERY},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}, call],
         "usage": {"input": 20, "output": 5}},
        {"role": "toolResult", "toolCallId": "c1", "content": [{"type": "text", "text": "42"}]},
        {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
    ]  # fmt: skip
    head = {"type": "session", "version": 3, "id": "abc", "cwd": "/home"}
    reading = read_any(lines_of(head, *({"type": "message", "message": m} for m in messages)))
    assert reading.description == "a session of Pi"
    [row] = reading.rows
    assert (row.steps[0].code, row.steps[0].thought, row.answer) == (CODE, "Hm.", ANSWER)
    assert row.steps[0].usage == Usage(20, 5)


def test_several_sessions_in_a_file_are_several_attempts() -> None:
    assert len(read_any(FILES["a session trace (STS-Format)"] * 3).rows) == 3


def test_names_of_inputs_never_leave_their_folder() -> None:
    extra = {"task": "x", "inputs": ["a.csv", "../b.csv", "/etc/passwd", 7, "data/c/../../d"]}
    assert only(foreign_files.atif(extra=extra)).inputs == ("a.csv",)
