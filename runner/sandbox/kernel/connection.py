"""Runs cells over a kernel's sockets; every message is untrusted and bounded."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import time
from collections.abc import Iterator
from typing import Any, Protocol

from runner.contract import KILLED_NOTICES, CellResult, CellStatus, KernelLost
from runner.sandbox.kernel import zmtp
from runner.sandbox.kernel.cell_outputs import CellOutputs
from runner.sandbox.kernel.messages import Codec, KernelMessage
from runner.sandbox.kernel.output_budget import OutputAllowance, TooMuch

GRACE_S = 2.0  # between SIGINT and SIGKILL
IDLE_AFTER_REPLY_S = 1.0  # how long a lost "idle" is waited for, from the last that was heard
LONGEST_AFTER_REPLY_S = 20.0  # however much is heard
CONNECT_TIMEOUT_S = 60.0
CHANNELS = ("shell", "iopub")

LOST = "The kernel is gone: its variables are lost, the files in the working folder are kept."
EARLIER = (
    "Unless this cell's own code ended it, something that an earlier cell started did, such as a "
    "thread: then run this cell again."
)


log = logging.getLogger(__name__)


class Kernel(Protocol):
    """The process at the other end."""

    died: asyncio.Event

    def interrupt(self) -> None: ...

    async def end(self) -> None:
        """Kill it and wait until it is dead."""

    def is_out_of_memory(self) -> bool: ...


class RunningCell:
    """One cell on its way: what it said, and how far it is."""

    def __init__(self, message_id: str, outputs: CellOutputs) -> None:
        loop = asyncio.get_running_loop()
        self.id = message_id
        self.shows = True  # else its reply says it all, and there is nothing else to wait for
        self.last_end_s = 0.0  # by the loop's clock, once there is a reply
        self.end_timer: asyncio.TimerHandle | None = None
        self.outputs = outputs
        self.ended: asyncio.Future[None] = loop.create_future()  # replied and idle
        self.failed: asyncio.Future[str] = loop.create_future()  # a key of KILLED_NOTICES
        self.has_begun = False  # the kernel said something about it
        self.has_reply = self.is_idle = self.has_failed_reply = self.is_interrupted = False
        self.reply: dict[str, Any] = {}

    def take(self, channel: str, message: KernelMessage) -> None:
        if message.parent != self.id:
            return
        self.has_begun = True
        if channel == "shell":
            self.take_reply(message.content)
        elif message.type == "status":
            self.is_idle = self.is_idle or message.content.get("execution_state") == "idle"
        elif message.type == "error" or not self.failed.done():
            self.outputs.add(message)
        else:
            self.outputs.allowance.leave_out("flood")
        self.check_end()

    def take_reply(self, content: dict[str, Any]) -> None:
        self.has_reply, self.reply = True, content
        self.has_failed_reply = content.get("status") != "ok"
        self.last_end_s = asyncio.get_running_loop().time() + LONGEST_AFTER_REPLY_S

    def interrupt(self) -> None:
        """IPython loses a reply now and then: what says from now on that it is idle has ended.

        What said so before, and went on without a reply, had not.
        """
        if self.has_reply:
            return
        self.is_interrupted, self.is_idle = True, False
        self.last_end_s = asyncio.get_running_loop().time() + GRACE_S / 2

    def lose_message(self, channel: str) -> None:
        """One that was too large, or unreadable."""
        self.outputs.allowance.leave_out("messages", channel == "iopub")
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
        moment_s = min(loop.time() + IDLE_AFTER_REPLY_S, self.last_end_s)
        self.end_timer = loop.call_at(moment_s, self.end)

    def end(self) -> None:
        if not self.ended.done():
            self.ended.set_result(None)

    def fail(self, reason: str) -> None:
        if not self.failed.done():
            self.failed.set_result(reason)


class KernelConnection:
    """The connection to one kernel. `lost` says why it can be used no more, "" while it can."""

    def __init__(self, kernel: Kernel, key: bytes, stream_chars: int) -> None:
        self.kernel = kernel
        self.stream_chars = stream_chars
        self.allowance = OutputAllowance(on_flood=self.stop_flood)
        self.lost = ""
        self.cell: RunningCell | None = None
        self.has_begun = False  # the last cell
        self.has_run_cells = False
        self.heard = {channel: asyncio.Event() for channel in CHANNELS}
        self.codec = Codec.of(key)
        self.writers: dict[str, asyncio.StreamWriter] = {}
        self.readers: list[asyncio.Task[None]] = []

    async def connect(self, sockets: dict[str, socket.socket]) -> None:
        """Take over our ends of the channels, and hear that the kernel is there.

        Raises KernelLost when the kernel does not answer in time.
        """
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                for channel in CHANNELS:
                    reader, self.writers[channel] = await asyncio.open_unix_connection(
                        sock=sockets.pop(channel), limit=1 << 18
                    )
                    self.readers.append(asyncio.create_task(self.listen(channel, reader)))
                await self.await_first_word()
        except (TimeoutError, OSError) as error:
            raise KernelLost("The kernel did not answer in time.") from error

    async def await_first_word(self) -> None:
        """Our kernels say that they start once they have taken up both channels."""
        death = asyncio.create_task(self.kernel.died.wait())
        word = asyncio.create_task(self.heard["iopub"].wait())
        try:
            await asyncio.wait((death, word), return_when=asyncio.FIRST_COMPLETED)
        finally:
            death.cancel()
            word.cancel()
        if self.lost or self.kernel.died.is_set():
            raise KernelLost("The kernel died while it started.")

    def send(self, kind: str, content: dict[str, Any]) -> str:
        message_id, frames = self.codec.request(kind, content)
        self.writers["shell"].write(zmtp.encode(frames))
        return message_id

    async def listen(self, channel: str, reader: asyncio.StreamReader) -> None:
        """Read one channel to its end, which is the kernel's, whatever it comes of."""
        try:
            while True:
                frames = await zmtp.read_message(reader, self.allowance)
                self.hear(channel, self.codec.parse(frames) if frames is not None else None)
        except TooMuch:
            self.lose("flood")
        except (OSError, asyncio.IncompleteReadError):
            self.lose("died")
        except Exception:  # the edge of what a kernel says: a dead reader would tell nobody
            log.exception("A kernel's message on %s could not be taken", channel)
            self.lose("unreadable")

    async def close(self) -> None:
        for task in self.readers:
            task.cancel()
        await asyncio.gather(*self.readers, return_exceptions=True)
        for writer in self.writers.values():
            writer.transport.abort()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    def hear(self, channel: str, message: KernelMessage | None) -> None:
        """Take a message in; None stands for one that was too large, or unreadable."""
        self.heard[channel].set()
        cell = self.cell
        if cell is None:
            return
        if message is None:
            cell.lose_message(channel)
        else:
            cell.take(channel, message)

    def stop_flood(self) -> None:
        """More was read than one cell may send, whether or not it makes messages."""
        if self.cell:
            self.cell.fail("flood")

    def lose(self, reason: str) -> None:
        self.lost = self.lost or reason
        if self.cell:
            self.cell.fail(reason)
        self.heard["iopub"].set()  # there will be no first word

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
        self.has_begun, self.has_run_cells = cell.has_begun, True
        duration_s = time.monotonic() - started
        return CellResult(status, cell.outputs.finish(), duration_s, reason)

    @contextlib.contextmanager
    def asking(self, request: dict[str, Any]) -> Iterator[RunningCell]:
        """A cell with this request under way, which fails when the kernel does."""
        self.allowance.reset()
        message_id = self.send("execute_request", request)
        outputs = CellOutputs(self.stream_chars, self.allowance)
        cell = self.cell = RunningCell(message_id, outputs)
        if self.lost:
            cell.fail(self.lost)
        death = asyncio.create_task(self.kernel.died.wait())
        death.add_done_callback(lambda task: None if task.cancelled() else cell.fail("died"))
        try:
            yield cell
        finally:
            death.cancel()
            self.cell = None

    async def see_through(self, cell: RunningCell, timeout_s: float) -> tuple[CellStatus, str]:
        """Follow the cell to its end and return that, with the reason if it was stopped."""
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
        cell.outputs.note(f"{KILLED_NOTICES[reason]} {LOST}")
        if reason == "died" and self.has_run_cells:
            cell.outputs.note(EARLIER)
        return CellStatus.KILLED, reason

    async def interrupt(self, cell: RunningCell) -> bool:
        """Interrupt the cell; True if it ended within the grace after SIGINT."""
        self.kernel.interrupt()
        cell.interrupt()
        await asyncio.wait((cell.ended,), timeout=GRACE_S)
        return cell.ended.done()


def note_interrupt(cell: RunningCell, reason: str, timeout_s: float) -> tuple[CellStatus, str]:
    if reason == "timeout":
        cell.outputs.note(
            f"The cell was interrupted after {timeout_s:g} s. The kernel and its variables live on."
        )
        return CellStatus.TIMEOUT, reason
    cell.outputs.note("The cell was interrupted because it sent more output than can be taken.")
    return CellStatus.ERROR, reason
