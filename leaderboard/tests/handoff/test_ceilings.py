"""A run's ceiling: what fits is asked for, what does not stops the run, and it can be raised."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from leaderboard.handoff import attempts, ceilings
from leaderboard.handoff.ceilings import Reserved
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Endpoint, Run, Step, Suite
from leaderboard.money.ceiling import AskedCeiling, settle_on
from leaderboard.submissions import pauses, run_actions
from leaderboard.submissions.forecast import Forecast, ForecastRange
from leaderboard.submissions.forecast_words import say_ceiling
from leaderboard.tests.support.callers import Caller, make_user
from leaderboard.tests.support.jobs import attempt_of, claim, claim_one, judged, lose, step, void
from leaderboard.tests.support.own_runs import play_out
from leaderboard.tests.support.recomputed import recompute
from leaderboard.tests.support.rows import make_suite, set_price, start_run
from runner.contract import Job, Outcome, ProblemError, Status

pytestmark = pytest.mark.django_db

REPLY_S = 60.0


def run_with(ceiling: int, tasks: int = 3, **columns: Any) -> Run:
    run = start_run(tasks, concurrency=2)
    Run.objects.filter(pk=run.pk).update(ceiling=ceiling, **columns)
    run.refresh_from_db()
    return run


def own(run: Run) -> User:
    run.entry.owner = make_user()
    run.entry.save()
    Endpoint.objects.filter(entry=run.entry).update(base_url="http://127.0.0.1:8001/v1")
    return run.entry.owner


def reserve(job: Job, amount: int) -> Reserved:
    return ceilings.reserve(job, amount, REPLY_S)


def stop(run: Run, job: Job) -> None:
    """Take the run to its ceiling, as a worker does."""
    assert reserve(job, 10**9) is Reserved.STOP
    attempts.record_result(job, void(Outcome.CANCELLED))
    run.refresh_from_db()


def test_replies_are_reserved_and_charged_with_their_steps() -> None:
    run = run_with(1_000)
    job = claim_one(run)
    assert reserve(job, 600) is Reserved.GRANTED
    attempts.step(job, step(1), 150, 600)
    run.refresh_from_db()
    assert (run.spent, run.reserved) == (150, 0)
    attempts.step(job, step(1), 150, 600)  # reported again
    run.refresh_from_db()
    assert run.spent == 150


def test_reply_that_does_not_fit_beside_others_waits_and_then_fits() -> None:
    run = run_with(1_000)
    first, second = claim(run.pk, 2, "worker")
    assert reserve(first, 600) is Reserved.GRANTED
    assert reserve(second, 600) is Reserved.WAIT
    attempts.step(first, step(1), 100, 600)
    assert reserve(second, 600) is Reserved.GRANTED
    run.refresh_from_db()
    assert (run.status, run.stopped_for) == (Status.RUNNING, "")


def test_run_stops_at_its_ceiling_with_unplayed_attempts_neither_failed_nor_void() -> None:
    run = run_with(1_000)
    done, job = claim(run.pk, 2, "worker")
    reserve(done, 900)
    attempts.step(done, step(1), 900, 900)
    attempts.record_result(done, judged(True))
    assert reserve(job, 200) is Reserved.STOP
    assert attempts.look([run.pk]) == {run.pk}
    attempts.record_result(job, void(Outcome.CANCELLED))
    run.refresh_from_db()
    assert (run.status, run.stopped_for, run.spent) == (Status.CANCELLED, "ceiling", 900)
    overall = run.summaries.get(category="")
    assert (overall.passed, overall.failed, overall.void) == (1, 0, 0)
    assert [a.state for a in run.attempts.order_by("pk")] == ["passed", "cancelled", "cancelled"]
    assert "0 with figures that differed" in recompute("--dry-run")
    page = Client().get(run.get_absolute_url()).content.decode()
    assert "Ceiling reached: 1 of 3 attempts played" in page
    assert "900 of 1\u202f000 tokens" in page


def test_overshoot_of_what_was_in_flight_is_shown() -> None:
    run = run_with(1_000)
    job = claim_one(run)
    reserve(job, 900)
    attempts.step(job, step(1), 1_250, 900)  # the endpoint did not keep to its limit
    stop(run, job)
    use = Caller().ask(f"runs/{run.pk}/")["ceiling"]
    assert use["words"] == "1\u202f250 of 1\u202f000 tokens, 250 over it"
    assert (use["is_reached"], use["share"], use["tokens"]) == (True, 1.0, 1_000)


def test_raised_ceiling_resumes_the_run_to_its_end() -> None:
    run = run_with(1_000)
    owner = own(run)
    first = claim_one(run)
    attempts.record_result(first, judged(True))
    stop(run, claim_one(run))
    Caller(owner).send(f"runs/{run.pk}/resume/", None, 409)
    Caller(owner).send(f"runs/{run.pk}/retry/", None, 409)
    same = Caller(owner).send(f"runs/{run.pk}/resume/", {"ceiling_tokens": 1_000}, 409)
    assert same["code"] == "ceiling_reached"
    answer = Caller(owner).send(f"runs/{run.pk}/resume/", {"ceiling_tokens": 9_000})
    assert (answer["status"], answer["ceiling"]["is_reached"]) == ("queued", False)
    job = claim_one(run)
    assert reserve(job, 2_000) is Reserved.GRANTED
    attempts.record_result(job, judged(True))
    play_out(run)
    run.refresh_from_db()
    assert (run.status, run.stopped_for) == (Status.DONE, "")
    assert attempt_of(first).tries == 1


def test_owner_raises_the_ceiling_on_the_page() -> None:
    run = run_with(1_000)
    client = Client()
    client.force_login(own(run))
    stop(run, claim_one(run))
    page = client.get(run.get_absolute_url()).content.decode()
    assert "Raise and resume" in page
    assert "Resume" not in page
    assert "ceiling reached" in client.get("/submissions/").content.decode()
    for value, said in (
        ("0", "Ceiling in tokens: Ensure this value is greater than or equal to"),
        ("-5", "Ceiling in tokens: Ensure this value is greater than or equal to"),
        ("1000000000000", "Ceiling in tokens: Ensure this value is less than or equal to"),
        ("1.5", "Ceiling in tokens: Enter a whole number"),
    ):
        answer = client.post(
            f"/runs/{run.pk}/resume/", {"ceiling_tokens": value}, follow=True
        ).content.decode()
        assert said in answer, value
    Run.objects.filter(pk=run.pk).update(spent=5_000)
    low = client.post(f"/runs/{run.pk}/resume/", {"ceiling_tokens": "4000"}, follow=True)
    assert "Give a ceiling above that." in low.content.decode()
    client.post(f"/runs/{run.pk}/resume/", {"ceiling_tokens": "40000"})
    run.refresh_from_db()
    assert (run.status, run.ceiling, run.spent) == (Status.QUEUED, 40_000, 5_000)


def test_reservation_of_a_dead_worker_ends_by_itself() -> None:
    run = run_with(1_000)
    dead, job = claim(run.pk, 2, "worker")
    reserve(dead, 900)
    lose(dead)
    sweep_queue()
    assert reserve(job, 900) is Reserved.WAIT
    Run.objects.filter(pk=run.pk).update(reserved_until=timezone.now() - timedelta(seconds=1))
    assert reserve(job, 900) is Reserved.GRANTED
    run.refresh_from_db()
    assert run.reserved == 900


def test_reply_without_a_step_is_charged_and_its_reserve_freed() -> None:
    run = run_with(1_000)
    job = claim_one(run)
    reserve(job, 900)
    attempts.settle(job, 40, 900)
    run.refresh_from_db()
    assert (run.spent, run.reserved) == (40, 0)
    attempts.settle(job, 0, 900)  # never below nothing
    run.refresh_from_db()
    assert run.reserved == 0


def test_paused_and_cancelled_runs_grant_nothing() -> None:
    run = run_with(10_000)
    job = claim_one(run)
    pauses.pause(run.pk)
    assert reserve(job, 1) is Reserved.STOP
    run.refresh_from_db()
    assert (run.status, run.stopped_for) == (Status.PAUSED, "")
    attempts.record_result(job, void(Outcome.CANCELLED))
    pauses.resume(run.pk, ceiling_tokens=2_000)
    run.refresh_from_db()
    assert run.ceiling == 2_000
    run_actions.cancel(run.pk)
    assert reserve(job, 1) is Reserved.STOP


def test_ceiling_costs_one_statement_a_reply_and_none_without_one() -> None:
    run = run_with(10_000)
    job = claim_one(run)
    attempts.step(job, step(1))  # keeps the files that the others have too
    with CaptureQueriesContext(connection) as asked:
        reserve(job, 100)
    assert len(asked) == 1
    with CaptureQueriesContext(connection) as charged:
        attempts.step(job, step(2), 50, 100)
    with CaptureQueriesContext(connection) as plain:
        attempts.step(job, step(3))
    assert len(charged) == len(plain)
    assert job.ceiling is not None
    Run.objects.filter(pk=run.pk).update(ceiling=None)
    assert claim_one(run).ceiling is None


def test_money_is_counted_at_the_price_of_the_book() -> None:
    run = start_run(2)
    own(run)
    set_price(run.entry.model_name, prompt="2", completion="10")
    pauses.pause(run.pk)
    pauses.resume(run.pk, ceiling_dollars=0.05)
    job = claim_one(run)
    assert job.ceiling is not None
    assert job.ceiling.price(1_000, 100) == 3_000  # millionths of a dollar
    assert reserve(job, 50_001) is Reserved.STOP
    run.refresh_from_db()
    assert (run.ceiling, run.ceiling_prices) == (50_000, {"prompt": 2.0, "completion": 10.0})


def test_first_ceiling_counts_what_the_run_has_used() -> None:
    run = start_run(2)
    job = claim_one(run)
    attempts.step(job, step(1))
    attempts.release(job)
    pauses.pause(run.pk)
    used = sum(sum(pair) for pair in run_usage(run))
    pauses.resume(run.pk, ceiling_tokens=used + 1_000)
    run.refresh_from_db()
    assert run.spent == used > 0


def run_usage(run: Run) -> list[tuple[int, int]]:
    steps = Step.objects.filter(attempt__run=run)
    return [(s.prompt_tokens or 0, s.completion_tokens or 0) for s in steps]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (AskedCeiling(tokens=0), "ceiling_out_of_bounds"),
        (AskedCeiling(tokens=-1), "ceiling_out_of_bounds"),
        (AskedCeiling(tokens=10**12), "ceiling_out_of_bounds"),
        (AskedCeiling(dollars=0.0), "ceiling_out_of_bounds"),
        (AskedCeiling(dollars=1e12), "ceiling_out_of_bounds"),
        (AskedCeiling(dollars=float("nan")), "ceiling_out_of_bounds"),
        (AskedCeiling(dollars=float("inf")), "ceiling_out_of_bounds"),
        (AskedCeiling(dollars=5.0), "unpriced_ceiling"),
        (AskedCeiling(tokens=5_000, dollars=5.0), "two_ceilings"),
    ],
)
def test_ceiling_that_cannot_be_is_refused(asked: AskedCeiling, code: str) -> None:
    with pytest.raises(ProblemError) as refused:
        settle_on(asked, None)
    assert refused.value.problem.code == code


def test_ceiling_below_one_reply_is_refused() -> None:
    with pytest.raises(ProblemError) as refused:
        settle_on(AskedCeiling(tokens=4_000), None, max_tokens=8_000)
    assert refused.value.problem.code == "ceiling_too_small"
    assert "8,450 tokens" in refused.value.problem.what


@pytest.fixture
def body() -> dict[str, Any]:
    make_suite()
    return {"suite": "starter", "base_url": "http://127.0.0.1:8001/v1", "model": "m",
            "name": "M", "preflight": False}  # fmt: skip


@pytest.mark.parametrize(
    ("ceiling", "status"),
    [
        ({"ceiling_tokens": 50_000}, 201),
        ({"ceiling_tokens": 0}, 400),
        ({"ceiling_tokens": 10**12}, 400),
        ({"ceiling_tokens": 1.5}, 400),
        ({"ceiling_tokens": "many"}, 400),
        ({"ceiling_dollars": -1}, 400),
        ({"ceiling_dollars": 5}, 409),
        ({"ceiling_dollars": 5, "ceiling_tokens": 5_000}, 400),
    ],
)
def test_programs_submit_with_a_ceiling(
    body: dict[str, Any], ceiling: dict[str, Any], status: int
) -> None:
    answer = Caller(make_user()).send("runs/", {**body, **ceiling}, status)
    assert Run.objects.count() == (status == 201)
    if status == 201:
        assert answer["ceiling"]["tokens"] == 50_000


def test_form_takes_a_ceiling_and_says_why_not(body: dict[str, Any]) -> None:
    client = Client()
    client.force_login(make_user())
    form = {"base_url": body["base_url"], "model": "m", "suite": Suite.objects.get().pk,
            "action_format": "fenced", "attempts_per_task": 1, "concurrency": 2,
            "weights": "unknown", "visibility": "private", "stream": "on"}  # fmt: skip
    refused = client.post("/submit/", {**form, "ceiling_dollars": "3"})
    assert refused.status_code == 422
    assert "The price book has no price for this model" in refused.content.decode()
    both = client.post("/submit/", {**form, "ceiling_dollars": "3", "ceiling_tokens": "9000"})
    assert "Give one: tokens or dollars." in both.content.decode()
    small = {**form, "ceiling_tokens": "2000", "max_tokens": "4000"}
    assert "too small for one reply" in client.post("/submit/", small).content.decode()
    taken = client.post("/submit/", {**form, "ceiling_tokens": "9000"}, follow=True)
    assert "9000 tokens" in taken.content.decode()
    assert "--ceiling-tokens=9000" in taken.content.decode()


@pytest.mark.parametrize(
    ("tokens", "dollars", "said"),
    [
        (1_000, None, "The ceiling of 1k tokens is below one attempt"),
        (20_000, None, "The run can reach its ceiling of 20k tokens before its end."),
        (200_000, None, ""),
        (None, 0.01, "The ceiling of $0.010 is below one attempt"),
        (None, 9.0, ""),
        (None, None, ""),
    ],
)
def test_ceiling_below_one_attempt_is_pointed_out(
    tokens: int | None, dollars: float | None, said: str
) -> None:
    expected = Forecast(
        10, ForecastRange(30_000, 90_000, 50_000), None, ForecastRange(0.3, 0.9, 0.5)
    )
    words = say_ceiling(expected, tokens, dollars)
    assert words.startswith(said)
    assert bool(words) == bool(said)


@pytest.mark.django_db(transaction=True)
def test_lanes_never_reserve_more_than_the_ceiling() -> None:
    run = run_with(1_000, 8)
    job = claim_one(run)
    granted: list[bool] = []

    def lane() -> None:
        for _ in range(10):
            granted.append(ceilings.try_reserve(job.run_id, 30, REPLY_S))
        connections.close_all()

    lanes = [threading.Thread(target=lane) for _ in range(6)]
    for each in lanes:
        each.start()
    for each in lanes:
        each.join(120)
    run.refresh_from_db()
    assert (sum(granted), run.reserved) == (33, 990)
