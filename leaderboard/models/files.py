"""Rows of bytes: stored blobs, and the files of attempts and steps."""

from __future__ import annotations

from django.db import models


class Blob(models.Model):
    """Bytes kept once, under their SHA-256, in the default storage."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    size_bytes = models.PositiveBigIntegerField()
    mime = models.CharField(max_length=100)  # ours, from a fixed list; never sniffed when served
    width = models.PositiveIntegerField(null=True, blank=True)
    height = models.PositiveIntegerField(null=True, blank=True)
    # Its contents as JSON, whose own preview is what stands beside them: a page, a player, a
    # picture, each the preview of the one before.
    preview = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="drawn_from"
    )
    # Since when no row names these bytes, as far as `collect_garbage` found; None: they are in use.
    unreferenced_since = models.DateTimeField(null=True, blank=True)
    preview_tries = models.PositiveSmallIntegerField(default=0)
    preview_tried_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(  # each sweep looks for files that are to be opened
                fields=["mime"], condition=models.Q(preview__isnull=True), name="blob_unopened"
            ),
            models.Index(
                fields=["unreferenced_since"],
                condition=models.Q(unreferenced_since__isnull=False),
                name="blob_garbage",
            ),
        ]

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

    attempt = models.ForeignKey("Attempt", on_delete=models.CASCADE, related_name="artifacts")
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
    """Change that one step made to one file; the bytes it left, where they were kept."""

    step = models.ForeignKey("Step", on_delete=models.CASCADE, related_name="files")
    path = models.CharField(max_length=1000)  # "output/a.csv"
    kind = models.CharField(max_length=8)  # runner.contract.ChangeKind
    size_bytes = models.PositiveBigIntegerField(default=0)
    size_before_bytes = models.PositiveBigIntegerField(default=0)
    blob = models.ForeignKey(Blob, null=True, blank=True, on_delete=models.PROTECT)

    class Meta:
        ordering = ["path"]

    def __str__(self) -> str:
        return f"{self.kind} {self.path}"


class Import(models.Model):
    """A trajectory file that was brought in: its original bytes, and what became of its lines."""

    blob = models.ForeignKey("Blob", on_delete=models.PROTECT, related_name="imports")
    run = models.ForeignKey(
        "Run", null=True, blank=True, on_delete=models.CASCADE, related_name="imports"
    )
    name = models.CharField(max_length=200)
    report = models.JSONField(default=dict)  # {"rows": n, "errors": [{"line", "reason"}]}
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class RecordedAttempt(models.Model):
    """The steps that a queued attempt plays again instead of asking a model."""

    attempt = models.OneToOneField(
        "Attempt", on_delete=models.CASCADE, primary_key=True, related_name="recording"
    )
    body = models.BinaryField()  # pack({"steps": …, "answer": …, "messages": …})
    # Of a fork: the attempt that it carries on, its last step that is kept, and what followed.
    parent = models.ForeignKey(
        "Attempt", null=True, blank=True, on_delete=models.SET_NULL, related_name="forks"
    )
    after_step = models.PositiveSmallIntegerField(null=True, blank=True)
    then = models.CharField(max_length=8, blank=True, default="", db_default="")

    def __str__(self) -> str:
        return f"recording for attempt {self.attempt_id}"
