"""Choices of an account for its notices: the webhook with its secret, and e-mail."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser

from leaderboard.models import Notice, NoticeWishes
from leaderboard.storage import encryption
from leaderboard.submissions.endpoint_policy import webhook_policy
from runner.endpoint.address_policy import AddressPolicy, check_url

SECRET_BYTES = 32


def is_mail_set_up() -> bool:
    """True if the site can send e-mail to people."""
    return bool(settings.IS_MAIL_SET_UP)


def find_wishes(owner: AbstractBaseUser) -> NoticeWishes | None:
    return NoticeWishes.objects.filter(owner_id=owner.pk).first()


def save_wishes(
    owner: AbstractBaseUser,
    webhook_url: str,
    wants_mail: bool,
    site: str = "",
    policy: AddressPolicy | None = None,
) -> str:
    """Keep the choices. Returns the secret of a new address, which is shown once; "" for none.

    ProblemError for an address that `policy`, by default that of webhooks, does not admit.
    """
    url = check_url(webhook_url, policy or webhook_policy()) if webhook_url else ""
    wishes = find_wishes(owner) or NoticeWishes(owner_id=owner.pk)
    secret = ""
    if url != wishes.webhook_url:
        unsent = Notice.objects.filter(owner_id=owner.pk, state__in=("due", "sending"))
        unsent.filter(channel="webhook").delete()
        secret = f"whsec_{secrets.token_urlsafe(SECRET_BYTES)}" if url else ""
        wishes.encrypted_secret, wishes.failures = encryption.encrypt(secret), 0
    wishes.webhook_url, wishes.wants_mail, wishes.site = url, wants_mail, site[:300]
    wishes.save()
    return secret
