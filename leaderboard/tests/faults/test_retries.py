"""Void tries come back three times, finished attempts never; a failing endpoint is left alone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from django.db.models import F
from django.utils import timezone

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Run, Step
from leaderboard.queue.transitions import AWAY_AT_MOST, PERMANENT, VOID_RETRIES
from leaderboard.submissions.run_actions import cancel
from leaderboard.tests.support.jobs import (
    FLAKY,
    UNAUTHORISED,
    attempt_of,
    claim,
    claim_one,
    job_of,
    judged,
    lose,
    skip_back_off,
    step,
    void,
)
from leaderboard.tests.support.rows import start_run
from runner.contract import EndpointSpec, Outcome, Status
from runner.endpoint.error_bodies import ErrorReport
from runner.endpoint.errors import SLOW_IN_ALL, TOO_SLOW, error_of, of_status
from runner.sandbox.host_tools import TOOLS
from runner.suite.reader import Suite as FolderSuite
from runner.task_code.needed_tools import describe
from runner.worker.sandbox_player import suite_changed

pytestmark = pytest.mark.django_db

NO_FFMPEG = describe(next(tool for tool in TOOLS if tool.key == "ffmpeg"))


def test_a_void_try_waits_and_comes_back_three_times_at_most() -> None:
    run = start_run(1)
    for tries in range(1, VOID_RETRIES + 1):
        attempts.record_result(claim_one(run), void(Outcome.KERNEL_LOST))
        attempt = run.attempts.get()
        assert (attempt.status, attempt.void_tries) == (Status.QUEUED, tries)
        assert claim(run.pk, 1, "worker") == []  # its pause has not passed
        skip_back_off(run)
    attempts.record_result(claim_one(run), void(Outcome.KERNEL_LOST))
    attempt = run.attempts.get()
    assert (attempt.status, attempt.outcome) == (Status.DONE, "kernel_lost")
    assert (attempt.passed, attempt.problem) == (None, FLAKY.what)
    run.refresh_from_db()
    assert run.status == Status.DONE
    assert not run.summaries.get(category="").failed


def test_a_void_try_keeps_its_steps_as_evidence() -> None:
    run = start_run(1)
    job = claim_one(run)
    attempts.step(job, step())
    attempts.record_result(job, void(Outcome.KERNEL_LOST))
    skip_back_off(run)
    again = claim_one(run)
    attempts.step(again, step())
    attempts.record_result(again, judged(True))
    assert list(Step.objects.values_list("try_number", "index")) == [(1, 1), (2, 1)]
    attempt = attempt_of(again)
    assert (attempt.passed, attempt.problem) == (True, "")


def test_a_lost_worker_counts_as_a_void_try() -> None:
    run = start_run(1)
    for _ in range(VOID_RETRIES + 1):
        lose(claim_one(run))
        assert sweep_queue().taken_back == 1
        skip_back_off(run)
    attempt = run.attempts.get()
    assert (attempt.status, attempt.outcome) == (Status.DONE, "worker_lost")
    run.refresh_from_db()
    assert run.status == Status.DONE


def test_a_worker_that_stops_gives_attempts_back_without_a_void_try() -> None:
    run = start_run(2)
    released, told = claim(run.pk, 2, "worker")
    attempts.release(released)
    attempts.record_result(told, void(Outcome.CANCELLED))
    assert {(a.status, a.void_tries, a.tries) for a in run.attempts.all()} == {("queued", 0, 1)}
    assert len(claim(run.pk, 2, "worker")) == 2


def test_attempt_that_waits_for_a_tool_of_the_host_is_no_void_try() -> None:
    run = start_run(2)
    without_tool, other = claim(run.pk, 2, "worker")
    attempts.record_result(without_tool, void(Outcome.CHECK_CRASHED, NO_FFMPEG))
    attempts.record_result(other, judged(True))
    attempt = attempt_of(without_tool)
    assert (attempt.status, attempt.void_tries) == (Status.QUEUED, 0)
    assert attempt.waits_for_host
    assert not attempt_of(other).waits_for_host
    sweep_queue()  # whose repair of clocks shortens long pauses
    assert attempts.release_waiting(["chromium"]) == 0
    assert claim(run.pk, 1, "worker") == []
    assert attempts.release_waiting(["chromium", "ffmpeg"]) == 1
    attempts.record_result(claim_one(run), judged(True))
    run.refresh_from_db()
    assert (run.status, run.summaries.get(category="").passed) == (Status.DONE, 2)


def test_attempt_whose_suite_has_changed_waits_until_a_worker_has_it_again() -> None:
    run = start_run(1)
    changed = suite_changed(cast(FolderSuite, SimpleNamespace(name="small")))
    attempts.record_result(claim_one(run), void(Outcome.CHECK_CRASHED, changed))
    attempt = run.attempts.get()
    assert (attempt.status, attempt.void_tries) == (Status.QUEUED, 0)
    assert attempt.waits_for_host
    assert claim(run.pk, 1, "worker") == []
    assert attempts.list_suites_waited_for() == [(run.suite.name, run.suite.digest)]
    assert attempts.release_waiting_for_suite("another") == 0
    assert attempts.release_waiting_for_suite(run.suite.digest) == 1
    attempts.record_result(claim_one(run), judged(True))
    run.refresh_from_db()
    assert run.status == Status.DONE


def test_cancelled_run_does_not_wait_for_a_tool_of_the_host() -> None:
    run = start_run(1)
    attempts.record_result(claim_one(run), void(Outcome.CHECK_CRASHED, NO_FFMPEG))
    cancel(run.pk)
    assert attempts.release_waiting(["ffmpeg"]) == 0
    run.refresh_from_db()
    assert run.status == Status.CANCELLED


def test_a_refused_key_is_not_tried_on_every_task() -> None:
    run = start_run(6, concurrency=1)
    for _ in range(3):
        attempts.record_result(claim_one(run), void(problem=UNAUTHORISED))
    run.refresh_from_db()
    assert run.status == Status.DONE
    rows = list(run.attempts.order_by("pk"))
    assert [a.tries for a in rows] == [1, 1, 1, 0, 0, 0]
    assert {(a.outcome, a.problem) for a in rows} == {("endpoint_failed", UNAUTHORISED.what)}


def test_endpoint_that_is_away_costs_no_attempt_and_is_given_up_after_a_day() -> None:
    run = start_run(6, concurrency=4)
    attempts.record_result(claim_one(run), judged(True))
    for _ in range(10):  # looks
        attempts.record_result(claim_one(run), void())
        skip_back_off(run)
    tries = run.attempts.order_by("-void_tries").values_list("void_tries", flat=True)
    assert [*tries] == [1, 0, 0, 0, 0, 0]
    assert claim(run.pk, 4, "worker")  # one asks whether it is back
    assert claim(run.pk, 4, "worker") == []
    run.refresh_from_db()
    Run.objects.filter(pk=run.pk).update(away_since=F("away_since") - AWAY_AT_MOST)
    [job] = [job_of(attempt) for attempt in run.attempts.filter(status=Status.RUNNING)]
    attempts.record_result(job, void())
    run.refresh_from_db()
    overall = run.summaries.get(category="")
    assert (run.status, overall.passed, overall.void) == (Status.DONE, 1, 5)


def test_endpoint_that_is_back_has_as_many_as_before() -> None:
    run = start_run(6, concurrency=4)
    attempts.record_result(claim_one(run), void())
    skip_back_off(run)
    job = claim_one(run)
    attempts.step(job, step())
    run.refresh_from_db()
    assert (run.away_since, run.endpoint_failures) == (None, 0)
    assert len(claim(run.pk, 4, "worker")) == 3


def test_attempt_that_its_endpoint_alone_fails_ends_void_after_its_tries() -> None:
    """Others are replied to meanwhile, and the run does not wait for a day."""
    run = start_run(3, concurrency=1)
    spoiled = run.attempts.order_by("pk")[0]
    for _ in range(60):
        skip_back_off(run)
        jobs = claim(run.pk, 1, "worker")
        if not jobs:
            break
        attempts.step(jobs[0], step())
        is_spoiled = jobs[0].attempt_id == spoiled.pk
        attempts.record_result(jobs[0], void() if is_spoiled else judged(True))
    spoiled.refresh_from_db()
    run.refresh_from_db()
    assert (spoiled.void_tries, run.status) == (VOID_RETRIES + 1, Status.DONE)


def test_an_endpoint_that_fails_is_left_to_rest_by_the_whole_run() -> None:
    run = start_run(6, concurrency=1)
    attempts.record_result(claim_one(run), void())
    assert claim(run.pk, 1, "worker") == []
    rest = run.attempts.order_by("pk").values_list("not_before", flat=True)
    assert all(moment and moment > timezone.now() for moment in rest)


def test_one_reply_makes_earlier_failures_forgotten() -> None:
    run = start_run(6, concurrency=1)
    for _ in range(2):
        attempts.record_result(claim_one(run), void(problem=UNAUTHORISED))
    attempts.record_result(claim_one(run), judged(True))
    attempts.record_result(claim_one(run), void(problem=UNAUTHORISED))
    run.refresh_from_db()
    assert run.status == Status.RUNNING


def test_attempt_that_waited_as_long_as_it_may_is_not_tried_again() -> None:
    run = start_run(6, concurrency=1)
    slow = error_of(SLOW_IN_ALL, timeout_s=3600).problem
    attempts.record_result(claim_one(run), void(problem=slow))
    first = run.attempts.order_by("pk")[0]
    assert (first.status, first.void_tries, first.problem) == (Status.DONE, 1, slow.what)
    for _ in range(2):
        attempts.record_result(claim_one(run), void(problem=slow))
    run.refresh_from_db()
    assert run.status == Status.DONE  # the endpoint is given up
    assert [a.tries for a in run.attempts.order_by("pk")] == [1, 1, 1, 0, 0, 0]


def test_attempt_whose_reply_took_too_long_is_tried_again() -> None:
    run = start_run(1)
    late = error_of(TOO_SLOW, timeout_s=900).problem
    attempts.record_result(claim_one(run), void(problem=late))
    assert run.attempts.get().status == Status.QUEUED


@pytest.mark.parametrize(
    ("status", "is_permanent"),
    [(301, True), (400, True), (401, True), (403, True), (404, True), (429, False), (503, False)],
)
def test_what_a_retry_cannot_mend_is_known_by_its_code(status: int, is_permanent: bool) -> None:
    error = of_status(status, {}, ErrorReport("no"), EndpointSpec("http://127.0.0.1:1/v1", "model"))
    assert (error.problem.code in PERMANENT) == is_permanent
