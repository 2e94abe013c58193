"""Rebuilds every run's figures and place from its attempts, and says what differed."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from leaderboard import standings
from leaderboard.models import Run, Suite
from leaderboard.summaries import figures_of, stored_figures, summarise
from leaderboard.transitions import touch


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only say what differs")

    def handle(self, *args: Any, **options: Any) -> None:
        ids = list(Run.objects.order_by("pk").values_list("pk", flat=True))
        changed = sum(self.recompute(pk, write=not options["dry_run"]) for pk in ids)
        self.stdout.write(f"{len(ids)} runs, {changed} with figures that differed")
        for suite in Suite.objects.order_by("pk"):
            self.place(suite, write=not options["dry_run"])

    @transaction.atomic
    def recompute(self, run_id: int, write: bool) -> bool:
        run = touch(run_id) if write else Run.objects.get(pk=run_id)
        found = list(differences(run))
        for line in found:
            self.stdout.write(line)
        if found and write:
            run.summaries.all().delete()
            summarise(run)
        return bool(found)

    def place(self, suite: Suite, write: bool) -> None:
        """Place the suite's runs again."""
        places = standings.place_runs(suite)
        found = standings.list_differences(suite, places)
        for line in found:
            self.stdout.write(line)
        if found and write:
            standings.store(suite, places)
        if found:
            self.stdout.write(f"{suite}: {len(found)} places that differed")


def differences(run: Run) -> Iterator[str]:
    """One line for each figure whose row does not say what the attempts say."""
    stored, right = stored_figures(run), figures_of(run)
    for category in sorted(stored.keys() | right.keys()):
        where = f"run {run.pk} {category or 'overall'}"
        if category not in stored or category not in right:
            yield f"{where}: {'missing' if category in right else 'superfluous'}"
            continue
        old, new = asdict(stored[category]), asdict(right[category])
        for name in old:
            if old[name] != new[name]:
                yield f"{where}: {name} was {old[name]}, is {new[name]}"
