"""What a hostile kernel or a broken gateway may send in mid-cell: never the worker's end.

The other end is a server of ours that says what it likes (`fake`).
"""

from __future__ import annotations

import asyncio
import json
import resource
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from runner.contract import CellResult, CellStatus, FileChange, Limits
from runner.sandbox.base import KernelLost
from runner.sandbox.gateway import channel
from runner.sandbox.gateway.address import Address
from runner.sandbox.gateway.rest import Gateway
from runner.sandbox.gateway.session import GatewaySession
from runner.tests.gateways.fake import (
    BINARY,
    CLOSE,
    KERNEL_ID,
    PING,
    TEXT,
    TOKEN,
    FakeGateway,
    Line,
    Play,
    Rest,
    frame,
    http,
    message,
)

DELETE = f"DELETE /api/kernels/{KERNEL_ID}"
INTERRUPT = f"POST /api/kernels/{KERNEL_ID}/interrupt"
MIB = 1 << 20


@dataclass
class Played:
    """What came of one cell."""

    result: CellResult | None
    lost: str  # why the attempt is void, "" when it is not
    fake: FakeGateway
    changes: tuple[FileChange, ...] = ()

    @property
    def texts(self) -> list[tuple[str, str]]:
        assert self.result is not None
        return [(output.kind.value, output.text) for output in self.result.outputs]


async def execute(
    folder: Path, play: Play, timeout_s: float = 10.0, deleted: Rest | None = None
) -> Played:
    """`deleted` is what the gateway answers when it is told to delete the kernel."""
    async with FakeGateway(play=play, rest={DELETE: deleted} if deleted else {}) as fake:
        limits = Limits(stream_chars=1000)
        session = GatewaySession(Gateway(Address(fake.url, TOKEN)), folder, limits)
        try:
            return Played(await session.run("1", timeout_s), "", fake)
        except KernelLost as lost:
            return Played(None, str(lost), fake)
        finally:
            await session.close()


async def test_outputs_come_in_order(tmp_path: Path) -> None:
    async def play(line: Line, header: dict[str, Any]) -> None:
        line.print("a", header)
        line.print("b\n", header)
        line.say("iopub", "display_data", {"data": {"text/plain": "D", "x/y": {"k": 1}}}, header)
        line.say("iopub", "execute_result", {"data": {"text/plain": "R"}}, header)
        line.end(header)

    played = await execute(tmp_path, play)
    assert played.texts == [("stdout", "ab\n"), ("display", "D"), ("result", "R")]
    assert played.fake.asked[-1] == DELETE


async def test_a_message_in_pieces_is_put_together(tmp_path: Path) -> None:
    async def play(line: Line, header: dict[str, Any]) -> None:
        whole = json.dumps(message("iopub", "stream", {"name": "stdout", "text": "é"}, header))
        raw = whole.encode()
        line.raw(frame(raw[:10], TEXT, is_last=False) + frame(b"", 0, is_last=False))
        line.raw(frame(b"", PING) + frame(raw[10:], 0))  # a ping between them
        line.end(header)

    assert (await execute(tmp_path, play)).texts == [("stdout", "é")]


NONSENSE: list[tuple[str, bytes]] = [
    ("nothing", frame(b"")),
    ("no JSON", frame(b"hello")),
    ("no text", frame(b"\xff\xfe\x00", TEXT)),
    ("bytes", frame(struct.pack(">II", 1, 8) + b"{}", BINARY)),
    ("a list", frame(b"[]")),
    ("deep", frame(b'{"content":' + b"[" * 100_000 + b"]" * 100_000 + b"}")),
    ("wide", frame(b'{"content":[' + b"[]," * 2_000_000 + b"0]}")),
    ("odd numbers", frame(b'{"content":1e999,"header":NaN,"x":' + b"9" * 100_000 + b"}")),
    ("half a pair", frame(b'{"channel":"\\ud800","content":{"text":"\\ud800"}}')),
    ("large", frame(b'"' + b"x" * (14 * MIB) + b'"')),
]


@pytest.mark.parametrize("raw", [pytest.param(raw, id=name) for name, raw in NONSENSE])
async def test_nonsense_is_passed_over_and_counted(raw: bytes, tmp_path: Path) -> None:
    async def play(line: Line, header: dict[str, Any]) -> None:
        line.raw(raw)
        line.print("on", header)
        line.end(header)

    played = await execute(tmp_path, play)
    assert played.result is not None
    assert played.result.status is CellStatus.OK
    assert played.texts[0] == ("stdout", "on")
    assert [kind for kind, _ in played.texts] in (["stdout"], ["stdout", "notice"])


