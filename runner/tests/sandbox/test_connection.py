"""The reader against a kernel that is not one: a peer on a real socket that says what it likes."""

from __future__ import annotations

import asyncio
import resource
import socket
import struct

import pytest

from runner.contract import CellResult, CellStatus, KernelLost, OutputKind
from runner.sandbox.kernel import zmtp
from runner.sandbox.kernel.connection import CHANNELS, KernelConnection
from runner.tests.support.kernel_peer import KEY, STREAM_CHARS, FakeProcess, Peer, execute


def texts(result: CellResult) -> list[tuple[str, str]]:
    return [(output.kind.value, output.text) for output in result.outputs]


async def test_outputs_keep_their_order_and_streams_are_joined() -> None:
    async def play(peer: Peer, header: dict[str, object]) -> None:
        peer.print("a", header)
        peer.print("b\n", header)
        peer.say("iopub", "display_data", {"data": {"text/plain": "D", "x/y": {"k": 1}}}, header)
        peer.print("c", header)
        peer.say("iopub", "execute_result", {"data": {"text/plain": "R"}}, header)
        peer.end(header)

    result, _ = await execute(play)
    assert result.status is CellStatus.OK
    assert texts(result) == [
        ("stdout", "ab\n"),
        ("display", "D"),
        ("stdout", "c"),
        ("result", "R"),
    ]
    assert result.outputs[1].data == {"text/plain": "D", "x/y": '{"k": 1}'}


async def test_a_long_stream_keeps_head_and_tail_and_counts_the_middle() -> None:
    async def play(peer: Peer, header: dict[str, object]) -> None:
        for number in range(100):
            peer.print(f"{number:099}\n", header)
        peer.end(header)

    result, _ = await execute(play)
    head, notice, tail = result.outputs
    assert len(head.text) == len(tail.text) == STREAM_CHARS // 2
    assert head.text.startswith("0" * 99)
    assert tail.text.endswith("99\n")
    assert head.cut_chars == 100 * 100 - STREAM_CHARS
    assert notice.text == "9000 characters of stdout are cut here."


async def test_a_display_is_updated_in_place() -> None:
    async def play(peer: Peer, header: dict[str, object]) -> None:
        for number, kind in enumerate(["display_data", *["update_display_data"] * 50]):
            content = {"data": {"text/plain": str(number)}, "transient": {"display_id": "bar"}}
            peer.say("iopub", kind, content, header)
        peer.end(header)

    result, _ = await execute(play)
    assert texts(result) == [("display", "50")]


async def test_other_cells_messages_and_forged_ones_are_not_taken() -> None:
    async def play(peer: Peer, header: dict[str, object]) -> None:
        peer.print("of another cell", {"msg_id": "other"})
        frames = peer.frames("stream", {"name": "stdout", "text": "forged"}, header)
        frames[1] = b"0" * 64
        peer.writers["iopub"].write(zmtp.encode(frames))
        peer.print("mine", header)
        peer.end(header)

    result, _ = await execute(play)
    assert texts(result)[0] == ("stdout", "mine")
    assert result.outputs[1].kind is OutputKind.NOTICE
    assert len(result.outputs) == 2


async def test_a_message_that_never_ends_fills_no_memory() -> None:
    """libzmq would keep every frame until the last one comes."""

    async def play(peer: Peer, header: dict[str, object]) -> None:
        writer = peer.writers["iopub"]
        while True:
            writer.write(bytes([zmtp.MORE | zmtp.LONG]) + struct.pack(">Q", 1 << 20))
            writer.write(bytes(1 << 20))
            await writer.drain()

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result, process = await execute(play)
    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert (result.status, result.reason) == (CellStatus.KILLED, "flood")
    assert process.died.is_set()
    assert grown_kib < 64 << 10


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(bytes([zmtp.LONG]) + struct.pack(">Q", 1 << 62), id="frame of 4 EiB"),
        pytest.param((bytes([zmtp.MORE, 0])) * 100, id="a hundred empty frames"),
    ],
)
async def test_broken_framing_ends_the_kernel(raw: bytes) -> None:
    async def play(peer: Peer, header: dict[str, object]) -> None:
        peer.writers["iopub"].write(raw)

    result, process = await execute(play)
    assert (result.status, result.reason) == (CellStatus.KILLED, "flood")
    assert process.died.is_set()


