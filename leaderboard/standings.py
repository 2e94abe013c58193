"""Stored places of runs on their suite's board: rank, rank range and tie group.

They are computed over the whole board, so no filter moves anybody. The sweep rebuilds them when
the runs that count are others than those that are placed: because a run ended, was published,
withdrawn or deleted. Pages read them; numpy is imported only where they are computed.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from django.db import transaction
from django.db.models import Count, Q

from leaderboard import ranking
from leaderboard.models import Attempt, Entry, Run, RunSummary, Standing, Suite
from leaderboard.scoring import OVERALL
from runner.contract import Status

NEVER_RANKED = (Entry.Provenance.SCRIPTED, Entry.Provenance.QUOTED)
RATE_DECIMALS = 9  # rates that differ by less are the same sum in another order


@dataclass(frozen=True)
class Place:
    """A run's place, named as the columns of Standing."""

    rank: int
    rank_low: int
    rank_high: int
    group: int


COLUMNS = [*Place.__dataclass_fields__]

_refreshing = threading.Lock()  # one sweep of this process at a time: the work takes seconds


def refresh_changed() -> int:
    """Place the runs again of every suite whose ranks are not those stored; how many suites."""
    if not _refreshing.acquire(blocking=False):
        return 0
    try:
        changed = find_changed()
        for suite in changed:
            refresh(suite)
        return len(changed)
    finally:
        _refreshing.release()


def refresh(suite: Suite) -> int:
    """Store what differs from the right places; how many rows did."""
    places = place_runs(suite)
    return store(suite, places)


def find_changed() -> list[Suite]:
    """Suites whose stored ranks are not those that their runs' rates give. Four queries."""
    stored: dict[int, dict[int, int]] = defaultdict(dict)
    for suite_id, run_id, rank in Standing.objects.values_list("suite_id", "run_id", "rank"):
        stored[suite_id][run_id] = rank
    right = {
        suite_id: ranks_of(ranking.latest_per_entry(runs))
        for suite_id, runs in list_complete().items()
    }
    changed = [pk for pk in stored.keys() | right.keys() if stored.get(pk) != right.get(pk)]
    return list(Suite.objects.filter(pk__in=changed).order_by("pk")) if changed else []


def list_complete(suite: Suite | None = None) -> dict[int, list[ranking.Standing]]:
    """By suite the runs that may be ranked: public, of a model, with a verdict on every task."""
    tasks = dict(Suite.objects.values_list("pk").annotate(Count("tasks")))
    rows = (
        RunSummary.objects.filter(category=OVERALL, void=0, open=0)
        .filter(run__in=Run.objects.on_board().filter(status=Status.DONE))
        .exclude(run__entry__provenance__in=NEVER_RANKED)
        .values_list("run__suite_id", "run_id", "run__entry_id", "rate", "tasks")
        .order_by("run_id")
    )
    complete: dict[int, list[ranking.Standing]] = defaultdict(list)
    for suite_id, run_id, entry_id, rate, count in rows.filter(
        **({"run__suite": suite} if suite else {})
    ):
        if count == tasks[suite_id]:
            rounded = round(rate, RATE_DECIMALS)
            complete[suite_id].append(
                ranking.Standing(run_id, entry_id, rounded, is_complete=True, is_scripted=False)
            )
    return complete


def ranks_of(runs: Sequence[ranking.Standing]) -> dict[int, int]:
    ranks = ranking.competition_ranks([run.rate for run in runs])
    return {run.run_id: rank for run, rank in zip(runs, ranks, strict=True)}


def place_runs(suite: Suite) -> dict[int, Place]:
    """The right place of each run that has one, from the suite's attempts. No row is written."""
    from leaderboard import statistics  # numpy: never in a process that only reads

    runs = ranking.latest_per_entry(list_complete(suite).get(suite.pk, []))
    if not runs:
        return {}
    ranks = ranks_of(runs)
    means = load_means(ranks)
    table = [means[run_id] for run_id in ranks]
    return {
        run_id: Place(ranks[run_id], reach.low, reach.high, group)
        for run_id, reach, group in zip(
            ranks, statistics.rank_ranges(table), statistics.tie_groups(table), strict=True
        )
    }


def load_means(run_ids: Iterable[int]) -> dict[int, list[float]]:
    """Per run the share of attempts that passed on each task, in the order of the tasks' ids."""
    counts = (
        Attempt.objects.filter(run__in=list(run_ids))
        .values_list("run_id", "task_id")
        .annotate(attempts=Count("pk"), solved=Count("pk", Q(passed=True)))
        .order_by("run_id", "task_id")
    )
    means: dict[int, list[float]] = defaultdict(list)
    for run_id, _, attempts, solved in counts:
        means[run_id].append(solved / attempts)
    return means


def list_differences(suite: Suite, places: dict[int, Place]) -> list[str]:
    """One line for each stored place that is not the right one."""
    stored = load_stored(suite)
    return [
        f"run {run_id}: place was {stored.get(run_id)}, is {places.get(run_id)}"
        for run_id in sorted(stored.keys() | places.keys())
        if stored.get(run_id) != places.get(run_id)
    ]


def load_stored(suite: Suite) -> dict[int, Place]:
    rows = Standing.objects.filter(suite=suite).values_list("run_id", *COLUMNS)
    return {run_id: Place(*values) for run_id, *values in rows}


@transaction.atomic
def store(suite: Suite, places: dict[int, Place]) -> int:
    """Write the places that differ from the stored ones; what is right is not touched."""
    stored = load_stored(suite)
    gone = stored.keys() - places.keys()
    Standing.objects.filter(run__in=gone).delete()
    differing = [run_id for run_id in places if stored.get(run_id) != places[run_id]]
    # A run may have been deleted since its place was computed.
    there = Run.objects.filter(pk__in=differing).values_list("pk", flat=True)
    rows = [Standing(run_id=pk, suite=suite, **asdict(places[pk])) for pk in there]
    Standing.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["run"],
        update_fields=[*COLUMNS, "suite", "computed_at"],
    )
    return len(gone) + len(rows)
