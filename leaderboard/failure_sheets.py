"""A sheet per run of which of its attempts carry what, so that failures are counted without rows.

A sheet holds bits: the n-th attempt of the run that is over is the n-th bit of an integer, and each
tag, exception, category, task and state has the integer of the attempts that carry it. Counting is
then a matter of `&` and of counting ones. Sheets are kept in this process's memory, a few kilobytes
each, and read again when the run's sequence has moved: whatever changes a run's rows moves it.
"""

from __future__ import annotations

import threading
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import F, Value

from leaderboard.models import Attempt, Entry, FailureTag, Run, Step
from runner.contract import Outcome, Status

MAX_RUNS = 5_000  # looked at, newest first
READ_AT_ONCE = 200  # runs whose rows are read together
CARRIED = ("tag", "exception", "category", "task")
VOID = frozenset(outcome.value for outcome in Outcome if outcome.is_void)

Bits = int


@dataclass(frozen=True, slots=True)
class RunFacts:
    """A run that the reader may see, as the filter asks about it."""

    pk: int
    sequence: int
    created_at: datetime  # with the sequence: which rows a sheet was made of
    entry: str  # its slug
    entry_name: str
    provenance: str
    suite_name: str
    suite_version: str
    suite_title: str

    @property
    def suite(self) -> str:
        return f"{self.suite_name}@{self.suite_version}"

    @property
    def is_scripted(self) -> bool:
        return self.provenance == Entry.Provenance.SCRIPTED


@dataclass(frozen=True, slots=True)
class Sheet:
    """The attempts of a run that are over, in the order of their ids."""

    ids: array[int]
    texts: array[int]  # the id of each one's searched text, 0 without one
    states: Mapping[str, Bits]
    carried: Mapping[str, Mapping[str, Bits]]  # by kind and value

    @property
    def everything(self) -> Bits:
        return (1 << len(self.ids)) - 1

    def with_texts(self, found: frozenset[int]) -> Bits:
        """Those whose text is among `found`."""
        return join(n for n, text in enumerate(self.texts) if text in found)


def join(places: Iterable[int]) -> Bits:
    bits = 0
    for place in places:
        bits |= 1 << place
    return bits


def places_in(bits: Bits) -> Iterable[int]:
    """The places of the ones, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def list_runs(user: Any, run_id: int | None = None) -> list[RunFacts]:
    """The newest runs that `user` may see, one more than are looked at; or that one. One query."""
    runs = Run.objects.visible_to(user).order_by("-pk")
    if run_id is not None:
        runs = runs.filter(pk=run_id)
    rows = runs.values_list(
        "pk",
        "sequence",
        "created_at",
        "entry__slug",
        "entry__name",
        "entry__provenance",
        "suite__name",
        "suite__version",
        "suite__title",
    )
    return [RunFacts(*row) for row in rows[: MAX_RUNS + 1]]


class Sheets:
    """The sheets that this process keeps. What a reader may see is not its business."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[tuple[int, datetime], Sheet]] = {}
        self._lock = threading.Lock()

    def of(self, runs: Sequence[RunFacts]) -> list[Sheet]:
        """The sheet of each run; those of runs that changed are read first: two queries each
        `READ_AT_ONCE` of them."""
        with self._lock:  # so that two readers do not read the same rows
            stale = [run for run in runs if self._find(run) is None]
            for start in range(0, len(stale), READ_AT_ONCE):
                self._read(stale[start : start + READ_AT_ONCE])
            sheets = [self._kept[run.pk][1] for run in runs]
            if len(self._kept) > 2 * MAX_RUNS:
                self._kept = {run.pk: self._kept[run.pk] for run in runs}
            return sheets

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()

    def _find(self, run: RunFacts) -> Sheet | None:
        stamp, sheet = self._kept.get(run.pk, (None, None))
        return sheet if stamp == (run.sequence, run.created_at) else None

    def _read(self, runs: Sequence[RunFacts]) -> None:
        sheets = read_sheets([run.pk for run in runs])
        for run in runs:
            self._kept[run.pk] = (run.sequence, run.created_at), sheets[run.pk]


SHEETS = Sheets()


def read_sheets(run_ids: Sequence[int]) -> dict[int, Sheet]:
    """Made of the rows: two queries."""
    over = Attempt.objects.filter(run__in=run_ids, status=Status.DONE).order_by("run_id", "pk")
    rows = over.values_list(
        "run_id", "pk", "text__pk", "passed", "outcome", "category", "task__key"
    )
    of_run = {run_id: list(group) for run_id, group in groupby(rows, itemgetter(0))}
    tags = FailureTag.objects.filter(attempt__run__in=run_ids).order_by()
    errors = errors_of_tries_that_count().filter(attempt__run__in=run_ids).order_by()
    tagged, raised = gather(
        name_column(tags, "tag").union(name_column(errors, "error_name").distinct(), all=True)
    )
    return {
        run_id: make_sheet(of_run.get(run_id, []), tagged[run_id], raised[run_id])
        for run_id in run_ids
    }


def errors_of_tries_that_count() -> Any:
    """The steps that raised, of the tries that count."""
    return Step.objects.exclude(error_name="").filter(try_number=F("attempt__tries"))


def name_column(rows: Any, column: str) -> Any:
    """(the column's name, run, attempt, value): so that two of them fit into one query."""
    named = rows.annotate(column=Value(column))
    return named.values_list("column", "attempt__run_id", "attempt_id", column)


Pairs = list[tuple[int, str]]  # an attempt's id and a value


def gather(rows: Iterable[tuple[str, int, int, str]]) -> tuple[dict[int, Pairs], dict[int, Pairs]]:
    """By run: the tags, and the names of the errors."""
    found: dict[str, dict[int, Pairs]] = {
        "tag": defaultdict(list),
        "error_name": defaultdict(list),
    }
    for column, run_id, attempt_id, value in rows:
        found[column][run_id].append((attempt_id, value))
    return found["tag"], found["error_name"]


def make_sheet(rows: Sequence[tuple[Any, ...]], tagged: Pairs, raised: Pairs) -> Sheet:
    """`rows` as `read_sheets` asks for them, in order."""
    place = {row[1]: n for n, row in enumerate(rows)}
    pairs: dict[str, Iterable[tuple[int, str]]] = {
        "tag": tagged,
        "exception": raised,
        "category": ((row[1], row[5]) for row in rows),
        "task": ((row[1], row[6]) for row in rows),
    }
    return Sheet(
        ids=array("q", place),
        texts=array("q", (row[2] or 0 for row in rows)),
        states=mark(place, ((row[1], state_of(row[3], row[4])) for row in rows)),
        carried={kind: mark(place, pairs[kind]) for kind in CARRIED},
    )


def mark(place: Mapping[int, int], pairs: Iterable[tuple[int, str]]) -> dict[str, Bits]:
    """By value the bits of the attempts that carry it; an attempt without a place is not over."""
    bits: dict[str, Bits] = defaultdict(int)
    for attempt_id, value in pairs:
        if attempt_id in place:
            bits[value] |= 1 << place[attempt_id]
    return dict(bits)


def state_of(passed: bool | None, outcome: str) -> str:
    """As `Attempt.state` says it of an attempt that is over."""
    if passed is None:
        return "void" if outcome in VOID else "unjudged"
    return "passed" if passed else "failed"
