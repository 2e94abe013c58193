"""Calls a function for many items on a few threads, with a bounded number of them under way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

THREADS = 8  # a bucket answers slowly, but many at a time
BATCH = 512  # items whose results are held at once


def map_in_threads(call: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """The results in the order of the items. The first exception ends it."""
    waiting = iter(items)
    with ThreadPoolExecutor(THREADS) as pool:
        while batch := list(islice(waiting, BATCH)):
            yield from pool.map(call, batch)
