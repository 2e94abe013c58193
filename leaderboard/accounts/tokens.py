"""Tokens for the API: made, recognised by their digest, revoked."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from leaderboard.accounts import quotas
from leaderboard.models import ApiToken
from runner.contract import Fault, Problem

PREFIX = "pyb_"  # so that one found in a file is known for what it is
SHOWN_CHARS = 12  # of a token, to recognise it by
MAX_TOKENS = 20  # of one user
MAX_TOKEN_CHARS = 200
USE_NOTED_EVERY = timedelta(minutes=1)

TOO_MANY = Problem(
    Fault.SUBMITTER,
    "too_many_tokens",
    f"You have {MAX_TOKENS} tokens, which is the limit.",
    "Revoke one that is no longer used.",
)


def digest_of(token: str) -> str:
    """SHA-256 is enough: a token is 32 random bytes, which nobody guesses from its digest."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


@transaction.atomic
def make_token(user: AbstractBaseUser, name: str) -> tuple[ApiToken, str]:
    """A new token and its text, which is kept nowhere. ProblemError when `user` has too many."""
    quotas.require_fewer(user, ApiToken.objects.filter(user_id=user.pk), MAX_TOKENS, TOO_MANY)
    text = PREFIX + secrets.token_urlsafe(32)
    row = ApiToken.objects.create(
        user_id=user.pk, name=name, prefix=text[:SHOWN_CHARS], digest=digest_of(text)
    )
    return row, text


def find_token(text: str) -> ApiToken | None:
    """The token with this text, whose owner may still sign in; its use is noted."""
    if len(text) > MAX_TOKEN_CHARS:
        return None
    found = ApiToken.objects.select_related("user").filter(
        digest=digest_of(text), user__is_active=True
    )
    token = found.first()
    if token is not None:
        note_use(token)
    return token


def note_use(token: ApiToken) -> None:
    """Once a minute at most: reading must not become writing."""
    now = timezone.now()
    is_old = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_NOTED_EVERY)
    if token.last_used_at is None or token.last_used_at < now - USE_NOTED_EVERY:
        ApiToken.objects.filter(is_old, pk=token.pk).update(last_used_at=now)


def revoke_token(user: AbstractBaseUser, token_id: int) -> bool:
    """Revoke a token of `user`, which opens nothing from now on; False if there is no such
    token."""
    deleted, _ = ApiToken.objects.filter(user_id=user.pk, pk=token_id).delete()
    return bool(deleted)
