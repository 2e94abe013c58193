"""Removes stored files that no row names any longer."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from leaderboard.upkeep.garbage import GRACE, collect

LEAST_HOURS, MOST_HOURS = 1, 10_000


class Command(BaseCommand):
    help = (
        "Mark stored files that no row names, and remove those marked more than --grace-hours ago. "
        "Run it daily; the site may be running."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only print what would be done")
        hours = GRACE.total_seconds() / 3600
        words = f"hours that a file stays marked before it is removed (default {hours:g})"
        parser.add_argument("--grace-hours", type=float, default=hours, help=words)

    def handle(self, *args: Any, **options: Any) -> None:
        hours = options["grace_hours"]
        if not LEAST_HOURS <= hours <= MOST_HOURS:
            raise CommandError(
                f"Give --grace-hours of {LEAST_HOURS} to {MOST_HOURS:,} hours: a worker may be "
                "about to name what it just stored."
            )
        found = collect(timezone.now(), timedelta(hours=hours), is_dry=options["dry_run"])
        self.stdout.write(
            f"{found.removed} files removed ({found.removed_bytes} bytes), {found.marked} marked, "
            f"{found.kept} in use again, {found.strays} stray files found"
        )
