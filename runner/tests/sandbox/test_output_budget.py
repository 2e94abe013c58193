"""One budget for all that a cell sends: every dimension in turn, each bounded and said."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.contract import CellStatus, OutputKind
from runner.sandbox.kernel import zmtp
from runner.sandbox.kernel.cell_outputs import CellOutputs
from runner.sandbox.kernel.messages import DELIMITER, Codec, KernelMessage
from runner.sandbox.kernel.output_budget import OutputAllowance, OutputCaps, TooMuch
from runner.tests.support.kernel_peer import Peer, execute

EMOJI = "\U0001f600"
CAPS = OutputCaps()
MOST_BYTES = CAPS.shown_bytes + CAPS.error_bytes + (1 << 20)

Contents = Iterator[tuple[str, dict[str, Any]]]


def errors() -> Contents:
    for n in range(2_200):
        yield "error", {"ename": "E", "evalue": str(n), "traceback": [EMOJI * 16_000]}


def keys() -> Contents:
    for n in range(4):
        yield "display_data", {"data": {f"{n}{k:099}": "" for k in range(105_000)}}


def image_keys() -> Contents:
    for n in range(20):
        yield "display_data", {"data": {f"image/x{k:05}": str(n) for k in range(5_000)}}


def values() -> Contents:
    for n in range(30):
        yield "display_data", {"data": {"text/html": EMOJI * (1 << 19), "n": n}}


def plain_texts() -> Contents:
    for _ in range(20):
        yield "execute_result", {"data": {"text/plain": "r" * (3 << 20)}}


def updates() -> Contents:
    transient = {"display_id": "one"}
    yield "display_data", {"data": {"text/plain": "first"}, "transient": transient}
    for _ in range(20):
        data = {f"k{k}": EMOJI * (1 << 19) for k in range(40)}
        yield "update_display_data", {"data": data, "transient": transient}


def display_ids() -> Contents:
    for n in range(3_000):
        yield "display_data", {"data": {}, "transient": {"display_id": f"{n}" + "i" * 100_000}}


def metadata() -> Contents:
    for _ in range(30):
        yield "execute_result", {"data": {"text/plain": "m"}, "metadata": {"k": "v" * (1 << 20)}}


def deep() -> Contents:
    value: object = 0
    for _ in range(3_000):
        value = [value]
    for _ in range(30):
        yield "display_data", {"data": {"x/y": value, "text/plain": "kept"}}


def names_of_errors() -> Contents:
    for _ in range(50):
        yield (
            "error",
            {"ename": "N" * (1 << 20), "evalue": "v" * (1 << 20), "traceback": ["t"] * 90_000},
        )


def alternating_streams() -> Contents:
    for n in range(4_000):
        yield "stream", {"name": ("stdout", "stderr")[n % 2], "text": EMOJI * 10_000}


def others() -> Contents:
    for kind in ("clear_output", "comm_open", "comm_msg", "input_request", "x" * 200):
        for _ in range(500):
            yield kind, {"data": {"k": "v" * 10_000}, "wait": True, "prompt": "p" * 10_000}


def test_what_is_over_the_budget_is_cut_and_said(subtests: pytest.Subtests) -> None:
    for contents, says in [
        (errors, r"2190 errors are left out: a cell may show 10, the last one among them."),
        (keys, r"419960 formats of displayed outputs are left out: an output may have 10."),
        (image_keys, r"120 images are left out: an output may have 4"),
        (values, r"displayed outputs are left out: a cell may show 20 of them and 8 MiB"),
        (plain_texts, r"19 displayed outputs are left out"),
        (updates, r"20 displayed outputs are left out"),
        (display_ids, r"2980 displayed outputs are left out"),
        (metadata, r"10 displayed outputs are left out"),
        (deep, r"30 parts of displayed outputs are left out: nested too deeply to be kept."),
        (names_of_errors, r"40 errors are left out"),
        (alternating_streams, r"characters of stdout are cut here."),
        (others, ""),
    ]:
        with subtests.test(contents=contents, says=says):
            cell = CellOutputs(1_000)
            for kind, content in contents():
                cell.add(KernelMessage(kind, "", content))
            shown = cell.finish()
            kept = [(o.text, *o.data.items(), o.error_name, o.error_value) for o in shown]
            assert len(json.dumps(kept, ensure_ascii=False).encode()) < MOST_BYTES
            assert len(shown) <= CAPS.messages + CAPS.outputs + CAPS.errors
            assert sum(len(o.data) for o in shown) <= CAPS.outputs * CAPS.types
            assert says in "\n".join(o.text for o in shown if o.kind is OutputKind.NOTICE)


def test_the_last_error_is_shown_however_many_came_before() -> None:
    cell = CellOutputs(1_000)
    for n in range(500):
        cell.add(KernelMessage("error", "", {"ename": f"E{n}", "traceback": ["t" * 16_000]}))
    found = [o.error_name for o in cell.finish() if o.kind is OutputKind.ERROR]
    assert found == [*(f"E{n}" for n in range(9)), "E499"]


def test_an_error_finds_room_after_displays_that_took_all_of_it() -> None:
    cell = CellOutputs(1_000)
    for _ in range(30):
        cell.add(KernelMessage("display_data", "", {"data": {"text/html": "x" * (1 << 20)}}))
    cell.add(KernelMessage("error", "", {"ename": "E", "traceback": ["the reason"]}))
    assert "the reason" in [o.text for o in cell.finish()]


async def test_values_that_cannot_be_written_again_cost_the_kernel_nothing() -> None:
    """Nested 850 to 1,000 deep they could be read and not written, and the reader was silent."""

    async def play(peer: Peer, header: dict[str, object]) -> None:
        for depth in (850, 900, 950, 990, 1_000, 3_000, 100_000):
            content = b'{"data":{"x/y":' + b"[" * depth + b"]" * depth + b"}}"
            body = [json.dumps(p).encode() for p in ({"msg_type": "display_data"}, header, {})]
            frames = [b"<IDS|MSG>", peer.codec.sign([*body, content]), *body, content]
            peer.writers["iopub"].write(zmtp.encode(frames))
        peer.print("still here", header)
        peer.end(header)

    result, process = await execute(play)
    assert result.status is CellStatus.OK
    assert "still here" in [output.text for output in result.outputs]
    assert not process.died.is_set()


async def test_a_reader_that_fails_loses_the_kernel_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise KeyError("an internal fault")

    async def play(peer: Peer, header: dict[str, object]) -> None:
        monkeypatch.setattr(CellOutputs, "add_text", fail)
        peer.print("anything", header)
        peer.end(header)

    result, process = await execute(play)
    assert (result.status, result.reason) == (CellStatus.KILLED, "unreadable")
    assert process.died.is_set()
    assert "The kernel sent something that could not be read" in result.outputs[-1].text


def test_metadata_is_never_parsed() -> None:
    codec = Codec.of(b"key")
    parts = [b'{"msg_type":"stream"}', b"{}", b"[" * (1 << 20), b'{"text":"x"}']
    assert codec.parse([DELIMITER, codec.sign(parts), *parts]) == KernelMessage(
        "stream", "", {"text": "x"}
    )


SMALL_FRAMES = {
    "commands": b"\x04\x00",
    "empty messages": b"\x00\x00",
    "endless multipart": b"\x01\x00\x00\x00",
    "long form": b"\x02" + bytes(8),
}


async def read_to_the_end(reader: asyncio.StreamReader, allowance: OutputAllowance) -> None:
    with contextlib.suppress(TooMuch, asyncio.IncompleteReadError):
        while True:
            await zmtp.read_message(reader, allowance)


@pytest.mark.parametrize("frame", SMALL_FRAMES.values(), ids=SMALL_FRAMES)
async def test_small_frames_leave_the_loop_to_others_and_end_as_a_flood(frame: bytes) -> None:
    """A counter beside the reader has its turn at least once in a hundred frames."""
    reader = asyncio.StreamReader(limit=1 << 18)
    floods: list[int] = []
    allowance = OutputAllowance(on_flood=lambda: floods.append(1))
    reader.feed_data(frame * 300_000)
    reader.feed_eof()
    turns = 0

    async def take_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    neighbour = asyncio.create_task(take_turns())
    await read_to_the_end(reader, allowance)
    neighbour.cancel()
    assert floods
    assert allowance.frames <= CAPS.patience * CAPS.frames + 1
    assert turns >= allowance.frames / 100


async def test_reading_small_frames_costs_a_bounded_time() -> None:
    """All that may be sent between two cells as empty frames costs less than honest messages."""

    async def cpu_of(data: bytes) -> float:
        reader = asyncio.StreamReader(limit=1 << 18)
        reader.feed_data(data)
        reader.feed_eof()
        allowance, started_s = OutputAllowance(), time.process_time()
        await read_to_the_end(reader, allowance)
        return time.process_time() - started_s

    once = min([await cpu_of(b"\x04\x00" * 100_000) for _ in range(3)])
    endless = min([await cpu_of(b"\x04\x00" * 1_600_000) for _ in range(3)])
    assert endless < 2.5 * 2.5 * once  # 16 times as many are sent, 2.4 times as many are read
