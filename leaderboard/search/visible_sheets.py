"""The sheets of all runs that a reader may see: kept in this process, renewed where runs changed.

One query tells of each book how often it was written, and of its runs those that the sweep has yet
to file and the reader's own private ones. Where that is as it was, what is kept is right; else the
book's runs are looked up, and those that changed since they were filed are read from their
attempts, `MAX_LOOSE` at most. Nobody waits for anybody: two who look first at the same moment read
twice.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import BigIntegerField, Count, F, Q, QuerySet, Sum, Value

from leaderboard.models import Run, SheetBook
from leaderboard.models.querysets import RunQuerySet, sum_of_states
from leaderboard.search.sheet_books import (
    RUNS_SHIFT,
    Book,
    BookRun,
    decode,
    microseconds,
    number_of,
)
from leaderboard.search.sheet_books import Stamp as RunStamp
from leaderboard.search.sheet_rows import read_sheets
from leaderboard.search.sheets import CARRIED_VERSION, Bits, Sheet, span

MAX_LOOSE = 100  # runs that are read from their attempts at one look, newest first
KEPT_LOOSE = 1_000  # sheets of such runs, those that were read last
KEPT_COUNTS = 4  # filters whose counts over one part are kept, those that were used last
KEPT_VIEWS = 16  # of one book, those that were made last: readers see different runs

# The reader, the book's version, and of the runs that wait to be filed, and of the reader's private
# ones, how many there are and sums that change with them; of others' private ones, which may have
# been published before, only how many. Readers are apart, so that no sum can ever show one of them
# what is another's. A run that is published and filed changes nothing here: whatever happens to it
# takes its mark away or writes the book.
Stamp = tuple[int, ...]
BOOK, WAITING, PRIVATE = range(3)  # parts of a stamp
PART_NUMBERS = 3  # of each part

COUNTING = threading.Lock()


@dataclass(frozen=True)
class Part:
    """A sheet, and of its runs those that the reader may see."""

    sheet: Sheet
    runs: tuple[BookRun, ...]
    visible: Bits
    kept: OrderedDict[Hashable, dict[str, Counter[Any]]] = field(
        default_factory=OrderedDict, repr=False, compare=False
    )

    def counts_of(self, filtered: Hashable) -> dict[str, Counter[Any]]:
        """Room for what was counted under this filter, with what is known; None is never kept."""
        if filtered is None:
            return {}
        with COUNTING:
            counts = self.kept.setdefault(filtered, {})
            self.kept.move_to_end(filtered)
            while len(self.kept) > KEPT_COUNTS:
                self.kept.popitem(last=False)
        return counts

    @cached_property
    def places(self) -> list[tuple[BookRun, int, Bits]]:
        """Each run with its first place, and as many ones as it has attempts."""
        return [(run, run.start, span(0, run.stop - run.start)) for run in self.runs]

    @cached_property
    def suite(self) -> int | None:
        """The one that all the runs are of."""
        suites = {run.suite for run in self.runs}
        return suites.pop() if len(suites) == 1 else None


@dataclass(frozen=True)
class View:
    """Runs of one book that a reader is allowed to see."""

    parts: tuple[Part, ...] = ()
    left_out: int = 0  # runs that changed since they were filed and were not read
    stamp: Stamp = ()


@dataclass
class KeptBook:
    """Copy of one book that this process keeps."""

    version: int = -1
    book: Book = field(default_factory=Book)
    views: OrderedDict[Stamp, View] = field(default_factory=OrderedDict)


@dataclass(frozen=True, slots=True)
class RunNow:
    """A run as it is at this look."""

    pk: int
    sequence: int
    created_at: datetime
    entry: int
    suite: int

    @property
    def stamp(self) -> RunStamp:
        return self.sequence, microseconds(self.created_at), CARRIED_VERSION


class Views:
    """The books, views and loose sheets that this process keeps."""

    def __init__(self) -> None:
        self._books: dict[int, KeptBook] = {}
        self._loose: OrderedDict[int, tuple[RunStamp, Sheet]] = OrderedDict()

    def clear(self) -> None:
        self._books, self._loose = {}, OrderedDict()

    def see(self, user: Any, run_id: int | None = None) -> list[View]:
        """Views of every book with runs that `user` may see, or of the one that such a run
        is in: the newest first. One query where nothing changed, else five."""
        stamps = read_stamps(user, run_id)
        found = {n: self._known(n, stamp) for n, stamp in stamps.items()}
        stale = [number for number, view in found.items() if view is None]
        if stale:
            found |= self._renew(user, stale, stamps)
        if len(self._books) > 2 * len(stamps) and run_id is None:
            self._books = {n: kept for n, kept in self._books.items() if n in stamps}
        return [found[number] or View() for number in sorted(found, reverse=True)]

    def _known(self, number: int, stamp: Stamp) -> View | None:
        kept = self._books.get(number)
        return kept.views.get(stamp) if kept else None

    def _renew(
        self, user: Any, stale: Sequence[int], stamps: Mapping[int, Stamp]
    ) -> dict[int, View | None]:
        self._read_books(stale)
        runs = list_runs(user, stale)
        filed = {run.pk: run.stamp for n in stale for run in self._books[n].book.runs}
        loose = self._read_loose([run for run in runs if filed.get(run.pk) != run.stamp])
        by_number: dict[int, list[RunNow]] = defaultdict(list)
        for run in runs:
            by_number[number_of(run.pk)].append(run)
        views: dict[int, View | None] = {}
        for number in stale:
            kept = self._books[number]
            view = replace(make_view(kept.book, by_number[number], loose), stamp=stamps[number])
            views[number] = view
            if not view.left_out:
                kept.views[stamps[number]] = view
                while len(kept.views) > KEPT_VIEWS:
                    kept.views.popitem(last=False)
        return views

    def _read_books(self, numbers: Sequence[int]) -> None:
        """Those that were written since they were read last. One query."""
        known = Q(pk=None)
        for number in numbers:
            kept = self._books.setdefault(number, KeptBook())
            known |= Q(pk=number, version=kept.version)
        rows = SheetBook.objects.filter(pk__in=numbers).exclude(known)
        for number, version, body in rows.values_list("number", "version", "body"):
            self._books[number] = KeptBook(version, decode(body))

    def _read_loose(self, runs: Sequence[RunNow]) -> dict[int, Part]:
        """A part for each of these runs, as far as they are known or may be read."""
        known = {}
        for run in runs:
            stamp, sheet = self._loose.get(run.pk, (None, None))
            if sheet is not None and stamp == run.stamp:
                known[run.pk] = sheet
        unread = [run for run in runs if run.pk not in known]
        unread = sorted(unread, key=lambda run: -run.pk)[:MAX_LOOSE]
        if unread:
            read = read_sheets([run.pk for run in unread])
            self._loose |= {run.pk: (run.stamp, read[run.pk]) for run in unread}
            while len(self._loose) > KEPT_LOOSE:
                self._loose.popitem(last=False)
            known |= read
        return {run.pk: part_of(run, known[run.pk]) for run in runs if run.pk in known}


VIEWS = Views()


def read_stamps(user: Any, run_id: int | None) -> dict[int, Stamp]:
    """By book: what is another one whenever a run that `user` sees came, went or changed.

    One query, over the books and such runs as are not filed or private.
    """
    books, runs = SheetBook.objects.order_by(), Run.objects.order_by()
    if run_id is not None:
        books = books.filter(pk=number_of(run_id))
        runs = runs.filter(in_book(number_of(run_id)))
    zero = Value(0, output_field=BigIntegerField())
    versions = books.annotate(
        part=Value(BOOK), book=F("pk"), runs=F("version"), ids=zero, states=zero
    ).values_list("part", "book", "runs", "ids", "states")
    waiting = add_up(WAITING, runs.filter(is_filed=False), Q(is_public=True))
    rows = versions.union(waiting, add_up(PRIVATE, runs.private_of(user)), all=True)
    stamps: dict[int, list[int]] = defaultdict(lambda: [0] * (3 * PART_NUMBERS))
    for part, book, *numbers in rows:
        first = part * PART_NUMBERS
        stamps[book][first : first + PART_NUMBERS] = (int(number or 0) for number in numbers)
    return {book: (user.pk or 0, *stamp) for book, stamp in stamps.items()}


def add_up(part: int, runs: RunQuerySet, told: Q | None = None) -> QuerySet[Any, Any]:
    """By book how many runs there are, and sums that change with them, or with those `told`."""
    sums = (
        runs.annotate(book=F("pk").bitrightshift(RUNS_SHIFT))
        .values("book")
        .annotate(part=Value(part), runs=Count("pk"), ids=Sum("pk"), states=sum_of_states(told))
    )
    rows: QuerySet[Any, Any] = sums.values_list("part", "book", "runs", "ids", "states")
    return rows


def in_book(number: int) -> Q:
    return Q(pk__gte=number << RUNS_SHIFT, pk__lt=(number + 1) << RUNS_SHIFT)


def list_runs(user: Any, numbers: Iterable[int]) -> list[RunNow]:
    """The runs of these books that `user` may see."""
    within = Q(pk=None)
    for number in numbers:
        within |= in_book(number)
    runs = Run.objects.visible_to(user).filter(within).order_by("pk")
    rows = runs.values_list("pk", "sequence", "created_at", "entry_id", "suite_id")
    return [RunNow(*row) for row in rows]


def part_of(run: RunNow, sheet: Sheet) -> Part:
    """A run that is read by itself."""
    stop = len(sheet.ids)
    sequence, created_us, carried = run.stamp
    alone = BookRun(run.pk, sequence, created_us, run.entry, run.suite, False, 0, stop, carried)
    return Part(sheet, (alone,), span(0, stop))


def make_view(book: Book, runs: Sequence[RunNow], loose: Mapping[int, Part]) -> View:
    """The book as far as it is right and visible, and beside it the runs that were read."""
    now = {run.pk: run.stamp for run in runs}
    right = tuple(run for run in book.runs if now.get(run.pk) == run.stamp)
    visible = 0
    for run in right:
        visible |= span(run.start, run.stop)
    beside = [loose[pk] for pk in now if pk in loose]
    left_out = len(now) - len(right) - len(beside)
    parts = [Part(book.sheet, right, visible)] if right else []
    return View((*parts, *beside), left_out)
