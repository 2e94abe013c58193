"""The board as of a past day: with the ranks that were kept then, else rates without ranks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from typing import Any

from leaderboard.board.queries import latest_of_each, light, load_rows
from leaderboard.board.rows import Board, BoardRow, Tally
from leaderboard.models import BoardSnapshot, Run, Standing, Suite, unpack
from leaderboard.snapshots.facet_ranks import numbers_in
from leaderboard.suites.seasons import Season

MAX_UNKEPT = 200  # runs without kept ranks, newest first
PLACE = ("rank", "rank_low", "rank_high")


@dataclass(frozen=True)
class PastBoard:
    """A board as of a day, and in words where its ranks are from."""

    board: Board
    sentence: str
    kept: BoardSnapshot | None = None  # with the ranks

    @property
    def has_older_ranges(self) -> bool:
        return self.kept is not None and not self.kept.is_by_leads


def load_past(suite: Suite, task_count: int, season: Season, day: date) -> PastBoard:
    """Runs that had ended by the end of `day` in UTC and can still be read. Six queries."""
    end = datetime.combine(day, time.max, tzinfo=UTC)
    ended = Run.objects.on_board().filter(suite=suite, seed=season.seed, finished_at__lte=end)
    kept = BoardSnapshot.objects.filter(suite=suite, season=season.number, day__lte=day).first()
    if kept is None:
        return load_unkept(ended, suite, task_count, day)
    records = {record["run"]: record for record in unpack(kept.body) or ()}
    counted = {pk for record in records.values() for pk in numbers_in(record)}
    shown = set(ended.filter(pk__in=counted).values_list("pk", flat=True))
    found = load_rows(list(light(ended.filter(pk__in=records))), suite, task_count)
    rows = [as_kept(row, records[row.run.pk], shown) for row in found]
    groups: dict[str, list[BoardRow]] = {
        "ranked": [], "unranked": [], "scripted": [], "human": [],
    }  # fmt: skip
    for row in rows:
        groups[records[row.run.pk]["group"]].append(row)
    numbers = tuple(pk for row in rows for pk in row.rated_runs)
    board = Board(
        groups["ranked"],
        groups["scripted"],
        groups["unranked"],
        placed=len(groups["ranked"]),
        version=("past", kept.pk, *numbers),
        people=groups["human"],
    )
    left = kept.rows - len(rows)
    gone = f" {left} row{'s' if left > 1 else ''} left the board since." if left else ""
    by = "" if kept.is_by_leads else ", whose ranges an older method found: too narrow for 95 %"
    sentence = f"The board as of {day}, with the ranks kept on {kept.day}{by}.{gone}"
    return PastBoard(board, sentence, kept)


def as_kept(row: BoardRow, record: Mapping[str, Any], shown: Collection[int]) -> BoardRow:
    """The row with the figures that were kept: an erratum, another run, or another method may have
    changed them since. `shown` are the runs that can still be read."""
    counted = numbers_in(record)
    counts = {name: int(record[name] or 0) for name in ("passed", "failed", "void")}
    total = max(row.tally.total, sum(counts.values()))
    cells = tuple(
        replace(cell, rate=kept_rate(record, category["key"], cell.tasks))
        for cell, category in zip(row.cells, row.run.suite.categories, strict=True)
    )
    return replace(
        row,
        standing=place_of(record),
        runs=tuple(pk for pk in counted if pk in shown) if len(counted) > 1 else (),
        is_unkept=True,
        tally=Tally(**counts, total=total),
        rate=record["ut_strict"],
        low=record["ut_strict_low"],
        high=record["ut_strict_high"],
        cells=cells,
        turns=record["turns"],
        turns_solved=None,  # not kept
    )


def kept_rate(record: Mapping[str, Any], key: str, tasks: int) -> float | None:
    """A category's rate in a kept row, of few tasks by its count."""
    passed = record.get(f"{key}_passed")
    return record.get(key) if passed is None or not tasks else passed / tasks


def load_unkept(ended: Any, suite: Suite, task_count: int, day: date) -> PastBoard:
    """The latest run of each entry, without ranks: none were kept by then."""
    runs = latest_of_each(light(ended)[:MAX_UNKEPT])
    found = load_rows(runs, suite, task_count)
    rows = [replace(row, standing=None, is_unkept=True) for row in found]
    rows.sort(key=lambda row: (-(row.rate or 0.0), row.run.pk))
    models = [row for row in rows if row.run.entry.is_model]
    people = [row for row in rows if row.run.entry.is_human]
    scripted = [row for row in rows if row.run.entry.is_scripted]
    numbers = tuple(row.run.pk for row in rows)
    board = Board([], scripted, models, version=("past", None, *numbers), people=people)
    if not rows:
        return PastBoard(board, f"No run had ended by {day}.")
    return PastBoard(
        board, f"The board as of {day}: rates only, because no ranks are stored for that day."
    )


def place_of(record: Mapping[str, Any]) -> Standing | None:
    if record["group"] != "ranked":
        return None
    place = {name: record[name] for name in PLACE}
    return Standing(
        **place,
        runs=numbers_in(record),
        not_shown=record.get("runs_not_shown") or 0,
        incomplete=record.get("runs_incomplete") or 0,
    )
