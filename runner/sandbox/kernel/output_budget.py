"""One budget for everything that a cell sends: what is read of it, and what is shown of that.

Each dimension that can grow has a cap here: a sender that saves on one spends on another. What is
over a cap of showing is left out and counted, and the step says so. What is over a cap of reading
stops the cell, and far over it the kernel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

LEAST_FRAME_BYTES = 64  # what an empty frame counts as: reading it costs as much
ENTRY_BYTES = 64  # what an output or a key counts as beside its text
MIB = 1 << 20


class TooMuch(Exception):
    """More was sent than is read: the connection is given up."""


@dataclass(frozen=True)
class OutputCaps:
    """Of one message, of one cell's messages, and of what is shown of them."""

    frame_bytes: int = 12 * MIB
    message_bytes: int = 13 * MIB
    message_frames: int = 32
    # of one cell: then it is stopped, and what still comes is thrown away up to `patience` times
    wire_bytes: int = 48 * MIB
    messages: int = 4_000
    frames: int = 40_000
    patience: int = 6
    # shown, in addition to the two streams
    outputs: int = 20
    shown_bytes: int = 8 * MIB
    types: int = 10  # of one output
    images: int = 40
    images_of_output: int = 4
    errors: int = 10
    error_bytes: int = MIB


def ignore_flood() -> None:
    """Notify nobody."""


@dataclass
class OutputAllowance:
    """Amount read and shown since the last `reset`."""

    caps: OutputCaps = field(default_factory=OutputCaps)
    on_flood: Callable[[], None] = ignore_flood  # called once more was read than a cell may send
    wire_bytes: int = 0
    frames: int = 0
    messages: int = 0
    outputs: int = 0
    shown_bytes: int = 0
    images: int = 0
    errors: int = 0
    error_bytes: int = 0
    left_out: Counter[str] = field(default_factory=Counter)  # by a key of SENTENCES

    def reset(self) -> None:
        """Begin again: another cell is under way."""
        vars(self).update(vars(OutputAllowance(self.caps, self.on_flood)))

    # reading

    def count_frame(self, size_bytes: int) -> None:
        """Called before a frame is read. Raises TooMuch."""
        self.wire_bytes += max(size_bytes + 9, LEAST_FRAME_BYTES)
        self.frames += 1
        most = self.caps.patience
        if self.wire_bytes > most * self.caps.wire_bytes or self.frames > most * self.caps.frames:
            raise TooMuch("too many bytes")
        self.look_for_flood()

    def count_message(self) -> None:
        self.messages += 1
        self.look_for_flood()

    @property
    def is_flooded(self) -> bool:
        """True if more was read than one cell is allowed to send."""
        return (
            self.wire_bytes > self.caps.wire_bytes
            or self.frames > self.caps.frames
            or self.messages > self.caps.messages
        )

    def look_for_flood(self) -> None:
        if self.is_flooded:
            self.on_flood()

    # showing

    def take_output(self, size_bytes: int, images: int) -> bool:
        """Count another display or result; False if the limit leaves no room for it."""
        if self.outputs >= self.caps.outputs or not self.grow(size_bytes, images):
            return False
        self.outputs += 1
        return True

    def grow(self, size_bytes: int, images: int) -> bool:
        """Count growth of the shown output; False if there is no room. Less than 0 shrinks it."""
        if (
            self.shown_bytes + size_bytes > self.caps.shown_bytes
            or self.images + images > self.caps.images
        ):
            return False
        self.shown_bytes += size_bytes
        self.images += images
        return True

    def take_error(self, size_bytes: int) -> bool:
        """Count another error; False if the limit leaves no room for it."""
        is_full = self.errors >= self.caps.errors
        if is_full or self.error_bytes + size_bytes > self.caps.error_bytes:
            return False
        self.errors += 1
        self.error_bytes += size_bytes
        return True

    def leave_out(self, what: str, count: int = 1) -> None:
        """Count something that is not shown; `what` is a key of SENTENCES."""
        if count:
            self.left_out[what] += count

    def sentences(self) -> Iterator[str]:
        """Sentences on what is missing, for the step's reader."""
        facts = {
            "outputs": self.caps.outputs,
            "types": self.caps.types,
            "images": self.caps.images,
            "images_of_output": self.caps.images_of_output,
            "errors": self.caps.errors,
            "mib": self.caps.shown_bytes // MIB,
        }
        for what, sentence in SENTENCES.items():
            if count := self.left_out[what]:
                yield sentence.format(count=count, **facts)


SENTENCES = {
    "outputs": "{count} displayed outputs are left out: a cell may show {outputs} of them and "
    "{mib} MiB in all.",
    "types": "{count} formats of displayed outputs are left out: an output may have {types}.",
    "images": "{count} images are left out: an output may have {images_of_output} and a cell "
    "{images} in all.",
    "errors": "{count} errors are left out: a cell may show {errors}, the last one among them.",
    "unreadable": "{count} parts of displayed outputs are left out: nested too deeply to be kept.",
    "messages": "{count} outputs are left out: too large or unreadable.",
    "flood": "{count} outputs are left out: they came after the cell was stopped.",
}


def size_of(text: str) -> int:
    """Bytes of a text as UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
