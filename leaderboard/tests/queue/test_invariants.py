"""Figures are recomputable from rows, always; recomputing changes nothing."""

from __future__ import annotations

import random

import pytest

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Attempt, Run, RunSummary
from leaderboard.queue.transitions import settle, touch
from leaderboard.scoring.standings import refresh_changed
from leaderboard.submissions import run_actions
from leaderboard.tests.support.jobs import claim, judged, void
from leaderboard.tests.support.recomputed import recompute
from leaderboard.tests.support.rows import start_run
from runner.contract import Outcome, Usage

pytestmark = pytest.mark.django_db


def play_somehow(run: Run, chance: random.Random, acts: int) -> None:
    """A history as a worker might leave it: passes, fails, void tries, stops."""
    for _ in range(acts):
        for job in claim(run.pk, 2, "worker"):
            match chance.randrange(6):
                case 0 | 1:
                    attempts.record_result(job, judged(True, turns=chance.randrange(1, 9)))
                case 2 | 3:
                    attempts.record_result(job, judged(False, usage=Usage(7, None)))
                case 4:
                    attempts.record_result(job, void(Outcome.KERNEL_LOST))
                case _:
                    attempts.release(job)
        run.attempts.update(not_before=None)


@pytest.mark.parametrize("seed", range(12))
def test_recomputing_changes_nothing_at_any_moment(seed: int) -> None:
    chance = random.Random(seed)
    run = start_run(6, attempts_per_task=1 + seed % 2)
    play_somehow(run, chance, acts=seed)
    if seed % 4 == 3:
        run_actions.cancel(run.pk)
    refresh_changed()
    before = list(RunSummary.objects.order_by("category").values())
    assert recompute() == "1 runs, 0 with figures that differed\n"
    assert list(RunSummary.objects.order_by("category").values()) == before
    assert before


def test_figures_that_were_tampered_with_are_said_and_mended() -> None:
    run = start_run(3)
    attempts.record_result(claim(run.pk, 1, "worker")[0], judged(True))
    before = list(RunSummary.objects.order_by("category").values_list("category", "passed", "rate"))
    RunSummary.objects.filter(category="").update(passed=3, rate=1.0)
    RunSummary.objects.filter(category="text").delete()
    RunSummary.objects.create(run=run, category="gone")
    said = recompute("--dry-run")
    assert "run 1 overall: passed was 3, is 1".replace("run 1", f"run {run.pk}") in said
    assert f"run {run.pk} text: missing" in said
    assert f"run {run.pk} gone: superfluous" in said
    assert RunSummary.objects.filter(category="gone").exists()
    assert "1 with figures that differed" in recompute()
    after = RunSummary.objects.order_by("category").values_list("category", "passed", "rate")
    assert list(after) == before


def test_settling_a_run_again_changes_nothing() -> None:
    run = start_run(2)
    for job in claim(run.pk, 2, "worker"):
        attempts.record_result(job, judged(True))
    run.refresh_from_db()
    changes = run.status_changes.count()
    settle(touch(run.pk))
    again = Run.objects.get(pk=run.pk)
    assert (again.status, again.finished_at) == (run.status, run.finished_at)
    assert run.status_changes.count() == changes


def test_sweeping_twice_is_as_sweeping_once() -> None:
    run = start_run(2)
    claim(run.pk, 1, "worker")
    sweep_queue()
    before = list(Attempt.objects.order_by("pk").values())
    sweep_queue()
    assert list(Attempt.objects.order_by("pk").values()) == before


def test_the_sweep_closes_a_run_that_nobody_closed() -> None:
    run = start_run(1)
    attempts.record_result(claim(run.pk, 1, "worker")[0], judged(True))
    Run.objects.filter(pk=run.pk).update(status="running", finished_at=None)
    assert sweep_queue().closed == 1
    run.refresh_from_db()
    assert run.status == "done"
