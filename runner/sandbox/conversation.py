"""Cells on a kernel, however its messages travel: nothing it says is believed or hoarded."""

from __future__ import annotations

import asyncio
import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Protocol

from runner.contract import CellResult, CellStatus
from runner.sandbox import zmtp
from runner.sandbox.base import KernelLost
from runner.sandbox.cell import CellOutputs
from runner.sandbox.messages import Message

GRACE_S = 2.0  # between SIGINT and SIGKILL
IDLE_AFTER_REPLY_S = 1.0  # how long a lost "idle" is waited for, from the last that was heard
LONGEST_AFTER_REPLY_S = 20.0  # however much is heard
CELL_MESSAGES = 4_000
CELL_WIRE_BYTES = 48 << 20  # then the cell is stopped; the rest is thrown away up to Caps
CHANNELS = ("shell", "iopub")

LOST = "The kernel is gone: its variables are lost, the files in the working folder are kept."
KILLED_NOTICES = {
    "timeout": "The cell did not stop when it was interrupted and was killed.",
    "flood": "The cell sent more output than can be taken and was killed.",
    "memory": "The kernel was killed because it used more memory than it may.",
    "died": "The kernel died while the cell was running.",
}


class Kernel(Protocol):
    """The process at the other end."""

    died: asyncio.Event

    def interrupt(self) -> None: ...

    async def end(self) -> None:
        """Kill it and wait until it is dead."""

    def is_out_of_memory(self) -> bool: ...


class Cell:
    """One cell on its way: what it said, and how far it is."""

    def __init__(
        self, message_id: str, stream_chars: int, idle_after_reply_s: float = IDLE_AFTER_REPLY_S
    ) -> None:
        loop = asyncio.get_running_loop()
        self.id = message_id
        self.idle_after_reply_s = idle_after_reply_s
        self.shows = True  # else its reply says it all, and nothing is waited for besides
        self.last_end_s = 0.0  # by the loop's clock, once there is a reply
        self.end_timer: asyncio.TimerHandle | None = None
        self.outputs = CellOutputs(stream_chars)
        self.ended: asyncio.Future[None] = loop.create_future()  # replied and idle
        self.failed: asyncio.Future[str] = loop.create_future()  # "flood" | "died"
        self.has_reply = self.is_idle = self.has_failed_reply = self.is_interrupted = False
        self.reply: dict[str, Any] = {}

    def take(self, channel: str, message: Message) -> None:
        if message.parent != self.id:
            return
        if channel == "shell":
            self.take_reply(message.content)
        elif message.type == "status":
            self.is_idle = self.is_idle or message.content.get("execution_state") == "idle"
        else:
            self.outputs.add(message)
        self.check_end()

    def take_reply(self, content: dict[str, Any]) -> None:
        self.has_reply, self.reply = True, content
        self.has_failed_reply = content.get("status") != "ok"
        self.last_end_s = asyncio.get_running_loop().time() + LONGEST_AFTER_REPLY_S

    def interrupt(self, grace_s: float) -> None:
        """IPython loses a reply now and then: what says from now on that it is idle has ended.

        What said so before, and went on without a reply, had not.
        """
        if self.has_reply:
            return
        self.is_interrupted, self.is_idle = True, False
        self.last_end_s = asyncio.get_running_loop().time() + grace_s / 2

    def lose_message(self, channel: str) -> None:
        """One that was too large, or unreadable."""
        self.outputs.lost += channel == "iopub"
        if channel == "shell":
            self.take_reply({})
        self.check_end()

    def check_end(self) -> None:
        """Called with everything that is heard: what was said before the reply may come late."""
        if self.has_reply and (self.is_idle or not self.shows):
            self.end()
        has_lost_reply = self.is_interrupted and self.is_idle and self.shows
        if self.ended.done() or not (self.has_reply or has_lost_reply):
            return
        if self.end_timer:
            self.end_timer.cancel()
        loop = asyncio.get_running_loop()
        moment_s = min(loop.time() + self.idle_after_reply_s, self.last_end_s)
        self.end_timer = loop.call_at(moment_s, self.end)

    def end(self) -> None:
        if not self.ended.done():
            self.ended.set_result(None)

    def fail(self, reason: str) -> None:
        if not self.failed.done():
            self.failed.set_result(reason)


