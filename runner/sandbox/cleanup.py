"""Undoing what was begun when what follows fails, or is cancelled."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager


@contextmanager
def on_failure(undo: Callable[..., object], *arguments: object) -> Iterator[None]:
    """Call `undo` with the arguments when the block does not come to its end; it still raises."""
    with ExitStack() as undoing:
        undoing.callback(undo, *arguments)
        yield
        undoing.pop_all()


@asynccontextmanager
async def on_failure_await(
    undo: Callable[..., Awaitable[object]], *arguments: object
) -> AsyncIterator[None]:
    """The same for what has to be waited for."""
    async with AsyncExitStack() as undoing:
        undoing.push_async_callback(undo, *arguments)
        yield
        undoing.pop_all()
