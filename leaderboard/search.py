"""Finding attempts over all runs: by tag, exception, category, task, entry, suite and words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from django.db import connection
from django.db.models import Count, F, Q
from django.db.models.expressions import RawSQL

from leaderboard.failures import BY_KEY, Tag
from leaderboard.models import Attempt, Entry, FailureTag, Run, Step, Suite
from leaderboard.querysets import AttemptQuerySet
from leaderboard.recording import clean
from runner.contract import Outcome, Status

MAX_VALUE_CHARS = 200
MAX_WORDS = 8
MAX_OPTIONS = 12  # shown of one facet
INDEXED_CHARS = 3  # the shortest word that the index of trigrams finds
INDEX = "leaderboard_attempttext_index"
WORD = re.compile(r'"([^"]+)"|(\S+)')

IS_VOID = Q(passed=None, outcome__in=[o.value for o in Outcome if o.is_void])
STATES: Mapping[str, Q] = {
    "failed": Q(passed=False),
    "void": IS_VOID,
    "unjudged": Q(passed=None) & ~IS_VOID,
    "passed": Q(passed=True),
}
ENTRY = ("run__entry__slug", "run__entry__name")
NOT_PASSED = ("failed", "void", "unjudged")


@dataclass(frozen=True)
class Filter:
    """What is looked for; each field is a name in the address, "" for everything."""

    q: str = ""  # words, or "several in quotes", each of which must occur
    tag: str = ""
    exception: str = ""
    category: str = ""
    task: str = ""  # its key
    entry: str = ""  # its slug
    suite: str = ""  # "name@version"
    run: str = ""  # its number
    state: str = ""  # "" is everything that did not pass
    baselines: str = ""  # "1": scripted entries too

    def query(self, **changes: str) -> str:
        """The filter as the query of an address, with some of it changed."""
        asked = replace(self, **changes)
        return urlencode({name: value for name, value in vars(asked).items() if value})

    @property
    def words(self) -> list[str]:
        return [a or b for a, b in WORD.findall(self.q)][:MAX_WORDS]


def read_filter(asked: Mapping[str, Any]) -> Filter:
    """The filter that an address holds; what it says beyond is ignored."""
    values = {
        f.name: clean(str(asked.get(f.name, "")), MAX_VALUE_CHARS).strip() for f in fields(Filter)
    }
    if values["state"] not in STATES:
        values["state"] = ""
    return Filter(**values)


def find(wanted: Filter, user: Any, ignoring: str = "") -> AttemptQuerySet:
    """The attempts that `user` may see and that `wanted` names, one field of it aside."""
    given = replace(wanted, **{ignoring: ""}) if ignoring else wanted
    found = Attempt.objects.filter(
        status=Status.DONE, run__in=Run.objects.visible_to(user).values("pk")
    )
    if not (given.entry or given.run or given.baselines):
        found = found.exclude(run__entry__provenance=Entry.Provenance.SCRIPTED)
    if ignoring != "state":
        found = found.filter(STATES[given.state]) if given.state else found.exclude(passed=True)
    for condition in conditions_of(given):
        found = found.filter(condition)
    result: AttemptQuerySet = found
    return result


def conditions_of(given: Filter) -> Iterator[Q]:
    if given.tag:
        yield Q(pk__in=FailureTag.objects.filter(tag=given.tag).values("attempt"))
    if given.exception:
        yield Q(pk__in=errors().filter(error_name=given.exception).values("attempt"))
    if given.category:
        yield Q(category=given.category)
    if given.task:
        yield Q(task__key=given.task)
    if given.entry:
        yield Q(run__entry__slug=given.entry)
    if given.suite:
        name, _, version = given.suite.partition("@")
        yield Q(run__suite__name=name, run__suite__version=version)
    if given.run:
        is_number = given.run.isascii() and given.run.isdigit() and len(given.run) < 16
        yield Q(run=int(given.run)) if is_number else Q(pk=None)
    if given.q:
        yield from told(given.words)


def errors() -> Any:
    """The steps that raised, of the tries that count."""
    return Step.objects.exclude(error_name="").filter(try_number=F("attempt__tries"))


def told(words: Iterable[str]) -> Iterator[Q]:
    """Each word somewhere in what is stored of an attempt, in any case.

    SQLite has an index of trigrams of its own; PostgreSQL uses the one on the column.
    """
    words = list(words)
    indexed = [w for w in words if len(w) >= INDEXED_CHARS and connection.vendor == "sqlite"]
    if indexed:
        phrases = " AND ".join('"' + word.replace('"', '""') + '"' for word in indexed)
        rows = RawSQL(f"SELECT rowid FROM {INDEX} WHERE {INDEX} MATCH %s", [phrases])
        yield Q(text__in=rows)
    for word in words:
        if word not in indexed:
            yield Q(text__body__icontains=word)


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


Counted = Iterable[tuple[str, str, int]]  # value, title, attempts


def count_facets(wanted: Filter, user: Any) -> tuple[Facet, ...]:
    """Each facet over what the other parts of the filter leave: one query each."""
    found = {name: find(wanted, user, name) for name in ("category", "task", "entry", "suite")}
    return (
        facet(wanted, "tag", "Failure tag", count_tags(find(wanted, user, "tag"))),
        facet(wanted, "exception", "Exception", count_errors(find(wanted, user, "exception"))),
        facet(wanted, "category", "Category", count_categories(found["category"])),
        facet(wanted, "task", "Task", count_by(found["task"], "task__key", "task__title")),
        facet(wanted, "entry", "Entry", count_by(found["entry"], *ENTRY)),
        facet(wanted, "suite", "Suite", count_suites(found["suite"])),
    )


def facet(wanted: Filter, key: str, title: str, counted: Counted) -> Facet:
    """The most frequent values, and the chosen one wherever it stands."""
    chosen = getattr(wanted, key)
    ordered = sorted(counted, key=lambda row: (-row[2], row[1]))
    shown = [r for i, r in enumerate(ordered) if i < MAX_OPTIONS or r[0] == chosen]
    if chosen and all(row[0] != chosen for row in shown):
        shown.append((chosen, chosen, 0))
    options = tuple(
        Option(
            value,
            name,
            count,
            wanted.query(**{key: "" if value == chosen else value}),
            value == chosen,
            BY_KEY[value].meaning if key == "tag" and value in BY_KEY else "",
        )
        for value, name, count in shown
    )
    return Facet(key, title, options, max(0, len(ordered) - len(shown)))


def count_tags(found: AttemptQuerySet) -> Counted:
    rows = FailureTag.objects.filter(attempt__in=found.values("pk")).order_by()
    counts = rows.values_list("tag").annotate(Count("pk"))
    return [(tag, BY_KEY[tag].title if tag in BY_KEY else tag, count) for tag, count in counts]


def count_errors(found: AttemptQuerySet) -> Counted:
    rows = errors().filter(attempt__in=found.values("pk")).order_by()
    counts = rows.values_list("error_name").annotate(Count("attempt", distinct=True))
    return [(name, name, count) for name, count in counts]


def count_categories(found: AttemptQuerySet) -> Counted:
    titles = {
        category["key"]: category["title"]
        for categories in Suite.objects.values_list("categories", flat=True).order_by("pk")
        for category in categories
    }
    counts = found.order_by().values_list("category").annotate(Count("pk"))
    return [(key, titles.get(key, key), count) for key, count in counts]


def count_by(found: AttemptQuerySet, value: str, title: str) -> Counted:
    """Counts by `value`; where several rows share it, under the longest of their titles."""
    counts: dict[str, tuple[str, int]] = {}
    for key, name, count in found.order_by().values_list(value, title).annotate(Count("pk")):
        known, before = counts.get(key, ("", 0))
        counts[key] = (max(known, name, key=len), before + count)
    return [(key, name, count) for key, (name, count) in counts.items()]


def count_suites(found: AttemptQuerySet) -> Counted:
    counts = (
        found.order_by()
        .values_list("run__suite__name", "run__suite__version", "run__suite__title")
        .annotate(Count("pk"))
    )
    return [(f"{n}@{v}", f"{title} v{v}", count) for n, v, title, count in counts]


def count_tags_of(runs_attempts: AttemptQuerySet) -> list[tuple[Tag, int]]:
    """How often each tag is given to these attempts, the most frequent first: one query."""
    counts = sorted(count_tags(runs_attempts), key=lambda row: -row[2])
    return [(BY_KEY[key], count) for key, _, count in counts if key in BY_KEY]


def count_states(wanted: Filter, user: Any) -> dict[str, int]:
    """How many attempts of each state the other parts of the filter leave."""
    sums = {state: Count("pk", filter=condition) for state, condition in STATES.items()}
    counts: dict[str, int] = find(wanted, user, "state").aggregate(**sums)
    return counts


def in_order(found: AttemptQuerySet) -> AttemptQuerySet:
    """Newest run first, its attempts as they were made: in the order of the suite."""
    result: AttemptQuerySet = found.order_by("-run_id", "pk")
    return result


@dataclass(frozen=True)
class Around:
    """An attempt's place among what was found."""

    previous: Attempt | None
    next: Attempt | None
    position: int  # from 1; 0 when it is not among them
    total: int


