"""Reading PyBench jsonl: the recorded file whole, and lines that were never meant to be read."""

from __future__ import annotations

import json

import pytest

from leaderboard.models import pack, unpack
from leaderboard.storage.attempt_rows import step_body
from leaderboard.tests.support.pybench_lines import (
    ANSWER,
    CELL,
    QUERY,
    RESULT,
    SYSTEM,
    line,
    message,
    row,
)
from leaderboard.tests.support.recorded import recorded
from leaderboard.trajectories.readers.attempt_reading import Row
from leaderboard.trajectories.readers.conversation import split_reply
from leaderboard.trajectories.readers.interpreter_output import INTERPRETER, read_observation
from leaderboard.trajectories.readers.json_documents import MAX_LINE_BYTES
from leaderboard.trajectories.readers.pybench_jsonl import (
    MAX_MESSAGES,
    read,
)
from runner.contract import Outcome, OutputKind, StepStatus, Usage

ERROR = (
    INTERPRETER + "There are some errors in the code. All variables in this cell should be "
    "redefined. Please Debug:\nError: KeyError\n'amount'\n"
)


def only(data: bytes) -> Row:
    """The one attempt in `data`."""
    reading = read(data)
    assert reading.errors == ()
    assert len(reading.rows) == 1
    return reading.rows[0]


@pytest.mark.upstream
def test_the_recorded_file_is_read_whole() -> None:
    data = recorded()
    reading = read(data)
    assert reading.errors == ()
    assert len(reading.rows) == 135
    assert [found.raw for found in reading.rows] == data.rstrip(b"\n").split(b"\n")
    steps = [step for found in reading.rows for step in found.steps]
    assert len(steps) == 846
    errors = [o for step in steps for o in step.outputs if o.kind is OutputKind.ERROR]
    assert len(errors) == 526
    assert all(error.error_name.isidentifier() and error.error_value for error in errors)
    assert all(found.query and found.opening and found.index for found in reading.rows)
    outcomes = [found.outcome for found in reading.rows]
    assert outcomes.count(Outcome.FINISHED) == 81
    assert outcomes.count(Outcome.OUT_OF_TURNS) == 52
    assert outcomes.count(None) == 2
    assert all(step.code for step in steps if step.status is not StepStatus.ANSWER)


def test_an_attempt_becomes_steps() -> None:
    found = only(
        line(CELL, RESULT, CELL, message("user", ERROR), ANSWER, file_paths=["./data/a.csv"])
    )
    first, second, last = found.steps
    assert (first.index, second.index, last.index) == (1, 2, 3)
    assert (first.status, second.status, last.status) == ("ok", "error", "answer")
    assert (first.thought, first.code) == ("Analyse:\n1. Look.", "print(1)")
    assert [(o.kind, o.text) for o in first.outputs] == [("stdout", "1\n")]
    assert first.observation == INTERPRETER + "1\n"
    assert first.messages == (CELL, RESULT)
    assert [(o.error_name, o.error_value) for o in second.outputs] == [("KeyError", "'amount'")]
    assert (found.outcome, found.answer) == (Outcome.FINISHED, "Finished: the sum is 1.")
    assert found.opening == (SYSTEM, QUERY)
    assert (found.index, found.query, found.inputs) == ("7", "Sum it.", ("a.csv",))


def test_ten_turns_without_an_answer_are_out_of_turns() -> None:
    assert only(line(*[CELL, RESULT] * 10)).outcome is Outcome.OUT_OF_TURNS
    broken_off = only(line(CELL, RESULT))
    assert (broken_off.outcome, broken_off.answer) == (None, None)
    assert broken_off.notes == ("the conversation breaks off",)


def test_a_reply_without_code_in_the_middle_is_no_answer() -> None:
    found = only(line(message("assistant", "Let me think."), message("user", "Go on."), ANSWER))
    assert [step.status for step in found.steps] == ["malformed", "answer"]


def test_the_first_fenced_block_is_the_code(subtests: pytest.Subtests) -> None:
    for reply, thought, code, notes in [
        ("Look.\n```python\nx = 1\n```", "Look.", "x = 1", ()),
        ("```py\nx = 1\n```\nThen more.", "Then more.", "x = 1", ()),
        ("```\nx = 1\n```", "", "x = 1", ()),
        ("```Python \r\nx = 1\r\n```", "", "x = 1", ()),
        ("a ```python\n\n  x = 1\n\n``` b", "a\n\nb", "  x = 1", ()),
        ("no code, only `x = 1`", "no code, only `x = 1`", None, ()),
        ("```python\nx = 1", "", "x = 1", ("the code block is never closed",)),
        (
            "```python\na\n```\n```python\nb\n```",
            "```python\nb\n```",
            "a",
            ("1 more code block was not run",),
        ),
        ("", "", None, ()),
    ]:
        with subtests.test(reply=reply, thought=thought, code=code, notes=notes):
            assert split_reply(reply) == (thought, code, notes)


