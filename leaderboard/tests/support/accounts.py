"""Somebody with an account, as a browser signs them in."""

from __future__ import annotations

from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.test import Client

EMAIL = "ada@example.org"
PASSWORD = "a long enough passphrase"


def sign_in(client: Client, password: str = PASSWORD) -> str:
    answer = client.post("/account/login/", {"login": EMAIL, "password": password}, follow=True)
    return answer.content.decode()


def code_for(secret: str) -> str:
    counter = next(iter(yield_hotp_counters_from_time()))
    return str(format_hotp_value(hotp_value(secret, counter)))
