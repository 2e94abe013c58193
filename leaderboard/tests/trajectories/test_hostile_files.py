"""Broken and hostile files of trajectories: named for what they are, and never believed."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.models import pack
from leaderboard.storage.attempt_rows import stored_bundle
from leaderboard.tests.support.foreign_files import (
    atif,
    chat_messages,
    dumped,
    every_format,
    inspect_archive,
    inspect_log,
    mini_swe_agent,
    notebook,
    openhands_row,
    openhands_sdk,
    response_items,
    smolagents_steps,
    swe_agent,
    zipped,
)
from leaderboard.tests.support.hostile_files import HOSTILE
from leaderboard.trajectories.readers import any_format, recognition
from leaderboard.trajectories.readers.any_format import FAULT, read_any
from leaderboard.trajectories.readers.attempt_reading import AttemptReading

EXPECTED = json.loads(
    (Path(__file__).parents[1] / "data" / "hostile_files.json").read_text("utf-8")
)
FILES = {**every_format(), "an Inspect archive": inspect_archive(2)}


def read_surely(data: bytes) -> AttemptReading:
    """The reading; a fault of a reader fails the test, and so does what cannot be stored."""
    reading = read_any(data)
    assert FAULT not in [error.what for error in reading.errors]
    assert all(error.what.endswith(".") and error.line >= 0 for error in reading.errors)
    assert reading.description
    for row in reading.rows:
        assert row.steps
        assert [step.index for step in row.steps] == list(range(1, len(row.steps) + 1))
        pack([row.index, row.categories, row.query, row.inputs, row.notes, row.answer, row.model])
        pack([[dict(m) for m in row.opening], row.outcome])
        for step in row.steps:
            pack([step.reply, step.thought, step.code, step.observation, step.notes])
            pack(
                [
                    [dict(m) for m in step.messages],
                    [stored_bundle(o.data, ()) for o in step.outputs],
                ]
            )
            assert 0 <= step.model_s < 1e8
            assert 0 <= step.cell_s < 1e8
            assert 0 <= step.started_at < 1e12
    return reading


def test_table_of_hostile_files_is_whole() -> None:
    assert HOSTILE.keys() == EXPECTED.keys()
    assert len(HOSTILE) >= 60


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_is_named_with_the_exact_sentence(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # zipfile's, of names that come twice
        data = HOSTILE[name]()
    reading = read_surely(data)
    errors = [error.what for error in reading.errors]
    found = {"is": reading.description, "rows": len(reading.rows), "errors": errors}
    assert found == EXPECTED[name]


@pytest.mark.parametrize("name", FILES)
def test_file_cut_at_every_tenth_byte_is_read_as_far_as_it_goes(name: str) -> None:
    data = FILES[name]
    whole = read_surely(data)
    for end in range(0, len(data) - 1, 10):
        reading = read_surely(data[:end])
        assert len(reading.rows) <= len(whole.rows)


@pytest.mark.parametrize("name", every_format())
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "CRLF"])
def test_other_encodings_are_read_alike(name: str, encoding: str) -> None:
    data = FILES[name]
    ends = data.replace(b"\n", b"\r\n")
    changed = ends if encoding == "CRLF" else data.decode().encode(encoding)
    reading, plain = read_surely(changed), read_any(data)
    assert (reading.description, reading.errors) == (plain.description, plain.errors)
    assert [row.steps for row in reading.rows] == [row.steps for row in plain.rows]


ODD: tuple[Any, ...] = (
    None, True, -1, 10**4000, 1e999, float("nan"), "", "x", "\ud800\x00", [], {}, [[]], [None],
    {"a": []}, [{"type": 7, "text": []}],
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to each value inside a value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in pairs:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*path, key))


def with_value(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    changed = inner = deepcopy(value)
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return changed


VALUES = {
    "chat": {"index": "7", "user": "x", "messages": chat_messages(), "pybench_site": {
        "outcome": "finished", "steps": [{"status": "ok", "usage": {"prompt_tokens": 1},
                                          "changes": [{"path": "a", "kind": "created"}]}, {}]}},
    "Responses": response_items(),
    "ATIF": atif(extra={"task": "x", "outcome": "finished", "inputs": ["a"], "answer": "x"}),
    "Inspect": inspect_log(),
    "SWE-agent": swe_agent(),
    "mini-SWE-agent": mini_swe_agent(),
    "OpenHands": openhands_row(),
    "OpenHands SDK": openhands_sdk(),
    "smolagents": smolagents_steps(),
    "notebook": notebook(),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_wrong_types_in_any_field_are_no_fault(name: str) -> None:
    value = VALUES[name]
    for path in places(value):
        for odd in ODD:
            read_surely(json.dumps(with_value(value, path, odd)).encode())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(max_size=10) | st.sampled_from(
        ["messages", "role", "content", "steps", "tool_calls", "type", "eval", "samples", "cells",
         "history", "trajectory", "output", "message", "source", "action"]), inner, max_size=5),
    max_leaves=30,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(VALUES)), st.data())
def test_any_json_in_any_field_is_no_fault(name: str, data: st.DataObject) -> None:
    value = VALUES[name]
    path = data.draw(st.sampled_from(list(places(value))))
    read_surely(json.dumps(with_value(value, path, data.draw(JSON))).encode())


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([b"", b"{", b"[", b"PK\x03\x04", b"\x1f\x8b\x08\x00"]), st.binary(max_size=300)
)
def test_any_bytes_are_no_fault(head: bytes, rest: bytes) -> None:
    read_surely(head + rest)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 5_000), st.binary(min_size=1, max_size=6))
def test_changed_bytes_of_an_archive_are_no_fault(place: int, new: bytes) -> None:
    archive = bytearray(FILES["an Inspect archive"])
    place %= len(archive)
    archive[place : place + len(new)] = new
    read_surely(bytes(archive))


def test_many_entries_of_one_member_unpack_within_the_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A directory whose entries overlap, as quoted bombs have them."""
    monkeypatch.setattr(recognition, "MAX_BYTES", 1 << 20)
    archive = zipped({f"{number:03}.txt": b"x" * 300_000 for number in range(1)})
    entry = archive[archive.index(b"PK\x01\x02") : archive.index(b"PK\x05\x06")]
    many = b"".join(entry.replace(b"000.txt", b"%03d.txt" % number) for number in range(200))
    bomb = archive.replace(entry, many)
    reading = read_surely(bomb)
    assert sum(len(file.content) for file in reading.files) <= 1 << 20
    assert len(reading.errors) == 197


def test_fault_of_a_reader_is_logged_and_named(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(data: bytes) -> AttemptReading:
        raise KeyError("x")

    monkeypatch.setattr(recognition, "read_packed", fail)
    with caplog.at_level(logging.ERROR, any_format.__name__):
        reading = read_any(b"{}")
    assert [error.what for error in reading.errors] == [FAULT]
    assert "KeyError" in caplog.text


def test_more_attempts_than_a_file_may_have_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leaderboard.trajectories.readers.pybench_jsonl.MAX_ROWS", 3)
    line = {"messages": [{"role": "assistant", "content": "x"}]}
    data = b"".join(dumped({**line, "index": str(number)}) + b"\n" for number in range(9))
    reading = read_surely(data)
    assert len(reading.rows) == 3
    assert "more than" in reading.errors[-1].what
