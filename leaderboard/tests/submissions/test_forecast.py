"""Forecasts of runs from the past runs of their suite, and what the page says of them."""

from __future__ import annotations

import math
import random

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.models import Entry, Run, RunSummary, Suite
from leaderboard.rendering.numbers import show_rough_duration
from leaderboard.submissions.forecast import ENOUGH, PastRun, Use, forecast
from leaderboard.submissions.forecast_words import (
    round_count,
    say_commitment,
    say_difference,
    say_source,
)
from leaderboard.submissions.past_runs import describe_suites, list_past_runs
from leaderboard.tests.support.rows import make_entry, make_suite
from leaderboard.tests.support.submit_form import make_draft, text_of
from runner.contract import Status

MEASURES = {"prompt_tokens": 284, "completion_tokens": 30, "reply_s": 0.5}
USE = Use(31, 2)


def past_runs(count: int) -> list[PastRun]:
    return [PastRun(2000.0 + n, 400.0 + n, 30.0 + n / 10) for n in range(count)]


def test_forecast_from_enough_runs_is_narrow_and_says_how_many() -> None:
    made = forecast(MEASURES, USE, past=past_runs(20))
    assert made.past_runs == 20
    assert made.tokens.high / made.tokens.low < 1.1
    assert 31 * 2400 < made.tokens.middle < 31 * 2450
    assert made.seconds is not None
    assert made.seconds.low <= made.seconds.middle <= made.seconds.high
    assert "From past runs of 20 models on this suite; nine" in say_source(made, 20)
    assert say_commitment(made) == "Queue 31 attempts (about 8 min, 75k tokens)"


def test_too_few_runs_give_the_wide_range_and_say_so() -> None:
    made = forecast(MEASURES, USE, past=past_runs(ENOUGH - 1))
    assert made == forecast(MEASURES, USE)
    assert made.tokens.high / made.tokens.low > 10
    said = say_source(made, ENOUGH - 1)
    assert f"has past runs of {ENOUGH - 1} models, and {ENOUGH} are needed" in said
    assert " to " in say_commitment(made)


def test_past_runs_give_the_range_that_nine_of_ten_more_end_in() -> None:
    chance = random.Random(4)
    inside, cases = 0, 2_000
    for _ in range(cases):
        count = chance.randint(ENOUGH, 40)
        *known, new = (math.exp(chance.gauss(8, 0.7)) for _ in range(count + 1))
        made = forecast(MEASURES, Use(1, 1), past=[PastRun(t - 1, 1, 9.0) for t in known])
        inside += made.tokens.low <= new <= made.tokens.high
    assert 0.87 < inside / cases < 0.93
    said = say_source(made, count)
    assert said == (
        f"From past runs of {count} models on this suite; nine of ten runs end within the range."
    )


@pytest.mark.parametrize("past", [0, 7, 30])
def test_no_forecast_is_above_the_limit_of_tokens_per_reply(past: int) -> None:
    runs = past_runs(past)
    free = forecast(MEASURES, USE, past=runs)
    limited = forecast(MEASURES, Use(31, 2, max_tokens=20, max_turns=2), past=runs)
    most = 31 * (2 * (284 + 20) + 20 + 800)
    assert limited.tokens.high < free.tokens.high
    assert limited.tokens.middle < free.tokens.middle
    assert not past or limited.tokens.high == most
    assert "Replies have at most 20 tokens." in say_source(limited, past)
    assert "Replies" not in say_source(free, past)


@pytest.mark.parametrize(
    "measures",
    [
        {},
        {"completion_tokens": None, "reply_s": None},
        {"completion_tokens": 0, "reply_s": 0.0},
        {"completion_tokens": 10**9, "reply_s": 1e9},
    ],
)
def test_odd_measures_of_the_preflight_give_finite_ranges(measures: dict[str, object]) -> None:
    past = [*past_runs(30), PastRun(None, None, 0.0), PastRun(0.0, 0.0, 0.0)]
    made = forecast({"completion_tokens": 0, **measures}, Use(8, 16), past=past)
    assert 0 < made.tokens.low <= made.tokens.middle <= made.tokens.high < 1e6
    assert made.seconds is not None
    assert 0 < made.seconds.low <= made.seconds.high < 1e5


