"""Opens a season of an installed suite: new runs get a new seed and a board of their own."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.models import Suite
from leaderboard.suites.seasons import open_season
from runner.contract import ProblemError


class Command(BaseCommand):
    help = f"{__doc__} The board of the season that ends is kept."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite", help="name of an installed suite; its newest version")
        parser.add_argument("--seed", type=int, help="drawn at random unless given")

    def handle(self, *args: Any, **options: Any) -> None:
        suite = Suite.objects.filter(name=options["suite"]).order_by("installed_at").last()
        if suite is None:
            raise CommandError(f"Suite “{options['suite']}” is not installed here.")
        try:
            season = open_season(suite, options["seed"])
        except ProblemError as error:
            raise CommandError(error.problem.sentence) from error
        self.stdout.write(f"season {season.number} of {suite} is open: seed {season.seed}")
