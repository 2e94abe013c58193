"""Rows of who may do what from a program, and of files that people brought in."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from leaderboard.models.files import Blob
from leaderboard.models.runs import Run


class ApiToken(models.Model):
    """A token for the API. Only its digest is kept: the token is shown once, when it is made."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=12)  # its first characters, to recognise it by
    digest = models.CharField(max_length=64, unique=True)  # SHA-256, hexadecimal
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class Import(models.Model):
    """A trajectory file that was brought in: its original bytes, and what became of its lines."""

    blob = models.ForeignKey(Blob, on_delete=models.PROTECT, related_name="imports")
    run = models.ForeignKey(
        Run, null=True, blank=True, on_delete=models.CASCADE, related_name="imports"
    )
    name = models.CharField(max_length=200)
    report = models.JSONField(default=dict)  # {"rows": n, "errors": [{"line", "reason"}]}
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name
