"""Rows of what is submitted: entries and where they are reached."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from leaderboard.models.packed_json import choices
from runner.contract import ActionFormat

NO_ENDPOINT = "https://recorded.invalid/v1"  # nothing is ever sent there


class Entry(models.Model):
    """A submitted model and how it is called."""

    class Weights(models.TextChoices):
        OPEN = "open"
        CLOSED = "closed"
        UNKNOWN = "unknown"

    class Provenance(models.TextChoices):
        RUN_HERE = "run here"
        RE_EXECUTED = "re-executed"
        RE_SCORED = "re-scored"
        FORKED = "forked"  # another attempt, carried on by hand from one of its steps
        HUMAN = "human"  # a person typed the cells
        QUOTED = "quoted"
        RECORDED = "recorded"
        SCRIPTED = "scripted baseline"

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    organisation = models.CharField(max_length=200, blank=True)
    model_name = models.CharField(max_length=300)  # name of the model at the endpoint
    action_format = models.CharField(
        max_length=12, choices=choices(ActionFormat), default=ActionFormat.FENCED
    )
    parameters_b = models.FloatField(null=True, blank=True)  # billions of parameters
    weights = models.CharField(max_length=8, choices=Weights, default=Weights.UNKNOWN)
    provenance = models.CharField(max_length=20, choices=Provenance, default=Provenance.RUN_HERE)
    sampling = models.JSONField(default=dict, blank=True)  # temperature, top_p, max_tokens, stream
    extra_fields = models.JSONField(default=list, blank=True)  # names in the extra body, public
    extra_headers = models.JSONField(default=list, blank=True)  # their names, public
    description = models.TextField(blank=True)
    owner = models.ForeignKey(  # nobody: the site's own
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="entries",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "entries"
        indexes = [models.Index(fields=["provenance"], name="entry_provenance")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_scripted(self) -> bool:
        return self.provenance == self.Provenance.SCRIPTED

    @property
    def is_human(self) -> bool:
        return self.provenance == self.Provenance.HUMAN

    @property
    def is_model(self) -> bool:
        """True unless programs or people wrote the replies."""
        return self.provenance not in NOT_MODELS


# Rows of groups of their own, beside those of models.
NOT_MODELS = (Entry.Provenance.SCRIPTED, Entry.Provenance.HUMAN)


class Endpoint(models.Model):
    """Endpoint at which an entry is reached. Its key, extra body and headers are encrypted at rest
    and never shown."""

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="endpoint")
    base_url = models.CharField(max_length=500)
    encrypted_key = models.BinaryField(default=bytes, blank=True)
    # JSON that goes into every request; encrypted, since its values may be secrets.
    encrypted_extra = models.BinaryField(default=bytes, blank=True)
    encrypted_headers = models.BinaryField(default=bytes, blank=True)

    def __str__(self) -> str:
        return f"endpoint of {self.entry_id}"

    @property
    def is_nobody(self) -> bool:
        """True if recorded steps are played and no model is asked."""
        return self.base_url == NO_ENDPOINT
