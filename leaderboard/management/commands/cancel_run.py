"""Cancels a run: queued attempts at once, running ones within seconds; results stay."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.models import Run
from leaderboard.submissions.run_actions import cancel


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", type=int, help="its number")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            run = cancel(options["run"], "cancelled from the shell")
        except Run.DoesNotExist:
            raise CommandError(f"There is no run {options['run']}.") from None
        self.stdout.write(f"run {run.pk} is {run.status}")
