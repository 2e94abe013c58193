"""Computes the failure tags and the searched text of attempts again, and reports what differed."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from leaderboard.failures.tagging import conclude
from leaderboard.failures.tags import TAGS_VERSION
from leaderboard.models import Attempt
from runner.contract import Status

CHUNK = 500


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--run", type=int, help="only this run's attempts")
        parser.add_argument(
            "--stale", action="store_true", help="only attempts without text or with older tags"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = Attempt.objects.filter(status=Status.DONE).order_by("pk")
        if options["run"]:
            chosen = chosen.filter(run=options["run"])
        count = changed = 0
        for pk in chosen.values_list("pk", flat=True).iterator(CHUNK):
            before = tags_of_row(pk)
            if options["stale"] and not is_stale(pk, before):
                continue
            conclude(pk)
            count += 1
            changed += before != tags_of_row(pk)
        self.stdout.write(f"{count} attempts retagged, {changed} with tags that differ")


def tags_of_row(attempt_id: int) -> list[tuple[str, str]]:
    attempt = Attempt.objects.only("pk").get(pk=attempt_id)
    return list(attempt.tags.values_list("tag", "version"))


def is_stale(attempt_id: int, tags: list[tuple[str, str]]) -> bool:
    has_text = Attempt.objects.filter(pk=attempt_id, text__isnull=False).exists()
    return not has_text or any(version != str(TAGS_VERSION) for _, version in tags)
