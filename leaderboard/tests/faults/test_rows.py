"""Faults as the rows see them: clocks that jump, messages that come late, stores that are full."""

from __future__ import annotations

import errno
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from celery.beat import ScheduleEntry
from django.core.files.storage import FileSystemStorage
from django.db import OperationalError
from django.utils import timezone
from psycopg.errors import QueryCanceled
from pytest_django.fixtures import Settings

from leaderboard.handoff import attempts, sweep
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Attempt, Run
from leaderboard.models.querysets import is_sent
from leaderboard.queue import clock
from leaderboard.queue.transitions import end_void
from leaderboard.submissions import run_actions
from leaderboard.tests.support.jobs import FLAKY, attempt_of, claim, claim_one, judged, step, void
from leaderboard.tests.support.rows import register_entry, start_run
from pybench_site.celery import app
from runner.contract import Fenced, Harvest, Opening, Outcome, ProblemError, Status, StoredFile
from runner.worker import process, tasks
from runner.worker.database_retries import Retrying, record_result

pytestmark = pytest.mark.django_db


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    def now(self) -> datetime:
        return timezone.now() + self.ahead


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Clock:
    wall = Clock()
    monkeypatch.setattr(clock, "now", wall.now)
    monkeypatch.setattr(clock, "later", lambda wait=timedelta(0): wall.now() + wait)
    return wall


# -- clocks


def test_a_clock_that_jumps_ahead_costs_a_try_and_no_result(wall: Clock) -> None:
    run = start_run(3)
    finished, under_way = claim(run.pk, 2, "worker")
    attempts.record_result(finished, judged(True))
    sealed = attempt_of(finished)
    wall.ahead = timedelta(hours=1)
    assert sweep_queue().taken_back == 1
    with pytest.raises(Fenced):
        attempts.record_result(under_way, judged(False))
    wall.ahead += timedelta(minutes=1)
    for job in claim(run.pk, 2, "worker"):
        attempts.record_result(job, judged(True))
    run.refresh_from_db()
    assert run.status == Status.DONE
    assert [(a.passed, a.void_tries) for a in run.attempts.order_by("pk")] == [
        (True, 0),
        (True, 1),
        (True, 0),
    ]
    again = attempt_of(finished)
    assert (again.token, again.finished_at) == (sealed.token, sealed.finished_at)


def test_nothing_waits_for_a_clock_that_was_set_back(wall: Clock, settings: Settings) -> None:
    wall.ahead = timedelta(hours=1)
    run = start_run(3, concurrency=64)
    dead, spoiled = claim(run.pk, 2, "worker")
    attempts.record_result(spoiled, void(Outcome.KERNEL_LOST))
    attempts.note_worker("w:1", 8)
    wall.ahead = timedelta(0)

    attempts.note_worker("w:2", 8)
    sweep_queue()
    assert run.attempts.filter(is_sent(clock.now())).count() == 2  # at once, not in an hour
    run.attempts.filter(status=Status.QUEUED).update(lease_until=None)
    assert [job.attempt_id for job in claim(run.pk, 1, "worker")] == [spoiled.attempt_id]
    wall.ahead = timedelta(seconds=settings.QUEUE_LEASE_S + 1)  # a lease later, not an hour
    assert sweep_queue().taken_back == 2
    assert attempt_of(dead).status == Status.QUEUED


def test_living_worker_keeps_its_leases_when_the_clock_goes_back(wall: Clock) -> None:
    wall.ahead = timedelta(hours=1)
    job = claim_one(start_run(1))
    wall.ahead = timedelta(0)
    assert sweep_queue().taken_back == 0
    assert attempts.renew([job]) == {job.claim}
    attempts.record_result(job, judged(True))
    assert attempt_of(job).void_tries == 0


def test_the_sweeps_go_on_at_their_pace_whatever_the_clock_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    schedule = app.conf.beat_schedule["sweep"]["schedule"]
    entry = ScheduleEntry(name="sweep", task="runner.sweep", schedule=schedule, app=app)
    monkeypatch.setattr(type(app), "now", lambda self: timezone.now() - timedelta(hours=1))
    _, due_in_s = entry.is_due()
    assert 0 < due_in_s <= schedule.run_every.total_seconds()
    assert app.conf.beat_scheduler == "celery.beat:Scheduler"  # which remembers no moments


# -- messages


@pytest.mark.parametrize("state", ["done", "cancelled", "deleted"])
def test_a_late_message_about_a_run_that_is_over_does_nothing(state: str) -> None:
    run = start_run(1)
    attempts.note_worker("w:1", 8)
    assert attempts.dispatch()
    sent = run.attempts.get()
    if state == "done":
        job = attempts.claim(sent.pk, str(sent.token), "w:1")
        assert job
        attempts.record_result(job, judged(True))
    elif state == "cancelled":
        run_actions.cancel(run.pk)
    else:
        run.delete()
    runs, rows = list(Run.objects.values()), list(Attempt.objects.values())
    assert attempts.claim(sent.pk, str(sent.token), "w:1") is None
    assert (list(Run.objects.values()), list(Attempt.objects.values())) == (runs, rows)


