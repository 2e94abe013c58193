"""Has a suite's checks judge files that somebody brings in, as if an attempt had left them here.

The files come as one zip with a folder for each task, called by its key: the outputs in
`KEY/output/…`, the answer in `KEY/answer.txt`. All of it may lie in one more folder.
"""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from leaderboard.accounts import quotas as submission_quotas
from leaderboard.models import Entry, Import, RecordedAttempt, Run, Suite, Upload, clean, pack
from leaderboard.storage import blobs
from leaderboard.submissions.run_actions import brought_entry, start
from leaderboard.submissions.submission import refusal
from leaderboard.uploads import quotas
from leaderboard.uploads.archive import BROKEN, FREE_BYTES, MAX_LISTED, MAX_RATIO, is_aside, told
from leaderboard.uploads.reading import count
from leaderboard.uploads.receive import KIND, ReceivedFile, too_large
from runner.contract import ProblemError

OUTPUT, ANSWER = "output", "answer.txt"
MAX_ANSWER_BYTES = 1 << 20
MAX_DEPTH = 20
FILES, FILE_BYTES, TOTAL_BYTES = 500, 64 << 20, 256 << 20  # of a task, as of an attempt's own
MAX_REASONS = 1_000
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others unpack a block whole, of any size
LAYOUT = f"Send a zip with KEY/{OUTPUT}/… and KEY/{ANSWER} for each task, KEY being the task's key."


@dataclass
class BroughtTask:
    """Files of one task: of each its name in the archive, and its path among the outputs."""

    files: list[tuple[str, str]] = field(default_factory=list)
    answer: str = ""
    size_bytes: int = 0


@dataclass
class BroughtOutputs:
    """An archive, sorted by the tasks of a suite."""

    tasks: dict[str, BroughtTask] = field(default_factory=dict)
    aside: list[tuple[str, str]] = field(default_factory=list)  # name, and the reason as a sentence


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
    submission_quotas.require(owner)
    found = next((each for each in playable_suites() if each.name == suite), None)
    if found is None:
        raise refusal(
            "unknown_suite",
            f"There is no suite “{clean(suite, 60)}” whose tasks can be judged.",
            "Choose one of the installed suites.",
        )
    if file.size_bytes > quotas.most_bytes():
        raise ProblemError(too_large())
    upload = quotas.take_place(owner, file.sha256, file.size_bytes)
    keys = found.tasks.values_list("key", flat=True)
    outputs = read_archive(file, frozenset(keys))
    with file.path.open("rb") as source:
        blob = blobs.keep(source, KIND, file.sha256, file.size_bytes)
    name = clean(title.strip() or PurePosixPath(file.name).stem, 180) or "Files"
    with transaction.atomic():
        entry = brought_entry(
            owner,
            Entry.Provenance.RE_SCORED,
            name,
            "unknown",
            "Files that somebody made elsewhere, judged here by the suite's checks. "
            "How they were made is not known here.",
        )
        run = start(entry, found, is_public=False, tasks=outputs.tasks)
        run.provider, run.environment = "", {"files from": f"sha256:{file.sha256}"}
        run.save(update_fields=["provider", "environment"])
        for attempt in run.attempts.select_related("task"):
            brought = outputs.tasks[attempt.task.key]
            body: dict[str, Any] = {"steps": [], "messages": [], "answer": brought.answer}
            body |= {"archive": blob.storage_name, "files": brought.files}
            RecordedAttempt.objects.create(attempt=attempt, body=pack(body))
        Import.objects.create(blob=blob, run=run, name=file.name, report=report_of(outputs))
        Upload.objects.filter(pk=upload.pk).update(run=run)
    return run


def report_of(outputs: BroughtOutputs) -> dict[str, Any]:
    return {
        "rows": len(outputs.tasks),
        "refused": len(outputs.aside),
        "errors": [
            {"file": clean(name, 500), "unit": "", "line": 0, "reason": reason}
            for name, reason in outputs.aside[:MAX_REASONS]
        ],
        "format": f"outputs of {count(len(outputs.tasks), 'task')}",
        "losses": [],
    }


