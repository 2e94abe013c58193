"""Keeps what an account brings in: its file, and a private run with the attempts it holds."""

from __future__ import annotations

import pickle
import secrets
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from tempfile import TemporaryFile
from typing import IO, Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import F

from leaderboard.accounts.quotas import lock, note_run
from leaderboard.failures.tagging import conclude_safely
from leaderboard.models import AccountUse, Attempt, Blob, Entry, Import, Run, Suite, Task, clean
from leaderboard.scoring.summaries import summarise
from leaderboard.storage import blobs
from leaderboard.storage.short_transactions import write_in_short_transactions
from leaderboard.trajectories.import_file import (
    list_categories,
    list_writes,
    numbered,
    pack_attempt,
    pack_step,
    record_run,
    write_task,
)
from leaderboard.trajectories.readers.pybench_jsonl import TURN_LIMIT
from leaderboard.uploads import quotas
from leaderboard.uploads.confined import BUSY, one_at_a_time, read_confined
from leaderboard.uploads.reading import Brought, read_in_parts
from leaderboard.uploads.receive import KIND, ReceivedFile, too_large
from leaderboard.uploads.same_tasks import find_same, list_installed
from runner.contract import ProblemError, refusal

CONCLUDED_S = 5.0  # then tags are left to the sweep
MAX_NAMED = 3  # of what was not taken, in a refusal
ONE_AT_A_TIME = threading.Lock()  # of a process: what is packed and tagged may be large


@dataclass(frozen=True)
class ReadUpload:
    """A file that was counted, read and stored, and holds an attempt."""

    use: AccountUse | None  # None of somebody without an account
    file: ReceivedFile
    blob: Blob
    brought: Brought
    rows: IO[bytes]  # an attempt's after another's, packed
    known_tasks: int  # attempts at tasks of installed suites


@dataclass(frozen=True)
class StoredUpload:
    """A file whose rows are written, in a run that has no owner yet."""

    read: ReadUpload
    run: Run


def bring_in(owner: AbstractBaseUser, file: ReceivedFile, title: str = "") -> Run:
    """The private run of an uploaded file; the one that is there if it came before.

    Raises ProblemError when the file is too large, holds no attempt, or is one too many.
    """
    known = find_known(owner, file)
    if known is not None:
        return known
    with one_at_a_time(owner.pk):
        run = hand_over(owner, store(read_in(owner, file), title))
    conclude_soon(run)
    return run


def read_in(owner: AbstractBaseUser, file: ReceivedFile) -> ReadUpload:
    """Count the file, read it and store its bytes. Raises ProblemError."""
    use, parts = count_and_read(owner, file, read_in_parts)
    return keep_read(file, parts, use)


def keep_read(
    file: ReceivedFile, parts: Iterator[Any], use: AccountUse | None = None
) -> ReadUpload:
    """Pack the attempts of a file that was read, and store its bytes. Raises ProblemError."""
    brought: Brought = next(parts)
    if not brought.attempts:
        raise refusal("upload_refused", say_refused(file.name, brought), "Nothing was kept.")
    with ExitStack() as kept:
        rows = kept.enter_context(TemporaryFile())
        known_tasks = pack_attempts(parts, rows)
        read = ReadUpload(use, file, store_bytes(file), brought, rows, known_tasks)
        weakref.finalize(read, kept.pop_all().close)  # the rows end with what was read
    return read


def count_and_read(
    owner: AbstractBaseUser, file: ReceivedFile, read: Callable[..., Iterable[Any]], *more: object
) -> tuple[AccountUse, Iterator[Any]]:
    """Count the file and have `read` look into it, in a process of its own.

    Returns the use beside the answer's parts. Never within a transaction: a refused file stays
    counted, and nobody waits for a lock while it is read. Raises ProblemError.
    """
    if file.size_bytes > quotas.most_bytes():
        raise ProblemError(too_large())
    if not file.size_bytes:
        raise refusal("upload_empty", f"{file.name} is empty.", "Choose another file.")
    use = quotas.use_upload(owner, file.size_bytes)
    try:
        return use, read_confined(read, file.path, file.name, *more)
    except ProblemError as error:
        if error.problem is BUSY:  # it was not read
            use.delete()
        raise


def store_bytes(file: ReceivedFile) -> Blob:
    with file.path.open("rb") as source:
        return blobs.keep(source, KIND, file.sha256, file.size_bytes)


def store(read: ReadUpload, title: str) -> StoredUpload:
    """Write the rows in short transactions: others write between them.

    The run has no owner until `hand_over`. The sweep deletes one that stays without
    (`delete.delete_old`).
    """
    run = write_run(read.file, read.brought, title)
    write_attempts(run, read)
    summarise(run)
    return StoredUpload(read, run)


