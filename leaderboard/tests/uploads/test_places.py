"""The lines of uploads: one is read, others wait in the order they came, one of an account."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from conftest import wait_until
from leaderboard.models import AccountUse
from leaderboard.tests.support.confined_readers import take_long, tell_limits
from leaderboard.tests.support.uploaded import chat_line, send_file
from leaderboard.uploads import confined
from leaderboard.uploads.confined import (
    ACCOUNTS,
    ADDRESSES,
    LARGE,
    MOST_OF_GUESTS,
    MOST_UNDER_WAY,
    SMALL,
    SMALL_BYTES,
    ReadingLine,
    one_at_a_time,
    one_of_address,
    read_confined,
)
from leaderboard.uploads.reading import read_in_parts
from leaderboard.uploads.receive import announced
from runner.contract import ProblemError


def test_uploads_are_read_in_the_order_they_came() -> None:
    got: list[int] = []
    line = ReadingLine(1, 1)

    def read(number: int) -> None:
        with line.turn():
            got.append(number)

    waiting = [threading.Thread(target=read, args=[n]) for n in range(2, 11)]
    with line.turn():
        for place, thread in enumerate(waiting, 2):
            thread.start()
            wait_until(lambda: len(line.waiting) == place, "it waits")  # noqa: B023
        assert got == []
    for thread in waiting:
        thread.join(120)
    assert got == [*range(2, 11)]
    assert not line.waiting


def test_second_upload_of_an_account_and_one_too_many_are_refused() -> None:
    for account in range(1, MOST_UNDER_WAY):
        ACCOUNTS.add(account)
    try:
        with one_at_a_time(MOST_UNDER_WAY):
            with pytest.raises(ProblemError, match="Another upload of yours"), one_at_a_time(1):
                pytest.fail("two of one account")
            with pytest.raises(ProblemError, match="Other uploads are being"), one_at_a_time(99):
                pytest.fail("one too many")
        with pytest.raises(ValueError, match="x"), one_at_a_time(MOST_UNDER_WAY):
            raise ValueError("x")
        assert MOST_UNDER_WAY not in ACCOUNTS
        with one_of_address("a"):  # which takes no account's place
            pass
    finally:
        ACCOUNTS.clear()


def test_guests_of_several_addresses_are_read_beside_one_another() -> None:
    with ExitStack() as under_way:
        for number in range(MOST_OF_GUESTS):
            under_way.enter_context(one_of_address(f"192.0.2.{number}"))
        with pytest.raises(ProblemError, match="network address"), one_of_address("192.0.2.0"):
            pytest.fail("two of one address")
        with pytest.raises(ProblemError, match="Other uploads"), one_of_address("192.0.2.9"):
            pytest.fail("one too many")
        with one_at_a_time(1):  # no guest takes an account's place
            pass
    assert not ADDRESSES


def test_small_file_waits_for_no_large_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confined, "WAIT_S", 0.01)
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(b"x" * SMALL_BYTES)
    large.write_bytes(b"x" * (SMALL_BYTES + 1))
    assert list(read_confined(tell_limits, large, "")) == [LARGE.cpu_s]
    with LARGE.turn():
        assert list(read_confined(tell_limits, small, "")) == [SMALL.cpu_s]
        for read, path in ((tell_limits, large), (take_long, small)):
            with pytest.raises(ProblemError, match="Other uploads are being read"):
                read_confined(read, path, "")
    assert list(read_confined(take_long, small, "")) == [LARGE.cpu_s]  # its second line
    assert not SMALL.waiting
    assert not LARGE.waiting


def test_file_that_takes_more_memory_than_it_may_is_no_fault_of_the_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "many.jsonl"
    path.write_bytes(b"{}\n" * 10_000_000)
    monkeypatch.setattr(confined, "LARGE", ReadingLine(60, 400 << 20))
    with pytest.raises(ProblemError, match="more time or memory to read than an upload may"):
        next(read_confined(read_in_parts, path, path.name))


@pytest.mark.django_db
def test_file_that_was_not_read_for_others_is_not_counted(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confined, "WAIT_S", 0.01)
    with SMALL.turn():
        answer = send_file(ada, chat_line())
    assert answer.status_code == 503
    assert "Other uploads are being read" in answer.content.decode()
    assert not AccountUse.objects.exists()


def test_odd_lengths_announce_nothing(subtests: pytest.Subtests) -> None:
    for length, size in [
        ("12", 12),
        ("", 0),
        ("-1", 0),
        ("²", 0),
        ("٣", 0),
        ("9" * 5_000, 0),
        ("1e3", 0),
        ("+5", 0),
    ]:
        with subtests.test(length=length, size=size):
            assert announced(length) == size