def read_archive(file: ReceivedFile, keys: Collection[str]) -> BroughtOutputs:
    """Sort the archive's list of files by task; only the answers are unpacked.

    Raises ProblemError for what is no zip, is damaged, unpacks to too much, or fits no task.
    """
    if not zipfile.is_zipfile(file.path):
        raise refusal("no_zip", f"{file.name} is no zip archive.", LAYOUT)
    try:
        with zipfile.ZipFile(file.path) as archive:
            entries = [e for e in archive.infolist() if not e.is_dir()]
            require_bounded(file, entries)
            outputs = sort_entries(archive, entries, keys)
    except BROKEN as error:
        what = f"{file.name} is damaged or cut off ({told(error)})."
        raise refusal("broken_zip", what, "Make it again.") from None
    if not outputs.tasks:
        names = ", ".join(sorted(keys)[:3])
        raise refusal(
            "no_task",
            f"{file.name} has no files of a task of this suite, whose keys are {names} and so on.",
            LAYOUT,
        )
    return outputs


def require_bounded(file: ReceivedFile, entries: Sequence[zipfile.ZipInfo]) -> None:
    """Sizes are as the archive states them: no more than that is ever unpacked."""
    total = sum(entry.file_size for entry in entries)
    if len(entries) > MAX_LISTED:
        what = f"{file.name} has more than {MAX_LISTED:,} files."
    elif any(entry.flag_bits & 1 for entry in entries):
        what = f"{file.name} is encrypted."
    elif total > FREE_BYTES and total > MAX_RATIO * file.size_bytes:
        what = f"{file.name} unpacks to more than {MAX_RATIO} times its size."
    else:
        return
    raise refusal("bad_zip", what, LAYOUT)


def sort_entries(
    archive: zipfile.ZipFile, entries: Sequence[zipfile.ZipInfo], keys: Collection[str]
) -> BroughtOutputs:
    outputs = BroughtOutputs()
    last = {entry.filename: entry for entry in entries}  # what every program unpacks
    for entry in entries:
        if is_aside(entry.filename):
            continue
        key, path = place_of(entry.filename, keys)
        reason = refuse_entry(entry, key, path, outputs)
        if not reason and last[entry.filename] is not entry:
            reason = "A later file has the same name."
        if reason:
            outputs.aside.append((entry.filename, reason))
            continue
        task = outputs.tasks.setdefault(key, BroughtTask())
        if path == ANSWER:
            task.answer = clean(read_answer(archive, entry).decode("utf-8", "replace"))
        else:
            task.files.append((entry.filename, path.removeprefix(f"{OUTPUT}/")))
            task.size_bytes += entry.file_size
    return outputs


def read_answer(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Content of a file that says it is small enough: no more is unpacked, whatever is true."""
    with archive.open(entry) as content:
        return content.read(MAX_ANSWER_BYTES + 1)


def place_of(name: str, keys: Collection[str]) -> tuple[str, str]:
    """The task's key and the path below its folder; "" for what lies in no task's folder."""
    parts = name.replace("\\", "/").split("/")  # some archivers of Windows write their own
    if parts[0] not in keys and is_below(parts[:1]):
        parts = parts[1:]  # an archive of a folder has its name before all others
    return (parts[0], "/".join(parts[1:])) if len(parts) > 1 and parts[0] in keys else ("", "")


def is_below(parts: Sequence[str]) -> bool:
    """True if none of the parts leads out of a folder. Of other names the worker takes its pick."""
    return not {"", ".", ".."} & set(parts)


def refuse_entry(entry: zipfile.ZipInfo, key: str, path: str, outputs: BroughtOutputs) -> str:
    """Why a file is not taken, as a sentence; "" when it is."""
    task = outputs.tasks.get(key, BroughtTask())
    is_link = entry.external_attr >> 28 == 0xA  # a symbolic link's file type
    parts = path.split("/")
    if not key:
        return "It lies in no folder that is called like a task."
    if entry.compress_type not in PACKED:
        return "It is packed in another way than by deflate, the usual one."
    if path == ANSWER:
        return "" if entry.file_size <= MAX_ANSWER_BYTES else "The answer is larger than 1 MiB."
    if parts[0] != OUTPUT or len(parts) < 2:
        return f"It is neither {ANSWER} nor in the folder {OUTPUT}."
    if is_link:
        return "It is a link."
    if len(parts) > MAX_DEPTH or not is_below(parts):
        return "Its path cannot be stored."
    if entry.file_size > FILE_BYTES:
        return f"It is larger than {FILE_BYTES >> 20} MiB."
    if task.size_bytes + entry.file_size > TOTAL_BYTES:
        return f"The files of its task are larger than {TOTAL_BYTES >> 20} MiB together."
    if len(task.files) >= FILES:
        return f"Its task has more than {FILES} files."
    return ""
