"""Encrypts every stored endpoint key and extra body again, under the newest of the field keys."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from leaderboard import keys
from leaderboard.models import Draft, Endpoint
from runner.contract import ProblemError


class Command(BaseCommand):
    help = (
        "Put a new Fernet key first in PYBENCH_FIELD_KEYS, keep the old one behind it, restart the "
        "site, run this, then take the old one out."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        rotated, lost = 0, 0
        for rows in (Endpoint.objects, Draft.objects):
            holding = rows.exclude(encrypted_key=b"", encrypted_extra=b"")
            for pk in list(holding.values_list("pk", flat=True)):
                is_rotated = rotate(rows, pk)
                rotated, lost = rotated + is_rotated, lost + (not is_rotated)
        self.stdout.write(f"{rotated} keys are encrypted under the newest field key")
        if lost:
            raise CommandError(
                f"{lost} keys could not be decrypted. Keep the old field keys in "
                "PYBENCH_FIELD_KEYS, or let their owners submit them again."
            )


@transaction.atomic
def rotate(rows: Any, pk: int) -> bool:
    """Whether the key of this row could be read; a row that changes meanwhile is waited for."""
    row = rows.select_for_update().filter(pk=pk).first()
    if row is None:
        return True
    try:
        row.encrypted_key = keys.rotate(row.encrypted_key)
        row.encrypted_extra = keys.rotate(row.encrypted_extra)
    except ProblemError:
        return False
    row.save(update_fields=["encrypted_key", "encrypted_extra"])
    return True
