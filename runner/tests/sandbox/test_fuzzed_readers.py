"""Readers of what strangers send, against generated input: bounded, and no unexpected exception.

Hypothesis draws the same cases on every run. What it found once is an `@example`; whole streams
are kept in data/wire.json, as base64 with what must come of them.
"""

from __future__ import annotations

import array
import asyncio
import base64
import contextlib
import json
import socket
import tempfile
import tracemalloc
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from leaderboard.trajectories.readers import pybench_jsonl
from runner.cli.results_folder import read_rows
from runner.sandbox import packets
from runner.sandbox.kernel import zmtp
from runner.sandbox.kernel.cell_outputs import CellOutputs
from runner.sandbox.kernel.messages import DELIMITER, JSON_NODES, Codec, KernelMessage
from runner.sandbox.kernel.output_budget import OutputAllowance, OutputCaps, TooMuch
from runner.sandbox.packets import Malformed
from runner.task_code import harness_client, published_tests
from runner.task_code.verdict import to_assertion

CORPUS = json.loads((Path(__file__).parents[1] / "data" / "wire.json").read_text("utf-8"))
KEY = b"the-signing-key"
CAPS = OutputCaps(
    frame_bytes=300, message_bytes=700, message_frames=8, wire_bytes=3_000, frames=100
)
DEEP = "[" * 100_000

fuzzed = settings(
    max_examples=100,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def any_object(*names: str) -> st.SearchStrategy[dict[str, Any]]:
    """JSON objects that often have these keys, with any value."""
    known = {name: JSON | st.text() | st.integers() for name in names}
    return st.fixed_dictionaries({}, optional=known) | st.dictionaries(st.text(), JSON)


def lines_of(values: Sequence[object]) -> bytes:
    return b"\n".join(json.dumps(value).encode() for value in values)


# ZMTP


async def read_all(data: bytes, cuts: Sequence[int]) -> tuple[list[list[bytes] | None], str]:
    """(the messages of a stream that arrives in these pieces, how it ended)."""
    reader, allowance = asyncio.StreamReader(limit=1 << 12), OutputAllowance(CAPS)
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    for start, end in pairwise(places):
        asyncio.get_running_loop().call_soon(reader.feed_data, data[start:end])
    asyncio.get_running_loop().call_soon(reader.feed_eof)
    found: list[list[bytes] | None] = []
    try:
        while True:
            found.append(await zmtp.read_message(reader, allowance))
    except TooMuch:
        return found, "broken"
    except asyncio.IncompleteReadError:
        return found, "end"


def raw_frame(flags: int, length: int, is_long: bool, body: bytes) -> bytes:
    size = length.to_bytes(8, "big") if is_long else bytes([length % 256])
    return bytes([flags & ~zmtp.LONG | (zmtp.LONG if is_long else 0)]) + size + body


LENGTHS = st.integers(0, 400) | st.sampled_from([0, 255, 256, 1 << 31, 1 << 62, (1 << 64) - 1])
RAW_FRAMES = st.builds(raw_frame, st.integers(0, 255), LENGTHS, st.booleans(), st.binary())
STREAMS = st.binary(max_size=2_000) | st.lists(RAW_FRAMES, max_size=40).map(b"".join)


@fuzzed
@given(STREAMS, st.lists(st.integers(0, 2_000), max_size=5))
def test_any_bytes_on_the_wire_end_as_messages_or_a_broken_protocol(
    data: bytes, cuts: list[int]
) -> None:
    found, _ = asyncio.run(read_all(data, cuts))
    for frames in found:
        assert frames is None or sum(map(len, frames)) <= CAPS.message_bytes
        assert frames is None or len(frames) <= CAPS.message_frames
    assert sum(len(frames or ()) for frames in found) <= CAPS.patience * CAPS.frames


def test_streams_of_the_corpus_end_as_recorded(subtests: pytest.Subtests) -> None:
    for entry in CORPUS["streams"]:
        with subtests.test(entry=entry):
            data = base64.b64decode(entry["base64"]) * entry.get("times", 1)
            found, end = asyncio.run(read_all(data, [7, 100]))
            assert (len(found), end) == (entry["messages"], entry["end"])


@fuzzed
@given(st.lists(st.binary(max_size=300), min_size=1, max_size=8), st.lists(st.integers(0, 3_000)))
def test_every_message_that_we_write_is_read_again(frames: list[bytes], cuts: list[int]) -> None:
    found, end = asyncio.run(read_all(zmtp.encode(frames), cuts))
    fits = sum(map(len, frames)) <= CAPS.message_bytes
    assert (found, end) == ([frames if fits else None], "end")


# Jupyter messages

PARTS = st.binary(max_size=200) | any_object("msg_type", "msg_id").map(
    lambda value: json.dumps(value).encode()
)


@fuzzed
@given(st.lists(PARTS, min_size=4, max_size=6), st.booleans(), st.lists(st.binary(), max_size=2))
@example([b'{"msg_type":"x"}', b"{}", b"[" * 9_000, b"{}"], True, [])
@example([b"{}", b"{}", b"{}", DEEP.encode()], True, [])
@example([b"{}", b"{}", b"{}", b"9" * 100_000], True, [])
@example([b"{}", b"\xff\xfe", b"{}", b"{}"], True, [])
def test_any_frames_are_a_message_or_none(
    parts: list[bytes], is_signed: bool, before: list[bytes]
) -> None:
    codec = Codec.of(KEY)
    signature = codec.sign(parts[:4]) if is_signed else b"0" * 64
    message = codec.parse([*before, DELIMITER, signature, *parts])
    assert message is None or isinstance(message.content, dict)
    assert message is None or is_signed
    codec.parse(parts)


@fuzzed
@given(st.text(), st.dictionaries(st.text(), JSON.filter(lambda v: v == v)))
def test_every_request_that_we_sign_is_read_again(kind: str, content: dict[str, Any]) -> None:
    codec = Codec.of(KEY)
    _, frames = codec.request(kind, content)
    message = codec.parse(frames)
    assert message is not None
    assert message.type == kind[:200]
    assert json.dumps(message.content) == json.dumps(content)


CONTENTS = any_object(
    "name", "text", "data", "traceback", "ename", "evalue", "transient", "execution_state"
)
KINDS = st.sampled_from(
    ["stream", "error", "display_data", "update_display_data", "execute_result", "status", "x"]
)


@fuzzed
@given(st.lists(st.tuples(KINDS, CONTENTS), max_size=20))
@example([("display_data", {"data": {"text/plain": [[1]]}, "transient": {"display_id": [1]}})])
@example([("error", {"traceback": [1, None, {}], "ename": 5, "evalue": []})])
def test_any_content_is_shown_within_the_budget(messages: list[tuple[str, Any]]) -> None:
    outputs = CellOutputs(100)
    for kind, content in messages:
        outputs.add(KernelMessage(kind, "", content))
    for output in outputs.finish():
        json.dumps([output.text, dict(output.data), output.error_name])
        assert all(isinstance(value, str) for value in output.data.values())


def test_a_message_of_the_most_nodes_takes_bounded_memory() -> None:
    """JSON at the limit JSON_NODES costs less than 100 bytes a node in addition to the text."""
    codec = Codec.of(KEY)
    for node in (b"[],", b"{},", b'"",', b"1,"):
        content = b'{"data":[' + node * (JSON_NODES // 2 - 10) + b"1]}"
        parts = [b"{}", b"{}", b"{}", content]
        frames = [DELIMITER, codec.sign(parts), *parts]
        tracemalloc.start()
        try:
            assert codec.parse(frames) is not None
            _, peak_bytes = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak_bytes < 100 * JSON_NODES + 2 * len(content)


# Packets of the sandbox's service


def count_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@fuzzed
@given(st.binary(max_size=500), st.integers(0, 70))
@example(DEEP[:30_000].encode(), 3)
@example(b"[]", 1)
@example(b"", 2)
def test_any_packet_is_read_or_refused_and_leaves_no_descriptor(data: bytes, count: int) -> None:
    here, there = packets.pair()
    before = count_descriptors()
    with here, there:
        rights = array.array("i", [here.fileno()] * count)
        passed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)] if count else []
        here.sendmsg([data], passed)
        with contextlib.suppress(Malformed):
            packet = packets.receive_now(there)
            if packet:
                assert isinstance(packet.body, dict)
                packet.close()
        assert count_descriptors() == before


