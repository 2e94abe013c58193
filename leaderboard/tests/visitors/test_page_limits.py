"""One visitor cannot take a web process for themself with pages."""

from __future__ import annotations

import pytest
from django.test import Client

from leaderboard.visitors.page_limits import ALLOWANCE, MAX_VISITORS, Allowance, in_words

VISITOR, OTHER = "198.51.100.7", "198.51.100.8"


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_allowance_is_spent_and_fills_up_again() -> None:
    clock = Clock()
    allowance = Allowance(10.0, 60.0, clock)
    allowance.charge(VISITOR, 9.0)
    assert allowance.wait_s(VISITOR) == 0
    allowance.charge(VISITOR, 3.0)
    assert allowance.wait_s(VISITOR) == pytest.approx(12.0)  # two seconds too much, a sixth each
    assert allowance.wait_s(OTHER) == 0
    clock.now_s = 12.0
    assert allowance.wait_s(VISITOR) == pytest.approx(0.0)
    clock.now_s = 1000.0
    allowance.charge(VISITOR, 9.0)
    assert allowance.wait_s(VISITOR) == 0


def test_crowd_of_visitors_takes_no_more_memory_than_there_is_room_for() -> None:
    allowance = Allowance(10.0)
    for number in range(MAX_VISITORS + 100):
        allowance.charge(str(number), 1.0)
    assert len(allowance.spent) == MAX_VISITORS


@pytest.mark.django_db
def test_visitor_over_the_limit_waits_and_others_do_not() -> None:
    ALLOWANCE.charge(VISITOR, 11.0)
    answer = Client(REMOTE_ADDR=VISITOR).get("/about/method/")
    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= 7
    assert b"Please wait" in answer.content
    for address in (OTHER, "127.0.0.1"):
        assert Client(REMOTE_ADDR=address).get("/about/method/").status_code == 200
    assert Client(REMOTE_ADDR=VISITOR).get("/api/v1/runs/").status_code == 200


@pytest.mark.django_db
def test_pages_are_charged_by_their_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    Client(REMOTE_ADDR=VISITOR).get("/about/method/")
    assert 0 < ALLOWANCE.spent[VISITOR][0] < 5
    Client(REMOTE_ADDR="127.0.0.1").get("/about/method/")
    assert set(ALLOWANCE.spent) == {VISITOR}


def test_wait_of_any_length_reads_as_words(subtests: pytest.Subtests) -> None:
    for seconds, words in [
        (1, "1 second"),
        (90, "90 seconds"),
        (91, "2 minutes"),
        (5400, "90 minutes"),
        (59_940, "17 hours"),
    ]:
        with subtests.test(seconds=seconds, words=words):
            assert in_words(seconds) == words
