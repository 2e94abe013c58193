"""Rows of disputes about verdicts, and of what maintainers ruled."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from leaderboard.models.added_rows import AddedRow, AddedRows


class DisputeQuerySet(models.QuerySet["Dispute"]):
    """Chainable questions about disputes."""

    def visible_to(self, user: Any) -> DisputeQuerySet:
        """Those of public runs; of private ones those that `user` made or owns, or all of them
        for a maintainer."""
        public = Q(attempt__run__is_public=True)
        if not user.is_authenticated:
            return self.filter(public)
        if user.is_staff:
            return self.all()
        return self.filter(public | Q(account=user.pk) | Q(attempt__run__entry__owner=user.pk))


class Dispute(models.Model):
    """Doubt about one assertion of a verdict, or about the verdict as a whole.

    Only its state changes, with each ruling. It goes only with the run that it is about.
    """

    class State(models.TextChoices):
        OPEN = "open"
        STANDS = "verdict stands"
        CHECK_WRONG = "check wrong"
        TASK_WRONG = "task wrong"

    attempt = models.ForeignKey("Attempt", on_delete=models.CASCADE, related_name="disputes")
    verdict = models.ForeignKey("Verdict", on_delete=models.CASCADE, related_name="disputes")
    assertion = models.PositiveSmallIntegerField(default=0)  # from 1; 0: the verdict as a whole
    assertion_name = models.CharField(max_length=300, blank=True)
    words = models.TextField()
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="disputes",
        db_index=False,
    )
    name = models.CharField(max_length=150)  # the account's public name
    blob = models.ForeignKey("Blob", null=True, blank=True, on_delete=models.PROTECT)
    file_name = models.CharField(max_length=200, blank=True)
    state = models.CharField(max_length=16, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = models.Manager.from_queryset(DisputeQuerySet)()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["account", "verdict", "assertion"], name="dispute_once")
        ]
        indexes = [models.Index(fields=["state", "-id"], name="dispute_state")]

    def __str__(self) -> str:
        return f"dispute {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("dispute", args=[self.pk])

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def about(self) -> str:
        """The assertion as a list names it."""
        return self.assertion_name or "the whole verdict"


class Ruling(AddedRow):
    """A maintainer's decision on a dispute. A later one follows it and counts."""

    class Kind(models.TextChoices):
        STANDS = "verdict stands"
        CHECK_WRONG = "check wrong"
        TASK_WRONG = "task wrong"

    dispute = models.ForeignKey(
        Dispute, on_delete=models.CASCADE, related_name="rulings", db_index=False
    )
    number = models.PositiveSmallIntegerField()  # from 1, of its dispute
    kind = models.CharField(max_length=16, choices=Kind.choices)
    words = models.TextField()
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="rulings"
    )
    name = models.CharField(max_length=150)  # the maintainer's public name
    at = models.DateTimeField(auto_now_add=True)

    objects = models.Manager.from_queryset(AddedRows)()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["dispute", "number"], name="one_ruling_a_number")
        ]

    def __str__(self) -> str:
        return f"ruling {self.number} on dispute {self.dispute_id}"
