"""Acts of the site as entries of the ledger, each appended in the transaction of the act."""

from __future__ import annotations

from typing import Any

from leaderboard.ledger.kinds import ActKind
from leaderboard.ledger.public_names import public_name
from leaderboard.models import BoardSnapshot, Entry, LedgerAct, Run, RunReview
from runner.evidence.chain import digest_of


def enter_start(run: Run, is_first: bool) -> None:
    """A run that begins; `is_first` of its entry."""
    entry, actor = run.entry, public_name(run.entry.owner_id)
    if is_first:
        of_run(run, ActKind.ENTRY, entry.slug, tell_entry(entry), actor)
    facts = {
        "run": run.pk,
        "entry": entry.slug,
        "suite": run.suite.reference,
        "seed": run.seed,
        "attempts_per_task": run.attempts_per_task,
    }
    of_run(run, ActKind.STARTED, name_run(run), facts, actor)


def tell_entry(entry: Entry) -> dict[str, Any]:
    """Public facts of an entry: neither its address nor its owner's fields."""
    names = ("slug", "name", "organisation", "model_name", "weights", "provenance", "action_format")
    return {name: getattr(entry, name) for name in names}


def enter_shown(run: Run, reason: str, actor: str = "") -> None:
    """A run that was published or withdrawn just now."""
    kind = ActKind.PUBLISHED if run.is_public else ActKind.WITHDRAWN
    by = actor or public_name(run.entry.owner_id)
    facts = {"run": run.pk, "reason": reason}
    LedgerAct.objects.enter(kind, name_run(run), facts, actor=by, run_number=run.pk)


def enter_review(review: RunReview, actor: str = "") -> None:
    """A review of a run that was opened, or in which a maintainer ruled."""
    facts = {"run": review.run_id, "review": review.ruling, "reasons": review.reasons}
    if review.ruling_reason:
        facts["reason"] = review.ruling_reason
    of_run(review.run, ActKind.RULING, name_run(review.run), facts, actor)


def enter_snapshot(snapshot: BoardSnapshot) -> None:
    facts = {
        "suite": snapshot.suite.reference,
        "season": snapshot.season,
        "day": snapshot.day.isoformat(),
        "rows": snapshot.rows,
        "body_sha256": digest_of(bytes(snapshot.body)),
    }
    LedgerAct.objects.enter(ActKind.SNAPSHOT, f"{snapshot.suite.reference} {snapshot.day}", facts)


def of_run(run: Run, kind: ActKind, subject: str, facts: dict[str, Any], actor: str) -> None:
    """An act about a run: its head names nobody unless the run is public."""
    LedgerAct.objects.enter(
        kind, subject, facts, actor=actor, run_number=run.pk, is_public=run.is_public
    )


def name_run(run: Run) -> str:
    return f"run {run.pk}"
