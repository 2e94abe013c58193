"""Compare says what the board says: all attempts of both, and how many models they are among."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from django.test import Client

from leaderboard.models import Attempt, Entry, Run, Standing, Suite
from leaderboard.scoring import standings
from leaderboard.scoring.inference import needed_leads
from leaderboard.scoring.summaries import summarise
from leaderboard.tests.support.rows import end_judged, finish_run, make_entry, make_run, make_suite

pytestmark = pytest.mark.django_db

TASKS = 40


@pytest.fixture
def suite() -> Suite:
    return make_suite(tasks=TASKS)


def play(suite: Suite, entry: Entry, attempts: Sequence[Sequence[int]]) -> Run:
    """A run with so many attempts per task: for each the tasks' passes."""
    run = finish_run(make_run(suite, entry), 0)
    tasks = list(run.attempts.order_by("task__position"))
    for number, passes in enumerate(attempts, 1):
        for first, passed in zip(tasks, passes, strict=True):
            row = first if number == 1 else Attempt(run=run, task_id=first.task_id, number=number)
            row.category = first.category
            end_judged(row, passed=bool(passed))
    Run.objects.filter(pk=run.pk).update(attempts_per_task=len(attempts))
    summarise(run)
    return run


def compare(client: Client, *runs: Run) -> dict[str, Any]:
    numbers = ",".join(str(run.pk) for run in runs)
    answer: dict[str, Any] = client.get(f"/compare.json?runs={numbers}").json()
    return answer


def test_a_pair_uses_all_attempts_of_both(client: Client, suite: Suite) -> None:
    draw = np.random.default_rng(1)
    often, once = draw.integers(0, 2, (3, TASKS)), draw.integers(0, 2, (1, TASKS))
    one = play(suite, make_entry("Often"), often.tolist())
    other = play(suite, make_entry("Once"), once.tolist())
    found = compare(client, one, other)["result"]
    assert found["difference"] == pytest.approx(float(often.mean() - once.mean()))
    assert found["tasks"] == TASKS


def test_a_ranked_entry_is_compared_by_the_mean_of_its_runs(client: Client, suite: Suite) -> None:
    entry, draw = make_entry("Twice"), np.random.default_rng(2)
    runs = [play(suite, entry, draw.integers(0, 2, (k, TASKS)).tolist()) for k in (1, 3)]
    other = play(suite, make_entry("Other"), draw.integers(0, 2, (1, TASKS)).tolist())
    standings.refresh(suite)
    rates = [run.summaries.get(category="").rate for run in (*runs, other)]
    mean = (rates[0] + rates[1]) / 2
    answer = compare(client, runs[1], other)
    assert answer["a"]["run_ids"] == [runs[1].pk, runs[0].pk]
    assert answer["result"]["difference"] == pytest.approx(mean - rates[2])
    page = client.get(f"/compare/?runs={runs[1].pk},{other.pk}").content.decode()
    assert "mean of 2 runs" in page
    assert f"<b>{100 * mean:.1f}</b>" in page
    alone = compare(client, runs[0], other)
    assert alone["result"]["difference"] == pytest.approx(rates[0] - rates[2])
    within = compare(client, *runs)
    assert within["result"]["difference"] == pytest.approx(rates[0] - rates[1])
    third = play(suite, make_entry("Third"), draw.integers(0, 2, (1, TASKS)).tolist())
    group = compare(client, runs[1], other, third)
    assert group["pairs"][0]["difference"] == pytest.approx(mean - rates[2])
    assert [run["runs_counted"] for run in group["runs"]] == [2, 1, 1]


@pytest.mark.parametrize(("models", "most_attempts"), [(2, 1), (12, 1), (12, 3)])
def test_compare_never_denies_what_the_board_says(
    client: Client, suite: Suite, models: int, most_attempts: int
) -> None:
    """Also where every second model has several attempts per task."""
    draw = np.random.default_rng(models)
    chances = np.linspace(0.35, 0.85, models)
    attempts = [1 if i % 2 else most_attempts for i in range(models)]
    passes = [draw.binomial(1, chances[i], (attempts[i], TASKS)) for i in range(models)]
    runs = [play(suite, make_entry(f"Model {i}"), passes[i].tolist()) for i in range(models)]
    standings.refresh(suite)
    assert Standing.objects.count() == models
    table = np.stack([each.mean(axis=0) for each in passes])
    leads = table.mean(axis=1)[:, None] - table.mean(axis=1)[None, :]
    is_above = np.abs(leads) > needed_leads(table, attempts=attempts)
    for i, run in enumerate(runs):
        place = Standing.objects.get(run=run)
        above = [j for j in range(models) if is_above[i, j] and leads[j, i] > 0]
        below = [j for j in range(models) if is_above[i, j] and leads[j, i] < 0]
        assert (place.rank_low, place.rank_high) == (1 + len(above), models - len(below))
    said = set()
    for i, j in combinations(range(models), 2):
        result = compare(client, runs[i], runs[j])["result"]
        assert result["ranked_models"] == models
        assert result["is_beyond_chance_among_ranked"] == is_above[i, j]
        page = client.get(f"/compare/?runs={runs[i].pk},{runs[j].pk}").content.decode()
        said.add(read_verdict(page, result["p_value"], bool(is_above[i, j]), models))
    assert said == ({"chance", "picked", "beyond"} if models == 12 else {"beyond"})


def read_verdict(page: str, p_value: float, is_above: bool, models: int) -> str:
    if is_above:
        assert "this is unlikely to be chance" in page
        assert "could still be chance." not in page
        assert (f"also for one model against {models - 1} others" in page) == (models > 2)
        return "beyond"
    if p_value < 0.05:
        assert "if you chose these two beforehand; picked out of 12 models, it could still" in page
        return "picked"
    assert "this could be chance" in page
    return "chance"