def test_an_observation_becomes_outputs(subtests: pytest.Subtests) -> None:
    for observation, outputs in [
        (INTERPRETER + "42\n", [("stdout", "42\n", "", "")]),
        (INTERPRETER, []),
        ("", []),
        (ERROR, [("error", "KeyError: 'amount'", "KeyError", "'amount'")]),
        (
            ERROR.replace(INTERPRETER, INTERPRETER + "reading\r\n"),
            [
                ("stdout", "reading\r\n", "", ""),
                ("error", "KeyError: 'amount'", "KeyError", "'amount'"),
            ],
        ),
        (
            ERROR.replace("'amount'", "two\nlines"),
            [("error", "KeyError: two\nlines", "KeyError", "two\nlines")],
        ),
        (
            "rows: 3\nTraceback (most recent call last):\n  File x\nValueError: bad: 3\n",
            [
                ("stdout", "rows: 3\n", "", ""),
                (
                    "error",
                    "Traceback (most recent call last):\n  File x\nValueError: bad: 3\n",
                    "ValueError",
                    "bad: 3",
                ),
            ],
        ),
        (
            f"3\n{'-' * 75}\nKeyError      Traceback (most recent call last)\nCell 1\n\n"
            "KeyError: 'a'",
            [
                ("stdout", "3\n", "", ""),
                (
                    "error",
                    f"{'-' * 75}\nKeyError      Traceback (most recent call last)\nCell 1\n\n"
                    "KeyError: 'a'",
                    "KeyError",
                    "'a'",
                ),
            ],
        ),
        (
            INTERPRETER + "Traceback (most recent call last)\nValueError: printed\n",
            [("stdout", "Traceback (most recent call last)\nValueError: printed\n", "", "")],
        ),
        (
            "the log says Traceback (most recent call last) and goes on",
            [("stdout", "the log says Traceback (most recent call last) and goes on", "", "")],
        ),
    ]:
        with subtests.test(observation=observation, outputs=outputs):
            found = read_observation(observation)
            assert [(o.kind, o.text, o.error_name, o.error_value) for o in found] == outputs


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xef\xbb\xbf" + line(ANSWER), id="UTF-8 with a mark"),
        pytest.param(line(ANSWER).decode().encode("utf-16"), id="UTF-16"),
        pytest.param(b"\xfe\xff" + line(ANSWER).decode().encode("utf-16-be"), id="UTF-16 BE"),
        pytest.param(line(ANSWER).decode().encode("utf-32"), id="UTF-32"),
        pytest.param(line(ANSWER).decode().encode("gb18030"), id="GB 18030"),
        pytest.param(line(ANSWER) + b"\r\n", id="Windows line ends"),
        pytest.param(b"\n\n  \n" + line(ANSWER) + b"\n\n", id="empty lines"),
        pytest.param(b"\x00" + line(ANSWER) + b"\x00", id="NULs around"),
    ],
)
def test_other_encodings_are_read(data: bytes) -> None:
    found = only(data)
    assert found.answer == "Finished: the sum is 1."
    assert found.opening[0]["content"] == "You are …"


