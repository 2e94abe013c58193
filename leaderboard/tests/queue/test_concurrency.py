"""Number of parallel attempts of a run: recorded by its workers, shown in words."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.handoff import attempts
from leaderboard.handoff.claims import name_pace
from leaderboard.models import Attempt, Endpoint, Entry, Run, WorkerPace
from leaderboard.queue.concurrency import pace_of
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite
from runner.contract import LimitReason, Status

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    """A public run of which two attempts are played, by two workers."""
    run = make_run(make_suite())
    for attempt, worker in zip(run.attempts.order_by("pk"), ("w:1", "w:2"), strict=False):
        Attempt.objects.filter(pk=attempt.pk).update(status=Status.RUNNING, worker=worker)
    Run.objects.filter(pk=run.pk).update(status=Status.RUNNING, concurrency=16)
    run.refresh_from_db()
    return run


def test_a_run_that_nobody_played_has_no_pace(client: Client, run: Run) -> None:
    assert pace_of(run) is None
    assert client.get(f"/runs/{run.pk}.json").json()["pace"] is None
    assert "at once" not in client.get(run.get_absolute_url()).content.decode()


def test_the_page_and_the_json_say_it_in_the_same_figures(client: Client, run: Run) -> None:
    attempts.paced(run.pk, "w:1", 4, 4)
    attempts.paced(run.pk, "w:1", 8, 12)
    page = client.get(run.get_absolute_url()).content.decode()
    assert "8 of 16 in parallel" in page
    told = {
        "now": 8, "highest": 12, "most": 16, "reason": None, "words": "8 of 16 in parallel",
        "why": "",
    }  # fmt: skip
    assert client.get(f"/runs/{run.pk}.json").json()["pace"] == told
    assert client.get(f"/api/v1/runs/{run.pk}/").json()["pace"] == told


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        (LimitReason.REFUSED, "refused requests because there were too many"),
        (LimitReason.TAKES_ONE, "breaks off replies when it gets two requests at once"),
    ],
)
def test_pace_below_the_limit_is_explained(
    client: Client, run: Run, reason: LimitReason, why: str
) -> None:
    attempts.paced(run.pk, "w:1", 16, 16)
    assert why not in client.get(run.get_absolute_url()).content.decode()
    attempts.paced(run.pk, "w:1", 1, 2, reason)
    Run.objects.filter(pk=run.pk).update(sequence=99)
    assert why in client.get(run.get_absolute_url()).content.decode()
    told = client.get(f"/api/v1/runs/{run.pk}/").json()["pace"]
    assert (told["reason"], why in told["why"]) == (reason, True)


def test_pace_of_two_workers_is_explained_by_the_graver_reason(run: Run) -> None:
    attempts.paced(run.pk, "w:1", 4, 4, LimitReason.REFUSED)
    attempts.paced(run.pk, "w:2", 1, 8, LimitReason.TAKES_ONE)
    WorkerPace.objects.create(run=run, worker="w:3", limit=2, highest=2, reason="new")  # of old
    pace = pace_of(run)
    assert pace is not None
    assert pace.reason is LimitReason.TAKES_ONE


def test_pace_at_the_limit_needs_no_explanation(run: Run) -> None:
    """Another run at the same endpoint may have more: its gate is below that run's limit."""
    attempts.paced(run.pk, "w:1", 20, 20, LimitReason.REFUSED)
    pace = pace_of(run)
    assert pace is not None
    assert (pace.now, pace.why) == (16, "")


def test_workers_send_as_many_as_the_most_careful_of_them_finds(run: Run) -> None:
    attempts.paced(run.pk, "w:1", 8, 12)
    attempts.paced(run.pk, "w:2", 5, 6)
    pace = pace_of(run)
    assert pace is not None
    assert (pace.now, pace.highest) == (5, 12)


def test_a_worker_that_plays_nothing_of_it_no_longer_counts(run: Run) -> None:
    attempts.paced(run.pk, "w:1", 8, 12)
    attempts.paced(run.pk, "dead:7", 5, 6)
    pace = pace_of(run)
    assert pace is not None
    assert pace.now == 8


def test_a_finished_run_says_what_it_came_to(client: Client) -> None:
    run = finish_run(make_run(make_suite()), solved=1)
    attempts.paced(run.pk, "w:1", 1, 2)
    pace = pace_of(run)
    assert pace is not None
    assert pace.now is None
    assert pace.words == f"up to 2 of {run.concurrency} in parallel"
    assert pace.words in client.get(run.get_absolute_url()).content.decode()


def test_a_run_that_was_deleted_meanwhile_is_passed_over() -> None:
    attempts.paced(12_345, "w:1", 4, 4)
    assert not WorkerPace.objects.exists()


def test_an_endpoint_is_its_owners_alone(run: Run) -> None:
    """Somebody else's run against the same address has another key, and a pace of its own."""
    theirs = make_run(run.suite, make_entry("Theirs"))
    Entry.objects.filter(pk=theirs.entry_id).update(owner=User.objects.create_user("else"))
    again = make_run(run.suite, run.entry)
    for one in {run.entry, theirs.entry}:
        Endpoint.objects.create(entry=one, base_url="https://models.example/v1")
    for each in (run, again, theirs):
        each.entry.refresh_from_db()
    names = [
        name_pace(each.entry.owner_id, each.entry.endpoint.base_url)
        for each in (run, again, theirs)
    ]
    assert names[0] == names[1] != names[2]