@transaction.atomic
def hand_over(owner: AbstractBaseUser, stored: StoredUpload) -> Run:
    """Give the upload to its owner: it was stored whole.

    Another process may have been faster with the same file; then its run is the upload.
    """
    read, run = stored.read, stored.run
    lock(owner)
    known = find_known(owner, read.file)
    if known is not None:
        return known
    report = {**report_of(read.brought), "same_tasks": read.known_tasks}
    Import.objects.create(blob=read.blob, run=run, name=read.file.name, report=report)
    run.entry.owner_id = owner.pk
    run.entry.save(update_fields=["owner"])
    Run.objects.filter(pk=run.pk).update(sequence=F("sequence") + 1)  # has it filed anew
    if read.use:
        note_run(read.use, run)
    return run


def find_known(owner: AbstractBaseUser, file: ReceivedFile) -> Run | None:
    same = Import.objects.filter(blob_id=file.sha256, run__entry__owner_id=owner.pk)
    found = same.filter(run__suite__is_private=True).select_related("run").first()
    return found.run if found else None


def say_refused(name: str, brought: Brought) -> str:
    """A file and the first reasons why nothing of it was taken."""
    if brought.refusal:
        return f"{name} was not taken. {brought.refusal}"
    parts = [say_part(part.file, part.unit, part.line, part.what) for part in brought.refused]
    said = " ".join(parts[:MAX_NAMED])
    more = brought.refused_count - MAX_NAMED
    rest = f" And {more:,} more." if more > 0 else ""
    return clean(f"{name} has no attempt that can be shown. {said}{rest}".strip())


def say_part(file: str, unit: str, line: int, what: str) -> str:
    place = " ".join(part for part in (file, f"{unit} {line}" if unit else "") if part)
    return f"{place[0].upper()}{place[1:]}: {what}" if place else what


def report_of(brought: Brought) -> dict[str, Any]:
    """Fate of each part of the file, as JSON."""
    return {
        "rows": len(brought.attempts),
        "refused": brought.refused_count,
        "errors": [
            {"file": clean(p.file), "unit": p.unit, "line": p.line, "reason": clean(p.what)}
            for p in brought.refused
        ],
        "format": clean(brought.description),
        "losses": [clean(sentence) for sentence in brought.losses],
    }


@transaction.atomic
def write_run(file: ReceivedFile, brought: Brought, title: str) -> Run:
    """A suite, an entry and a run that nobody sees, under names that nobody guesses."""
    rows = [one.row for one in brought.attempts]
    limits = {"max_turns": max(TURN_LIMIT, brought.most_steps)}
    name = f"upload-{secrets.token_hex(12)}"
    suite = Suite.objects.create(
        name=name,
        version=file.sha256[:12],
        title=clean(f"Tasks of {file.name}", 200),
        description="Made from an upload: it has no inputs and no checks.",
        digest=file.sha256,
        seed=0,
        categories=list_categories(rows),
        limits=limits,
        is_recorded=True,
        is_private=True,
    )
    models = {row.model for row in rows if row.model}
    entry = Entry.objects.create(
        slug=name,
        name=clean(title.strip() or PurePosixPath(file.name).stem, 200) or "Upload",
        model_name=clean(models.pop(), 300) if len(models) == 1 else "unknown",
        provenance=Entry.Provenance.RECORDED,
        description=clean(f"Uploaded as {file.name} ({brought.description}); not judged here."),
    )
    return record_run(entry, suite, numbered(rows), is_public=False)


def pack_attempts(parts: Iterator[Any], rows: IO[bytes]) -> int:
    """Pack the attempts into a file for the rows, before a transaction makes others wait.

    `parts` are those of `read_in_parts` after the first. Steps of one batch are in memory at a
    time, of all uploads of this process.

    Returns the number of attempts at tasks of installed suites.
    """
    known, installed = 0, list_installed()
    for one in parts:
        same = find_same(one.row, installed)
        known += same is not None
        more = {
            "file": clean(one.file),
            "losses": [clean(sentence) for sentence in one.losses],
            "same_task": same.facts if same else None,
        }
        pickle.dump(pack_attempt(one.row, None, more), rows)
        is_over = False
        while not is_over:
            with ONE_AT_A_TIME:
                packed = [pack_step(step) for step in next(parts)]
                pickle.dump(packed, rows)
                is_over = not packed
                del packed
    rows.seek(0)
    return known


def write_attempts(run: Run, read: ReadUpload) -> None:
    write_in_short_transactions(list_rows(run, read))


def list_rows(run: Run, read: ReadUpload) -> Iterator[Callable[[], None]]:
    """The writes of all attempts, each beside its task's if that is new."""
    tasks = dict[str, Task]()
    attempts = read.brought.attempts
    for one, (key, number) in zip(attempts, numbered(one.row for one in attempts), strict=True):
        if key not in tasks:
            tasks[key] = write_task(run.suite, one.row, key, len(tasks) + 1)
        attempt, batches = pickle.load(read.rows), iter(partial(pickle.load, read.rows), [])
        yield from list_writes(run, tasks[key], number, attempt, batches)


def conclude_soon(run: Run) -> None:
    """Tag the first attempts now; the sweep does the rest."""
    until_s = time.monotonic() + CONCLUDED_S
    ids = Attempt.objects.filter(run=run).order_by("pk").values_list("pk", flat=True)
    for pk in list(ids):
        if time.monotonic() > until_s:
            break
        with ONE_AT_A_TIME:
            conclude_safely(pk)
