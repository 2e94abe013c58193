"""The last line of a duty: what goes wrong in it is logged, and the process goes on."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def logged(log: logging.Logger, said: str, *arguments: object) -> Iterator[None]:
    """Log an exception of this block with its traceback, under these words, and end the block.

    For blocks that the process must outlive whatever comes.
    """
    try:
        yield
    except Exception:  # a loop that ended here would leave its work undone without a word
        log.exception(said, *arguments)
