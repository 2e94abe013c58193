"""Rows of corrected checks: what was judged again, and each verdict before and after."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse


class Erratum(models.Model):
    """A correction of checks of one suite version, and of the verdicts that rested on them."""

    suite = models.ForeignKey("Suite", on_delete=models.CASCADE, related_name="errata")
    ruling = models.ForeignKey(
        "Ruling", null=True, blank=True, on_delete=models.SET_NULL, related_name="errata"
    )
    reason = models.TextField()
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    tasks = models.JSONField(default=dict)  # {key: [digest before, digest now]}
    digest_before = models.CharField(max_length=64)  # of the suite
    digest_now = models.CharField(max_length=64)
    # The board before: pack([leaderboard.board.records.Record without names, ...]).
    board_before = models.BinaryField(default=bytes)
    driven_until = models.DateTimeField(null=True, blank=True)  # by one worker at a time
    began_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"erratum {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("erratum", args=[self.pk])


class Rejudgement(models.Model):
    """One attempt that an erratum concerns: its place in the queue, and old and new verdict."""

    class State(models.TextChoices):
        DUE = "due"
        JUDGED = "judged"  # waits until all others are
        APPLIED = "applied"
        KEPT = "kept"  # the old verdict stays: `note` says why

    erratum = models.ForeignKey(
        Erratum, on_delete=models.CASCADE, related_name="rejudgements", db_index=False
    )
    attempt = models.ForeignKey("Attempt", on_delete=models.CASCADE, related_name="rejudgements")
    state = models.CharField(max_length=8, choices=State.choices, default=State.DUE)
    taken_until = models.DateTimeField(null=True, blank=True)
    before = models.BooleanField()
    sentence_before = models.TextField(blank=True)
    now = models.BooleanField(null=True, blank=True)
    differs = models.BooleanField(default=False, db_default=False)  # now from before
    note = models.CharField(max_length=500, blank=True)
    body = models.BinaryField(default=bytes)  # pack(the new verdict's fields)
    judged_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["erratum", "attempt"], name="rejudged_once")]
        indexes = [
            models.Index(fields=["id"], condition=Q(state="due"), name="rejudgement_due"),
            models.Index(fields=["erratum", "-differs", "-id"], name="rejudgement_listed"),
        ]

    def __str__(self) -> str:
        return f"attempt {self.attempt_id} under erratum {self.erratum_id}"

    @property
    def is_changed(self) -> bool:
        return self.now is not None and self.now != self.before
