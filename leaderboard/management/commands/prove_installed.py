"""Proves a suite in its present state, once no run is under way, and stores the proof."""

from __future__ import annotations

import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from leaderboard.models import Run, Suite, SuiteProof
from runner.contract import Status

LOOK_EVERY_S = 5.0


class Command(BaseCommand):
    help = f"{__doc__} Nothing is done when there is one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite")
        parser.add_argument(
            "--jobs", type=int, default=1, help="tasks proved in parallel (default 1)"
        )
        parser.add_argument(
            "--wait-s", type=float, default=0.0, help="seconds to wait for running runs (default 0)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        suite = Suite.objects.filter(name=options["suite"]).order_by("-installed_at").first()
        if suite is None:
            raise CommandError(f"There is no suite “{options['suite']}” here.")
        if SuiteProof.objects.filter(suite=suite, digest=suite.digest).exists():
            self.stdout.write(f"{suite} has a proof already")
            return
        await_quiet(options["wait_s"])
        source = str(Path(settings.SUITES) / suite.name)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "proof.json"
            try:
                call_command("prove_suite", source, jobs=options["jobs"], json=file)
            except SystemExit as end:  # a violated proof is stored like any other
                if not file.is_file():
                    raise CommandError(f"{suite} could not be proved.") from end
            call_command("store_proof", file)


def await_quiet(wait_s: float) -> None:
    """Wait until no run is queued or running. CommandError when that takes too long."""
    deadline = time.monotonic() + wait_s
    while Run.objects.filter(status__in=(Status.QUEUED, Status.RUNNING)).exists():
        if time.monotonic() >= deadline:
            raise CommandError("Runs are in progress; prove the suite when they have ended.")
        connection.close()
        time.sleep(LOOK_EVERY_S)
