"""The line of uploads: one is read, others wait in the order they came, one of an account."""

from __future__ import annotations

import threading

import pytest

from conftest import wait_until
from leaderboard.uploads import confined
from leaderboard.uploads.confined import LINE, MOST_IN_LINE, one_at_a_time
from leaderboard.uploads.receive import announced
from runner.contract import ProblemError


def test_uploads_of_many_accounts_are_read_in_the_order_they_came() -> None:
    got: list[int] = []

    def send(account: int) -> None:
        with one_at_a_time(account):
            got.append(account)

    waiting = [threading.Thread(target=send, args=[n]) for n in range(2, MOST_IN_LINE + 1)]
    with one_at_a_time(1):
        for place, thread in enumerate(waiting, 2):
            thread.start()
            wait_until(lambda: len(LINE) == place, "it waits")  # noqa: B023
        refused = pytest.raises(ProblemError, match="Other uploads are being read")
        with refused, one_at_a_time(MOST_IN_LINE + 1):
            got.append(-1)
        for own in (1, 2):
            refused = pytest.raises(ProblemError, match="Another upload of yours is being read")
            with refused, one_at_a_time(own):
                got.append(-1)
        assert got == []
    for thread in waiting:
        thread.join(120)
    assert got == [*range(2, MOST_IN_LINE + 1)]
    assert not LINE


def test_place_is_free_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confined, "WAIT_S", 0.01)
    with pytest.raises(ValueError, match="x"), one_at_a_time(1):
        raise ValueError("x")
    with one_at_a_time(1), pytest.raises(ProblemError, match="Other uploads"), one_at_a_time(2):
        pytest.fail("two at a time")
    assert not LINE


@pytest.mark.parametrize(
    ("length", "size"),
    [("12", 12), ("", 0), ("-1", 0), ("²", 0), ("٣", 0), ("9" * 5_000, 0), ("1e3", 0), ("+5", 0)],
)
def test_odd_lengths_announce_nothing(length: str, size: int) -> None:
    assert announced(length) == size
