"""Requests with an Idempotency-Key: they act once, whenever and however often they are sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection

from leaderboard.accounts import kept_answers
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Entry, KeptAnswer, Run
from leaderboard.queue import clock
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.rows import make_suite

pytestmark = pytest.mark.django_db

SUBMISSION = {
    "suite": "starter",
    "base_url": "https://api.somewhere.net/v1",
    "model": "foo-70b",
    "name": "Foo 70B",
    "api_key": "sk-canary-93xk",
    "extra_body": {"project": "canary-in-a-body"},
    "preflight": False,
}


@pytest.fixture(autouse=True)
def fresh_counters() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def send(caller: Caller, key: str, body: Any = None) -> Any:
    return caller.post(
        "/api/v1/runs/",
        json.dumps(SUBMISSION | (body or {})),
        content_type="application/json",
        headers=caller.headers_sent | {"Idempotency-Key": key},
    )


def test_same_key_and_body_gets_the_same_answer_and_one_run() -> None:
    make_suite()
    caller = Caller(make_user())
    first, second = send(caller, "one"), send(caller, '"one"')
    assert (first.status_code, second.status_code) == (201, 201)
    assert second.content == first.content
    assert second["Location"] == first["Location"]
    assert second["Content-Type"] == first["Content-Type"] == "application/json"
    assert (first.get("Idempotency-Replayed"), second["Idempotency-Replayed"]) == (None, "true")
    assert "no-store" in second["Cache-Control"]
    assert Run.objects.count() == 1


def test_order_of_fields_does_not_make_another_body() -> None:
    make_suite()
    caller = Caller(make_user())
    first = send(caller, "one")
    turned = dict(reversed(SUBMISSION.items()))
    again = caller.post(
        "/api/v1/runs/",
        json.dumps(turned, indent=2),
        content_type="application/json",
        headers=caller.headers_sent | {"Idempotency-Key": "one"},
    )
    assert again.content == first.content
    assert Run.objects.count() == 1


def test_same_key_with_another_body_is_refused_in_clear_words() -> None:
    make_suite()
    caller = Caller(make_user())
    send(caller, "one")
    answer = send(caller, "one", {"name": "Another"})
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")
    assert "another body" in answer.json()["what"]
    assert Run.objects.count() == 1
    assert not Entry.objects.filter(name="Another").exists()


def test_key_of_a_refused_request_is_free_again() -> None:
    make_suite()
    caller = Caller(make_user())
    assert send(caller, "one", {"name": ""}).status_code == 400
    assert not KeptAnswer.objects.exists()
    assert send(caller, "one").status_code == 201


def test_failure_within_gives_the_key_back(monkeypatch: pytest.MonkeyPatch) -> None:
    make_suite()
    caller = Caller(make_user())

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("leaderboard.api.runs.answer_run", fail)
        assert send(caller, "one").status_code == 500
    assert not Run.objects.exists()  # what was done until then is undone
    assert send(caller, "one").status_code == 201
    assert Run.objects.count() == 1


def test_keys_of_two_accounts_do_not_meet() -> None:
    make_suite()
    first, second = (send(Caller(make_user(name)), "one") for name in ("ada", "bob"))
    assert first.json()["id"] != second.json()["id"]
    assert "Idempotency-Replayed" not in second


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 256, "schlüssel", "a\tb", "a\x00b"])
def test_key_that_no_header_should_hold_is_refused(key: str) -> None:
    make_suite()
    answer = send(Caller(make_user()), key)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_idempotency_key")
    assert not Run.objects.exists()


def test_longest_key_is_taken() -> None:
    make_suite()
    assert send(Caller(make_user()), "k" * 255).status_code == 201


def test_without_a_key_each_request_acts() -> None:
    make_suite()
    caller = Caller(make_user())
    ids = [caller.send("runs/", SUBMISSION, expect=201)["id"] for _ in range(2)]
    assert len(set(ids)) == 2
    assert not KeptAnswer.objects.exists()


def test_a_request_within_another_with_its_key_is_told_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_suite()
    caller = Caller(make_user())
    inside: list[Any] = []

    def meanwhile(*_: object, **__: object) -> None:
        monkeypatch.undo()
        inside.append(send(caller, "one"))
        inside.append(send(caller, "one", {"name": "Another"}))

    monkeypatch.setattr("leaderboard.api.runs.submission_of", meanwhile)
    send(caller, "one")
    assert (inside[0].status_code, inside[0].json()["code"]) == (409, "idempotency_key_under_way")
    assert (inside[1].status_code, inside[1].json()["code"]) == (422, "idempotency_key_reused")


def test_nothing_secret_is_kept_with_an_answer() -> None:
    make_suite()
    send(Caller(make_user()), "one")
    kept = KeptAnswer.objects.get()
    stored = str(KeptAnswer.objects.values()) + kept_answers.read(kept).body.decode()
    for secret in ("canary", "somewhere.net"):
        assert secret not in stored


def test_answers_are_kept_for_a_day_and_then_swept() -> None:
    make_suite()
    caller = Caller(make_user())
    send(caller, "one")
    KeptAnswer.objects.update(created_at=clock.now() - timedelta(hours=23))
    sweep_queue()
    assert send(caller, "one")["Idempotency-Replayed"] == "true"
    KeptAnswer.objects.update(created_at=clock.now() - timedelta(hours=25))
    assert send(caller, "one", {"name": "Another day"}).status_code == 201  # before any sweep
    KeptAnswer.objects.update(created_at=clock.now() - timedelta(hours=25))
    sweep_queue()
    assert not KeptAnswer.objects.exists()


def test_oldest_answers_of_an_account_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    make_suite()
    monkeypatch.setattr(kept_answers, "MAX_KEPT", 2)
    caller, other = Caller(make_user()), Caller(make_user("other"))
    send(other, "theirs")
    for key in ("one", "two", "three"):
        send(caller, key)
    assert set(KeptAnswer.objects.values_list("key", flat=True)) == {"theirs", "two", "three"}


@pytest.mark.django_db(transaction=True)
def test_requests_at_the_same_moment_make_one_run_and_get_one_answer() -> None:
    """A dozen threads with connections of their own, on SQLite as on PostgreSQL."""
    make_suite()
    for moment in (request_started, request_finished):
        moment.connect(close_old_connections)
    callers = [Caller() for _ in range(6)]
    headers = Caller(make_user()).headers_sent
    barrier, answers = threading.Barrier(len(callers)), []

    def ask(caller: Caller) -> None:
        caller.headers_sent = headers
        barrier.wait(60)
        try:
            answers.append(send(caller, "one"))
        finally:
            connection.close()

    threads = [threading.Thread(target=ask, args=(caller,)) for caller in callers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert [answer.status_code for answer in answers] == [201] * len(callers)
    assert len({answer.content for answer in answers}) == 1
    assert Run.objects.count() == 1
