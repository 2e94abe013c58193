"""Patience with a database that goes away, from the thread that writes rows."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection

from leaderboard.handoff import attempts
from leaderboard.tests.support.jobs import attempt_of, claim_one, judged
from leaderboard.tests.support.rows import start_run
from runner.contract import AttemptResult, Job
from runner.worker import process

pytestmark = pytest.mark.django_db(transaction=True)


def end_session() -> None:
    """Lose this thread's session as a restart of the database does."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    raise OperationalError("the database is restarting")


def test_a_session_lost_in_the_rows_thread_costs_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.worker.database_retries.PAUSES_S", (0.01, 0.01, 0.01))
    job = claim_one(start_run(1))
    outages = iter((True, True))
    write = attempts.record_result

    def record(job: Job, result: AttemptResult) -> None:
        if next(outages, False):
            end_session()
        write(job, result)

    monkeypatch.setattr(attempts, "record_result", record)
    persist = process.make_retrying()(attempts.record_result)
    with ThreadPoolExecutor(1) as rows:
        rows.submit(persist, job, judged(True)).result(60)
        rows.submit(process.close_connection).result(60)
    assert attempt_of(job).passed is True
