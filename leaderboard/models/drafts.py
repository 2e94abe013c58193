"""Rows of submissions that are filled in and checked, but not queued yet."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse


class Draft(models.Model):
    """A submission on its way: what the form said, its key encrypted, and the preflight's report.

    It lives for a day, or until its run is queued.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="drafts"
    )
    facts = models.JSONField(default=dict)  # the form's contents, never the key
    encrypted_key = models.BinaryField(default=bytes, blank=True)
    encrypted_extra = models.BinaryField(default=bytes, blank=True)  # extra body of each request
    encrypted_headers = models.BinaryField(default=bytes, blank=True)
    report = models.JSONField(default=dict, blank=True)  # of the preflight; {} until it is there
    asked_at = models.DateTimeField(null=True, blank=True)  # for the preflight that is awaited
    answered_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"draft {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("draft", args=[self.pk])

    @property
    def is_usable(self) -> bool:
        """True if the preflight found nothing that makes a run pointless."""
        return self.is_complete and bool(self.report.get("is_usable"))

    @property
    def is_complete(self) -> bool:
        """True if the form was accepted; otherwise the draft only keeps a key and what was said."""
        return not self.facts.get("is_partial", False)

    @property
    def listed_models(self) -> list[str]:
        """Names that the endpoint lists, once it was asked."""
        return list(self.report.get("listed", ()))
