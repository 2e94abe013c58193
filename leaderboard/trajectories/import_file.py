"""Brings a file of recorded trajectories in: a suite, an entry and a run without verdicts.

All rows are written in one transaction, after every line was read: nothing is half-imported. The
file's bytes are kept, and each attempt knows the place of its line in them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import slugify

from leaderboard.failures.tagging import conclude_safely
from leaderboard.models import Attempt, Entry, Import, Run, Step, StepFile, Suite, Task, clean, pack
from leaderboard.models.statements import insert, insert_one
from leaderboard.scoring.summaries import summarise
from leaderboard.storage import attempt_rows, blobs
from leaderboard.trajectories.readers.any_format import read_any
from leaderboard.trajectories.readers.attempt_reading import AttemptReading, Row
from leaderboard.trajectories.readers.pybench_jsonl import TURN_LIMIT
from runner.contract import Fault, Problem, ProblemError, Status, Usage
from runner.contract import Step as RecordedStep

MAX_FILE_BYTES = 256 << 20
MAX_ERRORS = 1_000  # kept in the report
STEPS_AT_ONCE = 500  # written together
MAX_OUTPUTS = 50  # of one task
MAX_NAME_CHARS = 300  # of one output
UNLABELLED = "other"
ASIDE = re.compile(r"[（(].*")
OUTPUT = re.compile(r"output/([\w.\-/]++)")
UP_TO_ENDING = re.compile(r".+\.\w{1,8}")
CHINESE = re.compile("[\u4e00-\u9fff]")

Place = tuple[int, int]  # offset and length of a line in its file, in bytes


@dataclass(frozen=True)
class Names:
    """Names of the imported rows."""

    file: str
    suite: str  # a slug
    entry: str


def names_for(file: str, suite: str = "", entry: str = "") -> Names:
    stem = PurePosixPath(file).stem
    slug = slugify(suite or f"{stem}-recorded")[:60]
    return Names(file[:200], slug or "recorded", (entry or f"{stem} (recorded)")[:200])


def imported_by_us() -> QuerySet[Import]:
    """Files that maintainers imported, not those that accounts brought in."""
    ours = Import.objects.filter(run__isnull=False, run__suite__is_private=False)
    return ours.exclude(run__entry__provenance=Entry.Provenance.RE_SCORED)


def import_file(data: bytes, names: Names, *, is_public: bool = True) -> Import:
    """Store the file and its attempts. ProblemError when it holds none, or is here already."""
    if len(data) > MAX_FILE_BYTES:
        raise refusal("import_too_long", f"The file is longer than {MAX_FILE_BYTES >> 20} MiB.")
    digest = hashlib.sha256(data).hexdigest()
    known = imported_by_us().filter(blob=digest).first()
    if known:
        raise refusal("import_known", f"The same file was imported as run {known.run_id}.")
    reading = read_any(data, names.file)
    if not reading.rows:
        raise refusal("import_empty", f"No line of the file has an attempt. {first_of(reading)}")
    blob = blobs.keep_bytes(data, "trajectories.jsonl")
    with transaction.atomic():
        run = write_run(reading.rows, names, digest, is_public)
        write_attempts(run, reading.rows, places_of(data) if has_lines(data, reading) else [])
        imported = Import.objects.create(
            blob=blob, run=run, name=names.file, report=report_of(reading)
        )
    for pk in run.attempts.values_list("pk", flat=True):
        conclude_safely(pk)
    return imported


def refusal(code: str, what: str) -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, code, what, "Nothing was imported."))


def first_of(reading: AttemptReading) -> str:
    errors = reading.errors
    return f"Line {errors[0].line}: {errors[0].what}" if errors else "It is empty."


def report_of(reading: AttemptReading) -> dict[str, object]:
    errors = [{"line": e.line, "reason": clean(e.what)} for e in reading.errors]
    return {"rows": len(reading.rows), "refused": len(errors), "errors": errors[:MAX_ERRORS]}


def has_lines(data: bytes, reading: AttemptReading) -> bool:
    """True if each attempt is a line of the file, as it is stored."""
    return all(row.raw for row in reading.rows) and not data.startswith(b"\x1f\x8b")


def places_of(data: bytes) -> list[Place]:
    """Place of each line; none if the file is not in an encoding that keeps its bytes."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return []
    places, offset = [], 3 if data.startswith(b"\xef\xbb\xbf") else 0
    for line in data[offset:].split(b"\n"):
        places.append((offset, len(line)))
        offset += len(line) + 1
    return places


def write_run(rows: Sequence[Row], names: Names, digest: str, is_public: bool) -> Run:
    """The suite that the file speaks of, an entry marked as recorded, and a run that is over."""
    limits = {"max_turns": max([TURN_LIMIT, *(len(row.steps) for row in rows)])}
    suite = Suite.objects.create(
        name=names.suite,
        version=digest[:12],
        title=f"Tasks of {names.file}",
        description="Made from a file of recorded trajectories: it has no inputs and no checks.",
        digest=digest,
        seed=0,
        categories=list_categories(rows),
        limits=limits,
        is_recorded=True,
    )
    entry = Entry.objects.create(
        slug=free_slug(names.entry),
        name=clean(names.entry),
        model_name="unknown",
        provenance=Entry.Provenance.RECORDED,
        description=f"Recorded elsewhere, read from {names.file}, and not judged here.",
    )
    return record_run(entry, suite, numbered(rows), is_public=is_public)


def record_run(
    entry: Entry, suite: Suite, numbers: Iterable[tuple[str, int]], *, is_public: bool
) -> Run:
    """A run that is over, of attempts with these tasks and numbers."""
    now = timezone.now()
    return Run.objects.create(
        entry=entry,
        suite=suite,
        seed=suite.seed,
        attempts_per_task=max(number for _, number in numbers),
        limits=suite.limits,
        status=Status.DONE,
        is_public=is_public,
        published_at=now if is_public else None,
        started_at=now,
        finished_at=now,
    )


