"""Queues a judge's verdicts on every complete run of a suite's board."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.judge.actions import judge_board
from leaderboard.management.commands.judge_run import (
    add_judge_arguments,
    ceiling_in,
    describe,
    find_judge,
)
from leaderboard.models import Suite
from runner.contract import ProblemError


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite", help="name of an installed suite")
        add_judge_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        judge = find_judge(options["judge"])
        suite = Suite.objects.filter(name=options["suite"]).order_by("installed_at").last()
        if suite is None:
            raise CommandError(f"Suite “{options['suite']}” is not installed.")
        try:
            for judging in judge_board(judge, suite, ceiling=ceiling_in(options)):
                self.stdout.write(describe(judging))
        except ProblemError as error:
            raise CommandError(error.problem.sentence) from error
