"""Runs the tests that PyBench was published with over finished runs: UT paper beside UT strict."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.models import Run
from leaderboard.trajectories.published_tests import score_run
from runner.contract import ProblemError


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("runs", nargs="+", type=int, help="numbers of runs")
        parser.add_argument(
            "--from",
            dest="checkout",
            type=Path,
            default=os.environ.get("PYBENCH_UPSTREAM"),
            help="a full checkout with data/unit_test/tests.py (default: PYBENCH_UPSTREAM)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["checkout"] is None:
            raise CommandError("Say where the checkout is: --from PATH, or PYBENCH_UPSTREAM.")
        for pk in options["runs"]:
            run = Run.objects.filter(pk=pk).first()
            if run is None:
                raise CommandError(f"There is no run {pk}.")
            try:
                score_run(run, Path(options["checkout"]).resolve())
            except ProblemError as error:
                raise CommandError(error.problem.sentence) from error
            told = run.paper
            self.stdout.write(f"run {pk}: {told['passed']} of {told['tests']} tests passed")
