"""Answers kept under a request's Idempotency-Key: written once, forgotten after a day."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from django.db import IntegrityError, OperationalError, transaction

from leaderboard.models import KeptAnswer
from leaderboard.queue import clock

KEPT_FOR = timedelta(hours=24)
MAX_KEPT = 200  # of one account; the oldest go first

T = TypeVar("T")


@dataclass(frozen=True)
class SavedAnswer:
    """An answer as it was sent."""

    status: int
    location: str
    body: bytes


def find(user_id: int, key: str) -> KeptAnswer | None:
    """What is kept under the key. Without a status its request is under way."""
    rows = KeptAnswer.objects.filter(user_id=user_id, key=key)
    return rows.filter(created_at__gte=clock.now() - KEPT_FOR).first()


def read(kept: KeptAnswer) -> SavedAnswer:
    return SavedAnswer(kept.status, kept.location, zlib.decompress(bytes(kept.body)))


@transaction.atomic
def act_once(
    user_id: int, key: str, request_digest: str, act: Callable[[], tuple[T, SavedAnswer]]
) -> T | None:
    """Do `act` and keep its answer, both or neither; None if another request has the key.

    Where another one is under way this waits for its end: the database takes one row with the key.
    """
    KeptAnswer.objects.filter(
        user_id=user_id, key=key, created_at__lt=clock.now() - KEPT_FOR
    ).delete()
    try:
        with transaction.atomic():
            kept = KeptAnswer.objects.create(
                user_id=user_id, key=key, request_digest=request_digest, created_at=clock.now()
            )
    except (IntegrityError, OperationalError):  # it is there, or did not end in time
        return None
    result, answer = act()
    kept.status, kept.location = answer.status, answer.location
    kept.body = zlib.compress(answer.body)
    kept.save(update_fields=["status", "location", "body"])
    trim(user_id)
    return result


def trim(user_id: int) -> None:
    """Keep the newest answers of an account."""
    answered = KeptAnswer.objects.filter(user_id=user_id)
    old = list(answered.order_by("-pk").values_list("pk", flat=True)[MAX_KEPT:])
    if old:
        KeptAnswer.objects.filter(pk__in=old).delete()


def forget_old() -> None:
    """Delete answers that are kept no longer."""
    KeptAnswer.objects.filter(created_at__lt=clock.now() - KEPT_FOR).delete()
