"""Registers the scripted baselines and queues each one's first run on a suite."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction

from leaderboard.models import Endpoint, Entry, Run, Suite
from leaderboard.models.querysets import OPEN
from leaderboard.submissions.run_actions import start
from runner.scripted.replies import DESCRIPTIONS

NAMES = {
    "reference": "Reference solutions",
    "clumsy": "Clumsy",
    "confident-liar": "Confident liar",
    "empty-file": "Empty file",
    "keyword-stuffer": "Keyword stuffer",
    "silent": "Silent",
    "junk-file": "Junk files",
    "copy-the-input": "Copied inputs",
    "stuffer-with-junk": "Keyword stuffer with junk files",
    "keyword-salad": "Keyword salad",
}


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite")
        parser.add_argument(
            "--port",
            type=int,
            default=settings.SCRIPTED_PORT,
            help="port of the scripted endpoints (default: PYBENCH_SCRIPTED_PORT)",
        )
        parser.add_argument(
            "--move",
            action="store_true",
            help="let running runs call that port too; no worker may be playing them",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        suite = Suite.objects.filter(name=options["suite"]).latest("installed_at")
        for model, name in NAMES.items():
            base_url = f"http://127.0.0.1:{options['port']}/v1"
            entry = register(model, name, base_url, is_moved=options["move"])
            if not Run.objects.filter(entry=entry, suite=suite).exists():
                run = start(entry, suite)
                self.stdout.write(f"queued {name} as run {run.pk}")


@transaction.atomic
def register(model: str, name: str, base_url: str, *, is_moved: bool = False) -> Entry:
    """The entry of a scripted model, with `base_url` from now on unless a run is under way.

    `is_moved`: then too.
    """
    entry, _ = Entry.objects.update_or_create(
        slug=f"scripted-{model}",
        defaults={
            "name": name,
            "model_name": model,
            "provenance": Entry.Provenance.SCRIPTED,
            "description": DESCRIPTIONS[model],
        },
    )
    if is_moved or not entry.runs.filter(status__in=OPEN).exists():
        Endpoint.objects.update_or_create(entry=entry, defaults={"base_url": base_url})
    return entry
