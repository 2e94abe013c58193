"""Broken and hostile files of trajectories: named for what they are, and never believed."""

from __future__ import annotations

import bz2
import gzip
import json
import logging
import lzma
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.models import pack
from leaderboard.storage.attempt_rows import stored_bundle
from leaderboard.tests.support import foreign_files
from leaderboard.tests.support.foreign_files import (
    atif,
    chat_messages,
    document,
    dumped,
    every_format,
    inspect_archive,
    inspect_log,
    lines_of,
    notebook,
    openhands_row,
    response_items,
    session_trace,
    zipped,
)
from leaderboard.trajectories.readers import any_format, recognition
from leaderboard.trajectories.readers.any_format import FAULT, read_any
from leaderboard.trajectories.readers.attempt_reading import AttemptReading

ROW = {"index": "7", "messages": chat_messages()}
LINE = dumped(ROW)
LINES = lines_of(*({**ROW, "index": str(number)} for number in range(999)))
DEEP = 100_000


def cut(data: bytes, share: float = 0.6) -> bytes:
    return data[: int(len(data) * share)]


def indented(value: object) -> bytes:
    return json.dumps(value, indent=1).encode()


def cut_before(value: object, word: str) -> bytes:
    """The document up to the last occurrence of a word."""
    text = indented(value)
    return text[: text.rindex(word.encode())]


def flags_set(archive: bytes, flag: int) -> bytes:
    """The archive with a flag set in every header, whatever its bytes are."""
    changed = bytearray(archive)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = archive.find(mark)
        while place >= 0:
            changed[place + offset] |= flag
            place = archive.find(mark, place + 1)
    return bytes(changed)


def member_lies(size: int = 10) -> bytes:
    """An archive whose headers say that a member is small."""
    archive = bytearray(zipped({"a.jsonl": LINE}))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = archive.find(mark)
        archive[place + offset : place + offset + 4] = struct.pack("<I", size)
    return bytes(archive)


def directory_points(place: int) -> bytes:
    """An archive whose directory sends the reader elsewhere than to a member."""
    archive = bytearray(zipped({"a.jsonl": LINE}))
    entry = archive.find(b"PK\x01\x02")
    archive[entry + 42 : entry + 46] = struct.pack("<I", place)
    return bytes(archive)


def named(name: str) -> bytes:
    return zipped({name: LINE, "good.jsonl": LINE})


def with_step(**more: Any) -> bytes:
    value = atif()
    value["steps"][2] |= more
    return dumped(value)


