"""`manage.py prove_suite starter`: the proof table of a suite."""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from leaderboard.suites.health import ship
from runner.contract import ProblemError
from runner.proof import command
from runner.suite.proof_file import SHIPPED
from runner.suite.reader import load_suite


class Command(BaseCommand):
    help = "Play a suite's references, wrong solutions and do-nothing agents in the real sandbox."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        command.add_arguments(parser)
        parser.add_argument(
            "--ship",
            action="store_true",
            help="write the proof to the suite's folder when it passes",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["ship"] and options["tasks"]:
            raise CommandError("A proof that ships is of the whole suite: leave --tasks out.")
        with tempfile.TemporaryDirectory() as scratch:
            file = options["json"] or Path(scratch) / "proof.json"
            if options["ship"]:
                if options["resume"] and not options["json"]:
                    with contextlib.suppress(ProblemError, FileNotFoundError):
                        shutil.copyfile(load_suite(options["suite"]).folder / SHIPPED, file)
                options["json"] = file
            code = command.run_command(argparse.Namespace(**options))
            if code:
                raise SystemExit(code)
            if options["ship"]:
                suite = load_suite(options["suite"])
                is_imported = any(task.material for task in suite.tasks)
                path = ship(suite.folder, json.loads(file.read_text("utf-8")), is_imported)
                self.stdout.write(f"written: {path}")
