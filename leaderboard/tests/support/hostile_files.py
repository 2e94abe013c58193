"""Broken and hostile files of trajectories, by what is wrong with them; made when needed."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import struct
import zipfile
from collections.abc import Callable
from typing import Any

from leaderboard.tests.support import foreign_files
from leaderboard.tests.support.foreign_files import (
    atif,
    chat_messages,
    dumped,
    inspect_archive,
    inspect_log,
    lines_of,
    notebook,
    openhands_row,
    response_items,
    session_trace,
    smolagents_steps,
    swe_agent,
    zipped,
)

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
    "an SWE-agent trajectory, cut": lambda: cut_before(swe_agent(), '"thought": "Done.'),
    "OpenHands rows, cut": lambda: lines_of(openhands_row(), openhands_row())[:-30],
    "a session trace, cut": lambda: session_trace()[:-30],
    "a notebook, cut": lambda: cut_before(notebook(), '"cell_type": "markdown"'),
    "Responses items, cut": lambda: cut_before(response_items(), '"type": "message"'),
    "smolagents' steps, cut": lambda: cut_before(smolagents_steps(), '"tool_calls"'),
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
    "an SWE-agent trajectory of numbers": lambda: dumped({**swe_agent(), "trajectory": [1, 2]}),
    "an SWE-agent trajectory without steps": lambda: dumped(
        {"trajectory": [], "history": [], "info": {}}
    ),
    "OpenHands events without a reply": lambda: dumped(foreign_files.openhands_events()[:3]),
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
