"""Encrypts every stored endpoint key and extra body again, under the newest of the field keys."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from leaderboard.models import Draft, Endpoint, Judge, NoticeWishes, Run
from leaderboard.storage import encryption
from runner.contract import ProblemError


class Command(BaseCommand):
    help = (
        "Put a new Fernet key first in PYBENCH_FIELD_KEYS, keep the old one behind it, restart the "
        "site, run this, then take the old one out."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        rotated, lost = 0, 0
        for rows in (Endpoint.objects, Draft.objects):
            holding = rows.exclude(encrypted_key=b"", encrypted_extra=b"", encrypted_headers=b"")
            for pk in list(holding.values_list("pk", flat=True)):
                is_rotated = rotate(rows, pk)
                rotated, lost = rotated + is_rotated, lost + (not is_rotated)
        secrets: list[tuple[Any, str]] = [
            (NoticeWishes.objects.exclude(encrypted_secret=b""), "encrypted_secret"),
            (Judge.objects.exclude(encrypted_key=b""), "encrypted_key"),
            (Run.objects.exclude(encrypted_new_key=None), "encrypted_new_key"),
        ]
        for holders, field in secrets:
            for pk, secret in holders.values_list("pk", field):
                is_rotated = rotate_secret(holders, pk, field, secret)
                rotated, lost = rotated + is_rotated, lost + (not is_rotated)
        self.stdout.write(f"{rotated} keys are encrypted under the newest field key")
        if lost:
            raise CommandError(
                f"{lost} keys could not be decrypted. Keep the old field keys in "
                "PYBENCH_FIELD_KEYS, or let their owners submit them again."
            )


def rotate_secret(rows: Any, pk: int, field: str, before: bytes) -> bool:
    """Encrypt one secret anew, unless another took its place; False if it is unreadable."""
    try:
        after = encryption.rotate(before)
    except ProblemError:
        return False
    rows.filter(pk=pk, **{field: before}).update(**{field: after})
    return True


@transaction.atomic
def rotate(rows: Any, pk: int) -> bool:
    """Encrypt this row's secrets anew, once no other change is under way; False if they are
    unreadable."""
    row = rows.select_for_update().filter(pk=pk).first()
    if row is None:
        return True
    try:
        row.encrypted_key = encryption.rotate(row.encrypted_key)
        row.encrypted_extra = encryption.rotate(row.encrypted_extra)
        row.encrypted_headers = encryption.rotate(row.encrypted_headers)
    except ProblemError:
        return False
    row.save(update_fields=["encrypted_key", "encrypted_extra", "encrypted_headers"])
    return True
