"""Makes the boards anew from an exported ledger, after verifying its chain."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.evidence.rebuilt_board import (
    list_boards,
    read_ledger,
    read_lines,
)
from runner.contract import ProblemError


class Command(BaseCommand):
    help = f"{__doc__} It reads FILE alone, no row of this site, and prints JSON."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="as /ledger.jsonl gives it")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            with path.open("rb") as file:
                ledger = read_ledger(read_lines(file))
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
        except ProblemError as error:
            raise CommandError(error.problem.sentence) from error
        boards = list(list_boards(ledger))
        found = {
            "head": vars(ledger.head),
            "boards": boards,
        }
        self.stdout.write(json.dumps(found, indent=1))
        self.stderr.write(
            f"{ledger.head.number:,} entries verified, {ledger.withheld:,} of them withheld; "
            f"{len(boards)} boards with {sum(len(one['rows']) for one in boards):,} rows"
        )
