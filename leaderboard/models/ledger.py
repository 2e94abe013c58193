"""Rows that are added and never taken away: the price book, and what changed."""

from __future__ import annotations

from decimal import Decimal

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.utils import timezone

NOT_NEGATIVE = [MinValueValidator(Decimal(0), "A price cannot be negative.")]


def not_in_future(day: object) -> None:
    if day > timezone.now().date():  # type: ignore[operator]
        raise ValidationError(f"{day} is in the future. Give the day from which it is charged.")


class ModelPrice(models.Model):
    """Prices of a model from a day on, in US dollars per million tokens, until the next row."""

    provider = models.CharField(
        max_length=100, blank=True, help_text="Such as openai, or a host; empty for every provider."
    )
    model = models.CharField(max_length=300, help_text="As the endpoint calls it.")
    valid_from = models.DateField(validators=[not_in_future])
    prompt = models.DecimalField(max_digits=14, decimal_places=6, validators=NOT_NEGATIVE)
    cached = models.DecimalField(
        max_digits=14,
        decimal_places=6,
        null=True,
        blank=True,
        validators=NOT_NEGATIVE,
        help_text="Of prompt tokens read from a cache; empty where they cost the same.",
    )
    completion = models.DecimalField(max_digits=14, decimal_places=6, validators=NOT_NEGATIVE)
    reasoning = models.DecimalField(
        max_digits=14,
        decimal_places=6,
        null=True,
        blank=True,
        validators=NOT_NEGATIVE,
        help_text="Of reasoning tokens; empty where they cost the same as completion.",
    )
    source = models.CharField(max_length=300, help_text="Where it was read, and when.")
    stored_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["provider", "model", "-valid_from"]
        constraints = [
            models.UniqueConstraint(fields=["model", "provider", "valid_from"], name="price_once")
        ]

    def __str__(self) -> str:
        return f"{self.provider or 'every provider'} {self.model} from {self.valid_from}"


class PublicChangeQuerySet(models.QuerySet["PublicChange"]):
    """Rows that can be read and added."""

    def update(self, **values: object) -> int:
        raise TypeError("What changed is never rewritten.")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError("What changed is never deleted.")


class PublicChange(models.Model):
    """Something that readers of the board should know of, written in the transaction that did it.

    It holds no name of an entry and no key to a row: a run that is withdrawn or deleted later
    stays a number here, and the row stays as it was written.
    """

    class Kind(models.TextChoices):
        ADDED = "row added"
        WITHDRAWN = "row withdrawn"
        RESCORED = "re-scored"
        SUITE = "suite changed"
        PRICES = "prices changed"

    kind = models.CharField(max_length=20, choices=Kind)
    at = models.DateTimeField(default=timezone.now)
    run_number = models.PositiveBigIntegerField(null=True, blank=True)
    suite = models.CharField(max_length=120, blank=True)  # name@version
    facts = models.JSONField(default=dict)  # numbers and keys; by kind, see leaderboard.changes
    reason = models.CharField(max_length=300, blank=True)

    objects = models.Manager.from_queryset(PublicChangeQuerySet)()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"change {self.pk}: {self.kind}"

    def save(self, *args: object, **options: object) -> None:
        if not self._state.adding:
            raise TypeError("What changed is never rewritten.")
        super().save(force_insert=True)

    def delete(self, *args: object, **options: object) -> tuple[int, dict[str, int]]:
        raise TypeError("What changed is never deleted.")


class BoardSnapshot(models.Model):
    """A suite's board as it was at the end of a day; written again only on that day.

    It holds no names: what is withdrawn later is left out when it is read.
    """

    suite = models.ForeignKey(
        "Suite", on_delete=models.CASCADE, related_name="snapshots", db_index=False
    )
    season = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    day = models.DateField()
    changes = models.PositiveBigIntegerField()  # the suite's, when it was kept
    rows = models.PositiveIntegerField()
    body = models.BinaryField()  # pack([leaderboard.board.records.Record without names, ...])
    # Ranks on the tasks of each facet value: leaderboard.snapshots.facet_ranks; and at which of
    # `changes` they were complete.
    facet_places = models.BinaryField(default=bytes)
    ranked_changes = models.PositiveBigIntegerField(default=0)
    kept_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-day", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["suite", "season", "day"], name="snapshot_once")
        ]

    def __str__(self) -> str:
        return f"{self.suite} season {self.season} on {self.day}"
