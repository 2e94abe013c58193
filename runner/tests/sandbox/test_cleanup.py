"""A block that fails or is called off undoes what was begun, and no other block does."""

from __future__ import annotations

import asyncio

import pytest

from runner.sandbox.cleanup import on_failure, on_failure_await


class Begun:
    def __init__(self) -> None:
        self.ended: list[str] = []

    def end(self, word: str = "ended") -> None:
        self.ended.append(word)

    async def end_in_time(self, word: str = "ended") -> None:
        await asyncio.sleep(0)
        self.ended.append(word)


@pytest.fixture
def begun() -> Begun:
    return Begun()


@pytest.mark.parametrize("error", [OSError, asyncio.CancelledError, KeyboardInterrupt])
async def test_a_failure_undoes_and_goes_on(error: type[BaseException], begun: Begun) -> None:
    with pytest.raises(error), on_failure(begun.end, "now"):
        raise error
    with pytest.raises(error):
        async with on_failure_await(begun.end_in_time, "later"):
            raise error
    assert begun.ended == ["now", "later"]


async def test_what_comes_to_its_end_is_kept(begun: Begun) -> None:
    async def answer() -> int:
        async with on_failure_await(begun.end_in_time):
            with on_failure(begun.end):
                return 7

    assert await answer() == 7
    assert begun.ended == []


async def test_a_cancelled_wait_is_undone_before_it_ends(begun: Begun) -> None:
    async def wait() -> None:
        async with on_failure_await(begun.end_in_time):
            await asyncio.sleep(600)

    task = asyncio.create_task(wait())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert begun.ended == ["ended"]


async def test_the_last_begun_is_undone_first(begun: Begun) -> None:
    with pytest.raises(ValueError, match="odd"):
        async with (
            on_failure_await(begun.end_in_time, "room"),
            on_failure_await(begun.end_in_time, "kernel"),
        ):
            raise ValueError("odd")
    assert begun.ended == ["kernel", "room"]
