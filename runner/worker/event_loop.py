"""The one event loop of a worker process: tasks hand it what waits, and wait in their threads."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import CancelledError
from typing import Any, TypeVar

T = TypeVar("T")

GRACE_S = 1.5  # for work to notice that the worker stops
LAST_GRACE_S = 4.5  # for what did not, to be cancelled


class EventLoop:
    """Lives in a thread of its own as long as the process: kernels end with that thread."""

    def __init__(self) -> None:
        self.works: set[asyncio.Task[Any]] = set()
        self.at_stop: list[Callable[[], Awaitable[None]]] = []  # before what it does ends
        self.at_end: list[Callable[[], Awaitable[None]]] = []
        self.is_stopping = self.has_ended = False
        self.ending = threading.Lock()  # nothing is handed in while the end is declared
        self.stopping = asyncio.Event()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.live, name="event-loop", daemon=True)
        self.thread.start()
        self.ready.wait()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Have it done in the loop, and wait. Raises CancelledError when the worker stops."""
        with self.ending:
            if self.has_ended:
                work.close()
                raise CancelledError
            future = asyncio.run_coroutine_threadsafe(self.do(work), self.loop)
        return future.result()

    def call(self, act: Callable[..., object], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(act, *arguments)

    def stop(self) -> None:
        """Let work end by itself for a moment, then cancel it; returns at once."""
        self.call(self.begin_stop)

    def join(self, timeout_s: float) -> bool:
        """Wait for the end after `stop`; whether it came."""
        self.thread.join(timeout_s)
        return not self.thread.is_alive()

    def is_turning(self, within_s: float) -> bool:
        turned = threading.Event()
        self.call(turned.set)
        return turned.wait(within_s)

    # All that follows runs in the loop's thread.

    def live(self) -> None:
        with asyncio.Runner() as runner:
            self.loop = runner.get_loop()
            runner.run(self.live_until_stopped())
            with self.ending:
                self.has_ended = True
            runner.run(self.end_rest())

    async def live_until_stopped(self) -> None:
        self.ready.set()
        await self.stopping.wait()
        for act in self.at_stop:
            await act()
        await self.let_end(GRACE_S)
        for work in self.works:
            work.cancel()
        await self.let_end(LAST_GRACE_S)
        for close in self.at_end:
            await close()

    async def end_rest(self) -> None:
        """What was handed in last begins, finds that the worker stops, and says so."""
        for _ in range(3):
            await asyncio.sleep(0)

    async def let_end(self, timeout_s: float) -> None:
        if self.works:
            await asyncio.wait(self.works, timeout=timeout_s)

    async def do(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.current_task()
        assert task is not None
        if self.is_stopping:
            work.close()
            raise asyncio.CancelledError
        self.works.add(task)
        try:
            return await work
        finally:
            self.works.discard(task)

    def begin_stop(self) -> None:
        self.is_stopping = True
        self.stopping.set()
