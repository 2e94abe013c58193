"""Public name of an account, for records that are never deleted."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser


def public_name(account: AbstractBaseUser | int | None) -> str:
    """Name of an account (or of its number) that gives no address away; "" for the site itself.

    User names are made from e-mail addresses, which an append-only ledger must not hold.
    """
    number = account.pk if isinstance(account, AbstractBaseUser) else account
    return f"account {number}" if number else ""
