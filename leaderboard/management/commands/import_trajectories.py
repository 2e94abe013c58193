"""Brings in recorded trajectories of PyBench jsonl: shown beside runs, never judged or ranked."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.importing import import_file, names_for
from runner.contract import ProblemError


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--entry", default="", help="name of the entry, if not the file's")
        parser.add_argument("--suite", default="", help="name of the suite, if not the file's")
        parser.add_argument("--private", action="store_true", help="show the run to nobody")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        names = names_for(file.name, options["suite"], options["entry"])
        try:
            imported = import_file(file.read_bytes(), names, is_public=not options["private"])
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        except ProblemError as error:
            raise CommandError(error.problem.sentence) from error
        for refused in imported.report["errors"]:
            self.stderr.write(f"line {refused['line']}: {refused['reason']}")
        taken, total = imported.report["rows"], imported.report["rows"] + imported.report["refused"]
        self.stdout.write(f"run {imported.run_id}: {taken} of {total} attempts imported")