class Conversation(ABC):
    """With one kernel. `lost` says why it can be used no more, "" while it can.

    A kind sends requests its own way, reads what comes with `meter`, and hands each message over
    by `hear`.
    """

    what_is_lost = LOST  # with a kernel: what the model is told
    grace_s = GRACE_S
    idle_after_reply_s = IDLE_AFTER_REPLY_S

    def __init__(self, kernel: Kernel, stream_chars: int) -> None:
        self.kernel = kernel
        self.stream_chars = stream_chars
        self.meter = zmtp.Meter(zmtp.Caps())
        self.lost = ""
        self.cell: Cell | None = None
        self.heard = {channel: asyncio.Event() for channel in CHANNELS}

    @abstractmethod
    def send(self, kind: str, content: dict[str, Any]) -> str:
        """Put a request on its way to the shell channel; its id."""

    @abstractmethod
    async def close(self) -> None:
        """Let go of the connection."""

    async def greet(self) -> None:
        """Ask for the kernel's facts until both channels prove to carry messages.

        Raises KernelLost when it dies meanwhile.
        """
        while not all(event.is_set() for event in self.heard.values()):
            if self.lost or self.kernel.died.is_set():
                raise KernelLost("The kernel died while it started.")
            self.send("kernel_info_request", {})
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.2):
                    await self.heard["iopub"].wait()
                async with asyncio.timeout(5.0):
                    await self.heard["shell"].wait()

    def hear(self, channel: str, message: Message | None) -> None:
        """Take a message in; None stands for one that was too large, or unreadable."""
        self.heard[channel].set()
        cell = self.cell
        if cell is None:
            return
        if message is None:
            cell.lose_message(channel)
        else:
            cell.take(channel, message)
        if self.meter.messages > CELL_MESSAGES or self.meter.total_bytes > CELL_WIRE_BYTES:
            cell.fail("flood")

    def lose(self, reason: str) -> None:
        self.lost = self.lost or reason
        if self.cell:
            self.cell.fail(reason)

    async def execute(self, code: str, timeout_s: float) -> CellResult:
        """Run one cell to its end, to its deadline, or to the kernel's death."""
        started = time.monotonic()
        request = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": False,
        }
        with self.asking(request) as cell:
            status, reason = await self.see_through(cell, timeout_s)
        duration_s = time.monotonic() - started
        return CellResult(status, cell.outputs.finish(), duration_s, reason)

    @contextlib.contextmanager
    def asking(self, request: dict[str, Any]) -> Iterator[Cell]:
        """A cell with this request under way, which fails when the kernel does."""
        self.meter.reset()
        message_id = self.send("execute_request", request)
        cell = self.cell = Cell(message_id, self.stream_chars, self.idle_after_reply_s)
        if self.lost:
            cell.fail(self.lost)
        death = asyncio.create_task(self.kernel.died.wait())
        death.add_done_callback(lambda task: None if task.cancelled() else cell.fail("died"))
        try:
            yield cell
        finally:
            death.cancel()
            self.cell = None

    async def see_through(self, cell: Cell, timeout_s: float) -> tuple[CellStatus, str]:
        """How the cell ended, and why when it was stopped."""
        await asyncio.wait(
            (cell.ended, cell.failed), timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED
        )
        if cell.ended.done() or (cell.has_reply and not cell.failed.done()):
            has_error = cell.has_failed_reply or cell.outputs.has_error
            return (CellStatus.ERROR if has_error else CellStatus.OK), ""
        reason = cell.failed.result() if cell.failed.done() else "timeout"
        if reason != "died" and not self.lost and await self.interrupt(cell):
            return note_interrupt(cell, reason, timeout_s)
        await self.kernel.end()
        if reason == "died" and self.kernel.is_out_of_memory():
            reason = "memory"
        cell.outputs.note(f"{KILLED_NOTICES[reason]} {self.what_is_lost}")
        return CellStatus.KILLED, reason

    async def interrupt(self, cell: Cell) -> bool:
        """Whether the cell ended within the grace after SIGINT."""
        self.kernel.interrupt()
        cell.interrupt(self.grace_s)
        await asyncio.wait((cell.ended,), timeout=self.grace_s)
        return cell.ended.done()


def note_interrupt(cell: Cell, reason: str, timeout_s: float) -> tuple[CellStatus, str]:
    if reason == "timeout":
        cell.outputs.note(
            f"The cell was interrupted after {timeout_s:g} s. The kernel and its variables live on."
        )
        return CellStatus.TIMEOUT, reason
    cell.outputs.note("The cell was interrupted because it sent more output than can be taken.")
    return CellStatus.ERROR, reason
