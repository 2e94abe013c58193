"""Waiting for something that may take long, and calling it off when asked to."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

POLL_S = 1.0  # how often a wait asks whether it should stop
LET_GO_S = 15.0  # for work that was called off to clear up after itself


class Stopped(Exception):
    """Somebody asked to stop."""


async def wait_for(work: Coroutine[Any, Any, T], should_stop: Callable[[], bool]) -> T:
    """The result of `work`, which has a deadline of its own, or Stopped within about a second."""
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({task}, timeout=POLL_S))[0]:
            if should_stop():
                raise Stopped
        return task.result()
    finally:
        await let_go(task)


def loop_time(deadline_s: float) -> float:
    """A deadline of time.monotonic() on the clock of the running loop."""
    return asyncio.get_running_loop().time() + deadline_s - time.monotonic()


async def let_go(task: asyncio.Future[Any]) -> None:
    """Cancel `task` and give it time to clear up; its own end no longer matters."""
    if not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=LET_GO_S)
    if task.done() and not task.cancelled():
        task.exception()  # seen, so that the loop does not complain of it
