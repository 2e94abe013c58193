"""Evidence that a run's replies are no model's work: rules over its attempts' columns.

Whoever serves the published solutions passes everything, looks at nothing, and replies at once.
None of these is proof: a run that shows one is withheld from its place until a maintainer rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, F, Q, Sum

from leaderboard.ledger.acts import enter_review
from leaderboard.models import Attempt, Entry, Run, RunReview
from runner.contract import Status

ALIKE = 0.8  # of 133 recorded conversations of a real model the most alike has 0.34
LEAST_TASKS = 5
LEAST_SHARE = 0.2
MOST_TOKENS_PER_S = 10_000.0  # of one reply at a time: three times what the fastest services give
LEAST_TOKENS = 5_000


@dataclass(frozen=True)
class Evidence:
    """Counts over the attempts of a run that have a verdict."""

    comparable: int = 0  # with a published solution that is long enough
    alike: int = 0  # of these, with code like it
    passed: int = 0  # on tasks with input files
    unlooked: int = 0  # of these, without running any code
    tokens: int = 0  # completion tokens
    model_s: float = 0.0  # that the replies took

    @property
    def tokens_per_s(self) -> float:
        return self.tokens / self.model_s if self.model_s else 0.0

    @property
    def reasons(self) -> list[str]:
        """Sentences; none for a run that shows nothing of the kind."""
        found = []
        if is_much(self.alike, self.comparable):
            found.append(
                f"The code of {self.alike} of {self.comparable} attempts resembles the solutions "
                "that are published with the suite."
            )
        if is_much(self.unlooked, self.passed):
            found.append(
                f"{self.unlooked} of {self.passed} passed attempts on tasks with files ran no code:"
                " they never opened the files."
            )
        if self.tokens >= LEAST_TOKENS and self.tokens_per_s > MOST_TOKENS_PER_S:
            found.append(
                f"Replies came at {self.tokens_per_s:,.0f} tokens a second: no model is that fast."
            )
        return found


def is_much(count: int, total: int) -> bool:
    return count >= LEAST_TASKS and count >= LEAST_SHARE * total


def review_runs(run_ids: Iterable[int]) -> None:
    """Look at these runs, which are over; two queries, and one for each that shows something."""
    runs = Run.objects.filter(pk__in=list(run_ids), status=Status.DONE)
    ids = set(runs.filter(entry__provenance=Entry.Provenance.RUN_HERE).values_list("pk", flat=True))
    if not ids:
        return
    for run_id, evidence in gather(ids).items():
        if evidence.reasons:
            note(run_id, evidence)


def gather(run_ids: set[int]) -> dict[int, Evidence]:
    has_verdict = Q(passed__isnull=False)
    with_files = Q(passed=True) & ~Q(task__inputs=[])
    rows = (
        Attempt.objects.filter(has_verdict, run__in=run_ids)
        .values("run_id")
        .annotate(
            comparable=Count("pk", filter=Q(resemblance__isnull=False)),
            alike=Count("pk", filter=Q(resemblance__gte=ALIKE)),
            solved=Count("pk", filter=with_files),
            unlooked=Count("pk", filter=with_files & Q(cell_s=0)),
            tokens=Sum("completion_tokens"),
            asked_s=Sum(F("model_s")),
        )
        .order_by()
    )
    return {
        row["run_id"]: Evidence(
            row["comparable"],
            row["alike"],
            row["solved"],
            row["unlooked"],
            int(row["tokens"] or 0),
            float(row["asked_s"] or 0.0),
        )
        for row in rows
    }


def list_doubted(run: Run) -> list[Attempt]:
    """Attempts of a run that the evidence is about, with their tasks."""
    unlooked = Q(passed=True, cell_s=0) & ~Q(task__inputs=[])
    found = run.attempts.filter(Q(resemblance__gte=ALIKE) | unlooked, passed__isnull=False)
    return list(found.select_related("task").only("run_id", "number", "task").order_by("pk"))


def note(run_id: int, evidence: Evidence) -> None:
    """Keep the evidence; what a maintainer ruled stays as it was ruled."""
    reasons = evidence.reasons
    review, is_new = RunReview.objects.get_or_create(run_id=run_id, defaults={"reasons": reasons})
    if is_new:
        enter_review(review)
    elif review.reasons != reasons:
        review.reasons = reasons
        review.save(update_fields=["reasons"])
