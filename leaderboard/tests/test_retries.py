"""Void tries come back three times, finished attempts never; a failing endpoint is left alone."""

from __future__ import annotations

import pytest
from django.utils import timezone

from leaderboard import handoff
from leaderboard.models import Step as StepRow
from leaderboard.tests.queue_rows import (
    FLAKY,
    UNAUTHORISED,
    attempt_of,
    claim_one,
    judged,
    lose,
    make_run,
    skip_back_off,
    step,
    void,
)
from leaderboard.transitions import PERMANENT, VOID_RETRIES
from runner.contract import EndpointSpec, Outcome, Status
from runner.refusals import of_status

pytestmark = pytest.mark.django_db


def test_a_void_try_waits_and_comes_back_three_times_at_most() -> None:
    run = make_run(1)
    for tries in range(1, VOID_RETRIES + 1):
        handoff.record_result(claim_one(run), void(Outcome.KERNEL_LOST))
        attempt = run.attempts.get()
        assert (attempt.status, attempt.void_tries) == (Status.QUEUED, tries)
        assert handoff.claim(run.pk, 1, "worker") == []  # its pause has not passed
        skip_back_off(run)
    handoff.record_result(claim_one(run), void(Outcome.KERNEL_LOST))
    attempt = run.attempts.get()
    assert (attempt.status, attempt.outcome) == (Status.DONE, "kernel_lost")
    assert (attempt.passed, attempt.problem) == (None, FLAKY.what)
    run.refresh_from_db()
    assert run.status == Status.DONE
    assert not run.summaries.get(category="").failed


def test_a_void_try_keeps_its_steps_as_evidence() -> None:
    run = make_run(1)
    job = claim_one(run)
    handoff.step(job, step())
    handoff.record_result(job, void(Outcome.KERNEL_LOST))
    skip_back_off(run)
    again = claim_one(run)
    handoff.step(again, step())
    handoff.record_result(again, judged(True))
    assert list(StepRow.objects.values_list("try_number", "index")) == [(1, 1), (2, 1)]
    attempt = attempt_of(again)
    assert (attempt.passed, attempt.problem) == (True, "")


def test_a_lost_worker_counts_as_a_void_try() -> None:
    run = make_run(1)
    for _ in range(VOID_RETRIES + 1):
        lose(claim_one(run))
        assert handoff.sweep().taken_back == 1
        skip_back_off(run)
    attempt = run.attempts.get()
    assert (attempt.status, attempt.outcome) == (Status.DONE, "worker_lost")
    run.refresh_from_db()
    assert run.status == Status.DONE


def test_a_worker_that_stops_gives_attempts_back_without_a_void_try() -> None:
    run = make_run(2)
    released, told = handoff.claim(run.pk, 2, "worker")
    handoff.release(released)
    handoff.record_result(told, void(Outcome.CANCELLED))
    assert {(a.status, a.void_tries, a.tries) for a in run.attempts.all()} == {("queued", 0, 1)}
    assert len(handoff.claim(run.pk, 2, "worker")) == 2


def test_a_refused_key_is_not_tried_on_every_task() -> None:
    run = make_run(6, concurrency=1)
    for _ in range(3):
        handoff.record_result(claim_one(run), void(problem=UNAUTHORISED))
    run.refresh_from_db()
    assert run.status == Status.DONE
    attempts = list(run.attempts.all())
    assert [a.tries for a in attempts] == [1, 1, 1, 0, 0, 0]
    assert {(a.outcome, a.problem) for a in attempts} == {("endpoint_failed", UNAUTHORISED.what)}


def test_finished_attempts_keep_their_verdict_when_the_endpoint_goes_away() -> None:
    run = make_run(6, concurrency=1)
    handoff.record_result(claim_one(run), judged(True))
    while run.status != Status.DONE:
        handoff.record_result(claim_one(run), void())
        skip_back_off(run)
        run.refresh_from_db()
    overall = run.summaries.get(category="")
    assert (overall.passed, overall.failed, overall.void) == (1, 0, 5)


def test_an_endpoint_that_fails_is_left_to_rest_by_the_whole_run() -> None:
    run = make_run(6, concurrency=1)
    handoff.record_result(claim_one(run), void())
    assert handoff.claim(run.pk, 1, "worker") == []
    rest = run.attempts.order_by("pk").values_list("not_before", flat=True)
    assert all(moment and moment > timezone.now() for moment in rest)


def test_one_reply_makes_earlier_failures_forgotten() -> None:
    run = make_run(6, concurrency=1)
    for _ in range(2):
        handoff.record_result(claim_one(run), void(problem=UNAUTHORISED))
    handoff.record_result(claim_one(run), judged(True))
    handoff.record_result(claim_one(run), void(problem=UNAUTHORISED))
    run.refresh_from_db()
    assert run.status == Status.RUNNING


@pytest.mark.parametrize(
    ("status", "is_permanent"),
    [(301, True), (400, True), (401, True), (403, True), (404, True), (429, False), (503, False)],
)
def test_what_a_retry_cannot_mend_is_known_by_its_code(status: int, is_permanent: bool) -> None:
    error = of_status(status, {}, "no", EndpointSpec("http://127.0.0.1:1/v1", "model"))
    assert (error.problem.code in PERMANENT) == is_permanent
