"""Refusal to make a new site of a database that a restore left half-way."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.db import connection
from django.db.models.signals import pre_migrate
from django.dispatch import receiver

from leaderboard.upkeep import database_dump


@receiver(pre_migrate)
def refuse_half_restored(using: str, **_: Any) -> None:
    """Raise CommandError before `migrate` fills a database that still waits for its dump."""
    if using != connection.alias or not database_dump.is_marked():
        return
    if database_dump.is_empty():
        raise CommandError(
            "A restore into this site was interrupted: its database is still empty. Run "
            "`manage.py restore FOLDER` again; for a new site instead, put the database aside "
            f"({database_dump.how_to_empty()})."
        )
    database_dump.unmark()  # the dump was loaded, and nothing is missing