def test_no_attempts_are_no_division_by_zero() -> None:
    assert forecast(MEASURES, Use(0, 2), past=past_runs(30)).tokens.high == 0


@pytest.mark.django_db
def test_only_complete_runs_of_models_are_judged_by(client: Client) -> None:
    suite = make_suite()
    entry = make_entry()
    scripted = make_entry("Floor")
    Entry.objects.filter(pk=scripted.pk).update(provenance=Entry.Provenance.SCRIPTED)
    store_run(suite, entry, passed=8)
    store_run(suite, entry, passed=4)  # half of it void
    store_run(suite, scripted, passed=8)
    store_run(suite, entry, passed=8, status=Status.RUNNING)
    [past] = list_past_runs([suite.pk])[suite.pk]
    assert (past.prompt_tokens, past.completion_tokens, past.wall_s) == (100.0, 20.0, 10.0)
    suites = Suite.objects.filter(pk=suite.pk)
    assert "usually" not in describe_suites(suites)[suite.pk]
    store_run(suite, entry, passed=8)  # another one of the same model
    shouted = make_entry("Shouted")
    Entry.objects.filter(pk=shouted.pk).update(model_name=f" {entry.model_name.upper()}")
    store_run(suite, shouted, passed=8)  # and one of it again
    assert len(list_past_runs([suite.pk])[suite.pk]) == 1
    for number in range(4):
        store_run(suite, make_entry(f"Model {number}"), passed=8)
    made = forecast(MEASURES, Use(8, 2), past=list_past_runs([suite.pk])[suite.pk])
    assert made.seconds is not None
    usual = f"usually {show_rough_duration(made.seconds.middle)} and "
    assert (
        f"8 tasks · {usual}{round_count(made.tokens.middle)} tokens"
        in (describe_suites(suites)[suite.pk])
    )
    assert "usually 43 s and 960 tokens" in describe_suites(suites)[suite.pk]


@pytest.mark.django_db
def test_draft_page_forecasts_from_past_runs(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "leaderboard.submissions.drafts.send_preflight_draft", lambda draft_id: None
    )
    client.force_login(User.objects.create_user("ada", "ada@example.org"))
    suite = make_suite()
    draft = make_draft(client, suite, attempts_per_task="1")
    assert "this suite has past runs of no models, and" in text_of(
        client.get(draft.get_absolute_url())
    )
    for number in range(ENOUGH):
        store_run(suite, make_entry(f"Model {number}"), passed=8)
    page = text_of(client.get(draft.get_absolute_url()))
    assert f"From past runs of {ENOUGH} models on this suite" in page
    assert "Queue 8 attempts (about 30 s, 960 tokens)" in page


def store_run(
    suite: Suite, entry: Entry, *, passed: int, status: Status = Status.DONE
) -> RunSummary:
    run = Run.objects.create(
        suite=suite, entry=entry, seed=1, status=status, preflight={"measures": MEASURES}
    )
    return RunSummary.objects.create(
        run=run,
        category="",
        attempts=8,
        passed=passed,
        void=8 - passed,
        prompt_tokens=100 * passed,
        completion_tokens=20 * passed,
        wall_s=10.0 * passed,
    )


@pytest.mark.parametrize(
    ("tasks", "attempts", "ranked", "words"),
    [
        (
            31,
            1,
            0,
            "31 tasks with one attempt each show which of two models is better if their pass rates "
            "are about 28 points apart, or about 20 with three attempts. (80 % power, for two "
            "models that were chosen beforehand and disagree on a third of the tasks.)",
        ),
        (
            144,
            3,
            11,
            "144 tasks with 3 attempts each show which of two models is better if their pass rates "
            "are about 10 points apart. Among 12 models on a board: 12 points. (80 % power, for "
            "two models that were chosen beforehand and disagree on a third of the tasks.)",
        ),
        (
            31,
            1,
            11,
            "31 tasks with one attempt each show which of two models is better if their pass rates "
            "are about 28 points apart, or about 20 with three attempts. Among 12 models on a "
            "board: 24 points, only with three attempts. (80 % power, for two models that were "
            "chosen beforehand and disagree on a third of the tasks.)",
        ),
        (4, 1, 5, ""),
    ],
)
def test_which_gap_a_run_can_find(tasks: int, attempts: int, ranked: int, words: str) -> None:
    assert say_difference(tasks, attempts, ranked) == words
