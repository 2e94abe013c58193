"""Applies a failure filter to the attempts that a reader may see, and counts the facets in SQL.

Each count is one scan of the index `attempt_facets`. On a large site counts are kept for a minute.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import or_
from typing import Any, TypeVar

from django.core.cache import caches
from django.db import connection
from django.db.models import Count, Q, Value
from django.db.models.functions import StrIndex

from leaderboard.models import NOT_MODELS, Attempt, Entry, Run, Suite, Task
from leaderboard.models.querysets import AttemptQuerySet, RunQuerySet
from leaderboard.search import words
from leaderboard.search.filters import (
    MANY,
    STATES,
    Filter,
    count_value,
    first_step_value,
    states_of,
)
from runner.contract import Status

KEPT_S = 60
MANY_RUNS = 100  # from so many on counts are kept

T = TypeVar("T")
Counts = dict[str, Counter[Any]]  # by facet: attempts by value


@dataclass(frozen=True)
class Scope:
    """The reader, and the filter's names resolved to this site's rows."""

    user: Any = None
    entry: int | None = None  # the one that was asked for
    suites: Mapping[int, Suite] = field(default_factory=dict)

    @cached_property
    def tasks(self) -> dict[int, Task]:
        """Of the suites that the reader sees. One query."""
        tasks = Task.objects.filter(suite__in=[*self.suites]).only("key", "title", "category")
        return {task.pk: task for task in tasks.order_by("pk")}


@dataclass(frozen=True)
class Around:
    """An attempt's place among what was found; the others by their ids."""

    previous: int | None
    next: int | None
    position: int  # from 1; 0 when it is not among them
    total: int


