"""Tasks played by hand: one session at a time, replies in their order, a group of their own."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import AccountUse, Attempt, Run, Standing, Suite, Task, TypedText
from leaderboard.tests.support.callers import make_user
from leaderboard.tests.support.jobs import judged, lose
from leaderboard.tests.support.rows import finish_run, make_run, make_step, make_suite
from leaderboard.tests.support.sessions_by_hand import address_of, begin, send, take
from leaderboard.tests.support.uploaded import signed_in
from runner.contract import Status, TypedReply

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    return make_suite().tasks.earliest("position")


def test_task_offers_it_to_who_is_signed_in(ada: User, task: Task) -> None:
    page = f"/tasks/{task.suite.name}/{task.key}/"
    assert "Play it by hand" in signed_in(ada).get(page).content.decode()
    assert "Play it by hand" not in Client().get(page).content.decode()
    assert "/account/login" in Client().post(f"{page}by-hand/")["Location"]


def test_worker_gets_typed_replies_in_their_order(ada: User, task: Task) -> None:
    attempt = begin(ada, task)
    job = take(attempt)
    assert job.by_hand
    assert job.endpoint.base_url.endswith(".invalid/v1")
    assert job.limits.attempt_timeout_s == 3600
    assert attempts.typed_reply(job, 1) is None
    assert send(ada, attempt, 1, "print(1)\r\n").status_code == 302
    assert attempts.typed_reply(job, 1) == TypedReply("print(1)\n", False)
    attempts.step(job, make_step(1, code="print(1)"))
    send(ada, attempt, 2, "It is 1.", "answer")
    assert attempts.typed_reply(job, 2) == TypedReply("It is 1.", True)


def test_page_shows_the_form_to_its_owner_until_the_end(ada: User, task: Task) -> None:
    attempt = begin(ada, task)
    page = signed_in(ada).get(attempt.get_absolute_url()).content.decode()
    assert "Reply 1 of 10" in page
    assert f'action="{address_of(attempt)}"' in page
    job = take(attempt)
    send(ada, attempt, 1, "1")
    page = signed_in(ada).get(attempt.get_absolute_url()).content.decode()
    assert "The cell before is running" in page
    Run.objects.filter(pk=attempt.run_id).update(is_public=True)
    assert address_of(attempt) not in Client().get(attempt.get_absolute_url()).content.decode()
    attempts.record_result(job, judged(True))
    page = signed_in(ada).get(attempt.get_absolute_url()).content.decode()
    assert address_of(attempt) not in page


def test_page_after_a_reply_is_not_the_one_before(ada: User, task: Task) -> None:
    attempt = begin(ada, task)
    take(attempt)
    client = signed_in(ada)
    tag = client.get(attempt.get_absolute_url())["ETag"]
    send(ada, attempt, 1, "1")
    again = client.get(attempt.get_absolute_url(), headers={"If-None-Match": tag})
    assert again.status_code == 200


@pytest.mark.parametrize(
    ("said", "status", "words"),
    [
        pytest.param({"index": 2, "text": "2", "act": "run"}, 409, "meanwhile", id="ahead"),
        pytest.param({"index": 0, "text": "2", "act": "run"}, 422, "", id="index-of-none"),
        pytest.param({"index": 1, "text": " \n", "act": "run"}, 422, "required|Type", id="blank"),
        pytest.param({"index": 1, "text": "x" * 1_000_000, "act": "run"}, 422, "100000", id="1-MB"),
        pytest.param({"index": 1, "text": "a\0", "act": "run"}, 422, "Null", id="null"),
        pytest.param({"index": 1, "text": "2", "act": "pass"}, 422, "", id="unknown-act"),
        pytest.param({}, 422, "required", id="nothing"),
    ],
)
def test_bad_reply_is_refused(
    ada: User, task: Task, said: dict[str, Any], status: int, words: str
) -> None:
    attempt = begin(ada, task)
    answer = signed_in(ada).post(address_of(attempt), said)
    assert answer.status_code == status
    assert any(word in answer.content.decode() for word in words.split("|"))
    assert not TypedText.objects.exists()


def test_reply_is_refused_while_a_cell_runs_and_is_kept(ada: User, task: Task) -> None:
    attempt = begin(ada, task)
    take(attempt)
    send(ada, attempt, 1, "1")
    for index, words in ((1, "Another reply was typed"), (2, "still running")):
        answer = send(ada, attempt, index, "print('second')")
        assert answer.status_code == 409
        assert words in answer.content.decode()
        assert "print(&#x27;second&#x27;)" in answer.content.decode()
    assert TypedText.objects.count() == 1


def test_lost_worker_makes_the_next_one_play_the_same_replies(ada: User, task: Task) -> None:
    attempt = begin(ada, task)
    job = take(attempt)
    send(ada, attempt, 1, "a = 1")
    attempts.step(job, make_step(1, code="a = 1"))
    lose(job)
    sweep_queue()
    Attempt.objects.update(not_before=None)
    assert send(ada, attempt, 2, "print(a)").status_code == 409  # nobody knows of `a` yet
    again = take(attempt)
    assert attempts.typed_reply(again, 1) == TypedReply("a = 1", False)
    assert send(ada, attempt, 2, "print(a)").status_code == 409
    attempts.step(again, make_step(1, code="a = 1"))
    assert send(ada, attempt, 2, "print(a)").status_code == 302


def test_nobody_else_types(ada: User, task: Task) -> None:
    attempt = begin(ada, task)
    Run.objects.update(is_public=True)
    assert send(make_user("bob"), attempt, 1, "1").status_code == 404
    said = {"index": 1, "text": "1", "act": "run"}
    assert "/account/login" in Client().post(address_of(attempt), said)["Location"]
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    assert client.post(address_of(attempt), said).status_code == 403
    assert client.post(f"/tasks/{task.suite.name}/{task.key}/by-hand/").status_code == 403
    assert not TypedText.objects.exists()


def test_nothing_is_typed_into_the_run_of_a_model(ada: User, task: Task) -> None:
    run = make_run(task.suite)
    run.entry.owner = ada
    run.entry.save()
    attempt = run.attempts.select_related("task").earliest("pk")
    answer = send(ada, attempt, 1, "1")
    assert answer.status_code == 409
    assert "This session is over" in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_once_open_one_session(ada: User, task: Task) -> None:
    places: list[str] = []

    def click() -> None:
        answer = signed_in(ada).post(f"/tasks/{task.suite.name}/{task.key}/by-hand/")
        places.append(answer["Location"])
        connection.close()

    threads = [threading.Thread(target=click) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(set(places)) == 1
    assert Attempt.objects.count() == 1


def test_sessions_are_limited(ada: User, task: Task, settings: Settings) -> None:
    page = f"/tasks/{task.suite.name}/{task.key}/by-hand/"
    settings.HAND_SESSIONS = 1
    begin(make_user("bob"), task)
    assert "as many as may at once" in signed_in(ada).post(page, follow=True).content.decode()
    settings.HAND_SESSIONS, settings.HAND_SESSIONS_PER_DAY = 8, 1
    attempts.record_result(take(begin(ada, task)), judged(True))
    assert "in 24 hours" in signed_in(ada).post(page, follow=True).content.decode()
    AccountUse.objects.update(created_at=timezone.now() - timedelta(days=2))
    begin(ada, task)


def test_run_grows_by_the_tasks_that_are_played(ada: User, task: Task) -> None:
    first = begin(ada, task)
    attempts.record_result(take(first), judged(True))
    assert Run.objects.get().status == Status.DONE
    other = task.suite.tasks.exclude(pk=task.pk).earliest("position")
    second = begin(ada, other)
    assert second.run_id == first.run_id
    assert Run.objects.get().status == Status.QUEUED
    attempts.record_result(take(second), judged(False))
    run = Run.objects.get()
    assert (run.status, run.summaries.get(category="").tasks) == (Status.DONE, 2)
    assert begin(ada, task).run_id != first.run_id  # once each


def test_people_have_a_group_of_their_own_on_the_board(ada: User, task: Task) -> None:
    finish_run(make_run(task.suite), solved=0)
    attempt = begin(ada, task)
    attempts.record_result(take(attempt), judged(True))
    name = f"Account {ada.pk} (by hand)"  # a user name comes from an address
    assert name not in Client().get("/").content.decode()
    signed_in(ada).post(f"/runs/{attempt.run_id}/publish/")
    sweep_queue()
    page = Client().get("/").content.decode()
    before, _, after = page.partition('id="people"')
    assert name not in before
    assert name in after
    groups = {row["entry"]: row["group"] for row in Client().get("/board.json").json()["rows"]}
    assert groups[name] == "human"
    assert not Standing.objects.filter(run=attempt.run_id).exists()
    task.refresh_from_db()
    assert (task.decided, task.solved) == (1, 0)  # the model's
    for name in ("every-eval-ever.json", "eval-results.yaml"):
        assert Client().get(f"/runs/{attempt.run_id}/{name}").status_code == 404
    page = Client().get(f"/runs/{attempt.run_id}/").content.decode()
    assert "every-eval-ever" not in page


def test_older_version_of_a_suite_is_not_played(ada: User, task: Task) -> None:
    Suite.objects.create(name=task.suite.name, version="99", digest="cd" * 32, seed=1)
    page = f"/tasks/{task.suite.name}/{task.key}/by-hand/?version={task.suite.version}"
    assert "cannot be played" in signed_in(ada).post(page, follow=True).content.decode()
    assert not Attempt.objects.exists()
