"""Figures are recomputable from rows, always; recomputing changes nothing."""

from __future__ import annotations

import io
import random

import pytest
from django.core.management import call_command

from leaderboard import handoff, submissions
from leaderboard.models import Attempt, Run, RunSummary
from leaderboard.standings import refresh_changed
from leaderboard.tests.queue_rows import judged, make_run, void
from leaderboard.transitions import settle, touch
from runner.contract import Outcome, Usage

pytestmark = pytest.mark.django_db


def recompute(*options: str) -> str:
    out = io.StringIO()
    call_command("recompute", *options, stdout=out)
    return out.getvalue()


def play_somehow(run: Run, chance: random.Random, acts: int) -> None:
    """A history as a worker might leave it: passes, fails, void tries, stops."""
    for _ in range(acts):
        for job in handoff.claim(run.pk, 2, "worker"):
            match chance.randrange(6):
                case 0 | 1:
                    handoff.record_result(job, judged(True, turns=chance.randrange(1, 9)))
                case 2 | 3:
                    handoff.record_result(job, judged(False, usage=Usage(7, None)))
                case 4:
                    handoff.record_result(job, void(Outcome.KERNEL_LOST))
                case _:
                    handoff.release(job)
        run.attempts.update(not_before=None)


@pytest.mark.parametrize("seed", range(12))
def test_recomputing_changes_nothing_at_any_moment(seed: int) -> None:
    chance = random.Random(seed)
    run = make_run(6, attempts_per_task=1 + seed % 2)
    play_somehow(run, chance, acts=seed)
    if seed % 4 == 3:
        submissions.cancel(run.pk)
    refresh_changed()
    before = list(RunSummary.objects.order_by("category").values())
    assert recompute() == "1 runs, 0 with figures that differed\n"
    assert list(RunSummary.objects.order_by("category").values()) == before
    assert before


def test_figures_that_were_tampered_with_are_said_and_mended() -> None:
    run = make_run(3)
    handoff.record_result(handoff.claim(run.pk, 1, "worker")[0], judged(True))
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
    run = make_run(2)
    for job in handoff.claim(run.pk, 2, "worker"):
        handoff.record_result(job, judged(True))
    run.refresh_from_db()
    changes = run.status_changes.count()
    settle(touch(run.pk))
    again = Run.objects.get(pk=run.pk)
    assert (again.status, again.finished_at) == (run.status, run.finished_at)
    assert run.status_changes.count() == changes


def test_sweeping_twice_is_as_sweeping_once() -> None:
    run = make_run(2)
    handoff.claim(run.pk, 1, "worker")
    handoff.sweep()
    before = list(Attempt.objects.order_by("pk").values())
    assert handoff.sweep().woken == 0
    assert list(Attempt.objects.order_by("pk").values()) == before


def test_the_sweep_closes_a_run_that_nobody_closed() -> None:
    run = make_run(1)
    handoff.record_result(handoff.claim(run.pk, 1, "worker")[0], judged(True))
    Run.objects.filter(pk=run.pk).update(status="running", finished_at=None)
    assert handoff.sweep().closed == 1
    run.refresh_from_db()
    assert run.status == "done"
