"""The pace at an endpoint: what makes room, what halves it, and what it never does."""

from __future__ import annotations

import random

import pytest

from runner.endpoint.limiter import (
    LONGEST_CLOSED_S,
    ConcurrencyLimit,
    RequestOutcome,
)

STEADY_S = 2.0


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0


def play_round(
    pace: ConcurrencyLimit,
    clock: Clock,
    latency_s: float = STEADY_S,
    answer: RequestOutcome = RequestOutcome.REPLIED,
) -> int:
    """As many requests at once as there is room for, each `latency_s` long; how many."""
    asks = []
    while pace.has_room(clock.now_s):
        asks.append(pace.begin(clock.now_s))
    clock.now_s += latency_s
    for ask in asks:
        pace.end(ask, clock.now_s, answer)
    return len(asks)


@pytest.mark.parametrize("most", [1, 2, 5, 64])
def test_it_starts_with_the_limit(most: int) -> None:
    pace = ConcurrencyLimit(most)
    assert play_round(pace, Clock()) == pace.limit == most


def test_after_a_refusal_it_halves_and_then_grows_by_one_a_round() -> None:
    pace, clock = ConcurrencyLimit(64), Clock()
    play_round(pace, clock, answer=RequestOutcome.REFUSED)
    assert pace.limit == 32
    assert [play_round(pace, clock) for _ in range(4)] == [32, 33, 34, 35]
    assert pace.highest == 64


def test_requests_refused_together_halve_it_once() -> None:
    """All of them were under way before the first refusal could be heeded."""
    pace, clock = ConcurrencyLimit(64), Clock()
    asks = [pace.begin(clock.now_s) for _ in range(64)]
    for ask in asks:
        pace.end(ask, clock.now_s, RequestOutcome.REFUSED)
    assert pace.limit == 32
    later = pace.begin(clock.now_s)
    pace.end(later, clock.now_s, RequestOutcome.REFUSED)
    assert pace.limit == 16


def test_replies_to_requests_from_before_a_cut_make_no_room() -> None:
    pace, clock = ConcurrencyLimit(16), Clock()
    refused, *others = [pace.begin(clock.now_s) for _ in range(16)]
    pace.end(refused, clock.now_s, RequestOutcome.REFUSED)
    for ask in others:
        pace.end(ask, clock.now_s + STEADY_S, RequestOutcome.REPLIED)
    assert pace.limit == 8


def test_it_never_falls_below_one() -> None:
    pace, clock = ConcurrencyLimit(4), Clock()
    for _ in range(5):
        play_round(pace, clock, answer=RequestOutcome.REFUSED)
    assert pace.limit == 1


def test_failures_of_another_kind_say_nothing() -> None:
    pace, clock = ConcurrencyLimit(64), Clock()
    for _ in range(10):
        play_round(pace, clock, answer=RequestOutcome.UNCLEAR)
    assert pace.limit == 64
    assert not pace.cuts


def test_the_endpoint_is_left_alone_as_long_as_it_asks() -> None:
    pace, clock = ConcurrencyLimit(16), Clock()
    pace.end(pace.begin(clock.now_s), clock.now_s, RequestOutcome.REFUSED, wait_s=7.0)
    assert not pace.has_room(clock.now_s + 6.9)
    assert pace.has_room(clock.now_s + 7.0)
    pace.end(pace.begin(clock.now_s), clock.now_s, RequestOutcome.REFUSED, wait_s=LONGEST_CLOSED_S)
    assert not pace.has_room(clock.now_s + LONGEST_CLOSED_S - 0.1)
    assert pace.has_room(clock.now_s + LONGEST_CLOSED_S)


def test_who_asks_for_an_hour_is_not_waited_for() -> None:
    """Their attempts give up by themselves, and the run ends with that sentence."""
    pace, clock = ConcurrencyLimit(16), Clock()
    pace.end(pace.begin(clock.now_s), clock.now_s, RequestOutcome.REFUSED, wait_s=3600.0)
    assert pace.has_room(clock.now_s)


def test_a_lower_limit_of_the_submitter_holds_at_once() -> None:
    pace, clock = ConcurrencyLimit(64), Clock()
    pace.allow(8)
    assert pace.limit == 8
    assert play_round(pace, clock) == 8
    pace.allow(32)
    assert pace.limit == 32
    play_round(pace, clock, answer=RequestOutcome.REFUSED)
    pace.allow(64)
    assert pace.limit == 16


def test_it_never_exceeds_the_limit_whatever_happens(subtests: pytest.Subtests) -> None:
    """Random orders of random answers; the limit changes now and then."""
    for seed in range(20):
        with subtests.test(seed=seed):
            chance = random.Random(seed)
            pace, clock = ConcurrencyLimit(chance.randint(1, 40)), Clock()
            asks = []
            for _ in range(3000):
                clock.now_s += chance.random()
                if chance.random() < 0.01:
                    pace.allow(chance.randint(1, 40))
                if pace.has_room(clock.now_s):
                    asks.append(pace.begin(clock.now_s))
                    assert pace.under_way <= pace.limit
                elif asks:
                    ask = asks.pop(chance.randrange(len(asks)))
                    answers = (RequestOutcome.REPLIED,) * 40 + (
                        RequestOutcome.REFUSED,
                        RequestOutcome.UNCLEAR,
                    )
                    pace.end(ask, clock.now_s, chance.choice(answers), chance.choice([None, 0.5]))
                assert 1 <= pace.limit <= pace.most
                assert pace.under_way == len(asks)
                assert pace.highest >= pace.limit


def test_the_room_settles_around_what_an_endpoint_takes() -> None:
    """One that refuses whatever goes beyond twenty at once."""
    pace, clock = ConcurrencyLimit(64), Clock()
    seen = []
    for _ in range(200):
        asks = []
        while pace.has_room(clock.now_s):
            asks.append(pace.begin(clock.now_s))
        clock.now_s += STEADY_S
        for place, ask in enumerate(asks):
            pace.end(
                ask, clock.now_s, RequestOutcome.REPLIED if place < 20 else RequestOutcome.REFUSED
            )
        seen.append(pace.limit)
    assert min(seen[10:]) >= 10
    assert max(seen[10:]) <= 21
