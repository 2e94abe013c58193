"""Progress of replies under way: its record, and the pages that show it."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.handoff import attempts
from leaderboard.models import Attempt, Run
from leaderboard.tests.support.jobs import attempt_of, claim, claim_one, step, void
from leaderboard.tests.support.rows import start_run
from runner.contract import Outcome, ReplyProgress

pytestmark = pytest.mark.django_db


def read(client: Client, path: str, tag: str = "") -> tuple[int, str, str]:
    answer = client.get(path, headers={"If-None-Match": tag})
    return answer.status_code, answer.headers["ETag"], " ".join(answer.content.decode().split())


def test_reply_under_way_is_shown_as_it_comes(client: Client) -> None:
    run = start_run(2)
    job = claim_one(run)
    live, replay = f"/runs/{run.pk}/progress/", attempt_of(job).get_absolute_url()
    tags = {}
    for path in (live, replay):
        _, tags[path], page = read(client, path)
        assert "waiting for the first reply" in page
        assert read(client, path, tags[path])[0] == 304
    attempts.heard({job.claim: ReplyProgress(1240)})
    status, tag, page = read(client, live, tags[live])
    assert (status, tag != tags[live]) == (200, True)
    assert "first reply: 1,240 characters so far" in page
    status, _, page = read(client, replay, tags[replay])
    assert status == 200
    assert "1,240 characters</span> of the next reply" in page
    attempts.step(job, step(1))
    assert attempt_of(job).reply_chars == 0
    assert "step 1 </span>" in read(client, live)[2]
    attempts.heard({job.claim: ReplyProgress(7)})
    assert "step 1, next reply: 7 characters so far" in read(client, live)[2]


def test_many_replies_take_one_write_and_move_no_run() -> None:
    run = start_run(3, concurrency=3)
    jobs = claim(run.pk, 3, "worker")
    run.refresh_from_db()
    before = (run.sequence, run.is_filed)
    with CaptureQueriesContext(connection) as queries:
        attempts.heard({job.claim: ReplyProgress(10 * n) for n, job in enumerate(jobs, 1)})
    assert len(queries) == 1
    assert [attempt_of(job).reply_chars for job in jobs] == [10, 20, 30]
    run.refresh_from_db()
    assert (run.sequence, run.is_filed) == before


def test_only_the_try_that_holds_the_attempt_is_heard() -> None:
    run = start_run(1)
    job = claim_one(run)
    attempts.release(job)
    progress = ReplyProgress(5, 1, "failed once, at once: It broke.")
    attempts.heard({job.claim: progress, (job.attempt_id + 1, job.token): ReplyProgress(6)})
    told = attempt_of(job)
    assert (told.reply_chars, told.request_failures, told.request_failed) == (0, 0, "")


def test_number_that_no_column_holds_is_cut() -> None:
    job = claim_one(start_run(1))
    attempts.heard({job.claim: ReplyProgress(2**40, 1, "\x00" * 5_000)})
    told = attempt_of(job)
    assert (told.reply_chars, len(told.request_failed)) == (attempts.MOST_CHARS, 1_000)


def test_next_try_says_what_broke_an_earlier_one(client: Client) -> None:
    run = start_run(1)
    job = claim_one(run)
    attempts.record_result(job, void(Outcome.ENDPOINT_FAILED))
    Attempt.objects.filter(pk=job.attempt_id).update(not_before=None)
    again = claim_one(Run.objects.get(pk=run.pk))
    page = read(client, f"/runs/{run.pk}/progress/")[2]
    assert "retry 1" in page
    assert f"The last one did not count: {attempt_of(again).problem}" in page


def test_request_that_is_sent_again_says_what_broke(client: Client) -> None:
    """It is named in the place of what made an earlier try void, until its reply is there."""
    run = start_run(1)
    attempts.record_result(claim_one(run), void(Outcome.ENDPOINT_FAILED))
    Attempt.objects.update(not_before=None)
    job = claim_one(Run.objects.get(pk=run.pk))
    live, replay = f"/runs/{run.pk}/progress/", attempt_of(job).get_absolute_url()
    tags = [read(client, path)[1] for path in (live, replay)]
    failed = "failed once, after 12 s: The endpoint closed the connection."
    attempts.heard({job.claim: ReplyProgress(0, 1, failed)})
    for path, tag in zip((live, replay), tags, strict=True):
        status, _, page = read(client, path, tag)
        assert (status, f"The request {failed} It is sent again." in page) == (200, True)
        assert "The last one did not count" not in page
    attempts.step(job, step(1))
    for path in (live, replay):
        assert failed not in read(client, path)[2]


def test_attempt_that_was_given_back_blames_no_earlier_try(client: Client) -> None:
    run = start_run(1)
    attempts.release(claim_one(run))
    claim_one(Run.objects.get(pk=run.pk))
    page = read(client, f"/runs/{run.pk}/progress/")[2]
    assert "· retry 1" in page
    assert "The last one did not count" not in page
