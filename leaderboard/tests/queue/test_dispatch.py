"""Who plays next: the rule over odd crowds, places, widths, and what was sent and never taken."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks

from leaderboard.handoff import attempts, dispatch
from leaderboard.handoff.dispatch import Contender, InFlight, choose
from leaderboard.models import Attempt, Entry, Run, Suite, Worker
from leaderboard.models.querysets import is_sent
from leaderboard.queue import clock
from leaderboard.submissions import pauses, run_actions
from leaderboard.tests.support.jobs import judged
from leaderboard.tests.support.rows import make_suite, register_entry, start_run
from runner.contract import Job, Status

PLACES = 64


def contender(run: int, account: int | None, room: int = 64, endpoint: str = "") -> Contender:
    return Contender(run, account, endpoint or f"endpoint {run}", room, 64)


CROWDS = {
    "one alone has all": ([contender(1, 1)], {}, {1: 64}),
    "two accounts share": ([contender(1, 1), contender(2, 2)], {}, {1: 32, 2: 32}),
    "ten runs of one count as one": (
        [*(contender(run, 1, room=4) for run in range(1, 11)), contender(11, 2)],
        {},
        {**dict.fromkeys(range(1, 9), 4), 11: 32},
    ),
    "runs without an owner count as one": (
        [contender(1, None), contender(2, None), contender(3, 5)],
        {},
        {1: 32, 3: 32},
    ),
    "few lanes are had at once": (
        [contender(1, 1), contender(2, 2), contender(3, 3, room=3)],
        {},
        {1: 31, 2: 30, 3: 3},
    ),
    "who has fewest comes first": ([contender(1, 1), contender(2, 2)], {1: 60}, {2: 62, 1: 2}),
    "an endpoint bears so many": (
        [contender(1, 1, endpoint="e"), contender(2, 1, endpoint="e"), contender(3, 2)],
        {},
        {1: 32, 3: 32},
    ),
}


def test_a_free_place_goes_to_the_account_with_the_fewest(subtests: pytest.Subtests) -> None:
    for crowd in CROWDS:
        with subtests.test(crowd=crowd):
            contenders, held, expected = CROWDS[crowd]
            assert choose(contenders, InFlight(accounts=Counter(held)), PLACES) == expected


def test_an_endpoint_gets_no_more_than_its_workers_found() -> None:
    contenders = [contender(1, 1, endpoint="e"), contender(2, 1, endpoint="e")]
    found = InFlight(endpoints=Counter({"e": 3}), bounds={"e": 5})
    assert choose(contenders, found, PLACES) == {1: 2}
    found.bounds["e"] = 2  # cut below what is in flight
    assert choose(contenders, found, PLACES) == {}


def test_a_wide_run_is_not_held_to_the_limit_of_a_narrow_one_at_its_endpoint() -> None:
    contenders = [contender(1, 1, room=2, endpoint="e"), contender(2, 1, endpoint="e")]
    for run, width in zip(contenders, (1, 16), strict=True):
        run.width = width
    found = InFlight(endpoints=Counter({"e": 2}), widths=Counter({"e": 2}))
    assert choose(contenders, found, PLACES) == {1: 2, 2: 12}


def sent_by_dispatch() -> int:
    """Attempts that one dispatch sends."""
    before = Attempt.objects.filter(is_sent(clock.now())).count()
    assert attempts.dispatch()
    return Attempt.objects.filter(is_sent(clock.now())).count() - before


def queue(suite: Suite, owner: User | None, lanes: int = 64, per_task: int = 8) -> Run:
    entry = register_entry(owner.username if owner else "Baseline")
    Entry.objects.filter(pk=entry.pk).update(owner=owner)
    entry.refresh_from_db()
    return run_actions.start(entry, suite, attempts_per_task=per_task, concurrency=lanes)


def claim_sent(worker: str) -> list[Job]:
    """All that was sent, as the messages would have it claimed."""
    sent = Attempt.objects.filter(status=Status.QUEUED, lease_until__gt=clock.now())
    found = [attempts.claim(one.pk, str(one.token), worker) for one in sent.order_by("pk")]
    return [job for job in found if job]


@pytest.mark.django_db
def test_no_more_is_sent_than_workers_have_places() -> None:
    start_run(12, concurrency=64)
    assert sent_by_dispatch() == 0
    attempts.note_worker("w:1", 3)
    attempts.note_worker("w:2", 4)
    Worker.objects.filter(name="w:2").update(seen_at=clock.now() - timedelta(minutes=1))
    assert sent_by_dispatch() == 3
    assert sent_by_dispatch() == 0
    attempts.record_result(claim_sent("w:1")[0], judged(True))
    assert sent_by_dispatch() == 1
    attempts.note_worker("w:2", 4)
    assert sent_by_dispatch() == 4


@pytest.mark.django_db
def test_an_account_behind_two_hundred_runs_has_the_next_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("leaderboard.handoff.claims.check_url", lambda url, policy: url)
    suite, ann, ben = make_suite("small", 1), *map(User.objects.create_user, ("ann", "ben"))
    for _ in range(200):
        queue(suite, ann, per_task=2)
    attempts.note_worker("w:1", 8)
    assert sent_by_dispatch() == 8
    jobs, late = claim_sent("w:1"), queue(suite, ben)
    assert sent_by_dispatch() == 0
    attempts.record_result(jobs[0], judged(True))
    assert sent_by_dispatch() == 1
    assert [job.run_id for job in claim_sent("w:1")] == [late.pk]


@pytest.mark.django_db
def test_what_was_sent_and_not_taken_is_sent_again_and_the_late_message_finds_nothing() -> None:
    run = start_run(1)
    attempts.note_worker("w:1", 8)
    assert sent_by_dispatch() == 1
    lost = run.attempts.get()
    run.attempts.update(lease_until=clock.now() - timedelta(seconds=1))
    assert sent_by_dispatch() == 1
    assert attempts.claim(lost.pk, str(lost.token), "w:1") is None
    again = run.attempts.get()
    assert attempts.claim(again.pk, str(again.token), "w:1")
    assert attempts.claim(again.pk, str(again.token), "w:1") is None  # the message came twice
    assert run.attempts.get().tries == 1


@pytest.mark.django_db
def test_what_was_sent_is_not_played_once_its_run_is_paused_or_cancelled() -> None:
    suite = make_suite("small", 1)
    paused, cancelled = (queue(suite, None, per_task=1) for _ in range(2))
    attempts.note_worker("w:1", 8)
    assert sent_by_dispatch() == 2
    pauses.pause(paused.pk)
    Run.objects.filter(pk=cancelled.pk).update(cancel_requested=True)
    assert claim_sent("w:1") == []
    assert (paused.attempts.get().status, paused.attempts.get().lease_until) == ("queued", None)
    assert cancelled.attempts.get().status == "cancelled"


@pytest.mark.django_db
def test_what_no_broker_takes_is_ready_again_at_once(
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    run = start_run(2)
    attempts.note_worker("w:1", 8)
    monkeypatch.setattr(dispatch, "send_attempt", lambda attempt_id, token: False)
    with django_capture_on_commit_callbacks(execute=True):
        assert attempts.dispatch()
    assert {*run.attempts.values_list("lease_until", flat=True)} == {None}


@pytest.mark.django_db
def test_attempts_of_workers_that_are_known_to_be_dead_are_free_at_once() -> None:
    from leaderboard.handoff.sweep import sweep_queue

    run = start_run(2)
    attempts.note_worker("w:1", 1)
    attempts.dispatch()
    claim_sent("w:1")
    attempts.release_of_dead(["w:1"])
    assert not Worker.objects.exists()
    assert sweep_queue().taken_back == 1
    assert {*run.attempts.values_list("status", flat=True)} == {"queued"}