def test_sweeps_that_piled_up_while_no_worker_ran_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    swept: list[int] = []
    monkeypatch.setattr(tasks, "sweep_queue", lambda: swept.append(1))
    monkeypatch.setattr(tasks, "_swept_s", float("-inf"))
    for _ in range(3):
        tasks.sweep()
    assert swept == [1]


def test_a_sweep_without_a_database_is_a_line_of_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away() -> None:
        raise OperationalError("connection failed\n\tIs the server running?")

    monkeypatch.setattr(tasks, "sweep_queue", away)
    monkeypatch.setattr(tasks, "_swept_s", float("-inf"))
    tasks.sweep()
    [record] = caplog.records
    assert record.getMessage().endswith("connection failed Is the server running?")
    assert record.exc_info is None


def test_a_run_or_a_duty_that_fails_in_a_sweep_stands_in_no_others_way(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = start_run(1)
    sound = run_actions.start(register_entry("Other"), broken.suite)
    for run in (broken, sound):
        job = claim_one(run)
        Attempt.objects.filter(pk=job.attempt_id).update(
            lease_until=clock.now() - timedelta(hours=1)
        )

    def fail(run: Run, *arguments: Any) -> None:
        if run.pk == broken.pk:
            raise KeyError("key")
        end_void(run, *arguments)

    def time_out() -> None:
        raise OperationalError("too long") from QueryCanceled("too long")

    monkeypatch.setattr(sweep, "end_void", fail)
    monkeypatch.setattr(sweep, "conclude_missed", time_out)
    monkeypatch.setattr(tasks, "_swept_s", float("-inf"))
    looked = Mock()
    monkeypatch.setattr(sweep, "ask_for_notices", looked)
    tasks.sweep()
    assert [run.attempts.get().status for run in (broken, sound)] == ["running", "queued"]
    assert looked.called
    assert "KeyError: 'key'" in caplog.text
    assert "OperationalError: too long" in caplog.text


# -- endpoints


def test_an_endpoint_that_goes_away_under_many_attempts_went_away_once() -> None:
    run = start_run(24, concurrency=12)
    for job in claim(run.pk, 12, "worker"):
        attempts.record_result(job, void(problem=FLAKY))
    run.refresh_from_db()
    assert (run.status, run.endpoint_failures) == (Status.RUNNING, 1)
    assert run.attempts.filter(status=Status.QUEUED).count() == 24


# -- stores and databases


def refuse_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    def save(*_: Any, **__: Any) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(FileSystemStorage, "save", save)


def patient() -> Retrying:
    return Retrying(process.DATABASE_FAILURES, process.is_passing)


def test_a_full_store_is_said_in_words_and_the_attempt_comes_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run = start_run(1)
    job = claim_one(run)
    (tmp_path / "a.py").write_text("1")
    files = (StoredFile("a.py", 1, "", tmp_path / "a.py"),)
    result = judged(True, harvest=Harvest(files))
    with monkeypatch.context() as patch:
        refuse_writes(patch)
        with pytest.raises(ProblemError, match="No space left on device"):
            attempts.step(job, step())
        record_result(patient()(attempts.record_result), job, result)
    attempt = attempt_of(job)
    assert (attempt.status, attempt.passed) == (Status.QUEUED, None)
    assert attempt.problem_code == "store_failed"
    run.attempts.update(not_before=None)
    again = claim_one(run)
    record_result(patient()(attempts.record_result), again, result)
    assert attempt_of(again).passed is True


class Silent:
    """A door whose every first act is done, and only the answer is lost."""

    def __init__(self) -> None:
        self.told: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        def act(*arguments: Any) -> None:
            getattr(attempts, name)(*arguments)
            if name not in self.told:
                self.told.add(name)
                raise OperationalError("server closed the connection unexpectedly")

        return act


def test_an_act_whose_answer_was_lost_is_done_once(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1")
    job = claim_one(start_run(1))
    retrying, door = patient(), Silent()
    inputs = (StoredFile("a.csv", 1, "", tmp_path / "a.csv"),)
    retrying(door.opened)(job, Opening((), "Sum it.", 7, {}, inputs))
    retrying(door.step)(job, step())
    with pytest.raises(Fenced):
        record_result(retrying(door.record_result), job, judged(True))
    attempt = attempt_of(job)
    assert (attempt.status, attempt.passed) == (Status.DONE, True)
    counts = (attempt.steps.count(), attempt.artifacts.count(), attempt.verdicts.count())
    assert counts == (1, 1, 1)


def test_a_process_that_is_asked_to_end_waits_for_no_database() -> None:
    retrying = patient()
    retrying.hurry()
    job = claim_one(start_run(1))
    with pytest.raises(OperationalError):
        retrying(Silent().step)(job, step())
