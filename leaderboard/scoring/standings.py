"""Stored places of entries on the board of a suite and seed: rank, rank range and runs; and the
solve rates of its tasks over them, in which a model counts once.

They are computed over the whole board, so no filter moves anybody. The sweep rebuilds them when
a run was filed (`leaderboard.scoring.filing`), because it ended, was published, withdrawn or
deleted, and the runs that count are others than those that are placed. Pages read them; numpy is
imported only where they are computed.
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from django.db import transaction
from django.db.models import Count, F, Q

from leaderboard.changes.note import note_placed
from leaderboard.models import Attempt, Entry, Run, RunReview, RunSummary, Standing, Suite, Task
from leaderboard.models.querysets import OVER
from leaderboard.models.runs import list_own_limits
from leaderboard.scoring import ranking
from leaderboard.scoring.figures import OVERALL
from leaderboard.scoring.ranking import RATE_DECIMALS, PlayedRun, RankedEntry
from runner.contract import Status
from runner.run_figures import LEAST_TASKS

WITHHELD = (RunReview.Ruling.OPEN, RunReview.Ruling.UPHELD)
# Where no model did the whole of it here: they say nothing about how hard a task is.
NOT_OF_MODELS = (
    Entry.Provenance.SCRIPTED,
    Entry.Provenance.RE_EXECUTED,  # code that somebody brought in: no model was asked here
    Entry.Provenance.RE_SCORED,
    Entry.Provenance.FORKED,
    Entry.Provenance.HUMAN,
)
NEVER_RANKED = (*NOT_OF_MODELS, Entry.Provenance.QUOTED)


@dataclass(frozen=True)
class Place:
    """An entry's place, named as the columns of Standing."""

    rank: int
    rank_low: int | None  # None of fewer than LEAST_TASKS
    rank_high: int | None
    lead_needed: float | None  # of the best run, in shares
    runs: list[int] = field(default_factory=list)  # whose mean ranks, newest first
    not_shown: int = 0
    incomplete: int = 0


COLUMNS = [*Place.__dataclass_fields__]
TASK_COUNTS = ("ranked", "rate", "decided", "solved")

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
    store_task_counts(suite)
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
    """True if the stored places differ in rank or runs from those that the runs' rates give, or
    were found by an older method. Three queries."""
    rows = Standing.objects.filter(suite=suite)
    stored = {
        run_id: facts
        for run_id, *facts, needed, low in rows.values_list(
            "run_id", "rank", "runs", "not_shown", "incomplete", "lead_needed", "rank_low"
        )
        if needed is not None or low is None
    }
    right: dict[int, list[object]] = {}
    for entries in list_entries(suite):
        ranks = ranks_of(entries)
        right |= {
            e.run_id: [ranks[e.run_id], [*e.runs], e.not_shown, e.incomplete] for e in entries
        }
    return stored != right


def list_entries(suite: Suite) -> list[list[RankedEntry]]:
    """By seed the entries that rank, by runs of a model on every task. Two queries.

    Runs with limits of their own, or another one on their replies in the middle, count in no mean;
    they are counted beside it.

    Another seed makes other instances: each season's runs are on a board of their own, and runs
    of no season on none.
    """
    rows = (
        RunSummary.objects.filter(category=OVERALL, run__suite=suite, tasks=suite.tasks.count())
        .filter(run__status__in=(*OVER, Status.PAUSED))  # a pause must hide no bad run
        .exclude(passed=0, failed=0)
        .exclude(run__entry__provenance__in=NEVER_RANKED)
        .exclude(run__review__ruling__in=WITHHELD)
        .values_list(
            *("run__seed", "run__limits", "run__changed_sampling"),
            *("run_id", "run__entry_id", "rate", "void", "open"),
            *("run__status", "run__is_public", "run__created_at", "run__withdrawn_at"),
            *("run__entry__owner_id", "run__entry__model_name"),
        )
        .order_by("run_id")
    )
    played: dict[int, list[PlayedRun]] = defaultdict(list)
    for seed, limits, sampling, run, entry, rate, void, left, status, *rest in rows:
        if not suite.has_season_of(seed):
            continue
        *times, owner, name = rest
        is_own = "max_tokens" in (sampling or {}) or list_own_limits(limits, suite.limits)
        is_complete = status == Status.DONE and not void and not left and not is_own
        is_public, created_at, withdrawn_at = times
        played[seed].append(
            PlayedRun(
                run,
                entry,
                round(rate, RATE_DECIMALS),
                is_complete,
                is_public,
                created_at,
                withdrawn_at,
                model=ranking.name_model(owner, name),
            )
        )
    return [ranking.rank_entries(runs) for runs in played.values()]


def ranks_of(entries: Sequence[RankedEntry]) -> dict[int, int]:
    """The rank of each entry, by the run that stands for it."""
    ranks = ranking.competition_ranks([entry.rate for entry in entries])
    return {entry.run_id: rank for entry, rank in zip(entries, ranks, strict=True)}


def place_runs(suite: Suite) -> dict[int, Place]:
    """The right place of each run that has one, from the suite's attempts. No row is written."""
    places: dict[int, Place] = {}
    for entries in list_entries(suite):
        places |= place_among(entries)
    return places


