"""Files runs that are over: what pages count over all runs is kept as rows, not scanned.

Whoever changes a run takes its mark away (`Run.is_filed`, by the query set's `update`). The sweep
files what has no mark and is over, a few runs at a time: its attempts' sheet goes into the book of
its number (`leaderboard.search.sheet_books`), what it says of its tasks is added to them or taken
away again (`Task.decided`, `Task.solved`), and its suite is to be placed anew (`Suite.changes`).
All of that is one transaction for each book, and `manage.py recompute` proves it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Q
from django.db.models.signals import post_delete
from django.dispatch import receiver

from leaderboard.models import Entry, Run, SheetBook, Suite, Task
from leaderboard.models.querysets import OVER
from leaderboard.reviews.evidence import review_runs
from leaderboard.search.sheet_books import (
    RUNS_SHIFT,
    Book,
    BookRun,
    decode,
    encode,
    microseconds,
    number_of,
)
from leaderboard.search.sheet_rows import read_sheets
from leaderboard.search.sheets import CARRIED_VERSION, Sheet

# Where no model did the whole of it here: they say nothing about how hard a task is.
NOT_OF_MODELS = (
    Entry.Provenance.SCRIPTED,
    Entry.Provenance.RE_EXECUTED,
    Entry.Provenance.FORKED,
    Entry.Provenance.RE_SCORED,
    Entry.Provenance.HUMAN,
)
MAX_AT_ONCE = 32  # runs filed by one sweep: some 5 ms each

Tally = Counter[tuple[str, int, str]]  # by column, suite and task


def file_runs(limit: int = MAX_AT_ONCE) -> int:
    """File the oldest runs that are over and not filed; how many were."""
    unfiled = Run.objects.filter(is_filed=False, status__in=OVER).order_by("pk")
    by_book: dict[int, list[int]] = defaultdict(list)
    for pk in unfiled.values_list("pk", flat=True)[:limit]:
        by_book[number_of(pk)].append(pk)
    for number in SheetBook.objects.filter(has_gone=True).values_list("pk", flat=True)[:limit]:
        by_book[number] += []
    return sum(file_in(number, run_ids) for number, run_ids in by_book.items())


def file_in(number: int, run_ids: Collection[int]) -> int:
    """File these runs in their book, and take out what is no longer there."""
    read = read_runs(run_ids)
    with transaction.atomic():
        if not (row := take_book(number)):
            return 0
        review_runs(run_ids)
        still = set(unchanged(read))
        changed = {run: sheet for run, sheet in read.items() if run in still}
        old = decode(row.body)
        gone = find_gone(old)
        new = old.filed(changed, gone)
        touched = {run.pk for run in changed} | gone
        moved = tally_of(new, touched)
        moved.subtract(tally_of(old, touched))
        move_tallies(moved)
        write_book(row, new)
        suites = {run.suite for run in changed} | {r.suite for r in old.runs if r.pk in gone}
        Suite.objects.filter(pk__in=suites).update(changes=F("changes") + 1)
        marks = unchanged_as(changed)
        Run.objects.filter(marks).update(is_filed=True)
    return len(changed)


def read_runs(run_ids: Collection[int]) -> dict[BookRun, Sheet]:
    """The runs as they are now, with their sheets: three queries."""
    rows = Run.objects.filter(pk__in=run_ids, status__in=OVER).values_list(
        *("pk", "sequence", "created_at", "entry_id", "suite_id", "is_public"),
        *("entry__provenance", "seed", "suite__seed"),
    )
    runs = [
        BookRun(
            pk,
            sequence,
            microseconds(created_at),
            entry,
            suite,
            is_public and provenance not in NOT_OF_MODELS and seed == season,
            carried=CARRIED_VERSION,
        )
        for pk, sequence, created_at, entry, suite, is_public, provenance, seed, season in rows
    ]
    sheets = read_sheets([run.pk for run in runs]) if runs else {}
    return {run: sheets[run.pk] for run in runs}


def take_book(number: int) -> SheetBook | None:
    """The book's row, ours until the transaction ends; None while another sweep has it."""
    SheetBook.objects.get_or_create(pk=number)
    can_skip = connection.features.has_select_for_update_skip_locked
    return SheetBook.objects.select_for_update(skip_locked=can_skip).filter(pk=number).first()


def unchanged_as(runs: Iterable[BookRun]) -> Q:
    """Those of the runs that are still in the state in which they were read."""
    condition = Q(pk=None)
    for run in runs:
        condition |= Q(pk=run.pk, sequence=run.sequence)
    return condition & Q(status__in=OVER)


