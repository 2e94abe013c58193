"""Fair shares among odd crowds: by the runs' rows, and by the turns that they get."""

from __future__ import annotations

from collections import Counter

import pytest
from django.contrib.auth.models import User

from leaderboard.handoff import attempts
from leaderboard.models import Entry, Suite
from leaderboard.submissions.run_actions import start
from leaderboard.tests.support.rows import make_suite, register_entry
from runner.worker.turns import Turns

PLACES = 64


def queue(suite: Suite, name: str, owner: User | None, runs: int, lanes: int = 64) -> None:
    entry = register_entry(name)
    Entry.objects.filter(pk=entry.pk).update(owner=owner)
    entry.refresh_from_db()
    for _ in range(runs):
        start(entry, suite, attempts_per_task=8, concurrency=lanes)


def share_places() -> Counter[str]:
    """By account the places that a worker gives away while nothing ends."""
    turns, accounts = Turns(), {}
    for run in attempts.waiting():
        turns.join(run.run_id, run.account, run.lanes, 0.0)
        accounts[run.run_id] = run.account
    given: Counter[str] = Counter()
    for _ in range(PLACES):
        run_id = turns.next(0.0, lambda run: True)
        assert run_id is not None
        turns.begin(run_id, 0.0)
        given[accounts[run_id]] += 1
    return given


@pytest.mark.django_db
def test_operators_runs_crowd_out_no_account() -> None:
    """Ten without an owner, as baselines are, have together what one account has."""
    suite, ann = make_suite("small", 8), User.objects.create(username="ann")
    queue(suite, "Baseline", None, runs=10)
    queue(suite, "Model", ann, runs=1)
    assert sorted(share_places().values()) == [PLACES // 2, PLACES // 2]


@pytest.mark.django_db
def test_account_with_few_lanes_has_them_all_beside_crowds() -> None:
    suite = make_suite("small", 8)
    owners = [User.objects.create(username=name) for name in ("ann", "ben", "cy")]
    for owner, runs, lanes in zip(owners, (10, 10, 1), (64, 64, 3), strict=True):
        queue(suite, owner.username, owner, runs, lanes)
    given = share_places()
    assert given[f"account {owners[2].pk}"] == 3
    assert max(given.values()) - sorted(given.values())[1] <= 1


def run_turns(turns: Turns, ends: dict[int, float], until_s: float) -> Counter[int]:
    """Play on `PLACES` places: by run how many attempts began. `ends` says how long one takes."""
    begun: Counter[int] = Counter()
    in_flight: list[tuple[float, int]] = []
    now_s = 0.0
    while now_s < until_s:
        while len(in_flight) < PLACES and (run := turns.next(now_s, lambda run: True)) is not None:
            turns.begin(run, now_s)
            begun[run] += 1
            in_flight.append((now_s + ends[run], run))
        in_flight.sort()
        now_s, ended = in_flight.pop(0)
        turns.end(ended, now_s)
    return begun


def test_slow_endpoint_of_one_account_costs_others_no_more_than_its_share() -> None:
    """Attempts of ten minutes beside such of ten seconds: half the places each, all the time."""
    turns = Turns()
    for run in range(10):
        turns.join(run, "slow", 64, 0.0)
    turns.join(10, "quick", 64, 0.0)
    begun = run_turns(turns, {**dict.fromkeys(range(10), 600.0), 10: 10.0}, 600.0)
    assert begun[10] >= 0.95 * PLACES / 2 * 60


def test_new_accounts_get_their_share_within_one_attempt() -> None:
    turns = Turns()
    turns.join(1, "old", 64, 0.0)
    for _ in range(PLACES):
        turns.begin(1, 0.0)
    for run in (2, 3, 4):
        turns.join(run, f"new {run}", 64, 100.0)
    for _ in range(PLACES):  # as the old ones end, one after the other
        turns.end(1, 100.0)
        begun = turns.next(100.0, lambda run: True)
        assert begun is not None
        turns.begin(begun, 100.0)
    shares = [turns.runs[run].share.in_flight for run in (1, 2, 3, 4)]
    assert shares == [PLACES // 4] * 4
