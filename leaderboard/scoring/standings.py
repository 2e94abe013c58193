"""Stored places of runs on the board of their suite and seed: rank and rank range.

They are computed over the whole board, so no filter moves anybody. The sweep rebuilds them when
a run was filed (`leaderboard.search.filing`), because it ended, was published, withdrawn or
deleted, and the runs that count are others than those that are placed. Pages read them; numpy is
imported only where they are computed.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from django.db import transaction
from django.db.models import Count, F, Q

from leaderboard.changes.note import note_placed
from leaderboard.models import Attempt, Entry, Run, RunReview, RunSummary, Standing, Suite
from leaderboard.models.runs import list_own_limits
from leaderboard.scoring import ranking
from leaderboard.scoring.figures import OVERALL
from runner.contract import Status

WITHHELD = (RunReview.Ruling.OPEN, RunReview.Ruling.UPHELD)
NEVER_RANKED = (
    Entry.Provenance.SCRIPTED,
    Entry.Provenance.QUOTED,
    Entry.Provenance.RE_EXECUTED,  # code that somebody brought in: no model was asked here
    Entry.Provenance.RE_SCORED,
    Entry.Provenance.FORKED,
    Entry.Provenance.HUMAN,
)
RATE_DECIMALS = 9  # rates that differ by less are the same sum in another order


@dataclass(frozen=True)
class Place:
    """A run's place, named as the columns of Standing."""

    rank: int
    rank_low: int
    rank_high: int
    lead_needed: float  # of the best run, in shares


COLUMNS = [*Place.__dataclass_fields__]

_refreshing = threading.Lock()  # one sweep of this process at a time: the work takes seconds


def refresh_changed() -> int:
    """Place the runs again of every suite whose ranks are not those stored; how many suites.

    Suites of which no run was filed since are not looked at: one query.
    """
    if not _refreshing.acquire(blocking=False):
        return 0
    try:
        due = list(Suite.objects.exclude(placed_changes=F("changes")).order_by("pk"))
        return sum(refresh_due(suite) for suite in due)
    finally:
        _refreshing.release()


def refresh_due(suite: Suite) -> bool:
    """Place the suite's runs where that moves one of them. A change meanwhile is due again."""
    is_moved = has_moved(suite)
    if is_moved:
        refresh(suite)
    Suite.objects.filter(pk=suite.pk).update(
        placed_changes=suite.changes, ranked=count_ranked(suite)
    )
    return is_moved


def count_ranked(suite: Suite) -> int:
    """Count the suite's places in the season under way, which `Suite.ranked` keeps."""
    return Standing.objects.filter(suite=suite, run__seed=suite.seed).count()


def refresh(suite: Suite) -> int:
    """Store what differs from the right places; how many rows did."""
    places = place_runs(suite)
    return store(suite, places)


def has_moved(suite: Suite) -> bool:
    """True if the stored ranks differ from those that the runs' rates give, or were found by an
    older method. Three queries."""
    rows = Standing.objects.filter(suite=suite).values_list("run_id", "rank", "lead_needed")
    stored = {run_id: rank for run_id, rank, needed in rows if needed is not None}
    ranks: dict[int, int] = {}
    for complete in list_complete(suite):
        ranks |= ranks_of(ranking.latest_per_entry(complete))
    return stored != ranks


def list_complete(suite: Suite) -> list[list[ranking.RankedRun]]:
    """By seed the runs that may be ranked: public, of a model, with a verdict on every task,
    the suite's own time limits and one limit on its replies.

    Another seed makes other instances: each season's runs are on a board of their own, and runs
    of no season on none.
    """
    tasks = suite.tasks.count()
    rows = (
        RunSummary.objects.filter(category=OVERALL, void=0, open=0)
        .filter(run__in=Run.objects.on_board().filter(status=Status.DONE))
        .exclude(run__entry__provenance__in=NEVER_RANKED)
        .exclude(run__review__ruling__in=WITHHELD)
        .exclude(run__changed_sampling__has_key="max_tokens")
        .filter(run__suite=suite, tasks=tasks)
        .values_list("run__seed", "run_id", "run__entry_id", "rate", "run__limits")
        .order_by("run_id")
    )
    complete: dict[int, list[ranking.RankedRun]] = defaultdict(list)
    for seed, run_id, entry_id, rate, limits in rows:
        if not suite.has_season_of(seed) or list_own_limits(limits, suite.limits):
            continue
        rounded = round(rate, RATE_DECIMALS)
        complete[seed].append(
            ranking.RankedRun(run_id, entry_id, rounded, is_complete=True, is_scripted=False)
        )
    return list(complete.values())


