"""Asks the workers for missing previews: first pages of PDF files, contents of documents."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from leaderboard.handoff import file_previews


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--again", action="store_true", help="also files that failed before")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["again"]:
            file_previews.forget_tries()
        file_previews.name_kinds()
        attempts = file_previews.attempts_missing(lately=False)
        for pk in attempts:
            file_previews.ask_for_pages(pk)
        self.stdout.write(f"{len(attempts)} attempts with previews to make")
