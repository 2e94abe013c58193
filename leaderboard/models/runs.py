"""Rows of what is played: runs, attempts, steps, and the diary of the queue."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.models import Q
from django.urls import reverse

from leaderboard.models.packed_json import choices, unpack
from leaderboard.models.querysets import AttemptManager, RunManager, StepQuerySet
from runner.contract import HOST_LACKS, Outcome, Status

MAX_STEPS_BYTES = 16 << 20  # unpacked of a try, read together
EARLIER_REPLY_S = 180.0
KEY_CHECK = "key_check"  # in `Run.preflight`: the report on a key that was refused in a pause


class Run(models.Model):
    """An entry on a suite version."""

    entry = models.ForeignKey("Entry", on_delete=models.CASCADE, related_name="runs")
    suite = models.ForeignKey(
        "Suite", on_delete=models.PROTECT, related_name="runs", db_index=False
    )
    seed = models.BigIntegerField()
    # Key in the price book of who was asked (`leaderboard.money.providers`); an unknown one's host.
    provider = models.CharField(max_length=100, blank=True, default="", db_default="")
    attempts_per_task = models.PositiveSmallIntegerField(default=1)
    concurrency = models.PositiveSmallIntegerField(default=2)  # attempts in flight at once
    limits = models.JSONField(default=dict)
    # Of the entry's sampling, what its owner changed in a pause: max_tokens, stream.
    changed_sampling = models.JSONField(default=dict, blank=True, db_default={})
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
    # While it is paused: a worker checks the key with which it is to be resumed.
    is_checking_key = models.BooleanField(default=False, db_default=False)
    encrypted_new_key = models.BinaryField(null=True, blank=True)  # until it is checked
    # The ceiling and what is used of it: in tokens, or with prices in millionths of a dollar.
    ceiling = models.BigIntegerField(null=True, blank=True)
    ceiling_prices = models.JSONField(default=dict, blank=True)  # units per token, by prompt and …
    spent = models.BigIntegerField(default=0, db_default=0)
    reserved = models.BigIntegerField(default=0, db_default=0)  # for replies under way
    reserved_until = models.DateTimeField(null=True, blank=True)  # then none of them is
    stopped_for = models.CharField(max_length=12, blank=True, default="", db_default="")
    sequence = models.PositiveBigIntegerField(default=0)  # bumped on change: the page's ETag
    # Whether pages and counts over all runs know it as it is: `leaderboard.scoring.filing`.
    is_filed = models.BooleanField(default=False)
    # Whether the ledger has its verdicts as they are: `leaderboard.ledger.sealed_runs`.
    is_sealed = models.BooleanField(default=False, db_default=False)
    # Accounts but its owner that found its present manifest equal; None: nobody verified it.
    verified_by = models.PositiveIntegerField(null=True, blank=True)
    woken_at = models.DateTimeField(null=True, blank=True)  # when workers were last notified of it
    endpoint_failures = models.PositiveSmallIntegerField(default=0)  # in a row, weighted
    # Since its endpoint failed an attempt and replied to none.
    away_since = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = RunManager()

    class Meta:
        indexes = [
            models.Index(fields=["suite", "status"]),
            models.Index(fields=["id"], condition=Q(is_filed=False), name="run_unfiled"),
            models.Index(fields=["id"], condition=Q(is_sealed=False), name="run_unsealed"),
            models.Index(
                fields=["suite", "seed"], condition=Q(is_filed=False), name="run_of_board_unfiled"
            ),
        ]

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
    def sampling(self) -> dict[str, Any]:
        """Settings of the calls from now on: the entry's, with what was changed in a pause."""
        return {**self.entry.sampling, **self.changed_sampling}

    @property
    def is_mixed(self) -> bool:
        """True if the longest reply was changed in a pause: its attempts do not compare."""
        return "max_tokens" in self.changed_sampling

    @property
    def own_limits(self) -> list[str]:
        """Time limits that are not the suite's, in words: then no other run compares with it."""
        return list_own_limits(self.limits, self.suite.limits)

    @property
    def why_not_comparable(self) -> list[str]:
        """Why no other run compares with it, in words; [] for most runs."""
        if self.entry.is_human:
            return []
        mixed = ["the longest reply was changed while it ran"] if self.is_mixed else []
        return [*self.own_limits, *mixed]

    @property
    def is_over(self) -> bool:
        return self.status in (Status.DONE, Status.CANCELLED, Status.REFUSED)

    @property
    def is_played(self) -> bool:
        """True if it got as far as the queue."""
        return self.status not in (Status.CHECKING, Status.REFUSED)

    @property
    def refusal(self) -> str:
        """Why the preflight refused it, in a sentence or two; "" for other runs."""
        if self.status != Status.REFUSED:
            return ""
        return say_failed_check(self.preflight)

    @property
    def is_paused(self) -> bool:
        return self.status == Status.PAUSED and not self.cancel_requested

    @property
    def key_refusal(self) -> str:
        """Why the key given for resuming was refused, in a sentence or two; "" if none was."""
        return say_failed_check(self.preflight.get(KEY_CHECK, {})) if self.is_paused else ""


