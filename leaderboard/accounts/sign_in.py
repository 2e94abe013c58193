"""Sign-in as this site does it: allauth's way, with the site's own count of visitors."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest
from django.utils.crypto import get_random_string

from leaderboard.rendering.text import in_sentence_case
from leaderboard.visitors.client_address import client_address


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Counts visitors for its limits as the rest of the site does, and writes subjects alike."""

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request.META)

    def format_email_subject(self, subject: str) -> str:
        return str(super().format_email_subject(in_sentence_case(subject)))

    def send_account_already_exists_mail(self, email: str) -> None:
        """A sign-up with a known address takes as long as one that stores a password."""
        make_password(get_random_string(20))
        super().send_account_already_exists_mail(email)
