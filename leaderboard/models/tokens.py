"""Rows of accounts: their tokens and what was kept for these, their links, and what they used."""

from __future__ import annotations

from django.conf import settings
from django.db import models


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


class KeptAnswer(models.Model):
    """An answer under the Idempotency-Key of its request, for when the request is sent again."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="kept_answers",
        db_index=False,
    )
    key = models.CharField(max_length=255)
    request_digest = models.CharField(max_length=64)  # keyed: a body can hold secrets
    status = models.PositiveSmallIntegerField(default=0)  # 0 within the request's transaction
    location = models.CharField(max_length=300, blank=True)
    body = models.BinaryField(default=bytes)  # compressed
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="one_answer_per_key"),
        ]

    def __str__(self) -> str:
        return f"answer {self.pk}"


class RunLink(models.Model):
    """A link with which anybody reads a private run. Only its token's digest is kept."""

    run = models.OneToOneField("Run", on_delete=models.CASCADE, related_name="link")
    digest = models.CharField(max_length=64, unique=True)  # SHA-256, hexadecimal
    is_guests = models.BooleanField(default=False)  # of a file that is shown without an account
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"link of run {self.run_id}"


class AccountUse(models.Model):
    """Something that an account did and may do so often in 24 hours; the row outlives its run."""

    class Kind(models.TextChoices):
        """Uses with a limit each."""

        SUBMISSION = "submission"
        CHECK = "check"  # of an endpoint: a preflight, or a list of its models
        UPLOAD = "upload"
        DISPUTE = "dispute"
        HAND_SESSION = "hand-session"

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="uses", db_index=False
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    run = models.ForeignKey(
        "Run", null=True, blank=True, on_delete=models.SET_NULL, related_name="uses"
    )
    size_bytes = models.PositiveBigIntegerField(default=0)  # of an upload
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        indexes = [models.Index(fields=["owner", "kind", "created_at"], name="use_of_account")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
