"""Ranked rows of entries with several runs: efforts over all of their attempts together.

Their rates are means of runs, found with the shares of each task (`leaderboard.board.repeats`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from decimal import Decimal

from leaderboard.board.rows import BoardRow, Tally, build_rows
from leaderboard.models import Run, RunSummary
from leaderboard.money.cost import Cost
from leaderboard.money.lookup import with_prices


def join_runs(rows: Sequence[BoardRow]) -> list[BoardRow]:
    """The rows with a place, each joined with the other public runs that its place is the mean of.

    Two queries, and none where each has one run.
    """
    others = {pk for row in rows for pk in runs_of(row) if pk != row.run.pk}
    if not others:
        return [*rows]
    found = with_prices(Run.objects.on_board().filter(pk__in=others).select_related("entry"))
    runs = list(found.defer("environment", "preflight"))
    suites = {row.run.suite_id: row.run.suite for row in rows}
    for run in runs:
        run.suite = suites[run.suite_id]
    by_number = {
        row.run.pk: row for row in build_rows(runs, RunSummary.objects.filter(run__in=runs), {})
    }
    return [join(row, [by_number[pk] for pk in runs_of(row) if pk in by_number]) for row in rows]


def runs_of(row: BoardRow) -> Sequence[int]:
    """Numbers of the runs that the row's place is the mean of; () without a place."""
    return row.standing.runs if row.standing else ()


def join(row: BoardRow, others: Sequence[BoardRow]) -> BoardRow:
    """The row with the attempts of `others` counted in; its rates are yet to be found."""
    if not others:
        return row
    each = [row, *others]
    return replace(
        row,
        runs=tuple(one.run.pk for one in each),
        tally=Tally(**{f.name: sum(getattr(o.tally, f.name) for o in each) for f in fields(Tally)}),
        turns=mean_of([(one.turns, one.tally.decided) for one in each]),
        turns_solved=mean_of([(one.turns_solved, one.tally.passed) for one in each]),
        tokens=mean_of([(one.tokens, one.tally.decided) for one in each]),
        wall_s=mean_of([(one.wall_s, one.tally.decided) for one in each]),
        cost=add_costs([one.cost for one in each]),
    )


def mean_of(weighed: Sequence[tuple[float | None, int]]) -> float | None:
    """The mean of means over so many attempts; None if one that has attempts is unknown."""
    known = [(value, weight) for value, weight in weighed if weight]
    if not known or any(value is None for value, _ in known):
        return None
    total = sum((value or 0.0) * weight for value, weight in known)
    return total / sum(weight for _, weight in known)


def add_costs(costs: Sequence[Cost | None]) -> Cost | None:
    """The cost of all runs; None where one of them is unpriced."""
    known = [cost for cost in costs if cost]
    if len(known) < len(costs):
        return None
    return Cost(
        sum((cost.total for cost in known), Decimal(0)),
        sum(cost.priced for cost in known),
        sum(cost.replied for cost in known),
        sum(cost.solved for cost in known),
        any(cost.is_at_most for cost in known),
    )
