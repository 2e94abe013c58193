"""Taking up a cancelled run again: what was played stays, the rest is played, once."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Entry, Run
from leaderboard.submissions import run_actions
from leaderboard.tests.support.jobs import attempt_of, claim_one, judged, lose, void
from leaderboard.tests.support.own_runs import play_out
from leaderboard.tests.support.rows import make_step, start_run
from runner.contract import Fenced, Outcome, ProblemError, Status

pytestmark = pytest.mark.django_db


def cancelled_run(tasks: int = 3) -> Run:
    """One attempt passed; one was under way when the run was cancelled, one was queued."""
    run = start_run(tasks, concurrency=1)
    attempts.record_result(claim_one(run), judged(True))
    running = claim_one(run)
    run_actions.cancel(run.pk)
    attempts.record_result(running, void(Outcome.CANCELLED))
    run.refresh_from_db()
    assert run.status == Status.CANCELLED
    return run


def test_resumed_run_plays_the_rest_and_keeps_verdicts() -> None:
    run = cancelled_run()
    first = run.attempts.get(passed=True)
    run_actions.resume(run.pk)
    run.refresh_from_db()
    assert (run.status, run.cancel_requested, run.finished_at) == (Status.QUEUED, False, None)
    assert run.attempts.filter(status=Status.QUEUED).count() == 2
    play_out(run)
    run.refresh_from_db()
    assert run.status == Status.DONE
    assert run.attempts.filter(passed=True).count() == 3
    kept = run.attempts.get(pk=first.pk)
    assert (kept.tries, kept.finished_at) == (1, first.finished_at)


@pytest.mark.parametrize("is_released", [True, False])
def test_stopped_attempt_has_the_tokens_of_its_steps(client: Client, is_released: bool) -> None:
    run = start_run(3, concurrency=1)
    attempts.record_result(claim_one(run), judged(True))
    running = claim_one(run)
    for index in (1, 2):
        attempts.step(running, make_step(index))
    run_actions.cancel(run.pk)
    if is_released:
        attempts.release(running)
    else:
        attempts.record_result(running, void(Outcome.CANCELLED))
    stopped = run.attempts.get(pk=running.attempt_id)
    assert (stopped.status, stopped.turns) == (Status.CANCELLED, 2)
    assert (stopped.prompt_tokens, stopped.completion_tokens) == (2400, 408)
    assert stopped.wall_s == pytest.approx(2 * (2.31 + 0.42))
    page = " ".join(client.get(run.get_absolute_url()).content.decode().split())
    assert "1 of 3 <small>attempts ended</small>" in page
    assert "used in all, any retries and stopped attempts included" in page
    assert "2 808 <small>tokens</small>" in page
    run_actions.resume(run.pk)
    again = run.attempts.get(pk=running.attempt_id)
    assert (again.turns, again.prompt_tokens, again.wall_s) == (0, None, 0.0)


def test_list_of_runs_counts_as_their_pages_do(owner: User, signed_in: Client) -> None:
    run = cancelled_run()
    Entry.objects.filter(pk=run.entry_id).update(owner=owner)
    page = " ".join(signed_in.get("/submissions/").content.decode().split())
    assert '<td class="num">1 of 3</td>' in page


def test_resuming_twice_is_as_once() -> None:
    run = cancelled_run()
    run_actions.resume(run.pk)
    moves = run.status_changes.count()
    run_actions.resume(run.pk)
    assert run.status_changes.count() == moves


def test_late_result_of_the_cancelled_try_changes_nothing() -> None:
    run = start_run(1, concurrency=1)
    job = claim_one(run)
    run_actions.cancel(run.pk)
    lose(job)
    sweep_queue()
    run.refresh_from_db()
    assert run.status == Status.CANCELLED  # the dead worker's attempt went with the run
    run_actions.resume(run.pk)
    with pytest.raises(Fenced):
        attempts.record_result(job, judged(False))
    assert attempt_of(job).status == Status.QUEUED
    play_out(run)
    assert attempt_of(job).passed is True


def test_run_that_is_still_stopping_is_resumed_later() -> None:
    run = start_run(1, concurrency=1)
    claim_one(run)
    run_actions.cancel(run.pk)
    with pytest.raises(ProblemError) as refused:
        run_actions.resume(run.pk)
    assert refused.value.problem.code == "still_stopping"


@pytest.mark.parametrize("reason", ["cancelled from the shell", "cancelled by root"])
def test_operators_cancellation_stands(reason: str) -> None:
    run = start_run(1)
    run_actions.cancel(run.pk, reason)
    with pytest.raises(ProblemError) as refused:
        run_actions.resume(run.pk)
    assert refused.value.problem.code == "not_cancelled"


def test_complete_runs_have_nothing_to_resume() -> None:
    run = start_run(1)
    play_out(run)
    with pytest.raises(ProblemError):
        run_actions.resume(run.pk)
    run.refresh_from_db()
    assert run.status == Status.DONE


def test_only_the_owner_resumes_and_the_page_asks_before_cancelling(client: Client) -> None:
    run = start_run(2)
    owner = User.objects.create_user("ada", "ada@example.org")
    run.entry.owner = owner
    run.entry.save()
    client.force_login(owner)
    page = client.get(run.get_absolute_url()).content.decode()
    assert "Cancel the run" in page
    assert "Resume" not in page
    client.post(f"/runs/{run.pk}/cancel/")
    assert "Resume" in client.get(run.get_absolute_url()).content.decode()
    stranger = Client()
    stranger.force_login(User.objects.create_user("eve", "eve@example.org"))
    assert stranger.post(f"/runs/{run.pk}/resume/").status_code == 404
    assert "Resume" not in stranger.get(run.get_absolute_url()).content.decode()
    client.post(f"/runs/{run.pk}/withdraw/")
    assert client.post(f"/runs/{run.pk}/resume/").status_code == 302
    run.refresh_from_db()
    assert (run.status, run.is_public) == (Status.QUEUED, False)