@dataclass(frozen=True)
class Found:
    """All that a filter finds for a reader: newest run first, each in the order of its attempts."""

    wanted: Filter
    scope: Scope
    texts: Sequence[int] | None = None  # attempts that hold the words
    notes: Sequence[str] = ()  # what was left out, in sentences
    is_exact: bool = True  # False: at least so many, as a note says

    def in_state(self, state: str) -> Found:
        """The same with attempts in another state."""
        return replace(self, wanted=replace(self.wanted, state=state))

    def without(self, ignored: str) -> Found:
        """The same without one part of the filter, "" for none."""
        return replace(self, wanted=replace(self.wanted, **{ignored: ""})) if ignored else self

    @property
    def attempts(self) -> AttemptQuerySet:
        """The attempts that match."""
        is_in_one = reduce(or_, (STATES[state] for state in states_of(self.wanted.state)))
        return self.narrow(self.seen, is_in_one)

    @property
    def in_each_state(self) -> list[AttemptQuerySet]:
        """The same by state: those in one alone are neighbours in the index."""
        return [self.narrow(self.seen, STATES[state]) for state in states_of(self.wanted.state)]

    @property
    def seen(self) -> AttemptQuerySet:
        return Attempt.objects.filter(run__in=self.runs.values("pk"))

    def narrow(self, attempts: AttemptQuerySet, state: Q) -> AttemptQuerySet:
        """Those in this state that match what the filter says of the attempts themselves."""
        wanted = self.wanted
        found = attempts.filter(state, *conditions_of(wanted), status=Status.DONE)
        for name, listed in (("tag", "tag_list"), ("exception", "error_list")):
            if value := getattr(wanted, name):
                has_it = StrIndex(listed, Value(f"\n{value}\n"))
                found = found.alias(**{f"at_{name}": has_it}).filter(**{f"at_{name}__gt": 0})
        if wanted.task or wanted.category:
            found = found.filter(task__in=[*self.list_tasks()])
        if self.texts is not None:
            found = found.filter(pk__in=self.texts)
        result: AttemptQuerySet = found
        return result

    def list_tasks(self) -> Iterator[int]:
        wanted = self.wanted
        for pk, task in self.scope.tasks.items():
            if wanted.task in ("", task.key) and wanted.category in ("", task.category):
                yield pk

    @property
    def runs(self) -> RunQuerySet:
        """The runs that the reader sees, as the filter names them. Those that no model played are
        only there for a name."""
        wanted = self.wanted
        runs = Run.objects.visible_to(self.scope.user)
        if wanted.run:
            runs = runs.filter(pk=wanted.run_id)
        if wanted.entry:
            runs = runs.filter(entry=self.scope.entry)
        if wanted.suite:
            names = name_suites(self.scope)
            runs = runs.filter(suite__in=[pk for pk, (n, _) in names.items() if n == wanted.suite])
        if not (wanted.run or wanted.entry or wanted.baselines):
            runs = runs.exclude(entry__provenance__in=NOT_MODELS)
        return runs

    @cached_property
    def total(self) -> int:
        return sum(self.states[state] for state in states_of(self.wanted.state))

    @cached_property
    def states(self) -> dict[str, int]:
        """Count the attempts of each state that match the other parts of the filter."""
        return {**dict.fromkeys(STATES, 0), **self.add_up("state")}

    def list_ids(self, start: int, stop: int) -> list[int]:
        """The ids of those from `start` to before `stop`."""
        ordered = self.attempts.order_by("-run_id", "pk")
        return list(ordered.values_list("pk", flat=True)[start:stop]) if stop > start else []

    def look_around(self, run_id: int, attempt_id: int) -> Around:
        """Five queries for each state that is asked for."""
        newer = Q(run__gt=run_id) | Q(run=run_id, pk__lt=attempt_id)
        older = Q(run__lt=run_id) | Q(run=run_id, pk__gt=attempt_id)
        before: list[tuple[int, int]] = []
        after: list[tuple[int, int]] = []
        position, is_among = 1, False
        for found in self.in_each_state:
            places = found.values_list("run_id", "pk")
            before += places.filter(newer).order_by("run_id", "-pk")[:1]
            after += places.filter(older).order_by("-run_id", "pk")[:1]
            position += found.filter(newer).count()
            is_among |= found.filter(pk=attempt_id).exists()
        nearest = min(before, key=lambda place: (place[0], -place[1]), default=(0, None))
        following = min(after, key=lambda place: (-place[0], place[1]), default=(0, None))
        total = self.keep(("total",), lambda: sum(part.count() for part in self.in_each_state))
        return Around(nearest[1], following[1], position if is_among else 0, total)

    def count(self, key: str) -> Counter[str]:
        """By value of the facet how many attempts have it, of those that match the other parts of
        the filter."""
        counts = self.add_up(key)
        if key not in ("entry", "suite"):
            return counts
        names = name_suites(self.scope) if key == "suite" else name_entries(counts)
        return Counter({names[pk][0]: count for pk, count in counts.items() if pk in names})

    def add_up(self, key: str) -> Counter[Any]:
        """The same, entries and suites by their ids."""
        count = COUNTED_BY[key]
        ignored = key if getattr(self.wanted, key) and key != "state" else ""
        return self.keep((count.__name__, ignored), lambda: count(self.without(ignored)))[key]

    @cached_property
    def _is_large(self) -> bool:
        return Run.objects.count() >= MANY_RUNS

    @cached_property
    def _counted(self) -> dict[tuple[object, ...], Any]:
        return {}

    def keep(self, what: tuple[object, ...], make: Callable[[], T]) -> T:
        """What `make` returns, or returned for this filter and reader within the last minute."""
        if what not in self._counted:
            reader = self.scope.user.pk, getattr(self.scope.user, "shared_run", None)
            facts = repr((what, self.wanted, reader)).encode("utf-8", "backslashreplace")
            key = f"failures:{hashlib.sha256(facts).hexdigest()}"
            known = caches["counts"].get(key)
            if known is None and not self._is_large:
                known = make()
            elif known is None:
                with in_one_process():
                    known = make()
                caches["counts"].set(key, known, KEPT_S)
            self._counted[what] = known
        kept: T = self._counted[what]
        return kept


def in_one_process() -> AbstractContextManager[None]:
    """PostgreSQL's helpers would take half as much again of the CPU."""
    if connection.vendor == "postgresql":
        return words.with_settings(max_parallel_workers_per_gather="0")
    return nullcontext()


