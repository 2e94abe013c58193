"""Runs that are over are filed: the tasks' counts follow them, and are proven."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Attempt, Entry, Run, Suite, Task
from leaderboard.reviews.evidence import review_runs
from leaderboard.scoring.filing import file_runs
from leaderboard.scoring.standings import refresh_changed
from leaderboard.search.filters import Filter
from leaderboard.search.results import look
from leaderboard.submissions import run_actions
from leaderboard.tests.support.jobs import claim, judged
from leaderboard.tests.support.recomputed import recompute
from leaderboard.tests.support.rows import (
    end_judged,
    finish_run,
    make_entry,
    make_run,
    start_run,
)
from runner.contract import Status

pytestmark = pytest.mark.django_db


def tallies(suite: Suite) -> dict[str, tuple[int, int]]:
    """By task: solved and decided, where anything is."""
    rows = suite.tasks.filter(decided__gt=0).values_list("key", "solved", "decided")
    return {key: (solved, decided) for key, solved, decided in rows}


def counted(suite: Suite) -> dict[str, tuple[int, int]]:
    """The same from the attempts, one after the other."""
    counts: dict[str, tuple[int, int]] = {}
    told = Attempt.objects.filter(
        task__suite=suite, run__is_public=True, run__status=Status.DONE, passed__isnull=False
    ).exclude(run__entry__provenance=Entry.Provenance.SCRIPTED)
    for attempt in told.select_related("task"):
        solved, decided = counts.get(attempt.task.key, (0, 0))
        counts[attempt.task.key] = solved + bool(attempt.passed), decided + 1
    return counts


def recomputed(*options: str) -> list[str]:
    """All that differs."""
    return [line for line in recompute(*options).splitlines() if " runs, " not in line]


def file_and_place() -> int:
    filed = file_runs()
    refresh_changed()
    return filed


def test_what_the_tasks_count_moves_with_the_runs(suite: Suite) -> None:
    first, second = (finish_run(make_run(suite), solved) for solved in (8, 3))
    finish_run(make_run(suite, make_entry("reference", is_scripted=True)), 8)
    make_run(suite)  # still queued
    assert tallies(suite) == {}
    sweep_queue()
    assert tallies(suite) == counted(suite) != {}
    run_actions.withdraw(first.pk)
    sweep_queue()
    assert tallies(suite) == counted(suite)
    assert {decided for _, decided in tallies(suite).values()} == {1}
    run_actions.publish(first.pk)
    second.delete()
    sweep_queue()
    assert tallies(suite) == counted(suite)
    Run.objects.all().delete()
    sweep_queue()
    assert tallies(suite) == {}


def test_a_run_that_is_tried_again_is_counted_once() -> None:
    run = start_run(2)
    first, second = claim(run.pk, 2, "worker")
    attempts.record_result(first, judged(True))
    file_and_place()
    assert tallies(run.suite) == {}  # it is not over
    attempts.record_result(second, judged(False))
    for _ in range(2):
        file_and_place()
        assert tallies(run.suite) == counted(run.suite)
    Run.objects.filter(pk=run.pk).update(status=Status.QUEUED)
    Run.objects.filter(pk=run.pk).update(status=Status.DONE)
    file_and_place()
    assert tallies(run.suite) == counted(run.suite)


def test_filing_what_is_filed_changes_nothing_and_costs_one_query(suite: Suite) -> None:
    for solved in range(5):
        finish_run(make_run(suite), solved)
    sweep_queue()
    before = tallies(suite)
    with CaptureQueriesContext(connection) as queries:
        assert file_runs() == 0
    assert len([query for query in queries if "SAVEPOINT" not in query["sql"]]) == 1
    assert tallies(suite) == before


def test_the_sweep_costs_the_same_whatever_is_finished(suite: Suite) -> None:
    counts = []
    for _ in range(2):
        for solved in range(3):
            finish_run(make_run(suite), solved)
        sweep_queue()
        with CaptureQueriesContext(connection) as queries:
            sweep_queue()
        counts.append(len(queries))
        assert not [q for q in queries if "runsummary" in q["sql"] or "standing" in q["sql"]]
    assert counts[0] == counts[1]


def test_a_run_that_changes_while_it_is_filed_is_filed_again(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = finish_run(make_run(suite), 3)
    real = review_runs

    def changed_meanwhile(run_ids: Any) -> None:
        real(run_ids)
        end_judged(run.attempts.filter(passed=False)[0], passed=True)
        Run.objects.filter(pk=run.pk).update(sequence=run.sequence + 5)

    monkeypatch.setattr("leaderboard.scoring.filing.review_runs", changed_meanwhile)
    assert file_and_place() == 0
    monkeypatch.undo()
    assert file_and_place() == 1
    assert tallies(suite) == counted(suite)


def test_recompute_says_and_mends_what_was_tampered_with(suite: Suite) -> None:
    for solved in (8, 3):
        finish_run(make_run(suite), solved)
    sweep_queue()
    assert recomputed("--dry-run") == []
    Task.objects.filter(pk=suite.tasks.all()[0].pk).update(solved=99)
    said = recomputed("--dry-run")
    assert said == [
        "task quarterly-sales of starter v1: solved was 99, is 2",
    ]
    assert recomputed() == said
    assert recomputed("--dry-run") == []
    assert tallies(suite) == counted(suite)


def test_an_old_site_is_filed_by_its_sweeps(suite: Suite) -> None:
    """As after the migration: no mark, no count."""
    for _ in range(3):
        finish_run(make_run(suite), 3)
    assert file_runs(limit=2) == 2
    assert Run.objects.filter(is_filed=False).count() == 1
    assert file_runs(limit=2) == 1
    refresh_changed()
    assert tallies(suite) == counted(suite)


def test_runs_that_are_deleted_one_after_the_other_are_gone_at_once(
    suite: Suite,
) -> None:
    runs = [finish_run(make_run(suite), 3) for _ in range(3)]
    file_runs()
    everything = Filter(state="passed")
    for left, run in zip((3, 2, 1), runs, strict=True):
        assert look(everything, AnonymousUser()).total == 3 * left
        run.delete()
    assert look(everything, AnonymousUser()).total == 0


def test_private_runs_are_seen_by_their_owner_alone_however_they_change(suite: Suite) -> None:
    ada = User.objects.create_user("ada")
    run = finish_run(make_run(suite, make_entry("Own"), is_public=False), 3)
    everything = Filter(state="passed")

    def totals() -> list[int]:
        return [look(everything, user).total for user in (ada, AnonymousUser())]

    for _ in range(2):  # before it is filed, and after
        assert totals() == [0, 0]
        Entry.objects.filter(pk=run.entry_id).update(owner=ada)
        assert totals() == [3, 0]
        Entry.objects.filter(pk=run.entry_id).update(owner=None)
        assert totals() == [0, 0]
        file_runs()
    Run.objects.filter(pk=run.pk).update(is_public=True)
    assert totals() == [3, 3]
    file_runs()
    assert totals() == [3, 3]
    Run.objects.filter(pk=run.pk).update(is_public=False, status=Status.RUNNING)
    assert totals() == [0, 0]
