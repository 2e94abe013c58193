"""Stores what `prove_suite SUITE --json FILE` wrote, for the suite's health page."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.models import Suite
from leaderboard.suites.health import store
from runner.contract import ProblemError


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        try:
            facts = json.loads(file.read_text("utf-8"))
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        except ValueError as error:
            raise CommandError(f"{file} is not valid JSON: {error}.") from error
        name = str(facts.get("suite", "")) if isinstance(facts, dict) else ""
        digest = str(facts.get("digest", "")) if isinstance(facts, dict) else ""
        suites = Suite.objects.filter(name=name).order_by("-pk")
        suite = suites.filter(digest=digest).first() or suites.first()
        if suite is None:
            raise CommandError(f"The file is of suite “{name}”, which is not installed here.")
        try:
            store(suite, facts)
        except ProblemError as error:
            raise CommandError(error.problem.sentence) from error
        self.stdout.write(f"{suite}: {len(facts['proofs'])} proofs stored")
