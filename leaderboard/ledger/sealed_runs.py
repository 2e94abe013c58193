"""Enters runs that are over in the ledger: their outcomes, figures, and digests of verdicts.

Whoever changes a run takes its mark away (`Run.is_sealed`), as with `leaderboard.scoring.filing`.
The sweep looks at what has no mark and is over, a few runs at a time. A run that was sealed before
in this very state gets no second entry.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import zstandard
from django.db import transaction

from leaderboard.ledger.kinds import ActKind
from leaderboard.ledger.public_names import public_name
from leaderboard.models import (
    Attempt,
    LedgerAct,
    Run,
    RunSeal,
    RunSummary,
    Suite,
    Verdict,
    unpack,
)
from leaderboard.models.querysets import OVER
from runner.evidence.chain import canonical, digest_of

MAX_AT_ONCE = 16  # runs of one sweep
LETTERS = {True: "p", False: "f"}
NO_ATTEMPT = "-"
FIGURES = ("turns", "prompt_tokens", "completion_tokens", "wall_s")


def seal_runs(limit: int = MAX_AT_ONCE) -> int:
    """Enter the oldest runs that are over and not sealed; how many. One query where none is."""
    unsealed = Run.objects.filter(is_sealed=False, status__in=OVER).order_by("pk")
    runs = unsealed.select_related("entry", "suite").defer("preflight")[:limit]
    return sum(seal_run(run) for run in list(runs))


@transaction.atomic
def seal_run(run: Run) -> bool:
    """Enter the run's state unless it is the one last entered, or it changed meanwhile."""
    state = None if run.suite.is_private or not run.is_played else state_of(run)
    same = Run.objects.filter(pk=run.pk, sequence=run.sequence, status__in=OVER)
    if not same.update(is_sealed=True):
        return False
    if state is None:
        return True
    digest = digest_of(canonical(state))
    known = RunSeal.objects.filter(pk=run.pk).values_list("sha256", flat=True).first()
    if known != digest:
        new = {"sha256": digest, "statement": b"", "is_stated": False}
        RunSeal.objects.update_or_create(run=run, defaults=new)
        Run.objects.filter(pk=run.pk).update(verified_by=None)  # that was another state
        LedgerAct.objects.enter(
            ActKind.SEALED,
            f"run {run.pk}",
            state,
            actor=public_name(run.entry.owner_id),
            run_number=run.pk,
            is_public=run.is_public,
        )
    return True


def state_of(run: Run) -> dict[str, Any]:
    """Facts of a run that is over from which its row on the board can be made. Four queries."""
    rows = read_outcomes(run.pk)
    overall = RunSummary.objects.filter(run=run, category="").values(*FIGURES).first() or {}
    return {
        "run": run.pk,
        "suite": run.suite.reference,
        "suite_digest": run.suite.digest,
        "seed": run.seed,
        "attempts_per_task": run.attempts_per_task,
        "status": run.status,
        "finished_at": run.finished_at.isoformat() if run.finished_at else None,
        "entry": run.entry.slug,
        "name": run.entry.name,
        "organisation": run.entry.organisation,
        "provenance": run.entry.provenance,
        "outcomes": write_outcomes(run.suite, rows),
        "figures": dict(overall),
        "verdicts_sha256": digest_of(canonical(rows)),
        **({"not_comparable": reasons} if (reasons := run.why_not_comparable) else {}),
    }


def read_outcomes(run_id: int) -> list[list[Any]]:
    """Per attempt its task, number, outcome, passed, and digest of its strict verdict."""
    found: dict[int, str] = {}
    for verdict in Verdict.objects.filter(attempt__run=run_id, kind="strict").order_by("pk"):
        found[verdict.attempt_id] = digest_verdict(verdict)
    attempts = Attempt.objects.filter(run=run_id).order_by("task_id", "number")
    return [
        [key, number, outcome, passed, found.get(pk)]
        for pk, key, number, outcome, passed in attempts.values_list(
            "pk", "task__key", "number", "outcome", "passed"
        )
    ]


def digest_verdict(verdict: Verdict) -> str:
    """SHA-256 of a verdict's facts; the last one of an attempt counts."""
    return digest_of(canonical(tell_verdict(verdict)))


def tell_verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "passed": verdict.passed,
        "check_version": verdict.check_version,
        "sentence": verdict.sentence,
        "assertions": read_assertions(verdict),
    }


def read_assertions(verdict: Verdict) -> Any:
    """Its assertions; of a damaged row, which `manage.py verify` names, the digest of its bytes."""
    try:
        return unpack(verdict.body)
    except (zstandard.ZstdError, ValueError, MemoryError):
        return {"unreadable": digest_of(bytes(verdict.body))}


def write_outcomes(suite: Suite, rows: Iterable[Sequence[Any]]) -> str:
    """Per task of the suite, in the order of its entry, a letter for each attempt.

    "p" passed, "f" failed, "v" neither; "-" for a task without an attempt.
    """
    letters: Mapping[str, list[str]] = defaultdict(list)
    for key, _, _, passed, _ in rows:
        letters[key].append(LETTERS.get(passed, "v"))
    return " ".join("".join(letters[key]) or NO_ATTEMPT for key in suite.task_keys())
