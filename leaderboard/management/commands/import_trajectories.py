"""Brings in recorded trajectories of PyBench jsonl: shown beside runs, and never judged.

With --re-execute their code is played again here, and what it leaves is judged.
"""

from __future__ import annotations

import hashlib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.models import Import
from leaderboard.trajectories.import_file import Names, import_file, imported_by_us, names_for
from leaderboard.trajectories.reexecute import re_execute
from runner.contract import ProblemError
from runner.recorded_attempt import Replayed


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--entry", default="", help="name of the entry, if not the file's")
        parser.add_argument("--suite", default="", help="name of the suite, if not the file's")
        parser.add_argument("--private", action="store_true", help="keep the run private")
        parser.add_argument(
            "--re-execute",
            metavar="SUITE",
            nargs="?",
            const="pybench",
            default="",
            help="play the recorded code again on the inputs of this suite (pybench), and judge it",
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
        def show(one: Replayed) -> None:
            told = one.problem or (one.verdict.sentence if one.verdict else "")
            key = one.recording.task.spec.key
            self.stdout.write(f"{key}: {one.same} of {one.played} observations as before. {told}")

        run, matched = re_execute(imported, suite, show)
        for line in matched.refused:
            self.stderr.write(line)
        passed = run.attempts.filter(passed=True).count()
        self.stdout.write(
            f"run {run.pk}: {len(matched.rows)} attempts played again, {passed} pass, "
            f"{run.environment['observations as recorded']} observations as recorded"
        )