def list_own_limits(limits: Mapping[str, Any], standard: Mapping[str, Any]) -> list[str]:
    """Time limits among `limits` that differ from a suite's, in words.

    Until replies had a clock of their own every suite gave them 180 s.
    """
    named = (
        (what, limits.get(name), standard.get(name), earlier)
        for what, name, earlier in (
            ("cells and our own work", "attempt_timeout_s", None),
            ("one reply", "reply_timeout_s", EARLIER_REPLY_S),
        )
    )
    return [
        f"{own:g} s for {what} (suite: {usual:g} s)"
        for what, own, usual, earlier in named
        if own is not None and usual is not None and own not in (usual, earlier)
    ]


def say_failed_check(report: Mapping[str, Any]) -> str:
    """The first check of a preflight's report that failed, with what to do; "" if none did."""
    checks = report.get("checks", ())
    failed: dict[str, str] = next((c for c in checks if c.get("state") == "failed"), {})
    return f"{failed.get('said', '')} {failed.get('next_step', '')}".strip()


class Attempt(models.Model):
    """One try at one task, and its place in the queue."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="attempts", db_index=False)
    task = models.ForeignKey(
        "Task", on_delete=models.PROTECT, related_name="attempts", db_index=False
    )
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
    # Of the reply under way, as runner.contract.ReplyProgress has them.
    reply_chars = models.PositiveIntegerField(default=0, db_default=0)
    request_failures = models.PositiveIntegerField(default=0, db_default=0)
    request_failed = models.TextField(default="", blank=True, db_default="")
    prompt_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    cached_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    reasoning_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    model_s = models.FloatField(default=0)
    cell_s = models.FloatField(default=0)
    wall_s = models.FloatField(default=0)
    # Likeness of its code to the published solution most alike, 0..1; None: none to compare with.
    resemblance = models.FloatField(null=True, blank=True)
    # What its conclusion found, so that failures are counted in an index of this table alone: keys
    # of tags and names of exceptions, each between line breaks.
    first_failed_step = models.PositiveSmallIntegerField(null=True, blank=True)
    tag_list = models.TextField(blank=True, default="", db_default="")
    error_list = models.TextField(blank=True, default="", db_default="")
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
            models.Index(
                fields=[
                    *("passed", "run", "task", "outcome", "turns", "first_failed_step"),
                    *("tag_list", "error_list", "id"),
                ],
                condition=Q(status="done"),
                name="attempt_facets",
            ),
            models.Index(fields=["task", "-run", "number"], name="attempt_of_task"),
        ]

    def __str__(self) -> str:
        return f"attempt {self.pk}"

    def get_absolute_url(self) -> str:
        url = reverse("replay", args=[self.run_id, self.task.key])
        return url if self.number == 1 else f"{url}?attempt={self.number}"

    @property
    def raw_address(self) -> str:
        """Address of everything that is stored of it, as JSON."""
        address = reverse("attempt-json", args=[self.run_id, self.task.key])
        return address if self.number == 1 else f"{address}?attempt={self.number}"

    @property
    def run_and_number(self) -> str:
        """The attempt as addresses of a task's pages name it: "12", or "12.2"."""
        return str(self.run_id) if self.number == 1 else f"{self.run_id}.{self.number}"

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

    @property
    def has_use(self) -> bool:
        """True if it ended and was begun: then its steps and its time are numbers that happened."""
        return bool(self.outcome) and not (
            self.status == Status.CANCELLED and self.started_at is None
        )

    @property
    def waits_for_host(self) -> bool:
        """True until a machine that plays attempts has a tool that the check needs."""
        return self.status == Status.QUEUED and self.problem_code.startswith(HOST_LACKS)

    @property
    def counted_try(self) -> int:
        """The number of the try that counts: the last one."""
        return max(1, self.tries)

    def steps_that_count(self) -> list[dict[str, Any]]:
        """Every step of the try that counts, as runner.contract.Step's dicts.

        Steps that are too large to be read with the others are named with `left_out`, in words.
        """
        of_try = Step.objects.filter(attempt=self.pk, try_number=self.counted_try)
        rows, sizes = of_try.order_by("index").load_within(MAX_STEPS_BYTES)
        return [
            leave_out(row, sizes[row.pk]) if row.pk in sizes else unpack(row.body) for row in rows
        ]


