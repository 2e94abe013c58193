"""Asks the workers for the missing pictures of PDF files' first pages."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from leaderboard import pdf_pages
from leaderboard.handoff import ask_for_pages


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--again", action="store_true", help="also PDFs that failed before")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["again"]:
            pdf_pages.forget_tries()
        attempts = pdf_pages.attempts_missing(lately=False)
        for pk in attempts:
            ask_for_pages(pk)
        self.stdout.write(f"{len(attempts)} attempts with pages to draw")
