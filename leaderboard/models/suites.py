"""Rows of the benchmark itself: suites and their tasks."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.urls import reverse

from leaderboard.models.querysets import SuiteManager


class Suite(models.Model):
    """One version of a suite. Its digest covers tasks, inputs, checks and environment."""

    name = models.SlugField(max_length=60)
    version = models.CharField(max_length=40)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    digest = models.CharField(max_length=64)
    seed = models.BigIntegerField()  # of the season under way
    # Seasons that ended, the first first: [{"seed": 7, "ended_on": "2026-11-22"}]. One with another
    # seed is under way.
    past_seasons = models.JSONField(default=list, blank=True)
    categories = models.JSONField(default=list)  # [{"key": "chart", "title": "Chart analysis"}]
    limits = models.JSONField(default=dict)  # fields of runner.contract.Limits
    environment = models.CharField(max_length=64, blank=True)  # digest of the kernel environment
    is_recorded = models.BooleanField(default=False)  # made from a file: without inputs and checks
    is_private = models.BooleanField(default=False, db_default=False)  # made from an upload
    # Tasks that cannot be played here: [{"key", "title", "category", "reason"}]; never counted.
    unavailable = models.JSONField(default=list, blank=True)
    # Its tasks by facet: {"skill": {"charts": 9}, "file": {"csv": 7}}.
    facets = models.JSONField(default=dict, blank=True)
    installed_at = models.DateTimeField(auto_now_add=True)
    # How often a run changed that its board may show, and at which of them it was placed last.
    changes = models.PositiveBigIntegerField(default=1)
    placed_changes = models.PositiveBigIntegerField(default=0)
    # How often a stored place of its runs changed, and how many have one in the season under way:
    # `leaderboard.scoring.standings`.
    placings = models.PositiveBigIntegerField(default=0, db_default=0)
    ranked = models.PositiveIntegerField(default=0, db_default=0)

    objects = SuiteManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "version"], name="suite_version")]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"

    @property
    def reference(self) -> str:
        return f"{self.name}@{self.version}"

    def task_keys(self) -> list[str]:
        """Keys of its tasks, in the order in which ranks are computed over them."""
        return [*self.tasks.order_by("pk").values_list("key", flat=True)]

    def ledger_facts(self) -> dict[str, Any]:
        """Facts from which its boards can be made with those of its runs."""
        return {
            "suite": self.reference,
            "title": self.title,
            "digest": self.digest,
            "seed": self.seed,
            "past_seeds": [int(past["seed"]) for past in self.past_seasons],
            "tasks": self.task_keys(),
        }

    def has_season_of(self, seed: int) -> bool:
        """True if runs with this seed share a board; another seed makes instances of its own."""
        return seed in {self.seed, *(int(past["seed"]) for past in self.past_seasons)}


class SuiteProof(models.Model):
    """The last proof of a suite version: its references pass, wrong solutions and floors fail."""

    suite = models.OneToOneField(Suite, on_delete=models.CASCADE, related_name="proof")
    facts = models.JSONField()  # as leaderboard.suites.health.shortened writes them
    digest = models.CharField(max_length=64)  # of the suite's folder as it was proved
    stored_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"proof of {self.suite}"


class Task(models.Model):
    """One task of a suite version."""

    suite = models.ForeignKey(Suite, on_delete=models.CASCADE, related_name="tasks", db_index=False)
    key = models.SlugField(max_length=80)
    position = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    category = models.CharField(max_length=40)
    query = models.TextField()
    language = models.CharField(max_length=12, default="en")
    strength = models.CharField(max_length=12, default="content")
    note = models.TextField(blank=True)
    guessable = models.TextField(blank=True)  # why an answer without work may pass; "": none may
    inputs = models.JSONField(default=list)  # file names under ./data
    outputs = models.JSONField(default=list)  # file names expected under ./output
    skills = models.JSONField(default=list, blank=True)  # beyond what its file types show
    english = models.CharField(max_length=200, blank=True)  # title, if its own is foreign
    english_query = models.TextField(blank=True)
    digest = models.CharField(max_length=64)
    # Attempts with a verdict, of published runs of models that are over, in the season under way:
    # `leaderboard.scoring.standings`.
    decided = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)
    # Ranked models of the season, and the mean of their shares of passed attempts: each counts
    # once, however many runs and attempts it has (`leaderboard.scoring.standings`).
    ranked = models.PositiveIntegerField(default=0, db_default=0)
    rate = models.FloatField(default=0, db_default=0.0)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["suite", "key"], name="task_key")]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        return reverse("task", args=[self.suite.name, self.key])
