"""Output of one cell, kept in order and within bounds: messages in, outputs out."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from runner.contract import Output, OutputKind
from runner.sandbox.kernel.messages import KernelMessage, text
from runner.sandbox.kernel.output_budget import ENTRY_BYTES, OutputAllowance, size_of

TEXT_CAP_CHARS = 12 << 20
TRACEBACK_ENTRIES = 30
TRACEBACK_CHARS = 16_000
ERROR_NAME_CHARS = 200
ERROR_VALUE_CHARS = 4_000
MIME_CHARS = 100


@dataclass
class Piece:
    """A stretch of one stream."""

    kind: OutputKind
    text: str
    cut_chars: int = 0  # missing right after it


@dataclass
class StreamCap:
    """Keeps the first and the last half of a stream, and counts the middle."""

    half: int
    head_chars: int = 0
    tail_chars: int = 0
    tail: deque[Piece] = field(default_factory=deque)
    last_of_head: Piece | None = None

    def head_room(self) -> int:
        return self.half - self.head_chars

    def trim(self) -> None:
        over = self.tail_chars - self.half
        while over > 0:
            oldest = self.tail[0]
            cut = min(over, len(oldest.text))
            oldest.text = oldest.text[cut:]
            if self.last_of_head:
                self.last_of_head.cut_chars += cut
            over -= cut
            self.tail_chars -= cut
            if not oldest.text:
                self.tail.popleft()


class CellOutputs:
    """Collects a cell's outputs. Never holds more than its caps, whatever is added."""

    def __init__(self, stream_chars: int, allowance: OutputAllowance | None = None) -> None:
        self.allowance = allowance or OutputAllowance()
        self.items: list[Piece | Output] = []
        self.streams = {
            kind: StreamCap(stream_chars // 2) for kind in (OutputKind.STDOUT, OutputKind.STDERR)
        }
        self.positions: dict[str, int] = {}  # of displays that may be updated
        self.last_error = 0  # where it is in `items`, once there is one
        self.has_error = False

    def add(self, message: KernelMessage) -> None:
        """Take what an iopub message shows; other kinds are ignored."""
        content = message.content
        if message.type == "stream":
            is_out = content.get("name") == "stdout"
            kind = OutputKind.STDOUT if is_out else OutputKind.STDERR
            self.add_text(kind, text(content.get("text"), TEXT_CAP_CHARS))
        elif message.type == "execute_result":
            self.add_rich(OutputKind.RESULT, content)
        elif message.type in ("display_data", "update_display_data"):
            self.add_rich(OutputKind.DISPLAY, content)
        elif message.type == "error":
            self.add_error(content)

    def add_text(self, kind: OutputKind, written: str) -> None:
        stream = self.streams[kind]
        head = written[: stream.head_room()]
        if head:
            stream.last_of_head = self.append_text(kind, head, is_head=True)
            stream.head_chars += len(head)
        rest = written[len(head) :]
        if rest:
            piece = self.append_text(kind, rest, is_head=False)
            if not stream.tail or stream.tail[-1] is not piece:
                stream.tail.append(piece)
            stream.tail_chars += len(rest)
            stream.trim()

    def append_text(self, kind: OutputKind, written: str, is_head: bool) -> Piece:
        """Joined to the last output when that is the same half of the same stream."""
        last = self.items[-1] if self.items else None
        stream = self.streams[kind]
        if isinstance(last, Piece) and last.kind is kind:
            in_tail = bool(stream.tail) and stream.tail[-1] is last
            if in_tail is not is_head:
                last.text += written
                return last
        piece = Piece(kind, written)
        self.items.append(piece)
        return piece

    def add_rich(self, kind: OutputKind, content: dict[str, Any]) -> None:
        bundle = self.read_bundle(content.get("data"))
        display_id = read_display_id(content)
        output = Output(kind, text=bundle.get("text/plain", ""), data=bundle)
        place = self.positions.get(display_id)
        if place is not None:
            self.replace(place, output)
        elif self.allowance.take_output(measure(output) + size_of(display_id), images_of(output)):
            if display_id:
                self.positions[display_id] = len(self.items)
            self.items.append(output)
        else:
            self.allowance.leave_out("outputs")

    def replace(self, place: int, output: Output) -> None:
        """Show `output` in the place of an earlier state of the same display."""
        before = self.items[place]
        assert isinstance(before, Output)
        growth = measure(output) - measure(before)
        if self.allowance.grow(growth, images_of(output) - images_of(before)):
            self.items[place] = output
        else:
            self.allowance.leave_out("outputs")

    def read_bundle(self, data: object) -> dict[str, str]:
        """MIME type to content, as Jupyter sends it; JSON kinds as text."""
        if not isinstance(data, dict):
            return {}
        caps, images = self.allowance.caps, 0
        bundle: dict[str, str] = {}
        for kind, value in islice(data.items(), caps.types):
            name = text(kind, MIME_CHARS)
            images += is_image(name)
            if is_image(name) and images > caps.images_of_output:
                self.allowance.leave_out("images")
            elif (written := write(value)) is None:
                self.allowance.leave_out("unreadable")
            else:
                bundle[name] = written
        self.allowance.leave_out("types", max(0, len(data) - caps.types))
        return bundle

    def add_error(self, content: dict[str, Any]) -> None:
        """Beyond the budget the last error takes the place of the one before it."""
        self.has_error = True
        output = read_error(content)
        if self.allowance.take_error(measure(output)):
            self.last_error = len(self.items)
            self.items.append(output)
        else:
            self.allowance.leave_out("errors")
            self.items[self.last_error] = output

    def note(self, sentence: str) -> None:
        self.items.append(Output(OutputKind.NOTICE, text=sentence))

    def finish(self) -> tuple[Output, ...]:
        """The outputs in order, with a notice wherever something is missing."""
        outputs: list[Output] = []
        for item in self.items:
            if isinstance(item, Output):
                outputs.append(item)
            elif item.text:
                outputs.append(Output(item.kind, text=item.text, cut_chars=item.cut_chars))
                if item.cut_chars:
                    sentence = f"{item.cut_chars} characters of {item.kind} are cut here."
                    outputs.append(Output(OutputKind.NOTICE, text=sentence))
        notices = (Output(OutputKind.NOTICE, text=said) for said in self.allowance.sentences())
        return (*outputs, *notices)


def read_error(content: Mapping[str, Any]) -> Output:
    lines = content.get("traceback")
    lines = lines[-TRACEBACK_ENTRIES:] if isinstance(lines, list) else []
    trace = "\n".join(text(line, TRACEBACK_CHARS) for line in lines)
    return Output(
        OutputKind.ERROR,
        text=trace[-TRACEBACK_CHARS:],
        error_name=text(content.get("ename"), ERROR_NAME_CHARS),
        error_value=text(content.get("evalue"), ERROR_VALUE_CHARS),
        cut_chars=max(0, len(trace) - TRACEBACK_CHARS),
    )


def write(value: object) -> str | None:
    """A value of a bundle as text; None for what can be read and not written again."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value)
    except (RecursionError, ValueError):
        return None


def is_image(kind: str) -> bool:
    return kind.startswith("image/")


def images_of(output: Output) -> int:
    return sum(map(is_image, output.data))


def measure(output: Output) -> int:
    """Bytes that an output takes as it is kept: all of its texts, keys and entries."""
    entries = sum(ENTRY_BYTES + size_of(kind) + size_of(v) for kind, v in output.data.items())
    texts = (output.text, output.error_name, output.error_value)
    return ENTRY_BYTES + entries + sum(map(size_of, texts))


def read_display_id(content: dict[str, Any]) -> str:
    transient = content.get("transient")
    return text(transient.get("display_id")) if isinstance(transient, dict) else ""
