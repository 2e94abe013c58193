"""Rows of what was concluded: sealed verdicts, and figures that can be rebuilt from rows."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Verdict(models.Model):
    """Result of a check for an attempt. Sealed: a new check version adds a row, never edits one.

    A version can return, when a correction is taken back: the newest row counts.
    """

    attempt = models.ForeignKey(
        "Attempt", on_delete=models.CASCADE, related_name="verdicts", db_index=False
    )
    try_number = models.PositiveSmallIntegerField(default=1)
    kind = models.CharField(max_length=12, default="strict")  # strict | paper | judge
    check_version = models.CharField(max_length=64)
    passed = models.BooleanField()
    sentence = models.TextField(blank=True)
    duration_s = models.FloatField(default=0)
    body = models.BinaryField()  # pack([runner.contract.Assertion as a dict, ...])
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["attempt", "kind", "-id"], name="verdict_newest")]

    def __str__(self) -> str:
        return f"{self.kind} verdict of attempt {self.attempt_id}"


class RunSummary(models.Model):
    """One run's figures, overall (category "") and per category: what `recompute` rebuilds."""

    run = models.ForeignKey(
        "Run", on_delete=models.CASCADE, related_name="summaries", db_index=False
    )
    category = models.CharField(max_length=40, blank=True)
    tasks = models.PositiveIntegerField(default=0)  # the denominator
    attempts = models.PositiveIntegerField(default=0)
    passed = models.PositiveIntegerField(default=0)  # attempts
    failed = models.PositiveIntegerField(default=0)
    void = models.PositiveIntegerField(default=0)
    open = models.PositiveIntegerField(default=0)  # queued, running or cancelled
    rate = models.FloatField(default=0)  # share of tasks passed, 0..1; mean over k attempts
    # 95 %: runner.run_figures.pass_interval. None of fewer tasks than have one.
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    turns = models.FloatField(null=True, blank=True)  # mean; a failed attempt counts max_turns
    turns_solved = models.FloatField(null=True, blank=True)  # mean over passed attempts
    prompt_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    model_s = models.FloatField(default=0)
    cell_s = models.FloatField(default=0)
    wall_s = models.FloatField(default=0)
    # What the figures are made of: leaderboard.scoring.figures.Counts; {} of rows from before there
    # were.
    counts = models.JSONField(default=dict, blank=True)
    # Tokens by price part: leaderboard.scoring.usage.UsageSums; None: not counted by an old worker.
    usage = models.JSONField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "category"], name="summary_once")]

    def __str__(self) -> str:
        return f"summary of run {self.run_id} {self.category or 'overall'}"


NO_PLACE: dict[str, int | None] = dict.fromkeys(("rank", "rank_low", "rank_high", "tie_group"))


