"""Connections that end when the server falls silent, whatever lies between it and us.

TCP notices a peer that is gone. It does not notice a database that is stopped, or one behind a
proxy that swallows what is sent. A server that lives ends each statement by its own timeout, so
whoever hears nothing for longer than that hears nothing any more. The wait ends with an
OperationalError, as when the server had closed the connection.

This module also stands in for psycopg where Django asks its driver for exceptions and types.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from typing import Any

from psycopg import (
    Binary,
    Connection,
    DatabaseError,
    DataError,
    Error,
    IntegrityError,
    InterfaceError,
    InternalError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
)

__all__ = [
    "Binary",
    "DataError",
    "DatabaseError",
    "Error",
    "IntegrityError",
    "InterfaceError",
    "InternalError",
    "NotSupportedError",
    "OperationalError",
    "ProgrammingError",
    "connect",
    "hurry",
]

HURRIED_S = 2.0  # of a process that is asked to end
_is_hurried = threading.Event()


class Silence(OperationalError):
    """The server said nothing for too long."""


class BoundedConnection(Connection[Any]):
    """A connection that waits for an answer for at most `silence_s` seconds; with 0 for ever."""

    silence_s = 0.0

    def wait(self, gen: Any, *arguments: Any, **options: Any) -> Any:
        try:
            return super().wait(self.listen(gen), *arguments, **options)
        except Silence:
            self.pgconn.finish()  # nobody is there to say good-bye to
            raise

    def listen(self, gen: Any) -> Generator[Any, Any, Any]:
        """Pass on what psycopg and the socket say; each time nothing is ready, look at the time."""
        began_s, ready = time.monotonic(), None
        while True:
            try:
                wanted = gen.send(ready)
            except StopIteration as end:
                return end.value
            ready = yield wanted
            if ready:
                began_s = time.monotonic()
            elif self.is_over(time.monotonic() - began_s):
                gen.close()
                raise Silence("the database said nothing for too long")

    def is_over(self, waited_s: float) -> bool:
        limit_s = HURRIED_S if _is_hurried.is_set() else self.silence_s
        return bool(limit_s) and waited_s > limit_s


connect = BoundedConnection.connect


def hurry() -> None:
    """From now on wait for no answer for long: the process is asked to end."""
    _is_hurried.set()
