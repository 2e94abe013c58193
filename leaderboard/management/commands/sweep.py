"""Takes back expired leases, closes finished runs and sends attempts to workers, once."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from leaderboard.handoff.sweep import sweep_queue


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        swept = sweep_queue()
        self.stdout.write(f"{swept.taken_back} attempts taken back, {swept.closed} runs closed")
