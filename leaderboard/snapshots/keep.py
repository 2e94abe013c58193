"""Keeps each suite's board once a day on which it changed."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from leaderboard.ledger.acts import enter_snapshot
from leaderboard.ledger.entries import read_head
from leaderboard.models import BoardSnapshot, Suite, pack
from leaderboard.suites.seasons import list_seasons

NAMES = ("entry", "organisation")  # are looked up when a snapshot is read


def keep_snapshots() -> int:
    """Keep the boards that changed and are placed; how many. One query where none did."""
    known = BoardSnapshot.objects.filter(
        suite=OuterRef("pk"), seed=OuterRef("seed"), changes=OuterRef("changes")
    )
    placed = Suite.objects.filter(is_recorded=False, placed_changes=F("changes"))
    due = list(placed.exclude(Exists(known)).order_by("pk"))
    for suite in due:
        keep(suite)
    return len(due)


@transaction.atomic
def keep(suite: Suite) -> BoardSnapshot:
    """The board of the season under way, as today's snapshot."""
    # Never in a process that keeps no board.
    from leaderboard.board.queries import load_board
    from leaderboard.board.records import list_records

    records = list_records(load_board(suite, suite.tasks.count()))
    nameless = [{**record, **dict.fromkeys(NAMES)} for record in records]
    end = read_head()
    snapshot, _ = BoardSnapshot.objects.update_or_create(
        suite=suite,
        season=list_seasons(suite)[0].number,
        day=timezone.now().date(),
        defaults={
            "seed": suite.seed,
            "changes": suite.changes,
            "rows": len(nameless),
            "body": pack(nameless),
            "facet_places": b"",
            "ranked_changes": 0,
            "is_by_leads": True,
            "ledger_number": end.number,
            "ledger_chain": end.digest,
        },
    )
    enter_snapshot(snapshot)
    return snapshot
