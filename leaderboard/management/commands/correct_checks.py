"""Begins an erratum: stored results of a suite are judged again by its corrected checks."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from leaderboard.errata.begin import begin_erratum
from leaderboard.models import Ruling
from runner.contract import ProblemError
from runner.suite.reader import load_suite


class Command(BaseCommand):
    help = f"{__doc__} Workers do it while no attempt waits; no model is called."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("suite", help="its folder's name under suites/, or an absolute path")
        parser.add_argument("--reason", required=True, help="what was wrong; it is public")
        parser.add_argument(
            "--dispute", type=int, help="number of the dispute whose last ruling it follows"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        ruling = None
        if options["dispute"] is not None:
            found = Ruling.objects.filter(dispute=options["dispute"])
            ruling = found.select_related("dispute__attempt__task").order_by("-number").first()
            if ruling is None:
                raise CommandError(f"Dispute {options['dispute']} has no ruling.")
        try:
            folder = load_suite(options["suite"], settings.SUITES)
            actor = ruling.name if ruling else ""
            erratum = begin_erratum(folder, options["reason"], ruling, actor)
        except ProblemError as error:
            raise CommandError(error.problem.sentence) from error
        self.stdout.write(
            f"erratum {erratum.pk} on {erratum.suite}: {erratum.rejudgements.count()} stored "
            f"results of {len(erratum.tasks)} tasks wait to be judged again"
        )
