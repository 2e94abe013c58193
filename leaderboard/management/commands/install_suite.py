"""Reads a suite's folder into rows, so that runs can be started on it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from leaderboard.suites.health import store_shipped
from leaderboard.suites.install import install
from runner.contract import ProblemError
from runner.suite.reader import load_suite


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite", help="its folder's name under suites/, or an absolute path")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            suite = load_suite(options["suite"], settings.SUITES)
        except ProblemError as error:
            raise CommandError(error.problem.sentence) from error
        installed = install(suite)
        store_shipped(installed.suite, suite.folder)
        self.stdout.write(f"{installed.suite} {installed.what}: {len(suite.tasks)} tasks")
