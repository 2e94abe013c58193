"""Registers the scripted baselines and queues each one's first run on a suite."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from leaderboard.models import Endpoint, Entry, Run, Suite
from leaderboard.submissions import start
from runner.scripted import DESCRIPTIONS

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
}


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite")
        parser.add_argument("--port", type=int, default=8001, help="of the scripted endpoints")

    def handle(self, *args: Any, **options: Any) -> None:
        suite = Suite.objects.filter(name=options["suite"]).latest("installed_at")
        for model, name in NAMES.items():
            entry = register(model, name, f"http://127.0.0.1:{options['port']}/v1")
            if not Run.objects.filter(entry=entry, suite=suite).exists():
                run = start(entry, suite)
                self.stdout.write(f"queued {name} as run {run.pk}")


def register(model: str, name: str, base_url: str) -> Entry:
    """The entry of a scripted model, reached at `base_url` from now on."""
    entry, _ = Entry.objects.update_or_create(
        slug=f"scripted-{model}",
        defaults={
            "name": name,
            "model_name": model,
            "provenance": Entry.Provenance.SCRIPTED,
            "description": DESCRIPTIONS[model],
        },
    )
    Endpoint.objects.update_or_create(entry=entry, defaults={"base_url": base_url})
    return entry