def place_among(entries: Sequence[RankedEntry]) -> dict[int, Place]:
    """The places of the entries of one seed among each other."""
    ranks = ranks_of(entries)
    runs = {entry.run_id: entry.runs for entry in entries}
    means, attempts = load_entry_means(runs), count_attempts(runs)
    table = [means[run_id] for run_id in ranks]
    places = place_rows(ranks, table, [attempts[run_id] for run_id in ranks])
    return {
        entry.run_id: replace(
            places[entry.run_id],
            runs=[*entry.runs],
            not_shown=entry.not_shown,
            incomplete=entry.incomplete,
        )
        for entry in entries
    }


def place_table(
    means: Mapping[int, Sequence[float]], attempts: Mapping[int, int]
) -> dict[int, Place]:
    """The places of runs by their pass means on the same tasks, with so many attempts at each."""
    rates = [round(sum(row) / len(row), RATE_DECIMALS) for row in means.values()]
    ranks = dict(zip(means, ranking.competition_ranks(rates), strict=True))
    return place_rows(ranks, [*means.values()], [attempts[run_id] for run_id in means])


def place_rows(
    ranks: Mapping[int, int], table: Sequence[Sequence[float]], attempts: Sequence[int]
) -> dict[int, Place]:
    """Each run's rank with its range. In that order `table` has its pass means, and `attempts`
    how many it has at each task."""
    from leaderboard.scoring import inference  # numpy: never in a process that only reads

    if not ranks:
        return {}
    if len(table[0]) < LEAST_TASKS:
        return {run_id: Place(rank, None, None, None) for run_id, rank in ranks.items()}
    best = [*ranks.values()].index(1)
    needed = inference.needed_leads(table, attempts=attempts)[best].round(RATE_DECIMALS).tolist()
    ranges = inference.rank_ranges(table, attempts=attempts)
    return {
        run_id: Place(ranks[run_id], reach.low, reach.high, lead)
        for run_id, reach, lead in zip(ranks, ranges, needed, strict=True)
    }


def load_entry_means(runs: Mapping[int, Sequence[int]]) -> dict[int, list[float]]:
    """By the run that stands for an entry, the mean of its runs' pass means on each task."""
    means = load_means(run for each in runs.values() for run in each)
    return {
        run_id: average_rows([means[run] for run in each if run in means])
        for run_id, each in runs.items()
    }


def count_attempts(runs: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """By the run that stands for an entry, how many attempts at each task its runs have."""
    numbers = [run for each in runs.values() for run in each]
    per_task = dict(Run.objects.filter(pk__in=numbers).values_list("pk", "attempts_per_task"))
    return {
        run_id: sum(per_task[run] for run in each if run in per_task)
        for run_id, each in runs.items()
    }


def average_rows(rows: Sequence[Sequence[float]]) -> list[float]:
    """The mean of rows over the same tasks, value by value."""
    return [sum(values) / len(rows) for values in zip(*rows, strict=True)]


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


def compute_task_counts(suite: Suite) -> dict[int, dict[str, int | float]]:
    """By task's id its columns `ranked`, `rate`, `decided` and `solved`. Four queries, two of them
    over the attempts of the season's runs."""
    placed = Standing.objects.filter(suite=suite, run__seed=suite.seed)
    tasks = list(Task.objects.filter(suite=suite).order_by("pk").values_list("pk", flat=True))
    means = load_entry_means(dict(placed.values_list("run_id", "runs"))).values()
    rows = [row for row in means if len(row) == len(tasks)]  # a run may be gone by now
    columns = zip(*rows, strict=True) if rows else [()] * len(tasks)
    verdicts = count_verdicts(suite)
    return {
        task: {
            "ranked": len(rows),
            "rate": round(sum(column) / len(rows), RATE_DECIMALS) if rows else 0.0,
            "decided": sum(verdicts[task].values()),
            "solved": verdicts[task][True],
        }
        for task, column in zip(tasks, columns, strict=True)
    }


def count_verdicts(suite: Suite) -> dict[int, Counter[bool]]:
    """By task's id how many attempts of published runs of the season passed and failed, of entries
    that a model played here. What a cancelled run got to is no fair sample of its tasks."""
    runs = Run.objects.published().filter(suite=suite, seed=suite.seed, status=Status.DONE)
    runs = runs.exclude(entry__provenance__in=NOT_OF_MODELS)
    told = Attempt.objects.filter(run__in=runs, status=Status.DONE, passed__isnull=False)
    counts: dict[int, Counter[bool]] = defaultdict(Counter)
    rows = told.order_by().values_list("task_id", "passed").annotate(count=Count("pk"))
    for task, passed, count in rows:
        counts[task][passed] = count
    return counts


def store_task_counts(suite: Suite) -> list[str]:
    """Correct the tasks' counts and rates; one line for each task with one that differed."""
    counts = compute_task_counts(suite)
    wrong = list_task_differences(suite, counts)
    if wrong:
        rows = [Task(pk=pk, **columns) for pk, columns in counts.items()]
        Task.objects.bulk_update(rows, TASK_COUNTS, batch_size=200)
    return wrong


def list_task_differences(
    suite: Suite, counts: dict[int, dict[str, int | float]] | None = None
) -> list[str]:
    """One line for each task of which a stored count or rate is not the right one."""
    right = compute_task_counts(suite) if counts is None else counts
    lines = []
    for task in Task.objects.filter(pk__in=right).order_by("pk"):
        wrong = {name: getattr(task, name) for name in TASK_COUNTS}
        wrong = {name: was for name, was in wrong.items() if was != right[task.pk][name]}
        told = ", ".join(
            f"{name} was {was}, is {right[task.pk][name]}" for name, was in wrong.items()
        )
        lines += [f"task {task.key} of {suite}: {told}"] * bool(wrong)
    return lines
