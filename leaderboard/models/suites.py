"""Rows of the benchmark itself: suites and their tasks."""

from __future__ import annotations

from django.db import models
from django.urls import reverse


class Suite(models.Model):
    """One version of a suite. Its digest covers tasks, inputs, checks and environment."""

    name = models.SlugField(max_length=60)
    version = models.CharField(max_length=40)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    digest = models.CharField(max_length=64)
    seed = models.BigIntegerField()
    categories = models.JSONField(default=list)  # [{"key": "chart", "title": "Chart analysis"}]
    limits = models.JSONField(default=dict)  # fields of runner.contract.Limits
    environment = models.CharField(max_length=64, blank=True)  # digest of the kernel environment
    is_recorded = models.BooleanField(default=False)  # made from a file: without inputs and checks
    # Tasks that cannot be played here: [{"key", "title", "category", "reason"}]; never counted.
    unavailable = models.JSONField(default=list, blank=True)
    installed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "version"], name="suite_version")]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"


class SuiteProof(models.Model):
    """The last proof of a suite version: its references pass, wrong solutions and floors fail."""

    suite = models.OneToOneField(Suite, on_delete=models.CASCADE, related_name="proof")
    facts = models.JSONField()  # as leaderboard.health.shortened writes them
    digest = models.CharField(max_length=64)  # of the suite's folder as it was proved
    stored_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"proof of {self.suite}"


class Task(models.Model):
    """One task of a suite version."""

    suite = models.ForeignKey(Suite, on_delete=models.CASCADE, related_name="tasks")
    key = models.SlugField(max_length=80)
    position = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    category = models.CharField(max_length=40)
    query = models.TextField()
    language = models.CharField(max_length=12, default="en")
    strength = models.CharField(max_length=12, default="content")
    note = models.TextField(blank=True)
    inputs = models.JSONField(default=list)  # file names under ./data
    outputs = models.JSONField(default=list)  # file names expected under ./output
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["suite", "key"], name="task_key")]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        return reverse("task", args=[self.suite.name, self.key])
