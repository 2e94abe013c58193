"""One window of aligned rows as markup: drawn within a budget, and kept for who reads it next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from leaderboard.models import Artifact, Attempt
from leaderboard.rendering.budget import page_budget
from leaderboard.replay.assertions import AssertionRow, read_assertions
from leaderboard.replay.files import Gallery
from leaderboard.replay.step_windows import WINDOW_STEPS, address_of_step, load_window
from leaderboard.replay.story import StepCard, tell_steps
from leaderboard.storage.blobs import read_head

if TYPE_CHECKING:
    from leaderboard.side_by_side.rows import AlignedRow, Alignment

MAX_MARKS = 160  # of the overview: a mark stands for several rows of a longer one
MAX_INPUTS = 40


@dataclass(frozen=True)
class StepPlace:
    """One attempt's place in a row: its step, or nothing."""

    letter: str  # of the attempt
    name: str
    address: str = ""  # of the step in its replay
    card: StepCard | None = None
    raw: str = ""


@dataclass(frozen=True)
class DrawnRow:
    row: AlignedRow
    places: tuple[StepPlace, ...]


@dataclass(frozen=True)
class OverviewMark:
    """One or several rows, in the overview: named by the one that differs most."""

    first: int
    last: int
    row: AlignedRow


@dataclass(frozen=True)
class AssertionLine:
    """An assertion of the check, with what came of it in each attempt."""

    name: str
    file: str
    results: tuple[AssertionRow | None, ...]

    @property
    def differs(self) -> bool:
        return len({result.passed if result else None for result in self.results}) > 1


def draw_rows(
    attempts: Sequence[Attempt],
    names: Sequence[str],
    rows: Sequence[AlignedRow],
    folded: int = 0,
) -> SafeString:
    """Draw `rows`, no more than WINDOW_STEPS, the first `folded` of them in a closed fold.

    Costs some seven queries an attempt.
    """
    with page_budget(attempts[0].raw_address):
        cards = [
            load_cards(attempt, [index for row in rows if (index := row.steps[place])])
            for place, attempt in enumerate(attempts)
        ]
        drawn = [
            DrawnRow(
                row,
                tuple(
                    place_of(attempt, letter, name, cards[at].get(row.steps[at] or 0))
                    for at, (attempt, letter, name) in enumerate(
                        zip(attempts, "ABCD", names, strict=False)
                    )
                ),
            )
            for row in rows
        ]
        context = {"folded": drawn[:folded], "rows": drawn[folded:]}
        return SafeString(render_to_string("side_by_side/_rows.html", context))


def load_cards(attempt: Attempt, indexes: Sequence[int]) -> dict[int, StepCard]:
    """Cards of consecutive steps, by index."""
    if not indexes:
        return {}
    window = load_window(attempt, attempt.counted_try, indexes[0])
    inputs = attempt.artifacts.select_related("blob").filter(
        try_number=attempt.counted_try, role=Artifact.Role.INPUT
    )
    cards = tell_steps(window, list(inputs[:MAX_INPUTS]), Gallery(read_head))
    return {card.index: card for card in cards if card.index <= indexes[-1]}


def place_of(attempt: Attempt, letter: str, name: str, card: StepCard | None) -> StepPlace:
    if card is None:
        return StepPlace(letter, name)
    return StepPlace(letter, name, address_of_step(attempt, card.index), card, attempt.raw_address)


def window_of(alignment: Alignment, first: int) -> tuple[AlignedRow, ...]:
    return alignment.rows[first - 1 : first - 1 + WINDOW_STEPS]


def make_marks(alignment: Alignment) -> list[OverviewMark]:
    """The overview of all rows, in at most MAX_MARKS marks."""
    rows = alignment.rows
    size = max(1, -(-len(rows) // MAX_MARKS))
    groups = [rows[at : at + size] for at in range(0, len(rows), size)]
    return [
        OverviewMark(group[0].number, group[-1].number, max(group, key=lambda row: row.weight))
        for group in groups
    ]


def compare_assertions(attempts: Sequence[Attempt]) -> list[AssertionLine]:
    """Those on which the attempts differ first, else in the check's order. A query an attempt."""
    found = []
    for attempt in attempts:
        verdict = (
            attempt.verdicts.filter(kind="strict", try_number=attempt.counted_try)
            .order_by("-pk")
            .first()
        )
        found.append({(row.file, row.name): row for row in read_assertions(verdict, {})})
    keys = dict.fromkeys(key for rows in found for key in rows)
    lines = [
        AssertionLine(name, file, tuple(rows.get((file, name)) for rows in found))
        for file, name in keys
    ]
    return sorted(lines, key=lambda line: not line.differs)
