"""The event loop's end: work that is handed in meanwhile or later is called off, never awaited."""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from conftest import wait_until
from runner.worker.event_loop import EventLoop


async def work() -> int:
    return 1


def test_work_after_the_end_is_called_off() -> None:
    loop = EventLoop()
    assert loop.run(work()) == 1
    loop.stop()
    assert loop.join(10)
    with pytest.raises(CancelledError):
        loop.run(work())


def test_work_between_the_last_turn_and_the_end_is_called_off() -> None:
    loop = EventLoop()
    close, asked = loop.loop.close, threading.Event()

    def close_late() -> None:
        assert asked.wait(10)
        close()

    def ask() -> int:
        work_of_us = work()
        threading.Timer(0.2, asked.set).start()
        return loop.run(work_of_us)

    loop.loop.close = close_late  # type: ignore[method-assign]
    loop.stop()
    wait_until(lambda: not loop.loop.is_running(), "its last turn is over")
    pool = ThreadPoolExecutor(1)
    with pytest.raises(CancelledError):
        pool.submit(ask).result(10)
    pool.shutdown(wait=False)
    assert loop.join(10)
