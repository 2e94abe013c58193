"""Threads that uploads may take of a web process: one is read, one waits, others are refused."""

from __future__ import annotations

import threading

import pytest

from conftest import wait_until
from leaderboard.uploads import confined
from leaderboard.uploads.confined import ONE_AT_A_TIME, ONE_WAITS, SENDERS, one_at_a_time
from leaderboard.uploads.receive import announced
from runner.contract import ProblemError


def test_a_third_upload_is_refused_at_once() -> None:
    got: list[str] = []

    def second() -> None:
        with one_at_a_time(2):
            got.append("second")

    waiting = threading.Thread(target=second)
    with one_at_a_time(1):
        waiting.start()
        wait_until(lambda: ONE_WAITS._value == 0, "the second one waits")
        refused = pytest.raises(ProblemError, match="Another upload is being read")
        with refused, one_at_a_time(3):
            got.append("third")
        for own in (1, 2):  # the place that waits is kept for another account
            refused = pytest.raises(ProblemError, match="Another upload of yours is being read")
            with refused, one_at_a_time(own):
                got.append("another of theirs")
        assert got == []
    waiting.join(120)
    assert got == ["second"]
    assert ONE_AT_A_TIME.acquire(blocking=False)
    ONE_AT_A_TIME.release()


def test_the_place_is_free_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confined, "WAIT_S", 0.01)
    with pytest.raises(ValueError, match="x"), one_at_a_time(1):
        raise ValueError("x")
    with one_at_a_time(1), pytest.raises(ProblemError), one_at_a_time(2):
        pytest.fail("two at a time")
    with one_at_a_time(2):
        assert not ONE_AT_A_TIME.acquire(blocking=False)
    assert not SENDERS


@pytest.mark.parametrize(
    ("length", "size"),
    [("12", 12), ("", 0), ("-1", 0), ("²", 0), ("٣", 0), ("9" * 5_000, 0), ("1e3", 0), ("+5", 0)],
)
def test_odd_lengths_announce_nothing(length: str, size: int) -> None:
    assert announced(length) == size
