"""Pausing a run and resuming it: nothing is lost, nothing is played meanwhile."""

from __future__ import annotations

import pytest
from django.test import Client

from leaderboard.accounts import quotas
from leaderboard.handoff import attempts
from leaderboard.handoff.dispatch import is_anyone_waiting
from leaderboard.handoff.preflights import RunPreflight
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Endpoint, Run, Step
from leaderboard.operations.metrics import queue_depth
from leaderboard.queue.preflights import report_of
from leaderboard.storage import encryption
from leaderboard.submissions import pauses, run_actions
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.jobs import (
    UNAUTHORISED,
    attempt_of,
    claim,
    claim_one,
    judged,
    lose,
    skip_back_off,
    step,
    void,
)
from leaderboard.tests.support.own_runs import own_run, page_of, play_out
from leaderboard.tests.support.rows import start_run
from runner.contract import EndpointSpec, Job, Limits, Outcome, ProblemError, Status

pytestmark = pytest.mark.django_db

USABLE = {"checks": [], "measures": {"reply_s": 1.0}, "took_s": 1.0, "is_usable": True}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The runs whose key a worker was asked to check."""
    sent: list[int] = []
    for module in ("queue.preflights", "submissions.pauses"):
        monkeypatch.setattr(f"leaderboard.{module}.send_preflight_run", sent.append)
    return sent


def test_paused_run_is_not_claimed_and_gives_back_what_is_under_way() -> None:
    run = start_run(3, concurrency=2)
    first, second = claim(run.pk, 2, "worker")
    attempts.record_result(first, judged(True))
    attempts.step(second, step(1))
    pauses.pause(run.pk)
    assert attempts.look([run.pk]) == {run.pk}
    attempts.record_result(second, void(Outcome.CANCELLED))
    assert claim(run.pk, 9, "worker") == claim(None, 9, "worker") == []
    assert not is_anyone_waiting()
    given_back = attempt_of(second)
    assert (given_back.status, given_back.void_tries, given_back.passed) == ("queued", 0, None)
    assert Step.objects.filter(attempt=given_back).count() == 1  # stays as evidence
    swept = sweep_queue()
    assert swept.closed == 0
    run.refresh_from_db()
    assert run.status == Status.PAUSED


def test_resumed_run_goes_on_where_it_was() -> None:
    run = start_run(3, concurrency=2)
    attempts.record_result(claim_one(run), judged(True))
    pauses.pause(run.pk)
    pauses.resume(run.pk)
    assert attempts.look([run.pk]) == set()
    play_out(run)
    run.refresh_from_db()
    assert run.status == Status.DONE
    assert list(run.attempts.values_list("passed", "tries").distinct()) == [(True, 1)]
    acts = run.status_changes.filter(attempt=None).values_list("before", "after")
    assert ("running", "paused") in acts
    assert ("paused", "queued") in acts


def test_pausing_or_resuming_twice_is_as_once() -> None:
    run = start_run(2)
    for act in (pauses.pause, pauses.resume):
        act(run.pk)
        moves = run.status_changes.count()
        act(run.pk)
        assert run.status_changes.count() == moves


def test_verdict_that_came_in_a_pause_counts_and_the_last_one_ends_the_run() -> None:
    run = start_run(2, concurrency=2)
    jobs = claim(run.pk, 2, "worker")
    pauses.pause(run.pk)
    for job in jobs:
        attempts.record_result(job, judged(True))
    run.refresh_from_db()
    assert (run.status, run.attempts.filter(passed=True).count()) == (Status.DONE, 2)


def test_worker_lost_in_a_pause_costs_one_try_and_the_run_stays_paused() -> None:
    run = start_run(1)
    job = claim_one(run)
    pauses.pause(run.pk)
    lose(job)
    sweep_queue()
    run.refresh_from_db()
    assert (run.status, attempt_of(job).status) == (Status.PAUSED, Status.QUEUED)
    pauses.resume(run.pk)
    skip_back_off(run)
    play_out(run)
    assert attempt_of(job).passed is True


def test_refusals_that_were_under_way_do_not_end_a_paused_run() -> None:
    run = start_run(3, concurrency=1)
    job = claim_one(run)
    pauses.pause(run.pk)
    attempts.record_result(job, void(problem=UNAUTHORISED))
    run.refresh_from_db()
    assert run.status == Status.PAUSED
    assert run.attempts.filter(status=Status.QUEUED).count() == 2


def test_paused_run_can_be_cancelled_and_taken_up_again() -> None:
    run = start_run(2)
    pauses.pause(run.pk)
    run_actions.cancel(run.pk)
    run.refresh_from_db()
    assert run.status == Status.CANCELLED
    pauses.resume(run.pk)
    play_out(run)
    run.refresh_from_db()
    assert run.status == Status.DONE


@pytest.mark.parametrize("end", ["done", "cancelled", "checking"])
def test_only_runs_under_way_are_paused(end: str) -> None:
    run = start_run(1)
    if end == "done":
        play_out(run)
    elif end == "cancelled":
        run_actions.cancel(run.pk)
    else:
        Run.objects.filter(pk=run.pk).update(status=Status.CHECKING)
    with pytest.raises(ProblemError) as refused:
        pauses.pause(run.pk)
    assert refused.value.problem.code == "not_under_way"


def test_paused_runs_stand_in_nobodys_way() -> None:
    paused = start_run(2)
    other = run_actions.start(paused.entry, paused.suite)
    pauses.pause(paused.pk)
    assert [job.run_id for job in claim(None, 9, "worker")] == [other.pk] * 2
    depths = {sample.labels["state"]: sample.value for sample in queue_depth().samples}
    assert depths == {"ready": 0, "pausing": 0, "running": 2}


def test_pause_counts_in_the_quota_once() -> None:
    owner, run = own_run()
    used = quotas.count(owner).used
    pauses.pause(run.pk)
    assert quotas.count(owner).used == used
    pauses.resume(run.pk)
    assert quotas.count(owner).used == used


def test_paused_run_names_its_state_everywhere_and_stops_estimating() -> None:
    owner, run = own_run()
    attempts.record_result(claim_one(run), judged(True))
    claim_one(run)
    assert "Pause</button>" in page_of(owner, run)
    answer = Caller(owner).send(f"runs/{run.pk}/pause/")
    assert answer["status"] == "paused"
    page = page_of(owner, run)
    assert "<b>Pausing" in page
    assert "Resume</button>" in page
    assert "Pause</button>" not in page
    attempts.release(attempts_job(run))
    page = page_of(owner, run)
    assert "<b>Paused" in page
    assert "until the run is resumed" in page
    client = Client()
    client.force_login(owner)
    assert "<td>paused</td>" in client.get("/submissions/").content.decode()
    assert [r["id"] for r in Caller(owner).ask("runs/?status=paused")["results"]] == [run.pk]
    assert Caller(owner).send(f"runs/{run.pk}/resume/")["status"] == "queued"


def attempts_job(run: Run) -> Job:
    """The job of the run's only attempt that is under way."""
    attempt = run.attempts.get(status=Status.RUNNING)
    spec = EndpointSpec("http://127.0.0.1:8001/v1", "m")
    return Job(attempt.pk, str(attempt.token), "s", "k", 1, 1, spec, Limits(), run_id=run.pk)


