"""Notes what changed, in the transaction that changes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from leaderboard.ledger.kinds import ActKind
from leaderboard.models import (
    Erratum,
    LedgerAct,
    PublicChange,
    Rejudgement,
    Run,
    RunReview,
    Suite,
)
from runner.contract import Status

MAX_LISTED = 100  # models of a change of prices that are named

PRICE_WORDS = {"new": "added", "old": "corrected", "gone": "removed"}

Kind = PublicChange.Kind


def note_placed(
    suite: Suite, ranges: Mapping[int, tuple[int | None, int | None]], gone: Sequence[int]
) -> None:
    """Runs that came onto the board with these rank ranges, and runs that lost their place.

    One query for the runs and one for the changes; none without either.
    """
    if not ranges and not gone:
        return
    found = Run.objects.filter(pk__in=[*ranges, *gone]).select_related("review")
    runs = {run.pk: run for run in found}
    lost = {runs[pk].entry_id: pk for pk in gone if pk in runs}
    changes = []
    for pk, (low, high) in ranges.items():
        if pk in runs:
            facts: dict[str, Any] = {"rank_low": low, "rank_high": high}
            before = lost.pop(runs[pk].entry_id, None)
            if before and runs[before].is_public:
                facts["counts_with"] = before
            changes.append(make(Kind.ADDED, suite, runs[pk], facts))
    # What its owner withdrew was noted then.
    left = [runs[pk] for pk in lost.values() if runs[pk].is_public]
    changes += [make(Kind.WITHDRAWN, suite, run, reason=why_left(suite, run)) for run in left]
    PublicChange.objects.bulk_create(changes)


def why_left(suite: Suite, run: Run) -> str:
    if not suite.has_season_of(run.seed):
        return "it was played with a seed of its own"
    review: RunReview | None = getattr(run, "review", None)
    if review is not None and review.is_withheld:
        return "its place is withheld " + (
            "while it is reviewed" if review.ruling == RunReview.Ruling.OPEN else "after a review"
        )
    others = Run.objects.filter(entry=run.entry_id, suite=suite, seed=run.seed)
    if others.filter(withdrawn_at__gt=run.created_at, status=Status.DONE).exists():
        return "another run of this model was withdrawn"
    return "it is no longer complete"


def note_withdrawn(run: Run, *, is_by_owner: bool) -> None:
    """A run of a model that had ended on a board, and that everybody could read until now."""
    if run.is_over and run.entry.is_model and run.suite.has_season_of(run.seed):
        by = "its owner" if is_by_owner else "a maintainer"
        make(Kind.WITHDRAWN, run.suite, run, reason=f"withdrawn by {by}").save()


def note_erratum(erratum: Erratum) -> None:
    """Corrected checks judged what is stored; counts are of public runs."""
    rows = Rejudgement.objects.filter(erratum=erratum, attempt__run__is_public=True)
    judged = rows.exclude(now=None)
    changed = judged.filter(before=True, now=False).count()
    changed += judged.filter(before=False, now=True).count()
    facts = {
        "erratum": erratum.pk,
        "tasks": sorted(erratum.tasks)[:MAX_LISTED],
        "judged": judged.count(),
        "changed": changed,
    }
    make(Kind.ERRATUM, erratum.suite, None, facts, erratum.reason[:300]).save()


def note_suite(suite: Suite, what: str, facts: Mapping[str, Any], reason: str = "") -> None:
    """`what`: "installed", "updated", "unavailable" or "season"."""
    make(Kind.SUITE, suite, None, {"what": what, **facts}, reason).save()
    kind = ActKind.SEASON if what == "season" else ActKind.SUITE
    LedgerAct.objects.enter(kind, suite.reference, {"what": what, **facts, **suite.ledger_facts()})


def note_prices(reason: str, **rows: Sequence[Mapping[str, Any]]) -> None:
    """Rows of the price book that are `new`, `old` (as they were before a correction) or `gone`.

    Each has the provider as pages show it, the model, the day and the amounts.
    """
    counts = {word: len(rows.get(key, ())) for key, word in PRICE_WORDS.items()}
    listed = {key: [dict(row) for row in rows.get(key, ())[:MAX_LISTED]] for key in PRICE_WORDS}
    if any(counts.values()):
        PublicChange(kind=Kind.PRICES, facts={**counts, **listed}, reason=reason[:300]).save()
        told = {key: [dict(row) for row in each] for key, each in rows.items()}
        LedgerAct.objects.enter(ActKind.PRICES, "price book", {"reason": reason, **told})


def make(
    kind: PublicChange.Kind,
    suite: Suite,
    run: Run | None,
    facts: Mapping[str, Any] | None = None,
    reason: str = "",
) -> PublicChange:
    return PublicChange(
        kind=kind,
        suite=suite.reference,
        run_number=run.pk if run else None,
        facts=dict(facts or {}),
        reason=reason,
    )