async def test_wrong_types_harm_nobody(tmp_path: Path) -> None:
    odd: list[object] = [None, 7, "x", [], {}, [{}], {"status": [], "text": {}, "data": [1]}]

    async def play(line: Line, header: dict[str, Any]) -> None:
        for value in odd:
            for kind in ("stream", "error", "display_data", "status", "execute_result", value):
                line.say("iopub", kind, value, header)
                line.say(value, kind, {"text": "x"}, header)
                line.say("iopub", kind, {"text": "x"}, value)
            content = {"data": value, "text": value, "traceback": value, "transient": value}
            line.say("iopub", "display_data", content, header)
            line.say("iopub", "error", content, header)
        line.raw(frame(json.dumps({"channel": "iopub", "header": odd}).encode()))
        line.print("on", header)
        line.end(header)

    played = await execute(tmp_path, play)
    assert played.result is not None
    assert played.result.status is CellStatus.ERROR  # "error" messages were among them
    assert ("stdout", "on") in played.texts


async def test_messages_of_others_are_not_taken(tmp_path: Path) -> None:
    async def play(line: Line, header: dict[str, Any]) -> None:
        line.print("of another cell", {"msg_id": "other"})
        line.print("of none", {})
        line.end({"msg_id": "other"})
        line.say("stdin", "input_request", {"prompt": "?"}, header)
        line.say("control", "execute_reply", {"status": "error"}, header)
        line.print("mine", header)
        line.end(header)

    played = await execute(tmp_path, play)
    assert played.texts == [("stdout", "mine")]
    assert played.result is not None
    assert played.result.status is CellStatus.OK


async def test_a_reply_too_large_to_read_ends_the_cell(tmp_path: Path) -> None:
    async def play(line: Line, header: dict[str, Any]) -> None:
        line.end(header, padding="x" * (14 * MIB))

    played = await execute(tmp_path, play)
    assert played.result is not None
    assert played.result.status is CellStatus.ERROR


ENDLESS: list[tuple[str, Callable[[dict[str, Any]], bytes]]] = [
    ("small messages", lambda header: frame(b'{"channel":"iopub"}') * 100),
    ("large messages", lambda header: frame(b"x" * (11 * MIB))),
    ("pieces of one message", lambda header: frame(b"x" * MIB, 0, is_last=False)),
    ("empty pieces of one message", lambda header: frame(b"", 0, is_last=False) * 5_000),
]


@pytest.mark.parametrize("make", [pytest.param(make, id=name) for name, make in ENDLESS])
async def test_what_never_ends_fills_no_memory(
    make: Callable[[dict[str, Any]], bytes], tmp_path: Path
) -> None:
    async def play(line: Line, header: dict[str, Any]) -> None:
        line.raw(frame(b"{", TEXT, is_last=False) if make(header)[:1] == b"\x00" else b"")
        while True:
            line.raw(make(header))
            await line.writer.drain()

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    played = await execute(tmp_path, play, timeout_s=60)
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert played.result is not None
    assert (played.result.status, played.result.reason) == (CellStatus.KILLED, "flood")
    assert played.fake.asked[-1] == DELETE
    assert grown_kib < 400 << 10


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(frame(b"", TEXT, claims=1 << 62), id="4 EiB"),
        pytest.param(frame(b"x" * 100, TEXT, claims=49 * MIB), id="49 MiB"),
    ],
)
async def test_a_length_beyond_all_bounds_ends_the_kernel(raw: bytes, tmp_path: Path) -> None:
    async def play(line: Line, header: dict[str, Any]) -> None:
        line.raw(raw)

    played = await execute(tmp_path, play)
    assert played.result is not None
    assert (played.result.status, played.result.reason) == (CellStatus.KILLED, "flood")


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"\x8f\x00", id="unknown kind of frame"),
        pytest.param(b"\xf1\x00", id="reserved bits"),
        pytest.param(frame(b"x" * 200, PING), id="ping too long"),
        pytest.param(frame(b"going away", CLOSE), id="close without a code"),
        pytest.param(frame(b"\x03\xe9", CLOSE), id="going away"),
        pytest.param(b"HTTP/1.1 400 x\r\n\r\n", id="HTTP"),
        pytest.param(b"", id="end"),
    ],
)
async def test_a_broken_connection_is_not_the_models_doing(raw: bytes, tmp_path: Path) -> None:
    async def play(line: Line, header: dict[str, Any]) -> None:
        line.raw(raw)
        await line.writer.drain()
        line.writer.close()

    played = await execute(tmp_path, play)
    assert played.lost == "The gateway cut the connection to its kernel."