class Standing(models.Model):
    """An entry's place on its suite's board, with what the tasks' chance leaves open.

    The entry ranks by the mean of its runs that count, and the newest of them has this row.
    Computed over the whole board when a run ends, never moved by a filter.
    """

    run = models.OneToOneField("Run", on_delete=models.CASCADE, related_name="standing")
    suite = models.ForeignKey(
        "Suite", on_delete=models.CASCADE, related_name="standings", db_index=False
    )
    rank = models.PositiveIntegerField()
    # The ranks that chance leaves open, the better end first. None on suites of too few tasks to
    # tell models apart: the order of their rates is no rank.
    rank_low = models.PositiveIntegerField(null=True)
    rank_high = models.PositiveIntegerField(null=True)
    # Share of the tasks by which the best run has to lead before chance is ruled out. None: placed
    # by an older method, until the next sweep.
    lead_needed = models.FloatField(null=True)
    runs = models.JSONField(default=list, db_default=[])  # numbers of those that count
    # Other runs of this model by its owner, over or paused, that are not public.
    not_shown = models.PositiveIntegerField(default=0, db_default=0)
    incomplete = models.PositiveIntegerField(default=0, db_default=0)  # public ones
    computed_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = [models.Index(fields=["suite", "rank", "run"], name="standing_best")]

    @property
    def is_told(self) -> bool:
        """True if there are tasks enough to tell models apart."""
        return self.rank_low is not None

    @property
    def may_be_best(self) -> bool:
        """True if no other run is above it beyond chance."""
        return self.rank_low == 1

    @property
    def facts(self) -> dict[str, int | None]:
        """Its rank, range and group for programs: 1 if it may be the best, else 2."""
        if not self.is_told:
            return NO_PLACE
        group = 1 if self.may_be_best else 2
        return {
            "rank": self.rank,
            "rank_low": self.rank_low,
            "rank_high": self.rank_high,
            "tie_group": group,
        }

    @property
    def words(self) -> str:
        """Its range, as in "1–3"; "" without one."""
        low, high = self.rank_low, self.rank_high
        return "" if low is None else str(low) if low == high else f"{low}–{high}"

    @property
    def further_words(self) -> str:
        """Runs that count in no rate, as in "3 not shown, 1 incomplete"; "" without one."""
        further = {"not shown": self.not_shown, "incomplete": self.incomplete}
        return ", ".join(f"{number} {word}" for word, number in further.items() if number)

    @property
    def runs_words(self) -> str:
        """As in "mean of 3 runs", "1 of 5 runs, 3 not shown, 1 incomplete"; "" for the only run of
        its owner."""
        count = max(1, len(self.runs))
        mean = "mean of " if count > 1 else ""
        if further := self.further_words:
            total = count + self.not_shown + self.incomplete
            return f"{mean}{count} of {total} runs, {further}"
        return f"{mean}{count} runs" if mean else ""

    def __str__(self) -> str:
        return self.words


class FailureTag(models.Model):
    """Why an attempt failed, as computed from its rows by `leaderboard.failures.tags`."""

    attempt = models.ForeignKey(
        "Attempt", on_delete=models.CASCADE, related_name="tags", db_index=False
    )
    tag = models.CharField(max_length=40)
    position = models.PositiveSmallIntegerField()  # 0 is the primary one
    version = models.CharField(max_length=12)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["attempt", "tag"], name="tag_once")]
        indexes = [models.Index(fields=["tag", "position"])]

    def __str__(self) -> str:
        return self.tag


class AttemptText(models.Model):
    """Searchable text of an attempt: code, outputs and answer, bounded and without NULs."""

    attempt = models.OneToOneField("Attempt", on_delete=models.CASCADE, related_name="text")
    body = models.TextField()

    def __str__(self) -> str:
        return f"text of attempt {self.attempt_id}"


class RunReview(models.Model):
    """Evidence that a run's replies are no model's work, and what a maintainer ruled."""

    class Ruling(models.TextChoices):
        OPEN = "open"
        CLEARED = "cleared"  # it has its place
        UPHELD = "upheld"  # it has none

    run = models.OneToOneField("Run", on_delete=models.CASCADE, related_name="review")
    reasons = models.JSONField(default=list)  # sentences
    ruling = models.CharField(max_length=12, choices=Ruling.choices, default=Ruling.OPEN)
    ruled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True
    )
    ruled_at = models.DateTimeField(null=True, blank=True)
    ruling_reason = models.TextField(blank=True)  # in the maintainer's words, public with the run
    answer = models.TextField(blank=True)  # in the owner's words, public with the run
    answered_at = models.DateTimeField(null=True, blank=True)
    found_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"review of run {self.run_id}"

    @property
    def is_withheld(self) -> bool:
        """True if the run has no place because of it."""
        return self.ruling != self.Ruling.CLEARED


class StepNote(models.Model):
    """A note or a label of one reader, pinned to a step. It says nothing of the verdict."""

    attempt = models.ForeignKey("Attempt", on_delete=models.CASCADE, related_name="notes")
    try_number = models.PositiveSmallIntegerField()
    index = models.PositiveSmallIntegerField()  # of the step, from 1
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="step_notes"
    )
    label = models.CharField(max_length=40, blank=True)
    text = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["index", "id"]

    def __str__(self) -> str:
        return f"note on step {self.index} of attempt {self.attempt_id}"
