"""Starting a run, and cancelling it."""

from __future__ import annotations

import pytest

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Endpoint, Run
from leaderboard.submissions import run_actions
from leaderboard.tests.support.jobs import attempt_of, claim, claim_one, judged, lose, void
from leaderboard.tests.support.own_runs import play_out
from leaderboard.tests.support.rows import start_run
from runner.contract import Outcome, ProblemError, Status

pytestmark = pytest.mark.django_db


def test_cancelling_ends_queued_attempts_at_once_and_tells_the_running_one() -> None:
    run = start_run(3, concurrency=1)
    done = claim_one(run)
    attempts.record_result(done, judged(True))
    running = claim_one(run)
    run_actions.cancel(run.pk)
    assert attempts.look([run.pk]) == {run.pk}
    assert claim(run.pk, 1, "worker") == []
    assert [a.status for a in run.attempts.order_by("pk")] == ["done", "running", "cancelled"]
    attempts.record_result(running, void(Outcome.CANCELLED))
    run.refresh_from_db()
    assert run.status == Status.CANCELLED
    assert attempt_of(done).passed is True
    assert attempt_of(running).state == "cancelled"


def test_a_verdict_that_came_before_the_cancellation_stands() -> None:
    run = start_run(2, concurrency=1)
    job = claim_one(run)
    run_actions.cancel(run.pk)
    attempts.record_result(job, judged(True))
    run.refresh_from_db()
    assert (run.status, attempt_of(job).passed) == (Status.CANCELLED, True)


def test_cancelling_twice_or_after_the_end_changes_nothing() -> None:
    run = start_run(1)
    play_out(run)
    run_actions.cancel(run.pk)
    run.refresh_from_db()
    assert (run.status, run.cancel_requested) == (Status.DONE, False)


def test_a_lost_worker_of_a_cancelled_run_is_no_void_attempt() -> None:
    run = start_run(1)
    lose(claim_one(run))
    run_actions.cancel(run.pk)
    sweep_queue()
    run.refresh_from_db()
    assert (run.status, run.attempts.get().status) == (Status.CANCELLED, Status.CANCELLED)


def test_a_run_has_one_attempt_per_task_and_number() -> None:
    run = start_run(3, attempts_per_task=2)
    assert run.attempts.count() == 6
    assert set(run.attempts.values_list("number", flat=True)) == {1, 2}


def test_some_tasks_only() -> None:
    run = start_run(3)
    part = run_actions.start(run.entry, run.suite, tasks=["task-2"])
    assert [a.task.key for a in part.attempts.select_related("task")] == ["task-2"]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"tasks": ["nope"]}, "unknown_task"),
        ({"attempts_per_task": 0}, "out_of_bounds"),
        ({"concurrency": 1000}, "out_of_bounds"),
        ({"seed": 2**63}, "out_of_bounds"),
    ],
)
def test_what_cannot_be_run_is_refused_and_leaves_no_row(
    options: dict[str, object], code: str
) -> None:
    run = start_run(1)
    with pytest.raises(ProblemError) as error:
        run_actions.start(run.entry, run.suite, **options)  # type: ignore[arg-type]
    assert error.value.problem.code == code
    assert Run.objects.count() == 1


def test_an_entry_without_endpoint_cannot_run() -> None:
    run = start_run(1)
    Endpoint.objects.all().delete()
    run.entry.refresh_from_db()
    with pytest.raises(ProblemError, match="no endpoint"):
        run_actions.start(run.entry, run.suite)
