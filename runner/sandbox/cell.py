"""What one cell said, kept in order and within bounds: messages in, outputs out."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from runner.contract import Output, OutputKind
from runner.sandbox.messages import Message, text

RICH_ITEMS = 20
RICH_BYTES = 8 << 20
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

    def __init__(self, stream_chars: int) -> None:
        self.items: list[Piece | Output] = []
        self.streams = {
            kind: StreamCap(stream_chars // 2) for kind in (OutputKind.STDOUT, OutputKind.STDERR)
        }
        self.rich_items = self.rich_bytes = self.left_out = self.lost = 0
        self.positions: dict[str, int] = {}  # of displays that may be updated
        self.has_error = False

    def add(self, message: Message) -> None:
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
        bundle = read_bundle(content.get("data"))
        display_id = read_display_id(content)
        place = self.positions.get(display_id)
        replaced = self.items[place] if place is not None else None
        growth = measure(bundle) - (measure(replaced.data) if isinstance(replaced, Output) else 0)
        is_full = place is None and self.rich_items >= RICH_ITEMS
        if is_full or self.rich_bytes + growth > RICH_BYTES:
            self.left_out += 1
            return
        self.rich_bytes += growth
        output = Output(kind, text=bundle.get("text/plain", ""), data=bundle)
        if place is not None:
            self.items[place] = output
            return
        self.rich_items += 1
        if display_id:
            self.positions[display_id] = len(self.items)
        self.items.append(output)

    def add_error(self, content: dict[str, Any]) -> None:
        self.has_error = True
        lines = content.get("traceback")
        lines = lines[-TRACEBACK_ENTRIES:] if isinstance(lines, list) else []
        trace = "\n".join(text(line, TRACEBACK_CHARS) for line in lines)
        self.items.append(
            Output(
                OutputKind.ERROR,
                text=trace[-TRACEBACK_CHARS:],
                error_name=text(content.get("ename"), ERROR_NAME_CHARS),
                error_value=text(content.get("evalue"), ERROR_VALUE_CHARS),
                cut_chars=max(0, len(trace) - TRACEBACK_CHARS),
            )
        )

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
        return (*outputs, *self.notes_on_losses())

    def notes_on_losses(self) -> Iterator[Output]:
        if self.left_out:
            sentence = (
                f"{self.left_out} displayed outputs are left out: a cell may show "
                f"{RICH_ITEMS} of them and {RICH_BYTES >> 20} MiB in all."
            )
            yield Output(OutputKind.NOTICE, text=sentence)
        if self.lost:
            sentence = f"{self.lost} outputs are left out: too large or unreadable."
            yield Output(OutputKind.NOTICE, text=sentence)


def read_bundle(data: object) -> dict[str, str]:
    """MIME type to content, as Jupyter sends it; JSON kinds as text."""
    if not isinstance(data, dict):
        return {}
    return {
        text(kind, MIME_CHARS): value if isinstance(value, str) else json.dumps(value)
        for kind, value in data.items()
    }


def measure(bundle: Mapping[str, str]) -> int:
    return sum(map(len, bundle.values()))


def read_display_id(content: dict[str, Any]) -> str:
    transient = content.get("transient")
    return text(transient.get("display_id")) if isinstance(transient, dict) else ""
