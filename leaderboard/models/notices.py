"""Rows of notices to owners at the end of their runs: where they go, and whether they went."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class NoticeWishes(models.Model):
    """Ways by which an account wants to hear of its runs."""

    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_wishes"
    )
    webhook_url = models.CharField(max_length=500, blank=True)
    encrypted_secret = models.BinaryField(default=bytes, blank=True)  # signs what is sent there
    site = models.CharField(
        max_length=300, blank=True
    )  # address of this site, as its owner knows it
    wants_mail = models.BooleanField(default=False)
    failures = models.PositiveSmallIntegerField(default=0)  # of the webhook, in a row
    since = models.DateTimeField(auto_now_add=True)  # earlier ends are no news

    def __str__(self) -> str:
        return f"notices of {self.owner_id}"


class Notice(models.Model):
    """One notice on its way, or sent, or given up."""

    class Channel(models.TextChoices):
        WEBHOOK = "webhook"
        MAIL = "mail"

    class State(models.TextChoices):
        DUE = "due"
        SENDING = "sending"
        SENT = "sent"
        FAILED = "failed"

    run = models.ForeignKey("Run", on_delete=models.CASCADE, related_name="notices", db_index=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    channel = models.CharField(max_length=8, choices=Channel.choices)
    event = models.CharField(max_length=30)
    at = models.DateTimeField()  # the end of the run of which it tells
    state = models.CharField(max_length=8, choices=State.choices, default=State.DUE)
    tries = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    said = models.CharField(max_length=300, blank=True)  # why the last try failed
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "channel", "at"], name="one_notice_per_end")
        ]
        indexes = [
            models.Index(fields=["owner", "id"], condition=Q(state="due"), name="notice_due")
        ]

    def __str__(self) -> str:
        return f"{self.channel} of run {self.run_id}"
