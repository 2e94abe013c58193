"""The queue's acts cost the same however many attempts a run has."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Attempt, Run, StatusChange, Suite
from leaderboard.queue.transitions import give_up, touch
from leaderboard.scoring.summaries import counts_of, figures_of, stored_counts, stored_figures
from leaderboard.submissions import run_actions
from leaderboard.submissions.run_actions import start
from leaderboard.tests.support.jobs import UNAUTHORISED, claim, claim_one, judged, step, void
from leaderboard.tests.support.rows import make_suite, register_entry, start_run
from runner.contract import Outcome, Status

pytestmark = pytest.mark.django_db

SIZES = (12, 96)  # attempts; more than one of each task
MOST = 20  # queries of an act on a whole run


def count_queries(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as queries:
        act()
    return len(queries)


def sized_run(size: int) -> Run:
    suite = Suite.objects.first() or make_suite("small", 6)
    return start(register_entry(), suite, attempts_per_task=size // 6, concurrency=64)


def costs_of(act: Callable[[Run], object]) -> list[int]:
    return [count_queries(partial(act, sized_run(size))) for size in SIZES]


def give_up_on(run: Run) -> None:
    give_up(touch(run.pk), UNAUTHORISED)


def make_void(run: Run) -> Run:
    give_up_on(run)
    return run


def test_cancelling_costs_as_many_queries_whatever_the_size() -> None:
    small, large = costs_of(lambda run: run_actions.cancel(run.pk))
    assert small == large <= MOST


def test_retrying_costs_as_many_queries_whatever_the_size() -> None:
    runs = [make_void(sized_run(size)) for size in SIZES]
    small, large = (count_queries(partial(run_actions.retry, run.pk)) for run in runs)
    assert small == large <= MOST
    assert set(Attempt.objects.values_list("status", "outcome")) == {("queued", "")}


def test_giving_up_costs_as_many_queries_whatever_the_size() -> None:
    small, large = costs_of(give_up_on)
    assert small == large <= MOST


def test_a_result_costs_as_many_queries_and_rows_whatever_the_size() -> None:
    read: list[str] = []

    def finish(run: Run) -> None:
        job = claim_one(run)
        with CaptureQueriesContext(connection) as queries:
            attempts.record_result(job, judged(True))
        read.extend(query["sql"] for query in queries)

    finish(sized_run(12))  # looks up the suite's published solutions, once in a process
    read.clear()
    small, large = costs_of(finish)
    assert small == large
    of_attempts = [sql for sql in read if 'FROM "leaderboard_attempt"' in sql]
    assert of_attempts
    by_run = [sql for sql in of_attempts if '"run_id" =' in sql and '"task_id" =' not in sql]
    assert not by_run  # no statement looks at the run's attempts at other tasks


def test_everything_that_moved_together_is_in_the_diary() -> None:
    run = start_run(6, attempts_per_task=2, concurrency=3)
    claimed = claim(run.pk, 3, "worker")
    run_actions.cancel(run.pk)
    cancelled = StatusChange.objects.filter(run=run, before="queued", after="cancelled")
    assert cancelled.count() == 12 - len(claimed)
    assert {change.reason for change in cancelled} == {"cancelled"}
    assert set(cancelled.values_list("attempt", flat=True)) == set(
        Attempt.objects.filter(status="cancelled").values_list("pk", flat=True)
    )


def test_a_claim_never_exceeds_what_the_run_allows() -> None:
    run = start_run(6, concurrency=3)
    assert len(claim(run.pk, 1, "other")) == 1
    assert len(claim(run.pk, 9, "worker")) == 2
    assert claim(run.pk, 9, "worker") == []
    assert run.attempts.filter(status=Status.RUNNING).count() == 3
    assert sorted(run.attempts.values_list("tries", flat=True)) == [0, 0, 0, 1, 1, 1]


def test_what_was_being_claimed_during_a_cancel_is_cancelled_too() -> None:
    run = start_run(3, concurrency=3)
    Run.objects.filter(pk=run.pk).update(cancel_requested=True)  # and all rows were passed over
    sweep_queue()
    run.refresh_from_db()
    assert run.status == Status.CANCELLED
    assert set(run.attempts.values_list("outcome", flat=True)) == {Outcome.CANCELLED}


def test_a_step_costs_few_queries() -> None:
    job = claim_one(start_run(3))
    attempts.step(job, step(1))
    assert count_queries(lambda: attempts.step(job, step(2))) <= 14


def test_figures_moved_one_by_one_are_those_of_all_attempts() -> None:
    run = start_run(6, attempts_per_task=3, concurrency=9)
    for number, job in enumerate(claim(run.pk, 9, "worker")):
        if number % 4 == 3:
            attempts.record_result(job, void(Outcome.KERNEL_LOST))
        else:
            attempts.record_result(job, judged(number % 2 == 0, turns=number))
    assert {row.category: stored_counts(row) for row in run.summaries.all()} == counts_of(run)
    assert stored_figures(run) == figures_of(run)
