"""Answers kept under a request's Idempotency-Key: claimed, written once, forgotten after a day."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from django.db import IntegrityError, transaction
from django.utils.crypto import get_random_string

from leaderboard.models import KeptAnswer
from leaderboard.queue import clock

KEPT_FOR = timedelta(hours=24)
ABANDONED_AFTER = timedelta(seconds=60)  # then another request may act; only one of them does
MAX_KEPT = 200  # of one account; the oldest go first
CLAIM_CHARS = 32

R = TypeVar("R")
T = TypeVar("T")


@dataclass(frozen=True)
class SavedAnswer:
    """An answer as it was sent."""

    status: int
    location: str
    body: bytes


def claim(user_id: int, key: str, request_digest: str) -> str | None:
    """The claim of a request that is to act; None if another one acts under this key, or has."""
    now, token = clock.now(), get_random_string(CLAIM_CHARS)
    rows = KeptAnswer.objects.filter(user_id=user_id, key=key)
    rows.filter(created_at__lt=now - KEPT_FOR).delete()
    try:
        with transaction.atomic():
            rows.create(
                user_id=user_id,
                key=key,
                request_digest=request_digest,
                claim=token,
                claimed_at=now,
                created_at=now,
            )
    except IntegrityError:
        abandoned = rows.filter(status=None, claimed_at__lt=now - ABANDONED_AFTER)
        is_taken = abandoned.filter(request_digest=request_digest).update(
            claim=token, claimed_at=now
        )
        return token if is_taken else None
    return token


def find(user_id: int, key: str) -> KeptAnswer | None:
    return KeptAnswer.objects.filter(user_id=user_id, key=key).first()


def read(kept: KeptAnswer) -> SavedAnswer | None:
    """The answer; None while its request is under way."""
    if kept.status is None:
        return None
    return SavedAnswer(kept.status, kept.location, zlib.decompress(bytes(kept.body)))


def act_once(
    token: str, prepare: Callable[[], R], act: Callable[[R], tuple[T, SavedAnswer]]
) -> T | None:
    """Do `act` and keep its answer, both or neither; None if the claim was taken over.

    `prepare` goes before, outside of the transaction. An error gives the key back: nothing was
    done under it.
    """
    try:
        ready = prepare()
        with transaction.atomic():
            rows = KeptAnswer.objects.filter(claim=token, status=None)
            kept = rows.select_for_update().first()
            if kept is None:
                return None
            result, answer = act(ready)
            kept.status, kept.location = answer.status, answer.location
            kept.body = zlib.compress(answer.body)
            kept.save(update_fields=["status", "location", "body"])
    except BaseException:
        KeptAnswer.objects.filter(claim=token, status=None).delete()
        raise
    trim(kept.user_id)
    return result


def trim(user_id: int) -> None:
    """Keep the newest answers of an account."""
    answered = KeptAnswer.objects.filter(user_id=user_id).exclude(status=None)
    old = list(answered.order_by("-pk").values_list("pk", flat=True)[MAX_KEPT:])
    if old:
        KeptAnswer.objects.filter(pk__in=old).delete()


def forget_old() -> None:
    """Delete answers that are kept no longer."""
    KeptAnswer.objects.filter(created_at__lt=clock.now() - KEPT_FOR).delete()