@fuzzed
@given(st.dictionaries(st.text(), JSON.filter(lambda v: v == v)), st.integers(0, 5))
def test_every_packet_that_we_send_is_read_again(body: dict[str, Any], count: int) -> None:
    here, there = packets.pair()
    with here, there:
        packets.send(here, body, [here.fileno()] * count)
        packet = packets.receive_now(there)
        assert packet is not None
        assert json.dumps(packet.body) == json.dumps(body)
        assert len(packet.fds) == count
        packet.close()


# Reports and recordings

EVENTS = any_object("assertion", "made", "reading", "read", "done", "crashed", "case", "kind")
DEEP_LINES = [
    b'{"assertion": ' + DEEP.encode(),
    b'{"assertion": {"name": ' + b"[" * 990 + b"]" * 990 + b"}}",
    b'{"reading": ' + b"[" * 990 + b"]" * 990 + b"}",
    b'{"place": 0, "said": ' + b"[" * 990 + b"]" * 990 + b"}",
]


@fuzzed
@given(st.binary(max_size=500) | st.lists(EVENTS | JSON, max_size=10).map(lines_of))
@example(b"\n".join(DEEP_LINES))
@example(b'{"case": -1, "assertion": {}}\n{"case": [], "done": 1}\n{"case": 1e999, "done": 1}')
def test_any_report_of_a_check_is_read(stdout: bytes) -> None:
    for report in (harness_client.read_report(stdout), *harness_client.read_reports(stdout, 2)):
        for entry in report.assertions:
            assert isinstance(to_assertion(entry).message, str)
        assert isinstance(report.reading + report.crashed, str)


@fuzzed
@given(
    st.binary(max_size=500) | st.lists(any_object("place", "said") | JSON, max_size=9).map(lines_of)
)
@example(b"\n".join(DEEP_LINES))
def test_any_report_of_the_published_tests_is_read(stdout: bytes) -> None:
    found = published_tests.read_results(stdout, 2)
    assert len(found) == 2


ROWS = any_object("messages", "index", "category1", "user", "file_paths", "pybench_site")
MESSAGES = st.lists(any_object("role", "content") | JSON, max_size=5)


@fuzzed
@given(
    st.binary(max_size=500)
    | st.lists(ROWS | st.fixed_dictionaries({"messages": MESSAGES}), max_size=5).map(lines_of)
)
@example(b'{"messages": ' + DEEP.encode())
@example(b'{"messages": [{"role": "assistant", "content": [' + b"[" * 900 + b"]" * 900 + b"]}]}")
def test_any_recording_is_read_or_named_line_by_line(data: bytes) -> None:
    reading = pybench_jsonl.read(data)
    assert len(reading.rows) + len(reading.errors) <= data.count(b"\n") + 1
    with tempfile.NamedTemporaryFile() as file:
        file.write(data + b"\n" + b"\n".join(DEEP_LINES))
        file.flush()
        read_rows(Path(file.name))
