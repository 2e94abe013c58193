"""The first chart of a board as inline SVG: seen without a script, and before the others load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from leaderboard.board.charts import choose_drawn, points_of, say_drawn, stamp_of
from leaderboard.board.rows import Board, BoardRow
from leaderboard.charts.pass_rates import TITLE, draw_plain, say_note
from leaderboard.models import Suite
from leaderboard.process_cache import Shelf


@dataclass(frozen=True)
class FirstChart:
    """The drawing with its words; `sentence` says which runs are drawn."""

    title: str
    note: str
    sentence: str
    plain: SafeString


# Drawn once for all who look, until one of the runs has changed.
FIRST: Shelf[FirstChart] = Shelf(size=50)


def draw_first(suite: Suite, board: Board, *, with_baselines: bool) -> FirstChart | None:
    """Pass rates of the runs that the charts draw; None where no run has a rate. No query."""
    rows = choose_drawn(board, with_baselines=with_baselines)
    if not rows:
        return None
    sentence = say_drawn(board, rows)
    return FIRST.get(
        (sentence, *stamp_of(suite, board, rows)),
        lambda: draw_rates(rows, sentence),
        lambda known: True,
    )


def draw_chosen(rows: Sequence[BoardRow]) -> FirstChart | None:
    """Pass rates of a few runs that the reader chose; None where none has a rate. No query."""
    rated = [row for row in rows if row.is_rated]
    if not rated:
        return None
    sentence = ""
    if len(rated) < len(rows):
        sentence = f"{len(rated)} of these {len(rows)} runs have a verdict on every task."
    return draw_rates(rated, sentence)


def draw_rates(rows: Sequence[BoardRow], sentence: str) -> FirstChart:
    points = points_of(rows)
    return FirstChart(TITLE, say_note(points), sentence, draw_plain(points))
