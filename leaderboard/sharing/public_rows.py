"""Rows of runs that everybody can read, whoever asks."""

from __future__ import annotations

from dataclasses import replace

from django.http import Http404
from django.shortcuts import get_object_or_404

from leaderboard.board.entry_means import join_runs
from leaderboard.board.queries import count_attempts
from leaderboard.board.repeats import add_repeats
from leaderboard.board.rows import BoardRow, build_rows, choose_current
from leaderboard.models import Run, RunSummary, Standing
from leaderboard.models.querysets import RunQuerySet

MAX_RUNS = 100  # of an entry, newest first


def list_public() -> RunQuerySet:
    """Published runs with what a row needs."""
    runs: RunQuerySet = Run.objects.published().defer("environment", "preflight")
    return runs.select_related("entry", "suite", "standing", "review")


def load_public(run_id: int) -> BoardRow:
    """The row of a public run with its place; 404 for any other. Two queries, and one for a run
    under way or without a place of its own."""
    run = get_object_or_404(list_public(), pk=run_id)
    tallies = {} if run.is_over else count_attempts([run.pk])
    [row] = build_rows([run], run.summaries.all(), tallies)
    return replace(row, standing=find_place(run))


def find_place(run: Run) -> Standing | None:
    """Its own place, or that of the mean that it counts in. One query for a public run of a model
    that is over and has none of its own."""
    own: Standing | None = getattr(run, "standing", None)
    if own or not (run.is_over and run.is_public and run.entry.is_model):
        return own
    of_entry = Standing.objects.filter(suite=run.suite_id, run__seed=run.seed)
    places = of_entry.filter(run__entry=run.entry_id)
    return next((one for one in places if run.pk in one.runs), None)


def load_public_of(slug: str) -> BoardRow:
    """The public run whose figures stand for the entry; 404 without one. At most three
    queries, and three more where its place is the mean of several runs."""
    runs = list(list_public().filter(entry__slug=slug).order_by("-pk")[:MAX_RUNS])
    if not runs:
        raise Http404(f"There is no model “{slug}” with a published run.")
    open_runs = [run.pk for run in runs if not run.is_over]
    tallies = count_attempts(open_runs) if open_runs else {}
    rows = build_rows(runs, RunSummary.objects.filter(run__in=runs), tallies)
    [current] = add_repeats(join_runs([choose_current(rows)]))
    return current