def ranks_of(runs: Sequence[ranking.RankedRun]) -> dict[int, int]:
    ranks = ranking.competition_ranks([run.rate for run in runs])
    return {run.run_id: rank for run, rank in zip(runs, ranks, strict=True)}


def place_runs(suite: Suite) -> dict[int, Place]:
    """The right place of each run that has one, from the suite's attempts. No row is written."""
    places: dict[int, Place] = {}
    for complete in list_complete(suite):
        places |= place_among(ranking.latest_per_entry(complete))
    return places


def place_among(runs: Sequence[ranking.RankedRun]) -> dict[int, Place]:
    """The places of the runs of one seed among each other."""
    ranks = ranks_of(runs)
    means = load_means(ranks)
    return place_rows(ranks, [means[run_id] for run_id in ranks])


def place_table(means: Mapping[int, Sequence[float]]) -> dict[int, Place]:
    """The places of runs by their pass means on the same tasks."""
    rates = [round(sum(row) / len(row), RATE_DECIMALS) for row in means.values()]
    ranks = dict(zip(means, ranking.competition_ranks(rates), strict=True))
    return place_rows(ranks, [*means.values()])


def place_rows(ranks: Mapping[int, int], table: Sequence[Sequence[float]]) -> dict[int, Place]:
    """Each run's rank with its range; `table` has its pass means in that order."""
    from leaderboard.scoring import inference  # numpy: never in a process that only reads

    if not ranks:
        return {}
    best = [*ranks.values()].index(1)
    needed = inference.needed_leads(table)[best].round(RATE_DECIMALS).tolist()
    return {
        run_id: Place(ranks[run_id], reach.low, reach.high, lead)
        for run_id, reach, lead in zip(ranks, inference.rank_ranges(table), needed, strict=True)
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
    ranked = Run.objects.filter(pk__in=places, seed=suite.seed).count()
    miscounted = [f"{suite}: ranked was {suite.ranked}, is {ranked}"]
    return miscounted * (suite.ranked != ranked) + [
        f"run {run_id}: place was {stored.get(run_id)}, is {places.get(run_id)}"
        for run_id in sorted(stored.keys() | places.keys())
        if stored.get(run_id) != places.get(run_id)
    ]


def load_stored(suite: Suite) -> dict[int, Place]:
    rows = Standing.objects.filter(suite=suite).values_list("run_id", *COLUMNS)
    return {run_id: Place(*values) for run_id, *values in rows}


@transaction.atomic
def store(suite: Suite, places: dict[int, Place]) -> int:
    """Write the places that differ from the stored ones; what is right is not touched.

    `Suite.placings` moves with them: boards are read again (`leaderboard.board.queries`).
    """
    stored = load_stored(suite)
    gone = stored.keys() - places.keys()
    Standing.objects.filter(run__in=gone).delete()
    differing = [run_id for run_id in places if stored.get(run_id) != places[run_id]]
    # A run may have been deleted since its place was computed.
    there = Run.objects.filter(pk__in=differing).values_list("pk", flat=True)
    rows = [Standing(run_id=pk, suite=suite, **asdict(places[pk])) for pk in there]
    came = [row for row in rows if row.run_id not in stored]
    ranges = {row.run_id: (row.rank_low, row.rank_high) for row in came}
    note_placed(suite, ranges, sorted(gone))
    Standing.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["run"],
        update_fields=[*COLUMNS, "suite", "computed_at"],
    )
    moved = len(gone) + len(rows)
    kept = Suite.objects.filter(pk=suite.pk)
    kept.update(ranked=count_ranked(suite), **({"placings": F("placings") + 1} if moved else {}))
    suite.refresh_from_db(fields=["placings", "ranked"])
    return moved
