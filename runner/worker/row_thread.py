"""The one thread in which a driver writes rows."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class RowThread:
    """Calls one act after the other, and tells for how long it has been at one."""

    def __init__(self, before: Callable[[], None], after: Callable[[], None]) -> None:
        self.before = before  # called in the thread before each act
        self.after = after  # called there once, at the end
        self.began_s: float | None = None  # the act under way
        self.executor = ThreadPoolExecutor(1, thread_name_prefix="rows")

    async def call(self, act: Callable[..., T], *arguments: object) -> T:
        context = contextvars.copy_context()  # for the log, which says of what attempt it speaks
        call = functools.partial(context.run, self.work, act, *arguments)
        return await asyncio.get_running_loop().run_in_executor(self.executor, call)

    def work(self, act: Callable[..., T], *arguments: object) -> T:
        self.began_s = time.monotonic()
        try:
            self.before()
            return act(*arguments)
        finally:
            self.began_s = None

    def busy_s(self) -> float:
        """For how long the thread has been at one act, which takes milliseconds."""
        began_s = self.began_s
        return 0.0 if began_s is None else time.monotonic() - began_s

    def close(self) -> None:
        self.executor.submit(self.after)
        self.executor.shutdown()