async def test_pings_without_end_fill_no_memory(tmp_path: Path) -> None:
    """The answers to them pile up when nobody reads them."""

    async def play(line: Line, header: dict[str, Any]) -> None:
        while True:
            line.raw(frame(b"x" * 125, PING) * 500)
            await line.writer.drain()

    played = await execute(tmp_path, play, timeout_s=60)
    assert played.lost == "The gateway cut the connection to its kernel."


async def test_a_kernel_that_is_forgotten_is_not_the_models_doing(tmp_path: Path) -> None:
    async def play(line: Line, header: dict[str, Any]) -> None:
        line.writer.close()

    played = await execute(tmp_path, play, deleted=http(404, {}))
    assert "no longer knows the kernel" in played.lost


@pytest.mark.parametrize("state", ["restarting", "dead"])
async def test_a_kernel_said_to_be_dead_is_a_typed_end(state: str, tmp_path: Path) -> None:
    async def play(line: Line, header: dict[str, Any]) -> None:
        line.say("iopub", "status", {"execution_state": state}, {})

    played = await execute(tmp_path, play, deleted=http(404, {}))
    assert played.result is not None
    assert (played.result.status, played.result.reason) == (CellStatus.KILLED, "died")


async def test_a_gateway_that_cannot_end_a_kernel_at_once_is_asked_again(tmp_path: Path) -> None:
    """As Jupyter's server while it is starting a dead kernel anew."""
    answers = [http(500, {"message": ""}), b"HTTP/1.1 204 x\r\n\r\n"]

    async def play(line: Line, header: dict[str, Any]) -> None:
        line.say("iopub", "status", {"execution_state": "restarting"}, {})

    async def end(writer: asyncio.StreamWriter) -> None:
        writer.write(answers.pop(0))

    played = await execute(tmp_path, play, deleted=end)
    assert played.fake.asked.count(DELETE) == 2
    assert played.lost == ""


async def test_a_cell_past_its_deadline_is_interrupted_then_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(line: Line, header: dict[str, Any]) -> None:
        line.print("working", header)

    monkeypatch.setattr(channel.Channel, "grace_s", 0.5)
    played = await execute(tmp_path, play, timeout_s=0.1)
    assert played.result is not None
    assert (played.result.status, played.result.reason) == (CellStatus.KILLED, "timeout")
    assert played.fake.asked[-2:] == [INTERRUPT, DELETE]
    assert played.texts[0] == ("stdout", "working")


async def test_what_a_stopped_flood_left_on_its_way_is_not_the_next_cells(tmp_path: Path) -> None:
    headers: list[dict[str, Any]] = []

    async def play(line: Line, header: dict[str, Any]) -> None:
        headers.append(header)
        if len(headers) == 2:
            line.print("on", header)
            line.end(header)
        else:
            line.raw(frame(b'{"channel":"iopub"}') * 5_000)

    async def interrupt(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 204 x\r\n\r\n")
        line = lines[0]
        line.say("shell", "execute_reply", {"status": "error"}, headers[0])
        await line.writer.drain()
        for _ in range(8):  # for longer than a lost "idle" is waited for
            line.print("late", headers[0])
            line.raw(frame(b'{"channel":"iopub"}') * 1_000)
            await line.writer.drain()
            await asyncio.sleep(0.5)
        line.say("iopub", "status", {"execution_state": "idle"}, headers[0])

    lines: list[Line] = []

    async def remember(line: Line, header: dict[str, Any]) -> None:
        lines.append(line)
        await play(line, header)

    async with FakeGateway(play=remember, rest={INTERRUPT: interrupt}) as fake:
        session = GatewaySession(Gateway(Address(fake.url, TOKEN)), tmp_path, Limits())
        flooded = await session.run("1", 20)
        after = await session.run("2", 20)
        await session.close()
    assert (flooded.status, flooded.reason) == (CellStatus.ERROR, "flood")
    assert [output.text for output in after.outputs] == ["on"]
