"""Applies a failure filter to every run's index and counts the facets."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

from leaderboard.models import NOT_MODELS, Entry, Suite
from leaderboard.search import words
from leaderboard.search.filters import STATES, Filter, states_of
from leaderboard.search.sheet_books import BookRun
from leaderboard.search.sheets import CARRIED, Bits, join, places_in, span
from leaderboard.search.visible_sheets import VIEWS, Part, Stamp

NONE: Bits = 0


@dataclass(frozen=True)
class Scope:
    """The filter's names resolved to this site's rows."""

    scripted: frozenset[int] = frozenset()  # entries
    entry: int | None = None  # the one that was asked for
    suites: Mapping[int, Suite] = field(default_factory=dict)


@dataclass(frozen=True)
class Looked:
    """A part of what is seen, and of it what each chosen part of the filter lets through."""

    part: Part
    wanted: Filter
    scope: Scope
    texts: Mapping[int, Sequence[int]] | None  # attempts that hold the words, by run
    counts: dict[str, Counter[Any]]  # kept with the part: no bit is counted twice

    @cached_property
    def parts(self) -> dict[str, Bits]:
        return dict(parts_of(self.part, self.wanted, self.scope, self.texts))

    @cached_property
    def scripted(self) -> Bits:
        """Attempts of scripted baselines, where those are only let through for a name."""
        if self.wanted.run or self.wanted.baselines:
            return NONE
        return mark_runs(run for run in self.part.runs if run.entry in self.scope.scripted)

    @property
    def total(self) -> int:
        return self.count("").total()

    def count(self, key: str) -> Counter[Any]:
        """Of all that the facet `key` divides, how many attempts have each value; "" is all."""
        known = self.counts.get(key)
        if known is None:
            known = self.counts[key] = Counter(dict(self.count_now(key)))
        return known

    def count_now(self, key: str) -> Iterator[tuple[Any, int]]:
        left = self.left_by(key)
        sheet = self.part.sheet
        if key == "":
            yield "", left.bit_count()
        elif key in ("entry", "suite"):
            yield from self.count_runs(key, left).items()
        else:
            for value, bits in (sheet.states if key == "state" else sheet.carried[key]).items():
                if hit := left & bits:
                    yield value, hit.bit_count()

    def count_runs(self, key: str, left: Bits) -> Counter[int]:
        """By the runs' entries or suites, by their ids."""
        if key == "suite" and self.part.suite is not None:
            return Counter({self.part.suite: left.bit_count()})
        counts: Counter[int] = Counter()
        for run, start, ones in self.part.places:
            if hit := left >> start & ones:
                counts[run.entry if key == "entry" else run.suite] += hit.bit_count()
        return counts

    @cached_property
    def found(self) -> Bits:
        return self.without("")

    def without(self, ignored: str) -> Bits:
        """Attempts that match the filter with one part of it removed."""
        bits = self.part.visible
        for name, part in self.parts.items():
            if name != ignored:
                bits &= part
        if self.scripted and ("entry" not in self.parts or ignored == "entry"):
            bits &= ~self.scripted
        return bits

    def left_by(self, key: str) -> Bits:
        """Attempts that match every filter except this facet's own."""
        return self.without(key) if key in self.parts else self.found

    def found_of(self, run: BookRun) -> Bits:
        return self.found >> run.start & span(0, run.stop - run.start)

    def ids_of(self, run: BookRun, start: int = 0, stop: int | None = None) -> list[int]:
        """The ids of what was found of the run, in their order."""
        places = islice(places_in(self.found_of(run)), start, stop)
        return [self.part.sheet.ids[run.start + place] for place in places]


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
    views: Sequence[Sequence[Looked]]  # by book, the newest first
    scope: Scope = field(default_factory=Scope)
    notes: Sequence[str] = ()  # what was left out, in sentences
    is_exact: bool = True  # False: at least so many, as a note says
    # Another one whenever one of these runs changed; None where that does not tell it all.
    stamp: tuple[Stamp, ...] | None = None

    def in_state(self, state: str) -> Found:
        """The same with attempts in another state. No query."""
        wanted = replace(self.wanted, state=state)
        key = None if wanted.q or wanted.run else key_of(wanted, self.scope)
        views = [
            [replace(one, wanted=wanted, counts=one.part.counts_of(key)) for one in view]
            for view in self.views
        ]
        return replace(self, wanted=wanted, views=views)

    @cached_property
    def looked(self) -> list[Looked]:
        return [one for view in self.views for one in view]

    @cached_property
    def total(self) -> int:
        return sum(one.total for one in self.looked)

    @cached_property
    def states(self) -> dict[str, int]:
        """Count the attempts of each state that match the other parts of the filter."""
        return {**dict.fromkeys(STATES, 0), **self.add_up("state")}

    def list_ids(self, start: int, stop: int) -> list[int]:
        """The ids of those from `start` to before `stop`."""
        ids: list[int] = []
        for view in self.views:
            count = sum(one.total for one in view)
            if start >= count:
                start, stop = start - count, stop - count
                continue
            for one, run in newest_first(view):
                if stop <= 0:
                    return ids
                count = one.found_of(run).bit_count()
                if start < count:
                    ids += one.ids_of(run, max(0, start), stop)
                start, stop = start - count, stop - count
        return ids

    def look_around(self, run_id: int, attempt_id: int) -> Around:
        newer, ids = 0, []
        for one in self.looked:
            if one.part.runs[0].pk > run_id:
                newer += one.total
                continue
            for run in one.part.runs:
                if run.pk > run_id:
                    newer += one.found_of(run).bit_count()
                elif run.pk == run_id:
                    ids = one.ids_of(run)
        before = newer + sum(pk < attempt_id for pk in ids)
        is_among = attempt_id in ids
        after = before + is_among
        return Around(
            previous=next(iter(self.list_ids(before - 1, before)), None) if before else None,
            next=next(iter(self.list_ids(after, after + 1)), None),
            position=before + 1 if is_among else 0,
            total=self.total,
        )

    def count(self, key: str) -> Counter[str]:
        """By value of the facet how many attempts carry it, of all that it divides."""
        counts = self.add_up(key)
        if key in CARRIED:
            return counts
        names = name_suites(self.scope) if key == "suite" else name_entries(counts)
        return Counter({names[pk][0]: count for pk, count in counts.items() if pk in names})

    def add_up(self, key: str) -> Counter[Any]:
        """The same, entries and suites by their ids."""
        counts: Counter[Any] = Counter()
        for one in self.looked:
            counts.update(one.count(key))
        return +counts


