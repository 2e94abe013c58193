"""Rows of judges: language models that give verdicts beside the checks, and labels by people."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from leaderboard.models.packed_json import choices
from runner.contract import JudgingState


class Judge(models.Model):
    """A judge pinned to model, prompt and parameters. Another value of any is another row."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    model_name = models.CharField(max_length=300)  # at the endpoint
    form = models.CharField(max_length=12, default="single")  # runner.judge.profile.JudgeForm
    takes_images = models.BooleanField(default=False)
    temperature = models.FloatField(null=True, blank=True)
    max_tokens = models.PositiveIntegerField(default=1_500)
    prompt_version = models.CharField(max_length=40)
    prompt_digest = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)  # of the whole profile
    is_scripted = models.BooleanField(default=False)  # fixed rules in the place of a model
    base_url = models.CharField(max_length=500)
    encrypted_key = models.BinaryField(default=bytes, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class Judging(models.Model):
    """A judge's verdicts on a run, and their place in the queue."""

    run = models.ForeignKey(
        "Run", on_delete=models.CASCADE, related_name="judgings", db_index=False
    )
    judge = models.ForeignKey(Judge, on_delete=models.PROTECT, related_name="judgings")
    # Of the pairwise form: the run whose attempts come first.
    reference = models.ForeignKey(
        "Run", null=True, blank=True, on_delete=models.SET_NULL, related_name="reference_of"
    )
    state = models.CharField(
        max_length=12, choices=choices(JudgingState), default=JudgingState.QUEUED
    )
    problem = models.TextField(blank=True)  # why it stopped
    # As those of a run: in tokens, or with prices in millionths of a dollar.
    ceiling = models.BigIntegerField(null=True, blank=True)
    ceiling_prices = models.JSONField(default=dict, blank=True)
    spent = models.BigIntegerField(default=0)
    forecast = models.JSONField(default=dict, blank=True)  # {"low": tokens, "high": tokens}
    reply_format = models.CharField(max_length=12, default="json_schema")
    failures = models.PositiveSmallIntegerField(default=0)  # of its endpoint, in a row
    token = models.UUIDField(default=uuid.uuid4)  # the fencing token of the current claim
    lease_until = models.DateTimeField(null=True, blank=True)
    not_before = models.DateTimeField(null=True, blank=True)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["run", "judge"], name="judging_once")]

    def __str__(self) -> str:
        return f"judging of run {self.run_id} by judge {self.judge_id}"

    @property
    def is_open(self) -> bool:
        return self.state in (JudgingState.QUEUED, JudgingState.RUNNING)


class JudgeVerdict(models.Model):
    """A judge's verdict on one attempt. It never touches the check's."""

    judging = models.ForeignKey(
        Judging, on_delete=models.CASCADE, related_name="verdicts", db_index=False
    )
    attempt = models.ForeignKey("Attempt", on_delete=models.CASCADE, related_name="judge_verdicts")
    try_number = models.PositiveSmallIntegerField()
    verdict = models.CharField(max_length=12)  # pass | fail | cannot tell | judge error
    criteria = models.JSONField(default=list, blank=True)  # [{"key", "answer", "steps", "why"}]
    extra = models.JSONField(default=dict, blank=True)  # of the pairwise form
    reason = models.TextField(blank=True)
    problem = models.TextField(blank=True)  # why it is a judge error
    raw = models.BinaryField(default=bytes)  # pack() of the last reply, bounded
    replies = models.PositiveSmallIntegerField(default=0)
    replied_as = models.CharField(max_length=300, blank=True)  # model that the endpoint named
    prompt_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    judged_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["judging", "attempt"], name="judge_verdict_once")
        ]

    def __str__(self) -> str:
        return f"{self.verdict} on attempt {self.attempt_id}"


class HumanLabel(models.Model):
    """One reader's own verdict on an attempt, against which judges are measured."""

    attempt = models.ForeignKey(
        "Attempt", on_delete=models.CASCADE, related_name="labels", db_index=False
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="human_labels"
    )
    try_number = models.PositiveSmallIntegerField()
    passed = models.BooleanField()
    words = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["attempt", "author"], name="human_label_once")
        ]

    def __str__(self) -> str:
        return f"label of attempt {self.attempt_id}"