HOSTILE: dict[str, Callable[[], bytes]] = {
    # Nothing, and other things than trajectories
    "empty": lambda: b"",
    "spaces": lambda: b" \n\t " * 100,
    "zeros": lambda: b"\x00" * 10_000,
    "a byte order mark alone": lambda: b"\xff\xfe",
    "prose": lambda: b"Good morning,\nthis is no JSON.\n",
    "a picture": lambda: b"\x89PNG\r\n\x1a\n" + b"\xff" * 500,
    "a PDF": lambda: b"%PDF-1.7 ...",
    "a Parquet table": lambda: b"PAR1" + b"\x00" * 50 + b"PAR1",
    "a database": lambda: b"SQLite format 3\x00" + b"\x00" * 100,
    "a program": lambda: b"\x7fELF" + b"\x00" * 100,
    "bzip2": lambda: bz2.compress(LINE),
    "xz": lambda: lzma.compress(LINE),
    "zstd": lambda: b"\x28\xb5\x2f\xfd" + b"\x00" * 20,
    "7z": lambda: b"7z\xbc\xaf\x27\x1c" + b"\x00" * 20,
    "tar": lambda: b"a" * 257 + b"ustar" + b"\x00" * 300,
    "HTML": lambda: b"<!doctype html><p>Not found",
    "a number": lambda: b"7",
    "null": lambda: b"null",
    "text": lambda: b'"hello"',
    "an empty array": lambda: b"[]",
    "an empty object": lambda: b"{}",
    "an array of numbers": lambda: b"[1, 2]",
    "an object of no format": lambda: indented({"a": 1}),
    # JSON that is hard to take
    "deep arrays": lambda: b"[" * DEEP,
    "deep arrays, closed": lambda: b"[" * DEEP + b"]" * DEEP,
    "deep objects": lambda: b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "deep in a known format": lambda: (
        b'{"schema_version": "ATIF-v1.8", "agent": {}, "steps": ' + b"[" * DEEP + b"]" * DEEP + b"}"
    ),
    "deep arguments": lambda: with_step(
        tool_calls=[{"function_name": "bash", "arguments": nested(800)}]
    ),
    "an endless number": lambda: b'{"nbformat": ' + b"9" * 10_000 + b', "cells": []}',
    "a huge exponent": lambda: dumped(atif()).replace(
        b'"prompt_tokens": 20', b'"prompt_tokens": 1e999'
    ),
    "not a number": lambda: with_step(metrics={"prompt_tokens": float("nan")}),
    "too many values": lambda: b"[" + b"[]," * 3_100_000 + b"[]]",
    "a document that is too long": lambda: b'{\n"a": "' + b"x" * (65 << 20) + b'"}',
    "a line that is too long": lambda: b'{"messages": "' + b"x" * (65 << 20) + b'"}',
    "an unclosed text": lambda: b'{\n"messages": "' + b"\\" * 100_001,
    "keys without values": lambda: b'{\n"a",\n"b"}',
    "a comma too many": lambda: indented(inspect_log(3)).replace(b'"id": "s3",', b'"id": "s3",,'),
    # Files that break off
    "an Inspect log, cut": lambda: cut_before(inspect_log(14), '"scores"'),
    "an Inspect log, cut in its head": lambda: cut_before(inspect_log(1), '"samples"'),
    "an Inspect log without samples": lambda: indented(inspect_log(0)),
    "an Inspect archive, cut": lambda: cut(inspect_archive(14)),
    "an Inspect archive, cut in its first sample": lambda: inspect_archive(3)[:500],
    "an ATIF document, cut": lambda: cut_before(atif(), '"step_id": 4'),
    "an SWE-agent trajectory, cut": lambda: cut_before(document("swe_agent"), '"thought": "Done.'),
    "OpenHands rows, cut": lambda: lines_of(openhands_row(), openhands_row())[:-30],
    "a session trace, cut": lambda: session_trace()[:-30],
    "a notebook, cut": lambda: cut_before(notebook(), '"cell_type": "markdown"'),
    "Responses items, cut": lambda: cut_before(response_items(), '"type": "message"'),
    "smolagents' steps, cut": lambda: cut_before(document("smolagents_steps"), '"tool_calls"'),
    "PyBench jsonl, cut": lambda: LINE + b"\n" + LINE[:-20],
    "gzip, cut": lambda: cut(
        gzip.compress(lines_of(*({**ROW, "index": str(n)} for n in range(999))))
    ),
    "gzip, cut in its head": lambda: gzip.compress(LINE)[:6],
    "gzip, damaged": lambda: gzip.compress(LINE)[:10] + b"\xff" * 40,
    "gzip in gzip": lambda: gzip.compress(gzip.compress(LINE)),
    "a gzip bomb": lambda: gzip.compress(b"\x00" * (260 << 20), 1),
    "gzip of many members": lambda: gzip.compress(b"{}") * 20_001,
    # Archives
    "an archive of nothing": lambda: zipped({}),
    "an archive, cut": lambda: zipped({"a.jsonl": LINE, "b.jsonl": LINE})[:-120],
    "an archive's first bytes": lambda: b"PK\x03\x04 header",
    "an archive's end alone": lambda: b"PK\x05\x06" + b"\x00" * 18,
    "an absolute name": lambda: named("/etc/passwd.jsonl"),
    "a name that climbs": lambda: named("a/../../b.jsonl"),
    "a name that climbs as Windows does": lambda: named("..\\b.jsonl"),
    "a drive in a name": lambda: named("C:\\b.jsonl"),
    "a name twice": lambda: zipped([("a.jsonl", LINE), ("a.jsonl", LINE)]),
    "an encrypted member": lambda: flags_set(zipped({"a.jsonl": LINE}), 1),
    "a method of compression that is not read": lambda: zipped({"a.jsonl": LINE}, zipfile.ZIP_LZMA),
    "a zip bomb": lambda: zipped({"a.jsonl": b" " * (80 << 20)}),
    "a member that is too long": lambda: zipped({"a.jsonl": b" " * (65 << 20)}, zipfile.ZIP_STORED),
    "a member that lies about its size": member_lies,
    "a directory that points outside": lambda: directory_points(0xFFFFFFF0),
    "a directory that points at itself": lambda: directory_points(60),
    "an archive in an archive": lambda: zipped(
        {"a.zip": zipped({"a.jsonl": LINE}), "b": zipped({"c": LINE})}
    ),
    "too many members": lambda: zipped({f"{n}": b"" for n in range(20_001)}),
    "a sample twice": lambda: zipped(
        [
            ("header.json", dumped(inspect_log(0))),
            *[("samples/s1_epoch_1.json", dumped(foreign_files.inspect_sample()))] * 2,
        ]
    ),
    "a sample that is no JSON": lambda: zipped(
        {
            "header.json": dumped(inspect_log(0)),
            "samples/s1.json": b"{]",
            "samples/s2.json": dumped(foreign_files.inspect_sample(2)),
        }
    ),
    # Wrong types and values
    "ATIF without steps": lambda: dumped(atif(steps=[])),
    "ATIF whose steps are text": lambda: dumped(atif(steps="none")),
    "ATIF whose steps are numbers": lambda: dumped(atif(steps=[1, None, []])),
    "ATIF without a reply": lambda: dumped(atif(steps=[{"source": "user", "message": "x"}])),
    "ATIF with odd fields": lambda: with_step(
        tool_calls=[7, {}, {"function_name": 3}],
        observation={"results": "x"},
        metrics=[],
        timestamp={"a": 1},
        extra="x",
    ),
    "messages that are numbers": lambda: lines_of({"messages": [1, 2]}),
    "a message without a role": lambda: lines_of({"messages": [{"content": "x"}]}),
    "no reply": lambda: lines_of({"messages": chat_messages()[:2]}),
    "too many messages": lambda: lines_of({"messages": [{"role": "user", "content": ""}] * 50_001}),
    "lone surrogates": lambda: b'{"messages": [{"role": "assistant", "content": "\\ud800"}]}',
    "an SWE-agent trajectory of numbers": lambda: dumped(
        {**document("swe_agent"), "trajectory": [1, 2]}
    ),
    "an SWE-agent trajectory without steps": lambda: dumped(
        {"trajectory": [], "history": [], "info": {}}
    ),
    "OpenHands events without a reply": lambda: dumped(document("openhands_events")[:3]),
    "samples that are numbers": lambda: dumped(
        {**inspect_log(), "samples": [1, {}, {"messages": 7}]}
    ),
    "a session without messages": lambda: session_trace().splitlines(keepends=True)[0],
    "a notebook without code": lambda: dumped(notebook(cells=[])),
    "a notebook of numbers": lambda: dumped(
        notebook(cells=[1, {"cell_type": "code", "source": 7}])
    ),
    "Responses items without a reply": lambda: dumped(
        [{"type": "function_call_output", "output": 7}]
    ),
    "a line of another kind": lambda: session_trace() + b"7\nhello\n",
    # Other encodings: read
    "UTF-8 with a mark": lambda: b"\xef\xbb\xbf" + dumped(atif()),
    "UTF-16": lambda: dumped(atif()).decode().encode("utf-16"),
    "UTF-32": lambda: indented(inspect_log()).decode().encode("utf-32"),
    "Windows line ends": lambda: indented(inspect_log()).replace(b"\n", b"\r\n"),
    "latin-1": lambda: indented(atif(notes="é")).decode("unicode-escape").encode("latin-1"),
}


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


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


