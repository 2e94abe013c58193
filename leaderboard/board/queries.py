"""Loads the rows of a suite's board: a handful of queries, however many runs there are."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.http import Http404

from leaderboard.board.entry_means import join_runs
from leaderboard.board.finding import find_split_tasks
from leaderboard.board.repeats import add_repeats
from leaderboard.board.rows import Board, BoardRow, SplitTask, Tally, build_rows, count_same_models
from leaderboard.board.task_parts import add_unguessed
from leaderboard.models import Attempt, Entry, Run, RunSummary, Standing, Suite, Task
from leaderboard.models.querysets import UNFINISHED, sum_of_states
from leaderboard.money.lookup import with_prices
from leaderboard.process_cache import Shelf
from runner.contract import Status

MAX_RUNS = 1000  # with a place, the best
MAX_UNRANKED = 50  # newest first
MAX_SCRIPTED = 200  # runs looked at for the latest of each baseline
MAX_SUITES = 50
KEEP_S = 60.0  # what moves no run's sequence, as an entry's new name, is seen so much later

Version = tuple[object, ...]


@dataclass(frozen=True)
class KeptBoard:
    """A board as its rows were, for as long as they are the same."""

    board: Board
    until_s: float  # of time.monotonic()


@dataclass(frozen=True)
class Best:
    """Rows with a place, the best first, of so many."""

    rows: list[BoardRow]
    split: tuple[SplitTask, ...]
    placed: int
    version: Version
    until_s: float


BOARDS: Shelf[KeptBoard] = Shelf(size=20)
BEST: Shelf[Best] = Shelf(size=20)


def list_suites() -> list[Suite]:
    """The suites with their counts, those that were made from recordings last."""
    tasks = Task.objects.filter(suite=OuterRef("pk"))
    runs = Run.objects.on_board().filter(suite=OuterRef("pk"), seed=OuterRef("seed"))
    counted = Suite.objects.shown().annotate(
        task_count=count_of_suite(tasks),
        guessable_count=count_of_suite(tasks.exclude(guessable="")),
        has_finished=Exists(runs.filter(status=Status.DONE)),
        has_unfinished=Exists(runs.filter(status__in=UNFINISHED)),
    )
    return list(counted.order_by("is_recorded", "-pk")[:MAX_SUITES])


def count_of_suite(rows: QuerySet[Any]) -> Coalesce:
    """Count in a question of its own: one that is grouped by suites is asked for each task."""
    counts = rows.order_by().values("suite").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counts), 0)


def choose_suite(suites: Sequence[Suite], wanted: str) -> Suite | None:
    """The suite `name` or `name@version`; when none is named, the newest with most to see.

    Ranked models come first, then finished runs, then those under way.
    """
    if not wanted:
        return max(suites, key=what_is_seen, default=None)
    for suite in suites:
        if wanted in (suite.name, suite.reference):
            return suite
    raise Http404(f"There is no suite “{wanted[:100]}”.")


def what_is_seen(suite: Any) -> tuple[bool, ...]:
    """Sort key of a suite of `list_suites`, the largest for the one with most to see."""
    is_playable = not suite.is_recorded
    return (is_playable, suite.ranked > 0, suite.has_finished, suite.has_unfinished)


def load_board(suite: Suite, task_count: int, seed: int | None = None) -> Board:
    """The board of the runs with `seed`, the suite's unless given. To be read only.

    `suite` is as it was read for this look: its counters tell what changed. One query where nothing
    changed since somebody asked, else at most nine.
    """
    seed = suite.seed if seed is None else seed
    facts = (suite.digest, task_count, seed)
    runs = Run.objects.filter(suite=suite, seed=seed)
    shown = runs.on_board()
    version = (*version_of(suite, runs), facts)
    kept = BOARDS.get(
        (suite.pk, seed),
        lambda: KeptBoard(read_board(shown, suite, task_count, version), time.monotonic() + KEEP_S),
        lambda known: known.board.version == version and time.monotonic() < known.until_s,
    )
    return kept.board


def version_of(suite: Suite, runs: QuerySet[Run]) -> tuple[Version, Version]:
    """Version stamps of the runs with and without a place; every change to a run alters them.

    A run that changes loses its mark (`leaderboard.scoring.filing`) and is looked at here, until it
    is filed and the suite's counters move. So the cost is that of the runs that are not filed. Of
    those that the board does not show their number is looked at: one may have been there before.
    """
    is_placed, is_shown = Q(standing__isnull=False), Q(is_public=True, withdrawn_at=None)
    found = runs.filter(is_filed=False).aggregate(
        placed=Count("pk", is_placed),
        placed_ids=Sum("pk", filter=is_placed),
        placed_states=sum_of_states(is_placed & is_shown),
        others=Count("pk", ~is_placed),
        others_ids=Sum("pk", filter=~is_placed),
        others_states=sum_of_states(~is_placed & is_shown),
        created_at=Max("created_at"),
    )
    values = tuple(found.values())
    return (suite.changes, suite.placings, *values[:3]), values[3:]


def read_board(runs: QuerySet[Run], suite: Suite, task_count: int, version: Version) -> Board:
    """At most eight queries; four where it is as it was with those that have a place."""
    shown = light(runs)
    best = load_best(shown, suite, task_count, (version[0], version[-1]))
    scripted = shown.filter(entry__provenance=Entry.Provenance.SCRIPTED)
    played = list(scripted[:MAX_SCRIPTED])
    baselines = latest_of_each(run for run in played if run.status != Status.CANCELLED)
    cancelled = {run.entry_id for run in played} - {run.entry_id for run in baselines}
    others = list(list_unplaced(shown, suite)[: MAX_UNRANKED + 1])
    is_cut = len(others) > MAX_UNRANKED
    rows = load_rows([*baselines, *others[:MAX_UNRANKED]], suite, task_count)
    split = len(baselines)
    return Board(
        best.rows,
        rows[:split],
        [row for row in rows[split:] if row.run.entry.is_model],
        is_cut=is_cut,
        cancelled=len(cancelled),
        split=best.split,
        placed=best.placed,
        version=version,
        people=[row for row in rows[split:] if row.run.entry.is_human],
    )


def load_best(shown: QuerySet[Run], suite: Suite, task_count: int, version: Version) -> Best:
    """The best of the runs with a place: they change more seldom than the rest, and are many."""

    def read() -> Best:
        ranked = shown.filter(standing__suite=suite)
        runs = list(ranked.order_by("standing__rank", "standing__run")[:MAX_RUNS])
        placed = ranked.count() if len(runs) == MAX_RUNS else len(runs)
        rows = count_same_models(load_rows(runs, suite, task_count))
        return Best(rows, find_split_tasks(rows), placed, version, time.monotonic() + KEEP_S)

    return BEST.get(
        (suite.pk, version[-1]),
        read,
        lambda known: known.version == version and time.monotonic() < known.until_s,
    )


def light(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Runs with what a row needs and nothing large, newest first."""
    joined = runs.select_related("entry", "standing", "review")
    return with_prices(joined.defer("environment", "preflight")).order_by("-pk")