BAD_LINES = {
    "cut off": (line(ANSWER)[:-20], "not valid JSON"),
    "no JSON": (b"hello", "not valid JSON"),
    "a list": (b"[1, 2]", "not an object"),
    "a number": (b"7", "not an object"),
    "null": (b"null", "not an object"),
    "no messages": (b'{"index": "7"}', "“messages”"),
    "messages is text": (b'{"messages": "hello"}', "“messages”"),
    "messages is empty": (b'{"messages": []}', "“messages”"),
    "a message is text": (b'{"messages": ["hello"]}', "Message 1"),
    "a message without role": (b'{"messages": [{"content": "x"}]}', "Message 1"),
    "a role that is a number": (b'{"messages": [{"role": 7}]}', "Message 1"),
    "no reply": (line(), "no reply"),
    "deep lists": (b"[" * 200_000, "nested too deeply"),
    "deep objects": (b'{"messages":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
    "an endless number": (b'{"messages": ' + b"9" * 10_000 + b"}", "not valid JSON"),
    "too long": (b" " * MAX_LINE_BYTES + b"{}", "longer than"),
    "too many messages": (line(*[ANSWER] * MAX_MESSAGES), "more than 50,000"),
    "binary": (bytes(range(1, 256)).replace(b"\n", b""), "not valid JSON"),
    "a picture": (b"\x89PNG\r\x1a" + b"\xff" * 500, "not valid JSON"),
}


def test_a_bad_line_is_named_and_the_others_are_read(subtests: pytest.Subtests) -> None:
    for name in BAD_LINES:
        with subtests.test(name=name):
            bad, words = BAD_LINES[name]
            reading = read(b"\n".join([line(ANSWER, index="1"), bad, line(ANSWER, index="3")]))
            assert [found.line for found in reading.rows] == [1, 3]
            assert [error.line for error in reading.errors] == [2]
            assert words in reading.errors[0].what
            assert reading.errors[0].what.endswith(".")


ODD_ROWS = {
    "parts of text": line(
        message("assistant", [{"type": "text", "text": "Finished: the sum is 1."}])
    ),
    "index is a number": line(ANSWER, index=7),
    "index is a list": line(ANSWER, index=[{"x": 1}]),
    "user is missing": json.dumps({"messages": [QUERY, ANSWER]}).encode(),
    "user is an object": line(ANSWER, user={"a": 1}),
    "paths are numbers": line(ANSWER, file_paths=[1, None, {}]),
    "paths are text": line(ANSWER, file_paths="./data/a.csv"),
    "categories are objects": line(ANSWER, category1={}, category2=[], category3=1.5),
    "ours is text": line(ANSWER, pybench_site="x"),
    "ours holds nonsense": line(
        ANSWER,
        pybench_site={
            "outcome": "passed",
            "steps": [
                {
                    "index": "x",
                    "status": "won",
                    "code": 7,
                    "thought": None,
                    "notes": [1, None],
                    "model_s": float("inf"),
                    "cell_s": -1,
                    "usage": {"prompt_tokens": "9", "completion_tokens": -3, "x": True},
                }
            ],
        },
    ),
    "ours has other steps": line(ANSWER, pybench_site={"steps": [{}, {}, {}]}),
    "lone surrogates": json.dumps(row(ANSWER, user="\ud800")).encode(),
    "NULs": json.dumps(row(message("assistant", "a\x00b\x1b[31m"))).encode(),
    "raw control characters": line(ANSWER).replace(b"the sum", b"the\tsum\x01"),
    "only a reply": json.dumps({"messages": [ANSWER]}).encode(),
    "replies in a row": line(CELL, CELL, ANSWER),
    "unknown roles": line(CELL, message("wizard", "abracadabra"), ANSWER),
    "content is missing": json.dumps({"messages": [{"role": "assistant"}]}).encode(),
    "content is an object": line(message("assistant", {"a": [1]})),
    "ten thousand fences": line(message("assistant", "```python\n" * 10_000)),
    "ten thousand errors": line(CELL, message("user", ERROR * 10_000)),
    "dashes without end": line(CELL, message("user", "-" * 300_000 + "Traceback")),
    "a message of 300 KB": line(CELL, message("user", "x" * 300_000), ANSWER),
    "a message of spaces": line(CELL, message("user", " " * 300_000), ANSWER),
    "a traceback of names": line(
        CELL, message("user", "Traceback (most recent call last)\n" + "a." * 100_000)
    ),
}


def test_an_odd_row_is_read_and_can_be_stored(subtests: pytest.Subtests) -> None:
    for name in ODD_ROWS:
        with subtests.test(name=name):
            found = only(ODD_ROWS[name])
            assert found.steps
            assert found.outcome in (Outcome.FINISHED, None)
            for step in found.steps:
                assert unpack(step_body(step))["reply"] == step.reply
                assert step.usage == Usage()
                assert step.model_s == step.cell_s == 0.0
            assert unpack(
                pack([found.index, found.query, found.categories, found.inputs, found.notes])
            )


def test_inputs_never_leave_their_folder(subtests: pytest.Subtests) -> None:
    for path, names in [
        ("./data/a b.csv", ("a b.csv",)),
        ("data/表.xlsx", ("表.xlsx",)),
        ("a.csv", ("a.csv",)),
        ("/etc/passwd", ()),
        ("./data/../../secret", ()),
        ("./data/", ()),
    ]:
        with subtests.test(path=path, names=names):
            assert only(line(ANSWER, file_paths=[path])).inputs == names


def test_an_attempt_that_comes_twice_is_taken_once() -> None:
    again = json.dumps(row(ANSWER), indent=None, sort_keys=True).encode()
    other = line(CELL, RESULT, ANSWER)
    reading = read(b"\n".join([line(ANSWER), again, other, line(ANSWER, index="8")]))
    assert [found.line for found in reading.rows] == [1, 3, 4]
    assert [(error.line, error.what) for error in reading.errors] == [
        (2, "The same attempt is on line 1; this one is left out.")
    ]


def test_the_original_bytes_are_kept() -> None:
    data = line(ANSWER, unit_test=None, extra={"kept": True})
    assert only(data + b"\r\n").raw == data


def test_nothing_gives_nothing(subtests: pytest.Subtests) -> None:
    for data in [b"", b"\n", b"\x00" * 1000, b"\xff\xfe", b"\xef\xbb\xbf"]:
        with subtests.test(data=data):
            assert read(data) == read(b"")
