"""Rows of auditors: private runs that their owners let them read, and when they did."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class AuditGrant(models.Model):
    """An owner's leave for one auditor to read one private run, until it is taken back."""

    run = models.ForeignKey(
        "Run", on_delete=models.CASCADE, related_name="audit_grants", db_index=False
    )
    auditor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="audit_grants"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "auditor"], name="one_grant_an_auditor")
        ]

    def __str__(self) -> str:
        return f"grant {self.pk}"


class AuditLook(models.Model):
    """A day on which an auditor read a private run."""

    run = models.ForeignKey(
        "Run", on_delete=models.CASCADE, related_name="audit_looks", db_index=False
    )
    name = models.CharField(max_length=150)  # the auditor's public name, kept with the run
    day = models.DateField()  # UTC

    class Meta:
        ordering = ["-day", "name"]
        constraints = [
            models.UniqueConstraint(fields=["run", "name", "day"], name="one_look_a_day")
        ]

    def __str__(self) -> str:
        return f"look {self.pk}"
