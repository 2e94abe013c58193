"""Ranks on the tasks of facet values with at least 20, kept with a day's board by the sweep.

They are computed after the board was kept, a snapshot at a time and for a bounded time in each
sweep: what is missing is computed in the next.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import F

from leaderboard.models import BoardSnapshot, Standing, Suite, pack, unpack
from leaderboard.scoring.standings import count_attempts, load_entry_means, place_table
from leaderboard.suites.task_facets import FACETS, values_of
from runner.run_figures import LEAST_TASKS

MAX_VALUES = 12  # of a facet, the most frequent
MAX_VISITED = 3  # snapshots without an end in one sweep
BUDGET_S = 2.0  # for all of a sweep; at least one value is ranked

COLUMNS = ("rank", "rank_low", "rank_high")

Places = dict[str, dict[str, list[list[int]]]]  # by facet and value: run and COLUMNS


def keep_facet_ranks(budget_s: float = BUDGET_S) -> int:
    """Rank the runs of kept boards by facet, the newest first; how many values were ranked.

    One query where nothing is missing.
    """
    until_s = time.monotonic() + budget_s
    missing = BoardSnapshot.objects.exclude(ranked_changes=F("changes")).select_related("suite")
    ranked = 0
    for snapshot in missing[:MAX_VISITED]:
        ranked += rank_values(snapshot, until_s)
        if time.monotonic() >= until_s:
            break
    return ranked


def rank_values(snapshot: BoardSnapshot, until_s: float) -> int:
    """Rank its runs on the values that are missing, until the time is over."""
    stored: Places = unpack(snapshot.facet_places) if snapshot.facet_places else {}
    ranked_rows = [row for row in unpack(snapshot.body) or () if row["group"] == "ranked"]
    runs = {row["run"]: numbers_in(row) for row in ranked_rows}
    means = load_entry_means(runs) if runs else {}
    attempts = count_attempts(runs)
    places_of = task_places(snapshot.suite)
    tasks = sum(1 for _ in snapshot.suite.tasks.values_list("pk"))
    # A run that was deleted since, or that has other tasks, has no place among the others.
    complete = {run: row for run, row in means.items() if len(row) == tasks}
    done = 0
    for facet, value in missing_values(snapshot.suite, stored):
        if done and time.monotonic() >= until_s:
            break
        tasks_of = places_of[facet, value]
        ranked_runs = complete if len(tasks_of) >= LEAST_TASKS else {}
        table = {run: [row[n] for n in tasks_of] for run, row in ranked_runs.items()}
        stored.setdefault(facet, {})[value] = [
            [run, *(getattr(place, name) for name in COLUMNS)]
            for run, place in (place_table(table, attempts) if table else {}).items()
        ]
        done += 1
    is_done = not [*missing_values(snapshot.suite, stored)]
    # A board that was kept anew meanwhile is ranked anew.
    BoardSnapshot.objects.filter(pk=snapshot.pk, changes=snapshot.changes).update(
        facet_places=pack(stored), **({"ranked_changes": F("changes")} if is_done else {})
    )
    return done


def numbers_in(row: Mapping[str, Any]) -> list[int]:
    """The runs that a kept row is the mean of: its own, in rows of before there were several."""
    return [int(number) for number in str(row.get("run_ids") or row["run"]).split()]


def missing_values(suite: Suite, stored: Places) -> Iterator[tuple[str, str]]:
    for facet in FACETS:
        for value in [*suite.facets.get(facet, {})][:MAX_VALUES]:
            if value not in stored.get(facet, {}):
                yield facet, value


def task_places(suite: Suite) -> Mapping[tuple[str, str], Sequence[int]]:
    """By facet and value the places of its tasks among all, in the order of `load_entry_means`."""
    found: dict[tuple[str, str], list[int]] = {}
    tasks = suite.tasks.only("inputs", "outputs", "skills", "suite").order_by("pk")
    for place, task in enumerate(tasks):
        for facet in FACETS:
            for value in values_of(task, facet):
                found.setdefault((facet, value), []).append(place)
    return found


def read_facet_ranks(
    snapshot: BoardSnapshot | None, chosen: Mapping[str, str]
) -> dict[int, Standing]:
    """By run its place on the tasks of the one chosen value; {} where none are kept."""
    wanted = [(facet, value) for facet, value in chosen.items() if facet in FACETS]
    if snapshot is None or len(wanted) != 1 or not snapshot.facet_places:
        return {}
    [(facet, value)] = wanted
    stored: Any = unpack(snapshot.facet_places)
    rows = stored.get(facet, {}).get(value, [])
    # An older version kept a further number.
    return {run: Standing(**dict(zip(COLUMNS, place, strict=False))) for run, *place in rows}


def find_current(suite: Suite, season: int, has_ended: bool) -> BoardSnapshot | None:
    """The kept board that is the season's present one; None while it is yet to be kept."""
    kept = BoardSnapshot.objects.filter(suite=suite, season=season).defer("body")
    return (kept if has_ended else kept.filter(changes=suite.changes)).first()
