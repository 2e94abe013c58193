"""Rows that are added and never taken away: the price book, what changed, and the ledger."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Exists, OuterRef
from django.utils import timezone

from leaderboard.models.added_rows import AddedRow, AddedRows
from leaderboard.models.packed_json import clean
from runner.evidence.chain import canonical

WITHHELD = "withheld"  # the kind of an act whose own kind is in its payload
SALT_BYTES = 16  # so that nobody finds a withheld payload by trying
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


class PublicChangeQuerySet(AddedRows["PublicChange"]):
    """What changed, the newest first."""

    def folded(self) -> PublicChangeQuerySet:
        """Without what happened again to the same run within a day, such as publications."""
        again = PublicChange.objects.filter(
            kind=OuterRef("kind"),
            run_number=OuterRef("run_number"),
            pk__gt=OuterRef("pk"),
            at__lt=OuterRef("at") + timedelta(days=1),
        )
        return self.exclude(Exists(again))


class PublicChange(AddedRow):
    """Something that readers of the board should know of, written in the transaction that did it.

    It holds no name of an entry and no key to a row: a run that is withdrawn or deleted later
    stays a number here, and the row stays as it was written.
    """

    class Kind(models.TextChoices):
        ADDED = "row added"
        WITHDRAWN = "row withdrawn"
        RESCORED = "re-scored"  # of earlier versions
        SUITE = "suite changed"
        PRICES = "prices changed"
        ERRATUM = "erratum"

    kind = models.CharField(max_length=20, choices=Kind)
    at = models.DateTimeField(default=timezone.now)
    run_number = models.PositiveBigIntegerField(null=True, blank=True)
    suite = models.CharField(max_length=120, blank=True)  # name@version
    facts = models.JSONField(default=dict)  # numbers and keys; by kind, see leaderboard.changes
    reason = models.CharField(max_length=300, blank=True)

    objects = models.Manager.from_queryset(PublicChangeQuerySet)()

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["run_number", "kind"], name="change_of_run")]

    def __str__(self) -> str:
        return f"change {self.pk}: {self.kind}"


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
    is_by_leads = models.BooleanField(default=True)  # or, until 2026, by resampled ranks
    # The end of the ledger when it was kept; 0 and "" of a snapshot from before there was one.
    ledger_number = models.PositiveBigIntegerField(default=0)
    ledger_chain = models.CharField(max_length=64, blank=True, default="")
    kept_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-day", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["suite", "season", "day"], name="snapshot_once")
        ]

    def __str__(self) -> str:
        return f"{self.suite} season {self.season} on {self.day}"


class LedgerActManager(models.Manager["LedgerAct"]):
    """Acts on their way into the ledger."""

    def enter(
        self,
        kind: str,
        subject: str,
        facts: Mapping[str, Any],
        *,
        actor: str = "",
        run_number: int | None = None,
        is_public: bool = True,
    ) -> None:
        """Have an act entered in the ledger, if the transaction under way commits. One insert.

        `subject` and `actor` are public names. `run_number` is that of the run that the act is
        about: the payload is shown while that run is public. `is_public` says that kind, subject
        and actor are in the public head. Otherwise they are part of the payload, which nobody
        reads unless the run is published; an act that is not public and of no run is withheld for
        ever.
        """
        head = {"kind": str(kind), "subject": clean(subject, 200), "actor": clean(actor, 160)}
        body = {"salt": secrets.token_hex(SALT_BYTES), "facts": dict(facts), **head}
        self.create(
            **(head if is_public else {"kind": WITHHELD}),
            run_number=run_number,
            is_open=is_public or run_number is not None,
            payload=canonical(body).decode("ascii"),
        )


class LedgerAct(models.Model):
    """An act that waits for its number in the ledger, written in the transaction of the act."""

    kind = models.CharField(max_length=40)
    subject = models.CharField(max_length=200, blank=True)
    actor = models.CharField(max_length=160, blank=True)  # public name of an account
    at = models.DateTimeField(default=timezone.now)
    run_number = models.PositiveBigIntegerField(null=True, blank=True)
    is_open = models.BooleanField(default=True)  # as of LedgerPayload
    payload = models.TextField()  # canonical JSON

    objects = LedgerActManager()

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class LedgerEntry(AddedRow):
    """A numbered entry of the ledger: its public head, and the digest over all heads so far.

    Triggers of the database as well refuse that it is changed, and so its payload.
    """

    number = models.PositiveBigIntegerField(primary_key=True)  # from 1, without gaps
    kind = models.CharField(max_length=40)  # leaderboard.ledger.kinds
    subject = models.CharField(max_length=200, blank=True)
    actor = models.CharField(max_length=160, blank=True)
    at = models.CharField(max_length=40)  # ISO 8601 in UTC, as it is in the digest
    payload_sha256 = models.CharField(max_length=64)
    chain = models.CharField(max_length=64)

    objects = models.Manager.from_queryset(AddedRows)()

    class Meta:
        ordering = ["-number"]
        indexes = [models.Index(fields=["kind", "-number"], name="ledger_kind")]
        verbose_name_plural = "ledger entries"

    def __str__(self) -> str:
        return f"ledger entry {self.number}: {self.kind}"


class LedgerPayload(models.Model):
    """Contents of an entry, apart from the chain: of a run that is not public they are withheld."""

    number = models.PositiveBigIntegerField(primary_key=True)  # of the entry
    run_number = models.PositiveBigIntegerField(null=True, blank=True, db_index=True)
    is_open = models.BooleanField(default=True)  # False: withheld whatever becomes of a run
    body = models.TextField()  # canonical JSON

    objects = models.Manager.from_queryset(AddedRows)()

    def __str__(self) -> str:
        return f"payload of ledger entry {self.number}"


class RunSeal(models.Model):
    """The last state of a run that was appended to the ledger."""

    run = models.OneToOneField(
        "Run", on_delete=models.CASCADE, primary_key=True, related_name="seal"
    )
    sha256 = models.CharField(max_length=64)  # of leaderboard.ledger.sealed_runs.state_of
    # The in-toto statement about that state: zstd of the JSON that is signed when it is served.
    statement = models.BinaryField(default=bytes)
    is_stated = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(fields=["run"], condition=models.Q(is_stated=False), name="seal_unstated")
        ]

    def __str__(self) -> str:
        return f"seal of run {self.run_id}"


class RunVerification(models.Model):
    """Report of an account on a run's manifest that it verified, one of each finding.

    The account's newest one counts.
    """

    run = models.ForeignKey(
        "Run", on_delete=models.CASCADE, related_name="verifications", db_index=False
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="verifications"
    )
    manifest_sha256 = models.CharField(max_length=64)  # of the statement that was verified
    report_sha256 = models.CharField(max_length=64, blank=True)  # "": of an older version
    is_equal = models.BooleanField()
    attempts = models.PositiveIntegerField()  # that were judged again
    differences = models.JSONField(default=list)  # lines
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-at"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "account", "manifest_sha256", "is_equal"], name="verified_once"
            )
        ]

    def __str__(self) -> str:
        return f"verification of run {self.run_id}"