def free_slug(name: str) -> str:
    base = slugify(name)[:60] or "recorded"
    taken = set(Entry.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(
        slug
        for slug in (base, *(f"{base}-{n}" for n in range(2, len(taken) + 3)))
        if slug not in taken
    )


def list_categories(rows: Iterable[Row]) -> list[dict[str, str]]:
    """The file's first labels in the order of their number of attempts."""
    counts: dict[str, int] = {}
    titles: dict[str, str] = {}
    for row in rows:
        key = category_key(row)
        counts[key] = counts.get(key, 0) + 1
        titles.setdefault(key, clean(row.categories[0]) or "Other")
    keys = sorted(counts, key=lambda key: -counts[key])
    return [{"key": key, "title": titles[key]} for key in keys]


def category_key(row: Row) -> str:
    """The label without what it adds in brackets."""
    return clean(ASIDE.sub("", row.categories[0]).strip(), 40) or UNLABELLED


def numbered(rows: Iterable[Row]) -> list[tuple[str, int]]:
    """Each row's task and which attempt at it the row is."""
    counts: dict[str, int] = {}
    found = []
    for row in rows:
        key = task_key(row)
        counts[key] = counts.get(key, 0) + 1
        found.append((key, counts[key]))
    return found


def task_key(row: Row) -> str:
    return slugify(row.index)[:80] or f"line-{row.line}"


def write_attempts(run: Run, rows: Sequence[Row], places: Sequence[Place]) -> None:
    tasks: dict[str, Task] = {}
    for row, (key, number) in zip(rows, numbered(rows), strict=True):
        if key not in tasks:
            tasks[key] = write_task(run.suite, row, key, len(tasks) + 1)
        place = places[row.line - 1] if places else None
        steps = [pack_step(step) for step in row.steps]
        write_attempt(run, tasks[key], number, pack_attempt(row, place), steps)
    summarise(run)


def write_task(suite: Suite, row: Row, key: str, position: int, strength: str = "none") -> Task:
    query = clean(row.query)
    title = clean(row.categories[2] or row.categories[1])
    return Task.objects.create(
        suite=suite,
        key=key,
        position=position,
        title=f"{key} · {title}"[:200] if title else key,
        category=category_key(row),
        query=query,
        language="zh" if CHINESE.search(query) else "en",
        strength=strength,
        inputs=[clean(name) for name in row.inputs],
        outputs=outputs_in(query),
        digest=hashlib.sha256(query.encode()).hexdigest(),
    )


def outputs_in(query: str) -> list[str]:
    """The first names under ./output that a query mentions, as far as each has an ending."""
    words = dict.fromkeys(OUTPUT.findall(query))
    matches = (UP_TO_ENDING.match(word[:MAX_NAME_CHARS]) for word in words)
    names = (match[0] for match in matches if match)
    return sorted(set(islice(names, MAX_OUTPUTS)))


PackedStep = tuple[Step, list[StepFile]]  # a step's rows, not yet saved


def pack_attempt(
    row: Row, place: Place | None, more: Mapping[str, Any] | None = None, **columns: Any
) -> Attempt:
    """The row of an attempt that is over, not yet saved; `more` is kept with its opening.

    `columns` are what is known beyond the row. Of the steps only figures are looked at.
    """
    usage = sum((step.usage for step in row.steps), Usage())
    model_s, cell_s = (sum(getattr(s, name) for s in row.steps) for name in ("model_s", "cell_s"))
    opening = {
        "messages": [dict(m) for m in row.opening],
        "query": row.query,
        "line": row.line,
        "place": place,
        "notes": row.notes,
        **(more or {}),
    }
    known = {
        **vars(usage),
        "outcome": row.outcome or "",
        "model_s": model_s,
        "cell_s": cell_s,
        "wall_s": model_s + cell_s,
        "closing": pack({"answer": row.answer, "environment": {}}),
        **columns,
    }
    return Attempt(
        status=Status.DONE, tries=1, turns=len(row.steps), opening=pack(opening), **known
    )


def pack_step(step: RecordedStep, kept: Collection[str] = ()) -> PackedStep:
    """The rows of a step. `kept` are digests of contents that are stored."""
    saved = attempt_rows.step_row(0, 1, step, attempt_rows.step_body(step))
    there = {c.path: c.sha256 for c in step.changes if c.sha256 in kept}
    return saved, attempt_rows.step_files(saved, step, there)


def write_attempt(
    run: Run, task: Task, number: int, attempt: Attempt, steps: Sequence[PackedStep]
) -> Attempt:
    starts = range(0, len(steps), STEPS_AT_ONCE)
    batches = (steps[start : start + STEPS_AT_ONCE] for start in starts)
    for write in list_writes(run, task, number, attempt, batches):
        write()
    return attempt


def list_writes(
    run: Run, task: Task, number: int, attempt: Attempt, batches: Iterable[Sequence[PackedStep]]
) -> Iterator[Callable[[], None]]:
    """The writes that store the attempt and batches of its steps, none of which takes long."""
    attempt.run, attempt.task, attempt.number = run, task, number
    attempt.category, attempt.finished_at = task.category, run.finished_at
    yield partial(insert_one, attempt)
    for steps in batches:
        yield partial(write_steps, attempt, steps)


def write_steps(attempt: Attempt, steps: Iterable[PackedStep]) -> None:
    without_files = []
    for step, files in steps:
        step.attempt = attempt
        if not files:
            without_files.append(step)
            continue
        insert_one(step)
        for file in files:
            file.step = step  # with the number that it has now
        insert(files)
    insert(without_files)