def test_hostile_file_is_named_with_the_exact_sentence(subtests: pytest.Subtests) -> None:
    for name in HOSTILE:
        with subtests.test(name=name):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # zipfile's, of names that come twice
                data = HOSTILE[name]()
            reading = read_surely(data)
            errors = [error.what for error in reading.errors]
            found = {"is": reading.description, "rows": len(reading.rows), "errors": errors}
            assert found == EXPECTED[name]


def test_file_cut_at_every_tenth_byte_is_read_as_far_as_it_goes(subtests: pytest.Subtests) -> None:
    for name in FILES:
        with subtests.test(name=name):
            data = FILES[name]
            whole = read_surely(data)
            for end in range(0, len(data) - 1, 10):
                reading = read_surely(data[:end])
                assert len(reading.rows) <= len(whole.rows)


def test_other_encodings_are_read_alike(subtests: pytest.Subtests) -> None:
    for name in every_format():
        for encoding in ["utf-8-sig", "utf-16", "utf-32", "CRLF"]:
            with subtests.test(name=name, encoding=encoding):
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
    "SWE-agent": document("swe_agent"),
    "mini-SWE-agent": document("mini_swe_agent"),
    "OpenHands": openhands_row(),
    "OpenHands SDK": document("openhands_sdk"),
    "smolagents": document("smolagents_steps"),
    "notebook": notebook(),
}  # fmt: skip


def test_wrong_types_in_any_field_are_no_fault(subtests: pytest.Subtests) -> None:
    for name in VALUES:
        with subtests.test(name=name):
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
