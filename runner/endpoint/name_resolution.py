"""Resolves the names of endpoints, so that a slow name service of one delays no other.

The system's resolver cannot be stopped: a look-up that is given up holds its thread until the
system itself gives up. So each look-up has a thread of its own rather than a place in a pool, each
name at most one, and each zone (example.com) few; what is beyond that fails at
once, and says so, instead of waiting in front of others.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

MOST_THREADS = 256
MOST_OF_A_ZONE = 8
SHORTEST_OWN = 4  # letters of a second label that is somebody's own, unlike "co" in co.uk

LookUp = Callable[..., list[Any]]
Key = tuple[str, int]


class Busy(OSError):
    """Too many look-ups are under way that do not end."""


class Resolver:
    """Look-ups under way in this process. `look_up` is the system's, with its hosts file."""

    def __init__(self, look_up: LookUp | None = None) -> None:
        self.look_up = look_up
        self.lock = threading.Lock()
        self.waiting: dict[Key, list[Waiter]] = {}  # by look-up under way
        self.zones: Counter[str] = Counter()

    async def resolve(self, host: str, port: int) -> list[str]:
        """The addresses of `host` as the system knows them. Raises OSError; may be cancelled."""
        waiter = Waiter(asyncio.get_running_loop())
        self.join((host, port), waiter)
        return await waiter.answer

    def join(self, key: Key, waiter: Waiter) -> None:
        """Wait for the look-up of the same name, or begin one. Raises Busy."""
        zone = zone_of(key[0])
        with self.lock:
            if key in self.waiting:
                self.waiting[key].append(waiter)
                return
            if self.zones[zone] >= MOST_OF_A_ZONE or len(self.waiting) >= MOST_THREADS:
                raise Busy(f"the name service is slow to answer for {zone}")
            self.waiting[key] = [waiter]
            self.zones[zone] += 1
        thread = threading.Thread(target=self.work, args=(key, zone), name="names", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:  # no thread to be had
            self.leave(key, zone)
            raise Busy("no thread is free to resolve a name") from error

    def work(self, key: Key, zone: str) -> None:
        addresses: list[str] = []
        failure: Exception | None = None
        try:
            answers = (self.look_up or socket.getaddrinfo)(*key, type=socket.SOCK_STREAM)
            addresses = [str(answer[4][0]) for answer in answers]
        except Exception as error:  # whatever it was, those who wait must hear of it
            failure = error
        for waiter in self.leave(key, zone):
            waiter.tell(addresses, failure)

    def leave(self, key: Key, zone: str) -> list[Waiter]:
        with self.lock:
            self.zones[zone] -= 1
            if not self.zones[zone]:
                del self.zones[zone]
            return self.waiting.pop(key)


class Waiter:
    """Somebody who waits for a look-up, on a loop that may be closed before it ends."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.answer: asyncio.Future[list[str]] = loop.create_future()

    def tell(self, addresses: list[str], failure: Exception | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self.loop.call_soon_threadsafe(self.settle, addresses, failure)

    def settle(self, addresses: list[str], failure: Exception | None) -> None:
        if self.answer.done():
            return
        if failure is None:
            self.answer.set_result(addresses)
        else:
            self.answer.set_exception(failure)


def zone_of(host: str) -> str:
    """The part of a name that one owner answers for: example.com, example.co.uk."""
    labels = host.lower().rstrip(".").split(".")
    is_shared = len(labels) > 2 and len(labels[-2]) < SHORTEST_OWN
    return ".".join(labels[-3 if is_shared else -2 :])


@cache
def resolver() -> Resolver:
    """This process's."""
    return Resolver()
