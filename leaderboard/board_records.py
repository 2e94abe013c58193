"""The board as plain records, for programs: the same rows that the page shows."""

from __future__ import annotations

from collections.abc import Iterable

from leaderboard.board import Board, BoardRow

Record = dict[str, str | int | float | None]

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def list_records(board: Board) -> list[Record]:
    """Ranked rows first, then those without a place, then scripted baselines."""
    groups = (("ranked", board.ranked), ("unranked", board.unranked), ("scripted", board.scripted))
    return [make_record(group, row) for group, rows in groups for row in rows]


def make_record(group: str, row: BoardRow) -> Record:
    """One row. Rates are shares of 1; what is unknown is None."""
    entry, is_complete = row.run.entry, row.tally.is_complete
    record: Record = {
        "group": group,
        "rank": row.rank,
        "rank_low": row.standing.rank_low if row.standing else None,
        "rank_high": row.standing.rank_high if row.standing else None,
        "tie_group": row.standing.group if row.standing else None,
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
        "turns": row.turns,
        "tokens": row.tokens,
        "time_s": row.wall_s,
    }
    for category, cell in zip(row.run.suite.categories, row.cells, strict=True):
        record[category["key"]] = cell.rate if is_complete else None
        record[f"{category['key']}_tasks"] = cell.tasks
    return record


def guard_formulas(records: Iterable[Record]) -> list[Record]:
    """Text that a spreadsheet would run as a formula is quoted; names come from strangers."""
    return [{key: guard(value) for key, value in record.items()} for record in records]


def guard(value: str | int | float | None) -> str | int | float | None:
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return f"'{value}"
    return value
