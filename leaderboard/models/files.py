"""Rows of bytes: stored blobs, and the files of attempts and steps."""

from __future__ import annotations

from django.db import models

from leaderboard.models.runs import Attempt, Step


class Blob(models.Model):
    """Bytes kept once, under their SHA-256, in the default storage."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    size_bytes = models.PositiveBigIntegerField()
    mime = models.CharField(max_length=100)  # ours, from a fixed list; never sniffed when served
    width = models.PositiveIntegerField(null=True, blank=True)
    height = models.PositiveIntegerField(null=True, blank=True)
    preview = models.ForeignKey(  # of a PDF: the picture of its first page
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="drawn_from"
    )
    preview_tries = models.PositiveSmallIntegerField(default=0)
    preview_tried_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["mime"], name="blob_mime")]  # each sweep looks for PDFs

    def __str__(self) -> str:
        return self.sha256[:12]

    @property
    def storage_name(self) -> str:
        return f"blobs/{self.sha256[:2]}/{self.sha256}"


class Artifact(models.Model):
    """A file of an attempt: an input it was given, or an output taken from its finished sandbox."""

    class Role(models.TextChoices):
        INPUT = "input"
        OUTPUT = "output"
        REFUSED = "refused"  # the harvest would not take it; `reason` says why

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="artifacts")
    try_number = models.PositiveSmallIntegerField(default=1)
    role = models.CharField(max_length=8, choices=Role)
    path = models.CharField(max_length=1000)
    blob = models.ForeignKey(Blob, null=True, blank=True, on_delete=models.PROTECT)
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["role", "path"]

    def __str__(self) -> str:
        return self.path


class StepFile(models.Model):
    """What one step did to one file; the bytes it left, where they were kept."""

    step = models.ForeignKey(Step, on_delete=models.CASCADE, related_name="files")
    path = models.CharField(max_length=1000)  # "output/a.csv"
    kind = models.CharField(max_length=8)  # runner.contract.ChangeKind
    size_bytes = models.PositiveBigIntegerField(default=0)
    size_before_bytes = models.PositiveBigIntegerField(default=0)
    blob = models.ForeignKey(Blob, null=True, blank=True, on_delete=models.PROTECT)

    class Meta:
        ordering = ["path"]

    def __str__(self) -> str:
        return f"{self.kind} {self.path}"
