"""Brings in recorded trajectories of PyBench jsonl: shown beside runs, and never judged.

With --re-execute a run is queued that plays their code again here and judges what it leaves.
"""

from __future__ import annotations

import hashlib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.models import Import
from leaderboard.trajectories.import_file import Names, import_file, imported_by_us, names_for
from leaderboard.uploads.execute import find_executable, queue_execution
from runner.contract import ProblemError


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--entry", default="", help="name of the model, if not the file's")
        parser.add_argument("--suite", default="", help="name of the suite, if not the file's")
        parser.add_argument("--private", action="store_true", help="keep the run private")
        parser.add_argument(
            "--re-execute",
            metavar="SUITE",
            nargs="?",
            const="pybench",
            default="",
            help="queue a run of the recorded code on the inputs of this suite (pybench)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        names = names_for(file.name, options["suite"], options["entry"])
        try:
            imported = self.import_or_find(file.read_bytes(), names, options)
            if options["re_execute"]:
                self.re_execute(imported, options["re_execute"])
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        except ProblemError as error:
            raise CommandError(error.problem.sentence) from error

    def import_or_find(self, data: bytes, names: Names, options: dict[str, Any]) -> Import:
        """Import the file; one that is here already may still be played again."""
        known = imported_by_us().filter(blob=hashlib.sha256(data).hexdigest())
        if options["re_execute"] and known.exists():
            return known.latest("pk")
        imported = import_file(data, names, is_public=not options["private"])
        for refused in imported.report["errors"]:
            self.stderr.write(f"line {refused['line']}: {refused['reason']}")
        taken, total = imported.report["rows"], imported.report["rows"] + imported.report["refused"]
        self.stdout.write(f"run {imported.run_id}: {taken} of {total} attempts imported")
        return imported

    def re_execute(self, imported: Import, suite: str) -> None:
        run = imported.run
        found = find_executable(run, suite) if run else None
        if run is None or found is None:
            raise CommandError(
                f"Suite {suite} has no task of the file that can be played here. Install the suite "
                "that the file was recorded on, then try again."
            )
        executed = queue_execution(run, found, None)
        self.stdout.write(
            f"run {executed.pk}: {executed.attempts.count()} of {run.attempts.count()} attempts "
            f"are queued to be played again on {executed.suite}"
        )