def leave_out(step: Step, size_bytes: int) -> dict[str, Any]:
    """Placeholder for a step that is too large to be read with the others."""
    said = (
        f"Step {step.index} ({size_bytes:,} bytes) is left out: the attempt is too large. "
        f"steps/{step.index}.json has it alone."
    )
    return {"index": step.index, "status": step.status, "left_out": said, "notes": [said]}


class Step(models.Model):
    """One model reply and what came of it. A void or lost try keeps its steps as evidence."""

    attempt = models.ForeignKey(
        Attempt, on_delete=models.CASCADE, related_name="steps", db_index=False
    )
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

    objects = StepQuerySet.as_manager()

    class Meta:
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["attempt", "try_number", "index"], name="step_once")
        ]

    def __str__(self) -> str:
        return f"step {self.index} of attempt {self.attempt_id}"


class TypedText(models.Model):
    """A reply that a person typed: a cell, or the final answer."""

    attempt = models.ForeignKey(
        Attempt, on_delete=models.CASCADE, related_name="typed", db_index=False
    )
    index = models.PositiveSmallIntegerField()  # from 1
    text = models.TextField()
    is_answer = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["attempt", "index"], name="typed_once")]

    def __str__(self) -> str:
        return f"reply {self.index} of attempt {self.attempt_id}"


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


class Worker(models.Model):
    """A process that plays attempts, for as long as it renews its row."""

    name = models.CharField(max_length=120, unique=True)  # as `Attempt.worker` has it
    places = models.PositiveIntegerField()  # attempts in flight that it bears; 0: its disk is full
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name}: {self.places} places"


class TaskLock(models.Model):
    """Lock of a task that runs in one process at a time, held by a transaction."""

    name = models.CharField(max_length=40, primary_key=True)

    def __str__(self) -> str:
        return self.name


class WorkerPace(models.Model):
    """Parallel attempts that one worker finds an endpoint to take; written when that changes."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="paces", db_index=False)
    worker = models.CharField(max_length=120)
    limit = models.PositiveSmallIntegerField()  # at once, now
    highest = models.PositiveSmallIntegerField()  # that `limit` ever was
    # Why `limit` is below the submitter's: a runner.contract.LimitReason, "" if it is not.
    reason = models.CharField(max_length=12, blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "worker"], name="one_pace_per_worker_and_run")
        ]

    def __str__(self) -> str:
        return f"run {self.run_id} on {self.worker}: {self.limit}"