def look_around(wanted: Filter, user: Any, attempt: Attempt) -> Around:
    """Three queries, however much was found."""
    found = find(wanted, user)
    run, pk = attempt.run_id, attempt.pk
    before = Q(run_id__gt=run) | Q(run_id=run, pk__lt=pk)
    after = Q(run_id__lt=run) | Q(run_id=run, pk__gt=pk)
    counts = found.aggregate(
        total=Count("pk"), before=Count("pk", filter=before), here=Count("pk", filter=Q(pk=pk))
    )
    light = found.select_related("task").only("run_id", "number", "task__key", "task__title")
    return Around(
        previous=light.filter(before).order_by("run_id", "-pk").first(),
        next=light.filter(after).order_by("-run_id", "pk").first(),
        position=counts["before"] + 1 if counts["here"] else 0,
        total=counts["total"],
    )


EXCERPT_CHARS = 60  # either side of the word


@dataclass(frozen=True)
class Excerpt:
    """Where the first word was found."""

    before: str
    word: str
    after: str


def excerpt_of(body: str, words: Iterable[str]) -> Excerpt | None:
    for word in words:
        hit = re.search(re.escape(word), body, re.IGNORECASE)
        if hit:
            start, end = max(0, hit.start() - EXCERPT_CHARS), hit.end() + EXCERPT_CHARS
            before, after = body[start : hit.start()], body[hit.end() : end]
            return Excerpt(" ".join(before.split("\n")), hit[0], " ".join(after.split("\n")))
    return None