def count_runs(found: Found) -> Counts:
    """By state, entry and suite. Where only readers' rights choose among the runs, the attempts of
    all are counted and those of others left out here, at half the cost."""
    runs = {pk: about for pk, *about in found.runs.values_list("pk", "entry_id", "suite_id")}
    attempts = Attempt.objects.all()
    if found.wanted.run or found.wanted.entry or found.wanted.suite:
        attempts = found.seen
    counts: Counts = {key: Counter() for key in ("state", "entry", "suite")}
    chosen = states_of(found.wanted.state)
    for state, is_in_it in STATES.items():
        for run_id, count in group([found.narrow(attempts, is_in_it)], "run_id"):
            if run_id in runs:
                counts["state"][state] += count
                if state in chosen:
                    entry, suite = runs[run_id]
                    counts["entry"][entry] += count
                    counts["suite"][suite] += count
    return counts


def count_tasks(found: Found) -> Counts:
    counts: Counts = {"task": Counter(), "category": Counter()}
    for pk, count in group(found.in_each_state, "task_id"):
        if task := found.scope.tasks.get(pk):
            counts["task"][task.key] += count
            counts["category"][task.category] += count
    return counts


def count_ends(found: Found) -> Counts:
    counts: Counts = {key: Counter() for key in ("outcome", "step", "turns", "exception")}
    columns = "outcome", "turns", "first_failed_step", "error_list"
    for outcome, turns, step, errors, count in group(found.in_each_state, *columns):
        if outcome:
            counts["outcome"][outcome] += count
        counts["step"][first_step_value(step)] += count
        counts["turns"][count_value(turns)] += count
        for error in errors.split("\n")[1:-1]:
            counts["exception"][error] += count
    return counts


def count_tags(found: Found) -> Counts:
    counts: Counts = {"tag": Counter()}
    for tags, count in group(found.in_each_state, "tag_list"):
        for tag in tags.split("\n")[1:-1]:
            counts["tag"][tag] += count
    return counts


COUNTED_BY: Mapping[str, Callable[[Found], Counts]] = {
    **dict.fromkeys(("state", "entry", "suite"), count_runs),
    **dict.fromkeys(("task", "category"), count_tasks),
    **dict.fromkeys(("outcome", "step", "turns", "exception"), count_ends),
    "tag": count_tags,
}


def group(parts: Iterable[AttemptQuerySet], *columns: str) -> Iterator[tuple[Any, ...]]:
    """Values of the columns, and how many attempts have them. One query for each of the parts."""
    for attempts in parts:
        yield from attempts.order_by().values_list(*columns).annotate(count=Count("pk"))


def look(wanted: Filter, user: Any) -> Found:
    """One query, one for an entry's name, and two for words; counting has its own."""
    texts = words.find_texts(wanted.words, user, wanted.run_id) if wanted.q else None
    return Found(
        wanted,
        read_scope(wanted, user),
        texts.attempts if texts else None,
        [texts.note] if texts and texts.note else [],
        is_exact=not texts or texts.is_exact,
    )


def read_scope(wanted: Filter, user: Any) -> Scope:
    named = Entry.objects.filter(slug=wanted.entry).values_list("pk", flat=True)
    entry = named.first() if wanted.entry else None
    visible = Suite.objects.visible_to(user)
    suites = visible.only("name", "version", "title", "categories").order_by("pk")
    return Scope(user, entry, {suite.pk: suite for suite in suites})


def conditions_of(wanted: Filter) -> Iterator[Q]:
    """What the filter says of the attempts' own columns that hold one value each."""
    if wanted.outcome:
        yield Q(outcome=wanted.outcome)
    if wanted.step:
        is_none = wanted.step == first_step_value(None)
        yield Q(first_failed_step=None) if is_none else number_is("first_failed_step", wanted.step)
    if wanted.turns:
        yield number_is("turns", wanted.turns)


def number_is(column: str, value: str) -> Q:
    """As `count_value` writes numbers."""
    if value == count_value(MANY):
        return Q(**{f"{column}__gte": MANY})
    named = [number for number in range(MANY) if count_value(number) == value]
    return Q(**{f"{column}__in": named})


def name_suites(scope: Scope) -> dict[int, tuple[str, str]]:
    """By id: its value in an address, and its title."""
    return {
        pk: (suite.reference, f"{suite.title} v{suite.version}")
        for pk, suite in scope.suites.items()
    }


def name_entries(ids: Iterable[int]) -> dict[int, tuple[str, str]]:
    """The same of these entries. One query."""
    rows = Entry.objects.filter(pk__in=list(ids)).values_list("pk", "slug", "name")
    return {pk: (slug, name) for pk, slug, name in rows}
