"""`manage.py prove_suite starter`: the proof table of a suite."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from runner import proving


class Command(BaseCommand):
    help = "Play references, wrong solutions and floor agents of a suite through the real sandbox."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        proving.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        code = proving.run_command(argparse.Namespace(**options))
        if code:
            raise SystemExit(code)
