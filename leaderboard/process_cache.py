"""In-process cache for expensive values that many requests share."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass
class CachePlace(Generic[T]):
    """One key's place: whoever holds the lock makes the value."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    value: T | None = None
    made_at_s: float = 0.0  # on the shelf's clock
    size: int = 0  # of the value, as the shelf measures it


class Shelf(Generic[T]):
    """The `size` values that were asked for last, each made by one of those who ask for it.

    Where `measure` says how large a value is, they are at most `most` together, beside the last.

    A value that is no longer current is made again, but not before it is `rest_s` old; while one
    reader makes it, the others get the one before. The key must name everything that a value
    depends on but time: what one reader may see and another may not is never under the same key.
    """

    def __init__(
        self,
        size: int,
        rest_s: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
        measure: Callable[[T], int] | None = None,
        most: int = 0,
    ) -> None:
        self.size, self.rest_s, self.clock = size, rest_s, clock
        self.measure, self.most = measure, most
        self._places: OrderedDict[Hashable, CachePlace[T]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], T], is_current: Callable[[T], bool]) -> T:
        """The value under `key`. What `make` raises is raised here, and nothing is kept of it."""
        place = self._place(key)
        known = place.value
        if known is not None and self._is_good(place, known, is_current):
            return known
        if not place.lock.acquire(blocking=known is None):
            assert known is not None
            return known
        try:
            if place.value is None or not self._is_good(place, place.value, is_current):
                started_at_s = self.clock()
                place.value, place.made_at_s = make(), started_at_s
                if self.measure:
                    self._make_room(place, self.measure(place.value))
            return place.value
        finally:
            place.lock.release()

    def clear(self) -> None:
        with self._lock:
            self._places.clear()

    def _is_good(self, place: CachePlace[T], value: T, is_current: Callable[[T], bool]) -> bool:
        return is_current(value) or self.clock() - place.made_at_s < self.rest_s

    def _place(self, key: Hashable) -> CachePlace[T]:
        with self._lock:
            place = self._places.setdefault(key, CachePlace())
            self._places.move_to_end(key)
            while len(self._places) > self.size:
                self._places.popitem(last=False)
            return place

    def _make_room(self, newest: CachePlace[T], size: int) -> None:
        """Drop what was asked for longest ago, until all that is kept is small enough."""
        with self._lock:
            newest.size = size
            total = sum(place.size for place in self._places.values())
            for key, place in list(self._places.items()):
                if total <= self.most:
                    break
                if place is not newest:
                    total -= place.size
                    del self._places[key]
