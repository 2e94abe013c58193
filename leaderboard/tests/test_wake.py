"""Waking workers: ids only, after the commit, and nothing breaks without a broker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from celery import Celery
from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks, Settings

from leaderboard import handoff, wake
from leaderboard.models import Run
from leaderboard.tests.queue_rows import make_run


def send_through(url: str, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages go to the broker at `url`, as they would with that setting."""
    settings.CELERY_BROKER_URL = url
    app = Celery("test", set_as_current=False)
    app.config_from_object("django.conf:settings", namespace="CELERY")
    monkeypatch.setattr(wake, "app", app)


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
def test_a_started_run_sends_its_number_once_it_is_committed(
    broker: redis.Redis, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        run = make_run(2)
        assert broker.llen("pybench") == 0
    [message] = broker.lrange("pybench", 0, -1)
    envelope = json.loads(message)
    assert envelope["headers"]["task"] == "runner.run_slice"
    assert envelope["headers"]["argsrepr"] == f"[{run.pk}]"


@pytest.mark.services
@pytest.mark.django_db
def test_the_sweep_sends_again_but_not_at_once(
    broker: redis.Redis, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    run = make_run(2)
    with django_capture_on_commit_callbacks(execute=True):
        assert handoff.sweep().woken == 0
        Run.objects.filter(pk=run.pk).update(woken_at=None)
        assert handoff.sweep().woken == 1
        assert handoff.sweep().woken == 0
    assert broker.llen("pybench") == 1


def test_no_broker_is_a_warning_and_no_error(
    tmp_path: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    send_through(f"redis+socket://{tmp_path}/nobody.sock", settings, monkeypatch)
    wake.send_wake_up(7)
    assert "run 7: no wake-up sent, the sweep will" in caplog.text
