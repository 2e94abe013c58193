"""Has a suite's checks judge files that somebody brings in, as if an attempt had left them here."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from leaderboard.accounts import quotas
from leaderboard.models import (
    AccountUse,
    Blob,
    Entry,
    Import,
    RecordedAttempt,
    Run,
    Suite,
    clean,
    pack,
)
from leaderboard.submissions.run_actions import brought_entry, start
from leaderboard.uploads.confined import one_at_a_time
from leaderboard.uploads.keep import count_and_read, store_bytes
from leaderboard.uploads.outputs import ANSWER, OUTPUT, BroughtOutputs, read_in_one_part
from leaderboard.uploads.reading import count
from leaderboard.uploads.receive import ReceivedFile
from runner.contract import refusal

LAYOUT = f"Send a zip with KEY/{OUTPUT}/… and KEY/{ANSWER} for each task, KEY being the task's key."


@dataclass(frozen=True)
class ReadOutputs:
    """Files to be judged by a suite: counted, read and stored."""

    use: AccountUse
    file: ReceivedFile
    blob: Blob
    suite: Suite
    outputs: BroughtOutputs


def playable_suites() -> list[Suite]:
    """The newest version of each suite whose tasks can be played, by name."""
    newest: dict[str, Suite] = {}
    for suite in Suite.objects.shown().filter(is_recorded=False).order_by("pk"):
        newest[suite.name] = suite
    return [newest[name] for name in sorted(newest)]


def score_files(owner: AbstractBaseUser, file: ReceivedFile, suite: str, title: str = "") -> Run:
    """Queue a private run that judges the files of the archive. Raises ProblemError.

    It counts as an upload and as a submission, and waits for its turn as any other run.
    """
    with one_at_a_time(owner.pk):
        return queue_scoring(owner, read_to_score(owner, file, suite), title)


def read_to_score(owner: AbstractBaseUser, file: ReceivedFile, suite: str) -> ReadOutputs:
    """Count the archive, read it and store its bytes. Raises ProblemError."""
    quotas.require(owner)
    found = next((each for each in playable_suites() if each.name == suite), None)
    if found is None:
        raise refusal(
            "unknown_suite",
            f"There is no suite “{clean(suite, 60)}” whose tasks can be judged.",
            "Choose one of the installed suites.",
        )
    keys = frozenset(found.tasks.values_list("key", flat=True))
    use, parts = count_and_read(owner, file, read_in_one_part, keys)
    outputs: BroughtOutputs = next(parts)
    if outputs.refusal:
        raise refusal("upload_refused", clean(outputs.refusal), LAYOUT)
    return ReadOutputs(use, file, store_bytes(file), found, outputs)


@transaction.atomic
def queue_scoring(owner: AbstractBaseUser, read: ReadOutputs, title: str) -> Run:
    """Write the rows of the run. Raises ProblemError without a submission left."""
    submission = quotas.use(owner, AccountUse.Kind.SUBMISSION)
    file, outputs = read.file, read.outputs
    entry = brought_entry(
        owner,
        Entry.Provenance.RE_SCORED,
        clean(title.strip() or PurePosixPath(file.name).stem, 180) or "Files",
        "unknown",
        "Files that somebody made elsewhere, judged here by the suite's checks. "
        "How they were made is not known here.",
    )
    run = start(entry, read.suite, is_public=False, tasks=outputs.tasks)
    run.provider, run.environment = "", {"files from": f"sha256:{file.sha256}"}
    run.save(update_fields=["provider", "environment"])
    for attempt in run.attempts.select_related("task"):
        brought = outputs.tasks[attempt.task.key]
        body: dict[str, Any] = {"steps": [], "messages": [], "answer": clean(brought.answer)}
        body |= {"archive": read.blob.storage_name, "files": [asdict(f) for f in brought.files]}
        RecordedAttempt.objects.create(attempt=attempt, body=pack(body))
    Import.objects.create(blob=read.blob, run=run, name=file.name, report=report_of(outputs))
    for use in (read.use, submission):
        quotas.note_run(use, run)
    return run


def report_of(outputs: BroughtOutputs) -> dict[str, Any]:
    return {
        "rows": len(outputs.tasks),
        "refused": outputs.aside_count,
        "errors": [
            {"file": clean(name, 500), "unit": "", "line": 0, "reason": reason}
            for name, reason in outputs.aside
        ],
        "format": f"outputs of {count(len(outputs.tasks), 'task')}",
        "losses": [],
    }
