"""Execution of uploads: queued under the quota of submissions, marked, and never ranked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Run, Standing
from leaderboard.submissions.run_actions import publish
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.jobs import claim, judged
from leaderboard.tests.support.rows import make_suite
from leaderboard.tests.support.uploaded import bring, chat_line, signed_in
from runner.contract import AS_RECORDED, Opening, Status

pytestmark = pytest.mark.django_db


@pytest.fixture
def upload(ada: User) -> Run:
    """An upload of every task of an installed suite, and of one that nobody knows."""
    tasks = list(make_suite().tasks.all())
    lines = [chat_line(task.key, query=task.query) for task in tasks]
    return bring(ada, "\n".join([*lines, chat_line("x", query="Another")]))


def execute(user: User, upload: Run) -> Run:
    answer = signed_in(user).post(f"/runs/{upload.pk}/execute/")
    run = Run.objects.latest("pk")
    assert answer["Location"] == f"/runs/{run.pk}/"
    return run


def test_upload_offers_its_execution(ada: User, upload: Run) -> None:
    page = signed_in(ada).get(f"/runs/{upload.pk}/").content.decode()
    assert f'action="/runs/{upload.pk}/execute/"' in page


def test_execution_is_a_private_run_in_the_queue(ada: User, upload: Run) -> None:
    run = execute(ada, upload)
    assert (run.status, run.is_public, run.entry.provenance) == (
        Status.QUEUED, False, "re-executed",
    )  # fmt: skip
    assert run.attempts.count() == upload.attempts.count() - 1
    assert not run.suite.is_private
    assert Client().get(f"/runs/{run.pk}/").status_code == 404


def test_worker_gets_the_recorded_steps(ada: User, upload: Run) -> None:
    run = execute(ada, upload)
    [job] = claim(run.pk, 1, "w")
    assert job.recording is not None
    assert [step.code for step in job.recording.steps] == ["print(1)", None]
    assert job.recording.steps[0].outputs[0].text == "1"
    assert job.recording.answer == "Finished: it is 1."
    attempts.opened(job, Opening((), "q", 7, {}, ()))
    for step in job.recording.steps:
        attempts.step(job, step)
    attempts.record_result(job, judged(True, turns=2))
    assert run.attempts.get(pk=job.attempt_id).passed is True


def test_complete_execution_is_shown_beside_and_never_ranked(ada: User, upload: Run) -> None:
    run = execute(ada, upload)
    while jobs := claim(run.pk, 50, "w"):
        for job in jobs:
            attempts.record_result(job, judged(True))
    publish(run.pk)
    sweep_queue()
    run.refresh_from_db()
    assert run.status == Status.DONE
    assert not Standing.objects.filter(run=run).exists()
    page = Client().get(f"/?suite={run.suite.name}").content.decode()
    assert "re-executed, never ranked" in page
    task = run.suite.tasks.earliest("position")
    assert (task.decided, task.solved) == (0, 0)


def test_run_says_how_many_observations_came_out_as_recorded(ada: User, upload: Run) -> None:
    run = execute(ada, upload)
    assert (
        "observations came out" not in signed_in(ada).get(run.get_absolute_url()).content.decode()
    )
    for counts in ({AS_RECORDED: "2 of 3"}, {AS_RECORDED: "1 of 4"}, {}):
        [job] = claim(run.pk, 1, "w")
        attempts.record_result(job, replace(judged(True), environment=counts))
    page = signed_in(ada).get(run.get_absolute_url()).content.decode()
    assert "3 of 7 observations came out as recorded." in " ".join(page.split())


def test_execution_counts_as_a_submission(ada: User, upload: Run, settings: Settings) -> None:
    settings.SUBMISSIONS_PER_DAY = 1
    execute(ada, upload)
    page = signed_in(ada).post(f"/runs/{upload.pk}/execute/", follow=True).content.decode()
    assert "You have submitted 1 runs" in page
    assert Run.objects.exclude(suite__is_private=True).count() == 1


def test_execution_outlives_its_upload(ada: User, upload: Run) -> None:
    run = execute(ada, upload)
    signed_in(ada).post(f"/runs/{upload.pk}/delete/")
    [job] = claim(run.pk, 1, "w")
    assert job.recording is not None
    assert len(job.recording.steps) == 2


def test_nobody_else_executes_an_upload(ada: User, upload: Run) -> None:
    bob = make_user("bob")
    assert signed_in(bob).post(f"/runs/{upload.pk}/execute/").status_code == 404
    assert Client().post(f"/runs/{upload.pk}/execute/").status_code == 302
    Caller(bob).send(f"uploads/{upload.pk}/execute/", expect=404)
    assert Run.objects.count() == 1


def test_upload_of_unknown_tasks_is_not_executed(ada: User) -> None:
    upload = bring(ada, chat_line())
    page = signed_in(ada).get(f"/runs/{upload.pk}/").content.decode()
    assert "/execute/" not in page
    told = Caller(ada).send(f"uploads/{upload.pk}/execute/", expect=409)
    assert told["code"] == "nothing_to_execute"


def test_program_executes_an_upload(ada: User, upload: Run) -> None:
    told = Caller(ada).send(f"uploads/{upload.pk}/execute/", expect=201)
    assert told["status"] == "queued"
    assert Run.objects.get(pk=told["id"]).attempts.count() == upload.attempts.count() - 1
