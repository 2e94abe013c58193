"""Rows of auditors: private runs that their owners let them read, and when they did."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class AuditGrant(models.Model):
    """An owner's leave for one auditor to read one private run, until it is taken back.

    Without a run it is for all private runs of `owner`, later ones too.
    """

    run = models.ForeignKey(
        "Run",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="audit_grants",
        db_index=False,
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="given_audit_grants",
        db_index=False,
    )
    auditor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="audit_grants"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "auditor"], name="one_grant_an_auditor"),
            models.UniqueConstraint(fields=["owner", "auditor"], name="one_grant_for_all"),
            models.CheckConstraint(
                condition=models.Q(run=None) ^ models.Q(owner=None), name="grant_of_run_or_owner"
            ),
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
