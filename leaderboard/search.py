"""Finding attempts over all runs: by tag, exception, category, task, entry, suite and words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from django.db import connection
from django.db.models import Count, Q, QuerySet
from django.db.models.expressions import RawSQL

from leaderboard.failure_sheets import errors_of_tries_that_count
from leaderboard.failures import BY_KEY, Tag
from leaderboard.models import Attempt, AttemptText, Entry, FailureTag, Run
from leaderboard.querysets import AttemptQuerySet
from leaderboard.recording import clean
from leaderboard.rendering.text import strip_invisible
from runner.contract import Outcome, Status

MAX_VALUE_CHARS = 200
MAX_WORDS = 8
MAX_TEXTS = 50_000  # that are told of those which hold the words, newest first
MAX_READ = 10_000  # that are read for words which the index does not hold, newest first
INDEXED = {
    "sqlite": re.compile(r".{3}", re.DOTALL),
    "postgresql": re.compile(r"[^\W_]{3}"),  # pg_trgm leaves out all but letters and digits
}  # what a word has which the index of trigrams finds
INDEX = "leaderboard_attempttext_index"
WORD = re.compile(r'"([^"]+)"|(\S+)')

IS_VOID = Q(passed=None, outcome__in=[o.value for o in Outcome if o.is_void])
STATES: Mapping[str, Q] = {
    "failed": Q(passed=False),
    "void": IS_VOID,
    "unjudged": Q(passed=None) & ~IS_VOID,
    "passed": Q(passed=True),
}
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
    def run_id(self) -> int | None:
        """The run's number; None where the filter names none."""
        is_number = self.run.isascii() and self.run.isdigit() and len(self.run) < 16
        return int(self.run) if is_number else None

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
        yield Q(
            pk__in=errors_of_tries_that_count().filter(error_name=given.exception).values("attempt")
        )
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
        yield Q(run=given.run_id) if given.run_id is not None else Q(pk=None)
    if given.q:
        yield from told(given.words)


def told(words: Iterable[str], text: str = "text") -> Iterator[Q]:
    """Each word somewhere in what is stored of an attempt, in any case.

    `text` leads from the rows asked for to their text. SQLite has an index of trigrams of its own;
    PostgreSQL uses the one on the column.
    """
    words = list(words)
    indexed = [word for word in words if is_indexed(word) and connection.vendor == "sqlite"]
    if indexed:
        sql = f"SELECT rowid FROM {INDEX} WHERE {INDEX} MATCH %s"
        yield Q(**{f"{text}__in": RawSQL(sql, [phrases_of(indexed)])})
    for word in words:
        if word not in indexed:
            yield Q(**{f"{text}__body__icontains": word})


def is_indexed(word: str) -> bool:
    """Whether the index leads to those who hold the word: it has three letters in a row."""
    return bool(INDEXED[connection.vendor].search(word))


def phrases_of(words: Iterable[str]) -> str:
    """As FTS5 reads them: each a phrase that must occur."""
    return " AND ".join('"' + word.replace('"', '""') + '"' for word in words)


@dataclass(frozen=True)
class Texts:
    """Which texts hold the words that were looked for, and what of it is left out."""

    ids: frozenset[int]
    note: str = ""  # in a sentence


def find_texts(words: Sequence[str], user: Any, run_id: int | None = None) -> Texts:
    """The texts that hold each of the words, of all runs or of one.

    Those that `user` may not see are left out before, so that they do not count among the newest.
    """
    unread = [word for word in words if not is_indexed(word)]
    hidden = Run.objects.exclude(pk__in=Run.objects.visible_to(user).values("pk"))
    unseen = AttemptText.objects.filter(attempt__run__in=hidden.values("pk")).values("pk")
    texts = AttemptText.objects.exclude(pk__in=unseen)
    texts = texts.filter(attempt__run=run_id) if run_id else texts
    if unread:
        indexed = [word for word in words if word not in unread]
        return read_texts(texts.filter(*told(indexed, "attempt__text")), unread, indexed)
    if connection.vendor == "sqlite":
        ids = match_texts(words, unseen)
    else:
        held = texts.filter(*told(words, "attempt__text")).order_by("-pk")
        ids = list(held.values_list("pk", flat=True)[: MAX_TEXTS + 1])
    note = (
        f"More than {MAX_TEXTS:,} attempts hold these words; "
        f"the newest {MAX_TEXTS:,} are counted and listed."
    )
    return Texts(frozenset(ids[:MAX_TEXTS]), note if len(ids) > MAX_TEXTS else "")


def match_texts(words: Iterable[str], unseen: QuerySet[Any]) -> list[int]:
    """The newest that SQLite's index leads to, one more than are told."""
    sql, parameters = unseen.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT rowid FROM {INDEX} WHERE {INDEX} MATCH %s AND rowid NOT IN ({sql}) "
            "ORDER BY rowid DESC LIMIT %s",
            [phrases_of(words), *parameters, MAX_TEXTS + 1],
        )
        return [row[0] for row in cursor.fetchall()]


def read_texts(texts: QuerySet[Any], words: Sequence[str], indexed: Sequence[str]) -> Texts:
    """Which of the newest `texts` hold the words that no index leads to: they are read, one by one.

    No database looks for anything inside a query with a LIMIT, so that no others are read.
    """
    newest = texts.order_by("-pk").values_list("pk", "body")
    sql, parameters = newest[:MAX_READ].query.sql_with_params()
    find = "INSTR" if connection.vendor == "sqlite" else "STRPOS"
    holds = " AND ".join(f"{find}(UPPER(body), UPPER(%s)) > 0" for _ in words)
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH newest (id, body) AS ({sql}) SELECT id FROM newest WHERE {holds}",
            [*parameters, *words],
        )
        ids = frozenset(row[0] for row in cursor.fetchall())
    return Texts(ids, note_on_reading(words, indexed) if newest[MAX_READ:].exists() else "")


def note_on_reading(words: Sequence[str], indexed: Sequence[str]) -> str:
    is_short, they_were = ("is", "it was") if len(words) == 1 else ("are", "they were")
    held = f" that hold {quote(indexed)}" if indexed else ""
    return (
        f"{quote(words)} {is_short} too short for the index, which takes three letters or signs in "
        f"a row: {they_were} looked for in the newest {MAX_READ:,} attempts{held} alone. "
        "Add a longer word to look further back."
    )


def quote(words: Iterable[str]) -> str:
    return " and ".join(f"“{strip_invisible(word)}”" for word in words)


def count_tags(found: AttemptQuerySet) -> list[tuple[str, int]]:
    rows = FailureTag.objects.filter(attempt__in=found.values("pk")).order_by()
    return list(rows.values_list("tag").annotate(Count("pk")))


def count_tags_of(runs_attempts: AttemptQuerySet) -> list[tuple[Tag, int]]:
    """How often each tag is given to these attempts, the most frequent first: one query."""
    counts = sorted(count_tags(runs_attempts), key=lambda row: -row[1])
    return [(BY_KEY[key], count) for key, count in counts if key in BY_KEY]


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
