"""Runs that are over are filed: books of sheets and the tasks' counts, kept, moved and proven."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leaderboard.handoff import attempts
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import Attempt, Entry, Run, SheetBook, Suite, Task
from leaderboard.search import filing
from leaderboard.search.filing import file_runs
from leaderboard.search.filters import Filter
from leaderboard.search.results import look
from leaderboard.search.sheet_books import decode, encode
from leaderboard.search.sheet_rows import read_sheets
from leaderboard.search.sheets import CARRIED_VERSION
from leaderboard.search.visible_sheets import VIEWS
from leaderboard.submissions import run_actions
from leaderboard.tests.support.jobs import judged
from leaderboard.tests.support.recomputed import recompute
from leaderboard.tests.support.rows import (
    add_step,
    end_judged,
    finish_run,
    make_entry,
    make_run,
    make_step,
    raised,
    start_run,
)
from runner.contract import Status, StepStatus

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
    assert decode(SheetBook.objects.get().body).runs == ()


def test_a_run_that_is_tried_again_is_counted_once() -> None:
    run = start_run(2)
    first, second = attempts.claim(run.pk, 2, "worker")
    attempts.record_result(first, judged(True))
    file_runs()
    assert tallies(run.suite) == {}  # it is not over
    attempts.record_result(second, judged(False))
    for _ in range(2):
        file_runs()
        assert tallies(run.suite) == counted(run.suite)
    Run.objects.filter(pk=run.pk).update(status=Status.QUEUED)
    Run.objects.filter(pk=run.pk).update(status=Status.DONE)
    file_runs()
    assert tallies(run.suite) == counted(run.suite)


def test_filing_what_is_filed_changes_nothing_and_costs_two_queries(suite: Suite) -> None:
    for solved in range(5):
        finish_run(make_run(suite), solved)
    sweep_queue()
    before = list(SheetBook.objects.values()), tallies(suite)
    with CaptureQueriesContext(connection) as queries:
        assert file_runs() == 0
    assert len(queries) == 2
    assert (list(SheetBook.objects.values()), tallies(suite)) == before


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
    real = filing.read_runs

    def changed_meanwhile(run_ids: Any) -> Any:
        read = real(run_ids)
        end_judged(run.attempts.filter(passed=False)[0], passed=True)
        Run.objects.filter(pk=run.pk).update(sequence=run.sequence + 5)
        return read

    monkeypatch.setattr(filing, "read_runs", changed_meanwhile)
    assert file_runs() == 0
    assert tallies(suite) == {}
    monkeypatch.undo()
    assert file_runs() == 1
    assert tallies(suite) == counted(suite)


def test_runs_are_filed_in_books_of_neighbours(suite: Suite) -> None:
    run = finish_run(make_run(suite), 2)
    far = finish_run(make_run(suite), 5)
    Run.objects.filter(pk=far.pk).update(sequence=1)
    Run.objects.create(pk=run.pk + 128, entry=run.entry, suite=suite, seed=1, status=Status.DONE)
    assert file_runs() == 3
    assert SheetBook.objects.count() == 2
    book = decode(SheetBook.objects.get(pk=run.pk >> 7).body)
    sheets = read_sheets([run.pk, far.pk])
    assert {one.pk: book.of(one) for one in book.runs} == sheets


def test_recompute_says_and_mends_what_was_tampered_with(suite: Suite) -> None:
    runs = [finish_run(make_run(suite), solved) for solved in (8, 3)]
    sweep_queue()
    assert recomputed("--dry-run") == []
    Task.objects.filter(pk=suite.tasks.all()[0].pk).update(solved=99)
    SheetBook.objects.update(body=b"")
    said = recomputed("--dry-run")
    assert said == [
        f"run {runs[0].pk}: its failures were filed wrongly",
        f"run {runs[1].pk}: its failures were filed wrongly",
        "task quarterly-sales of starter v1: solved was (2, 99), is (2, 2)",
    ]
    assert recomputed() == said
    assert recomputed("--dry-run") == []
    assert tallies(suite) == counted(suite)


def test_an_old_site_is_filed_by_its_sweeps(suite: Suite) -> None:
    """As after the migration: no mark, no book, no count."""
    for _ in range(3):
        finish_run(make_run(suite), 3)
    assert file_runs(limit=2) == 2
    assert Run.objects.filter(is_filed=False).count() == 1
    assert file_runs(limit=2) == 1
    assert tallies(suite) == counted(suite)


def test_books_of_an_earlier_release_are_read_anew_and_filed_again(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They say nothing of outcomes, so what they hold is not counted."""
    for solved in (8, 3):
        finish_run(make_run(suite), solved)
    monkeypatch.setattr("leaderboard.search.filing.CARRIED_VERSION", 1)
    file_runs()
    row = SheetBook.objects.get()
    book = decode(row.body)
    carried = {**book.sheet.carried, "outcome": {}, "step": {}, "turns": {}}
    row.body = encode(replace(book, sheet=replace(book.sheet, carried=carried)))
    row.save()
    VIEWS.clear()
    monkeypatch.undo()
    everything = Filter(state="passed")
    assert look(everything, AnonymousUser()).count("outcome") == {"finished": 11}
    before = tallies(suite)
    Run.objects.update(is_filed=False)  # as the migration does
    assert file_runs() == 2
    VIEWS.clear()
    assert look(everything, AnonymousUser()).count("outcome") == {"finished": 11}
    assert {run.carried for run in decode(SheetBook.objects.get().body).runs} == {CARRIED_VERSION}
    assert tallies(suite) == before == counted(suite)


def test_runs_of_one_book_that_are_deleted_one_after_the_other_are_gone_at_once(
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


def test_filing_reads_runs_with_as_many_queries_however_many_steps(suite: Suite) -> None:
    run = finish_run(make_run(suite), 3)

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            read_sheets([run.pk])
        return len(queries)

    few = count()
    for attempt in run.attempts.all():
        for index in range(1, 9):
            add_step(attempt, make_step(index, outputs=[raised()], status=StepStatus.ERROR))
    assert count() == few == 2
