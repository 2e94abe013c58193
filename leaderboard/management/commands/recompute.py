"""Rebuilds every run's figures and rank and the tasks' counts from the attempts, and says what
differed."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from leaderboard.models import Run, Suite
from leaderboard.queue.transitions import touch
from leaderboard.scoring import standings
from leaderboard.scoring.filing import file_runs
from leaderboard.scoring.summaries import summarise
from leaderboard.upkeep.recomputation import find_differences, list_figure_differences


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="only report what differs, as of one moment; exit with 1 if anything does",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["dry_run"]:
            self.say_differences()
            return
        ids = list(Run.objects.order_by("pk").values_list("pk", flat=True))
        changed = sum(self.recompute(pk) for pk in ids)
        self.stdout.write(f"{len(ids)} runs, {changed} with figures that differed")
        while file_runs():  # what waits for the sweep
            pass
        for suite in Suite.objects.order_by("pk"):
            self.place(suite)

    def say_differences(self) -> None:
        """Write nothing. Raises CommandError where anything differs: exit code 1."""
        differences = 0
        for line in find_differences():
            self.stdout.write(line)
            differences += 1
        if differences:
            raise CommandError(f"{differences} figures differ; `manage.py recompute` corrects them")
        self.stdout.write(f"{Run.objects.count()} runs, 0 with figures that differed")

    @transaction.atomic
    def recompute(self, run_id: int) -> bool:
        """Rebuild the run's figures; False if they were right, or the run is gone by now."""
        run = Run.objects.select_for_update().filter(pk=run_id).first()
        found = list_figure_differences(run) if run else []
        for line in found:
            self.stdout.write(line)
        if run and found:
            touch(run_id)
            run.summaries.all().delete()
            summarise(run)
        return bool(found)

    def place(self, suite: Suite) -> None:
        """Place the suite's runs again."""
        places = standings.place_runs(suite)
        found = standings.list_differences(suite, places)
        for line in found:
            self.stdout.write(line)
        if found:
            standings.store(suite, places)
            self.stdout.write(f"{suite}: {len(found)} ranks that differed")
        for line in standings.store_task_counts(suite):
            self.stdout.write(line)
