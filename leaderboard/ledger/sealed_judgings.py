"""Enters judges' verdicts on a run in the ledger once they are complete: letters and a digest.

Whoever changes them takes the judging's mark away (`Judging.is_sealed`); the sweep looks at what
is done and has no mark. A set of verdicts that was entered before gets no second entry.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.db import transaction

from leaderboard.ledger.kinds import ActKind
from leaderboard.ledger.public_names import public_name
from leaderboard.models import Attempt, JudgeVerdict, Judging, LedgerAct, LedgerPayload
from runner.contract import JudgingState
from runner.evidence.chain import canonical, digest_of
from runner.judge.reply_schema import CANNOT_TELL, ERROR, FAIL, PASS

MAX_AT_ONCE = 16  # judgings of one sweep
LETTERS = {PASS: "p", FAIL: "f", CANNOT_TELL: "c", ERROR: "e"}
NOT_JUDGED = "."
NO_ATTEMPT = "-"
COLUMNS = ("verdict", "criteria", "extra", "reason", "problem", "replied_as")


def seal_judgings() -> int:
    """Enter the oldest complete sets of verdicts; how many. One query where none waits."""
    waiting = Judging.objects.filter(is_sealed=False, state=JudgingState.DONE).order_by("pk")
    rows = waiting.select_related("run__suite", "run__entry", "judge", "reference")
    return sum(seal_judging(judging) for judging in list(rows[:MAX_AT_ONCE]))


@transaction.atomic
def seal_judging(judging: Judging) -> bool:
    """Enter the verdicts unless they are those last entered, or they change just now."""
    rows = read_verdicts(judging)
    digest = digest_of(canonical(rows))
    same = Judging.objects.filter(pk=judging.pk, is_sealed=False, state=JudgingState.DONE)
    if not same.update(is_sealed=True, sealed_sha256=digest):
        return False
    if judging.run.suite.is_private or digest == judging.sealed_sha256:
        return False
    facts = {
        **tell_judging(judging),
        "verdicts": write_letters(judging, rows),
        "verdicts_sha256": digest,
        "before_sha256": judging.sealed_sha256 or None,
    }
    enter(judging, ActKind.JUDGED, facts)
    return True


def reopen_judging(judging: Judging, reason: str) -> None:
    """Note that verdicts that were entered are superseded, in the transaction that does it."""
    if judging.sealed_sha256 and not judging.run.suite.is_private:
        facts = {**tell_judging(judging), "verdicts_sha256": judging.sealed_sha256}
        enter(judging, ActKind.JUDGED_ANEW, {**facts, "reason": reason})
    judging.is_sealed, judging.sealed_sha256 = False, ""


def enter(judging: Judging, kind: ActKind, facts: dict[str, Any]) -> None:
    run = judging.run
    LedgerAct.objects.enter(
        kind,
        f"run {run.pk}",
        facts,
        actor=public_name(judging.asked_by_id),
        run_number=run.pk,
        is_public=run.is_public,
    )


def tell_judging(judging: Judging) -> dict[str, Any]:
    """Facts of a judging: whose verdicts they are, and on what."""
    judge, reference = judging.judge, judging.reference
    return {
        "run": judging.run_id,
        "suite": judging.run.suite.reference,
        "judge": judge.slug,
        "model": judge.model_name,
        "form": judge.form,
        "is_scripted": judge.is_scripted,
        "judge_digest": judge.digest,
        "reference": reference.pk if reference and reference.is_public else None,
    }


def read_verdicts(judging: Judging) -> list[list[Any]]:
    """Per attempt its task, number, and of the try that counts the verdict and its digest."""
    found: dict[int, tuple[int, str, str]] = {}
    for row in JudgeVerdict.objects.filter(judging=judging).defer("raw"):
        told = {name: getattr(row, name) for name in COLUMNS}
        found[row.attempt_id] = (row.try_number, row.verdict, digest_of(canonical(told)))
    attempts = Attempt.objects.filter(run=judging.run_id).order_by("task_id", "number")
    rows: list[list[Any]] = []
    for pk, key, number, tries in attempts.values_list("pk", "task__key", "number", "tries"):
        judged_try, verdict, digest = found.get(pk, (None, None, None))
        counts = judged_try == tries
        rows.append([key, number, verdict, digest] if counts else [key, number, None, None])
    return rows


def write_letters(judging: Judging, rows: list[list[Any]]) -> str:
    """As the letters of a sealed run: per task of the suite a letter for each attempt.

    "p" pass, "f" fail, "c" cannot tell, "e" judge error, "." not judged; "-" without an attempt.
    """
    letters: dict[str, list[str]] = defaultdict(list)
    for key, _, verdict, _ in rows:
        letters[key].append(LETTERS.get(verdict, NOT_JUDGED))
    keys = judging.run.suite.task_keys()
    return " ".join("".join(letters[key]) or NO_ATTEMPT for key in keys)


def find_judging_faults() -> Iterator[str]:
    """A sentence for each complete set of verdicts that is not the one entered in the ledger."""
    entered = read_entered()
    sealed = Judging.objects.filter(is_sealed=True, state=JudgingState.DONE)
    rows = sealed.filter(run__suite__is_private=False).select_related("judge")
    for judging in rows.order_by("pk").iterator(500):
        digest = digest_of(canonical(read_verdicts(judging)))
        if entered.get((judging.run_id, judging.judge.slug)) == digest:
            continue
        if Judging.objects.filter(pk=judging.pk, is_sealed=True).exists():
            yield (
                f"judging {judging.pk}: verdicts of “{judging.judge.slug}” on run "
                f"{judging.run_id} are not those in the ledger"
            )


def read_entered() -> dict[tuple[int, str], str]:
    """Digests of the verdicts entered last, by run and judge, with those that have no number
    yet."""
    found: dict[tuple[int, str], str] = {}
    marked = f'"kind":"{ActKind.JUDGED}"'
    stored = LedgerPayload.objects.filter(body__contains=marked).order_by("number")
    waiting = LedgerAct.objects.filter(payload__contains=marked).order_by("pk")
    for bodies in (
        stored.values_list("body", flat=True),
        waiting.values_list("payload", flat=True),
    ):
        for body in bodies.iterator(500):
            payload = json.loads(body)
            if payload["kind"] == ActKind.JUDGED:
                facts = payload["facts"]
                found[facts["run"], facts["judge"]] = facts["verdicts_sha256"]
    return found
