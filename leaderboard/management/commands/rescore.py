"""Judges stored runs again by the current checks, from their stored files and answers."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.models import Run
from leaderboard.trajectories.rescore import rescore
from runner.contract import ProblemError


class Command(BaseCommand):
    help = f"{__doc__} Each becomes a new run on its suite's newest version; no model is asked."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("runs", nargs="+", type=int, help="numbers of runs")

    def handle(self, *args: Any, **options: Any) -> None:
        runs = Run.objects.select_related("suite", "entry").in_bulk(options["runs"])
        for number in options["runs"]:
            if number not in runs:
                raise CommandError(f"There is no run {number}.")
            try:
                again, rescored = rescore(runs[number])
            except ProblemError as error:
                raise CommandError(error.problem.sentence) from error
            changed = [one for one in rescored if one.is_changed]
            for one in changed:
                self.stdout.write(one.line)
            self.stdout.write(
                f"run {number} is run {again.pk} on {again.suite}: {len(changed)} of "
                f"{len(rescored)} verdicts changed"
            )
