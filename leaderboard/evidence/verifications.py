"""Verifications of runs that accounts made on their own machines, and how many of them count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from leaderboard.evidence.stored_statements import read_statement
from leaderboard.ledger.entries import append
from leaderboard.ledger.kinds import ActKind
from leaderboard.ledger.public_names import public_name
from leaderboard.models import Run, RunVerification, clean
from runner.contract import Fault, Problem, ProblemError
from runner.evidence.chain import digest_of

MAX_SHOWN = 50
MAX_LINES = 100
MAX_LINE_CHARS = 300


@dataclass(frozen=True)
class ToldVerification:
    """A verification as the run's page and the API show it."""

    by: str
    day: str
    is_equal: bool
    is_own: bool  # of the run's owner: it does not count
    attempts: int
    differences: list[str]


@transaction.atomic
def note_verification(
    run: Run,
    account: AbstractBaseUser,
    manifest_sha256: str,
    attempts: int,
    differences: Sequence[str],
    is_equal: bool,
) -> int:
    """Keep what an account found, in place of what it found before; how many count now.

    ProblemError for another manifest than the run's present one, and for equal findings about
    fewer attempts than have a verdict.
    """
    run = Run.objects.select_for_update().select_related("entry").get(pk=run.pk)
    statement = read_statement(run)
    if statement is None or digest_of(statement) != manifest_sha256:
        raise refusal(
            "other_manifest",
            "The run's manifest is another one now.",
            "Verify the run again and send what comes out.",
        )
    judged = run.attempts.filter(passed__isnull=False).count()
    if is_equal and (differences or attempts != judged):
        raise refusal(
            "findings_not_equal",
            f"The run has {judged} verdicts. Equal findings are about all of them, without a "
            "difference.",
            "Send what `python -m runner verify` found.",
        )
    RunVerification.objects.update_or_create(
        run=run,
        account_id=account.pk,
        defaults={
            "manifest_sha256": manifest_sha256,
            "is_equal": is_equal,
            "attempts": attempts,
            "differences": [clean(line, MAX_LINE_CHARS) for line in differences[:MAX_LINES]],
            "at": timezone.now(),
        },
    )
    facts = {"run": run.pk, "equal": is_equal, "attempts": attempts, "manifest": manifest_sha256}
    append(ActKind.VERIFIED, f"run {run.pk}", facts, actor=public_name(account), run=run)
    counted = count(run, manifest_sha256)
    run.verified_by = counted
    run.save(update_fields=["verified_by"])
    return counted


def refusal(code: str, what: str, next_step: str) -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, code, what, next_step))


def count(run: Run, manifest_sha256: str) -> int:
    """Accounts but the run's owner that found this manifest equal."""
    equal = RunVerification.objects.filter(run=run, manifest_sha256=manifest_sha256, is_equal=True)
    return equal.exclude(account=run.entry.owner_id).count()


def list_verifications(run: Run) -> list[ToldVerification]:
    """Verifications of the run's present manifest, newest first. Two queries; none without any."""
    if run.verified_by is None:
        return []
    rows = list(RunVerification.objects.filter(run=run)[:MAX_SHOWN])
    statement = read_statement(run)
    present = digest_of(statement) if statement else ""
    return [
        ToldVerification(
            public_name(row.account_id),
            f"{row.at:%Y-%m-%d}",
            row.is_equal,
            row.account_id == run.entry.owner_id,
            row.attempts,
            row.differences,
        )
        for row in rows
        if row.manifest_sha256 == present
    ]