def unchanged(runs: Mapping[BookRun, Sheet]) -> list[BookRun]:
    there = set(Run.objects.filter(unchanged_as(runs)).values_list("pk", flat=True))
    return [run for run in runs if run.pk in there]


def find_gone(book: Book) -> set[int]:
    """Runs of the book that were deleted."""
    filed = {run.pk for run in book.runs}
    return filed - set(Run.objects.filter(pk__in=filed).values_list("pk", flat=True))


def write_book(row: SheetBook, book: Book) -> None:
    row.body, row.version, row.has_gone = encode(book), row.version + 1, False
    row.save()


def tally_of(book: Book, run_ids: Collection[int]) -> Tally:
    """Verdicts and passes by suite and task of those of these runs that count."""
    counts: Tally = Counter()
    for run in book.runs:
        if run.pk in run_ids and run.is_counted:
            sheet = book.of(run)
            passed = sheet.states.get("passed", 0)
            decided = passed | sheet.states.get("failed", 0)
            for key, bits in sheet.carried["task"].items():
                counts["decided", run.suite, key] += (bits & decided).bit_count()
                counts["solved", run.suite, key] += (bits & passed).bit_count()
    return counts


def move_tallies(moved: Tally) -> None:
    """Add to the tasks' counts what is new, and take away what no longer counts."""
    suites = {suite for (_, suite, _), count in moved.items() if count}
    if not suites:
        return
    rows = Task.objects.select_for_update().filter(suite__in=suites).order_by("pk")
    tasks = list(rows.only("suite_id", "key", "decided", "solved"))
    for task in tasks:
        # Never below none: counts that somebody wrote by hand are mended by `recompute`.
        task.decided = max(0, task.decided + moved["decided", task.suite_id, task.key])
        task.solved = max(0, task.solved + moved["solved", task.suite_id, task.key])
    Task.objects.bulk_update(tasks, ["decided", "solved"], batch_size=200)


@receiver(post_delete, sender=Run)
def note_deleted(instance: Run, **kwargs: Any) -> None:
    book = SheetBook.objects.filter(pk=number_of(instance.pk))
    book.update(has_gone=True, version=F("version") + 1)  # who has it kept looks again
    Suite.objects.filter(pk=instance.suite_id).update(changes=F("changes") + 1)


def unfile_entry(entry: Entry) -> None:
    """Mark the entry's runs to be filed again, since they now count differently."""
    Run.objects.filter(entry=entry).update(is_filed=False)


def prove(is_mended: bool) -> list[str]:
    """One line for each book and task whose rows are not what the attempts say; mend them if asked.

    Runs that wait for the sweep are filed first, or left alone where nothing is to be mended.
    """
    if is_mended:
        while file_runs():
            pass
    lines: list[str] = []
    right: Tally = Counter()
    highest = Run.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    for number in range(number_of(highest) + 1):
        lines += prove_book(number, right, is_mended)
    return lines + prove_tasks(right, is_mended)


@transaction.atomic
def prove_book(number: int, right: Tally, is_mended: bool) -> list[str]:
    """The same of one book; `right` gains what its runs say of their tasks."""
    rows = SheetBook.objects.select_for_update() if is_mended else SheetBook.objects
    row = rows.filter(pk=number).first()
    here = Run.objects.filter(pk__gte=number << RUNS_SHIFT, pk__lt=(number + 1) << RUNS_SHIFT)
    filed = list(here.filter(is_filed=True, status__in=OVER).values_list("pk", flat=True))
    stored = decode(row.body) if row else Book()
    should = Book().filed(read_runs(filed))
    waiting = {run.pk for run in stored.runs} - set(filed)  # for the sweep
    wrong = [
        f"run {pk}: its failures were filed wrongly"
        for pk in filed
        if page_of(stored, pk) != page_of(should, pk)
    ]
    right.update(tally_of(should, filed))
    right.update(tally_of(stored, waiting))
    if wrong and is_mended:
        write_book(row or SheetBook(pk=number), should)
    return wrong


def page_of(book: Book, run_id: int) -> tuple[object, ...] | None:
    """Page of the index about the run, without its place."""
    for run in book.runs:
        if run.pk == run_id:
            return run.stamp, run.entry, run.suite, run.is_counted, book.of(run)
    return None


def prove_tasks(right: Tally, is_mended: bool) -> list[str]:
    lines = []
    for task in Task.objects.select_related("suite").order_by("pk"):
        was = task.decided, task.solved
        now = right["decided", task.suite_id, task.key], right["solved", task.suite_id, task.key]
        if was != now:
            lines.append(f"task {task.key} of {task.suite}: solved was {was}, is {now}")
            if is_mended:
                Task.objects.filter(pk=task.pk).update(decided=now[0], solved=now[1])
    return lines
