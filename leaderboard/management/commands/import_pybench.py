"""Imports the paper's tasks and files from a checkout, and installs them as the suite “pybench”."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from leaderboard.suites.install import install
from runner.contract import ProblemError
from runner.suite import upstream
from runner.suite.reader import load_suite

PUBLIC = "https://github.com/Mercury7353/PyBench"


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--from",
            dest="source",
            default=os.environ.get("PYBENCH_UPSTREAM", ""),
            help="folder of a checkout (default: PYBENCH_UPSTREAM)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["source"]:
            raise CommandError(
                f"No checkout is named. Run `git clone {PUBLIC}`, and give --from PATH."
            )
        try:
            _, checkout = upstream.import_checkout(Path(options["source"]))
            suite = load_suite(upstream.NAME, settings.SUITES)
        except ProblemError as error:
            raise CommandError(error.problem.sentence) from error
        for line in checkout.lines():
            self.stdout.write(line)
        counts = ", ".join(f"{count} {state}" for state, count in checkout.count().items())
        self.stdout.write(f"{len(checkout.tasks)} tasks read: {counts}")
        installed = install(suite)
        self.stdout.write(
            f"{installed.suite} {installed.what}: {len(suite.tasks)} tasks can be played and are "
            f"counted, {len(suite.unavailable)} are listed as unavailable"
        )
