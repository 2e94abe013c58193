"""Loads prices of models into the price book: from a file, or those that the release brings."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.money import price_book
from runner.contract import ProblemError


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            type=Path,
            help="a price file, or LiteLLM's model_prices_and_context_window.json, of which the "
            "models are taken that the book or a run here names",
        )
        parser.add_argument("--date", default="", help="date of LiteLLM's table, as 2026-01-31")
        parser.add_argument("--source", default="", help="name and version of LiteLLM's table")

    def handle(self, *args: Any, **options: Any) -> None:
        path, day, source = options["file"], options["date"], options["source"]
        try:
            loaded = (
                price_book.load_file(path, day=day, source=source)
                if path
                else price_book.load_bundled()
            )
        except ProblemError as error:
            raise CommandError(error.problem.sentence) from error
        self.stdout.write(
            f"{len(loaded.added)} prices added, {len(loaded.corrected)} corrected, "
            f"{loaded.unchanged} were there"
        )
