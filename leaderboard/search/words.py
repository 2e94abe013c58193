"""Finds attempts with some words at a bounded cost: exactly where possible, else with a note.

The newest texts are read first, `MAX_READ` and `MAX_READ_BYTES` at most. Where many of them hold
the words, that is the answer: at least so many. Else the words that few of them hold are looked up
in the index of trigrams, and what it leads to is read, `MAX_HELD` texts at most. SQLite and
PostgreSQL find with indexes of their own, and say the same.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet

from leaderboard.models import AttemptText, Run
from leaderboard.rendering.text import strip_invisible

log = logging.getLogger(__name__)

MAX_READ = 2_000  # texts that are read, newest first
MAX_READ_BYTES = 12_000_000  # of them together; one may hold 64,000 characters
IS_COMMON = 100  # of them that hold a word: the index is not asked for it
IS_ENOUGH = 50  # of them, to show these and not what the index finds first
MAX_HELD = 500  # that the index is asked for
INDEXED = {
    "sqlite": re.compile(r".{3}", re.DOTALL),
    "postgresql": re.compile(r"[^\W_]{3}"),  # pg_trgm leaves out all but letters and digits
}  # what a word has which the index of trigrams finds
INDEX = "leaderboard_attempttext_index"
TEXTS = AttemptText._meta.db_table
STEPS_BETWEEN_LOOKS = 20_000  # of SQLite's machine, at the clock

Clause = tuple[str, list[Any]]  # SQL and its parameters


@dataclass(frozen=True)
class Texts:
    """The attempts that hold the words that were looked for, and what is left out."""

    attempts: Sequence[int] = ()  # their ids
    note: str = ""  # in a sentence or two
    is_exact: bool = True  # False: at least these


@dataclass(frozen=True)
class Window:
    """The newest texts that may be read, and what they hold."""

    texts: int
    is_everything: bool
    hits: Sequence[int]  # the attempts of those that hold all the words
    counts: Mapping[str, int]  # by word, of those that hold it


TOO_SLOW = "The search took too long and was stopped. Add a rarer word, or choose a run or a model."


def find_texts(words: Sequence[str], user: Any, run_id: int | None = None) -> Texts:
    """The attempts that hold each of the words, of all runs that `user` may see or of one.

    At most five queries, all of them under the deadline of settings.SEARCH_TIMEOUT_S.
    """
    runs = Run.objects.visible_to(user)
    runs = runs.filter(pk=run_id) if run_id is not None else runs
    try:
        with within(settings.SEARCH_TIMEOUT_S):
            return search_texts(words, runs, is_of_one=run_id is not None)
    except OperationalError as error:
        if not is_timeout(error):
            raise
        log.warning("a search was ended after %s s", settings.SEARCH_TIMEOUT_S)
        return Texts(note=TOO_SLOW, is_exact=False)


def search_texts(words: Sequence[str], runs: QuerySet[Run], *, is_of_one: bool) -> Texts:
    window = read_newest(words, runs, is_of_one=is_of_one)
    newest = window.hits
    if window.is_everything:
        return Texts(newest)
    indexed = [word for word in words if is_indexed(word)]
    if not indexed:
        return Texts(newest, note_on_short(words, window), is_exact=False)
    if len(window.hits) >= IS_COMMON:
        return Texts(newest, note_on_common(window), is_exact=False)
    rare = [word for word in indexed if window.counts[word] < IS_COMMON] or indexed
    held = look_up(rare, [word for word in words if word not in rare], runs)
    hits = [attempt for attempt, fits in held[:MAX_HELD] if fits]
    if len(held) <= MAX_HELD:
        return Texts(hits)
    if len(window.hits) >= IS_ENOUGH or rare != list(words):
        return Texts(newest, note_on_common(window), is_exact=False)
    note = (
        f"More than {MAX_HELD:,} attempts hold these words; {MAX_HELD:,} of them are counted "
        "and listed."
    )
    return Texts(hits, note, is_exact=False)


def list_newest(runs: QuerySet[Run], *, is_of_one: bool) -> Clause:
    """The texts of these runs and their bytes, the newest first, one more than may be read. SQLite
    has to begin with the texts, unless they are those of one run."""
    seen, parameters = runs.values("pk").query.sql_with_params()
    join, run, size = "JOIN", "a.run_id", "OCTET_LENGTH(t.body)"
    if connection.vendor == "sqlite":
        size = "LENGTH(CAST(t.body AS BLOB))"
        if not is_of_one:
            join, run = "CROSS JOIN", "+a.run_id"
    return (
        f"SELECT t.id, a.id, {size} FROM {TEXTS} t "
        f"{join} leaderboard_attempt a ON a.id = t.attempt_id "
        f"WHERE {run} IN ({seen}) ORDER BY t.id DESC LIMIT %s"
    ), [*parameters, MAX_READ + 1]


def read_newest(words: Sequence[str], runs: QuerySet[Run], *, is_of_one: bool = False) -> Window:
    """The newest texts, as many as may be read, and which words each of them holds. One query.

    No database looks for anything inside a query with a LIMIT, so that no others are read. The
    texts themselves are fetched once it is known which of them may be read: no step carries them.
    """
    sql, parameters = list_newest(runs, is_of_one=is_of_one)
    clauses = [holds(word, "newest") for word in words]
    columns = [f"held{n}" for n in range(len(words))]
    held = "".join(
        f", CASE WHEN is_read AND {clause} THEN 1 ELSE 0 END AS {name}"
        for (clause, _), name in zip(clauses, columns, strict=True)
    )
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH newest (id, attempt, size) AS MATERIALIZED ({sql}), "
            "measured AS MATERIALIZED (SELECT id, attempt, ROW_NUMBER() OVER by_age <= %s "
            "AND SUM(size) OVER by_age <= %s AS is_read "
            "FROM newest WINDOW by_age AS (ORDER BY id DESC)), "
            f"compared AS MATERIALIZED (SELECT attempt, is_read{held} FROM measured m "
            f"LEFT JOIN {TEXTS} t ON t.id = m.id AND is_read) "
            "SELECT COUNT(*), COUNT(CASE WHEN is_read THEN 1 END)"
            + "".join(f", SUM({name})" for name in columns)
            + " FROM compared UNION ALL SELECT attempt, 0"
            + ", 0" * len(columns)
            + f" FROM compared WHERE {' AND '.join(f'{name} = 1' for name in columns) or '1 = 1'}",
            [*parameters, MAX_READ, MAX_READ_BYTES, *(v for _, values in clauses for v in values)],
        )
        (there, read, *counts), *hits = cursor.fetchall()
    by_word = {word: int(count or 0) for word, count in zip(words, counts, strict=True)}
    return Window(read, there == read, [attempt for attempt, *_ in hits], by_word)


def look_up(
    rare: Sequence[str], others: Sequence[str], runs: QuerySet[Run]
) -> list[tuple[int, bool]]:
    """The attempts of texts that the index leads to, one more than `MAX_HELD` at most, and
    whether they hold the words that it is not asked for too. One query."""
    held, values = list_held(rare)
    join = "CROSS JOIN" if connection.vendor == "sqlite" else "JOIN"
    fits, more_values = all_of(map(compare, others))
    seen, parameters = runs.values("pk").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT a.id, {fits} "
            f"FROM ({held}) AS held "
            f"{join} leaderboard_attempt a ON a.id = held.attempt_id "
            f"WHERE a.run_id IN ({seen}) LIMIT %s",
            [*more_values, *values, *parameters, MAX_HELD + 1],
        )
        return [(attempt, bool(fits)) for attempt, fits in cursor.fetchall()]


def holds(word: str, table: str) -> Clause:
    """SQL condition on a row of `table`, by its `id` and `body`: it has the word, in any case.
    SQLite's index is asked from the table's lowest id on."""
    if connection.vendor == "postgresql" or not is_indexed(word):
        return compare(word)
    since = f"rowid >= (SELECT MIN(id) FROM {table})"
    found = f"SELECT rowid FROM {INDEX} WHERE {INDEX} MATCH %s AND {since}"
    return f"m.id IN ({found})", [phrase_of(word)]


def compare(word: str) -> Clause:
    """The same of a `body` that is read. A string costs PostgreSQL half as much as a pattern."""
    if connection.vendor == "sqlite":
        return "body REGEXP %s", [f"(?i){re.escape(word)}"]
    if has_plain_capitals(word):
        return 'STRPOS(LOWER(body COLLATE "C"), %s) > 0', [word.lower()]
    return holds_on_postgresql(word)


def has_plain_capitals(word: str) -> bool:
    return all(letter.isascii() or letter.upper() == letter.lower() for letter in word)


def holds_on_postgresql(word: str) -> Clause:
    """The comparison of the collation "C" knows capitals of A to Z alone, and costs a tenth of
    that of all letters; others are put in brackets with their capitals. The index serves both."""
    if has_plain_capitals(word):
        escaped = word.translate({ord(sign): f"\\{sign}" for sign in "\\%_"})
        return 'body COLLATE "C" ILIKE %s', [f"%{escaped}%"]
    return 'body COLLATE "C" ~ %s', ["".join(map(either_case, word))]


def either_case(letter: str) -> str:
    """A pattern for the letter and its capital."""
    cases = {case for case in (letter, letter.lower(), letter.upper()) if len(case) == 1}
    if len(cases) > 1:
        return f"[{''.join(sorted(cases))}]"
    return letter if letter.isalnum() or not letter.isascii() else f"\\{letter}"


def list_held(words: Sequence[str]) -> Clause:
    """The texts that the index leads to, on SQLite the newest first. The OFFSET keeps either
    database from reading them in another way."""
    if connection.vendor == "postgresql":
        where, values = all_of(map(holds_on_postgresql, words))
        return f"SELECT attempt_id, body FROM {TEXTS} WHERE {where} OFFSET 0", values
    return (
        f"SELECT t.attempt_id, t.body FROM {INDEX} i CROSS JOIN {TEXTS} t ON t.id = i.rowid "
        f"WHERE {INDEX} MATCH %s ORDER BY i.rowid DESC LIMIT -1 OFFSET 0"
    ), [" AND ".join(map(phrase_of, words))]


def all_of(clauses: Iterable[Clause]) -> Clause:
    listed = list(clauses)
    sql = " AND ".join(sql for sql, _ in listed) or "1 = 1"
    return sql, [value for _, values in listed for value in values]


def is_indexed(word: str) -> bool:
    """True if the index leads to the texts with the word: it has three letters in a row."""
    return bool(INDEXED[connection.vendor].search(word))


def phrase_of(word: str) -> str:
    """As FTS5 reads it: a phrase that must occur."""
    return '"' + word.replace('"', '""') + '"'


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """End what the database is at after so long, and have PostgreSQL ask its indexes."""
    if connection.vendor == "postgresql":
        off = dict.fromkeys(("enable_seqscan", "enable_hashjoin", "enable_mergejoin", "jit"), "off")
        with with_settings(statement_timeout=str(int(seconds * 1000)), **off):
            yield
        return
    connection.ensure_connection()
    deadline = time.monotonic() + seconds
    raw: Any = connection.connection
    raw.set_progress_handler(lambda: time.monotonic() > deadline, STEPS_BETWEEN_LOOKS)
    try:
        yield
    finally:
        raw.set_progress_handler(None, 0)


@contextmanager
def with_settings(**chosen: str) -> Iterator[None]:
    """Read with these settings of PostgreSQL; nothing that is written stays."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT " + ", ".join("set_config(%s, %s, true)" for _ in chosen),
            [value for pair in chosen.items() for value in pair],
        )
        yield
        transaction.set_rollback(True)  # what was set goes with it


def is_timeout(error: OperationalError) -> bool:
    return "interrupted" in str(error) or "statement timeout" in str(error)


def note_on_common(window: Window) -> str:
    return (
        f"Many attempts hold these words: they were looked for in the newest {window.texts:,} "
        "attempts alone. Add a rarer word to look further back."
    )


def note_on_short(words: Sequence[str], window: Window) -> str:
    is_short, they_were = ("is", "it was") if len(words) == 1 else ("are", "they were")
    return (
        f"{quote(words)} {is_short} too short for the index, which takes three letters or signs in "
        f"a row: {they_were} looked for in the newest {window.texts:,} attempts alone. "
        "Add a longer word to look further back."
    )


def quote(words: Iterable[str]) -> str:
    return " and ".join(f"“{strip_invisible(word)}”" for word in words)
