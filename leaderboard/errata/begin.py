"""Begins an erratum: the suite's checks become the corrected ones, and stored results wait."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Subquery

from leaderboard.board.queries import load_board
from leaderboard.board.records import list_records
from leaderboard.ledger.kinds import ActKind
from leaderboard.models import (
    Attempt,
    Erratum,
    LedgerAct,
    Rejudgement,
    Ruling,
    Suite,
    Task,
    Verdict,
    clean,
    pack,
)
from leaderboard.snapshots.keep import NAMES
from runner.contract import Status, refusal
from runner.suite.library_pack import check_library
from runner.suite.reader import Suite as SuiteFolder
from runner.suite.reader import digest_of

MAX_REASON_CHARS = 2_000
AT_ONCE = 1_000


def find_suite(folder: SuiteFolder) -> Suite:
    """The newest version with runs whose checks are others than the folder's."""
    played = Suite.objects.filter(name=folder.name, is_recorded=False, runs__isnull=False)
    suite: Suite | None = played.exclude(digest=folder.digest).distinct().order_by("-pk").first()
    if suite is None:
        raise refusal(
            "no_other_checks",
            f"All runs on {folder.name} were judged by the checks as they are.",
            "Correct the check's file first.",
        )
    return suite


def find_digests(suite: Suite, folder: SuiteFolder) -> dict[str, list[str]]:
    """Of each task of both: its file's digest before and now, and its checks' version now.

    The version (`runner.task_code.verdict.check_version`) also moves with the check library.
    """
    there = {task.spec.key: task for task in folder.tasks}
    digests = {}
    for task in suite.tasks.all():
        found = there.get(task.key)
        if found is None:
            continue
        version = digest_of([found.path, *check_library()])
        digests[task.key] = [task.digest, found.digest, version]
        if found.spec.query != task.query:
            raise refusal(
                "another_task",
                f"The query of {task.key} changed too: that is another task.",
                "Install the suite as a new version, and leave its runs as they are.",
            )
    return digests


@transaction.atomic
def begin_erratum(
    folder: SuiteFolder, reason: str, ruling: Ruling | None = None, actor: str = ""
) -> Erratum:
    """Store the erratum with each result that it concerns. Raises ProblemError."""
    words = clean(reason, MAX_REASON_CHARS).strip()
    if not words:
        raise refusal("no_reason", "The reason is missing.", "Say what was wrong with the check.")
    suite = find_suite(folder)
    digests = find_digests(suite, folder)
    records = list_records(load_board(suite, suite.tasks.count()))
    erratum = Erratum.objects.create(
        suite=suite,
        ruling=ruling,
        reason=words,
        tasks=digests,
        digest_before=suite.digest,
        digest_now=folder.digest,
        board_before=pack([{**record, **dict.fromkeys(NAMES)} for record in records]),
    )
    enqueue(erratum)
    keys = erratum.rejudgements.values_list("attempt__task__key", flat=True).order_by()
    concerned = set(keys.distinct())
    erratum.tasks = {
        key: facts for key, facts in digests.items() if facts[0] != facts[1] or key in concerned
    }
    erratum.save(update_fields=["tasks"])
    if ruling is not None:
        require_fit(ruling, erratum)
    for key, (_, digest, _) in erratum.tasks.items():
        Task.objects.filter(suite=suite, key=key).update(digest=digest)
    Suite.objects.filter(pk=suite.pk).update(digest=folder.digest)
    unplayed = Suite.objects.filter(name=suite.name, digest=folder.digest, runs=None)
    unplayed.exclude(pk=suite.pk).delete()
    facts: dict[str, Any] = {
        "erratum": erratum.pk,
        "suite": suite.reference,
        "tasks": erratum.tasks,
        "reason": words,
    }
    LedgerAct.objects.enter(ActKind.ERRATUM, f"erratum {erratum.pk}", facts, actor=actor)
    return erratum


def require_fit(ruling: Ruling, erratum: Erratum) -> None:
    key = ruling.dispute.attempt.task.key
    if ruling.kind != Ruling.Kind.CHECK_WRONG or key not in erratum.tasks:
        raise refusal(
            "another_ruling",
            f"This ruling is “{ruling.kind}” about {key}.",
            "Name a ruling “check wrong” about a task whose check changed.",
        )


def enqueue(erratum: Erratum) -> int:
    """Add each result that was judged by a check as it was before; how many are new."""
    newest = Verdict.objects.filter(attempt=OuterRef("pk"), kind="strict").order_by("-pk")
    added = 0
    for key, (_, _, version) in erratum.tasks.items():
        attempts = (
            Attempt.objects.filter(
                run__suite=erratum.suite_id,
                task__key=key,
                status=Status.DONE,
                passed__isnull=False,
            )
            .annotate(judged_by=Subquery(newest.values("check_version")[:1]))
            .exclude(judged_by=version)
            .exclude(rejudgements__erratum=erratum)
        )
        rows = [
            Rejudgement(erratum=erratum, attempt_id=pk, before=passed, sentence_before=sentence)
            for pk, passed, sentence in attempts.values_list("pk", "passed", "sentence")
        ]
        Rejudgement.objects.bulk_create(rows, AT_ONCE, ignore_conflicts=True)
        added += len(rows)
    return added
