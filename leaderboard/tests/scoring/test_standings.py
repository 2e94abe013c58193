"""Places on the board: stored by the sweep, rebuilt by `recompute`, moved by nothing else."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings
from django.db.models import F
from django.utils import timezone

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Entry, Run, Standing, Suite, Task
from leaderboard.scoring import standings
from leaderboard.scoring.inference import needed_leads, rank_ranges
from leaderboard.submissions.run_actions import start
from leaderboard.tests.support.jobs import claim, judged
from leaderboard.tests.support.recomputed import recompute
from leaderboard.tests.support.rows import finish_run, make_entry, make_run, make_suite, start_run
from runner.contract import Status

pytestmark = pytest.mark.django_db


def places() -> dict[int, int]:
    return dict(Standing.objects.order_by("rank", "run_id").values_list("run_id", "rank"))


def rows() -> list[dict[str, Any]]:
    return [dict(row) for row in Standing.objects.order_by("run_id").values()]


def long_suite(tasks: int = 40) -> Suite:
    return make_suite(
        tasks=[(f"task-{i}", f"Task {i}", "text", "en", [], []) for i in range(tasks)]
    )


def test_a_run_is_placed_when_it_ends() -> None:
    run = start_run(2)
    first, second = claim(run.pk, 2, "worker")
    attempts.record_result(first, judged(True))
    sweep_queue()
    assert places() == {}
    attempts.record_result(second, judged(False))
    sweep_queue()
    assert places() == {run.pk: 1}


def test_placing_again_touches_nothing() -> None:
    suite = make_suite()
    for solved in (2, 5, 5):
        finish_run(make_run(suite), solved)
    sweep_queue()
    before = rows()
    sweep_queue()
    assert standings.refresh(suite) == 0
    assert "place" not in recompute()
    assert rows() == before
    assert len(before) == 3


def test_ranges_are_those_of_the_statistics() -> None:
    suite = long_suite()
    best, near, worst = (finish_run(make_run(suite), solved) for solved in (38, 36, 3))
    sweep_queue()
    table = [[float(i < solved) for i in range(40)] for solved in (38, 36, 3)]
    ranges, needed = rank_ranges(table), needed_leads(table)[0]
    for run, reach, lead in zip((best, near, worst), ranges, needed, strict=True):
        standing = Standing.objects.get(run=run)
        assert (standing.rank_low, standing.rank_high) == (reach.low, reach.high)
        assert standing.lead_needed == pytest.approx(lead, abs=1e-8)
    assert [(found.low, found.high) for found in ranges] == [(1, 2), (1, 2), (3, 3)]


def test_places_of_an_older_method_are_found_anew() -> None:
    suite = make_suite(tasks=24)
    finish_run(make_run(suite), 8)
    sweep_queue()
    before = rows()
    Standing.objects.update(lead_needed=None)
    Suite.objects.update(changes=F("changes") + 1)
    sweep_queue()
    assert [row.lead_needed for row in Standing.objects.all()] == [pytest.approx(0.3, abs=0.5)]
    assert len(rows()) == len(before)


def test_only_complete_public_runs_of_models_have_a_place() -> None:
    suite = make_suite()
    entry = make_entry("Foo")
    finish_run(make_run(suite, entry), 8)
    counted = finish_run(make_run(suite, entry), 4)
    finish_run(make_run(suite, entry), 8, void=1)
    make_run(suite, make_entry("Waiting"))
    finish_run(make_run(suite, make_entry("reference", is_scripted=True)), 8)
    finish_run(make_run(suite, make_entry("Secret"), is_public=False), 8)
    withdrawn = finish_run(make_run(suite, make_entry("Withdrawn")), 8)
    Run.objects.filter(pk=withdrawn.pk).update(withdrawn_at=timezone.now())
    quoted = make_entry("Quoted")
    Entry.objects.filter(pk=quoted.pk).update(provenance=Entry.Provenance.QUOTED)
    finish_run(make_run(suite, quoted), 8)
    sweep_queue()
    assert places() == {counted.pk: 1}


def test_a_run_on_some_of_the_tasks_has_no_place() -> None:
    whole = start_run(2)
    part = start(whole.entry, whole.suite, tasks=["task-1"])
    attempts.record_result(claim(part.pk, 1, "worker")[0], judged(True))
    sweep_queue()
    part.refresh_from_db()
    assert part.is_over
    assert places() == {}


def test_publishing_and_withdrawing_move_the_others() -> None:
    suite = make_suite()
    first, second = (finish_run(make_run(suite), solved) for solved in (8, 2))
    sweep_queue()
    assert places() == {first.pk: 1, second.pk: 2}
    Run.objects.filter(pk=first.pk).update(withdrawn_at=timezone.now())
    sweep_queue()
    assert places() == {second.pk: 1}
    Run.objects.filter(pk=first.pk).update(withdrawn_at=None)
    sweep_queue()
    assert places() == {first.pk: 1, second.pk: 2}
    first.delete()
    sweep_queue()
    assert places() == {second.pk: 1}


def test_suites_are_placed_apart() -> None:
    one = finish_run(make_run(make_suite("one")), 1)
    other = finish_run(make_run(make_suite("other")), 8)
    sweep_queue()
    assert places() == {one.pk: 1, other.pk: 1}


def test_places_that_were_tampered_with_are_said_and_mended() -> None:
    suite = make_suite(tasks=24)
    run, other = (finish_run(make_run(suite), solved) for solved in (8, 2))
    sweep_queue()
    before = rows()
    Standing.objects.filter(run=run).update(rank_high=9)
    Standing.objects.filter(run=other).delete()
    said = recompute("--dry-run")
    assert f"run {run.pk}: place was Place(rank=1, rank_low=1, rank_high=9" in said
    assert f"run {other.pk}: place was None" in said
    assert "starter v1: 2 ranks that differed" in recompute()
    assert [standings.Place(*(row[name] for name in standings.COLUMNS)) for row in rows()] == [
        standings.Place(*(row[name] for name in standings.COLUMNS)) for row in before
    ]


def test_kept_count_of_ranked_runs_is_proved_and_mended() -> None:
    suite = make_suite()
    for solved in (8, 2):
        finish_run(make_run(suite), solved)
    sweep_queue()
    suite.refresh_from_db()
    assert suite.ranked == 2
    Suite.objects.update(ranked=7)
    assert "starter v1: ranked was 7, is 2" in recompute("--dry-run")
    recompute()
    suite.refresh_from_db()
    assert suite.ranked == 2
    Run.objects.all().delete()
    sweep_queue()
    suite.refresh_from_db()
    assert suite.ranked == 0


def test_cancelled_runs_are_in_no_rate_of_a_task() -> None:
    suite = make_suite()
    finish_run(make_run(suite), 8)
    stopped = finish_run(make_run(suite), 0)
    Run.objects.filter(pk=stopped.pk).update(status=Status.CANCELLED)
    stopped.attempts.exclude(task__position=1).update(status=Status.CANCELLED, passed=None)
    sweep_queue()
    counts = Task.objects.order_by("position").values_list("solved", "decided")
    assert list(counts) == [(1, 1)] * 8


def test_pages_load_no_numpy() -> None:
    code = (
        "import sys, django; django.setup(); import pybench_site.urls;"
        "from django.urls import get_resolver; get_resolver().url_patterns;"
        "print([m for m in ('numpy', 'scipy') if m in sys.modules])"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        cwd=settings.BASE_DIR,
        env={"DJANGO_SETTINGS_MODULE": "pybench_site.settings", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    assert said.stdout == "[]\n"
