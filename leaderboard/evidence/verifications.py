"""Verifications of runs that accounts report, and how many of them count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from leaderboard.evidence.manifests import read_statement
from leaderboard.ledger.acts import name_run, of_run
from leaderboard.ledger.kinds import ActKind
from leaderboard.ledger.public_names import public_name
from leaderboard.models import Run, RunVerification, clean
from runner.contract import refusal
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
    report_sha256: str


@transaction.atomic
def note_verification(
    run: Run,
    account: AbstractBaseUser,
    manifest_sha256: str,
    attempts: int,
    differences: Sequence[str],
    is_equal: bool,
    report_sha256: str,
) -> int:
    """Keep what an account reports, in place of what it reported before; how many count now.

    The ledger has one entry for an account, a manifest and a finding, however often it is sent.
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
            "Send what `pybench verify` found.",
        )
    _, is_new = RunVerification.objects.update_or_create(
        run=run,
        account_id=account.pk,
        manifest_sha256=manifest_sha256,
        is_equal=is_equal,
        defaults={
            "report_sha256": report_sha256,
            "attempts": attempts,
            "differences": [clean(line, MAX_LINE_CHARS) for line in differences[:MAX_LINES]],
            "at": timezone.now(),
        },
    )
    if is_new:
        facts = {
            "run": run.pk,
            "equal": is_equal,
            "attempts": attempts,
            "manifest": manifest_sha256,
            "report": report_sha256,
        }
        of_run(run, ActKind.VERIFIED, name_run(run), facts, public_name(account))
    newest = newest_reports(run, manifest_sha256)
    counted = sum(row.is_equal and row.account_id != run.entry.owner_id for row in newest)
    run.verified_by = counted
    run.save(update_fields=["verified_by"])
    return counted


def newest_reports(run: Run, manifest_sha256: str) -> list[RunVerification]:
    """The newest report of each account on this manifest, newest first."""
    rows = RunVerification.objects.filter(run=run, manifest_sha256=manifest_sha256)
    newest: dict[int, RunVerification] = {}
    for row in rows.order_by("-at", "-pk"):
        newest.setdefault(row.account_id, row)
    return list(newest.values())


def list_verifications(run: Run) -> list[ToldVerification]:
    """Verifications of the run's present manifest, newest first. Two queries; none without any."""
    if run.verified_by is None:
        return []
    statement = read_statement(run)
    rows = newest_reports(run, digest_of(statement)) if statement else []
    return [
        ToldVerification(
            public_name(row.account_id),
            f"{row.at:%Y-%m-%d}",
            row.is_equal,
            row.account_id == run.entry.owner_id,
            row.attempts,
            row.differences,
            row.report_sha256,
        )
        for row in rows[:MAX_SHOWN]
    ]
