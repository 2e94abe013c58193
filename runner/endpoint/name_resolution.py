"""Resolves the names of endpoints in threads, since the system's resolver cannot be stopped.

A look-up that is given up holds its thread until the system gives up too. So each name has one
look-up at a time, for all who ask: an endpoint with a slow name service holds one thread.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any

THREADS = 64

LookUp = Callable[..., list[Any]]


class Resolver:
    """Look-ups under way in this process. `look_up` is the system's, with its hosts file."""

    def __init__(self, look_up: LookUp = socket.getaddrinfo) -> None:
        self.look_up = look_up
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="names")
        self.under_way: dict[tuple[str, int], Future[list[str]]] = {}

    async def resolve(self, host: str, port: int) -> list[str]:
        """The addresses of `host` as the system knows them. Raises OSError; may be cancelled."""
        found = self.under_way.get((host, port))
        if found is None:
            found = self.under_way[host, port] = self.threads.submit(self.ask, host, port)
            found.add_done_callback(lambda _: self.under_way.pop((host, port), None))
        return await asyncio.shield(asyncio.wrap_future(found))

    def ask(self, host: str, port: int) -> list[str]:
        answers = self.look_up(host, port, type=socket.SOCK_STREAM)
        return [str(answer[4][0]) for answer in answers]


@cache
def resolver() -> Resolver:
    """This process's."""
    return Resolver()