async def test_a_frame_too_large_is_passed_over_and_the_cell_goes_on() -> None:
    async def play(peer: Peer, header: dict[str, object]) -> None:
        peer.print("x" * (13 << 20), header)
        peer.print("small", header)
        peer.end(header)

    result, _ = await execute(play)
    assert result.status is CellStatus.OK
    assert texts(result) == [
        ("stdout", "small"),
        ("notice", "1 outputs are left out: too large or unreadable."),
    ]


async def test_a_cell_past_its_deadline_is_interrupted_then_killed() -> None:
    async def play(peer: Peer, header: dict[str, object]) -> None:
        peer.print("working", header)

    result, process = await execute(play, timeout_s=0.1)
    assert (result.status, result.reason) == (CellStatus.KILLED, "timeout")
    assert process.interrupts == 1
    assert process.died.is_set()
    assert texts(result)[0] == ("stdout", "working")


async def test_an_interrupt_that_costs_the_reply_does_not_cost_the_kernel() -> None:
    """IPython says that it is idle, and sends no reply, when it comes as the code has ended."""

    async def play(peer: Peer, header: dict[str, object]) -> None:
        peer.print("working", header)
        await asyncio.sleep(0.3)
        peer.say("iopub", "status", {"execution_state": "idle"}, header)

    result, process = await execute(play, timeout_s=0.1)
    assert (result.status, result.reason) == (CellStatus.TIMEOUT, "timeout")
    assert process.interrupts == 1
    assert not process.died.is_set()


async def test_idle_before_the_interrupt_does_not_keep_what_goes_on() -> None:
    async def play(peer: Peer, header: dict[str, object]) -> None:
        peer.say("iopub", "status", {"execution_state": "idle"}, header)

    result, process = await execute(play, timeout_s=2.0)
    assert (result.status, result.reason) == (CellStatus.KILLED, "timeout")
    assert process.died.is_set()


async def test_idle_alone_ends_no_cell_that_was_not_interrupted() -> None:
    async def play(peer: Peer, header: dict[str, object]) -> None:
        peer.say("iopub", "status", {"execution_state": "idle"}, header)
        await asyncio.sleep(1.5)
        peer.print("the end", header)
        peer.end(header)

    result, process = await execute(play)
    assert result.status is CellStatus.OK
    assert texts(result) == [("stdout", "the end")]
    assert process.interrupts == 0


async def test_a_connection_that_breaks_is_a_dead_kernel() -> None:
    async def play(peer: Peer, header: dict[str, object]) -> None:
        peer.writers["shell"].transport.abort()

    result, process = await execute(play)
    assert (result.status, result.reason) == (CellStatus.KILLED, "died")
    assert process.died.is_set()


async def test_a_lost_idle_message_does_not_hold_the_cell() -> None:
    async def play(peer: Peer, header: dict[str, object]) -> None:
        peer.say("shell", "execute_reply", {"status": "ok"}, header)

    result, process = await execute(play)
    assert result.status is CellStatus.OK
    assert process.interrupts == 0


async def test_a_peer_that_leaves_at_once_is_no_kernel() -> None:
    sockets = {}
    for channel in CHANNELS:
        sockets[channel], theirs = socket.socketpair()
        theirs.close()
    wire = KernelConnection(FakeProcess(), KEY, STREAM_CHARS)
    with pytest.raises(KernelLost):
        await wire.connect(sockets)
    await wire.close()
    for end in sockets.values():
        end.close()