def test_only_the_owner_pauses() -> None:
    _, run = own_run()
    stranger = make_user("eve")
    client = Client()
    client.force_login(stranger)
    assert client.post(f"/runs/{run.pk}/pause/").status_code == 404
    Caller(stranger).send(f"runs/{run.pk}/pause/", expect=403)
    assert client.get(f"/runs/{run.pk}/pause/").status_code == 405
    run.refresh_from_db()
    assert run.status == Status.QUEUED


def test_new_key_is_checked_before_the_run_goes_on(
    asked: list[int], django_capture_on_commit_callbacks: object
) -> None:
    owner, run = own_run()
    pauses.pause(run.pk)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        answer = Caller(owner).send(f"runs/{run.pk}/resume/", {"api_key": "sk-renewed"})
    assert answer["status"] == "paused"
    assert asked == [run.pk]
    assert "Checking the new key" in page_of(owner, run)
    assert "sk-renewed" not in page_of(owner, run)
    assert claim(run.pk, 1, "worker") == []
    check = RunPreflight(run.pk)
    spec = check.endpoint()
    assert spec is not None
    assert (spec.base_url, spec.api_key) == ("http://127.0.0.1:8001/v1", "sk-renewed")
    check.record(USABLE)
    [job] = claim(run.pk, 1, "worker")
    assert job.endpoint.api_key == "sk-renewed"
    assert check.endpoint() is None
    run.refresh_from_db()
    assert run.attempts.count() == 3


