"""Loads the rows of a suite's board: a handful of queries, however many runs there are."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, Max, OuterRef, QuerySet, Sum
from django.http import Http404

from leaderboard.board import Board, BoardRow, Tally, build_rows
from leaderboard.models import Attempt, Entry, Run, RunSummary, Standing, Suite
from leaderboard.shelf import Shelf
from runner.contract import Status

MAX_RUNS = 1000  # with a place
MAX_UNRANKED = 50  # newest first
MAX_SCRIPTED = 200  # runs looked at for the latest of each baseline
MAX_SUITES = 50
KEEP_S = 10.0  # what moves no run's sequence, as an entry's new name, is seen so much later

Version = tuple[object, ...]


@dataclass(frozen=True)
class Kept:
    """A board as its rows were, for as long as they are the same."""

    board: Board
    until_s: float  # of time.monotonic()


BOARDS: Shelf[Kept] = Shelf(size=20)


def list_suites() -> list[Suite]:
    counted = Suite.objects.annotate(task_count=Count("tasks"))
    return list(counted.order_by("is_recorded", "-pk")[:MAX_SUITES])


def choose_suite(suites: Sequence[Suite], wanted: str) -> Suite | None:
    """The suite `name` or `name@version`; the newest when none is named."""
    if not wanted:
        return suites[0] if suites else None
    for suite in suites:
        if wanted in (suite.name, f"{suite.name}@{suite.version}"):
            return suite
    raise Http404(f"There is no suite “{wanted[:100]}”.")


def load_board(suite: Suite, task_count: int) -> Board:
    """Two queries where nothing changed since somebody asked, else seven. To be read only."""
    version = (*version_of(suite), suite.digest, task_count)
    kept = BOARDS.get(
        suite.pk,
        lambda: Kept(read_board(suite, task_count, version), time.monotonic() + KEEP_S),
        lambda known: known.board.version == version and time.monotonic() < known.until_s,
    )
    return kept.board


def version_of(suite: Suite) -> Version:
    """What is another one whenever a run came, changed, went, or was placed anew."""
    runs = Run.objects.on_board().filter(suite=suite)
    places = Standing.objects.filter(suite=suite)
    return (
        *runs.aggregate(Count("pk"), Max("pk"), Sum("sequence"), Max("created_at")).values(),
        *places.aggregate(Count("pk"), Max("computed_at")).values(),
    )


def read_board(suite: Suite, task_count: int, version: Version) -> Board:
    """Five queries."""
    shown = light(Run.objects.on_board().filter(suite=suite))
    scripted = shown.filter(entry__provenance=Entry.Provenance.SCRIPTED)
    placed = list(shown.filter(standing__isnull=False)[:MAX_RUNS])
    baselines = latest_of_each(scripted[:MAX_SCRIPTED])
    others = list(list_unplaced(shown, suite)[: MAX_UNRANKED + 1])
    is_cut = len(others) > MAX_UNRANKED
    rows = load_rows([*placed, *baselines, *others[:MAX_UNRANKED]], suite, task_count)
    split = len(placed), len(placed) + len(baselines)
    groups = rows[: split[0]], rows[split[0] : split[1]], rows[split[1] :]
    return Board(*groups, is_cut, version)


def light(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Runs with what a row needs and nothing large, newest first."""
    return (
        runs.select_related("entry", "standing").defer("environment", "preflight").order_by("-pk")
    )


def list_unplaced(shown: QuerySet[Run], suite: Suite) -> QuerySet[Run]:
    """Runs of models without a place, but for those that a placed run of their entry follows."""
    later = Standing.objects.filter(
        suite=suite, run__entry=OuterRef("entry"), run_id__gt=OuterRef("pk")
    )
    unplaced = shown.filter(standing__isnull=True).exclude(Exists(later))
    return unplaced.exclude(entry__provenance=Entry.Provenance.SCRIPTED)


def latest_of_each(runs: Iterable[Run]) -> list[Run]:
    """Of each entry the first of `runs`, which are newest first: the others repeat it."""
    latest: dict[int, Run] = {}
    for run in runs:
        latest.setdefault(run.entry_id, run)
    return list(latest.values())


def load_rows(runs: Sequence[Run], suite: Suite, task_count: int) -> list[BoardRow]:
    for run in runs:
        run.suite = suite
    summaries = RunSummary.objects.filter(run__in=[run.pk for run in runs])
    open_runs = [run.pk for run in runs if not run.is_over]
    return build_rows(runs, summaries, count_attempts(open_runs), task_count)


def count_attempts(run_ids: list[int]) -> dict[int, Tally]:
    """How far each of these runs is."""
    groups = (
        Attempt.objects.filter(run__in=run_ids)
        .values_list("run_id", "status", "passed")
        .annotate(count=Count("pk"))
        .order_by()
    )
    counts: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for run_id, status, passed, count in groups:
        counts[run_id]["total"] += count
        if status == Status.DONE:
            counts[run_id]["void" if passed is None else "passed" if passed else "failed"] += count
    return {run_id: Tally(**count) for run_id, count in counts.items()}