def newest_first(view: Iterable[Looked]) -> list[tuple[Looked, BookRun]]:
    """The runs of one book."""
    runs = [(one, run) for one in view for run in one.part.runs]
    return sorted(runs, key=lambda pair: -pair[1].pk)


def look(wanted: Filter, user: Any) -> Found:
    """Three queries when no run changed since the last look, and two for words."""
    if wanted.run and wanted.run_id is None:
        return Found(wanted, ())
    scope = read_scope(wanted, user)
    views = VIEWS.see(user, wanted.run_id)
    notes = []
    if left_out := sum(view.left_out for view in views):
        notes.append(
            f"{left_out:,} run{'s' if left_out > 1 else ''} that came or changed lately "
            f"{'are' if left_out > 1 else 'is'} still being counted and left out here."
        )
    texts = words.find_texts(wanted.words, user, wanted.run_id) if wanted.q else None
    if texts and texts.note:
        notes.append(texts.note)
    key = None if texts or wanted.run else key_of(wanted, scope)
    attempts = texts.attempts if texts else None
    looked = [
        [Looked(part, wanted, scope, attempts, part.counts_of(key)) for part in view.parts]
        for view in views
    ]
    is_exact = not (texts and not texts.is_exact) and not left_out
    stamp = None if texts or left_out else tuple(view.stamp for view in views)
    return Found(wanted, looked, scope, notes, is_exact, stamp)


def read_scope(wanted: Filter, user: Any) -> Scope:
    """Two queries."""
    entries = Entry.objects.filter(provenance__in=NOT_MODELS)
    if wanted.entry:
        entries = entries | Entry.objects.filter(slug=wanted.entry)
    scripted, chosen = set(), None
    for pk, slug, provenance in entries.values_list("pk", "slug", "provenance"):
        if provenance in NOT_MODELS:
            scripted.add(pk)
        if slug == wanted.entry:
            chosen = pk
    visible = Suite.objects.visible_to(user)
    suites = visible.only("name", "version", "title", "categories").order_by("pk")
    return Scope(frozenset(scripted), chosen, {suite.pk: suite for suite in suites})


def key_of(wanted: Filter, scope: Scope) -> Hashable:
    """All that the counts of a part depend on, but words and a run."""
    chosen = frozenset(pk for pk, (name, _) in name_suites(scope).items() if name == wanted.suite)
    return (
        replace(wanted, q="", entry=""),
        bool(wanted.entry),
        scope.entry,
        scope.scripted,
        chosen,
    )


def parts_of(
    part: Part, wanted: Filter, scope: Scope, texts: Mapping[int, Sequence[int]] | None
) -> Iterator[tuple[str, Bits]]:
    """The bits that each chosen part of the filter lets through."""
    states = part.sheet.states
    yield "state", sum(states.get(state, NONE) for state in states_of(wanted.state))
    for kind in CARRIED:
        if value := getattr(wanted, kind):
            yield kind, part.sheet.carried[kind].get(value, NONE)
    if wanted.run:
        yield "run", mark_runs(run for run in part.runs if run.pk == wanted.run_id)
    if wanted.entry:
        yield "entry", mark_runs(run for run in part.runs if run.entry == scope.entry)
    if wanted.suite:
        chosen = {pk for pk, (name, _) in name_suites(scope).items() if name == wanted.suite}
        yield "suite", mark_runs(run for run in part.runs if run.suite in chosen)
    if texts is not None:
        yield "q", mark_texts(part, texts)


def mark_runs(runs: Iterable[BookRun]) -> Bits:
    bits = NONE
    for run in runs:
        bits |= span(run.start, run.stop)
    return bits


def mark_texts(part: Part, texts: Mapping[int, Sequence[int]]) -> Bits:
    """Those of the attempts, by their runs, that are on this sheet."""
    ids, places = part.sheet.ids, []
    for run in part.runs:
        for attempt_id in texts.get(run.pk, ()):
            place = bisect_left(ids, attempt_id, run.start, run.stop)
            if place < run.stop and ids[place] == attempt_id:
                places.append(place)
    return join(places)


def name_suites(scope: Scope) -> dict[int, tuple[str, str]]:
    """By id: its value in an address, and its title."""
    return {
        pk: (f"{suite.name}@{suite.version}", f"{suite.title} v{suite.version}")
        for pk, suite in scope.suites.items()
    }


def name_entries(ids: Iterable[int]) -> dict[int, tuple[str, str]]:
    """The same of these entries. One query."""
    rows = Entry.objects.filter(pk__in=list(ids)).values_list("pk", "slug", "name")
    return {pk: (slug, name) for pk, slug, name in rows}
