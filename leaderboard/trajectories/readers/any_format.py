"""Reads trajectories of any known format, recognised by the file's content."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from leaderboard.trajectories.readers.attempt_reading import AttemptReading, LineError

log = logging.getLogger(__name__)

FAULT = "The file could not be read, which is a fault of this reader and not of the file."


def read_any(data: bytes, name: str = "") -> AttemptReading:
    """The attempts in `data`. What cannot be read is in `errors`.

    `name` is the file's name. It decides nothing: the content does. Raises MemoryError alone, which
    is no fault of this reader.
    """
    # Loaded by the process that reads: those that only pass a file on need none of it.
    from leaderboard.trajectories.readers.recognition import read_packed

    try:
        with no_collections():
            return read_packed(data)
    except MemoryError:
        raise
    except Exception:
        log.exception("Trajectories could not be read from a file of %d bytes.", len(data))
        return AttemptReading((), (LineError(1, FAULT),), "an unknown file")


@contextmanager
def no_collections() -> Iterator[None]:
    """Leave garbage alone: each collection walks all that was read so far, a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
