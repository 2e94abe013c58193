"""Backs the site up into a folder while it runs."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from leaderboard.upkeep.backup import back_up


class Command(BaseCommand):
    help = (
        "Back the site up into FOLDER while it runs: database, files, and a manifest. Given the "
        "same folder again, it copies only new files. Secret keys are never in a backup."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument(
            "--check",
            action="store_true",
            help="also read the files in FOLDER, and copy damaged ones again",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        manifest = back_up(folder, timezone.now(), self.stdout.write, options["check"])
        self.stdout.write(
            f"{folder} is complete. Keep apart from it: the signing key {manifest.signing_key} and "
            f"the field keys {', '.join(manifest.field_keys)} (fingerprints)."
        )
