"""Verifies rows against bytes and digests, and figures against recomputation."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.upkeep.backup_folder import find_damage, read_manifest, unchanging
from leaderboard.upkeep.verification import find_faults


class Command(BaseCommand):
    help = "Verify everything that is stored, or a backup; exit with 1 if anything is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--quick", action="store_true", help="compare files by size only")
        parser.add_argument("--backup", type=Path, metavar="FOLDER", help="verify this backup")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path | None = options["backup"]
        if folder:
            with unchanging(folder):
                self.say(find_damage(folder, read_manifest(folder)))
        else:
            self.say(find_faults(digests=not options["quick"]))

    def say(self, found: Iterator[str]) -> None:
        """Print each fault as it is found. Raises CommandError if there was one."""
        faults = 0
        for line in found:
            self.stdout.write(line)
            faults += 1
        if faults:
            raise CommandError(f"{faults} faults found")
        self.stdout.write("no faults found")