def stored_key(run: Run) -> str:
    return encryption.decrypt(Endpoint.objects.get(entry=run.entry).encrypted_key)


def test_refused_key_leaves_the_run_paused_with_the_reason(asked: list[int]) -> None:
    owner, run = own_run()
    Run.objects.filter(pk=run.pk).update(preflight=USABLE)
    pauses.pause(run.pk)
    stored = stored_key(run)
    pauses.resume(run.pk, "sk-wrong")
    asked_with = RunPreflight(run.pk).endpoint()
    assert asked_with is not None
    assert asked_with.api_key == "sk-wrong"
    RunPreflight(run.pk).record(report_of(UNAUTHORISED))
    run.refresh_from_db()
    assert (run.status, run.is_checking_key) == (Status.PAUSED, False)
    assert stored_key(run) == stored
    assert run.encrypted_new_key is None
    assert run.preflight["measures"] == USABLE["measures"]  # the first one's
    page = page_of(owner, run)
    assert "The new key did not work, so the run stays paused." in page
    assert UNAUTHORISED.what in page
    assert UNAUTHORISED.what in Caller(owner).ask(f"runs/{run.pk}/")["key_refusal"]
    assert UNAUTHORISED.what not in Client().get(run.get_absolute_url()).content.decode()
    assert Caller().ask(f"runs/{run.pk}/")["key_refusal"] == ""
    pauses.resume(run.pk, "sk-right")
    RunPreflight(run.pk).record(USABLE)
    run.refresh_from_db()
    assert (run.status, run.key_refusal) == (Status.QUEUED, "")
    assert stored_key(run) == "sk-right"
    assert run.encrypted_new_key is None


def test_check_that_a_worker_lost_is_asked_again(asked: list[int]) -> None:
    _, run = own_run()
    pauses.pause(run.pk)
    pauses.resume(run.pk, "sk-renewed")
    Run.objects.filter(pk=run.pk).update(woken_at=None)
    sweep_queue()
    assert run.pk in asked


def test_late_answer_to_a_check_changes_nothing(asked: list[int]) -> None:
    _, run = own_run()
    pauses.pause(run.pk)
    pauses.resume(run.pk, "sk-renewed")
    pauses.resume(run.pk)  # the owner does not wait for it, and goes on with the old key
    RunPreflight(run.pk).record(report_of(UNAUTHORISED))
    run.refresh_from_db()
    assert stored_key(run) != "sk-renewed"
    assert run.encrypted_new_key is None
    assert (run.status, run.attempts.count()) == (Status.QUEUED, 3)


def test_check_of_a_cancelled_pause_does_not_end_a_later_one(asked: list[int]) -> None:
    _, run = own_run()
    pauses.pause(run.pk)
    pauses.resume(run.pk, "sk-renewed")
    run_actions.cancel(run.pk)
    pauses.resume(run.pk)
    pauses.pause(run.pk)
    asked.clear()
    Run.objects.filter(pk=run.pk).update(woken_at=None)
    sweep_queue()
    assert asked == []
    RunPreflight(run.pk).record(USABLE)
    run.refresh_from_db()
    assert run.status == Status.PAUSED


@pytest.mark.parametrize("key", ["sk with blanks", "sk\nline", "sk-\N{SNOWMAN}"])
def test_key_that_cannot_be_sent_is_refused_and_replaces_nothing(key: str) -> None:
    owner, run = own_run()
    pauses.pause(run.pk)
    stored = stored_key(run)
    Caller(owner).send(f"runs/{run.pk}/resume/", {"api_key": key}, 400)
    assert stored_key(run) == stored
    run.refresh_from_db()
    assert (run.status, run.is_checking_key) == (Status.PAUSED, False)


def test_key_goes_to_no_other_address_and_only_into_a_pause() -> None:
    owner, run = own_run()
    body = {"api_key": "sk-x", "base_url": "https://elsewhere.example/v1"}
    Caller(owner).send(f"runs/{run.pk}/resume/", body, 400)
    Caller(owner).send(f"runs/{run.pk}/resume/", {"api_key": "sk-x"}, 409)
    assert Endpoint.objects.get(entry=run.entry).base_url == "http://127.0.0.1:8001/v1"
