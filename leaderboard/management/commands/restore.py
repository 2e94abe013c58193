"""Restores a backup into an empty site."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from leaderboard.upkeep.restore import restore


class Command(BaseCommand):
    help = "Restore what `backup FOLDER` wrote into this site, which must be stopped and empty."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        restore(options["folder"], self.stdout.write)
