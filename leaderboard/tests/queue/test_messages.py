"""Messages to workers: ids only, after the commit, and nothing breaks without a broker."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from celery import Celery
from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks, Settings

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.queue import messages
from leaderboard.tests.support.rows import start_run
from leaderboard.tests.support.servers import own_redis
from pybench_site import celery


def send_through(url: str, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Celery:
    """Messages go to the broker at `url`, as they would with that setting."""
    settings.CELERY_BROKER_URL = url
    app = Celery("test", set_as_current=False)
    app.config_from_object("django.conf:settings", namespace="CELERY")
    monkeypatch.setattr(messages, "app", app)
    return app


@pytest.fixture
def broker(
    redis_url: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[redis.Redis]:
    """A real, empty Redis that messages go to."""
    send_through(redis_url, settings, monkeypatch)
    with redis.Redis(unix_socket_path=redis_url.removeprefix("redis+socket://")) as client:
        client.flushall()
        yield client


@pytest.mark.services
@pytest.mark.django_db
def test_a_started_run_asks_for_its_turn_once_it_is_committed(
    broker: redis.Redis, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        start_run(2)
        assert broker.llen("attempts") == 0
    [message] = broker.lrange("attempts", 0, -1)
    assert json.loads(message)["headers"]["task"] == "runner.dispatch"


@pytest.mark.services
@pytest.mark.django_db
def test_an_attempt_is_sent_with_its_number_and_token_alone(
    broker: redis.Redis, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    run = start_run(1)
    attempts.note_worker("w:1", 8)
    with django_capture_on_commit_callbacks(execute=True):
        sweep_queue()
        sweep_queue()
    [message] = broker.lrange("attempts", 0, -1)
    attempt, headers = run.attempts.get(), json.loads(message)["headers"]
    assert headers["task"] == "runner.play_attempt"
    assert headers["argsrepr"] == repr([attempt.pk, str(attempt.token)])


def test_no_broker_is_a_warning_and_no_error(
    tmp_path: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    send_through(f"redis+socket://{tmp_path}/nobody.sock", settings, monkeypatch)
    messages.send_preflight_run(7)
    assert "run 7: its preflight was not requested" in caplog.text


@pytest.mark.services
def test_broker_that_hangs_holds_up_one_sender_for_a_second(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(messages, "_rests_until_s", float("-inf"))
    with own_redis() as (server, url):
        app = send_through(url, settings, monkeypatch)
        options = celery.quick_connection(app).transport_options
        assert options is not None
        assert (options["socket_timeout"], options["max_retries"]) == (1.0, 0)
        messages.send_preflight_run(1)
        assert server.process is not None
        os.kill(server.process.pid, signal.SIGSTOP)
        for run in (7, 8, 9):
            messages.send_preflight_run(run)
        lost = [record.getMessage() for record in caplog.records]
        assert len(lost) == 3
        assert "Timeout" in lost[0]
        assert all("the broker was silent a moment ago" in line for line in lost[1:])
        os.kill(server.process.pid, signal.SIGCONT)
        monkeypatch.setattr(messages, "_rests_until_s", float("-inf"))
        messages.send_preflight_run(10)
        with redis.Redis(unix_socket_path=url.removeprefix("redis+socket://")) as client:
            sent = [json.loads(each) for each in client.lrange("jobs", 0, -1)]
    assert [each["headers"]["argsrepr"] for each in sent if "[7]" not in str(each["headers"])] == [
        "[10]",
        "[1]",
    ]


REFUSALS = {
    "out of memory": ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
    "a replica, after a failover": ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
    "without the replicas it wants": (
        "CONFIG SET min-replicas-to-write 3",
        "CONFIG SET min-replicas-to-write 0",
    ),
}


@pytest.mark.services
@pytest.mark.parametrize("way", REFUSALS)
def test_broker_that_takes_nothing_is_a_warning_and_no_error(
    broker: redis.Redis,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    way: str,
) -> None:
    refuse, take = REFUSALS[way]
    broker.execute_command(*refuse.split())  # type: ignore[no-untyped-call]
    try:
        messages.send_preflight_run(7)
    finally:
        broker.execute_command(*take.split())  # type: ignore[no-untyped-call]
    assert "run 7: its preflight was not requested" in caplog.text
    monkeypatch.setattr(messages, "_rests_until_s", float("-inf"))  # it may be slow
    messages.send_preflight_run(8)
    assert broker.llen("jobs") == 1
