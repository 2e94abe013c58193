"""Checks of `manage.py check --deploy` beyond Django's own: settings that work, but not well."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning, register


@register("pybench", deploy=True)
def check_deployment(**_: Any) -> list[CheckMessage]:
    """Warn of each; what is unsafe does not even start (`pybench_site.production_checks`)."""
    caches, databases = settings.CACHES["default"], settings.DATABASES["default"]
    found = [
        (
            not settings.SESSION_COOKIE_SECURE,
            "Cookies also travel over plain http.",
            "Serve the site over TLS and set PYBENCH_HTTPS=1.",
        ),
        (
            databases["ENGINE"].endswith("sqlite3"),
            "The database is SQLite: one machine, one worker.",
            "Set DATABASE_URL to a PostgreSQL database.",
        ),
        (
            "locmem" in caches["BACKEND"],
            "Each web process counts API requests and sign-ins for itself.",
            "Set PYBENCH_CACHE_URL, such as rediscache://host:6379/1.",
        ),
        (
            settings.EMAIL_BACKEND.endswith("filebased.EmailBackend"),
            "Mail is kept in files: nobody can confirm an address or reset a password.",
            "Set PYBENCH_MAIL_URL, and PYBENCH_EMAIL_VERIFICATION=mandatory.",
        ),
        (
            settings.IS_MAIL_SET_UP and settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory",
            "Nobody has to confirm an address, and signing up tells which addresses have accounts.",
            "Set PYBENCH_EMAIL_VERIFICATION=mandatory.",
        ),
    ]
    return [
        Warning(what, hint=hint, id=f"pybench.W{number:03}")
        for number, (is_so, what, hint) in enumerate(found, 1)
        if is_so
    ]
