"""The board as plain records, for programs: the same rows that the page shows."""

from __future__ import annotations

from leaderboard.board.rows import Board, BoardRow
from leaderboard.models.results import NO_PLACE
from leaderboard.money.cost import CURRENCY, Cost
from leaderboard.scoring.repeats import record_repeats

Record = dict[str, str | int | float | None]


def list_records(board: Board) -> list[Record]:
    """Ranked rows first, then those without a place, scripted baselines and people."""
    groups = (
        ("ranked", board.ranked),
        ("unranked", board.unranked),
        ("scripted", board.scripted),
        ("human", board.people),
    )
    return [make_record(group, row) for group, rows in groups for row in rows]


def make_record(group: str, row: BoardRow) -> Record:
    """One row. Rates are shares of 1, of parts with few tasks None; what is unknown is None."""
    entry, is_complete = row.run.entry, row.tally.is_complete
    record: Record = {
        "group": group,
        **(row.standing.facts if row.standing else NO_PLACE),
        **({"why_unranked": row.why_unranked or None} if row.suite_tasks else {}),
        "runs_counted": len(row.standing.runs) if row.standing else None,
        "runs_not_shown": row.standing.not_shown if row.standing else None,
        "runs_incomplete": row.standing.incomplete if row.standing else None,
        "run_ids": " ".join(map(str, row.standing.runs)) if row.standing else None,
        "rates_of": " ".join(map(str, row.rated_runs)),
        "run": row.run.pk,
        "address": row.run.get_absolute_url(),
        "entry": entry.name,
        "organisation": entry.organisation,
        "size_b": entry.parameters_b,
        "weights": entry.weights,
        "format": entry.action_format,
        "provenance": entry.provenance,
        "date": row.moment.isoformat(timespec="seconds"),
        "status": row.run.status,
        "attempts_per_task": row.run.attempts_per_task,
        "tasks": row.tasks,
        "passed": row.tally.passed,
        "failed": row.tally.failed,
        "void": row.tally.void,
        "ut_strict": row.rate if is_complete else None,
        "ut_strict_low": row.low if is_complete else None,
        "ut_strict_high": row.high if is_complete else None,
        "ut_paper": row.run.paper_rate,
        "ut_paper_tests": row.run.paper.get("tests"),
        **record_unguessed(row),
        **record_part(row),
        **record_repeats(row.repeats),
        "turns": row.turns,
        "tokens": row.tokens,
        "time_s": row.wall_s,
        **record_cost(row.cost),
    }
    for category, cell in zip(row.run.suite.categories, row.cells, strict=True):
        record[category["key"]] = cell.told_rate if is_complete else None
        record[f"{category['key']}_passed"] = cell.passed if is_complete else None
        record[f"{category['key']}_tasks"] = cell.tasks
    return record


def record_unguessed(row: BoardRow) -> Record:
    """The rate without tasks that can be guessed; nothing where the suite marks none."""
    if row.unguessed is None:
        return {}
    return {
        "ut_strict_unguessed": row.unguessed.told_rate if row.tally.is_complete else None,
        "ut_strict_unguessed_passed": row.unguessed.passed if row.tally.is_complete else None,
        "ut_strict_unguessed_tasks": row.unguessed.tasks,
    }


def record_cost(cost: Cost | None) -> Record:
    """Cost with its coverage: attempts that are priced, of those that have a reply."""
    return {
        "cost_per_task": cost.per_task if cost else None,
        "cost_per_solved": cost.per_solved if cost else None,
        "cost_currency": CURRENCY if cost else None,
        "cost_is_at_most": cost.is_at_most if cost else None,
        "priced_attempts": cost.priced if cost else 0,
        "replied_attempts": cost.replied if cost else None,
    }


def record_part(row: BoardRow) -> Record:
    """The rate on the tasks of the facet that was asked for, and its kept rank on them."""
    if row.part is None:
        return {}
    is_rated = row.is_rated and row.part.rate is not None
    place = row.part_standing.facts if row.part_standing else NO_PLACE
    return {
        "part_tasks": row.part.tasks,
        "part_passed": row.part.passed if is_rated else None,
        "part_rate": row.part.told_rate if is_rated else None,
        "part_low": row.part.low if is_rated else None,
        "part_high": row.part.high if is_rated else None,
        **{f"part_{name}": value for name, value in place.items()},
    }
