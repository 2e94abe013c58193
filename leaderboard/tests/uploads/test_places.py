"""Threads that uploads may take of a web process: one is read, one waits, others are refused."""

from __future__ import annotations

import threading

import pytest

from conftest import wait_until
from leaderboard.uploads import keep
from leaderboard.uploads.confined import ONE_AT_A_TIME, ONE_WAITS
from leaderboard.uploads.receive import announced
from runner.contract import ProblemError


def test_a_third_upload_is_refused_at_once() -> None:
    got: list[str] = []

    def second() -> None:
        with keep.one_at_a_time():
            got.append("second")

    waiting = threading.Thread(target=second)
    with keep.one_at_a_time():
        waiting.start()
        wait_until(lambda: ONE_WAITS._value == 0, "the second one waits")
        refused = pytest.raises(ProblemError, match="Another upload is being read")
        with refused, keep.one_at_a_time():
            got.append("third")
        assert got == []
    waiting.join(120)
    assert got == ["second"]
    assert ONE_AT_A_TIME.acquire(blocking=False)
    ONE_AT_A_TIME.release()


def test_the_place_is_free_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keep, "WAIT_S", 0.01)
    with pytest.raises(ValueError, match="x"), keep.one_at_a_time():
        raise ValueError("x")
    with keep.one_at_a_time(), pytest.raises(ProblemError), keep.one_at_a_time():
        pytest.fail("two at a time")
    with keep.one_at_a_time():
        assert not ONE_AT_A_TIME.acquire(blocking=False)


@pytest.mark.parametrize(
    ("length", "size"),
    [("12", 12), ("", 0), ("-1", 0), ("²", 0), ("٣", 0), ("9" * 5_000, 0), ("1e3", 0), ("+5", 0)],
)
def test_odd_lengths_announce_nothing(length: str, size: int) -> None:
    assert announced(length) == size