def list_unplaced(shown: QuerySet[Run], suite: Suite) -> QuerySet[Run]:
    """Runs without a place, but for baselines and what a placed run of the entry follows.

    `withdrawn_since` of each: if a run of its entry that had ended was withdrawn after it was
    submitted.
    """
    later = Standing.objects.filter(
        suite=suite,
        run__entry=OuterRef("entry"),
        run__seed=OuterRef("seed"),
        run_id__gt=OuterRef("pk"),
    )
    withdrawn = Run.objects.filter(
        entry=OuterRef("entry"),
        suite=suite,
        seed=OuterRef("seed"),
        status=Status.DONE,
        withdrawn_at__gt=OuterRef("created_at"),
    )
    unplaced = shown.filter(standing__isnull=True).exclude(Exists(later))
    models = unplaced.exclude(entry__provenance=Entry.Provenance.SCRIPTED)
    return models.annotate(withdrawn_since=Exists(withdrawn))


def latest_of_each(runs: Iterable[Run]) -> list[Run]:
    """The first of each entry's `runs`, which are newest first: the others repeat it."""
    latest: dict[int, Run] = {}
    for run in runs:
        latest.setdefault(run.entry_id, run)
    return list(latest.values())


def load_rows(runs: Sequence[Run], suite: Suite, task_count: int) -> list[BoardRow]:
    for run in runs:
        run.suite = suite
    summaries = RunSummary.objects.filter(run__in=[run.pk for run in runs]).defer("counts")
    open_runs = [run.pk for run in runs if not run.is_over]
    rows = build_rows(runs, summaries, count_attempts(open_runs), task_count)
    return add_unguessed(add_repeats(join_runs(rows)), suite)


def count_attempts(run_ids: list[int]) -> dict[int, Tally]:
    """Count the attempts of each of these runs by their state."""
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
