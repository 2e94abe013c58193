"""Imports the paper's tasks and files from a checkout, and installs them as the suite “pybench”."""

from __future__ import annotations

import os
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from leaderboard.suites.install import install
from runner.contract import ProblemError
from runner.suite import git_checkout, upstream
from runner.suite.reader import load_suite


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--from",
            dest="source",
            default="",
            help="a checkout's folder or a git address (default: PYBENCH_UPSTREAM, then the "
            "public repository)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        given = options["source"] or os.environ.get("PYBENCH_UPSTREAM") or git_checkout.PUBLIC
        try:
            checkout = import_from(given)
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


def import_from(given: str) -> upstream.Checkout:
    """Import a folder as it is, or a repository's data folder by way of a scratch clone."""
    folder = Path(given)
    if folder.is_dir():
        return upstream.import_checkout(folder)[1]
    with tempfile.TemporaryDirectory(prefix="checkout-") as scratch:
        clone = Path(scratch) / "PyBench"
        commit = git_checkout.fetch(given, clone)
        source = {"address": given, "commit": commit}
        return upstream.import_checkout(clone, source=source)[1]
