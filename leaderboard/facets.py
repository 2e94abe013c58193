"""What a filter finds over all runs, and how it divides: counted from the runs' sheets, exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from leaderboard import search
from leaderboard.failure_sheets import (
    CARRIED,
    MAX_RUNS,
    SHEETS,
    Bits,
    RunFacts,
    Sheet,
    list_runs,
    places_in,
)
from leaderboard.failures import BY_KEY
from leaderboard.models import Suite, Task
from leaderboard.search import NOT_PASSED, STATES, Filter

MAX_OPTIONS = 12  # shown of one facet
ALL: Bits = -1
NONE: Bits = 0


@dataclass(frozen=True)
class Looked:
    """A run, and of its attempts those that each chosen part of the filter lets through."""

    run: RunFacts
    sheet: Sheet
    parts: Mapping[str, Bits]

    @cached_property
    def found(self) -> Bits:
        return self.without("")

    def without(self, ignored: str) -> Bits:
        """What the filter lets through with one part of it aside."""
        bits = self.sheet.everything
        for name, part in self.parts.items():
            if name != ignored:
                bits &= part
        if ignored == "entry" and self.run.is_scripted and "scripted" not in self.parts:
            return NONE  # it is there only because its entry was asked for
        return bits

    def left_by(self, key: str) -> Bits:
        """What the facet `key` divides: all that the other parts of the filter leave."""
        is_chosen = key in self.parts or (key == "entry" and self.run.is_scripted)
        return self.without(key) if is_chosen else self.found


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
    looked: Sequence[Looked]
    notes: Sequence[str] = ()  # what was left out, in sentences

    @cached_property
    def total(self) -> int:
        return sum(one.found.bit_count() for one in self.looked)

    @cached_property
    def states(self) -> dict[str, int]:
        """How many attempts of each state the other parts of the filter leave."""
        counts = dict.fromkeys(STATES, 0)
        for one in self.looked:
            left = one.without("state")
            for state, bits in one.sheet.states.items():
                counts[state] += (left & bits).bit_count()
        return counts

    def list_ids(self, start: int, stop: int) -> list[int]:
        """The ids of those from `start` to before `stop`."""
        ids: list[int] = []
        for one in self.looked:
            if stop <= 0:
                break
            count = one.found.bit_count()
            if start < count:
                places = islice(places_in(one.found), max(0, start), stop)
                ids += [one.sheet.ids[place] for place in places]
            start, stop = start - count, stop - count
        return ids

    def look_around(self, run_id: int, attempt_id: int) -> Around:
        newer = sum(one.found.bit_count() for one in self.looked if one.run.pk > run_id)
        here = next((one for one in self.looked if one.run.pk == run_id), None)
        ids = [here.sheet.ids[place] for place in places_in(here.found)] if here else []
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
        counts: Counter[str] = Counter()
        for one in self.looked:
            left = one.left_by(key)
            if left and key in CARRIED:
                for value, bits in one.sheet.carried[key].items():
                    if hit := left & bits:
                        counts[value] += hit.bit_count()
            elif left:
                counts[one.run.entry if key == "entry" else one.run.suite] += left.bit_count()
        return counts


def look(wanted: Filter, user: Any) -> Found:
    """Two queries when no run changed since the last look, and one for words."""
    if wanted.run and wanted.run_id is None:
        return Found(wanted, ())
    runs = list_runs(user, wanted.run_id)
    notes = []
    if len(runs) > MAX_RUNS:
        runs = runs[:MAX_RUNS]
        notes.append(f"Only the newest {MAX_RUNS:,} runs are looked at.")
    texts = search.find_texts(wanted.words, user, wanted.run_id) if wanted.q else None
    if texts and texts.note:
        notes.append(texts.note)
    sheets = SHEETS.of(runs)
    looked = [
        Looked(run, sheet, dict(parts_of(wanted, run, sheet, texts.ids if texts else None)))
        for run, sheet in zip(runs, sheets, strict=True)
    ]
    return Found(wanted, looked, notes)


def parts_of(
    wanted: Filter, run: RunFacts, sheet: Sheet, texts: frozenset[int] | None
) -> Iterator[tuple[str, Bits]]:
    """The bits that each chosen part of the filter lets through."""
    if wanted.state:
        yield "state", sheet.states.get(wanted.state, NONE)
    else:
        yield "state", sum(sheet.states.get(state, NONE) for state in NOT_PASSED)
    for kind in CARRIED:
        if value := getattr(wanted, kind):
            yield kind, sheet.carried[kind].get(value, NONE)
    if wanted.entry:
        yield "entry", ALL if run.entry == wanted.entry else NONE
    if wanted.suite:
        yield "suite", ALL if run.suite == wanted.suite else NONE
    if run.is_scripted and (wanted.run or wanted.baselines):
        yield "scripted", ALL
    elif run.is_scripted and not wanted.entry:
        yield "scripted", NONE
    if texts is not None:
        yield "q", sheet.with_texts(texts)


@dataclass(frozen=True)
class Option:
    """One value of a facet, and where choosing it leads."""

    value: str
    title: str
    count: int
    query: str
    is_chosen: bool
    hint: str = ""


@dataclass(frozen=True)
class Facet:
    """One way to divide what was found."""

    key: str
    title: str
    options: tuple[Option, ...]
    more: int  # values that are not shown


def list_facets(found: Found) -> tuple[Facet, ...]:
    """Each facet over what the other parts of the filter leave. Two queries, for titles."""
    runs = [one.run for one in found.looked]
    titles: dict[str, tuple[str, Mapping[str, str]]] = {
        "tag": ("Failure tag", {key: tag.title for key, tag in BY_KEY.items()}),
        "exception": ("Exception", {}),
        "category": ("Category", title_categories()),
        "task": ("Task", longest(Task.objects.values_list("key", "title").order_by("pk"))),
        "entry": ("Entry", longest((run.entry, run.entry_name) for run in runs)),
        "suite": ("Suite", {r.suite: f"{r.suite_title} v{r.suite_version}" for r in runs}),
    }
    return tuple(
        make_facet(found.wanted, key, title, names, found.count(key))
        for key, (title, names) in titles.items()
    )


def title_categories() -> dict[str, str]:
    return {
        category["key"]: category["title"]
        for categories in Suite.objects.values_list("categories", flat=True).order_by("pk")
        for category in categories
    }


def longest(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The title of each key; where several rows share it, the longest of theirs."""
    titles: dict[str, str] = {}
    for key, title in pairs:
        titles[key] = max(titles.get(key, ""), title, key=len)
    return titles


def make_facet(
    wanted: Filter, key: str, title: str, names: Mapping[str, str], counts: Mapping[str, int]
) -> Facet:
    """The most frequent values, and the chosen one wherever it stands."""
    chosen = getattr(wanted, key)
    ordered = sorted(counts, key=lambda value: (-counts[value], names.get(value, value)))
    shown = [value for n, value in enumerate(ordered) if n < MAX_OPTIONS or value == chosen]
    more = len(ordered) - len(shown)
    if chosen and chosen not in shown:
        shown.append(chosen)
    options = tuple(
        Option(
            value,
            names.get(value, value) if value in counts else value,
            counts.get(value, 0),
            wanted.query(**{key: "" if value == chosen else value}),
            value == chosen,
            BY_KEY[value].meaning if key == "tag" and value in BY_KEY else "",
        )
        for value in shown
    )
    return Facet(key, title, options, more)
