"""Output of `manage.py recompute`, whatever it exits with."""

from __future__ import annotations

import contextlib
import io

from django.core.management import CommandError, call_command


def recompute(*options: str) -> str:
    said = io.StringIO()
    with contextlib.suppress(CommandError):  # what differs is among the lines
        call_command("recompute", *options, stdout=said)
    return said.getvalue()
