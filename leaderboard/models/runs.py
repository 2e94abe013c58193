"""Rows of what is played: runs, attempts, steps, and the diary of the queue."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.urls import reverse

from leaderboard.models.bodies import choices
from leaderboard.models.entries import Entry
from leaderboard.models.suites import Suite, Task
from leaderboard.querysets import AttemptManager, RunManager
from runner.contract import Outcome, Status


class Run(models.Model):
    """An entry on a suite version."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="runs")
    suite = models.ForeignKey(Suite, on_delete=models.PROTECT, related_name="runs")
    seed = models.BigIntegerField()
    attempts_per_task = models.PositiveSmallIntegerField(default=1)
    concurrency = models.PositiveSmallIntegerField(default=2)  # attempts in flight at once
    limits = models.JSONField(default=dict)
    environment = models.JSONField(default=dict, blank=True)  # sandbox kind, digests, versions
    status = models.CharField(max_length=12, choices=choices(Status), default=Status.QUEUED)
    is_public = models.BooleanField(default=True)
    is_public_later = models.BooleanField(default=False)  # from the end of its preflight on
    published_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)  # from the board, by its owner
    preflight = models.JSONField(default=dict, blank=True)  # what was measured before queueing
    # By the tests that the suite was published with: {"passed": 67, "tests": 143, "digest": …}.
    paper = models.JSONField(default=dict, blank=True)
    cancel_requested = models.BooleanField(default=False)
    sequence = models.PositiveBigIntegerField(default=0)  # bumped on change: the page's ETag
    woken_at = models.DateTimeField(null=True, blank=True)  # when workers were last told of it
    endpoint_failures = models.PositiveSmallIntegerField(default=0)  # in a row, weighted
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = RunManager()

    class Meta:
        indexes = [models.Index(fields=["suite", "status"])]

    def __str__(self) -> str:
        return f"run {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("run", args=[self.pk])

    @property
    def paper_rate(self) -> float | None:
        """UT (paper): the share of the published tests that passed; None without such a score."""
        tests = int(self.paper.get("tests", 0))
        return int(self.paper.get("passed", 0)) / tests if tests else None

    @property
    def is_over(self) -> bool:
        return self.status in (Status.DONE, Status.CANCELLED, Status.REFUSED)

    @property
    def is_played(self) -> bool:
        """Whether it got as far as the queue."""
        return self.status not in (Status.CHECKING, Status.REFUSED)

    @property
    def refusal(self) -> str:
        """Why the preflight refused it, in a sentence or two; "" for other runs."""
        if self.status != Status.REFUSED:
            return ""
        checks = self.preflight.get("checks", ())
        failed: dict[str, str] = next((c for c in checks if c.get("state") == "failed"), {})
        return f"{failed.get('said', '')} {failed.get('next_step', '')}".strip()


class Attempt(models.Model):
    """One try at one task, and its place in the queue."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="attempts")
    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="attempts")
    number = models.PositiveSmallIntegerField(default=1)  # 1..attempts_per_task
    category = models.CharField(max_length=40)  # the task's, so that aggregates need no join

    status = models.CharField(max_length=12, choices=choices(Status), default=Status.QUEUED)
    token = models.UUIDField(default=uuid.uuid4)  # the fencing token of the current claim
    lease_until = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)  # claims so far; also the try under way
    void_tries = models.PositiveSmallIntegerField(default=0)  # tries that ended void
    not_before = models.DateTimeField(null=True, blank=True)  # back-off after a void try
    worker = models.CharField(max_length=120, blank=True)

    outcome = models.CharField(max_length=20, choices=choices(Outcome), blank=True)
    passed = models.BooleanField(null=True, blank=True)  # sealed; None until judged, or void
    sentence = models.TextField(blank=True)  # the verdict in a sentence
    turns = models.PositiveSmallIntegerField(default=0)
    prompt_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    cached_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    reasoning_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    model_s = models.FloatField(default=0)
    cell_s = models.FloatField(default=0)
    wall_s = models.FloatField(default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    fault = models.CharField(max_length=12, blank=True)  # runner.contract.Fault
    problem_code = models.CharField(max_length=60, blank=True)
    problem = models.TextField(blank=True)  # what happened, one sentence
    next_step = models.TextField(blank=True)  # what to do, one sentence

    opening = models.BinaryField(default=bytes)  # pack() of runner.contract.Opening as a dict
    closing = models.BinaryField(default=bytes)  # pack({"answer": ..., "environment": {...}})

    objects = AttemptManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "task", "number"], name="attempt_once")
        ]
        indexes = [
            models.Index(
                fields=["lease_until"], condition=Q(status="running"), name="attempt_running"
            ),
            models.Index(fields=["run", "id"], condition=Q(status="queued"), name="attempt_queued"),
            models.Index(fields=["run", "category", "passed"], name="attempt_aggregate"),
            models.Index(fields=["task", "status", "passed", "run"], name="attempt_solved"),
        ]

    def __str__(self) -> str:
        return f"attempt {self.pk}"

    def get_absolute_url(self) -> str:
        url = reverse("replay", args=[self.run_id, self.task.key])
        return url if self.number == 1 else f"{url}?attempt={self.number}"

    @property
    def is_void(self) -> bool:
        """Ended without saying anything about the model."""
        return bool(self.outcome) and Outcome(self.outcome).is_void

    @property
    def state(self) -> str:
        """The word for a glyph: passed, failed, void, unjudged, running, queued or cancelled."""
        if self.status == Status.DONE:
            judged = {True: "passed", False: "failed", None: "unjudged"}  # unjudged: a recording
            return "void" if self.is_void else judged[self.passed]
        return str(self.status)


class Step(models.Model):
    """One model reply and what came of it. A void or lost try keeps its steps as evidence."""

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="steps")
    try_number = models.PositiveSmallIntegerField(default=1)
    index = models.PositiveSmallIntegerField()  # from 1
    status = models.CharField(max_length=12)  # runner.contract.StepStatus
    error_name = models.CharField(max_length=200, blank=True)  # "KeyError"
    prompt_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    model_s = models.FloatField(default=0)
    cell_s = models.FloatField(default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    codec = models.CharField(max_length=8, default="zstd")
    body = models.BinaryField()  # pack() of runner.contract.Step; images as {"blob": sha256}

    class Meta:
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["attempt", "try_number", "index"], name="step_once")
        ]
        indexes = [
            models.Index(
                fields=["error_name", "attempt"], condition=~Q(error_name=""), name="step_error"
            )
        ]

    def __str__(self) -> str:
        return f"step {self.index} of attempt {self.attempt_id}"


class StatusChange(models.Model):
    """The queue's diary: who moved which row from where to where, and why."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="status_changes")
    attempt = models.ForeignKey(
        Attempt, null=True, blank=True, on_delete=models.CASCADE, related_name="status_changes"
    )
    before = models.CharField(max_length=12, blank=True)
    after = models.CharField(max_length=12)
    reason = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.before} → {self.after}"
