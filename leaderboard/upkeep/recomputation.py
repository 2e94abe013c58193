"""Differences between the figures that are kept as rows and what the attempts say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from math import isclose
from typing import Any

from django.db.models import F

from leaderboard.models import Run, RunSummary, Suite
from leaderboard.models.querysets import OVER
from leaderboard.scoring import standings
from leaderboard.scoring.figures import Counts
from leaderboard.scoring.summaries import counts_of, stored_figures
from leaderboard.scoring.usage import read_usage
from leaderboard.upkeep.one_moment import one_moment


def find_differences() -> Iterator[str]:
    """One line for each difference, as of one moment; what waits for the sweep is none.

    The lines of a run's figures begin with its number. Writes nothing and holds nobody up.
    """
    with one_moment():
        for pk in list(Run.objects.order_by("pk").values_list("pk", flat=True)):
            yield from list_figure_differences(Run.objects.get(pk=pk))
        for suite in list_placed_suites():
            yield from standings.list_differences(suite, standings.place_runs(suite))
            yield from standings.list_task_differences(suite)


def list_placed_suites() -> list[Suite]:
    """Suites that were placed since the last of their runs changed."""
    unfiled = Run.objects.filter(is_filed=False, status__in=OVER).values("suite")
    placed = Suite.objects.filter(placed_changes=F("changes"))
    return list(placed.exclude(pk__in=unfiled).order_by("pk"))


def list_figure_differences(run: Run) -> list[str]:
    """One line for each figure of the run whose row does not say what the attempts say."""
    return list(find_figure_differences(run))


def find_figure_differences(run: Run) -> Iterator[str]:
    stored, counts = stored_figures(run), counts_of(run)
    right = {category: each.figures() for category, each in counts.items()}
    kept = {row.category: row for row in run.summaries.all()}
    for category in sorted(stored.keys() | right.keys()):
        where = f"run {run.pk} {category or 'overall'}"
        if category not in stored or category not in right:
            yield f"{where}: {'missing' if category in right else 'superfluous'}"
            continue
        old, new = asdict(stored[category]), asdict(right[category])
        yield from find_count_differences(where, kept[category], counts[category])
        for name in old:
            if old[name] != new[name] and not is_rounding(name, old[name], new[name]):
                yield f"{where}: {name} was {old[name]}, is {new[name]}"


def find_count_differences(where: str, kept: RunSummary, right: Counts) -> Iterator[str]:
    """The whole numbers that figures and costs are made of, where the row has others."""
    try:
        counts = Counts.of_json(kept.counts, right.usage) if kept.counts else right
        usage = read_usage(kept.usage)
    except (AttributeError, KeyError, TypeError, ValueError):
        yield f"{where}: counts or usage cannot be read"
        return
    if counts != right:
        yield f"{where}: counts were {kept.counts}, are {right.as_json()}"
    if usage != right.usage:
        yield f"{where}: usage was {kept.usage}, is {right.usage.as_json()}"


def is_rounding(name: str, old: Any, new: Any) -> bool:
    """True for sums and shares that were only added up in another order."""
    if not (isinstance(old, float) and isinstance(new, float)):
        return False
    return isclose(old, new, rel_tol=1e-9, abs_tol=1e-3 if name.endswith("_s") else 1e-9)
